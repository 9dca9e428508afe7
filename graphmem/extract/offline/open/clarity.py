"""What can be understood by itself: pronouns that say what they stand for, and what can be left out with others."""

from graphmem.extract.offline.open.clause import SUBJECTS
from graphmem.extract.offline.open.references import NOUNS, referent
from graphmem.extract.offline.syntax import Parse, Token
from graphmem.extract.offline.tables.open import AROUND, DEMONSTRATIVES, SHOWABLE, THIRD_PERSON, TIMES, VAGUE_OBJECTS


def clear(parse: Parse, verb: Token, words: tuple[Token, ...]) -> tuple[Token, ...]:
    """The words less adjuncts that cannot be understood by themselves; () where the core cannot."""
    while unclear := next((word for word in words if not _is_understood(parse, word, words)), None):
        adjunct = _adjunct(parse, verb, unclear)
        if adjunct is None:
            return ()
        words = tuple(word for word in words if not parse.hangs_from(word, adjunct))
    while words and words[-1].dep in ("cc", "punct"):
        words = words[:-1]
    while words and words[0].dep in ("cc", "punct"):
        words = words[1:]
    return words


def _adjunct(parse: Parse, verb: Token, word: Token) -> Token | None:
    """What can be left out of the clause together with a word: “because it was late”, “after these games”."""
    while word.i not in (verb.i, word.head):
        above = parse.head(word)
        if word.dep in ("advcl", "relcl") and above.tag != "IN":
            return word
        if word.dep in ("appos", "conj") and above.tag in NOUNS:
            return word
        if word.dep == "prep" and word.text.casefold() in AROUND:
            return word
        word = above
    return None


def _is_understood(parse: Parse, word: Token, words: tuple[Token, ...]) -> bool:
    """Whether a pronoun says what it stands for within the clause, or in the sentence before."""
    key = word.text.casefold()
    if key in DEMONSTRATIVES:
        return _points_within(parse, word)
    if key not in THIRD_PERSON or not word.tag.startswith("PRP"):
        return True
    return referent(parse, word, words) is not None


def _points_within(parse: Parse, word: Token) -> bool:
    """“this week”, “that he left”, “this necklace of mine”; not “this app”, nor “that” alone, nor “those moments”."""
    if word.tag == "WDT" or word.dep == "mark":
        return True
    if word.dep != "det":
        return False
    noun = parse.head(word)
    if noun.lemma in TIMES or parse.children(noun, "relcl", "acl", "appos"):
        return True
    if noun.dep == "dobj" and parse.head(noun).lemma in SHOWABLE:
        return noun.lemma not in VAGUE_OBJECTS
    described = bool(parse.children(noun, "amod", "compound", "nmod", "prep"))
    return described and noun.dep not in SUBJECTS and word.text.casefold() in ("this", "these")
