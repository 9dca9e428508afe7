"""Turns of files as episodes: first looked through, so that it can be said what there is, then one body after another.

Twice over the file, and never all of it: what is kept between the two is an instant a conversation.
"""

import re
from collections import Counter, OrderedDict
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from graphmem.errors import InvalidInput
from graphmem.files.archives import MOST_UNPACKED, is_archive, unpack
from graphmem.files.formats import Recognised, recognise
from graphmem.files.source import DOCS
from graphmem.files.turns import FileTurn, Notes, ReadingOptions
from graphmem.model.episode import EpisodeRole

Body = dict[str, Any]
Conversation = tuple[str | None, Path | None]
"""A session; of turns that have none, their file."""
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_MOST_NAMES, _MOST_NAMED = 1_000, 5
_LONGEST_NAME = 256
_MOST_EQUAL = 100_000
"""Turns that a later one is held against, to count equal ones; those of one time stand close together in files."""
_TELLS_APART = ("content", "occurred_at", "role", "speaker", "session", "user", "sequence")
"""Turns that differ in none of these are equal, unless they have an id."""
_EARLIEST, _LATEST = 2, 9998
_SHOWN, _SHOWN_TEXT = 10, 200


@dataclass(frozen=True, slots=True)
class PlacedBody:
    """The body of an episode for ``POST episodes``, and where in which file it stands."""

    body: Body
    place: str


@dataclass(slots=True)
class Survey:
    """What is in files. ``began`` is the first time of each conversation; None: it has none.

    ``untimed`` turns get the time of the one before them in their conversation, ``unnamed`` are of nobody known, and
    ``zoneless`` times are of the zone that is said. ``latest`` is the last time so far of each conversation. ``users``
    and ``agents`` are those that turns name themselves; None: some name none.
    """

    formats: Counter[str] = field(default_factory=Counter[str])
    began: dict[Conversation, datetime | None] = field(default_factory=dict[Conversation, datetime | None])
    latest: dict[Conversation, datetime | None] = field(default_factory=dict[Conversation, datetime | None])
    speakers: Counter[str] = field(default_factory=Counter[str])
    users: set[str | None] = field(default_factory=set[str | None])
    agents: set[str | None] = field(default_factory=set[str | None])
    turns: int = 0
    untimed: int = 0
    unnamed: int = 0
    zoneless: int = 0
    first: datetime | None = None
    last: datetime | None = None
    notes: Notes = field(default_factory=Notes)

    def __str__(self) -> str:
        kinds = ", ".join(f"{number} × {name}" if number > 1 else name for name, number in self.formats.items())
        conversations = f"{_counted(self.conversations, 'conversation')}, " if self.conversations else ""
        span = f", {self.first:%Y-%m} to {self.last:%Y-%m}" if self.first and self.last else ""
        untimed = f"; {self.untimed:,} without a time" if self.untimed else ""
        return f"{kinds}: {conversations}{_counted(self.turns, 'message')}{span}{untimed}"

    @property
    def conversations(self) -> int:
        """Those that have a name."""
        return sum(1 for session, _ in self.began if session is not None)

    def add(self, path: Path, turn: FileTurn, options: ReadingOptions) -> None:
        conversation, time = _conversation(path, turn), _aware(turn.time, options)
        if self.began.setdefault(conversation, time) is None:
            self.began[conversation] = time
        self.latest[conversation] = time or self.latest.get(conversation)
        if options.since and (said := self.latest[conversation]) and said < options.since:
            self.notes.left_out["messages of before --since"] += 1
            return
        self.turns += 1
        self.users.add(_said(turn, "user"))
        self.agents.add(_said(turn, "agent"))
        self.untimed += time is None
        self.zoneless += turn.time is not None and turn.time.tzinfo is None
        self.unnamed += _is_unnamed(turn) and not options.user
        if turn.speaker and (turn.speaker in self.speakers or len(self.speakers) < _MOST_NAMES):
            self.speakers[turn.speaker] += 1
        if time is not None:
            self.first, self.last = min(self.first or time, time), max(self.last or time, time)


def _said(turn: FileTurn, name: str) -> str | None:
    """A name that a turn says; None of what is none."""
    value = turn.more.get(name)
    return value.strip() or None if isinstance(value, str) else None


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


