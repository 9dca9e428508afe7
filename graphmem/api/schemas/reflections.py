"""Reflections as shown."""

from collections.abc import Sequence
from datetime import date, datetime

from graphmem.api.cursors import time_cursor
from graphmem.api.deps import Asked
from graphmem.api.schemas.words import Answer
from graphmem.model.interval import shown
from graphmem.model.reflection import StoredReflection


class ReflectionSentenceOut(Answer):
    """A sentence, the claims that it rests on, and the beliefs that it states."""

    text: str
    claim_ids: list[str]
    belief_ids: list[str]


class ReflectionOut(Answer):
    """A version of a reflection on what a `user` may see, null for what everybody may.

    `reflection_id` is the same for all versions. It is about what was recorded after `since` and by `until`, of which
    it looks at so many `memories`; `new` of them were first believed then. `day` is that of `until`: a user has one
    reflection of a day. `model` is the language model that wrote it; null: its sentences are statements of beliefs.
    `stale_at`: since then something that it rests on was withdrawn; it will be made again.
    """

    id: str
    reflection_id: str
    user: str | None
    day: date
    since: datetime
    until: datetime
    content: str
    sentences: list[ReflectionSentenceOut]
    tokens: int
    model: str | None
    memories: int
    new: int
    tags: list[str]
    stale_at: datetime | None
    recorded_at: datetime
    superseded_at: datetime | None


class ReflectionPage(Answer):
    """Reflections in the order of the ends of their weeks."""

    valid_at: datetime
    known_at: datetime
    reflections: list[ReflectionOut]
    next_cursor: str | None


def reflection_out(reflection: StoredReflection) -> ReflectionOut:
    text = reflection.text
    return ReflectionOut(
        id=reflection.id,
        reflection_id=reflection.reflection_id,
        user=reflection.user or None,
        day=reflection.week.day,
        since=reflection.week.since,
        until=reflection.week.until,
        content=text.content,
        sentences=[
            ReflectionSentenceOut(text=one.text, claim_ids=list(one.claims), belief_ids=list(one.beliefs))
            for one in text.sentences
        ],
        tokens=text.tokens,
        model=text.model or None,
        memories=reflection.memories,
        new=reflection.new,
        tags=list(reflection.tags),
        stale_at=reflection.stale_at,
        recorded_at=reflection.recorded_at,
        superseded_at=shown(reflection.superseded_at),
    )


def reflection_page(asked: Asked, found: Sequence[StoredReflection], limit: int) -> ReflectionPage:
    """The first ``limit``, and where to go on if there are more."""
    last = found[limit - 1] if len(found) > limit else None
    return ReflectionPage(
        valid_at=asked.valid_at,
        known_at=asked.known_at,
        reflections=[reflection_out(one.as_known(asked.known_at)) for one in found[:limit]],
        next_cursor=last and time_cursor(last.week.until, last.id),
    )
