"""What else a clause says: the words that tell it from another one with the same verb and object."""

from collections.abc import Collection

from graphmem.extract.offline.open.clause import AUXILIARIES
from graphmem.extract.offline.open.predicates import Core
from graphmem.extract.offline.open.reader import Clause
from graphmem.extract.offline.open.statement import Narrator
from graphmem.extract.offline.syntax import Token
from graphmem.extract.offline.tables.lexicon import VAGUE
from graphmem.extract.offline.tables.open import TIMES

_MEANING = ("NN", "JJ", "VB", "CD", "FW")
"""Tags of content words begin with one of these. Adverbs are left out: they say how something is done, and not what."""
_APART = ("relcl", "appos")


def detail(narrator: Narrator, clause: Clause, core: Core, claimed: Collection[Token]) -> str:
    """Base forms of the content words that are not ``claimed``, in alphabetical order; "" if there are none.

    “I took my dog to the vet” has “vet”. Neither the verb nor who does it counts, nor the days on which it was, which
    the event has; nor what a relative clause says of the object.
    """
    parse = narrator.parse
    left_out = {token.i for token in claimed} | _subject(narrator, clause) | _verbs(narrator, clause, core)
    if core.object is not None:
        apart = parse.children(core.object, *_APART)
        left_out |= {word.i for word in clause.words if any(parse.hangs_from(word, each) for each in apart)}
    dates = narrator.dates(clause.words, clause.verb)
    content_words = (
        word.text if word.proper else word.lemma
        for word in clause.words
        if word.i not in left_out
        and word.tag.startswith(_MEANING)
        and word.dep not in AUXILIARIES
        and TIMES.isdisjoint((word.lemma, parse.head(word).lemma))  # “last summer”
        and word.lemma not in VAGUE
        and not any(each.start <= word.start < each.end for each in dates)
    )
    return " ".join(sorted({word.casefold() for word in content_words}))


def _subject(narrator: Narrator, clause: Clause) -> set[int]:
    about = clause.about.token if clause.about else None
    return {token.i for token in narrator.noun_phrase(about)} if about else set()


def _verbs(narrator: Narrator, clause: Clause, core: Core) -> set[int]:
    """The verb at the core, and those above it up to that of the clause."""
    parse, verb = narrator.parse, core.verb
    verbs = {clause.verb.i, verb.i}
    while verb.i not in (clause.verb.i, verb.head):
        verb = parse.head(verb)
        verbs.add(verb.i)
    return verbs
