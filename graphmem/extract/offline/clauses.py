"""What a clause asserts: its tense, whether it is asserted at all, of whom, and when.

Precision before recall: a clause that is asked, denied, wished, guessed, conditional or somebody else's words asserts
nothing.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum

from graphmem.extract.offline.dates.finder import Dated
from graphmem.extract.offline.syntax import Parse, Token
from graphmem.extract.offline.tables.lexicon import (
    CONDITIONS,
    DOUBTS,
    FACTUAL_MARKS,
    HABITUAL,
    HEDGES,
    NEGATIONS,
    TELLING,
)
from graphmem.extract.offline.tables.tenses import STRONG_PAST

LONGEST_SENTENCE = 200
"""In tokens. What runs on longer is no plain saying, and would cost the square of its length."""


class Tense(StrEnum):
    PRESENT = "present"
    PAST = "past"
    PERFECT = "perfect"
    PROGRESSIVE = "progressive"
    BARE = "bare"


_SEPARATORS = frozenset({",", ":", ";", "-", "–", "—", "...", "…", "!"})
_SIMPLE_TENSES = {"VBP": Tense.PRESENT, "VBZ": Tense.PRESENT, "VBD": Tense.PAST, "VB": Tense.BARE}
_SHORT_PRESENT = frozenset({"'s", "’s", "'ve", "’ve", "'m", "’m", "'re", "’re"})
_ONGOING = (Tense.PRESENT, Tense.PROGRESSIVE, Tense.PERFECT)
_AUXILIARIES = ("aux", "auxpass")


def tense(parse: Parse, verb: Token) -> Tense | None:
    """The tense of a finite verb without modal; None for all else. ``BARE`` is an imperative or an infinitive."""
    auxiliaries = parse.children(verb, *_AUXILIARIES)
    if any(auxiliary.tag in ("MD", "TO") for auxiliary in auxiliaries):
        return None
    if auxiliaries:
        return _compound_tense(verb, auxiliaries[0])
    if verb.tag == "VBN" and verb.dep == "conj" and not parse.children(verb, "nsubj", "nsubjpass"):
        return tense(parse, parse.head(verb))
    return Tense.PAST if _is_past_too(parse, verb) else _SIMPLE_TENSES.get(verb.tag)


def _is_past_too(parse: Parse, verb: Token) -> bool:
    """“I quit smoking”, “I rewrote it”: what is written as the present and told as news, or taken for the present."""
    key = verb.text.casefold()
    past = key == "quit" or key in STRONG_PAST
    return past and verb.tag in ("VB", "VBP") and bool(parse.children(verb, "nsubj"))


def _compound_tense(verb: Token, auxiliary: Token) -> Tense | None:
    present = auxiliary.tag in ("VBP", "VBZ") or auxiliary.text in _SHORT_PRESENT
    short_have = auxiliary.text in ("'s", "’s") and verb.tag == "VBN" and auxiliary.dep == "aux"
    if auxiliary.lemma == "have" or auxiliary.text in ("'ve", "’ve") or short_have:
        return Tense.PERFECT if present else None
    if auxiliary.lemma == "do" or auxiliary.dep == "auxpass":
        return Tense.PRESENT if present else Tense.PAST
    return Tense.PROGRESSIVE if present and verb.tag == "VBG" else None


def passive(parse: Parse, verb: Token) -> bool:
    return bool(parse.children(verb, "auxpass"))


def no_longer(parse: Parse, verb: Token) -> bool:
    """“no longer”, “not … any more”, “no more”."""
    words = {token.text.casefold() for token in _near(parse, verb)}
    denied = bool(parse.children(verb, "neg"))
    return {"no", "longer"} <= words or (
        denied and ("anymore" in words or {"any", "more"} <= words or {"any", "longer"} <= words)
    )


def goes_on_no_longer(parse: Parse, verb: Token) -> bool:
    """“no longer” and the like, of the present; the parser takes the verb of “I no longer eat meat” for a bare one."""
    bare = tense(parse, verb) is Tense.BARE and subject_of(parse, verb) is not None
    return no_longer(parse, verb) and (bare or tense(parse, verb) in _ONGOING)


def _near(parse: Parse, verb: Token) -> Iterator[Token]:
    for child in parse.children(verb, "advmod", "neg", "npadvmod"):
        yield child
        yield from parse.children(child, "neg", "advmod", "det")


def denied(parse: Parse, verb: Token) -> bool:
    """Negated, hedged or conditional by what hangs from the verb itself."""
    if parse.children(verb, "neg") or any(
        parse.children(auxiliary, "neg") for auxiliary in parse.children(verb, "aux")
    ):
        return True
    if any(word.text.casefold() in HEDGES | {"never", "no", "not"} for word in _near(parse, verb)):
        return True
    if takes_nothing(parse, verb):
        return True
    subjects = parse.children(verb, "nsubj", "nsubjpass")
    if any(token.text.casefold() in NEGATIONS for subject in subjects for token in parse.tokens[subject.i : verb.i]):
        return True
    if any(word.text.casefold() == "according" for word in parse.children(verb, "prep")):
        return True
    return any(
        mark.text.casefold() in CONDITIONS
        for clause in parse.children(verb, "advcl")
        for mark in parse.children(clause, "mark", "advmod")
    )


def takes_nothing(parse: Parse, verb: Token) -> bool:
    """“I have no sister”, “I visited neither Rome nor Paris”, “I'm no fan”, “Neither Ana nor Bob works there”."""
    things = parse.children(verb, "dobj", "attr", "oprd", "nsubj", "nsubjpass")
    words = (each for thing in things for each in parse.children(thing, "det", "preconj", "cc"))
    return any(each.text.casefold() in ("no", "neither") for each in words)


