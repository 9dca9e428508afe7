"""How common terms are in a group, in power-of-two buckets: what follows from them changes as seldom as they do."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from graphmem.model.ids import digest
from graphmem.model.matching import OF_WHOLE_NAMES, MatchingSettings, MatchProfile
from graphmem.resolve.matching.keys import fuller_keys, keys, look_ups, short_look_ups
from graphmem.resolve.matching.weights import terms

_MOST = 1024
"""More holders than this make no difference."""
_FEWEST_IN_ALL = 64
_MOST_IN_ALL = 65_536
"""A group of fewer or more names is taken for one of so many."""
_ALL = ""
_WHOLE_NAME = ".key"
_OF_OTHERS = "0"
"""How tokens end that are not ``OF_WHOLE_NAMES``."""


def bucket(holders: int) -> int:
    """The power of two at or below a number of holders of a term."""
    return min(_floor(holders), _MOST)


def bucket_of_all(holders: int) -> int:
    """The power of two at or below a number of holders of any term of a field."""
    return min(max(_floor(holders), _FEWEST_IN_ALL), _MOST_IN_ALL)


def _floor(number: int) -> int:
    return 1 << (number.bit_length() - 1) if number > 0 else 0


def key_tokens(group: str, profile: MatchProfile, settings: MatchingSettings) -> frozenset[str]:
    """The words under which an entity is found by what it may have in common with others."""
    return frozenset(_token(group, "key", key) for key in keys(profile, settings))


def look_up_tokens(group: str, profile: MatchProfile, settings: MatchingSettings) -> frozenset[str]:
    return frozenset(_token(group, "key", key) for key in look_ups(profile, settings))


def short_look_up_tokens(group: str, profile: MatchProfile) -> frozenset[str]:
    return frozenset(_token(group, "key", key) for key in short_look_ups(profile))


def fuller_key_tokens(group: str, profile: MatchProfile) -> frozenset[str]:
    return frozenset(_token(group, "key", key) for key in fuller_keys(profile))


@dataclass(frozen=True, slots=True, kw_only=True)
class Counting:
    """What is counted of an entity, as tokens: its terms, and for each field that it has any there.

    Those of its whole name are counted for each entity (``of_entity``); the others are counted for each name.
    ``of_fields`` say that it has any term in a field.
    """

    tokens: frozenset[str]
    of_fields: frozenset[str]


def counting(group: str, profile: MatchProfile) -> Counting:
    own_terms = terms(profile)
    both = {*own_terms, *((field, _ALL) for field, _ in own_terms)}
    token_of = {pair: term_token(group, *pair) for pair in both}
    return Counting(
        tokens=frozenset(token_of.values()),
        of_fields=frozenset(token for (_, term), token in token_of.items() if term == _ALL),
    )


def of_entity(tokens: Iterable[str]) -> set[str]:
    """The tokens of whole names, of whatever type their holder was when they were made."""
    return {token for token in tokens if token.endswith(OF_WHOLE_NAMES)}


def term_token(group: str, field: str, term: str) -> str:
    last = OF_WHOLE_NAMES if field.endswith(_WHOLE_NAME) else _OF_OTHERS
    return _token(group, "term", field, term, last=last)


def _token(group: str, *parts: str, last: str = _OF_OTHERS) -> str:
    """A digit at the end, for no analyzer takes that for the end of a word in the plural."""
    return f"{digest(group, *parts)[:19]}{last}"


@dataclass(frozen=True, slots=True)
class TermCounts:
    """The holders of terms in a group, by token; those not looked up count as none."""

    group: str
    holders: Mapping[str, int]

    def count(self, field: str, term: str) -> int:
        return bucket(self.holders.get(term_token(self.group, field, term), 0))

    def total(self, field: str) -> int:
        return bucket_of_all(self.holders.get(term_token(self.group, field, _ALL), 0))


def changes(before: Mapping[str, Iterable[str]], after: Mapping[str, Iterable[str]]) -> dict[str, int]:
    """By how many the holders of each term change; holders are names, by whatever they go by."""
    come = Counter(token for name, tokens in after.items() for token in {*tokens}.difference(before.get(name, ())))
    gone = Counter(token for name, tokens in before.items() for token in {*tokens}.difference(after.get(name, ())))
    come.subtract(gone)
    return {token: change for token, change in come.items() if change}


def moved(before: Mapping[str, int], after: Mapping[str, int], alls: Iterable[str]) -> set[str]:
    """The terms whose bucket changed; ``alls`` are those that count all holders of a field."""
    of_fields = set(alls)
    return {
        token
        for token, holders in after.items()
        for rule in (bucket_of_all if token in of_fields else bucket,)
        if rule(holders) != rule(before.get(token, 0))
    }
