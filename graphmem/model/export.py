"""A group as lines of a file: what each kind of line has, and what a row was as known at one instant.

A line is JSON. The first is the header, the last the end; between them, each line has the properties of one thing as
they are stored, and names only things of lines before it. After each page comes a position, from which an export that
broke off goes on, with the hash of all pages so far. What follows from the group's name, such as words of indexes, is
not in the file, nor is who works on something just now.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast

from graphmem.model.interval import END, MICROSECOND

SCHEMA = 1
"""Of which form files are; another one is refused."""
HEADER, POSITION, END_LINE = "header", "position", "end"
KINDS = (
    *("predicate", "session", "entity", "name", "judgement", "share", "episode", "passage", "mention", "claim"),
    *("merge", "belief", "summary", "entity_summary", "reflection", "covers"),
)
"""Kinds of lines. A thing names only things of kinds before its own."""
TEXTS = frozenset({"summary", "entity_summary", "reflection"})
DAMAGED = "damaged"
"""A line in place of one that could not be read; it names the thing."""

Properties = dict[str, Any]

INSTANTS = frozenset(
    {
        *("recorded_at", "superseded_at", "retracted_at", "valid_from", "valid_to", "said_at", "event_to"),
        *("occurred_at", "digested_at", "opened_at", "closed_at", "closes_at", "openings", "closings"),
        *(
            "summarised_until",
            "summarised_at",
            "summarise_due",
            "consolidate_due",
            "withdrawn_at",
            "first_seen",
            "newest_stamp",
        ),
        *("summary_due", "summary_since", "overtaken_due", "overtaken_since", "fades_at", "anchored_at"),
        *("last_accessed", "rejected_before", "dropped_before", "first_at", "last_at", "stale_at", "asked_at"),
        *("since_at", "until_at", "was_stale", "names_at", "types_said_at", "types_at", "protected_at", "acts_at"),
        *("ontology_changed_at", "dates_changed_at", "settled_until", "promised_until", "access_changed_at"),
        *("erased_at", "redacted_at", "replaced_at", "reflected_at", "index_due"),
    }
)
"""Properties that are instants, or lists of them."""
HELD: Mapping[str, tuple[str, ...]] = {
    "session": ("closes_at", "summarise_due", "consolidate_due"),
    "entity": ("index_due", "summary_due", "overtaken_due"),
    **dict.fromkeys(TEXTS, ("stale_at",)),
}
"""What workers look for: they find it once all of a group is there."""
EMBEDDING = "embedding"
"""The property that is a vector."""
_DERIVED = ("group_id", "group_token", "audience_token", EMBEDDING, "held")
_OF_EPISODE = ("audience", "session_token", "speaker", "occurred_at", "replaced_at")
_LEFT_OUT: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(KINDS, _DERIVED),
    "session": (*_DERIVED, "lock_asked_at", "attempts"),
    "entity": (
        *(*_DERIVED, "name_embedding", "embedded_name", "terms", "embed_due", "index_due", "match_due", "locked"),
        "locked_at",
    ),
    "name": (*_DERIVED, "match_due"),
    "episode": (
        *(*_DERIVED, "session_token", "session_id", "own_session_id", "request", "call_id", "lease", "leases", "kind"),
        *("lease_asked_at", "due_at", "lane", "cursor", "began_at", "embed_due", "embedding_model"),
    ),
    "passage": (*_DERIVED, *_OF_EPISODE),
    "belief": (*_DERIVED, "embed_due"),
    HEADER: (
        *(
            "id",
            "locked",
            "restoring",
            "restore_lease",
            "restored_file",
            "restored_hash",
            "restored_lines",
            "restored_texts",
            "waking",
            "importing",
            "reflect_asked_at",
            "forgetting_since",
        ),
        *("embedding_model", "dimensions", "name", "archived_at"),
    ),
}
"""Properties that are in no file, by kind: they follow from others, or tell of work under way."""
OF_OTHERS = frozenset(
    {"name", "names", "names_at", "types", "types_by", "types_said_at", "types_at", "type", "first_seen"}
    | {"match_keys", "newest_stamp", "summary_due", "summary_since", "overtaken_due", "overtaken_since"}
)
"""What an entity's node has of all users: in a file for one user it is what that user heard."""
GROUP_WIDE = frozenset({"refined_weights"})
"""Settings that were learnt of all users."""


