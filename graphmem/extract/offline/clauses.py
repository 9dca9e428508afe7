"""What a clause asserts: its tense, whether it is asserted at all, of whom, and when.

Precision before recall: a clause that is asked, denied, wished, guessed, conditional or somebody else's words asserts
nothing.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum

from graphmem.extract.offline.dates.finder import Bearing, Dated
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
_NO_DATE = frozenset({"the", "of", "a", ",", "end"})
_SIMPLE_TENSES = {"VBP": Tense.PRESENT, "VBZ": Tense.PRESENT, "VBD": Tense.PAST, "VB": Tense.BARE}
_SHORT_PRESENT = frozenset({"'s", "’s", "'ve", "’ve", "'m", "’m", "'re", "’re"})
_IN_TITLES = frozenset({"and", "of", "&", "or", "in", "to", "-", "for", "'s"})
_ONGOING = (Tense.PRESENT, Tense.PROGRESSIVE, Tense.PERFECT)
_REASONS = frozenset({"because", "due", "after", "since", "thanks"})
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


def narrowed(
    parse: Parse, nodes: Sequence[Token], dates: Sequence[Dated], unread: tuple[int, int] | None = None
) -> bool:
    """Whether more than ``nodes`` and the time it happened is said: “at night”, “with Tom”, “for a week”, “to rest”.

    The time is a date, or at ``unread``.
    """
    happened = [(dated.start, dated.end) for dated in dates if dated.bearing is Bearing.AT]
    happened += [unread] if unread else []
    return any(
        word not in nodes
        and word.text.casefold() not in _REASONS
        and not any(start < _end_below(parse, word) and word.start < end for start, end in happened)
        for word in _circumstances(parse, nodes)
    )


def _circumstances(parse: Parse, nodes: Sequence[Token]) -> Iterator[Token]:
    for node in nodes:
        words = parse.children(node, "prep", "npadvmod", "advcl")
        yield from words if not for_good(parse, node) else ()
        yield from (word for word in parse.children(node, "aux") if word.tag == "TO")


def _end_below(parse: Parse, word: Token) -> int:
    return max((parse.tokens[i].end for i in word.children), default=word.end)


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


def for_good(parse: Parse, verb: Token) -> bool:
    return any(
        goal.text.casefold() == "good" for word in parse.children(verb, "prep") for goal in parse.children(word, "pobj")
    )


_HOMES = frozenset({"apartment", "family", "flat", "home", "house", "place"})
"""What one moves with oneself."""
_THEMSELVES = frozenset({"myself", "ourselves", "himself", "herself", "themselves"})


def moves_something(parse: Parse, verb: Token) -> bool:
    """“I moved my savings to Oslo”, “I moved my mother to Graz”; not “I moved house”, “moved my family”."""
    return any(
        thing.lemma.casefold() not in _HOMES and thing.text.casefold() not in _THEMSELVES
        for thing in parse.children(verb, "dobj", "dative")
    )


_OF_A_DAY = frozenset({"early", "late", "earlier", "later", "briefly", "quickly"})
_PARTS_OF_DAYS = (["morning"], ["afternoon"], ["evening"])
_HOURS = frozenset({"noon", "midday", "midnight", "lunchtime", "lunch", "dawn", "dusk"})


def for_a_while(parse: Parse, verb: Token) -> bool:
    """“I left the office early”, “at five”, “at 17:30”: nobody leaves for good at an hour."""
    said = (verb, *parse.children(verb, "dobj"))
    after = (word for node in said for word in parse.tokens[node.i + 1 : node.i + 2])
    early = any(_of_a_day(parse, word) for word in (*after, *parse.children(verb, "advmod")))
    times = (word for word in parse.children(verb, "prep") if word.text.casefold() in ("at", "before", "after"))
    hours = (goal for word in times for goal in parse.children(word, "pobj"))
    return early or any((goal.tag == "CD" and not _is_year(goal)) or goal.text.casefold() in _HOURS for goal in hours)


def _of_a_day(parse: Parse, word: Token) -> bool:
    """“early today”, not “early in 2024”, “early last year”."""
    rest = [token.text.casefold() for token in parse.tokens[word.i + 1 : word.i + 3]]
    of_longer = rest[:1] and rest[0] in ("in", "last", "next", "that", "this") and rest[1:] not in _PARTS_OF_DAYS
    return word.text.casefold() in _OF_A_DAY and not of_longer


def _is_year(token: Token) -> bool:
    return token.text.isdecimal() and len(token.text) == len("2025")


def for_another(parse: Parse, nodes: Sequence[Token]) -> bool:
    """“I got this puppy for you”: what is got for another is not one's own."""
    words = [word for node in nodes for word in parse.children(node, "prep", "dative") if word.text.casefold() == "for"]
    return any(goal.tag == "PRP" or goal.label == "PERSON" for word in words for goal in parse.children(word, "pobj"))


