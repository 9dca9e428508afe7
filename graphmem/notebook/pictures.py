"""Pictures of beliefs, of who is who, and of what becomes of a memory in time.

Only this module knows matplotlib, and imports it where it draws.
"""
# ruff: noqa: PLC0415 - see above
# What matplotlib leaves untyped:
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from io import BytesIO
from typing import TYPE_CHECKING, Any

from graphmem.answers.beliefs import BeliefOut
from graphmem.answers.claims import FactOut
from graphmem.answers.entities import PairOut
from graphmem.answers.groups import MemoryStatsOut
from graphmem.model.claim import ClaimStatus
from graphmem.model.fading import FADING, strength
from graphmem.model.instants import instant_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NO_LONGER = "no longer believed"
_STYLES: dict[str, dict[str, Any]] = {
    "believed": {"facecolor": "#57C7E3", "edgecolor": "#23B3D7"},
    "open, planned or wished": {"facecolor": "#E3F5FA", "edgecolor": "#A9DDEB"},
    _NO_LONGER: {"facecolor": "#EEEEEE", "edgecolor": "#999999", "hatch": "///"},
}


_SIDES: dict[str, dict[str, Any]] = {
    "for": {"facecolor": "#8DCC93", "edgecolor": "#5DB665"},
    "against": {"facecolor": "#F79767", "edgecolor": "#F36924"},
    "score": {"facecolor": "#57C7E3", "edgecolor": "#23B3D7"},
}


@dataclass(frozen=True, slots=True)
class Png:
    """Shown as a picture by notebooks."""

    content: bytes = field(repr=False)

    def _repr_png_(self) -> bytes:
        return self.content


def waterfall_picture(pair: PairOut) -> Png:
    """How the parts of what is thought of a pair add up to its score, one a row, from the prior down."""
    figure, axes = _figure(len(pair.parts) + 1)
    total, labels = 0.0, list[str]()
    for number, part in enumerate(pair.parts):
        kind = "for" if part.weight >= 0 else "against"
        axes.broken_barh([(total, part.weight)], (number - 0.35, 0.7), **_SIDES[kind])
        total += part.weight
        labels.append(f"{part.part}: {part.level}" if part.level else part.part)
    axes.broken_barh([(0, total)], (len(labels) - 0.35, 0.7), **_SIDES["score"])
    axes.set_yticks(range(len(labels) + 1), [*labels, "score"])
    axes.invert_yaxis()
    axes.axvline(0, color="#999999", linewidth=0.8)
    axes.set_xlabel("bits")
    axes.set_title(f"{pair.first.name} / {pair.second.name}: {pair.verdict}", loc="left")
    return _png(figure)


def calibration_picture(judged: Iterable[tuple[float, bool]], *, bins: int = 10) -> Png:
    """Of pairs, each with the probability given and whether it is one: how often those of like probability are."""
    found: dict[int, list[tuple[float, bool]]] = {}
    for probability, same in judged:
        found.setdefault(min(int(probability * bins), bins - 1), []).append((probability, same))
    figure, axes = _figure(12)
    axes.plot([0, 1], [0, 1], color="#999999", linewidth=0.8)
    for some in found.values():
        given, seen = (sum(column) / len(some) for column in zip(*some, strict=True))
        axes.scatter([given], [seen], s=20 + 2 * len(some), color="#57C7E3", edgecolor="#23B3D7")
        axes.annotate(str(len(some)), (given, seen), xytext=(8, -3), textcoords="offset points")
    axes.set_xlabel("probability given")
    axes.set_ylabel("of these are one")
    axes.set_title("Calibration; numbers are pairs", loc="left")
    return _png(figure)


