"""Reflections as shown."""

from datetime import date, datetime
from typing import Annotated, ClassVar

from graphmem.answers.answer import Answer, JoinedAnswer, ShownInstant, TextOrNull, Warned, attribute


class ReflectionSentenceOut(Answer):
    """A sentence, the claims that it rests on, and the beliefs that it states."""

    text: str
    claim_ids: Annotated[list[str], attribute("claims")]
    belief_ids: Annotated[list[str], attribute("beliefs")]


class ReflectionOut(JoinedAnswer):
    """A version of a reflection on what a `user` may see, null for what everybody may.

    `reflection_id` is the same for all versions. It is about what was recorded after `since` and by `until`, of which
    it looks at so many `memories`; `new` of them were first believed then. `day` is that of `until`: a user has one
    reflection of a day. `model` is the language model that wrote it, as the version of its `prompt` says; null: its
    sentences are statements of beliefs.
    `stale_at`: since then something that it rests on was withdrawn; it will be made again.
    """

    joins: ClassVar = ("text", "week")

    id: str
    reflection_id: str
    user: TextOrNull
    day: date
    since: datetime
    until: datetime
    content: str
    sentences: list[ReflectionSentenceOut]
    tokens: int
    model: TextOrNull
    prompt: TextOrNull
    memories: int
    new: int
    tags: list[str]
    stale_at: datetime | None
    recorded_at: datetime
    superseded_at: ShownInstant


class ReflectionPage(Warned):
    """Reflections in the order of the ends of their weeks."""

    valid_at: datetime
    known_at: datetime
    reflections: list[ReflectionOut]
    next_cursor: str | None