def refused(parse: Parse, verb: Token) -> bool:
    """“I don't eat …”, “I can't eat …”, “I never eat …”, of the present and without a doubt."""
    auxiliaries = parse.children(verb, "aux")
    plain = all(auxiliary.lemma == "do" or auxiliary.text.casefold() in ("ca", "can") for auxiliary in auxiliaries)
    present = all(auxiliary.tag != "VBD" for auxiliary in (*auxiliaries, verb))
    hedged = any(word.text.casefold() in HEDGES | HABITUAL for word in _near(parse, verb))
    over = goes_on_no_longer(parse, verb)
    return (over or bool(parse.children(verb, "neg"))) and plain and present and not hedged


def still(parse: Parse, verb: Token) -> bool:
    return any(word.text.casefold() == "still" for word in parse.children(verb, "advmod"))


def requested(parse: Parse, verb: Token) -> bool:
    """“Call me …”, “you can call me …”."""
    subject = subject_of(parse, verb)
    if subject is None:
        return tense(parse, verb) is Tense.BARE
    modals = [auxiliary.text.casefold() for auxiliary in parse.children(verb, "aux")]
    return subject.text.casefold() == "you" and modals in (["can"], ["may"])


def related(parse: Parse, verb: Token) -> bool:
    """Whether “who” or the like is the subject."""
    subject = subject_of(parse, verb)
    return subject is not None and subject.tag in ("WP", "WDT")


def set_off(parse: Parse, end: int) -> bool:
    """Whether a comma follows what ends at ``end``."""
    return next((token.text for token in parse.tokens if token.start >= end), "") == ","


def asserted(parse: Parse, verb: Token) -> bool:
    """Whether the speaker asserts the clause of ``verb``, as far as the sentence around it shows."""
    sentence = parse.sentence_of(verb)
    if sentence.last - sentence.first > LONGEST_SENTENCE:
        return False
    return not (_asked(parse, verb) or verb.quoted or _titled(parse, verb)) and _embedded_safely(parse, verb)


def _titled(parse: Parse, verb: Token) -> bool:
    """Whether the verb is a word of a title (“the I Hate Rachel Club”)."""
    return verb.text.istitle() and len(verb.text) > 1 and verb.i != parse.sentence_of(verb).first


