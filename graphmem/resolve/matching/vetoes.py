"""What keeps two entities apart, in plain words, and whether one name may be short for another."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from graphmem.model.entity import GENERIC_TYPES, MENTIONED, TAKEN_FOR, is_given
from graphmem.model.matching import FamilyTie, MatchProfile, Pair, pair_of
from graphmem.model.scope import EVERYBODY
from graphmem.resolve.matching import vocabulary
from graphmem.resolve.matching.agreement import given_level
from graphmem.resolve.matching.fold import edits, folded
from graphmem.resolve.matching.identifiers import is_given_by_machine
from graphmem.resolve.matching.names import (
    NameKind,
    ParsedName,
    are_compatible,
    kind_of,
    parsed,
    telling,
)
from graphmem.resolve.matching.numbers import codes_in, contradicting, is_measure, is_model, says
from graphmem.resolve.matching.persons import Person, are_gendered, are_variants, is_known_given
from graphmem.resolve.matching.weights import NoFrequencies, Rarity, packaged

_SHORT_GIVEN, _SHORT_NAME = 4, 5
_LONG_TITLE = 4
_NAMING = vocabulary.words("naming_predicates")
"""Words of predicates that give another name, and such predicates."""
_SEVERAL = 4
_ENDING = 2
_OPPOSITES = tuple(frozenset(line.split()) for line in vocabulary.lines("opposites"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Veto:
    """``of_spelling``: an equal strong identifier beats it. ``asks``: a person is asked whether it holds."""

    reason: str
    of_spelling: bool = False
    asks: bool = False


def vetoes_of_pair(a: MatchProfile, b: MatchProfile, told_apart: Mapping[Pair, str]) -> Iterator[Veto]:
    """The vetoes against a pair, but for those that ``vetoes_of_names`` gives."""
    if (reason := told_apart.get(pair_of(a.id, b.id))) is not None:
        yield Veto(reason=reason)
    for first, second in ((a, b), (b, a)):
        if first.qualifier.startswith(MENTIONED) and not second.qualifier and folded(first.name) == folded(second.name):
            yield Veto(reason=f"a text says that this is another {second.name}")
        told_apart_by_kind = first.qualifier.startswith(TAKEN_FOR) and not are_compatible(first.type, second.type)
        if told_apart_by_kind and not is_given(second.qualifier):
            yield Veto(
                reason=f"{first.name} is a {first.qualifier.removeprefix(TAKEN_FOR)} here, and a name of persons"
            )
        if relation := _relation(first, second):
            yield Veto(reason=f"{first.name} is bound to {second.name} by “{relation}”")
        if short_of(first, second) and told_to_differ(first.family, second.family):
            yield Veto(reason=f"to one person {first.name} and {second.name} are two of the family", asks=True)


def told_to_differ(short: Iterable[FamilyTie], fuller: Iterable[FamilyTie]) -> frozenset[str]:
    """The users who are told that a short name and a fuller one are two, by what one person cannot be to another.

    ``""``: everybody is told so. Somebody's husband is not the brother of the same, nor who is said not to be the
    husband. What ended of who bears the short name says nothing: “Tom and I are divorced” may be of Tom Berger.
    """
    short_ties, fuller_ties = tuple(short), tuple(fuller)
    users = {tie.user for tie in (*short_ties, *fuller_ties)}
    return frozenset(user for user in users if _are_two(_stands(short_ties, user), _stands(fuller_ties, user)))


def _stands(ties: Iterable[FamilyTie], user: str) -> Mapping[str, Mapping[str, bool]]:
    """To whom somebody is said to be what, as far as a user is told, and whether more than that it ended is said."""
    stands = defaultdict[str, dict[str, bool]](dict)
    for tie in ties:
        if tie.user in (EVERYBODY, user):
            stands[tie.of][tie.predicate] = stands[tie.of].get(tie.predicate, False) or not tie.ended
    return stands


def _are_two(short: Mapping[str, Mapping[str, bool]], fuller: Mapping[str, Mapping[str, bool]]) -> bool:
    return any(_are_two_to(short[of], fuller[of]) for of in short.keys() & fuller.keys())


def _are_two_to(short: Mapping[str, bool], fuller: Mapping[str, bool]) -> bool:
    """Whether the one is what the other is said not to be, or both are something else."""
    of_short, of_fuller = ({predicate for predicate, stands in ties.items() if stands} for ties in (short, fuller))
    denied = any(not fuller.get(predicate, True) for predicate in of_short)
    return denied or (bool(of_short) and bool(of_fuller) and of_short.isdisjoint(of_fuller))


def _relation(a: MatchProfile, b: MatchProfile) -> str:
    """A predicate by which one says something of the other: nobody is his own sister, or met himself."""
    if predicates := sorted(name for id_, name in a.related if id_ == b.id and not is_naming(name)):
        return predicates[0]
    own, other = ({folded(name) for name in (profile.name, *profile.names)} for profile in (a, b))
    names_of_other = other - own - {""}
    return next(
        (
            predicate
            for predicate in sorted(a.values)
            if not is_naming(predicate) and any(folded(value) in names_of_other for value in a.values[predicate])
        ),
        "",
    )


def is_naming(predicate: str) -> bool:
    """Whether its values are other names of the thing, or its numbers."""
    return not _NAMING.isdisjoint(vocabulary.predicate_words(predicate)) or is_given_by_machine(predicate)


def is_named_by(a: MatchProfile, b: MatchProfile) -> bool:
    """Whether one says of itself that it is called as the other: a pen name."""
    return any(
        folded(value) == folded(second.name)
        for first, second in ((a, b), (b, a))
        for predicate, values in first.values.items()
        if not _NAMING.isdisjoint(vocabulary.predicate_words(predicate))
        for value in values
    )


def vetoes_of_names(
    a: ParsedName, b: ParsedName, rarity: Rarity, models: AbstractSet[str] = frozenset()
) -> Iterator[Veto]:
    """``models`` are the codes of both that say by themselves which product is meant."""
    if a.kind is NameKind.PERSON:
        yield from _of_persons(a, b, rarity)
    else:
        yield from _of_numbers(a, b, models)
        yield from _of_words(a, b)


def vetoes_of_names_alone(a: ParsedName, b: ParsedName) -> Iterator[Veto]:
    """The vetoes of two names that need to know nothing of the group."""
    return vetoes_of_names(a, b, Rarity(NoFrequencies(), packaged(), ""))


def _of_persons(a: ParsedName, b: ParsedName, rarity: Rarity) -> Iterator[Veto]:
    person_a, person_b = a.person, b.person
    if person_a.numbering.contradicts(person_b.numbering):
        yield Veto(reason=f"two generations: {a.text} and {b.text}")
    if person_a.genders and person_b.genders and person_a.genders.isdisjoint(person_b.genders):
        yield Veto(reason=f"the titles are of two people: {a.text} and {b.text}")
    of_a, of_b = (frozenset(codes_in(name.text)) for name in (a, b))
    if of_a - of_b and of_b - of_a:
        yield Veto(reason=_numbers_differ(of_a - of_b, of_b - of_a))
    if person_a.is_full and person_b.is_full and a.joined != b.joined and not _agree_turned(person_a, person_b):
        yield from _of_given(person_a, person_b, rarity)


def _agree_turned(a: Person, b: Person) -> bool:
    """Whether they are one name with given and family name in the other order."""
    return given_level(a.given, b.family) == "exact" or given_level(a.family, b.given) == "exact"


def _of_given(a: Person, b: Person, rarity: Rarity) -> Iterator[Veto]:
    reason = "" if _is_misspelt(a.given, b.given, rarity) else why_other_given(a.given, b.given)
    if reason and not _is_called_so(a, b) and not _is_called_so(b, a):
        yield Veto(reason=reason, of_spelling=True)
    elif not reason and a.middle and b.middle and a.middle[0][0] != b.middle[0][0]:
        yield Veto(reason=f"the middle names differ: {a.middle[0]} and {b.middle[0]}", of_spelling=True)


def _is_misspelt(a: str, b: str, rarity: Rarity) -> bool:
    """Whether one is a name that several have in a group, and the other is nobody else's, with a slip of it."""
    names = [given for given in (a, b) if is_known_given(given) or rarity.holders("person", given) >= _SEVERAL]
    alone = [given for given in (a, b) if not is_known_given(given) and rarity.holders("person", given) == 1]
    return len(names) == 1 and len(alone) == 1 and edits(a, b) == 1 and min(len(a), len(b)) >= _SHORT_GIVEN


