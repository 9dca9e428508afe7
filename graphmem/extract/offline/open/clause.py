"""The clauses of a parse: the finite verbs that head them, their grammatical subjects, and the words of each."""

from collections.abc import Iterator

from graphmem.extract.offline.clauses import LONGEST_SENTENCE, Tense, tense
from graphmem.extract.offline.syntax import Parse, Token
from graphmem.extract.offline.tables.open import CONDITIONS, FACTUAL_MARKS, LEADING_ADVERBS

AUXILIARIES = ("aux", "auxpass")
SUBJECTS = ("nsubj", "nsubjpass", "csubj", "csubjpass", "expl")
_UNITS = frozenset("%‰°€£$¥")

_HEADING = ("ROOT", "conj", "parataxis", "ccomp", "advcl", "relcl")
_FINITE = ("VBD", "VBP", "VBZ")
_SHORT_FINITE = ("'s", "'ve", "'m", "'re", "'d", "'ll")
_BREAKS = (",", ":", ";", "...", "…", "!")
_ASIDE = ("parataxis", "intj", "discourse")


def heads(parse: Parse) -> Iterator[Token]:
    """The finite verbs that head a clause, in the order of the text."""
    return (token for token in plain(parse) if token.dep in _HEADING and is_finite(parse, token))


def plain(parse: Parse) -> Iterator[Token]:
    """The tokens of sentences that are no longer than a plain saying is."""
    for sentence in parse.sentences:
        if sentence.last - sentence.first <= LONGEST_SENTENCE:
            yield from parse.within(sentence)


def is_finite(parse: Parse, verb: Token) -> bool:
    """Whether the verb has a tense, or is an imperative or a participle without its auxiliary (“Been there”)."""
    auxiliaries = parse.children(verb, *AUXILIARIES)
    if not (verb.tag.startswith("VB") or verb.tag == "MD"):
        return False
    if verb.tag in _FINITE or any(_has_tense(each) for each in auxiliaries):
        return True
    if any(each.tag == "TO" for each in auxiliaries):
        return False
    above = parse.head(verb)
    if verb.dep == "conj" and above.i != verb.i and (above.tag == verb.tag or {above.tag, verb.tag} <= {"VB", "VBP"}):
        return is_finite(parse, above)
    if verb.tag == "VB":
        sings = verb.dep == "conj" and parse.children(above, "xcomp")  # “I wanted to dance and sing”
        return not sings and verb.dep in ("ROOT", "conj", "ccomp", "parataxis")
    return verb.dep == "ROOT"


def _has_tense(auxiliary: Token) -> bool:
    return auxiliary.tag in (*_FINITE, "MD") or auxiliary.text in _SHORT_FINITE


def told_tense(parse: Parse, verb: Token) -> Tense | None:
    """The tense of a finite verb; what had been so is past."""
    auxiliaries = parse.children(verb, "aux")
    had = any(each.lemma == "have" and each.tag == "VBD" for each in auxiliaries)
    short = verb.tag in ("VBD", "VBN") and any(each.text in ("'d", "’d") for each in auxiliaries)
    return Tense.PAST if had or short else tense(parse, verb)


def own_subject(parse: Parse, verb: Token) -> Token | None:
    """The grammatical subject of this very clause, which is not who is called: “Ana, after work I …”."""
    subjects = parse.children(verb, *SUBJECTS)
    called = len(subjects) > 1 and subjects[0].proper and _is_before_comma(parse, subjects[0])
    return next(iter(subjects[called:]), None)


def _is_before_comma(parse: Parse, token: Token) -> bool:
    return [word.text for word in parse.tokens[token.i + 1 : token.i + 2]] == [","]


