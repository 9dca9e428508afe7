"""What a search finds, and what goes into the next prompt."""

from datetime import date, datetime
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag, ValidationInfo, model_validator

from graphmem.answers.answer import Answer, AsOf, Joined, JoinedAnswer, ShownInstant, TextOrNull, attribute, context_of
from graphmem.answers.beliefs import BeliefOut, EntityOut, EntityRef
from graphmem.answers.episodes import EpisodeOut
from graphmem.answers.summaries import EntitySummaryOut, ReflectionOut, SummaryOut
from graphmem.model.belief import BeliefRow
from graphmem.model.claim import ClaimStatus
from graphmem.model.composed import Because, Line, LineKind
from graphmem.model.episode import EpisodeRole, StoredEpisode
from graphmem.model.hits import Lost, SearchHit, WhyDegraded
from graphmem.model.reflection import StoredReflection
from graphmem.model.summary import StoredSummary

HitKind = Literal["relationship", "fact", "episode", "entity", "summary", "reflection", "path"]


class ContributionOut(Answer):
    """One reason's part of a score: a list of hits, with the ``rank`` in it, or a rule. ``score`` is what it says.

    ``raw`` is what the index says: of full text BM25, of vectors the cosine.
    """

    channel: str
    rank: int | None
    score: float
    contribution: float
    raw: float | None


def _explained(contributions: Any, info: ValidationInfo) -> Any:
    return contributions if info.context is None or context_of(info).explain else None


Contributions = Annotated[list[ContributionOut] | None, BeforeValidator(_explained)]
"""The reasons of a score; null unless the search is to explain itself."""


class RankedOut(Answer):
    """What every hit says of itself.

    ``held``: it was believed at ``known_at`` to be true at ``valid_at``; what was not had ended (``valid_to``), or was
    no longer believed (``superseded_at``). ``other_wordings``: ids of open beliefs that say the same, for which this
    one stands.

    ``carried_out``: of a plan or a wish, what its subject did since that says nearly the same, on days that are known.

    ``relevance`` is from 0 to 1 how likely it answers the question, whatever else was found; scores only order hits.
    """

    id: str
    score: float
    relevance: float
    held: bool
    contributions: Contributions
    other_wordings: list[str]
    carried_out: list[BeliefOut]

    @model_validator(mode="before")
    @classmethod
    def _of_hit(cls, hit: object, info: ValidationInfo) -> object:
        if not isinstance(hit, SearchHit):
            return hit
        return Joined(hit, hit.ranked, held=hit.held_at(context_of(info).valid_at))


class BeliefHit(RankedOut):
    kind: Literal["relationship", "fact"]
    thing: BeliefOut


class PassageOut(Answer):
    """The part of an episode, `start` to `end` in characters (code points), by which it was found."""

    start: int
    end: int
    text: str


class EpisodeHit(RankedOut):
    """``passage``: of a long episode, the part that is meant; null of a short one."""

    kind: Literal["episode"]
    thing: EpisodeOut
    passage: PassageOut | None


class EntityHit(RankedOut):
    kind: Literal["entity"]
    thing: EntityOut


def _summarised(summary: Any) -> str:
    of_entity = "entity_id" in summary if isinstance(summary, dict) else hasattr(summary, "entity_id")
    return "entity" if of_entity else "session"


class SummaryHit(RankedOut):
    """A summary of a session, or of an entity: this one has an ``entity_id``."""

    kind: Literal["summary"]
    thing: Annotated[
        Annotated[SummaryOut, Tag("session")] | Annotated[EntitySummaryOut, Tag("entity")], Discriminator(_summarised)
    ]


class ReflectionHit(RankedOut):
    kind: Literal["reflection"]
    thing: ReflectionOut


class PathOut(Answer):
    """Beliefs of which each leads to what the next is about; ``says`` are their statements, one after the other."""

    id: str
    says: str
    beliefs: list[BeliefOut]


class PathHit(RankedOut):
    """What answers a question that no belief alone answers."""

    kind: Literal["path"]
    thing: PathOut


HitOut = Annotated[
    BeliefHit | EpisodeHit | EntityHit | SummaryHit | ReflectionHit | PathHit,
    Field(discriminator="kind", description="The `kind` says what `thing` is."),
]
"""A hit of a search: a thing, by its kind."""


class DegradedOut(Answer):
    """What a search went without, a channel or one of its ``hits``, and why; ``detail`` says it to people."""

    channel: str
    why: WhyDegraded
    detail: str


class WhyNotOut(Answer):
    """Where something was ``lost``, null where it is among the hits; ``detail`` says it to people.

    ``unknown``: no belief and no episode of this id that the reader may see. ``time``: not yet known or no longer
    believed at ``known_at``, not yet or no longer true at ``valid_at``. ``faded``: nobody used it for long. ``filter``:
    the ``filters`` that it does not pass. ``wording``: ``instead``, the same in other words or a newer version of it,
    stands for it. ``rank``: it has this ``rank``, beyond ``limit``. ``not_found``: no channel has it among its best.
    ``contributions`` are there with ``explain``.
    """

    id: str
    kind: HitKind | None
    lost: Lost | None
    detail: str
    filters: list[str]
    rank: int | None
    score: float | None
    contributions: Contributions
    instead: str | None


def _likely(likely: Any) -> Any:
    return ("likely" if likely else "unlikely") if isinstance(likely, bool) else likely


class SearchOut(AsOf):
    """``degraded`` is empty where nothing was left out; what was found besides is there all the same.

    ``why_not`` tells of what was asked for by id where it was lost.

    ``answerable`` says whether anything that is known answers the question, ``answer_probability`` how likely, and
    ``answerable_because`` why. ``unknown_names`` are names in it that nobody and nothing bears, and that no text has;
    ``warnings`` say of a short name whose it may be, where these are several.
    """

    answerable: Annotated[Literal["likely", "unlikely"], attribute("answerability.likely"), BeforeValidator(_likely)]
    answer_probability: Annotated[float, attribute("answerability.probability")]
    answerable_because: Annotated[str, attribute("answerability.reason")]
    unknown_names: list[str]
    hits: list[HitOut]
    entities: list[EntityOut]
    degraded: list[DegradedOut]
    why_not: list[WhyNotOut]


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
        case StoredEpisode(episode=episode) as stored:
            whose = {"user": episode.user, "episode_ids": [stored.id]}
            return {**parts, **whose, "episode": Joined(line, episode), "text": episode.content}
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
    for. `score`: below `least_score`. `excluded`: the window or a session, as asked. `guaranteed`: the ids of facts
    among them that must be known, but did not fit.
    """

    kind: LineKind
    count: int
    because: Because
    guaranteed: list[str]


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