def left_out(*kinds: str, vectors: bool = False) -> list[str]:
    """The names of properties of some kinds that are in no file; ``vectors`` are, where they are asked for."""
    names = {name for kind in kinds for name in _LEFT_OUT[kind]}
    return sorted(names - {EMBEDDING} if vectors else names)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportHeader:
    """What a file is of: the group, or what one ``user`` may see of it, as known at an instant.

    ``group`` is the name that it was made under, ``name`` what it is called.
    """

    group: str
    name: str
    user: str | None
    known_at: datetime
    embedding_model: str
    dimensions: int
    vectors: bool
    settings: Mapping[str, Any]
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class BeliefDifference:
    """A version that is ``only_in`` a ``file``, whose claims do not amount to it; or a belief of a ``projection``."""

    only_in: str
    belief_id: str
    subject_id: str
    predicate: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreReport:
    """What came of an import. ``differences`` are the first of so many.

    ``forgotten`` are the ids of the first of so many episodes of the file that were forgotten here, or whose user opted
    out: they stayed out, with all that rests on them.
    """

    group: str
    known_at: datetime
    counts: Mapping[str, int]
    embedded: int
    differences_total: int
    differences: tuple[BeliefDifference, ...]
    forgotten_total: int
    forgotten: tuple[str, ...]


class DamagedRow(ValueError):
    """A property of a stored thing is not what it should be."""


def as_known(kind: str, properties: Properties, at: datetime) -> Properties | None:
    """A row as it was known then; None where it was not.

    Raises:
        DamagedRow: a property is not what it should be.
    """
    try:
        for name in INSTANTS & properties.keys():
            _check_instants(properties[name])
        clip = _CLIPS.get(kind)
        return properties if clip is None else clip(properties, at)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise DamagedRow(type(error).__name__) from None


def instant_of(text: str) -> datetime:
    """An instant of a line, in UTC.

    Raises:
        ValueError: it is none.
    """
    instant = datetime.fromisoformat(text.partition("[")[0])
    if instant.utcoffset() is None:
        raise ValueError("no offset")
    return instant.astimezone(UTC)


def sealed(before: str, page: bytes) -> str:
    """The hash of the lines of a page, and of all pages before it by theirs."""
    return hashlib.sha256(before.encode() + page).hexdigest()


def text_of(instant: datetime) -> str:
    """An instant as lines have it."""
    return instant.isoformat().replace("+00:00", "Z")


_END = text_of(END)


def _check_instants(value: object) -> None:
    for text in cast("list[str]", value) if isinstance(value, list) else [cast("str", value)]:
        instant_of(text)


def _after(row: Properties, name: str, at: datetime) -> bool:
    return instant_of(row[name]) > at


def _version(row: Properties, at: datetime) -> Properties | None:
    """Of what is recorded and superseded."""
    if _after(row, "recorded_at", at):
        return None
    return row | {"superseded_at": _END} if _after(row, "superseded_at", at) else row


def _mention(row: Properties, at: datetime) -> Properties | None:
    if _after(row, "recorded_at", at):
        return None
    return row if "superseded_at" not in row or not _after(row, "superseded_at", at) else _without(row, "superseded_at")


def _claim(row: Properties, at: datetime) -> Properties | None:
    if _after(row, "recorded_at", at):
        return None
    if not _after(row, "retracted_at", at):
        return row
    return _without(row, "replaced") | {"retracted_at": _END}


def _recorded(row: Properties, at: datetime) -> Properties | None:
    return None if _after(row, "recorded_at", at) else row


def _episode(row: Properties, at: datetime) -> Properties | None:
    """One that was digested later is still to be read, unless its words are gone by now; so is one replaced later."""
    if _after(row, "recorded_at", at):
        return None
    if "replaced_at" in row and _after(row, "replaced_at", at):
        row = _without(row, "replaced_at", "replaced_by")
        if row["status"] == "replaced":
            row |= {"status": "digested" if "digested_at" in row else "pending"}
    if "redacted_at" in row or "digested_at" not in row or not _after(row, "digested_at", at):
        return row
    read = ("digested_at", "outcome", "low_yield", "context_turns", "error", "reprocessing")
    return _without(row, *read, "passages", "not_embeddable") | {"status": "pending", "attempts": 0}