def subject(parse: Parse, verb: Token) -> Token | None:
    """The grammatical subject; a coordinated verb shares that of the first one, if it can: “I … makes” is none."""
    third = verb.tag == "VBZ"
    while True:
        token, above = own_subject(parse, verb), parse.head(verb)
        other = {verb.tag, above.tag} == {"VBP", "VBZ"}  # “Rome is great and love the food” leaves out “I”
        if token or other or verb.dep != "conj" or not above.tag.startswith(("VB", "MD")):
            mine = token is not None and token.text.casefold() in ("i", "we", "they", "you")
            return None if third and mine else token
        verb = above


def marks(parse: Parse, verb: Token) -> set[str]:
    """The words that make a clause a subordinate one."""
    return {mark.text.casefold() for mark in parse.children(verb, "mark", "advmod")}


def is_set_off(parse: Parse, clause: Token, above: Token) -> bool:
    """Whether a comma or the like stands between two verbs."""
    low, high = sorted((clause.i, above.i))
    return any(token.text in _BREAKS for token in parse.tokens[low + 1 : high])


def is_apart(parse: Parse, clause: Token, above: Token) -> bool:
    """Whether only a comma joins a clause to the one after it: “Got a cat years ago, it sleeps …”."""
    plain = clause.tag == "VB" and not parse.children(clause, *AUXILIARIES)
    over = clause.tag == "VBD" or plain or (clause.tag == "VBN" and parse.children(clause, "dobj"))
    marked = parse.children(clause, "mark") or marks(parse, clause) & FACTUAL_MARKS
    return bool(over) and clause.i < above.i and not marked and is_set_off(parse, clause, above)


def words(parse: Parse, verb: Token) -> tuple[Token, ...]:
    """The words of the clause of ``verb``, less those of other clauses, conjunctions and marks at its ends."""
    tokens: list[Token] = []
    waiting = [verb]
    while waiting:
        token = waiting.pop()
        tokens.append(token)
        below = (parse.tokens[i] for i in token.children)
        waiting += [child for child in below if token.i != verb.i or _belongs(parse, verb, child)]
    tokens.sort(key=lambda token: token.i)
    while tokens and _is_end(tokens[-1]):
        tokens.pop()
    while tokens and (_is_end(tokens[0]) or _is_called(parse, verb, tokens[0]) or _is_exclaimed(tokens, verb)):
        tokens.pop(0)
    return tuple(tokens)


def _is_called(parse: Parse, verb: Token, first: Token) -> bool:
    """Whether a name stands before the sentence: “Tom, I left”."""
    about = first.dep in SUBJECTS and (first.head != verb.i or own_subject(parse, verb) == first)
    return first.proper and not about and _is_before_comma(parse, first)


def _is_exclaimed(tokens: list[Token], verb: Token) -> bool:
    """Whether an adjective stands before the subject: “Glad we are friends”."""
    return tokens[0].tag == "JJ" and tokens[0].head == verb.i and any(word.dep == "nsubj" for word in tokens[1:2])


def _belongs(parse: Parse, verb: Token, child: Token) -> bool:
    if child.dep == "conj":
        return not (is_finite(parse, child) or own_subject(parse, child))
    if child.dep == "cc":
        later = (each for each in parse.children(verb, "conj") if each.i > child.i)
        return not any(is_finite(parse, each) for each in later)
    before = child.i < verb.i
    if child.dep == "ccomp":
        return not before and not is_set_off(parse, child, verb)
    if child.dep == "advcl":
        return not marks(parse, child) & CONDITIONS and not is_apart(parse, child, verb)
    key = child.text.casefold()
    if child.dep == "advmod" and before:
        marked = (verb.dep == "advcl" and key in FACTUAL_MARKS) or (
            verb.dep in ("ccomp", "conj") and child.tag == "WRB"
        )
        return (key not in LEADING_ADVERBS or bool(child.children)) and not marked  # “hardly ever”
    return child.dep not in (*_ASIDE, "mark")


def _is_end(token: Token) -> bool:
    counts = token.text in _UNITS  # “by 60%”
    return token.dep in ("punct", "cc") or not (counts or any(map(str.isalnum, token.text)))
