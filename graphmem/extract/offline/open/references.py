"""What a pronoun surely stands for: something in the clause, or the one thing that the turn told of before."""

from graphmem.extract.offline.open.clause import own_subject
from graphmem.extract.offline.syntax import Parse, Token
from graphmem.extract.offline.tables.open import (
    EVERYBODY,
    OCCASIONS,
    PEOPLE,
    PERCEIVING,
    PLURAL,
    PURSUING,
    VAGUE_OBJECTS,
)
from graphmem.extract.offline.tables.roles import ROLES

NOUNS = ("NN", "NNS", "NNP", "NNPS")
TIME_LABELS = ("DATE", "TIME", "CARDINAL", "ORDINAL", "MONEY", "PERCENT", "QUANTITY")
MAIN = ("ROOT", "conj", "parataxis")
"""Of a verb that is below no other."""

_PLACES = ("nsubj", "nsubjpass", "dobj", "pobj", "attr", "conj", "appos", "ROOT", "dative", "dep")
_HE = frozenset({"he", "him", "his", "himself"})
_SHE = frozenset({"she", "her", "hers", "herself"})
_ELSEWHERE = frozenset({"your", "this", "that", "these", "those"})


def referent(parse: Parse, pronoun: Token, words: tuple[Token, ...]) -> Token | None:
    """What a pronoun stands for: something that the words say before it, else its one antecedent."""
    before = (word for word in words if word.i < pronoun.i and not _are_arguments(parse, pronoun, word))
    within = [word for word in before if _can_refer(parse, pronoun, word)]
    return within[-1] if within else antecedent(parse, pronoun)


def _are_arguments(parse: Parse, pronoun: Token, noun: Token) -> bool:
    """Whether both belong to one verb: “I put an effort into it” tells of two things."""
    own = pronoun.tag == "PRP$" or pronoun.text.casefold().endswith(("self", "selves"))
    return not own and not parse.hangs_from(pronoun, noun) and _verb_above(parse, pronoun) == _verb_above(parse, noun)


def _is_described_by(parse: Parse, noun: Token, pronoun: Token) -> bool:
    """Whether the pronoun is in a clause that hangs from the noun."""
    return parse.hangs_from(parse.tokens[_verb_above(parse, pronoun)], noun)


def _verb_above(parse: Parse, token: Token) -> int:
    while token.head != token.i and not token.tag.startswith("VB"):
        token = parse.head(token)
    return token.i


def _can_refer(parse: Parse, pronoun: Token, noun: Token) -> bool:
    """Whether a noun before agrees with the pronoun; “the impact it will make” is no impact of its own."""
    key = pronoun.text.casefold()
    if noun.text.casefold() in EVERYBODY:
        return key in PLURAL
    if noun.tag not in NOUNS or noun.label in TIME_LABELS or _is_described_by(parse, noun, pronoun):
        return False
    if key in _HE | _SHE:
        return _is_person(parse, noun)
    if parse.hangs_from(pronoun, noun):  # “the city and its parks”
        return (noun.tag in ("NNS", "NNPS")) == (key in PLURAL)
    if key in PLURAL:
        return _is_plural(parse, noun) or _is_person(parse, noun)
    return not _is_plural(parse, noun) and not _is_person(parse, noun)


def antecedent(parse: Parse, pronoun: Token) -> Token | None:
    """The one thing, or the one person, of this sentence or the one before that a pronoun can stand for.

    Of a thing only what a clause is about, or what the speaker does something with: else a pronoun may as well stand
    for all that was said.
    """
    key = pronoun.text.casefold()
    if key in _HE | _SHE:
        return _person(parse, pronoun, _SHE if key in _HE else _HE)
    if _is_occasion(parse, parse.head(pronoun)):
        return None
    if key == "it" and pronoun.dep == "nsubj" and (topic := _topic(parse, pronoun)):
        return topic
    near = (token for token in parse.tokens[: pronoun.i] if pronoun.sentence - token.sentence <= 1)
    candidates = [token for token in near if _can_be_meant(parse, token, pronoun)]
    whole = [token for token in candidates if not (token.dep == "conj" and parse.head(token) in candidates)]
    return whole[0] if len(whole) == 1 and _is_topic(parse, whole[0]) else None