def _asked(parse: Parse, verb: Token) -> bool:
    sentence = parse.sentence_of(verb)
    if any("?" in token.text for token in parse.tokens[verb.i : sentence.last]):
        return True
    subjects = parse.children(verb, "nsubj", "nsubjpass")
    return any(auxiliary.i < subject.i for auxiliary in parse.children(verb, *_AUXILIARIES) for subject in subjects)


def _embedded_safely(parse: Parse, verb: Token) -> bool:
    """Climb to the root; every clause on the way must leave what is below it asserted."""
    below = verb
    while below.dep != "ROOT" and below.head != below.i:
        above = parse.head(below)
        if below.dep == "conj":
            safe = bool(parse.children(below, "nsubj", "nsubjpass")) or not _weakened(parse, above)
        elif below.dep in ("ccomp", "parataxis"):
            safe = _reported(parse, below, above)
        elif below.dep == "advcl":
            safe = _factual(parse, below)
        else:
            safe = below.dep == "acomp"
        if not safe:
            return False
        below = above
    return True


def _weakened(parse: Parse, verb: Token) -> bool:
    modal = any(auxiliary.tag in ("MD", "TO") for auxiliary in parse.children(verb, "aux"))
    return modal or denied(parse, verb)


def _reported(parse: Parse, clause: Token, above: Token) -> bool:
    """“I told you that …”, or merely set side by side: “Guess what, …”."""
    subjects = parse.children(above, "nsubj") or parse.children(parse.head(above), "nsubj")
    first_person = any(subject.text.casefold() in ("i", "we") for subject in subjects)
    if above.lemma in TELLING and first_person:
        return not _weakened(parse, above)
    if parse.children(clause, "mark") or (above.lemma in DOUBTS and subjects):
        return False
    low, high = sorted((clause.i, above.i))
    return any(token.text in _SEPARATORS for token in parse.tokens[low + 1 : high])


def _factual(parse: Parse, clause: Token) -> bool:
    marks = {mark.text.casefold() for mark in parse.children(clause, "mark", "advmod")}
    return bool(marks & FACTUAL_MARKS) and not marks & CONDITIONS


def subordinate(parse: Parse, verb: Token) -> bool:
    """Told in passing: an event here happened whenever the main clause has it, not necessarily now."""
    while verb.dep == "conj":
        verb = parse.head(verb)
    return verb.dep == "advcl"


def subject_of(parse: Parse, verb: Token) -> Token | None:
    """The grammatical subject, which a coordinated verb shares with the first one."""
    while True:
        subjects = parse.children(verb, "nsubj", "nsubjpass")
        if subjects:
            return subjects[0]
        if verb.dep != "conj" or verb.head == verb.i:
            return None
        verb = parse.head(verb)


def dates_of(parse: Parse, nodes: Sequence[Token], dates: Sequence[Dated]) -> list[Dated]:
    """The dates that hang from one of ``nodes`` rather than from another verb."""
    anchors = {node.i for node in nodes}
    sentence = parse.within(parse.sentence_of(nodes[0]))
    first = {dated: _word_of(sentence, dated) for dated in dates}
    return [dated for dated, token in first.items() if token is not None and hangs(parse, token, anchors)]


def _word_of(sentence: Sequence[Token], dated: Dated) -> Token | None:
    """Where a date hangs: by its first word, or by one that opens a clause: “it's been two months since I left”."""
    after = [token for token in sentence if token.end > dated.start]
    opens = (token for token in after if token.start < dated.end and token.dep == "mark" and token.end == dated.end)
    return next(opens, after[0] if after else None)


def hangs(parse: Parse, token: Token, anchors: set[int]) -> bool:
    """Whether a token hangs from one of the ``anchors`` without another verb on the way."""
    while token.i not in anchors:
        if token.head == token.i or (token.tag.startswith("VB") and token.tag != "VBG"):
            return False
        token = parse.head(token)
    return True
