"""What goes into the next prompt: Markdown under a budget of tokens, and the same in parts."""

from datetime import date, datetime

from graphmem.answers.answer import Answer, AsOf
from graphmem.answers.beliefs import EntityRef
from graphmem.model.claim import ClaimStatus
from graphmem.model.composed import Because, LineKind
from graphmem.model.episode import Role


class ContextBelief(Answer):
    """A belief as a context shows it; `belief_id` leads to its evidence.

    `carried_out`: of a plan or a wish, the `belief_id`s of what its subject did later of it.
    """

    belief_id: str
    predicate: str
    category: str | None
    importance: float
    confidence: float
    contested: bool
    open: bool
    status: ClaimStatus
    valid_from: datetime | None
    valid_to: datetime | None
    carried_out: list[str]


class ContextEpisode(Answer):
    """A turn as a context shows it. `withdrawn` are words of it that a retracted claim quotes."""

    occurred_at: datetime
    session: str | None
    role: Role
    speaker: str | None
    withdrawn: list[str]


class ContextSummary(Answer):
    """A summary as a context shows it: of so many turns from the `first_turn` of the session."""

    summary_id: str
    tier: int
    first_turn: int
    turns: int
    last_at: datetime
    stale_at: datetime | None


class ContextReflection(Answer):
    """A reflection as a context shows it, and the claims that it rests on."""

    reflection_id: str
    day: date
    since: datetime
    until: datetime
    claim_ids: list[str]
    stale_at: datetime | None


class ContextLine(Answer):
    """One reflection, belief, summary or turn, with its `id`: of a row or a version, or of an episode.

    `text` is the statement, the sentences of summary or reflection that still count, or what was said, as it is;
    `markdown` is the line that quotes it. `kind` is `reflection`, `profile` or `belief`, `summary`, or `passage` or
    `turn`. `episode_ids` are the episodes that it is from; a reflection has claims.
    """

    kind: LineKind
    id: str
    text: str
    markdown: str
    user: str | None
    episode_ids: list[str]
    belief: ContextBelief | None
    episode: ContextEpisode | None
    summary: ContextSummary | None
    reflection: ContextReflection | None


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
