"""Names and things at character spans: what counts as a name, and where exactly it stands in the text."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from graphmem.extract.offline.lexicon import (
    ARTICLES,
    BELIEFS,
    DISABILITIES,
    EMPTY_ADJECTIVES,
    FOREGONE,
    HUMAN_ENDINGS,
    NOT_NAMES,
    PARTICLES,
    SUBSTANCES,
    TRAITS,
    VAGUE,
    VAGUE_ADJECTIVES,
)
from graphmem.extract.offline.patterns import Target
from graphmem.extract.offline.syntax import Parse, Stretch, Token
from graphmem.extract.overlaps import Span
from graphmem.extract.speakers import LONGEST_NAME
from graphmem.model.fragment import Name

TYPES = {
    "PERSON": "person",
    "ORG": "organization",
    "GPE": "place",
    "LOC": "place",
    "FAC": "place",
    "PRODUCT": "product",
    "EVENT": "event",
}
"""graphmem's type for each of spaCy's; its other labels name nothing that is kept."""

_UNNAMED = frozenset({"DATE", "TIME", "CARDINAL", "ORDINAL", "PERCENT", "MONEY", "QUANTITY"})
_PUNCTUATION = frozenset("'’.,-–&/()+:!")
_INTERJECTION = re.compile(
    r"a+w+|w+h?o+a*h*|wo+(?:h|t)?o*|wo+hoo+|ha(?:ha)+|ya+y+|o+h+|u+h+|h+m+|u+g+h+|e+w+|yo|ya|yeah+|yep|yup|yes|nah|nope|bye|hey+|hi+"
    r"|hello|thanks|thx|dear|ok|okay|congrats|congratulations|sorry|glad|sure|mr\.?|mrs\.?|ms\.?|the|and|well|wow+|cheers",
    re.IGNORECASE,
)
"""What spaCy takes into the name that follows it."""

_MONTH = r"[A-Z][a-z]{2,8}\.?"
_NTH = r"\d{1,2}(?:st|nd|rd|th)?"
_DAY = re.compile(
    rf"{_NTH} (?:of )?{_MONTH}(?: ?,? \d{{4}})?|{_MONTH} {_NTH}(?: ?,? \d{{4}})?|{_MONTH} \d{{4}}"
    r"|\d{4}(?:-\d\d-\d\d)?"
)
"""A day, a month or a year as it is written of births and deaths."""

_MOMENTARY = frozenset({"too", "so", "today", "tonight", "now", "lately", "currently", "yesterday", "suddenly"})
_AFTER_AGES = frozenset({".", ",", "!", ";", "now", "and", "but"})
_YOUNGEST, _OLDEST = 10, 110
_OF_NOTHING = ("aux", "neg", "nsubj", "punct", "cc", "conj", "intj")
_MODIFIERS = ("amod", "compound", "nmod")
_ASIDES = frozenset({"too", "also", "together", "again", "lately", "now"})
_PLAIN_TAGS = frozenset({"NN", "NNS", "NNP", "JJ", "IN", "VBG", "HYPH", "TO"})
_LONGEST_TAIL = 5
_LONGEST_DEED = 15
_PRONOUN_TAGS = frozenset({"PRP", "PRP$", "WP", "WP$", "WDT", "DT", "EX"})

_ARTICLE_SAID = {"a": "a", "an": "an", "the": "the", "some": "some", "this": "a", "another": "a"}


@dataclass(frozen=True, slots=True)
class Found:
    """A thing at ``[start, end)`` of the text; ``phrase`` is how a sentence says it, article included."""

    name: Name
    start: int
    end: int
    phrase: str


def is_name(text: str) -> bool:
    """Whether this can be anybody's or anything's name: has a letter, no symbols, no control characters, no date."""
    if not 1 <= len(text) <= LONGEST_NAME or text.casefold() in NOT_NAMES:
        return False
    return any(character.isalpha() for character in text) and all(map(_is_plain, text))


def _is_plain(character: str) -> bool:
    category = unicodedata.category(character)
    return category[0] in "LM" or category == "Nd" or character == " " or character in _PUNCTUATION


def names(parse: Parse) -> Iterator[Found]:
    """What spaCy takes for a name, cleaned."""
    for stretch in parse.names:
        kind = TYPES.get(stretch.label)
        tokens = parse.tokens[stretch.first : stretch.last]
        if kind and any(token.proper for token in tokens) and (found := _trimmed(parse, stretch, kind)):
            yield found


def proper(parse: Parse, token: Token, kind: str) -> Found | None:
    """The proper name that ``token`` is the head of."""
    named = parse.name_at(token)
    if (
        named
        and named.label not in _UNNAMED
        and all(_inside(parse, i, token, named) for i in range(token.i, named.last))
    ):
        return _trimmed(parse, _whole_phrase(parse, _widened(parse, named), kind), kind)
    if not token.proper or token.label in _UNNAMED:
        return None
    first = token.i
    while first and _belongs(parse.tokens[first - 1], token):
        first -= 1
    return _trimmed(parse, _whole_phrase(parse, _widened(parse, Stretch(first, token.i + 1)), kind), kind)


def _inside(parse: Parse, i: int, token: Token, named: Stretch) -> bool:
    """Whether the name's tokens after ``token`` hang from it (“University of Porto”, not “Bruno’s sister”)."""
    above = parse.tokens[i]
    while above.i != token.i and named.first <= above.head < named.last and above.head != above.i:
        above = parse.head(above)
    return above.i == token.i


