"""What goes into a prompt: what is asked for, the lines of each part, and what was left out and why."""

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Annotated

from pydantic import Field

from graphmem.errors import InvalidInput
from graphmem.model.belief import BeliefRow
from graphmem.model.claim import Category
from graphmem.model.episode import StoredEpisode
from graphmem.model.recall import KnownEntity
from graphmem.model.reflection import StoredReflection
from graphmem.model.summary import StoredSummary

Shown = BeliefRow | StoredEpisode | StoredSummary | StoredReflection
"""What a line of a context shows."""

GUARANTEED = frozenset({Category.IDENTITY, Category.CONSTRAINT, Category.INSTRUCTION})
"""What must be known of somebody, however important it is: who they are, what must not be, what they ask for."""
MOST_TOKENS = 200_000
CHARS_OF_A_TOKEN = 50
"""What has more characters for each token of a budget is too long, and nobody counts its tokens."""


@dataclass(frozen=True, slots=True)
class ProfileCandidate:
    """A belief that may stand in a profile, by the id of its row. On ``days_used`` days answers brought it."""

    id: str
    importance: float
    days_used: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextLimits:
    """How much of each kind a context has at most.

    A profile has all that must be known of somebody (``GUARANTEED``), and so many ``facts`` beside it, each of
    ``least_importance``, within ``facts_share`` of the tokens that are left. ``beliefs`` and ``passages`` are
    what a search brings, passages of ``least_score``: (1 + cosine) / 2 of the question and it, as a vector index of
    Neo4j scores; those from which no claims were read because of their language come after these, of any score.
    ``summaries`` are those of the session that no other one covers, the newest; ``near_summaries`` those of any session
    that are nearest to the question, of ``least_summary_score`` on the same scale. ``window`` is how many of the
    session's last turns are verbatim; ``earlier`` how many before them may be where no summary covers them.
    ``weekly_insight``: the newest reflection is in it.
    """

    max_tokens: Annotated[int, Field(ge=1, le=MOST_TOKENS)] = 2_000
    facts: Annotated[int, Field(ge=0, le=100)] = 20
    least_importance: Annotated[float, Field(ge=0, le=1)] = 0.5
    facts_share: Annotated[float, Field(ge=0, le=1)] = 0.4
    beliefs: Annotated[int, Field(ge=0, le=100)] = 10
    passages: Annotated[int, Field(ge=0, le=100)] = 20
    least_score: Annotated[float, Field(ge=0, le=1)] = 0.55
    summaries: Annotated[int, Field(ge=0, le=100)] = 10
    near_summaries: Annotated[int, Field(ge=0, le=100)] = 3
    least_summary_score: Annotated[float, Field(ge=0, le=1)] = 0.55
    window: Annotated[int, Field(ge=0, le=200)] = 20
    earlier: Annotated[int, Field(ge=0, le=200)] = 20
    weekly_insight: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextQuery(ContextLimits):
    """What a context is asked for: a ``query``, a ``session``, or both, within limits.

    Profiles are of the user, whom the session is about, who speaks in it, and whom the query names; right after the
    user's comes that of ``about``, an id or a name. ``exclude_window`` leaves the window out, also as passages.
    ``exclude_session`` leaves out the turns of a session, its summaries, and what only it says, however important that
    is.
    """

    query: str | None = None
    session: str | None = None
    about: str | None = None
    exclude_window: bool = False
    exclude_session: str | None = None

    def __post_init__(self) -> None:
        if self.query is None and self.session is None:
            raise InvalidInput("A context is asked for a query, a session, or both. Give at least one of them.")


class LineKind(StrEnum):
    """``PROFILE`` and ``BELIEF`` are beliefs, about somebody and about the question; the last two are episodes."""

    REFLECTION = "reflection"
    PROFILE = "profile"
    SUMMARY = "summary"
    BELIEF = "belief"
    PASSAGE = "passage"
    TURN = "turn"


class Keep(IntEnum):
    """How long a line is kept while the budget shrinks: those of the lowest value go first.

    What must be known of somebody goes when nothing else is left.
    """

    EARLIER_TURN = 0
    SUMMARY = 1
    PASSAGE = 2
    BELIEF = 3
    REFLECTION = 4
    TURN = 5
    PROFILE = 6
    GUARANTEED = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One thing in a context. ``written`` is how the Markdown has it, without the dash.

    Of two lines of one ``keep`` that with the higher ``rank`` goes first. ``withdrawn`` are words of a turn that a
    retracted claim quotes; ``carried_out`` is what was done later of a plan or a wish. ``text`` is what still counts
    of a summary or a reflection.
    """

    kind: LineKind
    written: str
    keep: Keep
    rank: int
    thing: Shown
    withdrawn: tuple[str, ...] = ()
    carried_out: tuple[BeliefRow, ...] = ()
    text: str = ""

    @property
    def key(self) -> str:
        """The id of the row of the belief, of the version, or of the episode. Each stands in a context once."""
        return self.thing.id


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Lines under a heading; ``entity`` is whom a profile is of."""

    heading: str
    lines: tuple[Line, ...]
    entity: KnownEntity | None = None


class Because(StrEnum):
    """Why something was left out.

    There is no room, it is too long by itself, more than asked for, scores too low, was asked to be, or says the same
    as what is there.
    """

    MAX_TOKENS = "max_tokens"
    TOO_LONG = "too_long"
    LIMIT = "limit"
    SCORE = "score"
    EXCLUDED = "excluded"
    REPEATED = "repeated"


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """So many lines of a kind. ``guaranteed`` are the ids of beliefs among them that should have been there."""

    kind: LineKind
    count: int
    because: Because
    guaranteed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Composed:
    """A context: Markdown of ``tokens`` tokens, and the same in parts. ``warnings`` say what could not be read."""

    markdown: str
    tokens: int
    parts: tuple[Part, ...]
    left_out: tuple[LeftOut, ...]
    warnings: tuple[str, ...] = ()
