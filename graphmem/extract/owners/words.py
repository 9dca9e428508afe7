"""The table of words that tell owners apart: ``words.toml``."""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

_PACKAGE = "graphmem.extract.owners"


class Reach(StrEnum):
    """How far a frame goes: ``telling`` until somebody says “I”, the others as their names say."""

    REST = "rest"
    PARAGRAPH = "paragraph"
    SENTENCE = "sentence"
    TELLING = "telling"


@dataclass(frozen=True, slots=True)
class Frame:
    """Words that say that nobody claims what follows; ``begins`` at the beginning of a sentence unless ``anywhere``.

    ``starts``: nobody claims the words themselves either.
    """

    form: str
    reach: Reach
    begins: re.Pattern[str]
    anywhere: bool
    starts: bool


@dataclass(frozen=True, slots=True)
class Genre:
    """A paragraph in which at least so many different cues stand is of this form."""

    form: str
    least: int
    cues: re.Pattern[str]

    def has(self, part: str, least: int) -> bool:
        """Whether so many different cues stand in a paragraph."""
        met = set[int | None]()
        for match in self.cues.finditer(part):
            met.add(match.lastindex)
            if len(met) >= least:
                return True
        return False


@dataclass(frozen=True, slots=True)
class NoteVerbs:
    """What becomes of the words around a verb when a note on somebody is read as they would say it."""

    adverbs: frozenset[str]
    others: frozenset[str]
    participles: frozenset[str]
    first: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Words:
    """What ``words.toml`` says, compiled. ``opening`` and ``inside`` meet any frame at, or behind, a beginning."""

    topics: frozenset[str]
    topic_endings: tuple[str, ...]
    oneself: frozenset[str]
    roles: frozenset[str]
    kin: frozenset[str]
    given: frozenset[str]
    tags: frozenset[str]
    particles: frozenset[str]
    titles: frozenset[str]
    no_names: frozenset[str]
    mail_from: frozenset[str]
    mail_fields: frozenset[str]
    blocks: frozenset[str]
    quoting: frozenset[str]
    emotes: frozenset[str]
    forwarded: re.Pattern[str]
    injected: re.Pattern[str]
    bracketed: re.Pattern[str]
    stamped: re.Pattern[str]
    of_cvs: re.Pattern[str]
    voiced: re.Pattern[str]
    takes_back: re.Pattern[str]
    contradicts: re.Pattern[str]
    unmeant_begins: re.Pattern[str]
    unmeant_ends: re.Pattern[str]
    resumes: re.Pattern[str]
    wrote: str
    greeting: str
    closing: str
    said: str
    before_said: str
    texts: Mapping[str, str]
    lead: re.Pattern[str]
    logged: re.Pattern[str]
    traced: re.Pattern[str]
    coded: re.Pattern[str]
    frames: tuple[Frame, ...]
    opening: re.Pattern[str]
    inside: re.Pattern[str]
    genres: tuple[Genre, ...]
    verbs: NoteVerbs
    before_me: frozenset[str]
    of_jobs: frozenset[str]
    software: re.Pattern[str]
    heading: str
    fields: Mapping[str, str]


@cache
def words() -> Words:
    """The table, read once."""
    read: dict[str, Any] = tomllib.loads(files(_PACKAGE).joinpath("words.toml").read_text("utf-8"))
    made: dict[str, Any] = {name: frozenset(str(read[name]).split()) for name in _SETS}
    made |= {name: str(read[name]) for name in ("wrote", "greeting", "closing", "said", "before_said")}
    made |= {name: _any(read[name]) for name in ("forwarded", "takes_back", "contradicts")}
    made |= {name: re.compile(rf"\s*(?:{'|'.join(read[name])})") for name in ("logged", "traced", "coded")}
    made |= _of_frames(read["frames"])
    return Words(
        **made,
        topic_endings=tuple(read["topic_endings"]),
        emotes=frozenset(str(read["emotes"]["own"]).split()),
        injected=_any([read["injected"]]),
        of_cvs=_any([read["of_cvs"]]),
        voiced=_any([read["voiced"]]),
        bracketed=_any([read["bracketed"]]),
        stamped=_any([rf"\s*(?:{read['stamped']})\s?[:：]\s*\S.{{0,80}}"]),
        unmeant_begins=re.compile(rf"\W*(?:{'|'.join(read['unmeant_begins'])})\b", re.IGNORECASE),
        unmeant_ends=re.compile(rf"(?<!\w)(?:{'|'.join(read['unmeant_ends'])})\W*$", re.IGNORECASE),
        resumes=_any(row["says"] for row in read["resume"]),
        lead=re.compile(rf"(?:(?:{'|'.join(read['lead'])})\b[\s,.!:–—-]*)+", re.IGNORECASE),
        texts=read["texts"],
        genres=tuple(map(_genre, read["genres"])),
        verbs=_verbs(read["verbs"]),
        before_me=frozenset(read["notes"]["before_me"].split()),
        of_jobs=frozenset(read["notes"]["of_jobs"].split()),
        software=_any([read["notes"]["software"]]),
        heading=str(read["notes"]["heading"]),
        fields={key.replace("_", " "): text for keys, text in read["fields"].items() for key in keys.split()},
    )


_SETS = (
    *("topics", "oneself", "roles", "kin", "given", "tags", "particles", "titles", "no_names"),
    *("mail_from", "mail_fields", "blocks", "quoting"),
)


def _of_frames(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {
        "frames": tuple(map(_frame, rows)),
        "opening": _any(row["begins"] for row in rows if not row.get("anywhere")),
        "inside": _any(row["begins"] for row in rows if row.get("anywhere")),
    }


def _verbs(read: Mapping[str, Any]) -> NoteVerbs:
    sets = (frozenset(str(read[name]).split()) for name in ("adverbs", "others", "participles"))
    return NoteVerbs(*sets, first=read["first"])


def _any(expressions: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{each})" for each in expressions), re.IGNORECASE)


def _frame(row: Mapping[str, Any]) -> Frame:
    return Frame(
        str(row["form"]), Reach(row["reach"]), _any([row["begins"]]), bool(row.get("anywhere")), bool(row.get("starts"))
    )


def _genre(row: Mapping[str, Any]) -> Genre:
    cues = "|".join(f"({cue})" for cue in row["cues"])
    return Genre(str(row["form"]), int(row["least"]), re.compile(f"(?<!\\w)(?:{cues})", re.IGNORECASE | re.MULTILINE))
