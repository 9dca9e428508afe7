"""Who may be who: what is compared, what is found, and the settings by which it is decided."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from graphmem.errors import InvalidInput
from graphmem.model.entity import is_given
from graphmem.model.ids import digest

Pair = tuple[str, str]
"""Ids of two entities, the smaller first."""


Shifts = Mapping[str, Mapping[str, float]]
"""By how many bits each level of an attribute says more in a group than the packaged weights have it."""


def pair_of(a: str, b: str) -> Pair:
    return (a, b) if a < b else (b, a)


OF_WHOLE_NAMES = "1"
"""How tokens of terms end that are counted for each entity; the others are counted for each name."""
BUCKETS = tuple(1 << power for power in range(1, 17))
"""Numbers of holders from which on a term counts as more common (``resolve.frequencies``)."""
NEAR = 100
"""Code points from the start of a name to that of another one by which a text may tell the two apart."""
LONGEST_SHOWN = 200
"""Characters of a value that a language model is shown."""
MOST_SHOWN_VALUES = 10
MOST_SHOWN_PREDICATES = 40


FAMILY = frozenset({"child", "parent", "partner", "sibling"})
"""Predicates of which one person is at most one to another."""


class Verdict(StrEnum):
    """What is thought of a pair."""

    SAME = "same"
    REVIEW = "review"
    DIFFERENT = "different"


class Stage(StrEnum):
    """What proposes a pair. A judgement names the first that did, in this order."""

    EXACT = "exact"
    FUZZY = "fuzzy"
    EMBEDDING = "embedding"
    RULES = "rules"


class Method(StrEnum):
    """What decides a pair, in this order. ``CONTEXT``: what else is named where a short name is, in each session.

    ``USER``: in a user's memory, a name that the user goes by is the user.
    """

    HUMAN = "human"
    IDENTIFIER = "identifier"
    USER = "user"
    VETO = "veto"
    SCORE = "score"
    CONTEXT = "context"
    MODEL = "model"


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyTie:
    """What somebody is to another entity, ``of``, as ``user`` is told: the object of one of the ``FAMILY`` predicates.

    ``ended``: the one is said not to be that to the other, any more or at all.
    """

    predicate: str
    of: str
    user: str
    ended: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchProfile:
    """An entity as far as the reader may see it.

    ``names`` are all names it is called by, ``name`` included. ``values`` has the values, or names of the objects, that
    are or were believed of each predicate, as text; ``related`` the ids of objects, each with a predicate. ``source``
    is that of the qualifier: “crm” of “crm:17”. ``in_sessions``: a text of a session names it.
    ``family``: what it is to others.
    """

    id: str
    type: str
    name: str
    qualifier: str = ""
    names: frozenset[str] = frozenset()
    values: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    related: frozenset[tuple[str, str]] = frozenset()
    first_seen: datetime
    source: str = ""
    protected: bool = False
    in_sessions: bool = False
    family: frozenset[FamilyTie] = frozenset()

    def has_id_beside(self, other: "MatchProfile") -> bool:
        """Whether somebody gave both an id, each another one of the same source."""
        own, theirs = (profile.qualifier for profile in (self, other))
        return is_given(own) and own != theirs and own.partition(":")[0] == theirs.partition(":")[0]

    @property
    def shown(self) -> Mapping[str, object]:
        """What a language model is shown of it: so much of what is said as there is room for."""
        known = {
            predicate: [value[:LONGEST_SHOWN] for value in sorted(values)[:MOST_SHOWN_VALUES]]
            for predicate, values in sorted(self.values.items())[:MOST_SHOWN_PREDICATES]
        }
        return {"type": self.type, "name": self.name, "names": sorted(self.names), "id": self.qualifier, "said": known}


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """An entity in the eyes of a user, ``due`` to be compared. ``private``: something is said of it for that user."""

    entity_id: str
    user: str
    due: datetime
    private: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """An entity whose name is near to that of another: ``nearness`` is the cosine of their vectors.

    ``before``: it was found near when they were last compared, and may be none of the nearest now.
    """

    id: str
    type: str
    name: str
    nearness: float
    before: bool = False


def evidence_of(a: MatchProfile, b: MatchProfile) -> str:
    """A fingerprint of what is shown of two."""
    return digest("evidence", json.dumps([a.shown, b.shown]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """What one part says about a pair: its level of agreement, ``weight`` in bits, and what was compared.

    ``refined``: the weight is not the packaged one, but what pairs of the group taught.
    """

    part: str
    level: str
    weight: float
    of_a: str = ""
    of_b: str = ""
    refined: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What is thought of the pair ``a`` < ``b``, and why.

    ``score`` is the base-2 logarithm of the odds that they are the same: the sum of the contributions, of which the
    prior is one. ``vetoes`` are reasons in plain words.
    """

    a: str
    b: str
    verdict: Verdict
    stage: Stage | None
    method: Method
    score: float
    probability: float
    contributions: tuple[Agreement, ...]
    vetoes: tuple[str, ...] = ()

    @property
    def pair(self) -> Pair:
        return self.a, self.b

    @property
    def is_same(self) -> bool:
        return self.verdict is Verdict.SAME

    @property
    def keeps_apart(self) -> bool:
        """Whether a person, an identifier or a veto says that the two differ; a low score alone keeps nobody apart.

        What is put to a person in spite of a veto stays apart until they answer.
        """
        if self.verdict is Verdict.REVIEW:
            return bool(self.vetoes)
        by_likeness = self.method in (Method.SCORE, Method.MODEL)
        return self.verdict is Verdict.DIFFERENT and (bool(self.vetoes) or not by_likeness)


