"""What notebooks show: of beliefs, of who is who, and of what becomes of a memory in time.

It needs the extra ``notebooks``, and the client.
"""

from graphmem.notebook.asked import beliefs_over
from graphmem.notebook.connecting import connect
from graphmem.notebook.graphs import graph_picture
from graphmem.notebook.pictures import (
    Png,
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
    "beliefs_html",
    "beliefs_over",
    "calibration_picture",
    "connect",
    "graph_picture",
    "growth_picture",
    "pairs_html",
    "strength_picture",
    "summary_html",
    "timeline_picture",
    "topics_picture",
    "waterfall_picture",
]
