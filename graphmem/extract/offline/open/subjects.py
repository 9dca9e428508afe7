"""Whom a clause is about: the speaker, someone or something of theirs, who is named, or what concerns the speaker."""

from dataclasses import dataclass
from enum import StrEnum

from graphmem.extract.offline.open.clause import subject
from graphmem.extract.offline.open.references import MAIN, NOUNS, TIME_LABELS, antecedent
from graphmem.extract.offline.open.status import Drop
from graphmem.extract.offline.syntax import Parse, Token
from graphmem.extract.offline.tables.open import (
    ELIDED,
    FIRST_PERSON,
    PERCEIVING,
    SECOND_PERSON,
    THIRD_PERSON,
    TIMES,
    US,
    VAGUE_SUBJECTS,
    WISHING,
)
from graphmem.extract.offline.tables.roles import ROLES

_PAST = ("VBD", "VBN", "VBG")


class Who(StrEnum):
    """The speaker, also with others, what is theirs, who is named; or something that does or is something to them."""

    SPEAKER = "speaker"
    WE = "we"
    THEIRS = "theirs"
    NAMED = "named"
    CONCERNING = "concerning"


_TALKING = {"i": Who.SPEAKER, "we": Who.WE}


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom a clause is about. ``token`` heads the words for it: the grammatical subject, or what that stands for."""

    who: Who
    token: Token | None


def subject_of(parse: Parse, verb: Token, words: tuple[Token, ...]) -> Subject | Drop:
    """Whom the clause of ``verb`` is about."""
    token = subject(parse, verb)
    if token is None:
        return Subject(Who.SPEAKER, None) if _is_elided(parse, verb, words) else Drop.NO_SUBJECT
    key = token.text.casefold()
    if key in _TALKING:
        return Subject(_TALKING[key], token)
    if _is_with_me(parse, token):
        return Subject(Who.WE, token)
    if key in SECOND_PERSON:
        return Drop.ADDRESSEE
    if key in THIRD_PERSON:
        begun = any(word.tag.startswith("VB") and word.i < token.i for word in words)
        meant = None if begun else antecedent(parse, token)
        return _of_noun(parse, meant, words) if meant else Drop.UNRESOLVED
    return Drop.VAGUE_SUBJECT if key in VAGUE_SUBJECTS else _of_noun(parse, token, words)


def _is_with_me(parse: Parse, token: Token) -> bool:
    """“Tom and I”, “me and my sister”."""
    joined = [] if token.label in TIME_LABELS or token.lemma in TIMES else parse.children(token, "conj")
    return any(each.text.casefold() in ("i", "me") for each in (token, *joined)) and bool(joined)


def _of_noun(parse: Parse, token: Token, words: tuple[Token, ...]) -> Subject | Drop:
    if token.tag in ("VB", "VBD", "VBN"):
        return Drop.NO_SUBJECT
    if token.label in ("DATE", "TIME") or (token.lemma in TIMES and not parse.children(token, "compound")):
        return Drop.VAGUE_SUBJECT
    if is_theirs(parse, token):
        return Subject(Who.THEIRS, token)
    if any(word.text.casefold() in FIRST_PERSON and not _is_aside(parse, word) for word in words):
        return Subject(Who.CONCERNING, token)
    if token.proper and _is_a_name(parse, token):
        return Subject(Who.NAMED, token)
    generic = any(word.text.casefold() in US for word in words)
    return Drop.ANYBODY if generic else Drop.OTHER_SUBJECT


def _is_aside(parse: Parse, word: Token) -> bool:
    """Whether a word is of an adverbial clause: “Cats sleep when I sing”."""
    while word.head != word.i and word.dep not in MAIN:
        if word.dep == "advcl":
            return True
        word = parse.head(word)
    return False


def _is_a_name(parse: Parse, token: Token) -> bool:
    """Whether a capital is not only that of a sentence's beginning: “Guidance helps”."""
    first = parse.sentence_of(token).first
    return token.label not in TIME_LABELS and (bool(token.label) or first not in (token.i, token.i - 1))


def is_theirs(parse: Parse, token: Token) -> bool:
    """“my sister”, “our house”, “mine”."""
    if token.text.casefold() in ("mine", "ours"):
        return True
    whose = parse.children(token, "poss")
    if len(whose) == 1 and whose[0].lemma in ROLES:
        return is_theirs(parse, whose[0])  # “my husband's brother”
    if len(whose) == 1 and whose[0].text.casefold() in ("my", "our"):
        return True
    of = (goal for word in parse.children(token, "prep") if word.text == "of" for goal in parse.children(word, "pobj"))
    return any(goal.text.casefold() in ("mine", "ours") for goal in of)


def _is_elided(parse: Parse, verb: Token, words: tuple[Token, ...]) -> bool:
    """“Went to Rome”, “Been thinking”, “Can't wait”, “Love it”, not “Makes sense”, nor “Last week was hard”."""
    keys = {word.text.casefold() for word in words}
    if verb.dep not in MAIN or not _begins(parse, verb, words) or "me" in keys:
        return False  # “Made me think” leaves out “it”
    if verb.tag == "VBG" and not parse.children(verb, "aux"):
        return verb.dep == "ROOT" and not keys & US and not _goes_on(parse, verb)
    if verb.lemma == "wait" or verb.tag in _PAST:
        return not parse.children(verb, "auxpass") or verb.dep == "ROOT"
    return verb.tag in ("VBP", "VB") and verb.lemma in ELIDED


def _begins(parse: Parse, verb: Token, words: tuple[Token, ...]) -> bool:
    """Whether the clause begins with its verb, or with an adverb or auxiliary of it, or tells a day before."""
    first = words[0]
    verbs = (verb, *parse.children(verb, "xcomp"))
    if any(each.tag in NOUNS for be in verbs if be.lemma == "be" for each in parse.children(be, "attr")):
        return False  # “Been a long day”
    dated = first.label in TIME_LABELS and verb.lemma != "be"
    return dated or first.i == verb.i or (first.head == verb.i and first.dep in ("aux", "auxpass", "neg", "advmod"))


def _goes_on(parse: Parse, gerund: Token) -> bool:
    """Whether a finite verb follows, whose subject the gerund may be: “Taking time off is important”."""
    later = parse.tokens[gerund.i + 1 : parse.sentence_of(gerund).last]
    apart = ("relcl", "advcl", "ccomp") if gerund.lemma in WISHING else ("relcl", "advcl")
    finite = (token for token in later if token.tag in ("VBZ", "VBP", "VBD", "MD"))
    return gerund.lemma in PERCEIVING or any(verb.dep not in apart for verb in finite)
