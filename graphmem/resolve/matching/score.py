"""What all parts of two entities say together, in bits."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from math import exp2

from graphmem.model.entity import normalise_name
from graphmem.model.matching import Agreement, MatchProfile
from graphmem.resolve.matching.attributes import compare_values
from graphmem.resolve.matching.fold import edits, folded
from graphmem.resolve.matching.names import NameKind, ParsedName
from graphmem.resolve.matching.numbers import models_of
from graphmem.resolve.matching.people import compare_people
from graphmem.resolve.matching.spelling import is_exact, is_safe
from graphmem.resolve.matching.values import ValueShape, value_of
from graphmem.resolve.matching.weights import Rarity
from graphmem.resolve.matching.words import compare_names

_LONG_CODE = 6
_MANY, _FEW = 64, 4
_AGAINST = -1.0
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
        return sum(one.weight for one in self.contributions)


def compare_best(a: tuple[ParsedName, ...], b: tuple[ParsedName, ...], rarity: Rarity) -> ComparedNames:
    """The two names, one of each, that agree the most."""
    found = [_compared(x, y, rarity) for x, y in product(a, b)]
    return max(found, key=lambda one: (one.safe, one.bits, *sorted((one.a.text, one.b.text))))


def _compared(a: ParsedName, b: ParsedName, rarity: Rarity) -> ComparedNames:
    if a.kind is NameKind.PERSON:
        contributions = compare_people(a.person, b.person, rarity)
    else:
        contributions = [compare_names(a, b, rarity)]
    return ComparedNames(a=a, b=b, contributions=tuple(contributions), safe=is_exact(a, b) or is_safe(a, b))


def contributions_of(a: MatchProfile, b: MatchProfile, names: ComparedNames, rarity: Rarity) -> tuple[Agreement, ...]:
    """The prior, and what names, models and attributes say. They sum to the score."""
    prior = Agreement(part="prior", level="", weight=rarity.prior())
    values = compare_values(a, b, rarity)
    bare = (_one_name(names, rarity),) if _is_one_name(a, b, names, values) else ()
    return (prior, *names.contributions, *bare, *_model(a, b, names, rarity), *values)


def _is_one_name(a: MatchProfile, b: MatchProfile, names: ComparedNames, values: Iterable[Agreement]) -> bool:
    """Whether two bare names are one, written in two ways. Of equal names something tells apart which is meant."""
    bare = not a.qualifier and not b.qualifier and names.safe
    told_apart = normalise_name(a.name) == normalise_name(b.name) and bool(a.values or b.values)
    return bare and not told_apart and all(one.weight > _AGAINST for one in values)


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
        weight = rarity.weights.level("model", level).weight(_of_model(rarest, rarity))
        return (Agreement(part="model", level=level, weight=weight, of_a=rarest, of_b=rarest),)
    near = sorted((x, y) for x, y in product(in_a, in_b) if _is_near(x, y))
    if near:
        weight = rarity.weights.level("model", "slip").weight()
        return (Agreement(part="model", level="slip", weight=weight, of_a=near[0][0], of_b=near[0][1]),)
    return ()


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
    return sum(one.weight for one in contributions)


def probability_of(score: float) -> float:
    return 1 / (1 + exp2(-max(min(score, 1000.0), -1000.0)))


def beside_names(contributions: tuple[Agreement, ...]) -> tuple[Agreement, ...]:
    """Those that are no matter of names."""
    return tuple(one for one in contributions if is_beside_names(one))


def is_beside_names(contribution: Agreement) -> bool:
    return contribution.part not in _OF_NAMES
