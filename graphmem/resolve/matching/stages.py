"""What proposes a pair: stages that look at it one after the other, each with its threshold. None decides."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from rapidfuzz import fuzz

from graphmem.model.matching import Agreement, MatchingSettings, MatchProfile, Neighbour, Stage, TypeSettings
from graphmem.resolve.matching.identifiers import Finding
from graphmem.resolve.matching.names import ParsedName, are_compatible, kind_of, parsed, share_word, telling
from graphmem.resolve.matching.score import ComparedNames, beside_names, score_of

_BITS = 3.0
"""An attribute that says so much proposes a pair."""
_OF_NAMES = frozenset({"variant", "initial", "part", "acronym"})


def nearest(profile: MatchProfile, found: Iterable[Neighbour], settings: MatchingSettings) -> dict[str, float]:
    """The nearest that it may be, by id, up to the limit of its type, and all that were found before; with nearness."""
    chosen = settings.of([profile.type]).stage(Stage.EMBEDDING)
    fit = [one for one in found if one.nearness >= chosen.threshold and _may_be(profile, one)]
    fit.sort(key=lambda one: (-one.nearness, one.id))
    now = [one for one in fit if not one.before][: chosen.limit]
    return {one.id: one.nearness for one in (*now, *(one for one in fit if one.before))}


def _may_be(profile: MatchProfile, other: Neighbour) -> bool:
    """Whether types leave it open, and the names share no word: by a word they are found without vectors."""
    kind = kind_of(telling(profile.type, other.type))
    share = share_word(parsed(profile.name, kind), parsed(other.name, kind))
    return are_compatible(profile.type, other.type) and not share


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A pair that may be proposed. ``nearness`` is the cosine of its names' vectors, 0 if they are not near."""

    names: ComparedNames
    found: Finding
    contributions: tuple[Agreement, ...]
    nearness: float


def stages_of(candidate: Candidate, settings: TypeSettings) -> Iterator[Stage]:
    """The stages that propose the pair, in order."""
    for stage, measure in _MEASURES.items():
        chosen = settings.stage(stage)
        if chosen.enabled and measure(candidate) >= max(chosen.threshold, 1e-9):
            yield stage


def _exactness(candidate: Candidate) -> float:
    names = candidate.names
    return float(names.a.key == names.b.key and bool(names.a.key))


def fuzziness(a: ParsedName, b: ParsedName) -> float:
    """How similar two names are, from 0 to 1, whatever the order of their words."""
    return max(fuzz.ratio(a.joined, b.joined), fuzz.token_sort_ratio(a.key, b.key)) / 100


def _fuzziness(candidate: Candidate) -> float:
    return fuzziness(candidate.names.a, candidate.names.b)


def _nearness(candidate: Candidate) -> float:
    """Names that share a word are near for that word, which the score weighs."""
    return 0.0 if share_word(candidate.names.a, candidate.names.b) else candidate.nearness


def _rules(candidate: Candidate) -> float:
    """1 if an identifier, an attribute, or a rule of names speaks for the pair."""
    if candidate.found.same or any(one.weight >= _BITS for one in beside_names(candidate.contributions)):
        return 1.0
    of_names = {one.level for one in candidate.names.contributions}
    short = any(one.part == "word" and one.level == "exact" for one in candidate.names.contributions)
    fits = "different" not in of_names and bool(of_names & _OF_NAMES)
    models = any(one.part == "model" for one in candidate.contributions)
    return float(short or fits or models or score_of(candidate.contributions) > 0)


_MEASURES: dict[Stage, Callable[[Candidate], float]] = {
    Stage.EXACT: _exactness,
    Stage.FUZZY: _fuzziness,
    Stage.EMBEDDING: _nearness,
    Stage.RULES: _rules,
}
