"""Names at character spans: what counts as a name, and where exactly it stands in the text."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace

from graphmem.extract.offline.syntax import Parse, Stretch, Token
from graphmem.extract.offline.tables.kinds import KIND_NOUNS, PROJECT, TYPE_NOUNS
from graphmem.extract.offline.tables.lexicon import ABBREVIATED, NOT_NAMES, PERIODS, UNITS
from graphmem.model.fragment import ThingName
from graphmem.model.persons import LONGEST_NAME

TYPES = {
    "PERSON": "person",
    "ORG": "organization",
    "GPE": "place",
    "LOC": "place",
    "FAC": "place",
    "PRODUCT": "product",
    "EVENT": "event",
    "WORK_OF_ART": "product",
    PROJECT: "project",
}
"""graphmem's type for each of spaCy's labels (a book is a product); its other labels name nothing that is kept."""
UNNAMED_LABELS = frozenset({"DATE", "TIME", "CARDINAL", "ORDINAL", "PERCENT", "MONEY", "QUANTITY"})
_PUNCTUATION = frozenset("'’.,-–&/()+:!#·・")
_CLOSING = ",;:!?…'’\"”»)"
_INTERJECTION = re.compile(
    r"a+w+|w+h?o+a*h*|wo+(?:h|t)?o*|wo+hoo+|ha(?:ha)+|ya+y+|o+h+|u+h+|h+m+|u+g+h+|e+w+|yo|ya|yeah+|yep|yup|yes|nah|nope|bye|hey+|hi+"
    r"|yikes|phew|yum+|oops|hoo?ray|hurray|ouch|kudos|howdy|he(?:he)+|aha|gosh|gee|jee+z|duh|meh|bravo|lol|omg|xoxo|a|an"
    r"|hello|thanks|thx|dear|ok|okay|congrats|congratulations|sorry|glad|sure|mr\.?|mrs\.?|ms\.?|the|and|well|wow+|cheers",
    re.IGNORECASE,
)
"""What spaCy takes into the name that follows it."""
_NO_NAMES = NOT_NAMES | PERIODS | UNITS
"""Of which no name is made up, be they several: “Friday night”, “5 kg”."""


@dataclass(frozen=True, slots=True)
class NameMention:
    """The name of a thing at ``[start, end)`` of the text."""

    name: ThingName
    start: int
    end: int


def is_name(text: str) -> bool:
    """Whether this can be anybody's or anything's name: has a letter, no symbols, no control characters, no date."""
    words = text.casefold().split()
    if not 1 <= len(text) <= LONGEST_NAME or text.casefold() in NOT_NAMES or all(map(_NO_NAMES.__contains__, words)):
        return False
    return any(character.isalpha() for character in text) and all(map(_is_plain, text))


def _is_plain(character: str) -> bool:
    category = unicodedata.category(character)
    return category[0] in "LM" or category == "Nd" or character == " " or character in _PUNCTUATION


def called(parse: Parse) -> Iterator[NameMention]:
    """Persons whom the text calls by name, where the name was cut before parsing."""
    for start, end in parse.calls:
        name = " ".join(parse.text[start:end].split())
        if is_name(name):
            yield NameMention(ThingName(name, "person"), start, end)


def names(parse: Parse) -> Iterator[NameMention]:
    """What spaCy takes for a name, cleaned, and who is called by one."""
    yield from called(parse)
    for stretch in parse.names:
        kind = TYPES.get(stretch.label)
        tokens = parse.tokens[stretch.first : stretch.last]
        mention = _trimmed(parse, stretch, kind) if kind and any(token.proper for token in tokens) else None
        if mention and not _is_type_alone(mention):
            yield mention


def _is_type_alone(mention: NameMention) -> bool:
    """Whether the name is a word for a kind of thing, and no thing: “the Institute”, “Guitar”; “Bishop” may be one."""
    word = mention.name.name.casefold()
    return word in TYPE_NOUNS or (mention.name.type != "person" and word in KIND_NOUNS)


def proper(parse: Parse, token: Token, kind: str) -> NameMention | None:
    """The proper name that ``token`` is the head of."""
    named = parse.name_at(token)
    if (
        named
        and named.label not in UNNAMED_LABELS
        and all(_inside(parse, i, token, named) for i in range(token.i, named.last))
    ):
        return _trimmed(parse, replace(named, last=_hyphenated(parse, named.last)), kind)
    if not token.proper or token.label in UNNAMED_LABELS:
        return None
    first = token.i
    while first and _belongs(parse.tokens[first - 1], token):
        first -= 1
    return _trimmed(parse, Stretch(first, _hyphenated(parse, token.i + 1)), kind)


def _inside(parse: Parse, i: int, token: Token, named: Stretch) -> bool:
    """Whether the name's tokens after ``token`` hang from it (“University of Porto”, not “Bruno’s sister”)."""
    above = parse.tokens[i]
    while above.i != token.i and named.first <= above.head < named.last and above.head != above.i:
        above = parse.head(above)
    return above.i == token.i


def _belongs(before: Token, token: Token) -> bool:
    return before.proper and before.head == token.i and before.dep in ("compound", "nmod", "flat")


def _trimmed(parse: Parse, stretch: Stretch, kind: str) -> NameMention | None:
    tokens = list(parse.tokens[stretch.first : stretch.last])
    while tokens and _is_before_names(parse, tokens[0]):
        tokens.pop(0)
    while tokens and _is_behind_names(tokens[-1]):
        tokens.pop()
    if not tokens or not any(map(_marks_name, tokens[0].text + tokens[-1].text)):
        return None
    start = tokens[0].start
    end = start + len(_without_period(parse.text[start : tokens[-1].end].rstrip(_CLOSING)))
    name = " ".join(parse.text[start:end].split())
    return NameMention(ThingName(name, kind), start, end) if tokens[0].shaped or is_name(name) else None


def _marks_name(letter: str) -> bool:
    """Whether a letter tells a name from other words: it is a capital, or its script has none."""
    return letter.isupper() or (letter.isalpha() and not letter.islower())


def _without_period(name: str) -> str:
    """The name without the period of a sentence, as in “H&M.”; “Inc.” and “D.C.” keep their own."""
    last = name.rpartition(" ")[2][:-1]
    return name if not name.endswith(".") or "." in last or last.casefold() in ABBREVIATED else name[:-1]


def _hyphenated(parse: Parse, last: int) -> int:
    """Where a name ends that goes on behind a hyphen: “Spider-Man”."""
    while last + 1 < len(parse.tokens):
        hyphen, following = parse.tokens[last : last + 2]
        joined = parse.tokens[last - 1].end == hyphen.start and hyphen.end == following.start
        if not (hyphen.text == "-" and joined and following.text[0].isupper()):
            break
        last += 2
    return last


def _is_before_names(parse: Parse, token: Token) -> bool:
    """Whether the word is none of the name; “The” is one where nothing else asks for the capital."""
    if token.text in ("The", "A", "An") and token.i != parse.sentence_of(token).first:
        return False
    return not token.shaped and (bool(_INTERJECTION.fullmatch(token.text)) or not token.text[0].isalnum())


def _is_behind_names(token: Token) -> bool:
    """Whether the word at the end is none of the name: a mark, “'s”, “and”, “of the”."""
    small = token.tag in ("IN", "DT", "TO") and token.text.islower()
    return small or token.tag in ("POS", "CC") or not any(map(str.isalnum, token.text))