def _session(row: Properties, at: datetime) -> Properties | None:
    """As ``session.as_known`` has it: later openings and closings are not known."""
    openings = _until(row["openings"], at)
    if not openings:
        return None
    closings = _until(row["closings"], at)[: len(openings)]
    if (len(openings), len(closings)) == (len(row["openings"]), len(row["closings"])):
        return row
    known = row | {"openings": openings, "closings": closings, "closers": row["closers"][: len(closings)]}
    if len(closings) == len(openings):
        ended = {"closed_at": closings[-1], "closed_by": known["closers"][-1]}
        return _without(known, "closes_at") | ended
    return _without(known, "closed_at", "closed_by") | {"closes_at": row["closings"][len(closings)]}


def _entity(row: Properties, at: datetime) -> Properties | None:
    if _after(row, "recorded_at", at):
        return None
    known = row | _heard(row, at, ("names", "names_at")) | _heard(row, at, _TYPES)
    if "newest_stamp" in row and _after(row, "newest_stamp", at):
        known["newest_stamp"] = text_of(at)
    if protected_at := row.get("protected_at"):
        known["protected_at"] = _until(protected_at, at)
        known["protected"] = len(known["protected_at"]) % 2 == 1
    return known


_TYPES = ("types", "types_by", "types_said_at", "types_at")


def _name(row: Properties, at: datetime) -> Properties | None:
    known = row | _heard(row, at, ("names", "said_at", "names_at")) | _heard(row, at, _TYPES)
    return known if known["names"] else None


def _text(row: Properties, at: datetime) -> Properties | None:
    """A summary or reflection. When it was stale, and not any more, stands in turn in ``was_stale``."""
    known = _version(row, at)
    if known is None:
        return None
    stale = _until([*row.get("was_stale", ()), *([row["stale_at"]] if "stale_at" in row else [])], at)
    known = _without(known, "stale_at", "was_stale")
    was_stale = stale[: len(stale) // 2 * 2]
    now = {"stale_at": stale[-1]} if len(stale) % 2 else {}
    return known | now | ({"was_stale": was_stale} if was_stale else {})


_CLIPS: Mapping[str, Callable[[Properties, datetime], Properties | None]] = {
    **dict.fromkeys(("predicate", "merge", "belief"), _version),
    "session": _session,
    "entity": _entity,
    "name": _name,
    "judgement": _recorded,
    "episode": _episode,
    "mention": _mention,
    "claim": _claim,
    **dict.fromkeys(TEXTS, _text),
}


def _heard(row: Properties, at: datetime, names: Sequence[str]) -> Properties:
    """Lists that have one place for each change, as they were: the last of them says when each was."""
    known = [place for place, text in enumerate(row[names[-1]]) if instant_of(text) <= at]
    return {name: [row[name][place] for place in known] for name in names}


def _until(instants: Iterable[str], at: datetime) -> list[str]:
    return [text for text in instants if instant_of(text) <= at]


def _without(row: Properties, *names: str) -> Properties:
    return {name: value for name, value in row.items() if name not in names}


def for_user(row: Properties, heard: Sequence[Sequence[str]], told: Sequence[Sequence[Any]]) -> Properties:
    """An entity under the names and types of which one user has heard, each with when; last the one that stands."""
    known = {name: value for name, value in row.items() if name not in OF_OTHERS}
    name = known["qualifier"].partition(":")[2] if known["qualifier"].startswith("user:") else heard[-1][0]
    return known | {
        "name": name,
        "names": [entry[0] for entry in heard],
        "names_at": [entry[1] for entry in heard],
        "first_seen": min((entry[2] for entry in heard), key=instant_of),
        "types": [entry[0] for entry in told],
        "types_by": [entry[1] for entry in told],
        "types_said_at": [entry[2] for entry in told],
        "types_at": [entry[3] for entry in told],
        "type": told[-1][0] if told else "",
        "newest_stamp": max((entry[1] for entry in heard), key=instant_of),
    }


def settled_settings(settings: Mapping[str, Any], known_at: datetime, *, erased: bool) -> Properties:
    """The settings of a group that came from a file: nothing is recorded in it at or before ``known_at`` any more.

    ``erased``: something of the file was, which is later than the file says of others.
    """
    anew = ("settled_until", "promised_until", *(["erased_at"] if erased else []))
    kept = {name: value for name, value in settings.items() if name not in anew}
    until = text_of(known_at + MICROSECOND)
    return kept | {"importing": False, "imported": True, "settled_until": until, "promised_until": text_of(known_at)}
