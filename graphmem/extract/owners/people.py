"""Who a written name stands for: the speaker, somebody else, nobody; or whether it is no name at all."""

import re
from dataclasses import dataclass

from graphmem.extract.owners.words import words
from graphmem.model.entity import normalise_name
from graphmem.model.owners import NOBODY, SPEAKER, Owner, Voice

LONGEST = 40
_SHORTEST_TOPIC, _MOST_WORDS = 4, 4
FIRST = re.compile(r"(?<![\w'’])(?:i|i['’]?(?:m|ve|d|ll)|my|me|mine|myself|we|our|us)(?![\w-])", re.IGNORECASE)
"""The first person."""
_EDGES = re.compile(r"^[\W_]+|[^\w.)]+$")
_NAME_WORD = re.compile(r"[^\W\d_][\w.'’-]*")
_USERS = frozenset({"user", "human"})
"""Heads of turns only beside those of others: “User: nadia.k” alone is a field."""
_MY = re.compile(r"^(?:my|our) (?:[a-z-]+ ){0,2}?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Cast:
    """Who may speak in a text: ``mine`` are the names of its speaker, ``known`` those of people known besides.

    ``is_user``: it is said by the user of a conversation with a machine, whose lines an export may head “You:”.
    ``talks``: somebody says it; a document is quoted, made up or an example for nobody in particular.
    """

    mine: tuple[str, ...] = ()
    known: frozenset[str] = frozenset()
    is_user: bool = True
    talks: bool = True

    def is_me(self, name: str) -> bool:
        """Whether a name is the speaker's, or a part of theirs."""
        wanted = normalise_name(name).split()
        return bool(wanted) and any(_is_part(wanted, normalise_name(own).split()) for own in self.mine)

    def is_known(self, name: str) -> bool:
        wanted = normalise_name(name).split()
        return any(_is_part(wanted, normalise_name(other).split()) for other in self.known)

    def is_familiar(self, name: str) -> bool:
        """Whether it is surely a name: of somebody known, or a given name."""
        first = normalise_name(name).split()[:1]
        return self.is_known(name) or self.is_me(name) or bool(first and first[0] in words().given)

    def owner(self, written: str) -> Owner:
        """Who a name is that somebody surely bears; nobody where it names nobody."""
        name, key = cleaned(written), normalise_name(cleaned(written))
        if self.is_me(name):
            return SPEAKER
        if key in words().oneself:
            return SPEAKER if self.is_user else NOBODY
        if key in words().roles or not any(map(str.isalpha, name)):
            return NOBODY
        return self.relative(key) or Owner(Voice.NAMED, name)

    def relative(self, written: str) -> Owner | None:
        """“Mum”, “my brother”: whom the speaker's open claims call “Ana's mum”."""
        key = normalise_name(_MY.sub("", written))
        if key not in words().kin:
            return None
        return Owner(Voice.NAMED, f"{self.mine[0]}’s {key}".replace("’", "'")) if self.mine else NOBODY

    def judged(self, written: str, *, others: int = 0) -> Owner | None:
        """Who stands before a colon; None where that may be a topic. ``others``: names that stand so beside it."""
        name = cleaned(written)
        key = normalise_name(name)
        if key in _USERS and not others:
            return None
        if key in words().oneself | words().roles or self.is_me(name) or self.is_known(name) or self.relative(key):
            return self.owner(name)
        plain = self.talks or key.split(" ")[0] in words().given
        return self.owner(name) if plain and is_name(name, others=others) else None


def _is_part(wanted: list[str], whole: list[str]) -> bool:
    return set(wanted) <= set(whole)


def cleaned(written: str) -> str:
    """A name without emoji, marks and handles around it."""
    text = _EDGES.sub("", " ".join(written.split()))
    return "".join(letter for letter in text if letter.isprintable() and not _is_picture(letter)).strip()


def _is_picture(letter: str) -> bool:
    return letter >= "\U0001f000" or "\u2600" <= letter < "\u27c0"


def is_topic(name: str) -> bool:
    """Whether a word or some words are what one writes about."""
    first = normalise_name(name).split()
    if not first:
        return True
    if first[0] in words().topics or first[-1] in words().topics:
        return True
    ends = first[0].endswith(words().topic_endings) and len(first[0]) > _SHORTEST_TOPIC
    return len(first) == 1 and ends and first[0] not in words().given


def is_name(name: str, *, others: int = 0) -> bool:
    """Whether words are a person's name by their look: a given name, or capitals that are no topic."""
    parts = name.split()
    if not 1 <= len(parts) <= _MOST_WORDS or len(name) > LONGEST or not all(map(_NAME_WORD.fullmatch, parts)):
        return False
    key = normalise_name(name).split()
    if key[0].strip(".") in words().titles and len(parts) > 1:
        return parts[-1][0].isupper()
    if is_topic(name):
        return False
    capital = all(part[0].isupper() or part.casefold() in words().particles for part in parts)
    if key[0] in words().given:
        return capital or len(parts) == 1
    if name.isupper() or not name[0].isupper():
        return others > 0 and (name.isupper() or len(parts) < _MOST_WORDS - 1)
    return capital