def _belongs(before: Token, token: Token) -> bool:
    return before.proper and before.head == token.i and before.dep in ("compound", "nmod", "flat")


def _trimmed(parse: Parse, stretch: Stretch, kind: str) -> Found | None:
    tokens = list(parse.tokens[stretch.first : stretch.last])
    while tokens and _is_before_names(parse, tokens[0]):
        tokens.pop(0)
    while tokens and (tokens[-1].tag == "POS" or not tokens[-1].text[-1].isalnum()):
        tokens.pop()
    if not tokens or not any(character.isupper() for character in tokens[0].text + tokens[-1].text):
        return None
    start, end = tokens[0].start, tokens[-1].end
    name = " ".join(parse.text[start:end].split())
    phrase = f"the {name}" if _has_article(parse, tokens[0]) else name
    return Found(Name(name, kind), start, end, phrase) if is_name(name) else None


def _widened(parse: Parse, stretch: Stretch) -> Stretch:
    """With the first names and particles that spaCy leaves out of a name."""
    first = stretch.first
    while first and _is_first_name(parse.tokens[first - 1], Stretch(first, stretch.last)):
        first -= 1
    if first > 1 and parse.tokens[first - 1].text in PARTICLES and parse.tokens[first - 2].proper:
        return _widened(parse, Stretch(first - 2, stretch.last))
    return Stretch(first, stretch.last)


def _whole_phrase(parse: Parse, stretch: Stretch, kind: str) -> Stretch:
    """With the names before it that are part of one noun phrase: “Canon EOS” of “Canon EOS R6”; no person's name is."""
    first = stretch.first
    while kind != "person" and first and _is_part(parse.tokens[first - 1], Stretch(first, stretch.last)):
        first -= 1
    return Stretch(first, stretch.last)


def _is_part(before: Token, stretch: Stretch) -> bool:
    inside = stretch.first <= before.head < stretch.last
    return inside and before.dep in _MODIFIERS and (before.proper or before.label == "NORP")


def _is_first_name(before: Token, stretch: Stretch) -> bool:
    inside = stretch.first <= before.head < stretch.last
    written = before.text.isalpha() and before.text.istitle()
    return written and before.proper and not before.label and before.dep == "compound" and inside


def _is_before_names(parse: Parse, token: Token) -> bool:
    """Whether the word is none of the name; “The” is one where nothing else asks for the capital."""
    if token.text == "The" and token.i != parse.sentence_of(token).first:
        return False
    return bool(_INTERJECTION.fullmatch(token.text)) or not token.text[0].isalnum()


def _has_article(parse: Parse, first: Token) -> bool:
    return first.i > 0 and parse.tokens[first.i - 1].text.casefold() == "the"


def formed(parse: Parse, token: Token, kind: str, identifiers: Sequence[Span]) -> Found | None:
    """What has the form of its type around ``token``: a date or a number as spaCy sees it, else an identifier."""
    if kind in _FORMS:
        return _FORMS[kind](parse, token)
    for span in identifiers:
        if span.name.type == kind and span.start < token.end and token.start < span.end:
            return Found(span.name, span.start, span.end, span.name.name)
    return None


def _number(_: Parse, token: Token) -> Found | None:
    return Found(Name(token.text, "number"), token.start, token.end, token.text) if token.tag == "CD" else None


