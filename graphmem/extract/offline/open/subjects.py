"""Whom a clause is about: the speaker, someone or something of theirs, who is named, or what concerns the speaker."""

from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from graphmem.extract.offline.open.clause import AUXILIARIES, marks, own_subject, subject
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
from graphmem.model.dates import MONTHS

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
    vague = key in VAGUE_SUBJECTS and not (key == "one" and _parts(parse, token))
    return Drop.VAGUE_SUBJECT if vague else _of_noun(parse, token, words)


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


def _parts(parse: Parse, pronoun: Token) -> list[Token]:
    """Of whom somebody is one: “one of the actors”."""
    return [
        goal for word in parse.children(pronoun, "prep") for goal in parse.children(word, "pobj") if goal.tag in NOUNS
    ]


def _is_a_name(parse: Parse, token: Token) -> bool:
    """Whether a capital is not only that of a sentence's beginning: “Guidance helps”."""
    first = parse.sentence_of(token).first
    return token.label not in TIME_LABELS and (bool(token.label) or first not in (token.i, token.i - 1))


def is_theirs(parse: Parse, token: Token) -> bool:
    """“my sister”, “our house”, “mine”."""
    if token.text.casefold() in ("mine", "ours"):
        return True
    whose = parse.children(token, "poss")
    if len(whose) == 1 and (whose[0].text.casefold() in ("my", "our") or _is_relative(parse, whose[0])):
        return True
    of = (goal for word in parse.children(token, "prep") if word.text == "of" for goal in parse.children(word, "pobj"))
    return any(goal.text.casefold() in ("mine", "ours") for goal in of)


def _is_relative(parse: Parse, whose: Token) -> bool:
    """“husband's” of “my husband's brother”."""
    return whose.lemma in ROLES and [each.text.casefold() for each in parse.children(whose, "poss")] in (
        ["my"],
        ["our"],
    )


def _is_elided(parse: Parse, verb: Token, words: tuple[Token, ...]) -> bool:
    """“Went to Rome”, “Been thinking”, “Can't wait”, “Love it”, not “Makes sense”, nor “Last week was hard”."""
    keys = {word.text.casefold() for word in words}
    if verb.dep not in MAIN or not _begins(parse, verb, words) or "me" in keys:
        return False  # “Made me think” leaves out “it”
    if verb.tag == "VBG" and not parse.children(verb, "aux"):
        sentence = {token.text.casefold() for token in parse.within(parse.sentence_of(verb))}
        return verb.dep == "ROOT" and not keys & US and not sentence & SECOND_PERSON and not _goes_on(parse, verb)
    if verb.lemma == "wait" or verb.tag in _PAST:
        return not parse.children(verb, "auxpass") or verb.dep == "ROOT"
    return verb.tag in ("VBP", "VB") and verb.lemma in ELIDED


def _begins(parse: Parse, verb: Token, words: tuple[Token, ...]) -> bool:
    """Whether the clause begins with its verb, or with an adverb or auxiliary of it, or tells a day before."""
    first = words[0]
    verbs = (verb, *parse.children(verb, "xcomp"))
    if any(each.tag in NOUNS for be in verbs if be.lemma == "be" for each in parse.children(be, "attr")):
        return False  # “Been a long day”
    named = first.text.casefold() in MONTHS and first.i + 1 == verb.i  # “August adopted a dog”
    dated = first.label in TIME_LABELS and verb.lemma != "be" and not named
    return dated or first.i == verb.i or (first.head == verb.i and first.dep in ("aux", "auxpass", "neg", "advmod"))


def _goes_on(parse: Parse, gerund: Token) -> bool:
    """Whether a finite verb follows, whose subject the gerund may be: “Taking time off is important”."""
    sentence = parse.sentence_of(gerund)
    following = [token.text.casefold() for token in parse.tokens[sentence.last : sentence.last + 1]]
    if following in (["that"], ["this"], ["you"]):
        return True
    later = parse.tokens[gerund.i + 1 : sentence.last]
    if any(before.tag == "POS" and token.tag in ("DT", "RB") for before, token in pairwise(later)):
        return True  # “Finding a flat's a tough job”
    if gerund.lemma in PERCEIVING:
        return True  # “Seeing them smile, it …”
    hoped = gerund.lemma in WISHING
    finite = (
        token
        for token in later
        if token.tag in ("VBZ", "VBP", "VBD", "MD") and token.dep != "relcl" and not (hoped and token.dep == "ccomp")
    )
    return any(not (marks(parse, verb) or _has_pronoun(parse, verb)) for verb in finite)


def _has_pronoun(parse: Parse, verb: Token) -> bool:
    above = parse.head(verb) if verb.dep in AUXILIARIES else verb
    about = own_subject(parse, above)
    return about is not None and about.tag == "PRP"
