"""Reads what a query returns into rows. What cannot be read is left out and named, and spoils nothing else.

A row is read whole, or, where a list within it has the damage, without that entry. Two kinds of fault differ: a column
too many or too few is a malformed query, an error of ours; a value that is not what its model says is damage: somebody
changed the graph from outside.
"""

import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Generic, TypeVar, cast

import structlog
from pydantic import ValidationError

from graphmem.errors import QueryDefinitionError, Unreadable
from graphmem.model.damage import Damage, note
from graphmem.store.queries import Query
from graphmem.store.rows import validator_of

Row = TypeVar("Row")
Path = tuple[str | int, ...]

_COLUMNS = frozenset({"missing", "extra_forbidden", "unexpected_keyword_argument"})
"""Kinds of errors that only a query makes, for Cypher's maps have every key that is written in it."""
_SANE = re.compile(r"[\w.:/@ -]{1,200}", re.ASCII)
_LONGEST_ID = 200
_KINDS = ("relationship", "fact")
_IDS = ("id", "claim_id", "belief_id", "entity_id")
_THINGS: Mapping[str, str] = {
    "belief": "Belief",
    "bounds": "Belief",
    "held": "Belief",
    "claim": "Claim",
    "claims": "Claim",
    "evidence": "Claim",
    "entity": "Entity",
    "entities": "Entity",
    "known": "Name",
    "episode": "Episode",
    "episodes": "Episode",
    "judgement": "Judgement",
    "judgements": "Judgement",
    "merge": "SAME_AS",
    "merges": "SAME_AS",
    "same_as": "SAME_AS",
    "policies": "Predicate",
    "predicate": "Predicate",
    "reflection": "Reflection",
    "session": "Session",
    "summary": "Summary",
    "turns": "Episode",
    "undated_episodes": "Episode",
    "undated_reflections": "Reflection",
    "undated_summaries": "Summary",
    "work": "Work",
}
"""What is called what by the columns that hold it."""
_LOGGED = 10
"""Damaged things of one answer that the log names; it counts all."""
_LIMITS = ("limit", "chars")
"""Parameters that end a page."""

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Damaged:
    """Damage, and where: the number of the row, and the place within it."""

    row: int
    path: Path
    damage: Damage


@dataclass(frozen=True, slots=True)
class Reading(Generic[Row]):
    """Rows that could be read, each with its number among those returned; and what could not."""

    rows: Sequence[tuple[int, Row]]
    damaged: Sequence[Damaged]
    returned: int

    @property
    def damage(self) -> list[Damage]:
        return [spot.damage for spot in self.damaged]

    @property
    def readable(self) -> list[Row]:
        return [row for _, row in self.rows]

    @property
    def cut(self) -> int:
        """How many rows, or entries of a list of a row, are missing from a page."""
        return sum(len(spot.path) in (0, 2) for spot in self.damaged)

    def whole(self) -> list[Row]:
        """The rows, if all could be read.

        Raises:
            Unreadable: one could not.
        """
        if self.damaged:
            raise Unreadable(str(self.damaged[0].damage))
        return self.readable


Ask = Callable[[Mapping[str, object]], Awaitable[Reading[Row]]]
"""Runs a query with these parameters."""


def read(query: Query, row: type[Row], records: Sequence[Mapping[str, object]]) -> Reading[Row]:
    """What a query returned.

    Raises:
        QueryDefinitionError: the columns are not those of the model, or the number of rows is not as declared.
    """
    given = _given(query, records)
    with suppress(ValidationError):
        whole: list[Row] = validator_of(row).validate_python(given)
        return Reading(list(enumerate(whole)), (), len(given))
    rows = list[tuple[int, Row]]()
    damaged = list[Damaged]()
    for number, record in enumerate(given):
        rest, lost = _without_damage(query, row, record)
        damaged += [Damaged(number, path, damage) for path, damage in lost]
        if rest is not None:
            rows.append((number, rest))
    return Reading(rows, damaged, len(given))


def _given(query: Query, records: Sequence[Mapping[str, object]]) -> Sequence[Mapping[str, object]]:
    count = len(records)
    if query.returns == "list":
        if count != 1 or list(records[0]) != ["rows"]:
            raise QueryDefinitionError(
                f"{query.source}: {query.name} returned no list: it must end in one record, rows."
            )
        return cast("Sequence[Mapping[str, object]]", records[0]["rows"])
    if (query.returns == "one" and count != 1) or (query.returns == "optional" and count > 1):
        raise QueryDefinitionError(f"{query.source}: {query.name} returned {count} rows, not {query.returns}.")
    return records


def _without_damage(
    query: Query, row: type[Row], record: Mapping[str, object]
) -> tuple[Row | None, list[tuple[Path, Damage]]]:
    """A row without the entries of its lists that cannot be read, which are named; None if it is none without them."""
    lost = list[tuple[Path, Damage]]()
    given: object = record
    while True:
        try:
            return validator_of(row).validate_python([given])[0], lost
        except ValidationError as error:
            listed = error.errors(include_url=False, include_context=False, include_input=False)
        problems = [(problem["type"], problem["loc"][1:], problem["msg"]) for problem in listed]
        _refuse_columns(query, row, given, problems)
        fresh = {_entry(given, loc): (loc, why) for _, loc, why in reversed(problems)}
        lost += [(path, _damage(query, given, loc, why)) for path, (loc, why) in reversed(fresh.items())]
        if () in fresh:
            return None, [(path, damage) for path, damage in lost if not path]
        given = _without(given, fresh)