@dataclass(frozen=True, slots=True)
class FoundFiles:
    """The files at a path that can be read, and what was found when they were looked through.

    ``within`` is the folder in which they lie for now, and which is left out where they are named.
    """

    path: Path
    recognised: Sequence[Recognised]
    options: ReadingOptions
    survey: Survey
    within: Path | None = None

    @property
    def name(self) -> str:
        return _without(self.within, self.path)

    def first_turns(self) -> Iterator[Body]:
        """The first bodies, their content cut."""
        for placed in islice(self.bodies(), _SHOWN):
            yield {**placed.body, "content": placed.body["content"][:_SHOWN_TEXT]}

    def bodies(self) -> Iterator[PlacedBody]:
        """The episodes in the order of the files, which they keep in whatever parts they are posted."""
        equal, last = _Equal(), dict[Conversation, datetime]()
        position = 0
        for path, turn in _turns(self.recognised, self.options, Notes()):
            conversation = _conversation(path, turn)
            time = _aware(turn.time, self.options) or last.get(conversation) or self._began(conversation)
            last[conversation] = time
            if self.options.since and time < self.options.since:
                continue
            body = {**_body(turn, time, self.options), "position": position}
            if not turn.id and (occurrence := equal.before(body)):
                body["occurrence"] = occurrence
            position += 1
            file = _without(self.within, path)
            yield PlacedBody(body, f"{file}:{turn.line}" if turn.line else f"turn {position} of {file}")

    def _began(self, conversation: Conversation) -> datetime:
        began = self.survey.began[conversation] or self.options.at
        if began is None:
            raise InvalidInput(_no_time(self.path, self.survey))
        return began


@contextmanager
def opened(
    path: Path, options: ReadingOptions, *, within: Path | None = None, most_bytes: int = MOST_UNPACKED
) -> Generator[FoundFiles]:
    """The files at a path, looked through; those in a ZIP of at most ``most_bytes``, which lies unpacked meanwhile.

    Raises:
        InvalidInput, ConfigurationError: as ``look_through`` does; or the ZIP is broken or encrypted, or names a place
            outside of itself.
        TooLarge: there is too much in the ZIP.
    """
    if not is_archive(path):
        yield look_through(path, options, within)
        return
    with TemporaryDirectory(prefix="graphmem-") as folder:
        files = unpack(path, Path(folder, path.name), most_bytes)
        yield look_through(files, options, Path(folder))


def look_through(path: Path, options: ReadingOptions, within: Path | None = None) -> FoundFiles:
    """Recognise the files at a path and count what is in them. ``within`` is a folder that is named nowhere.

    Raises:
        InvalidInput: nothing is recognised, there is no message, nothing says when a conversation was, or nobody has
            the name of the user.
        TooLarge: a document has too much in it.
        ConfigurationError: a library for such files is not installed.
    """
    try:
        files = _looked_through(path, options, within)
    except InvalidInput as error:
        raise InvalidInput(_without(within, error)) from error
    except RecursionError as error:
        raise InvalidInput(f"{_without(within, path)} is nested too deep to be read. See {DOCS}.") from error
    notes = files.survey.notes
    notes.bad = [_without(within, bad) for bad in notes.bad]
    notes.guessed = {Path(_without(within, file)): encoding for file, encoding in notes.guessed.items()}
    return files


def _without(within: Path | None, said: object) -> str:
    """What is said of files, without the folder in which they lie for now."""
    return str(said) if within is None else str(said).replace(f"{within}/", "")


def _looked_through(path: Path, options: ReadingOptions, within: Path | None) -> FoundFiles:
    survey = Survey()
    recognised = recognise(path, options, survey.notes)
    survey.formats.update(each.format.name for each in recognised)
    read = {each.path for each in recognised}
    survey.notes.guessed = {one: encoding for one, encoding in survey.notes.guessed.items() if one in read}
    for file, turn in _turns(recognised, options, survey.notes):
        survey.add(file, turn, options)
    if not survey.turns:
        wrong = " ".join(survey.notes.bad[:3]) or f"It is taken for: {', '.join(survey.formats)}."
        raise InvalidInput(f"{path} has no messages. {wrong} See {DOCS}.")
    if options.at is None and None in survey.began.values():
        raise InvalidInput(_no_time(path, survey))
    if options.user and survey.speakers and not any(_is(options.user, name) for name in survey.speakers):
        names = ", ".join(name for name, _ in survey.speakers.most_common(10))
        raise InvalidInput(f"Nobody in {path} is called {options.user!r}. Who speaks there: {names}.")
    return FoundFiles(path, recognised, options, survey, within)


