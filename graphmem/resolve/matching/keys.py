"""Blocking keys: what two entities that may be the same have in common, as words for an index.

Rare ones find the most for the least: pairs of words, of values, of a value and a name. A key that too many hold is no
help, and is not looked up.
"""

from collections.abc import Iterator
from itertools import combinations, islice, pairwise

from graphmem.model.matching import MatchingSettings, MatchProfile
from graphmem.resolve.matching.agreement import acronyms_of
from graphmem.resolve.matching.fold import deletions, sound
from graphmem.resolve.matching.identifiers import identifiers_of
from graphmem.resolve.matching.names import NameKind, ParsedName, names_of, parsed
from graphmem.resolve.matching.numbers import is_model, models_of
from graphmem.resolve.matching.persons import nicknames, skeleton
from graphmem.resolve.matching.values import ShapedValue, ValueShape, value_of
from graphmem.resolve.matching.vetoes import is_bare

MOST_KEYS, MOST_IDENTIFIERS = 40, 200
_DEFAULTS = MatchingSettings()
_LONGEST_SPELT = 10
_FEW_WORDS = 3
_START = 3
_MAY_BE_PERSONS = (NameKind.PERSON, NameKind.TEXT)
_RAREST = 5
_RANK = {
    ValueShape.CODE: 0,
    ValueShape.DATE: 1,
    ValueShape.SHORT: 2,
    ValueShape.NUMBER: 3,
    ValueShape.YEAR: 3,
    ValueShape.LONG: 4,
}


def keys(profile: MatchProfile, settings: MatchingSettings = _DEFAULTS) -> frozenset[str]:
    """The keys under which an entity is found: 40 at most, those that find the most first, and 200 identifiers."""
    identifiers = (
        _key("i", identifier.kind, identifier.value)
        for identifier in sorted(identifiers_of(profile, settings), key=str)
    )
    return frozenset((*islice(identifiers, MOST_IDENTIFIERS), *islice(dict.fromkeys(_keys(profile)), MOST_KEYS)))


def look_ups(profile: MatchProfile, settings: MatchingSettings = _DEFAULTS) -> frozenset[str]:
    """The keys to look up for an entity: its own, and those of its name with other nicknames."""
    return keys(profile, settings) | frozenset(_by_nicknames(profile))


def short_look_ups(profile: MatchProfile) -> frozenset[str]:
    """The keys to look up for those that a person's name may be short for; of a whole name, for those short for it."""
    names = names_of(profile, NameKind.PERSON)
    words = {word for name in names for word in name.words}
    first = {name.words[0] for name in names if name.words}
    sort = "w" if any(is_bare(name) for name in names) else "short"
    return frozenset(_key(sort, word) for word in words.union(*map(nicknames, first)))


def fuller_keys(profile: MatchProfile) -> frozenset[str]:
    """The keys of a person's whole name by which those are found who look for what a short name means."""
    names = [name for name in names_of(profile, NameKind.PERSON) if not is_bare(name)]
    return frozenset(_key("w", word) for name in names for word in name.words)


def _keys(profile: MatchProfile) -> Iterator[str]:
    names = names_of(profile)
    of_names = [islice(_of_name(name), 26) for name in names[:2]]
    yield from (_key("n", name.key) for name in names)
    yield from islice(_of_values(profile, names), 18)
    for of_name in of_names:
        yield from of_name


def _key(sort: str, *parts: str) -> str:
    return "~".join((sort, *(part.replace(" ", "_") for part in parts)))


def _of_name(name: ParsedName) -> Iterator[str]:
    if not name.words:
        return
    yield _key("j", name.joined)
    yield from (_key("m", model) for model in sorted(models_of(name.text)))
    if name.kind is NameKind.PERSON or len(name.words) <= _FEW_WORDS:
        yield from _of_few(name)
    else:
        yield from _of_many(name)


def _of_few(name: ParsedName) -> Iterator[str]:
    """Keys of short names: they survive a slip in any one word, other sounds, and a word that is left out."""
    words = sorted(set(name.words))
    ends = sorted({name.words[0], name.words[-1]})
    yield _key("p", *sorted(sound(word) for word in ends))
    yield _key("k", *sorted(skeleton(word) or word for word in ends))
    yield _key("s", *sorted(word[:_START] for word in ends))
    yield _key("e", *sorted(word[-_START:] for word in ends))
    yield from (_key("w", word) for word in words)
    if name.kind in _MAY_BE_PERSONS and is_bare(parsed(name.text, NameKind.PERSON)):
        yield from (_key("short", word) for word in words)
    yield from (_key("w", acronym) for acronym in sorted(acronyms_of(name.words)))
    yield from (_key("n", *sorted(pair)) for pair in combinations(words, 2) if len(words) > 2)  # noqa: PLR2004 - parts of it
    if len(ends) == 2:  # noqa: PLR2004 - a first and a last word
        yield from _of_initials(*ends)
        yield from (_key("d", other, form) for word, other in (ends, ends[::-1]) for form in _misspelt(word))
    else:
        yield from (_key("d", form) for form in _misspelt(words[0]))


def _of_initials(a: str, b: str) -> Iterator[str]:
    yield _key("a", a[0], b)
    yield _key("a", b[0], a)


def _misspelt(word: str) -> list[str]:
    word = word[:_LONGEST_SPELT]
    return sorted({word, *deletions(word)}) if len(word) > _START else [word]


def _of_many(name: ParsedName) -> Iterator[str]:
    """Keys of long names: neighbouring words, and words by themselves where they are long or codes."""
    words = [word for word in dict.fromkeys(name.words) if len(word) > 1]
    codes = [word for word in words if is_model(word) and any(map(str.isdecimal, word))]
    yield from (_key("d", form) for code in codes for form in _misspelt(code))
    yield from (_key("w", acronym) for acronym in sorted(acronyms_of(name.words)))
    yield from (_key("n", *sorted(pair)) for pair in pairwise(words))
    yield from (_key("w", word) for word in sorted(words, key=lambda word: (-len(word), word)) if len(word) > _START)


def _of_values(profile: MatchProfile, names: tuple[ParsedName, ...]) -> Iterator[str]:
    values = _rarest(profile)
    initials = sorted({word[0] for name in names[:1] for word in (*name.words[:1], *name.words[-1:])})
    yield from (
        _key("v", predicate, value.term)
        for predicate, value in values
        if value.shape not in (ValueShape.NUMBER, ValueShape.YEAR)
    )
    for (_, first), (_, second) in combinations(values, 2):
        yield _key("vv", *sorted((first.term, second.term)))
    for _, value in values[:3]:
        yield from (_key("vn", value.term, form) for form in initials)


def _rarest(profile: MatchProfile) -> list[tuple[str, ShapedValue]]:
    """The values that are held by few, as their shape suggests, one of a predicate; texts by the codes in them."""
    pairs = [
        (predicate, value)
        for predicate, texts in sorted(profile.values.items())
        for value in sorted(map(value_of, texts), key=lambda value: value.term)[:2]
        if value.term and value.shape is not ValueShape.LONG
    ]
    return sorted(pairs, key=lambda pair: (_RANK[pair[1].shape], -len(pair[1].term), pair[0]))[:_RAREST]


def _by_nicknames(profile: MatchProfile) -> Iterator[str]:
    for name in names_of(profile):
        if name.kind is NameKind.PERSON and len(name.words) > 1:
            yield from (_key("n", *sorted((other, name.words[-1]))) for other in nicknames(name.words[0]))