def _is_called_so(a: Person, b: Person) -> bool:
    """Whether one goes by a middle name or a nickname that is the other's given name."""
    return any(given_level(b.given, word) in ("exact", "variant") for word in (*a.middle, *a.nickname.split()))


def why_other_given(a: str, b: str) -> str:
    """Why two given names are not one; "" if they may be."""
    if a == b or {len(a), len(b)} & {1}:
        return ""
    apart, variants = edits(a, b), are_variants(a, b)
    if are_gendered(a, b) and apart <= _ENDING and (len(a) == len(b) or not variants):
        return f"two given names: {a} and {b}"
    if variants:
        return ""
    if given_level(a, b) == "different":
        return f"the given names differ: {a} and {b}"
    short = apart == 1 and min(len(a), len(b)) <= _SHORT_GIVEN
    known = is_known_given(a) and is_known_given(b)
    return f"{'short names a letter apart' if short else 'two given names'}: {a} and {b}" if short or known else ""


def _of_numbers(a: ParsedName, b: ParsedName, models: AbstractSet[str]) -> Iterator[Veto]:
    if a.words == b.words:
        return
    of_a, of_b = (" ".join(name.words) if name.kind is NameKind.DATE else name.text for name in (a, b))
    lacks_b, lacks_a = contradicting(of_a, of_b, coded=a.kind is NameKind.CODE)
    if lacks_b and lacks_a and not (_is_long_title(a, b) and (models or not _count_one(a, lacks_b, b, lacks_a))):
        yield Veto(reason=_numbers_differ(lacks_b, lacks_a))


