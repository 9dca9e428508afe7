"""Names and things at character spans: what counts as a name, and where exactly it stands in the text."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from graphmem.extract.dates import DATE_WORDS
from graphmem.extract.patterns import Target
from graphmem.extract.syntax import Parse, Stretch, Token
from graphmem.model.fragment import Name

LONGEST_NAME = 200
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
_NOT_NAMES = DATE_WORDS | frozenset(
    ["i", "me", "my", "we", "us", "you", "he", "she", "it", "they", "mom", "mum", "dad", "mommy", "daddy", "mother", "father", "grandma", "grandpa", "granny", "nana", "auntie", "uncle", "sis", "bro", "hey", "hi", "hello", "thanks", "thx", "wow", "yeah", "yep", "yes", "no", "nope", "ok", "okay", "lol", "haha", "omg", "btw", "congrats", "cool", "awesome", "great", "sure", "sorry", "please", "god", "lord", "guys", "folks", "everyone", "someone", "honey", "babe", "dude", "sir", "madam", "sounds", "glad", "love", "nice", "good", "work", "home", "school"]
)  # fmt: skip
_GREETINGS = frozenset(["hey", "hi", "hello", "thanks", "wow", "yeah", "oh", "dear", "yes", "ok", "okay", "haha", "congrats", "sorry", "mr", "mrs", "ms", "the"])
_PRONOUN_TAGS = frozenset({"PRP", "PRP$", "WP", "WP$", "WDT", "DT", "EX"})
_VAGUE = frozenset(
    ["thing", "things", "one", "ones", "stuff", "way", "ways", "time", "times", "lot", "lots", "bit", "bunch", "kind", "sort", "part", "parts", "idea", "ideas", "place", "person", "people", "someone", "something", "anything", "nothing", "everything", "everyone", "anyone", "somebody", "anybody", "other", "others", "same", "rest", "fact", "feeling", "look", "sound", "thought", "day", "days", "moment", "moments", "copy", "couple", "few", "job", "jobs"]
)  # fmt: skip
_VAGUE_ADJECTIVES = frozenset(["such", "more", "many", "much", "same", "few", "own", "other", "another", "certain", "different", "new", "least", "most"])
_ARTICLES = frozenset({"a", "an", "the", "some", "any", "no", "my", "our"})


@dataclass(frozen=True, slots=True)
class Found:
    """A thing at ``[start, end)`` of the text; ``phrase`` is how a sentence says it, article included."""

    name: Name
    start: int
    end: int
    phrase: str


def is_name(text: str) -> bool:
    """Whether this can be anybody's or anything's name: has a letter, no symbols, no control characters, no date."""
    if not 1 <= len(text) <= LONGEST_NAME or text.casefold() in _NOT_NAMES:
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
    if named and named.label not in _UNNAMED and all(_inside(parse, i, token, named) for i in range(token.i, named.last)):
        return _trimmed(parse, named, kind)
    if not token.proper or token.label in _UNNAMED:
        return None
    first = token.i
    while first and _belongs(parse.tokens[first - 1], token):
        first -= 1
    return _trimmed(parse, Stretch(first, token.i + 1), kind)


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
    while tokens and (tokens[0].text.casefold() in _GREETINGS or not tokens[0].text[0].isalnum()):
        tokens.pop(0)
    while tokens and (tokens[-1].tag == "POS" or not tokens[-1].text[-1].isalnum()):
        tokens.pop()
    if not tokens or not any(character.isupper() for character in tokens[0].text + tokens[-1].text):
        return None
    start, end = tokens[0].start, tokens[-1].end
    name = " ".join(parse.text[start:end].split(" "))
    phrase = f"the {name}" if _has_article(parse, tokens[0]) else name
    return Found(Name(name, kind), start, end, phrase) if is_name(name) else None


def _has_article(parse: Parse, first: Token) -> bool:
    return first.i > 0 and parse.tokens[first.i - 1].text.casefold() == "the"


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
    return TYPES.get(token.label, "concept") if target.type == "concept" else target.type


def _common(parse: Parse, token: Token, target: Target) -> Found | None:
    if token.dep == "xcomp":
        return _activity(parse, token, target)
    if token.tag not in ("NN", "NNS") or token.lemma in _VAGUE or (target.nouns and token.lemma not in target.nouns):
        return None
    left = [child for i in token.children if (child := parse.tokens[i]).i < token.i]
    if target.bare and (any(child.dep in ("det", "poss", "predet", "nummod") for child in left) or _complemented(parse, token)):
        return None
    if any(child.dep in ("poss", "predet", "det") and child.text.casefold() not in _ARTICLES for child in left):
        return None
    return _noun_phrase(parse, token, target.type)


def _complemented(parse: Parse, token: Token) -> bool:
    return any(parse.tokens[i].dep in ("relcl", "acl", "prep", "appos", "ccomp") for i in token.children)


def _activity(parse: Parse, token: Token, target: Target) -> Found | None:
    """“hiking” in “I love hiking”, with its bare object (“watching movies”) and nothing else."""
    if token.tag != "VBG" or not target.bare:
        return None
    right = [child for i in token.children if (child := parse.tokens[i]).dep not in ("punct", "cc", "conj")]
    if not right:
        return _plain(parse, token, token, target.type)
    if [child.dep for child in right] != ["dobj"] or right[0].tag not in ("NN", "NNS"):
        return None
    inner = _common(parse, right[0], target)
    if inner is None or inner.start != token.end + 1:
        return None
    return _plain(parse, token, right[0], target.type)


def _noun_phrase(parse: Parse, token: Token, kind: str) -> Found | None:
    first = token.i
    while first and parse.tokens[first - 1].dep in ("amod", "compound", "nmod") and _under(parse, first - 1, token):
        first -= 1
    modifiers = parse.tokens[first : token.i]
    if any(modifier.text.casefold() in _VAGUE_ADJECTIVES - {"new"} for modifier in modifiers):
        return None
    if any(child.dep in ("amod", "compound", "nmod") and child.i < first for child in map(parse.tokens.__getitem__, token.children)):
        return None
    return _plain(parse, parse.tokens[first], token, kind)


def _under(parse: Parse, i: int, token: Token) -> bool:
    head = parse.tokens[i].head
    return head == token.i or (i < head < token.i)


def _plain(parse: Parse, first: Token, last: Token, kind: str) -> Found | None:
    text = parse.text[first.start : last.end]
    words = (token.text if token.proper else token.text.lower() for token in parse.tokens[first.i : last.i + 1])
    name = " ".join(words) if "-" not in text else text.lower()
    if not is_name(name):
        return None
    before = parse.tokens[first.i - 1].text.casefold() if first.i else ""
    article = before if before in ("a", "an", "the", "some") else ""
    return Found(Name(name, kind), first.start, last.end, f"{article} {name}".strip())