def _age(parse: Parse, token: Token) -> Found | None:
    """“I’m 26.” and “I’m only 26 now.”, between ten and 110, as nobody is so many of anything else."""
    alone = all(parse.tokens[i].dep in ("advmod", "punct") for i in token.children)
    ends = token.i + 1 == len(parse.tokens) or parse.tokens[token.i + 1].text.casefold() in _AFTER_AGES
    if not alone or not ends or not token.text.isdecimal() or not _YOUNGEST <= int(token.text) <= _OLDEST:
        return None
    return Found(Name(token.text, "age"), token.start, token.end, token.text)


def _trait(parse: Parse, token: Token) -> Found | None:
    """“rather shy”, by nature: not “too shy to ask”, “curious about it”, “lazy today” or “being stubborn”."""
    verb, word = parse.head(token), token.text.casefold()
    about = parse.children(token, "prep", "xcomp", "ccomp", "advcl")
    beside = {child.text.casefold() for each in (token, verb) for child in parse.children(each, "advmod", "npadvmod")}
    momentary = verb.text.casefold() == "being" or beside & _MOMENTARY
    if word not in TRAITS or about or momentary:
        return None
    return Found(Name(token.text, "trait"), token.start, token.end, token.text)


def _disability(_: Parse, token: Token) -> Found | None:
    known = token.text.casefold() in DISABILITIES
    return Found(Name(token.text, "disability"), token.start, token.end, token.text) if known else None


def _substance(_: Parse, token: Token) -> Found | None:
    """What the parser takes for anything but a noun: “gluten”, “lactose”."""
    known = token.text.casefold() in SUBSTANCES and not token.children
    return Found(Name(token.text, "concept"), token.start, token.end, token.text) if known else None


def _foregone(parse: Parse, verb: Token) -> Found | None:
    """“I don’t fly”, and nothing else: “I don’t fly at night” does without less."""
    rest = [child for i in verb.children if (child := parse.tokens[i]).dep not in _OF_NOTHING]
    if not all(_empty(parse, child) for child in rest):
        return None
    name = FOREGONE[verb.lemma]
    return Found(Name(name, "foregone"), verb.start, verb.end, name)


def _empty(parse: Parse, token: Token) -> bool:
    """“at all”, “anymore”, “any more”."""
    words = [word.text.casefold() for word in parse.tokens[max(token.i - 1, 0) : token.i + 2]]
    return words[1] == "anymore" or words[:2] == ["any", "more"] or words[1:] == ["at", "all"]


def _verb(_: Parse, token: Token) -> Found | None:
    return Found(Name(token.text, "verb"), token.start, token.end, token.text)


def _deed(parse: Parse, verb: Token) -> Found | None:
    """“to run a marathon”, from its “to” to the end of what hangs from the verb."""
    sentence = parse.sentence_of(verb)
    below = [token for token in parse.tokens[sentence.first : sentence.last] if _depends(parse, token, verb)]
    while below and below[-1].dep == "punct":
        below.pop()
    if not below or below[0].tag != "TO" or len(below) > _LONGEST_DEED:
        return None
    start, end = below[0].start, below[-1].end
    written = " ".join(parse.text[start:end].split())
    return Found(Name(written, "deed"), start, end, written)


def _nation(parse: Parse, token: Token) -> Found | None:
    """“Italian” as a word of its own, and not a religion or a party."""
    hyphenated = any(other.text in ("-", "–") for other in parse.tokens[max(token.i - 1, 0) : token.i + 2])
    if token.dep == "amod" and not parse.head(token).lemma.endswith(HUMAN_ENDINGS):
        return None
    if token.label != "NORP" or hyphenated or token.text.casefold() in BELIEFS or not token.text[0].isupper():
        return None
    return Found(Name(token.text, "nationality"), token.start, token.end, token.text)


def _day(parse: Parse, token: Token) -> Found | None:
    """A date that says a number at least, without an ordinal phrase like “the 20th century”."""
    named = parse.name_at(token)
    if named is None or named.label != "DATE":
        return None
    first = named.first - 1 if named.first and parse.tokens[named.first - 1].tag == "CD" else named.first
    start, end = parse.tokens[first].start, parse.tokens[named.last - 1].end
    written = " ".join(parse.text[start:end].split())
    return Found(Name(written, "date"), start, end, written) if _DAY.fullmatch(written) else None


_FORMS: Mapping[str, Callable[[Parse, Token], Found | None]] = {
    "number": _number,
    "date": _day,
    "nationality": _nation,
    "deed": _deed,
    "age": _age,
    "trait": _trait,
    "disability": _disability,
    "substance": _substance,
    "foregone": _foregone,
    "verb": _verb,
}