def _count_one(a: ParsedName, lacks_b: AbstractSet[str], b: ParsedName, lacks_a: AbstractSet[str]) -> bool:
    """Whether some numbers of both count the same. A description may say one thing and not the other."""
    of_a, of_b = (
        {sort for number in lacks for sort in _counted(number, name)} for name, lacks in ((a, lacks_b), (b, lacks_a))
    )
    return not of_a.isdisjoint(of_b)


def _counted(number: str, name: ParsedName) -> Iterator[str]:
    """What is counted by a number: a model, its unit, or the words beside it.

    Makers give a thing a model that begins with letters, and a number that begins with a digit.
    """
    if is_model(number) and not is_measure(number):
        yield "number of a maker" if number[0].isdecimal() else "model"
    elif letters := "".join(character for character in number if character.isalpha()):
        yield letters
    words = ("", *name.words, "")
    for at, word in enumerate(words):
        if word and says(word, number):
            yield f"{words[at - 1]} …"
            yield f"… {words[at + 1]}" if words[at + 1] else f"{words[at - 1]} …"


def _is_long_title(a: ParsedName, b: ParsedName) -> bool:
    """Whether one is a description that counts more than the other says of the same model."""
    return a.kind is NameKind.TEXT and max(len(a.words), len(b.words)) >= _LONG_TITLE


def _numbers_differ(a: frozenset[str], b: frozenset[str]) -> str:
    return f"the numbers differ: {', '.join(sorted(a))} and {', '.join(sorted(b))}"


def _of_words(a: ParsedName, b: ParsedName) -> Iterator[Veto]:
    short = a.joined.isalpha() and b.joined.isalpha() and min(len(a.joined), len(b.joined)) <= _SHORT_NAME
    if short and edits(a.joined, b.joined) == 1:
        yield Veto(reason=f"short names a letter apart: {a.text} and {b.text}", of_spelling=True)
    of_a, of_b = set(a.words), set(b.words)
    other = (of_a - of_b) | (of_b - of_a)
    for opposite in _OPPOSITES:
        if opposite <= other and opposite & of_a and opposite & of_b:
            yield Veto(reason=f"opposites: {' and '.join(sorted(opposite))}", of_spelling=True)


def short_of(short: MatchProfile, fuller: MatchProfile) -> bool:
    """Whether one is called by a part of a person's whole name: a given or family name, a title with one, a nickname.

    Of what is no person a part of a name is another name: York and New York.
    """
    part, whole = _name(short), _name(fuller)
    return is_bare(part) and not is_bare(whole) and _may_be_part(short, fuller) and _is_part(part, whole, numbered=True)


def is_short(name: ParsedName) -> bool:
    """Whether it lacks a given or a family name."""
    return not name.person.is_full


def is_bare(name: ParsedName) -> bool:
    """Whether it lacks one of them, and no number or suffix says which one it is: “Henry VIII” means nobody else."""
    return is_short(name) and not name.person.which


def is_short_name(profile: MatchProfile) -> bool:
    """Whether it is called by a part of a person's name only, and nobody gave it an id."""
    return kind_of(profile.type) is NameKind.PERSON and not profile.qualifier and is_bare(_name(profile))


def may_be_person(profile: MatchProfile) -> bool:
    """Whether its type is that of persons, or says too little."""
    return profile.type.casefold() in GENERIC_TYPES or kind_of(profile.type) is NameKind.PERSON


def is_part_of(part: MatchProfile, whole: MatchProfile) -> bool:
    """Whether the name of a person, to whom nobody gave an id, is a part of another one's."""
    return _may_be_part(part, whole) and _is_part(_name(part), _name(whole))


def _may_be_part(part: MatchProfile, whole: MatchProfile) -> bool:
    if part.id == whole.id or part.qualifier or not are_compatible(part.type, whole.type):
        return False
    return kind_of(telling(part.type, whole.type)) is NameKind.PERSON


def _name(profile: MatchProfile) -> ParsedName:
    return parsed(profile.name, NameKind.PERSON)


def _is_part(part: ParsedName, whole: ParsedName, *, numbered: bool = False) -> bool:
    """``numbered``: so is a name of the same with a number, “Elizabeth” of “Elizabeth II”."""
    if not part.words or not part.may_be(whole) or any(vetoes_of_names_alone(part, whole)):
        return False
    if numbered and part.words == whole.words:
        return whole.person.which.isdecimal()
    if len(part.words) >= len(whole.words):
        return False
    if set(part.words) <= set(whole.words):
        return True
    return len(part.words) == 1 and are_variants(part.words[0], whole.words[0])
