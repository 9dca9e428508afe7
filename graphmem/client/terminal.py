"""Answers of the service as tables for a terminal."""

from collections.abc import Iterable, Mapping
from typing import Any

from rich.table import Table

Json = Mapping[str, Any]


def beliefs_table(beliefs: Iterable[Json], title: str) -> Table:
    """One belief a row: what, from when to when, and the first sentence that says so."""
    table = _table(title, "belief", "from", "to", "said", "in these words")
    for belief in beliefs:
        table.add_row(*_belief(belief))
    return table


def hits_table(hits: Iterable[Json], title: str) -> Table:
    """One hit a row, best first; an episode is its own evidence."""
    table = _table(title, "score", "found", "from", "to", "said", "in these words")
    for hit in hits:
        row = _belief(hit["belief"]) if hit["belief"] else _episode(hit["episode"])
        table.add_row(f"{hit['score']:.4f}", *row)
    return table


def versions_table(versions: Iterable[Json], title: str) -> Table:
    """One version of a belief a row: what, when it was true, when it was believed, and in which words."""
    table = _table(title, "belief", "from", "to", "believed from", "until", "in these words")
    for version in versions:
        what, since, to, _, words = _belief(version)
        believed = (day(version["recorded_at"], ""), day(version["superseded_at"], "…"))
        table.add_row(what, since, to, *believed, words)
    return table


def diff_table(diff: Json, title: str) -> Table:
    """One difference a row; of what changed, as it was and as it is."""
    table = _table(title, "", "belief", "from", "to", "said", "in these words")
    for kind in ("began", "ended"):
        for belief in diff[kind]:
            table.add_row(kind, *_belief(belief))
    for change in diff["changed"]:
        table.add_row("was", *_belief(change["before"]))
        table.add_row("is", *_belief(change["after"]))
    return table


def day(instant: str | None, otherwise: str) -> str:
    """An instant as its day, and its time where that is not midnight."""
    if instant is None:
        return otherwise
    date, _, time = instant.partition("T")
    return date if time.startswith("00:00:00") else f"{date} {time[:5]}"


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left")
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _belief(belief: Json) -> tuple[str, str, str, str, str]:
    first = next(iter(belief["evidence"]), None)
    return (
        belief["statement"] + (" (contested)" if belief["contested"] else ""),
        day(belief["valid_from"], "?"),
        day(belief["valid_to"], "…"),
        day(first["said_at"], "") if first else "",
        f"“{first['quote']}”" if first else "",
    )


def _episode(episode: Json) -> tuple[str, str, str, str, str]:
    speaker = episode["speaker"] or episode["role"]
    return (f"{speaker} said", "", "", day(episode["occurred_at"], ""), f"“{episode['content']}”")