def _no_time(path: Path, survey: Survey) -> str:
    names = [str(session or file) for (session, file), began in survey.began.items() if began is None]
    some = ", ".join(names[:_MOST_NAMED]) + (" …" if len(names) > _MOST_NAMED else "")
    return (
        f"{path}: nothing says when {_counted(len(names), 'conversation')} took place ({some}). Say when by --at, "
        f"such as --at 2025-05-03T10:00:00+02:00. See {DOCS}."
    )


def _turns(recognised: Sequence[Recognised], options: ReadingOptions, notes: Notes) -> Iterator[tuple[Path, FileTurn]]:
    for each in recognised:
        for turn in each.turns(options, notes):
            if not _clean(turn.content).strip():
                notes.left_out["messages without text"] += 1
            elif turn.time is not None and not _EARLIEST <= turn.time.year <= _LATEST:
                notes.bad_place(f"{each.path}:{turn.line or turn.id}", f"a time was expected, and not {turn.time}")
            else:
                yield each.path, turn


def _aware(time: datetime | None, options: ReadingOptions) -> datetime | None:
    """A time in the zone that was said; one without a zone is of that one."""
    if time is None or time.tzinfo is not None:
        return time
    return time.replace(tzinfo=options.time_zone)


def _conversation(path: Path, turn: FileTurn) -> Conversation:
    return (None, path) if turn.session is None else (turn.session, None)


def _is_unnamed(turn: FileTurn) -> bool:
    """Whether a human speaks of whom nobody knows who it is. A document is nobody's speech."""
    is_speech = turn.role.is_human and turn.more.get("content_type") != "document"
    return is_speech and turn.speaker is None and "user" not in turn.more


def _is(user: str, name: str | None) -> bool:
    return name is not None and name.casefold() == user.casefold()


def _body(turn: FileTurn, time: datetime, options: ReadingOptions) -> Body:
    role, speaker = turn.role, turn.speaker
    if options.user and role.is_human:
        speaker = speaker or (options.user if role is EpisodeRole.USER else None)
        role = EpisodeRole.USER if _is(options.user, speaker) else EpisodeRole.PARTICIPANT
    said: dict[str, Any] = {
        "content": _clean(turn.content).strip(),
        "occurred_at": time.isoformat(),
        "time_zone": options.zone_name,
        "role": str(role),
        "speaker": _name(speaker),
        "session": _name(turn.session),
        "external_id": _name(turn.id),
        "source": turn.source,
    }
    return {**{key: value for key, value in said.items() if value is not None}, **turn.more}


def _clean(text: str) -> str:
    """A text that can be stored: without controls other than tab and line breaks, and lone surrogates."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROL.sub("", text.encode("utf-8", "replace").decode("utf-8"))


def _name(written: object) -> str | None:
    """A name on one line; a long one ends in a digest of all of it."""
    name = " ".join(_clean(str(written)).split()) if written is not None else ""
    if len(name) > _LONGEST_NAME:
        name = f"{name[:_LONGEST_NAME]}…{blake2b(name.encode(), digest_size=8).hexdigest()}"
    return name or None


def digest_of(body: Mapping[str, Any], names: Sequence[str]) -> bytes:
    """A digest of these fields of a body, of 16 bytes."""
    return blake2b(repr([body.get(name) for name in names]).encode(), digest_size=16).digest()


class _Equal:
    """How many turns equal to one came before it, of the last hundred thousand that differ."""

    def __init__(self) -> None:
        self._seen: OrderedDict[bytes, int] = OrderedDict()

    def before(self, body: Mapping[str, Any]) -> int:
        key = digest_of(body, _TELLS_APART)
        before = self._seen.pop(key, 0)
        self._seen[key] = before + 1
        if len(self._seen) > _MOST_EQUAL:
            self._seen.popitem(last=False)
        return before