class Says(StrEnum):
    """What a language model says of a pair."""

    SAME = "same"
    DIFFERENT = "different"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAnswer:
    """What a language model says of a pair, and why."""

    says: Says
    reason: str
    model: str


class PairReviewer(Protocol):
    """Asks a language model about pairs."""

    async def review(self, pairs: Sequence[tuple[MatchProfile, MatchProfile]]) -> list[ModelAnswer]:
        """An answer for each pair, in order."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Clustering:
    """Clusters of two or more, sorted.

    ``accepted`` are the judgements that connect them, without a circle; those ``refused``, each with its reason, become
    reviews.
    """

    clusters: tuple[tuple[str, ...], ...]
    accepted: tuple[Judgement, ...]
    refused: tuple[tuple[Judgement, str], ...]


class Frequencies(Protocol):
    """How common a term is in a group: counts in power-of-two buckets, so that they seldom change."""

    def count(self, field: str, term: str) -> int:
        """How many distinct keys hold the term in the field; 0 if none is known."""
        ...

    def total(self, field: str) -> int:
        """How many distinct keys hold any term in the field."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class StageSettings:
    """``threshold`` is a similarity from 0 to 1; ``limit`` is the most candidates that an entity takes from it."""

    enabled: bool = True
    threshold: float = 0.0
    limit: int = 64


def _stages() -> Mapping[Stage, StageSettings]:
    return {
        Stage.EXACT: StageSettings(threshold=1.0),
        Stage.FUZZY: StageSettings(threshold=0.85),
        Stage.EMBEDDING: StageSettings(threshold=0.80, limit=10),
        Stage.RULES: StageSettings(),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeSettings:
    """How pairs of a type are proposed and decided.

    ``same_from`` and ``review_from`` are scores in bits: at or above, the pair is the same, or is asked about.
    Of stages that are not among ``stages`` the defaults hold.

    Raises:
        InvalidInput: what is the same would be asked about no more.
    """

    stages: Mapping[Stage, StageSettings] = field(default_factory=_stages)
    same_from: float = 4.5
    review_from: float = -8.0

    def __post_init__(self) -> None:
        if self.same_from < self.review_from:
            raise InvalidInput(
                f"same_from ({self.same_from}) is below review_from ({self.review_from}). Raise it, or lower the other."
            )

    def stage(self, stage: Stage) -> StageSettings:
        return self.stages.get(stage) or _stages()[stage]


def packaged_types(default: TypeSettings) -> Mapping[str, TypeSettings]:
    """Types that are other than the default: persons' names that are near by their vectors are those of two."""
    off = replace(default.stage(Stage.EMBEDDING), enabled=False)
    return {"person": replace(default, stages={**default.stages, Stage.EMBEDDING: off})}


def _types() -> Mapping[str, TypeSettings]:
    return packaged_types(TypeSettings())


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchingSettings:
    """``types`` are exceptions to ``default``. ``keys`` are predicates whose equal value alone says *same*.

    ``exclusive`` are those of which a thing has one, given by a machine: two valid ones more than an edit apart say
    *different*. ``most_holders``: a blocking key that more entities hold is too common to be looked up.
    ``pairs_per_call`` are shown to a language model at once, which decides nothing about what is computed. ``refine``:
    weights of attributes are learnt from the group's own pairs.
    """

    default: TypeSettings = field(default_factory=TypeSettings)
    types: Mapping[str, TypeSettings] = field(default_factory=_types)
    keys: frozenset[str] = frozenset()
    exclusive: frozenset[str] = frozenset()
    most_holders: int = 64
    pairs_per_call: int = 20
    refine: bool = False

    @property
    def fingerprint(self) -> str:
        """Differs from that of any other settings by which something else is computed.

        What is learnt is followed by itself.
        """
        computing = {name: value for name, value in asdict(self).items() if name not in ("pairs_per_call", "refine")}
        return digest("matching", json.dumps(computing, sort_keys=True, default=sorted))

    def of(self, types: Iterable[str]) -> TypeSettings:
        """The settings of the first of the types that has any of its own."""
        return next((self.types[type_] for type_ in types if type_ in self.types), self.default)
