"""What is believed of a predicate, and who is who: what proposes that two entities are the same, and decides it."""

from dataclasses import replace
from typing import Annotated, Self

from pydantic import AfterValidator, Field, model_validator

from graphmem.errors import as_value_errors
from graphmem.model.matching import MatchingSettings, Stage, StageSettings, TypeSettings, packaged_types
from graphmem.model.ontology import TYPE
from graphmem.model.projection.existence import Bounding
from graphmem.model.projection.predicate import Cardinality, Policy, WinningRule, policy_of, predicate_name
from graphmem.settings.tables import Table


class PredicateSettings(Table):
    """How many values a predicate holds at a time, of one which is believed, of what, and what it tells of existence.

    A table each in the file.
    """

    cardinality: Cardinality
    rule: WinningRule | None = None
    bound: Bounding | None = None
    irreflexive: bool | None = None

    @model_validator(mode="after")
    def _fits(self) -> Self:
        with as_value_errors():
            self.policy()
        return self

    def policy(self) -> Policy:
        return policy_of(self.cardinality, self.rule, self.bound, irreflexive=self.irreflexive)


def _predicate_name(name: str) -> str:
    with as_value_errors():
        return predicate_name(name)


PredicateName = Annotated[str, AfterValidator(_predicate_name)]


def _type_name(name: str) -> str:
    if not TYPE.fullmatch(name):
        raise ValueError("The name of a type is one word. Write it as claims and the ontology do.")
    return name


class StageTable(Table):
    """A stage that proposes pairs. What is left out is as it is for all types, or by default."""

    enabled: bool | None = None
    threshold: float | None = Field(default=None, ge=0, le=1)
    limit: int | None = Field(default=None, gt=0)

    def over(self, inherited: StageSettings) -> StageSettings:
        return replace(inherited, **self.model_dump(exclude_none=True))


def _limits_fit(stages: dict[Stage, StageTable]) -> dict[Stage, StageTable]:
    for stage, table in stages.items():
        if table.limit is not None and stage is not Stage.EMBEDDING:
            raise ValueError(f"Only the stage embedding has a limit. For {stage}, set matching.most_holders.")
    return stages


StageTables = Annotated[dict[Stage, StageTable], AfterValidator(_limits_fit)]


class TypeTable(Table):
    """How pairs of one type are proposed and decided. What is left out is as it is for all types."""

    same_from: float | None = Field(default=None, allow_inf_nan=False)
    review_from: float | None = Field(default=None, allow_inf_nan=False)
    stages: StageTables = Field(default_factory=dict)

    def over(self, inherited: TypeSettings) -> TypeSettings:
        stages = {stage: table.over(inherited.stage(stage)) for stage, table in self.stages.items()}
        scores = self.model_dump(include={"same_from", "review_from"}, exclude_none=True)
        return replace(inherited, stages={**inherited.stages, **stages}, **scores)


_MATCHING = MatchingSettings()


class MatchingTable(Table):
    """Who is who: what proposes that two entities are the same, and from which score on they are."""

    enabled: bool = True
    """Whether entities are compared by schedule."""
    keys: frozenset[PredicateName] = _MATCHING.keys
    """Predicates; two entities of a type that share a value are the same."""
    exclusive: frozenset[PredicateName] = _MATCHING.exclusive
    """Keys of which a thing has one, so that two values say different."""
    same_from: float = Field(default=_MATCHING.default.same_from, allow_inf_nan=False)
    review_from: float = Field(default=_MATCHING.default.review_from, allow_inf_nan=False)
    most_holders: int = Field(default=_MATCHING.most_holders, gt=0)
    model_reviews: bool = False
    """Whether a language model decides what is left open; it is shown what is said."""
    pairs_per_call: int = Field(default=_MATCHING.pairs_per_call, gt=0, le=100)
    refine: bool = _MATCHING.refine
    """Whether weights of attributes are learnt from the group's own pairs."""
    stages: StageTables = Field(default_factory=dict)
    types: dict[Annotated[str, AfterValidator(_type_name)], TypeTable] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _fits(self) -> Self:
        with as_value_errors():
            self.settings()
        return self

    def settings(self) -> MatchingSettings:
        """The settings of each type, complete."""
        for_all = TypeTable(same_from=self.same_from, review_from=self.review_from, stages=self.stages)
        default = for_all.over(_MATCHING.default)
        packaged = packaged_types(default)
        types = {name: table.over(packaged.get(name, default)) for name, table in self.types.items()}
        same = self.model_dump(include={"keys", "exclusive", "most_holders", "pairs_per_call", "refine"})
        return MatchingSettings(default=default, types={**packaged, **types}, **same)