def requested(parse: Parse, verb: Token) -> bool:
    """“Call me …”, “you can call me …”."""
    subject = subject_of(parse, verb)
    if subject is None:
        return tense(parse, verb) is Tense.BARE
    modals = [auxiliary.text.casefold() for auxiliary in parse.children(verb, "aux")]
    return subject.text.casefold() == "you" and modals in (["can"], ["may"])


def modified(parse: Parse, verb: Token) -> Token | None:
    """The noun that the clause of ``verb`` says something of: “a town located in …”, “Ana, who was born in …”."""
    while verb.dep == "conj":
        verb = parse.head(verb)
    return parse.head(verb) if verb.dep in ("acl", "relcl") else None


def related(parse: Parse, verb: Token) -> bool:
    """Whether “who” or the like is the subject."""
    subject = subject_of(parse, verb)
    return subject is not None and subject.tag in ("WP", "WDT")


def goes_on_before(parse: Parse, start: int) -> bool:
    """Whether the words before a title at ``start`` belong to it: “Cranks and Shadows”, “Clear and Present Danger”."""
    before = [token.text for token in parse.tokens if token.end <= start and not token.text.isspace()][-1:]
    return any(word in _IN_TITLES or (word.istitle() and word != "The") for word in before)


def whole_name(parse: Parse, verb: Token, start: int, end: int) -> bool:
    """Whether ``[start, end)`` is all of the name said after ``verb``: not “Berg” of “my name is Anna hyphen Berg”."""
    between = [token for token in parse.tokens[verb.i + 1 :] if token.end <= start]
    after = next((token for token in parse.tokens[verb.i + 1 :] if token.start >= end), None)
    return not any(token.proper for token in between) and not (after and (after.proper or after.text == "-"))


def set_off(parse: Parse, end: int) -> bool:
    """Whether a comma follows what ends at ``end``."""
    return next((token.text for token in parse.tokens if token.start >= end), "") == ","


def identified(parse: Parse, noun: Token) -> Token:
    """The name that is said to be the noun: Linden, where “Linden is a town located in …” or “Linden, a town …”."""
    above = parse.head(noun)
    if noun.dep == "attr" and above.lemma == "be" and not denied(parse, above):
        return subject_of(parse, above) or noun
    return above if noun.dep == "appos" and above.proper and not noun.proper else noun


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


def conjuncts(parse: Parse, token: Token) -> list[Token]:
    """“Rome, Paris and Oslo”; a choice (“Rome or Oslo”) gives none."""
    found = [token]
    for member in found:
        if any(word.text.casefold() not in ("and", "&") for word in parse.children(member, "cc", "preconj")):
            return []
        found.extend(parse.children(member, "conj"))
    return found


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


def misunderstood(parse: Parse, nodes: Sequence[Token], dates: Sequence[Dated]) -> bool:
    """Whether the clause says when, in words that no rule knows."""
    anchors = {node.i for node in nodes}
    return any(
        token.label == "DATE"
        and not any(dated.start < token.end and token.start < dated.end for dated in dates)
        and token.text.casefold() not in _NO_DATE
        and hangs(parse, token, anchors)
        for token in parse.within(parse.sentence_of(nodes[0]))
    )


def hangs(parse: Parse, token: Token, anchors: set[int]) -> bool:
    """Whether a token hangs from one of the ``anchors`` without another verb on the way."""
    while token.i not in anchors:
        if token.head == token.i or (token.tag.startswith("VB") and token.tag != "VBG"):
            return False
        token = parse.head(token)
    return True
