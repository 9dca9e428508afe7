"""What goes into the next prompt: Markdown under a budget of tokens, and the same in parts."""

from datetime import date, datetime
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, model_validator

from graphmem.answers.answer import Answer, AsOf, Joined, JoinedAnswer, ShownInstant, TextOrNull, attribute
from graphmem.answers.beliefs import EntityRef
from graphmem.model.belief import BeliefRow
from graphmem.model.claim import ClaimStatus
from graphmem.model.composed import Because, Line, LineKind
from graphmem.model.episode import EpisodeRole, StoredEpisode
from graphmem.model.reflection import StoredReflection
from graphmem.model.summary import StoredSummary


def _belief_id(deed: Any) -> Any:
    return deed.belief_id if isinstance(deed, BeliefRow) else deed


class ContextBelief(Answer):
    """A belief as a context shows it; `belief_id` leads to its evidence.

    `carried_out`: of a plan or a wish, the `belief_id`s of what its subject did later of it.
    """

    belief_id: str
    predicate: str
    category: TextOrNull
    importance: float
    confidence: float
    contested: bool
    open: bool
    status: ClaimStatus
    valid_from: ShownInstant
    valid_to: ShownInstant
    carried_out: list[Annotated[str, BeforeValidator(_belief_id)]]


class ContextEpisode(Answer):
    """A turn as a context shows it. `withdrawn` are words of it that a retracted claim quotes."""

    occurred_at: datetime
    session: TextOrNull
    role: EpisodeRole
    speaker: str | None
    withdrawn: list[str]


class ContextSummary(JoinedAnswer):
    """A summary as a context shows it: of so many turns from the `first_turn` of the session."""

    summary_id: str
    tier: int
    first_turn: int
    turns: int
    last_at: Annotated[datetime, attribute("last.occurred_at")]
    stale_at: datetime | None


class ContextReflection(JoinedAnswer):
    """A reflection as a context shows it, and the claims that it rests on."""

    joins: ClassVar = ("week",)

    reflection_id: str
    day: date
    since: datetime
    until: datetime
    claim_ids: Annotated[list[str], attribute("claims")]
    stale_at: datetime | None


def _parts(line: Line) -> dict[str, object]:
    """What a line has of its thing alone."""
    parts = dict[str, object].fromkeys(("belief", "episode", "summary", "reflection"))
    match line.thing:
        case BeliefRow() as belief:
            return {**parts, "belief": Joined(line, belief), "text": belief.statement}
        case StoredEpisode(episode=said) as stored:
            whose = {"user": said.user, "episode_ids": [stored.id]}
            return {**parts, **whose, "episode": Joined(line, said), "text": said.content}
        case StoredSummary() as summary:
            return {**parts, "summary": summary}
        case StoredReflection() as reflection:
            return {**parts, "episode_ids": (), "reflection": reflection}


class ContextLine(Answer):
    """One reflection, belief, summary or turn, with its `id`: of a row or a version, or of an episode.

    `text` is the statement, the sentences of summary or reflection that still count, or what was said, as it is;
    `markdown` is the line that quotes it. `kind` is `reflection`, `profile` or `belief`, `summary`, or `passage` or
    `turn`. `episode_ids` are the episodes that it is from; a reflection has claims.
    """

    kind: LineKind
    id: str
    text: str
    markdown: Annotated[str, attribute("written")]
    user: TextOrNull
    episode_ids: list[str]
    belief: ContextBelief | None
    episode: ContextEpisode | None
    summary: ContextSummary | None
    reflection: ContextReflection | None

    @model_validator(mode="before")
    @classmethod
    def _of_thing(cls, line: object) -> object:
        return Joined(line, line.thing, **_parts(line)) if isinstance(line, Line) else line


class ContextPart(Answer):
    """Lines under a heading; `entity` is whom a profile is of."""

    heading: str
    entity: EntityRef | None
    lines: list[ContextLine]


class LeftOutOut(Answer):
    """How many lines of a kind were left out, and why.

    `max_tokens`: there was no room. `too_long`: by itself more than half of the budget. `limit`: more than were asked
    for. `score`: below `least_score`. `excluded`: the window, as asked.
    """

    kind: LineKind
    count: int
    because: Because


class ContextOut(AsOf):
    """`markdown` is for a system prompt, and has `tokens` tokens by `tokenizer`, at most `max_tokens`.

    What others said stands in it in quotation marks, as JSON quotes. `warnings` name what could not be read or asked.
    """

    markdown: str
    tokens: int
    max_tokens: int
    tokenizer: str
    parts: list[ContextPart]
    left_out: list[LeftOutOut]