def thing(parse: Parse, token: Token, target: Target) -> Found | None:
    """The object that ``token`` is the head of, if the pattern takes such a one."""
    if token.tag in _PRONOUN_TAGS or token.label in _UNNAMED:
        return None
    if token.proper:
        if target.labels is not None and token.label not in target.labels:
            return None
        if target.bare and parse.children(token, "det", "poss"):
            return None
        return proper(parse, token, _proper_type(token, target))
    return _common(parse, token, target) if target.common else None


def _proper_type(token: Token, target: Target) -> str:
    return TYPES.get(token.label, target.type) if target.typed or target.type == "concept" else target.type


def _common(parse: Parse, token: Token, target: Target) -> Found | None:
    if token.dep == "xcomp":
        return _whole(parse, token, target.type) if target.bare and token.text.endswith("ing") else None
    if token.tag not in ("NN", "NNS") or token.lemma in VAGUE or (target.nouns and token.lemma not in target.nouns):
        return None
    if _cut(parse, token) or not _determined_well(parse, token, target):
        return None
    if target.bare:
        return _whole(parse, token, target.type)
    first = _before(parse, token)
    while first and target.nouns and (first.label == "NORP" or first.lemma in EMPTY_ADJECTIVES):
        first = parse.tokens[first.i + 1]
    return _plain(parse, first, token, target.type) if first else None


def _determined_well(parse: Parse, token: Token, target: Target) -> bool:
    """Whether the articles and the like before a noun are those that the pattern wants."""
    determiners = [word for word in parse.children(token, "det", "poss", "predet", "nummod") if word.i < token.i]
    if target.bare:
        return not determiners
    if target.articled and all(word.dep != "det" for word in determiners):
        return False
    return all(word.dep == "nummod" or word.text.casefold() in ARTICLES for word in determiners)


def _cut(parse: Parse, token: Token) -> bool:
    """Whether the noun is half of one (“a poetry reading”), whatever the parser made of it."""
    if token.i + 1 == len(parse.tokens):
        return False
    after = parse.tokens[token.i + 1]
    return after.tag in ("VBG", "NN", "NNS", "NNP") and after.dep != "npadvmod" and after.label not in _UNNAMED


def _whole(parse: Parse, token: Token, kind: str) -> Found | None:
    """All that hangs from a liked thing, if it is short and plain: “learning about old maps”, not “… about my maps”."""
    first, last = _before(parse, token), token
    for after in parse.tokens[token.i + 1 : parse.sentence_of(token).last]:
        if not _depends(parse, after, token) or _aside(after):
            break
        last = after
    rest = parse.tokens[token.i + 1 : last.i + 1]
    loose = any(i > last.i and not _aside(parse.tokens[i]) for i in token.children)
    if first is None or loose or len(rest) > _LONGEST_TAIL or any(word.tag not in _PLAIN_TAGS for word in rest):
        return None
    if token.dep == "xcomp" and any(word.lemma in VAGUE for word in rest):
        return None
    return _plain(parse, first, last, kind)


def _depends(parse: Parse, token: Token, above: Token) -> bool:
    while token.i not in (above.i, token.head):
        token = parse.head(token)
    return token.i == above.i


def _aside(token: Token) -> bool:
    return token.dep in ("punct", "cc", "conj") or token.text.casefold() in _ASIDES


def _before(parse: Parse, token: Token) -> Token | None:
    """The first of the adjectives and nouns before ``token``; None where they are torn apart or say too little."""
    first = token.i
    while first and parse.tokens[first - 1].dep in _MODIFIERS and _under(parse, first - 1, token):
        first -= 1
    broken = any(parse.tokens[i].dep in _MODIFIERS and i < first for i in token.children)
    if broken or (first and parse.tokens[first - 1].text == "-"):
        return None
    vague = any(modifier.text.casefold() in VAGUE_ADJECTIVES for modifier in parse.tokens[first : token.i])
    return None if vague else parse.tokens[first]


def _under(parse: Parse, i: int, token: Token) -> bool:
    head = parse.tokens[i].head
    return head == token.i or (i < head < token.i)


def _plain(parse: Parse, first: Token, last: Token, kind: str) -> Found | None:
    name = " ".join(parse.text[first.start : last.end].split())
    if not is_name(name):
        return None
    before = parse.tokens[first.i - 1].text.casefold() if first.i else ""
    article = _ARTICLE_SAID.get(before, "")
    return Found(Name(name, kind), first.start, last.end, f"{article} {name}".strip())
