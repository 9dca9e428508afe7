"""What each reason to show something counts: the packaged weights, and a file that replaces all or some of them."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

from graphmem.errors import ConfigurationError

MOST = 1000
"""No weight in a file is further from 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnWeights:
    """Reasons to show a turn, by the names that explanations give them; ``weights.toml`` says what each is."""

    text: float
    vector: float
    surroundings: float
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
class TextWeights:
    """Reasons to show a summary or a reflection."""

    text: float
    vector: float
    turn: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """``kinds`` is what a point of each kind is worth in one list."""

    turns: TurnWeights
    beliefs: BeliefWeights
    entities: EntityWeights
    texts: TextWeights
    kinds: Mapping[str, float]

    @property
    def tables(self) -> dict[str, dict[str, float]]:
        """The weights as a file has them: by table and name."""
        return asdict(self)


@lru_cache(maxsize=1)
def packaged() -> Weights:
    """The weights that hold where no file of others is given."""
    return _of(tomllib.loads(files("graphmem.retrieve").joinpath("weights.toml").read_text("utf-8")))


def weights_of(path: Path | None) -> Weights:
    """The weights of a file in the form of the packaged ``weights.toml``; what it does not name is as packaged.

    Raises:
        ConfigurationError: the file is absent, is no TOML, or has a table, a name or a value that does not fit; the
            message names every one of them.
    """
    if path is None:
        return packaged()
    try:
        given: dict[str, object] = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise _unusable(path, f"cannot be read ({error.strerror})") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise _unusable(path, f"is no TOML: {error}") from error
    known = packaged().tables
    if problems := list(_problems(given, known)):
        raise _unusable(path, f"does not fit: {'; '.join(problems)}")
    tables = cast("dict[str, dict[str, float]]", given)
    return _of({table: {**weights, **tables.get(table, {})} for table, weights in known.items()})


def _problems(given: Mapping[str, object], known: Mapping[str, Mapping[str, float]]) -> Iterable[str]:
    for table, weights in given.items():
        if table not in known:
            yield f"there is no table [{table}], only {_listed(known)}"
        elif not isinstance(weights, dict):
            yield f"{table} is no table; write [{table}], and its weights below"
        else:
            yield from _of_table(table, cast("dict[str, object]", weights), known[table])


def _of_table(table: str, given: Mapping[str, object], known: Mapping[str, float]) -> Iterable[str]:
    for name, value in given.items():
        if name not in known:
            yield f"[{table}] has no weight {name!r}, only {_listed(known)}"
        elif isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= MOST:
            yield f"{table}.{name} is no number from -{MOST} to {MOST}: {value!r}"
        elif table == "kinds" and value <= 0:
            yield f"{table}.{name} must be above 0: it is what a point of this kind is worth beside others"


def _unusable(path: Path, problem: str) -> ConfigurationError:
    return ConfigurationError(
        f"The file of weights {str(path)!r} {problem}. Mend it, or take search.weights out of the settings: "
        f"then the packaged weights hold."
    )


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)


def _of(tables: Mapping[str, Any]) -> Weights:
    return Weights(
        turns=TurnWeights(**_floats(tables["turns"])),
        beliefs=BeliefWeights(**_floats(tables["beliefs"])),
        entities=EntityWeights(**_floats(tables["entities"])),
        texts=TextWeights(**_floats(tables["texts"])),
        kinds=_floats(tables["kinds"]),
    )


def _floats(weights: Mapping[str, float]) -> dict[str, float]:
    return {name: float(value) for name, value in weights.items()}
