"""What all parts of two entities say together, in bits, and what proposes a pair: stages, each with its threshold."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from math import exp2

from rapidfuzz import fuzz

from graphmem.model.entity import normalise_name
from graphmem.model.matching import Agreement, MatchingSettings, MatchProfile, Neighbour, Stage, TypeSettings
from graphmem.resolve.matching.agreement import compare_names, compare_people
from graphmem.resolve.matching.attributes import compare_values
from graphmem.resolve.matching.fold import edits, folded
from graphmem.resolve.matching.identifiers import Finding
from graphmem.resolve.matching.names import (
    NameKind,
    ParsedName,
    are_compatible,
    are_of_two_sorts,
    kind_of,
    parsed,
    share_word,
    telling,
)
from graphmem.resolve.matching.numbers import models_of
from graphmem.resolve.matching.spelling import is_exact, is_safe
from graphmem.resolve.matching.values import ValueShape, value_of
from graphmem.resolve.matching.weights import Rarity

_LONG_CODE = 6
_MANY, _FEW = 64, 4
_AGAINST = -1.0
TYPE = "type"
"""What two are taken for."""
FIELDS_OF_NAMES = frozenset({"given", "family", "middle", "name", "described"})
"""Parts of a name that records have."""
_OF_NAMES = FIELDS_OF_NAMES | {"prior", "order", "word", "model", "one_name"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedNames:
    """Two names, and what they say. ``safe``: one name, written in a safe way."""

    a: ParsedName
    b: ParsedName
    contributions: tuple[Agreement, ...]
    safe: bool

    @property
    def bits(self) -> float:
        return sum(agreement.weight for agreement in self.contributions)


def compare_best(a: tuple[ParsedName, ...], b: tuple[ParsedName, ...], rarity: Rarity) -> ComparedNames:
    """The two names, one of each, that agree the most."""
    compared = [_compared(x, y, rarity) for x, y in product(a, b)]
    return max(compared, key=lambda names: (names.safe, names.bits, *sorted((names.a.text, names.b.text))))


def _compared(a: ParsedName, b: ParsedName, rarity: Rarity) -> ComparedNames:
    if a.kind is NameKind.PERSON:
        contributions = compare_people(a.person, b.person, rarity)
    else:
        contributions = [compare_names(a, b, rarity)]
    return ComparedNames(a=a, b=b, contributions=tuple(contributions), safe=is_exact(a, b) or is_safe(a, b))


def contributions_of(a: MatchProfile, b: MatchProfile, names: ComparedNames, rarity: Rarity) -> tuple[Agreement, ...]:
    """The prior, and what names, models and attributes say. They sum to the score."""
    prior = Agreement(part="prior", level="", weight=rarity.prior())
    values = (*_types(a, b, rarity), *compare_values(a, b, rarity))
    bare = (_one_name(names, rarity),) if _is_one_name(a, b, names, values) else ()
    return (prior, *names.contributions, *bare, *_model(a, b, names, rarity), *values)


def _is_one_name(a: MatchProfile, b: MatchProfile, names: ComparedNames, values: Iterable[Agreement]) -> bool:
    """Whether two bare names are one, written in two ways. Of equal names something tells apart which is meant."""
    bare = not a.qualifier and not b.qualifier and names.safe
    told_apart = normalise_name(a.name) == normalise_name(b.name) and bool(a.values or b.values)
    return bare and not told_apart and all(agreement.weight > _AGAINST for agreement in values)


def _types(a: MatchProfile, b: MatchProfile, rarity: Rarity) -> Iterator[Agreement]:
    """What it says that the two are taken for different things, or both for places or organizations of two sorts."""
    if not are_compatible(a.type, b.type):
        yield rarity.agreement(TYPE, "different", a.type, b.type)
    elif are_of_two_sorts(a.type, b.type):
        yield rarity.agreement(TYPE, "sort", a.type, b.type)


def _one_name(names: ComparedNames, rarity: Rarity) -> Agreement:
    weight = rarity.weights.one_name
    return Agreement(part="one_name", level="safe", weight=weight, of_a=names.a.text, of_b=names.b.text)


def _model(a: MatchProfile, b: MatchProfile, names: ComparedNames, rarity: Rarity) -> tuple[Agreement, ...]:
    """What codes in names say, which may stand in a long text of the other, too."""
    if names.a.kind in (NameKind.PERSON, NameKind.CODE, NameKind.DATE):
        return ()
    in_a, in_b = models_of(names.a.text), models_of(names.b.text)
    if shared := shared_models(a, b, names):
        rarest = min(sorted(shared), key=lambda code: _of_model(code, rarity))
        level = "rare" if _is_rare(rarest, rarity) else "exact"
        return (rarity.agreement("model", level, rarest, rarest, frequency=_of_model(rarest, rarity)),)
    near = sorted((x, y) for x, y in product(in_a, in_b) if _is_near(x, y))
    return (rarity.agreement("model", "slip", *near[0]),) if near else ()


def _is_rare(code: str, rarity: Rarity) -> bool:
    """Whether the group has many codes, and this one in few places."""
    return rarity.total("model") >= _MANY and rarity.holders("model", code) <= _FEW


def shared_models(a: MatchProfile, b: MatchProfile, names: ComparedNames) -> frozenset[str]:
    """Codes in the name of one that are in the name or a long text of the other."""
    in_a, in_b = models_of(names.a.text), models_of(names.b.text)
    written_apart = {code for code in in_a if _stands_in(code, names.b)} | {
        code for code in in_b if _stands_in(code, names.a)
    }
    return frozenset(in_a & (in_b | _in_texts(b)) | in_b & (in_a | _in_texts(a)) | written_apart)


def _stands_in(code: str, name: ParsedName) -> bool:
    """Whether it is written there with spaces: sd1100is in “SD1100 IS”."""
    words = folded(name.text).replace(".", "").split()
    runs = ("".join(words[at : at + size]) for size in (2, 3) for at in range(len(words) - size + 1))
    return len(code) >= _LONG_CODE and code in runs


def _of_model(code: str, rarity: Rarity) -> float:
    return rarity.of("model" if len(code) >= _LONG_CODE else "short_model", code, "model")


def _is_near(a: str, b: str) -> bool:
    """One of them has a letter more, a variant of the model."""
    return edits(a, b) == 1 and len(a) != len(b)


def _in_texts(profile: MatchProfile) -> frozenset[str]:
    values = (value_of(text) for texts in profile.values.values() for text in texts)
    return frozenset(code for value in values if value.shape is ValueShape.LONG for code in models_of(value.text))


def score_of(contributions: Iterable[Agreement]) -> float:
    return sum(agreement.weight for agreement in contributions)


def probability_of(score: float) -> float:
    return 1 / (1 + exp2(-max(min(score, 1000.0), -1000.0)))


def beside_names(contributions: tuple[Agreement, ...]) -> tuple[Agreement, ...]:
    """The contributions that are no matter of names."""
    return tuple(agreement for agreement in contributions if is_beside_names(agreement))


def is_beside_names(contribution: Agreement) -> bool:
    return contribution.part not in _OF_NAMES


_BITS = 3.0
"""An attribute that says so much proposes a pair."""
_LEVELS_OF_NAMES = frozenset({"variant", "initial", "part", "acronym"})


def nearest(profile: MatchProfile, neighbours: Iterable[Neighbour], settings: MatchingSettings) -> dict[str, float]:
    """The nearest that it may be, by id, up to the limit of its type, and all that were found before; with nearness."""
    chosen = settings.of([profile.type]).stage(Stage.EMBEDDING)
    fit = [
        neighbour for neighbour in neighbours if neighbour.nearness >= chosen.threshold and _may_be(profile, neighbour)
    ]
    fit.sort(key=lambda neighbour: (-neighbour.nearness, neighbour.id))
    now = [neighbour for neighbour in fit if not neighbour.before][: chosen.limit]
    return {
        neighbour.id: neighbour.nearness for neighbour in (*now, *(neighbour for neighbour in fit if neighbour.before))
    }


def _may_be(profile: MatchProfile, other: Neighbour) -> bool:
    """Whether types leave it open, and the names share no word: by a word they are found without vectors."""
    kind = kind_of(telling(profile.type, other.type))
    share = share_word(parsed(profile.name, kind), parsed(other.name, kind))
    return are_compatible(profile.type, other.type) and not share


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A pair that may be proposed. ``nearness`` is the cosine of its names' vectors, 0 if they are not near."""

    names: ComparedNames
    finding: Finding
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


