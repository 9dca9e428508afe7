"""Summaries of entities as shown."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import BeforeValidator

from graphmem.answers.answer import Answer, JoinedAnswer, ShownInstant, TextOrNull, attribute


def _count(beliefs: Any) -> Any:
    return beliefs if isinstance(beliefs, int) else len(beliefs)


class EntitySentenceOut(Answer):
    """A sentence, the belief that it states, and the claims that it rests on."""

    text: str
    belief_id: str
    claim_ids: Annotated[list[str], attribute("claims")]


class EntitySummaryOut(JoinedAnswer):
    """A version of a summary of what a `user` may see of an entity, null for what everybody may.

    `summary_id` is the same for all versions. It was made from so many `beliefs`, all of which were true at `as_of`.
    `model` is the language model that wrote it; null: its sentences are statements of beliefs. `stale_at`: since then
    something that it rests on was withdrawn, and is left out, or the entity became another one; it will be made again.
    """

    id: str
    summary_id: str
    entity_id: str
    user: TextOrNull
    content: str
    sentences: list[EntitySentenceOut]
    tokens: int
    model: TextOrNull
    beliefs: Annotated[int, BeforeValidator(_count)]
    as_of: datetime
    stale_at: datetime | None
    recorded_at: datetime
    superseded_at: ShownInstant
