"""Summaries of sessions and of entities, and reflections on weeks, as shown."""

from datetime import date, datetime
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, BeforeValidator

from graphmem.answers.answer import (
    Answer,
    Joined,
    JoinedAnswer,
    ShownInstant,
    TextOrNull,
    TimedAnswer,
    Warned,
    attribute,
)
from graphmem.answers.groups import JobOut
from graphmem.model.summary import SummaryText


def _as_written(text: Any) -> Any:
    """The sentences, each as its line has it."""
    if not isinstance(text, SummaryText):
        return text
    return [Joined(sentence, text=line) for line, sentence in zip(text.lines, text.sentences, strict=True)]


class SummarySpan(Answer):
    """Characters ``[start, end)`` of an episode, in code points."""

    episode_id: str
    start: int
    end: int


class SummarySentenceOut(Answer):
    """A sentence, the belief whose statement it is, if it is one, and all beliefs, claims and words that it is from."""

    text: str
    belief_id: str | None
    belief_ids: Annotated[list[str], attribute("all_beliefs"), AfterValidator(sorted)]
    claim_ids: Annotated[list[str], attribute("claims")]
    spans: list[SummarySpan]


class SummaryOut(JoinedAnswer):
    """A version of a summary of turns of a session (``tier`` 1), or of summaries of the tier below.

    ``summary_id`` is the same for all versions. It covers ``turns`` turns from the ``first_turn`` of the session, which
    were said ``first_at`` to ``last_at``; ``covers`` are the ids of episodes, or the ``summary_id`` of summaries.
    ``model`` is the language model that wrote it, as the version of its ``prompt`` says; null: its sentences are
    statements of beliefs, and what was said.
    ``stale_at``: since then something that it says was withdrawn, or it covers something else; it will be made again.
    ``drift`` is 1 - cosine to the version before.
    """

    joins: ClassVar = ("text",)

    id: str
    summary_id: str
    session_id: str
    session: str
    user: TextOrNull
    agent: str | None
    subject: str | None
    tier: int
    content: str
    sentences: Annotated[list[SummarySentenceOut], attribute("text"), BeforeValidator(_as_written)]
    tokens: int
    model: TextOrNull
    prompt: TextOrNull
    first_turn: int
    turns: int
    first_at: Annotated[datetime, attribute("first.occurred_at")]
    last_at: Annotated[datetime, attribute("last.occurred_at")]
    covers: list[str]
    drift: float | None
    stale_at: datetime | None
    recorded_at: datetime
    superseded_at: ShownInstant


class ContradictedSentence(Answer):
    """A sentence whose belief is not believed any more, and the ``belief_id``s of what is in its place."""

    text: str
    belief_id: str
    contradicted_by: list[str]


class CheckedSummary(SummaryOut):
    """A summary held against what is believed, as known at known_at.

    ``still_believed`` is the share of the beliefs that it cites which are believed; null: it cites none.
    """

    still_believed: float | None
    contradicted: list[ContradictedSentence]


class SummaryPage(TimedAnswer):
    """Summaries in the order of their last turns."""

    summaries: list[CheckedSummary]
    next_cursor: str | None


class RegeneratedSummary(Warned):
    """The summary as it stands, and the job that makes it again; ``queued``: workers were told of it.

    The job is about the whole group, and counts what all users said: to a user it is null.
    """

    summary: CheckedSummary
    job: JobOut | None
    queued: bool


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


class ReflectionPage(TimedAnswer):
    """Reflections in the order of the ends of their weeks."""

    reflections: list[ReflectionOut]
    next_cursor: str | None
