"""Summaries of entities as shown."""

from datetime import datetime

from graphmem.answers.answer import Answer


class EntitySentenceOut(Answer):
    """A sentence, the belief that it states, and the claims that it rests on."""

    text: str
    belief_id: str
    claim_ids: list[str]


class EntitySummaryOut(Answer):
    """A version of a summary of what a `user` may see of an entity, null for what everybody may.

    `summary_id` is the same for all versions. It was made from so many `beliefs`, all of which were true at `as_of`.
    `model` is the language model that wrote it; null: its sentences are statements of beliefs. `stale_at`: since then
    something that it rests on was withdrawn, and is left out, or the entity became another one; it will be made again.
    """

    id: str
    summary_id: str
    entity_id: str
    user: str | None
    content: str
    sentences: list[EntitySentenceOut]
    tokens: int
    model: str | None
    beliefs: int
    as_of: datetime
    stale_at: datetime | None
    recorded_at: datetime
    superseded_at: datetime | None
