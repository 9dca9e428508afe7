"""Things at character spans: the objects that patterns take, whether named or common nouns."""

from graphmem.extract.offline.names import MODIFIERS, TYPES, UNNAMED_LABELS, Found, is_name, proper
from graphmem.extract.offline.syntax import Parse, Token
from graphmem.extract.offline.tables.lexicon import ARTICLES, COUNTED, EMPTY_ADJECTIVES, VAGUE, VAGUE_ADJECTIVES
from graphmem.extract.offline.tables.pattern import Target
from graphmem.model.fragment import ThingName

_ASIDES = frozenset({"too", "also", "together", "again", "lately", "now"})
_PLAIN_TAGS = frozenset({"NN", "NNS", "NNP", "JJ", "IN", "VBG", "HYPH", "TO"})
_TONGUES = frozenset({"NORP", "LANGUAGE"})
_LONGEST_TAIL = 5
_PRONOUN_TAGS = frozenset({"PRP", "PRP$", "WP", "WP$", "WDT", "DT", "EX"})
_ARTICLE_SAID = {"a": "a", "an": "an", "the": "the", "some": "some", "this": "a", "another": "a"}


def thing(parse: Parse, token: Token, target: Target) -> Found | None:
    """The object that ``token`` is the head of, if the pattern takes such a one."""
    if token.tag in _PRONOUN_TAGS or token.label in UNNAMED_LABELS:
        return None
    if (token.proper and not _is_common(token, target)) or _is_tongue(token, target):
        if target.labels is not None and token.label not in target.labels:
            return None
        if target.bare and parse.children(token, "det", "poss"):
            return None
        return proper(parse, token, _proper_type(token, target))
    return _common(parse, token, target) if target.common else None


def _is_common(token: Token, target: Target) -> bool:
    """“pizza” of “new york pizza”, a name to the parser, where the pattern takes common nouns, too."""
    return target.common and token.tag in ("NNP", "NNPS") and token.text.islower() and bool(token.children)


def _is_tongue(token: Token, target: Target) -> bool:
    """“a little German”, an adjective to the parser, where the pattern takes a language."""
    return token.tag == "JJ" and token.label in _TONGUES and target.labels is not None and target.labels >= _TONGUES


def _proper_type(token: Token, target: Target) -> str:
    return TYPES.get(token.label, target.type) if target.typed or target.type == "concept" else target.type


def _common(parse: Parse, token: Token, target: Target) -> Found | None:
    if token.dep == "xcomp":
        return _whole(parse, token, target.type) if target.bare and token.text.endswith("ing") else None
    if (
        (token.tag not in ("NN", "NNS") and not _is_common(token, target))
        or token.lemma in VAGUE
        or (target.nouns and token.lemma not in target.nouns)
    ):
        return None
    if _cut(parse, token) or not _determined_well(parse, token, target):
        return None
    if target.bare:
        return _whole(parse, token, target.type)
    first = _before(parse, token)
    if first == token and token.lemma in COUNTED:
        return None
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
    return after.tag in ("VBG", "NN", "NNS", "NNP") and after.dep != "npadvmod" and after.label not in UNNAMED_LABELS


def _whole(parse: Parse, token: Token, kind: str) -> Found | None:
    """All that hangs from a liked thing, if it is short and plain: “learning about old maps”, not “… about my maps”."""
    first, last = _before(parse, token), token
    for after in parse.tokens[token.i + 1 : parse.sentence_of(token).last]:
        if not parse.hangs_from(after, token) or _aside(after):
            break
        last = after
    rest = parse.tokens[token.i + 1 : last.i + 1]
    loose = any(i > last.i and not _aside(parse.tokens[i]) for i in token.children)
    if first is None or loose or len(rest) > _LONGEST_TAIL or any(word.tag not in _PLAIN_TAGS for word in rest):
        return None
    if token.dep == "xcomp" and any(word.lemma in VAGUE for word in rest):
        return None
    return _plain(parse, first, last, kind)


def _aside(token: Token) -> bool:
    return token.dep in ("punct", "cc", "conj") or token.text.casefold() in _ASIDES


def _before(parse: Parse, token: Token) -> Token | None:
    """The first of the adjectives and nouns before ``token``; None where they are torn apart or say too little."""
    first = token.i
    while first and parse.tokens[first - 1].dep in MODIFIERS and _under(parse, first - 1, token):
        first -= 1
    broken = any(parse.tokens[i].dep in MODIFIERS and i < first for i in token.children)
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
    return Found(ThingName(name, kind), first.start, last.end, f"{article} {name}".strip())
