"""Reflections, and what they are made from."""

import json
from typing import Any

from pydantic import Json

from graphmem.model.projection.identity import Identities
from graphmem.model.reflection import Ends, ReflectionSentence, ReflectionText, StoredReflection, Week, WeeklyClaim
from graphmem.store.instants import Instant
from graphmem.store.rows import Row


class _Sentence(Row):
    text: str
    claims: tuple[str, ...]
    beliefs: tuple[str, ...]


class ReflectionRecord(Row):
    id: str
    reflection_id: str
    group_id: str
    user: str
    content: str
    sentences: Json[tuple[_Sentence, ...]]
    tokens: int
    model: str
    prompt: str
    material: str
    memories: int
    new: int
    tags: tuple[str, ...]
    since_at: Instant
    until_at: Instant
    stale_at: Instant | None
    was_stale: tuple[Instant, ...]
    recorded_at: Instant
    superseded_at: Instant

    def to_domain(self) -> StoredReflection:
        return StoredReflection(
            id=self.id,
            reflection_id=self.reflection_id,
            group_id=self.group_id,
            user=self.user,
            week=Week(since=self.since_at, until=self.until_at),
            text=ReflectionText(
                content=self.content,
                tokens=self.tokens,
                sentences=tuple(map(_sentence, self.sentences)),
                model=self.model,
                prompt=self.prompt,
            ),
            memories=self.memories,
            new=self.new,
            tags=self.tags,
            material=self.material,
            stale_at=self.stale_at,
            was_stale=self.was_stale,
            recorded_at=self.recorded_at,
            superseded_at=self.superseded_at,
        )


class VersionIdRow(Row):
    """A version of a reflection."""

    id: str


class DueReflectionRow(Row):
    reflection: ReflectionRecord


class WrittenReflectionRow(Row):
    recorded_at: Instant


class UserRow(Row):
    user: str


class ClaimIdRow(Row):
    id: str


class NamedEndsRow(Row):
    id: str
    subject_id: str
    object_id: str | None
    session: str
    user: str

    @property
    def named(self) -> list[tuple[str, str, str]]:
        """The ends as identities are asked for: each with session and user."""
        ends = [self.subject_id, self.object_id]
        return [(end, self.session, self.user) for end in ends if end is not None]

    def placed(self, who: Identities) -> Ends:
        """The ends by who is who."""
        found = [who.of(id_, session=session, user=user) for id_, session, user in self.named]
        return Ends(found[0], found[1] if self.object_id is not None else None)


class WeeklyClaimRow(Row):
    id: str
    kind: str
    statement: str
    subject_id: str
    stamp: str
    targets: tuple[str, ...]
    rows: tuple[str, ...]

    def to_domain(self) -> WeeklyClaim:
        return WeeklyClaim(**self.model_dump())


def sentences_json(text: ReflectionText) -> str:
    """The sentences of a reflection, as it is stored."""
    return json.dumps([_written(sentence) for sentence in text.sentences])


def _written(sentence: ReflectionSentence) -> dict[str, Any]:
    return {"text": sentence.text, "claims": list(sentence.claims), "beliefs": list(sentence.beliefs)}


def _sentence(read: _Sentence) -> ReflectionSentence:
    return ReflectionSentence(**read.model_dump())