def _fuzziness(candidate: Candidate) -> float:
    """How similar two names are, from 0 to 1, whatever the order of their words."""
    a, b = candidate.names.a, candidate.names.b
    return max(fuzz.ratio(a.joined, b.joined), fuzz.token_sort_ratio(a.key, b.key)) / 100


def _nearness(candidate: Candidate) -> float:
    """Names that share a word are near for that word, which the score weighs."""
    return 0.0 if share_word(candidate.names.a, candidate.names.b) else candidate.nearness


def _rules(candidate: Candidate) -> float:
    """1 if an identifier, an attribute, or a rule of names speaks for the pair."""
    if candidate.finding.same or any(agreement.weight >= _BITS for agreement in beside_names(candidate.contributions)):
        return 1.0
    of_names = {agreement.level for agreement in candidate.names.contributions}
    short = any(agreement.part == "word" and agreement.level == "exact" for agreement in candidate.names.contributions)
    fits = "different" not in of_names and bool(of_names & _LEVELS_OF_NAMES)
    models = any(agreement.part == "model" for agreement in candidate.contributions)
    return float(short or fits or models or score_of(candidate.contributions) > 0)


_MEASURES: dict[Stage, Callable[[Candidate], float]] = {
    Stage.EXACT: _exactness,
    Stage.FUZZY: _fuzziness,
    Stage.EMBEDDING: _nearness,
    Stage.RULES: _rules,
}
