"""Answers as tables of HTML."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import groupby

from graphmem.answers.beliefs import BeliefOut
from graphmem.answers.entities import PairOut
from graphmem.answers.episodes import EpisodeOut
from graphmem.answers.summaries import SummaryOut, SummarySpan
from graphmem.model.interval import day_text

_COLUMNS = ("belief", "from", "to", "said", "in these words")


@dataclass(frozen=True, slots=True)
class Html:
    """Shown as HTML by notebooks."""

    text: str = field(repr=False)

    def _repr_html_(self) -> str:
        return self.text


def beliefs_html(beliefs: Iterable[BeliefOut], title: str = "") -> Html:
    """One belief a row: what, from when to when, and the first sentence that says so."""
    return _table(_COLUMNS, map(_cells, beliefs), title)


def pairs_html(pairs: Iterable[PairOut], title: str = "") -> Html:
    """One pair of entities a row: what is thought of the two, how sure, and by what."""
    columns = ("one", "another", "verdict", "decided by", "score in bits", "probability")
    return _table(columns, map(_pair_cells, pairs), title)


def summary_html(summary: SummaryOut, episodes: Iterable[EpisodeOut]) -> Html:
    """A summary beside the turns that it covers: each sentence in a colour that its words have in the turns."""
    marks = [(each.text, each.spans, f"hsl({47 * n % 360} 70% 85%)") for n, each in enumerate(summary.sentences)]
    turns = "".join(f"<p style='margin: 2px'>{_marked(episode, marks)}</p>" for episode in episodes)
    sentences = "".join(f"<p style='margin: 2px; background: {colour}'>{escape(text)}</p>" for text, _, colour in marks)
    cell = "style='text-align: left; vertical-align: top; width: 50%'"
    row = f"<tr><td {cell}>{sentences}</td><td {cell}>{turns}</td></tr>"
    return Html(f"<table style='color: #222; background: #fff'>{row}</table>")


def _marked(episode: EpisodeOut, marks: Iterable[tuple[str, Sequence[SummarySpan], str]]) -> str:
    """The words of a turn; of two sentences that have a character, the first marks it."""
    content, colours = episode.content, dict[int, str]()
    for _, spans, colour in marks:
        for span in spans:
            if span.episode_id == episode.id:
                colours |= {at: colour for at in range(span.start, span.end) if at not in colours}
    runs = groupby(range(len(content)), key=lambda at: colours.get(at, ""))
    words = ((colour, escape("".join(content[at] for at in places))) for colour, places in runs)
    marked = "".join(f"<span style='background: {colour}'>{text}</span>" if colour else text for colour, text in words)
    return f"<b>{escape(episode.speaker or episode.role)}:</b> {marked}"


def _table(columns: Iterable[str], rows: Iterable[Iterable[str]], title: str) -> Html:
    caption = f"<caption style='text-align: left; font-weight: bold'>{escape(title)}</caption>" if title else ""
    return Html(f"<table>{caption}{_row('th', columns)}{''.join(_row('td', cells) for cells in rows)}</table>")


def _pair_cells(pair: PairOut) -> tuple[str, ...]:
    names = (pair.first.name, pair.second.name)
    return (*names, pair.verdict, pair.method, f"{pair.score:.1f}", f"{pair.probability:.3f}")


def _row(tag: str, cells: Iterable[str]) -> str:
    return "<tr>" + "".join(f"<{tag} style='text-align: left'>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"


def _cells(belief: BeliefOut) -> tuple[str, ...]:
    first = next(iter(belief.evidence), None)
    quote = f"“{first.quote}”" if first and not first.redacted else "(redacted)"
    evidence = (day_text(first.said_at, ""), quote) if first else ("", "")
    return (belief.statement, day_text(belief.valid_from, "?"), day_text(belief.valid_to, "…"), *evidence)
