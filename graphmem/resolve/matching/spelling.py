"""Whether two names are one name, written in another way that is safe to take for it."""

from rapidfuzz.distance import JaroWinkler

from graphmem.model.entity import normalise_name
from graphmem.resolve.matching.fold import is_clear_slip, marks_differ, sounds_spelt_alike
from graphmem.resolve.matching.names import NameKind, ParsedName
from graphmem.resolve.matching.numbers import unspaced
from graphmem.resolve.matching.persons import is_known_given
from graphmem.resolve.matching.weights import packaged

_LONG_NAME = 10
_LONG_NUMBER = 6
_LONG_TERM = 4


def likeness(a: str, b: str) -> float:
    """How much two names are spelt alike, from 0 to 1: by Jaro and Winkler, of their words in any order."""
    key_a, key_b = (" ".join(sorted(normalise_name(name).split())) for name in (a, b))
    best_word = max(
        (JaroWinkler.normalized_similarity(x, y) for x in key_a.split() for y in key_b.split()), default=0.0
    )
    return max(JaroWinkler.normalized_similarity(key_a, key_b), 0.95 * best_word)


def is_exact(a: ParsedName, b: ParsedName) -> bool:
    return normalise_name(a.text) == normalise_name(b.text)


def is_safe(a: ParsedName, b: ParsedName) -> bool:
    """Whether they differ only in case, accents, punctuation, order of parts, title, legal form, or one clear slip."""
    if not a.words or not b.words:
        return is_exact(a, b)
    if a.kind is NameKind.DATE:
        return a.words == b.words
    if marks_differ(a.text, b.text):
        return False
    if a.kind is NameKind.PERSON:
        return _is_safe_person(a, b)
    return _is_safe_text(a, b)


def _is_safe_text(a: ParsedName, b: ParsedName) -> bool:
    if a.form and b.form and a.form != b.form:
        return False
    if a.words == b.words or (a.joined == b.joined and _have_one_grouping(a, b)):
        return True
    return _is_reordered(a.words, b.words) or (a.kind is not NameKind.CODE and _has_slip(a, b))


def _have_one_grouping(a: ParsedName, b: ParsedName) -> bool:
    """Whether their digits stand together alike, or are so many that groups of them are one number."""
    digits = sum(map(str.isdecimal, a.joined))
    return digits >= _LONG_NUMBER or unspaced(" ".join(a.words)) == unspaced(" ".join(b.words))


def _is_reordered(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    """“Summer Olympics 2012” and “2012 Summer Olympics”; two words may say something else in the other order."""
    has_number = any(character.isdecimal() for word in a for character in word)
    return _is_turned(a, b) and (len(a) > 2 or has_number)  # noqa: PLR2004 - two words


def _is_safe_person(a: ParsedName, b: ParsedName) -> bool:
    person_a, person_b = a.person, b.person
    if (
        person_a.generation != person_b.generation
        or person_a.wife != person_b.wife
        or _contradict(person_a.genders, person_b.genders)
    ):
        return False
    if a.words == b.words:
        return not (person_a.titled != person_b.titled and len(a.words) == 1)
    if a.joined == b.joined:
        return True
    if _is_turned(a.words, b.words):
        return person_a.comma or person_b.comma or not _is_any_order(a)
    return len(a.words) > 1 and _has_slip(a, b)


def _contradict(a: frozenset[str], b: frozenset[str]) -> bool:
    return bool(a and b and a.isdisjoint(b))


def _is_turned(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    """Whether the last words of one are the first of the other: given and family name in the other order."""
    return len(a) == len(b) and any(a[at:] + a[:at] == b for at in range(1, len(a)))


def _is_any_order(name: ParsedName) -> bool:
    """Whether both ends may be given names: James Thomas is not Thomas James."""
    return _may_be_given(name.words[0]) and _may_be_given(name.words[-1])


def _may_be_given(word: str) -> bool:
    return is_known_given(word) or word in packaged().listed["given"]


def _has_slip(a: ParsedName, b: ParsedName) -> bool:
    """Whether one word of a long and rare name has a slip, and all others are equal.

    Of terms, causal inference is not casual inference.
    """
    if len(a.words) != len(b.words) or min(len(a.joined), len(b.joined)) < _LONG_NAME:
        return False
    other = [(x, y) for x, y in zip(a.words, b.words, strict=True) if x != y]
    if len(other) != 1:
        return False
    x, y = other[0]
    is_term = a.kind is NameKind.TEXT and len(a.words) < _LONG_TERM
    slip = (is_clear_slip(x, y) and not is_term) or (a.kind is not NameKind.PERSON and sounds_spelt_alike(x, y))
    return slip and not (_is_common(x) and _is_common(y)) and (x + y).isalpha()


def _is_common(word: str) -> bool:
    return _may_be_given(word) or word in packaged().listed["family"]