def timeline_picture(
    believed: Sequence[BeliefOut],
    no_longer: Sequence[BeliefOut],
    since: date | str,
    until: date | str,
    title: str = "",
) -> Png:
    """Beliefs by the time at which they are true, one a row; grey and hatched those that are no longer believed.

    Pale is what rests on open claims, or was planned or wished only. What happened once is a dot, where it happened;
    other beliefs are bars. What starts before ``since`` or is not known to start reaches to the left edge, what is open
    to the right one.

    Raises:
        InvalidInput: ``since`` or ``until`` is no instant, or has no offset.
    """
    begin, end = instant_of(since), instant_of(until)
    rows = [*((belief, _style(belief)) for belief in believed), *((belief, _NO_LONGER) for belief in no_longer)]
    figure, axes = _figure(len(rows))
    for number, (belief, kind) in enumerate(rows):
        left, right = _span(belief, begin, end)
        if belief.event is None:
            axes.broken_barh([(left, right - left)], (number - 0.35, 0.7), label=kind, **_STYLES[kind])
        else:
            axes.scatter([(left + right) / 2], [number], s=70, zorder=3, label=kind, **_STYLES[kind])
    axes.set_yticks(range(len(rows)), [belief.statement.removesuffix(".") for belief, _ in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlim(_number(begin), _number(end))
    _show_days(axes)
    axes.set_title(title, loc="left")
    _show_kinds(figure, list(dict.fromkeys(kind for _, kind in rows)))
    return _png(figure)


def _style(belief: BeliefOut) -> str:
    plain = not belief.open and belief.status is ClaimStatus.ASSERTED
    return "believed" if plain else "open, planned or wished"


def _show_days(axes: "Axes") -> None:
    from matplotlib import dates

    locator = dates.AutoDateLocator(tz=UTC)
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(dates.ConciseDateFormatter(locator, tz=UTC))
    axes.grid(axis="x", alpha=0.3)


def _show_kinds(figure: "Figure", kinds: Sequence[str]) -> None:
    """What colours mean: the same for bars and dots."""
    from matplotlib.patches import Patch

    patches = [Patch(label=kind, **_STYLES[kind]) for kind in kinds]
    figure.legend(handles=patches, loc="outside lower right", ncols=len(patches) or 1, frameon=False)


def growth_picture(stats: Mapping[datetime, MemoryStatsOut], title: str = "") -> Png:
    """How much was remembered at each instant, by layer: answers of ``GET memory/stats``."""
    figure, axes = _figure(10)
    for layer in ("episodes", "relationships", "facts", "open"):
        counts = [found.layers.model_dump()[layer] for found in stats.values()]
        axes.plot(range(len(counts)), counts, marker="o", label=layer)
    axes.set_xticks(range(len(stats)), [f"{instant:%b}" for instant in stats])
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    axes.set_title(title, loc="left")
    axes.legend(frameon=False)
    return _png(figure)


def topics_picture(held: Mapping[datetime, Sequence[BeliefOut]], title: str = "") -> Png:
    """How many beliefs held at each instant, by predicate: those of which most held come first."""
    counts = [Counter(belief.predicate for belief in beliefs) for beliefs in held.values()]
    all_of_them = sum(counts, Counter[str]())
    predicates = sorted(all_of_them, key=lambda predicate: (-all_of_them[predicate], predicate))
    figure, axes = _figure(len(predicates))
    shown = [[found[predicate] for found in counts] for predicate in predicates]
    image = axes.imshow(shown, aspect="auto", cmap="Blues", vmin=0)
    axes.set_yticks(range(len(predicates)), predicates)
    axes.set_xticks(range(len(counts)), [f"{instant:%b}" for instant in held])
    axes.set_title(title, loc="left")
    figure.colorbar(image, ax=axes, label="beliefs")
    return _png(figure)


def answers_picture(answers: Mapping[tuple[datetime, datetime], str], title: str = "") -> Png:
    """What one question was answered as of two times: one column a ``known_at``, one row a ``valid_at``.

    The keys are (``known_at``, ``valid_at``); one colour an answer, white where there was none ("").
    """
    from matplotlib import colormaps
    from matplotlib.patches import Patch

    columns, rows = (sorted(set(times)) for times in zip(*answers, strict=True))
    known = sorted({answer for answer in answers.values() if answer})
    ten = colormaps["tab10"]
    colours = {answer: ten(place % 10) for place, answer in enumerate(known)} | {"": (1.0, 1.0, 1.0, 1.0)}
    figure, axes = _figure(len(rows) + 2)
    axes.imshow([[colours[answers.get((column, row), "")] for column in columns] for row in rows], aspect="auto")
    axes.set_xticks(range(len(columns)), [f"{instant:%b}" for instant in columns])
    axes.set_yticks(range(len(rows)), [f"{instant:%b}" for instant in rows])
    axes.set_xlabel("known at the end of")
    axes.set_ylabel("true at the end of")
    axes.set_title(title, loc="left")
    patches = [Patch(color=colours[answer], label=answer) for answer in known]
    figure.legend(handles=patches, loc="outside lower right", ncols=len(known) or 1, frameon=False)
    return _png(figure)


def strength_picture(facts: Iterable[FactOut], *, days: int = 730, title: str = "") -> Png:
    """How facts fade that nobody uses, by day from when each was recorded; one curve for those that fade alike."""
    together: dict[tuple[float, float], list[str]] = {}
    for fact in facts:
        rate = FADING.rate(fact.category or "", protected=fact.protected)
        together.setdefault((rate, fact.confidence), []).append(fact.category or "")
    figure, axes = _figure(12)
    for (rate, confidence), categories in sorted(together.items()):
        strengths = [strength(confidence, rate, _EPOCH, _EPOCH + timedelta(days=day)) for day in range(days)]
        axes.plot(strengths, label=", ".join(sorted(set(categories))))
    axes.axhline(FADING.least_strength, color="#999999", linewidth=0.8)
    axes.annotate("below it, a fact comes up no more", (days // 2, FADING.least_strength), ha="center", va="bottom")
    axes.set_xlabel("days without use")
    axes.set_ylabel("strength")
    axes.set_title(title, loc="left")
    axes.legend(frameon=False)
    return _png(figure)


def _figure(rows: int) -> tuple["Figure", "Axes"]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 1 + 0.32 * rows), dpi=110, layout="constrained")
    return figure, figure.subplots()


def _png(figure: "Figure") -> Png:
    """The picture. Words in it are others': what stands between dollar signs is no formula."""
    import matplotlib as mpl
    from matplotlib.text import Text

    content = BytesIO()
    for text in figure.findobj(Text):
        text.set_parse_math(False)
    with mpl.rc_context({"text.parse_math": False}):  # of labels that are made while it is drawn
        figure.savefig(content, format="png")
    return Png(content.getvalue())


def _span(belief: BeliefOut, since: datetime, until: datetime) -> tuple[float, float]:
    """Where its bar begins and ends, or between which times it happened."""
    begins, ends = belief.valid_from or since, belief.valid_to or until
    if belief.event is not None:
        begins, ends = belief.event.from_, belief.event.to
    return _number(min(max(begins, since), until)), _number(max(min(ends, until), since))


def _number(instant: datetime) -> float:
    """Days since 1970, as matplotlib counts them."""
    return (instant - _EPOCH) / timedelta(days=1)
