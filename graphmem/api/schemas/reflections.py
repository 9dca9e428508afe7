"""Reflections as shown."""

from collections.abc import Sequence

from graphmem.answers.reflections import ReflectionOut, ReflectionPage, ReflectionSentenceOut
from graphmem.api.cursors import time_cursor
from graphmem.api.deps import Asked
from graphmem.model.interval import shown
from graphmem.model.reflection import StoredReflection


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
        prompt=text.prompt or None,
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