def _can_be_meant(parse: Parse, noun: Token, pronoun: Token) -> bool:
    """Whether a noun before agrees with “it” or “they”, and stands elsewhere."""
    thing = noun.tag in NOUNS and noun.dep in _PLACES and noun.label not in TIME_LABELS
    return (
        thing
        and noun.lemma not in VAGUE_OBJECTS
        and not _is_described_by(parse, noun, pronoun)
        and not _are_arguments(parse, pronoun, noun)
        and _is_plural(parse, noun) == (pronoun.text.casefold() in PLURAL)
    )


def _is_occasion(parse: Parse, verb: Token) -> bool:
    """“It was such a feeling” stands for all that happened, “it is hard to say” for nothing."""
    empowering = verb.tag == "VBG" and not parse.children(verb, "dobj", "prep")  # “It's empowering to know …”
    if verb.lemma != "be" and not empowering:
        return False
    adjectives = [verb] if empowering else parse.children(verb, "acomp")
    praised = any(parse.children(word, "xcomp", "ccomp") for each in adjectives for word in (verb, each))
    return praised or any(each.lemma in OCCASIONS for each in parse.children(verb, "attr"))


def _topic(parse: Parse, pronoun: Token) -> Token | None:
    """What the clause before is about, or what somebody loves, does or begins in it: “I love sailing. It calms me”."""
    before = (token for token in parse.tokens[: pronoun.i] if token.tag.startswith("VB"))
    verbs = [token for token in before if token.dep in MAIN or (token.dep == "ccomp" and token.head > pronoun.i)]
    if not verbs or pronoun.sentence - verbs[-1].sentence > 1:
        return None
    about = own_subject(parse, verbs[-1])
    if about is not None and about.tag in ("VBG", "NN"):
        return about if _can_be_pursued(parse, about) else None
    if verbs[-1].lemma not in PURSUING:
        return None
    pursued = [each for each in parse.children(verbs[-1], "dobj", "xcomp") if each.tag in ("VBG", "NN")]
    return pursued[0] if len(pursued) == 1 and _can_be_pursued(parse, pursued[0]) else None


def _can_be_pursued(parse: Parse, token: Token) -> bool:
    """Whether “it” can stand for an act or a thing; “your …” and “this …” say it to those who see it only."""
    pointed = any(word.text.casefold() in _ELSEWHERE for word in parse.children(token, "det", "poss"))
    return (
        not pointed
        and not _is_plural(parse, token)
        and not _is_person(parse, token)
        and token.lemma not in VAGUE_OBJECTS | PERCEIVING
    )


def _is_topic(parse: Parse, noun: Token) -> bool:
    """Whether the clause of a noun is about it, or it is who somebody has: “my nephews”."""
    if any(word.text.casefold() in _ELSEWHERE for word in parse.children(noun, "det", "poss")):
        return False
    if noun.lemma in PEOPLE and not parse.children(noun, "poss"):
        return False
    about = noun.dep in ("nsubj", "nsubjpass") and parse.head(noun).dep in MAIN
    return about or (_is_plural(parse, noun) and noun.lemma in ROLES)


def _is_plural(parse: Parse, token: Token) -> bool:
    """Whether “they” speaks of it: “friends”, “Tom and Ana”, “my family”."""
    if token.lemma in PEOPLE:
        return True
    return token.tag in ("NNS", "NNPS") or any(each.tag in NOUNS for each in parse.children(token, "conj"))


def _person(parse: Parse, pronoun: Token, others: frozenset[str]) -> Token | None:
    """The one person or pet that the turn has named before; nobody after a pronoun of the other gender."""
    before = parse.tokens[: pronoun.i]
    if any(token.text.casefold() in others for token in before):
        return None
    people = [token for token in before if _is_person(parse, token)]
    names = {token.text.casefold() for token in people}
    return people[-1] if len(names) == 1 else None


def _is_person(parse: Parse, token: Token) -> bool:
    """Whether “he”, “she” or “they” speaks of it, rather than “it”."""
    inside = token.dep not in ("conj", "appos") and parse.head(token).proper  # “Tom” of “Tom Berg”
    named = token.label == "PERSON" and token.proper and not inside
    return named or (token.tag == "NN" and token.lemma in ROLES)
