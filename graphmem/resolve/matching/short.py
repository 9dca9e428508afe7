"""Short names: whether “Tom” may be short for “Tom Okafor”."""

from graphmem.model.matching import MatchProfile
from graphmem.resolve.matching.names import ANY, NameKind, ParsedName, are_compatible, kind_of, parsed, telling
from graphmem.resolve.matching.persons import are_variants
from graphmem.resolve.matching.vetoes import vetoes_of_names_alone


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
    return profile.type.casefold() in ANY or kind_of(profile.type) is NameKind.PERSON


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
