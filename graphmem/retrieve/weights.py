"""The packaged weights: what each reason to show something counts."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnWeights:
    """Reasons to show a turn, by the names that explanations give them; ``weights.toml`` says what each is."""

    text: float
    vector: float
    window: float
    text_before: float
    text_nearby: float
    vector_before: float
    vector_after: float
    vector_nearby: float
    belief_text: float
    belief_vector: float
    belief_graph: float
    speaker: float
    length: float
    question: float
    time: float
    date: float
    asker: float
    session: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BeliefWeights:
    """Reasons to show a belief."""

    text: float
    vector: float
    graph: float
    turn: float
    open: float


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityWeights:
    """Reasons to show an entity."""

    named: float
    vector: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """``kinds`` is what a point of each kind is worth in one list."""

    turns: TurnWeights
    beliefs: BeliefWeights
    entities: EntityWeights
    kinds: Mapping[str, float]


@lru_cache(maxsize=1)
def packaged() -> Weights:
    read: dict[str, Any] = tomllib.loads(files("graphmem.retrieve").joinpath("weights.toml").read_text("utf-8"))
    return Weights(
        turns=TurnWeights(**read["turns"]),
        beliefs=BeliefWeights(**read["beliefs"]),
        entities=EntityWeights(**read["entities"]),
        kinds=read["kinds"],
    )
