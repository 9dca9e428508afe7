"""Of whom or of what a claim is: the speaker, who is named, or what is the speaker's."""

import re
from collections.abc import Collection
from dataclasses import dataclass, replace

from graphmem.extract.offline.names import is_name
from graphmem.extract.offline.tables.lexicon import PETS
from graphmem.extract.offline.tables.roles import PERSONS, ROLES
from graphmem.extract.offline.tables.words import words
from graphmem.extract.reader.claims import ClaimSubject, Whose
from graphmem.model.entity import normalise_name
from graphmem.model.fragment import ThingName
from graphmem.model.persons import person_named

PERSON, ANIMAL, CONCEPT, FIRM = "person", "animal", "concept", "organization"
_MINE = re.compile(r"(?:my|our)\s+(?:own\s+)?", re.IGNORECASE)
_THE = re.compile(r"^(?:the|this|that|these|those|a|an)\s+", re.IGNORECASE)
_YOURS = re.compile(r"your\s+", re.IGNORECASE)
_OF_OTHERS = re.compile(r"(?:his|her|hers|its|their|your)\b", re.IGNORECASE)
_PRONOUNS = words(
    """
    i me we us you he she it they him her them his hers its their theirs this that these those who everyone somebody
    someone nobody one mine ours the a an both all some hes shes theyre
    """
)
_WITHOUT_APOSTROPHE = {
    f"{role}s": role for role in words("mum mom dad nan gran grandma grandad wife husband boyfriend girlfriend")
}
"""“my mums in hospital”: of these people few have two."""
_CLOSING = ' \t\n.,;:!?…"“”‘*_'
_PARTICLES = words("of the and in de la le du van von der den di da do dos del y e al el ten ter op aan")
_ROLES = (
    ROLES.keys()
    | PERSONS
    | words(
        """
        mate guy girl boy baby partner twin child children folk missus hubby gf bf girlfriend boyfriend ex grandad
        grandpa grandma gran nan nana opa oma stepdad stepmum
        """
    )
)


@dataclass(frozen=True, slots=True)
class Speakers:
    """Who speaks, None where nobody is known to; and who is ``known`` from the session."""

    speaker: ThingName | None
    known: tuple[ThingName, ...] = ()

    def thing(self, subject: ClaimSubject, text: str, kind: str) -> ThingName | None:
        """Whom or what a claim is of; None where nobody can tell."""
        if subject.whose is not Whose.NAMED:
            return self.speaker
        written = text[slice(*subject.words)]
        if plain(written).casefold() not in _PRONOUNS:
            return self.named(written, kind)
        meant = self._meant(subject, kind) if subject.meant else None
        return None if meant == self.speaker else meant  # nobody calls themselves “he”

    def knows(self, name: str, kind: str) -> bool:
        """Whether the session knows something of this name that is of a type."""
        key = normalise_name(plain(name))
        return any(known.type == kind and normalise_name(known.name) == key for known in self.known)

    def may_be_animal(self, name: str) -> bool:
        """Whether it may name an animal: words that begin with capitals, and nobody else whom the session knows."""
        key = normalise_name(name)
        types = [known.type for known in self.known if normalise_name(known.name) == key]
        first = name.split(" ", 1)[0]
        named = name.replace(" ", "").isalpha() and name.istitle() and not is_role(name) and not is_role(first)
        named = named and name.casefold() not in _PRONOUNS
        return ANIMAL in types or (not types and named)

    def _meant(self, subject: ClaimSubject, kind: str) -> ThingName | None:
        """Who is meant by words of a turn before: “your brother”, asked of the speaker, is the speaker's."""
        by = subject.meant_by
        if not by or (self.speaker is not None and normalise_name(by) == normalise_name(self.speaker.name)):
            return self.named(subject.meant, kind)
        if yours := _YOURS.match(subject.meant):
            return self._of_speaker(subject.meant[yours.end() :], kind)
        if _MINE.match(subject.meant):
            return replace(self, speaker=person_named(by)).named(subject.meant, kind)
        return self.named(subject.meant, kind)

    def named(self, written: str, kind: str) -> ThingName | None:
        """Who or what these words name, or stand for; ``kind`` is its type where nothing tells a better one."""
        name = plain(written)
        if name.casefold() in _PRONOUNS:
            return None
        if self.speaker is not None and normalise_name(name) == normalise_name(self.speaker.name):
            return self.speaker
        if owned := _MINE.match(name):
            return self._of_speaker(name[owned.end() :], kind)
        if _OF_OTHERS.match(name):
            return None
        bare = _THE.sub("", name, count=1)
        return self._of_speaker(bare, kind) if _is_of_speaker(bare, pointed=bare != name) else self._by_name(bare, kind)

    def _of_speaker(self, noun: str, kind: str) -> ThingName | None:
        if self.speaker is None or not noun or _OF_OTHERS.match(noun):
            return None
        if noun[0].isupper() and not noun.isupper() and not is_role(noun):
            return self._by_name(noun, kind)
        noun = _WITHOUT_APOSTROPHE.get(noun.lower(), noun)
        as_is = not is_role(noun) or (noun.isupper() and len(noun) == len("GP"))
        name = f"{self.speaker.name}'s {noun if as_is else noun.lower()}"
        return ThingName(name, _kind_of(noun, kind)) if is_name(name) else None

    def _by_name(self, name: str, kind: str) -> ThingName | None:
        key = normalise_name(name)
        for known in self.known:
            if normalise_name(known.name) == key:
                return known
        spelt = capitalised(name) if kind in (PERSON, ANIMAL) else name
        return ThingName(spelt, kind) if is_name(spelt) else None


