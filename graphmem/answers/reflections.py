"""Reflections as shown."""

from datetime import date, datetime

from graphmem.answers.answer import Answer, Warned


class ReflectionSentenceOut(Answer):
    """A sentence, the claims that it rests on, and the beliefs that it states."""

    text: str
    claim_ids: list[str]
    belief_ids: list[str]


class ReflectionOut(Answer):
    """A version of a reflection on what a `user` may see, null for what everybody may.

    `reflection_id` is the same for all versions. It is about what was recorded after `since` and by `until`, of which
    it looks at so many `memories`; `new` of them were first believed then. `day` is that of `until`: a user has one
    reflection of a day. `model` is the language model that wrote it, as the version of its `prompt` says; null: its
    sentences are statements of beliefs.
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
    prompt: str | None
    memories: int
    new: int
    tags: list[str]
    stale_at: datetime | None
    recorded_at: datetime
    superseded_at: datetime | None


class ReflectionPage(Warned):
    """Reflections in the order of the ends of their weeks."""

    valid_at: datetime
    known_at: datetime
    reflections: list[ReflectionOut]
    next_cursor: str | None
