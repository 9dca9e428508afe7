"""Of whom or of what a claim is: the speaker, who is named, or what is the speaker's."""

import re
from dataclasses import dataclass

from graphmem.extract.offline.names import is_name
from graphmem.extract.offline.tables.lexicon import PETS
from graphmem.extract.offline.tables.roles import PERSONS, ROLES
from graphmem.extract.offline.tables.words import words
from graphmem.extract.reader.claims import ClaimSubject, Whose
from graphmem.model.entity import normalise_name
from graphmem.model.fragment import ThingName

PERSON, ANIMAL, CONCEPT = "person", "animal", "concept"
_MINE = re.compile(r"(?:my|our)\s+(?:own\s+)?", re.IGNORECASE)
_THE = re.compile(r"^(?:the|this|that|these|those|a|an)\s+", re.IGNORECASE)
_OF_OTHERS = re.compile(r"(?:his|her|hers|its|their|your)\b", re.IGNORECASE)
_PRONOUNS = words(
    """
    i me we us you he she it they him her them his hers its their theirs this that these those who everyone somebody
    someone nobody one mine ours
    """
)
_CLOSING = ' \t\n.,;:!?…"“”‘()[]*_'
_PARTICLES = words("of the and in de la le du van von der den di da do dos del y e al el ten ter op aan")
_PEOPLE = words("friend mate guy man woman girl boy baby partner ex twins parents kids children")


@dataclass(frozen=True, slots=True)
class Speakers:
    """Who speaks, None where nobody is known to; and who is ``known`` from the session."""

    speaker: ThingName | None
    known: tuple[ThingName, ...] = ()

    def thing(self, subject: ClaimSubject, text: str, kind: str) -> ThingName | None:
        """Whom or what a claim is of; None where nobody can tell."""
        if subject.whose is not Whose.NAMED:
            return self.speaker
        return self.named(text[slice(*subject.words)], kind, meant=subject.meant)

    def named(self, written: str, kind: str, *, meant: str = "") -> ThingName | None:
        """Who or what these words name, or stand for; ``kind`` is its type where nothing tells a better one."""
        said = plain(written)
        if said.casefold() in _PRONOUNS:
            return self.named(meant, kind) if meant and meant.casefold() not in _PRONOUNS else None
        if self.speaker is not None and normalise_name(said) == normalise_name(self.speaker.name):
            return self.speaker
        if owned := _MINE.match(said):
            return self._of_speaker(said[owned.end() :], kind)
        bare = _THE.sub("", said, count=1)
        if _is_of_speaker(bare, pointed=bare != said):
            return self._of_speaker(bare, kind)
        return None if _OF_OTHERS.match(said) else self._by_name(bare, kind)

    def _of_speaker(self, noun: str, kind: str) -> ThingName | None:
        if self.speaker is None or not is_name(noun):
            return None
        if noun[0].isupper() and not noun.isupper():
            return self._by_name(noun, kind)
        return ThingName(f"{self.speaker.name}'s {noun}", _kind_of(noun, kind))

    def _by_name(self, name: str, kind: str) -> ThingName | None:
        key = normalise_name(name)
        for known in self.known:
            if normalise_name(known.name) == key:
                return known
        spelt = capitalised(name) if kind in (PERSON, ANIMAL) else name
        return ThingName(spelt, kind) if is_name(spelt) else None


def _is_of_speaker(bare: str, *, pointed: bool) -> bool:
    """Whether a noun without a name means what is the speaker's: “the rent”, “Mum”."""
    is_noun = bare == bare.lower() and not any(map(str.isdigit, bare))
    return (pointed and is_noun) or bare.casefold() in ROLES or bare.casefold() in PERSONS


def plain(written: str) -> str:
    """The words in one line, without the marks around them."""
    said = " ".join(written.split()).strip(_CLOSING)
    return said.removesuffix("'s").removesuffix("’s") if " " not in said else said


def capitalised(name: str) -> str:
    """A name that is written in small letters, as names are written; any other one as it is."""
    if name != name.lower():
        return name
    return " ".join(word if word in _PARTICLES else word[:1].upper() + word[1:] for word in name.split(" "))


def _kind_of(noun: str, kind: str) -> str:
    said = noun.casefold().split()
    if said[-1] in PETS:
        return ANIMAL
    if any(word in ROLES or word in PERSONS for word in said):
        return PERSON
    return CONCEPT if kind == PERSON and said[-1] not in _PEOPLE else kind