def is_pronoun(written: str) -> bool:
    """Whether words name nothing, but stand for what is named elsewhere: “it”."""
    name = plain(written)
    return name.casefold() in _PRONOUNS and not (len(name) > 1 and name.isupper())


def is_role(noun: str) -> bool:
    """Whether a noun says who somebody is to somebody: “sister”, “older sisters”, “Mum”."""
    return _ends_with(noun, _ROLES)


def is_pet(noun: str) -> bool:
    """Whether a noun says which animal it is, and names none: “dog”, “old cats”."""
    return _ends_with(noun, PETS)


def _ends_with(noun: str, known: Collection[str]) -> bool:
    """Whether the last word, be it a plural, is one of these."""
    return any(word in known or word.removesuffix("s") in known for word in noun.casefold().split()[-1:])


def _is_of_speaker(bare: str, *, pointed: bool) -> bool:
    """Whether a noun without a name means what is the speaker's: “the rent”, “Mum”."""
    is_noun = bare == bare.lower() and not any(map(str.isdigit, bare))
    return (pointed and is_noun) or is_role(bare)


def plain(written: str) -> str:
    """The words of a name in one line, without the marks around them."""
    name = unmarked(written)
    return name.removesuffix("'s").removesuffix("’s") if " " not in name else name


def unmarked(written: str) -> str:
    """The words in one line, without the marks around them; brackets go in pairs."""
    line = " ".join(written.split()).strip(_CLOSING)
    return line[1:-1].strip(_CLOSING) if line[:1] + line[-1:] in ("()", "[]") else line


def in_small_letters(name: str) -> str:
    """What is written with a capital at the start of a sentence as anywhere else; “HRT” stays."""
    return " ".join(
        word.lower() if word.istitle() and len(word) > 1 and word.isalpha() else word for word in name.split(" ")
    )


def capitalised(name: str) -> str:
    """A name that is written in small letters, as names are written; any other one as it is."""
    if name != name.lower():
        return name
    return " ".join(word if word in _PARTICLES else word[:1].upper() + word[1:] for word in name.split(" "))


def _kind_of(noun: str, kind: str) -> str:
    if is_pet(noun):
        return ANIMAL
    if is_role(noun):
        return PERSON
    return CONCEPT if kind == PERSON else kind
