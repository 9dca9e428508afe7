"""Files that were handed in: what they were taken for, and what of them is stored."""

from datetime import datetime

from graphmem.answers.answer import Answer, Warned
from graphmem.model.episode import EpisodeRole


class FoundOut(Answer):
    """What a file has.

    ``formats`` count files by what they are. Of the ``messages`` ``untimed`` ones get the time of the one before in
    their conversation, ``zoneless`` times are of the zone that was asked, and of ``unnamed`` ones nobody is known to
    speak. ``left_out`` counts by what it is what is not read. ``not_read`` lists the first places (file and line) that
    cannot be read, with what was expected. ``guessed`` has the encodings of files that are not in Unicode.
    """

    formats: dict[str, int]
    conversations: int
    messages: int
    first: datetime | None
    last: datetime | None
    untimed: int
    zoneless: int
    unnamed: int
    left_out: dict[str, int]
    not_read_total: int
    not_read: list[str]
    guessed: dict[str, str]


class FirstTurn(Answer):
    """A turn as it would be stored, its ``content`` cut after 200 characters."""

    content: str
    occurred_at: datetime
    role: EpisodeRole
    speaker: str | None
    session: str | None


class RefusedTurn(Answer):
    """A turn that is not stored, by its ``place`` in the file."""

    place: str
    reason: str


class FileOut(Warned):
    """What was ``found`` in a file. Of its messages ``new`` ones are stored now, and ``known`` ones were there before.

    ``edited`` counts those of the new ones that take the place of another text of their ids. ``replaced`` counts those
    of the known ones whose place another text has taken since; `PUT …/episodes/by-external-id/…` with an
    `Idempotency-Key` puts one back. ``refused`` lists the first of those that are not stored. ``first_turns`` come with
    ``dry_run``, which stores nothing. ``queued`` is false where the queue is away: workers look for the episodes every
    half second then.
    """

    found: FoundOut
    new: int
    edited: int
    known: int
    replaced: int
    refused_total: int
    refused: list[RefusedTurn]
    first_turns: list[FirstTurn]
    queued: bool
