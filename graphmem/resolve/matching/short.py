"""Short names: whether “Tom” may be short for “Tom Okafor”."""

from graphmem.model.matching import Profile
from graphmem.resolve.matching.kinds import ANY, Kind, are_compatible, kind_of, telling
from graphmem.resolve.matching.names import Name, parsed
from graphmem.resolve.matching.persons import are_variants
from graphmem.resolve.matching.vetoes import vetoes_of_names_alone


def short_of(short: Profile, fuller: Profile) -> bool:
    """Whether one is called by a part of a person's whole name: a given or family name, a title with one, a nickname.

    Of what is no person a part of a name is another name: York and New York.
    """
    return is_part_of(short, fuller) and is_short(_name(short)) and not is_short(_name(fuller))


def is_short(name: Name) -> bool:
    """Whether it lacks a given or a family name."""
    return not name.person.is_full


def is_short_name(profile: Profile) -> bool:
    """Whether it is called by a part of a person's name only, and nobody gave it an id."""
    return kind_of(profile.type) is Kind.PERSON and not profile.qualifier and is_short(_name(profile))


def may_be_person(profile: Profile) -> bool:
    """Whether its type is that of persons, or says too little."""
    return profile.type.casefold() in ANY or kind_of(profile.type) is Kind.PERSON


def is_part_of(part: Profile, whole: Profile) -> bool:
    """Whether the name of a person, to whom nobody gave an id, is a part of another one's."""
    if part.id == whole.id or part.qualifier or not are_compatible(part.type, whole.type):
        return False
    if kind_of(telling(part.type, whole.type)) is not Kind.PERSON:
        return False
    return _is_part(_name(part), _name(whole))


def _name(profile: Profile) -> Name:
    return parsed(profile.name, Kind.PERSON)


def _is_part(part: Name, whole: Name) -> bool:
    if not part.words or len(part.words) >= len(whole.words) or any(vetoes_of_names_alone(part, whole)):
        return False
    if set(part.words) <= set(whole.words):
        return True
    return len(part.words) == 1 and are_variants(part.words[0], whole.words[0])
