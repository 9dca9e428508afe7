"""What notebooks show: of beliefs, of who is who, and of what becomes of a memory in time.

``beliefs``, ``history`` and ``diff`` give pandas frames, ``graph`` and ``timeline`` pictures, as of any two times. The
rest shows answers of the client. It needs the extra ``notebooks``.
"""

from graphmem.notebook.asked import beliefs, beliefs_over, connect, diff, graph, history, timeline
from graphmem.notebook.graphs import Svg, graph_picture
from graphmem.notebook.pictures import (
    Png,
    answers_picture,
    calibration_picture,
    growth_picture,
    strength_picture,
    timeline_picture,
    topics_picture,
    waterfall_picture,
)
from graphmem.notebook.tables import Html, beliefs_html, pairs_html, summary_html

__all__ = [
    "Html",
    "Png",
    "Svg",
    "answers_picture",
    "beliefs",
    "beliefs_html",
    "beliefs_over",
    "calibration_picture",
    "connect",
    "diff",
    "graph",
    "graph_picture",
    "growth_picture",
    "history",
    "pairs_html",
    "strength_picture",
    "summary_html",
    "timeline",
    "timeline_picture",
    "topics_picture",
    "waterfall_picture",
]
