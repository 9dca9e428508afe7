"""The graph as a picture: SVG of our own, whose names are read wherever a notebook is shown, without a script."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from math import atan2, cos, sin

from graphmem.answers.beliefs import BeliefOut, GraphOut
from graphmem.model.claim import ClaimStatus
from graphmem.model.interval import day_text
from graphmem.notebook.layout import placed

_COLOURS = {
    "person": "#F79767",
    "place": "#57C7E3",
    "organization": "#D9C8AE",
    "product": "#8DCC93",
    "concept": "#E8868B",
    "fact": "#ECB5C9",
}
_OTHER_COLOUR = "#C5C9D3"
_INK, _ARROW, _PALE = "#1F2328", "#57606A", "#AEB6BF"
_LETTER, _LINE, _HEIGHT, _MARGIN, _LEGEND = 7.6, 16.0, 28.0, 24.0, 30.0
"""In pixels at the size at which notebooks show them: a letter's width, of all on average; a box's height …"""
_LONGEST, _LOOP = 32, 14.0

_HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
    'viewBox="0 0 {width:.0f} {height:.0f}" font-family="Helvetica, Arial, sans-serif" font-size="13">'
    '<rect width="100%" height="100%" fill="#FFFFFF"/>'
)

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Svg:
    """Shown as a picture by notebooks."""

    text: str = field(repr=False)

    def _repr_svg_(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class _Box:
    name: str
    type: str

    @property
    def width(self) -> float:
        return _LETTER * len(self.name) + 22

    @property
    def colour(self) -> str:
        return _COLOURS.get(self.type, _OTHER_COLOUR)


@dataclass(frozen=True, slots=True)
class _Arrow:
    """From one box to another, through its words, which have a place of their own so that they cover nothing."""

    source: str
    target: str
    belief: BeliefOut

    @property
    def words(self) -> str:
        return f"words of {self.belief.id}"

    @property
    def width(self) -> float:
        return _LETTER * len(self.belief.predicate)

    @property
    def pale(self) -> bool:
        return self.belief.open or self.belief.status is not ClaimStatus.ASSERTED


def graph_picture(graph: GraphOut) -> Svg:
    """An answer of ``GET graph``: entities coloured by type, what is believed of them as arrows.

    Pale and dashed is what rests on open claims, or was planned or wished only.
    """
    boxes = {entity.id: _Box(_short(entity.name), entity.type) for entity in graph.entities}
    boxes |= {belief.id: _Box(_short(str(belief.value)), "fact") for belief in graph.beliefs if not belief.object}
    arrows = [_arrow(belief) for belief in graph.beliefs]
    return Svg(_document(boxes, arrows, _middles(boxes, arrows)))


def _middles(boxes: Mapping[str, _Box], arrows: Sequence[_Arrow]) -> dict[str, Point]:
    """Where the middles of boxes and words are."""
    sizes = {id_: (box.width, _HEIGHT) for id_, box in boxes.items()}
    sizes |= {arrow.words: (arrow.width, _LINE) for arrow in arrows}
    place = {id_: number for number, id_ in enumerate(sizes)}
    ways = [(place[end], place[arrow.words]) for arrow in arrows for end in (arrow.source, arrow.target)]
    middles = placed(list(sizes.values()), ways)
    return {id_: (x + _MARGIN, y + _MARGIN + _LEGEND) for id_, (x, y) in zip(sizes, middles, strict=True)}


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"


def _arrow(belief: BeliefOut) -> _Arrow:
    return _Arrow(belief.subject.id, belief.object.id if belief.object else belief.id, belief)


def _document(boxes: Mapping[str, _Box], arrows: Sequence[_Arrow], at: Mapping[str, Point]) -> str:
    shown = sorted({(box.type, box.colour) for box in boxes.values()})
    edges = [at[id_][0] + box.width / 2 for id_, box in boxes.items()]
    right = max((*edges, *(at[arrow.words][0] + arrow.width / 2 for arrow in arrows)), default=0.0)
    width = max(right + _MARGIN, 2 * _MARGIN + sum(_legend_width(type_) for type_, _ in shown))
    height = max((y for _, y in at.values()), default=_LEGEND) + _HEIGHT / 2 + _MARGIN
    drawn = [_drawn(arrow, boxes, at) for arrow in arrows]
    parts = [line for line, _ in drawn]
    parts += [_box(box, at[id_]) for id_, box in boxes.items()]
    parts += [words for _, words in drawn]
    return _HEAD.format(width=width, height=height) + "".join((*parts, _legend(shown), "</svg>"))


def _box(box: _Box, middle: Point) -> str:
    x, y = middle
    left, top = x - box.width / 2, y - _HEIGHT / 2
    return (
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{box.width:.1f}" height="{_HEIGHT:.0f}" rx="{_HEIGHT / 2:.0f}" '
        f'fill="{box.colour}" stroke="#FFFFFF" stroke-width="2"/>'
        f'<text x="{x:.1f}" y="{y + 4.5:.1f}" text-anchor="middle" fill="{_INK}">{escape(box.name)}</text>'
    )


def _drawn(arrow: _Arrow, boxes: Mapping[str, _Box], at: Mapping[str, Point]) -> tuple[str, str]:
    """The line of an arrow with its head, and its words."""
    (path, tip, angle), (x, y) = _path(arrow, boxes, at), at[arrow.words]
    colour, dashes = (_PALE, ' stroke-dasharray="5 4"') if arrow.pale else (_ARROW, "")
    line = (
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.4"{dashes}/>'
        f'<polygon points="{_head(tip, angle)}" fill="{colour}"/>'
    )
    words = (
        f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle" font-size="12" fill="{_INK}" '
        f'stroke="#FFFFFF" stroke-width="4" paint-order="stroke">{escape(arrow.belief.predicate)}'
        f"<title>{escape(_tooltip(arrow.belief))}</title></text>"
    )
    return line, words


def _path(arrow: _Arrow, boxes: Mapping[str, _Box], at: Mapping[str, Point]) -> tuple[str, Point, float]:
    """The way of a line through its words, where it ends, and in which direction."""
    words = at[arrow.words]
    start = _border(boxes[arrow.source], at[arrow.source], words)
    tip = _border(boxes[arrow.target], at[arrow.target], words)
    if arrow.source == arrow.target:
        start, tip = (start[0] - _LOOP, start[1]), (tip[0] + _LOOP, tip[1])
    turn = (2 * words[0] - (start[0] + tip[0]) / 2, 2 * words[1] - (start[1] + tip[1]) / 2)
    way = f"M{start[0]:.1f},{start[1]:.1f} Q{turn[0]:.1f},{turn[1]:.1f} {tip[0]:.1f},{tip[1]:.1f}"
    return way, tip, atan2(tip[1] - turn[1], tip[0] - turn[0])


def _border(box: _Box, middle: Point, towards: Point) -> Point:
    """Where the way from the middle of a box leaves it."""
    dx, dy = towards[0] - middle[0], towards[1] - middle[1]
    share = min((box.width / 2 + 2) / (abs(dx) or 1e-9), (_HEIGHT / 2 + 2) / (abs(dy) or 1e-9), 1.0)
    return middle[0] + dx * share, middle[1] + dy * share


def _head(tip: Point, angle: float) -> str:
    sides = [(tip[0] - 9 * cos(angle + turn), tip[1] - 9 * sin(angle + turn)) for turn in (-0.4, 0.4)]
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in (tip, *sides))


def _tooltip(belief: BeliefOut) -> str:
    return f"{belief.statement} ({day_text(belief.valid_from, '?')} – {day_text(belief.valid_to, '…')})"


def _legend_width(type_: str) -> float:
    return _LETTER * len(type_) + 34


def _legend(shown: Sequence[tuple[str, str]]) -> str:
    parts, x = list[str](), _MARGIN
    for type_, colour in shown:
        parts.append(f'<circle cx="{x + 6:.1f}" cy="20" r="6" fill="{colour}"/>')
        parts.append(f'<text x="{x + 18:.1f}" y="24.5" fill="{_INK}">{escape(type_)}</text>')
        x += _legend_width(type_)
    return "".join(parts)