def _refuse_columns(query: Query, row: type, given: object, problems: Iterable[tuple[str, Path, str]]) -> None:
    """Of what is missing or too much, what Cypher wrote; what JSON lacks is damage."""
    wrong = [
        f"{'.'.join(map(str, loc))}: {why}"
        for kind, loc, why in problems
        if kind in _COLUMNS and any(path == loc[:-1] and isinstance(part, Mapping) for path, part in _steps(given, loc))
    ]
    if wrong:
        raise QueryDefinitionError(f"{query.source}: {query.name} returns no {row.__name__}: {'; '.join(wrong)}.")


def _steps(given: object, loc: Iterable[str | int]) -> Iterable[tuple[Path, object]]:
    """The places within a record that lead to an error, from the record itself inwards, with what stands there."""
    path: Path = ()
    yield path, given
    for step in loc:
        if isinstance(given, Mapping) and step in given:
            given = cast("Mapping[str, object]", given)[cast("str", step)]
        elif isinstance(given, list | tuple) and isinstance(step, int) and step < len(cast("Sequence[object]", given)):
            given = cast("Sequence[object]", given)[step]
        else:
            return
        path = (*path, step)
        yield path, given


def _entry(given: object, loc: Iterable[str | int]) -> Path:
    """The innermost entry of a list that is a map and has an error; () where it is the whole row."""
    steps = _steps(given, loc)
    entries = [path for path, part in steps if path and isinstance(path[-1], int) and isinstance(part, Mapping)]
    return entries[-1] if entries else ()


def _damage(query: Query, given: object, loc: Sequence[str | int], why: str) -> Damage:
    """Which thing is damaged: the innermost map with an id, or that has the property."""
    maps = [
        (path, cast("Mapping[str, object]", part)) for path, part in _steps(given, loc) if isinstance(part, Mapping)
    ]
    innermost, _ = maps[-1]
    path, damaged = next((entry for entry in reversed(maps) if _id_of(entry[1])), maps[-1])
    properties = [str(step) for step in loc[len(innermost) : len(innermost) + 1]]
    kind = next(
        (part["kind"] for at, part in reversed(maps) if len(at) <= len(path) and part.get("kind") in _KINDS), None
    )
    thing = str(kind).capitalize() if kind else _thing(query, path)
    name = damaged.get("name") if thing == _THINGS["policies"] else None
    return Damage(
        thing=thing,
        id=_shown(name if isinstance(name, str) else _id_of(damaged)),
        property=properties[0] if properties else "",
        why=why.removeprefix("Value error, ").rstrip("."),
    )


def _shown(id_: str) -> str:
    """An id as sentences and headers may have it, whatever somebody made of it."""
    return id_ if not id_ or _SANE.fullmatch(id_) else ascii(id_)[:_LONGEST_ID]


def _id_of(thing: Mapping[str, object]) -> str:
    ids = (thing.get(name) for name in _IDS)
    return next((id_ for id_ in ids if isinstance(id_, str) and id_), "")


def _thing(query: Query, path: Path) -> str:
    names = [step for step in path if isinstance(step, str) and step in _THINGS]
    return _THINGS[names[-1]] if names else query.source.partition(".")[0].replace("_", " ").capitalize()


def _without(given: object, paths: Iterable[Path]) -> object:
    """What was given without the entries of its lists at these paths."""
    at = set(paths)

    def pruned(value: object, path: Path) -> object:
        if not any(entry[: len(path)] == path for entry in at):
            return value
        if isinstance(value, Mapping):
            items = cast("Mapping[str, object]", value).items()
            return {key: pruned(part, (*path, key)) for key, part in items}
        if isinstance(value, list | tuple):
            parts = enumerate(cast("Sequence[object]", value))
            return [pruned(part, (*path, place)) for place, part in parts if (*path, place) not in at]
        return value

    return pruned(given, ())


async def past_damage(query: Query, params: Mapping[str, object], ask: Ask[Row]) -> Reading[Row]:
    """What a query finds; where damage is left out of a page, so many more are asked for that the page is full.

    So no page ends early, and none is empty while there is more.
    """
    given = dict(params)
    reading, lacking = await ask(given), 0
    while reading.cut > lacking and query.mode == "read" and isinstance(given.get("limit"), int):
        lacking = reading.cut
        given |= {name: _more(name, params[name], lacking) for name in _LIMITS if name in params}
        reading = await ask(given)
    return reading


def _more(name: str, value: object, lacking: int) -> object:
    """Twice as many as are lacking, or characters for as many: where there is damage, there is more."""
    if not isinstance(value, int):
        return value
    return value + 2 * lacking if name == "limit" else value * (1 + lacking)


def rows_noting_damage(query: Query, reading: Reading[Row], unreadable: Counter[tuple[str, str]]) -> list[Row]:
    """The rows of a reading, whose damage is noted, logged and counted.

    Raises:
        Unreadable: the one thing that was asked for cannot be read.
    """
    if reading.damaged:
        unreadable.update((query.name, damage.thing) for damage in reading.damage)
        for damage in reading.damage[:_LOGGED]:
            log.warning("row.unreadable", query=query.name, **asdict(damage))
        log.warning("rows.unreadable", query=query.name, count=len(reading.damaged))
        note(reading.damage)
        if not reading.rows and query.returns in ("one", "optional"):
            raise Unreadable(str(reading.damage[0]))
    return reading.readable
