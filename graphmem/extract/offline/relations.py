"""What nouns of roles claim (“my sister Ana”, “Ana is my boss”), and places within places (“Porto, Portugal”)."""

from collections.abc import Iterator, Mapping

from graphmem.extract.offline import clauses
from graphmem.extract.offline.clauses import Tense
from graphmem.extract.offline.names import Found, proper
from graphmem.extract.offline.statements import Assertion
from graphmem.extract.offline.syntax import Match, Parse, Rule, Stretch, Token
from graphmem.extract.offline.tables.lexicon import COUNTRIES, LISTED, PLAIN_ADJECTIVES
from graphmem.extract.offline.tables.roles import ROLES, SHAPES, VERBS, Role, Shape
from graphmem.extract.offline.utterance import Claimed, Utterance
from graphmem.model.claim import ClaimKind

_PLACE_IN_PLACE: Rule = (
    {"RIGHT_ID": "place", "RIGHT_ATTRS": {"ENT_TYPE": "GPE"}},
    {"LEFT_ID": "place", "REL_OP": ".", "RIGHT_ID": "comma", "RIGHT_ATTRS": {"ORTH": ","}},
    {"LEFT_ID": "comma", "REL_OP": ".", "RIGHT_ID": "around", "RIGHT_ATTRS": {"ENT_TYPE": "GPE"}},
)
RELATION_RULES: tuple[Rule, ...] = (*(shape.rule for shape in SHAPES), _PLACE_IN_PLACE)

_PEOPLE = frozenset({"PERSON", "ORG", ""})
"""What spaCy takes people for."""

_FINITE = frozenset({"VBD", "VBZ", "MD"})
_LONGEST_CHAIN = 3
"""“Porto, Norte, Portugal”: what is longer is a list."""


def relation_claims(utterance: Utterance, match: Match) -> Iterator[Claimed]:
    """What one match of ``RELATION_RULES`` claims; the rule's number counts from the first of them."""
    tokens = [utterance.parse.tokens[i] for i in match.nodes]
    if match.rule == len(SHAPES):
        yield from _place_in_place(utterance, tokens[0], tokens[2])
        return
    shape = SHAPES[match.rule]
    yield from _role(utterance, shape, dict(zip(shape.names, tokens, strict=True)))


def _role(utterance: Utterance, shape: Shape, nodes: Mapping[str, Token]) -> Iterator[Claimed]:
    noun, parse = nodes["noun"], utterance.parse
    role = ROLES[noun.lemma]
    assertion = _assertion(utterance, shape, nodes, role)
    whose = _whose(utterance, nodes["whose"], role)
    if assertion is None or whose is None or not _is_plain(utterance, nodes):
        return
    first = _head(utterance, nodes["who"])
    for who in clauses.conjuncts(parse, first) if noun.tag == "NNS" else [first]:
        found = _named(utterance, who, role)
        if found and found.name.name != whose.name.name:
            pair = (whose, found) if role.reversed else (found, whose)
            yield utterance.claim(role.predicate, assertion, list(nodes.values()), *pair)


def _assertion(utterance: Utterance, shape: Shape, nodes: Mapping[str, Token], role: Role) -> Assertion | None:
    """Presupposed without a verb; with one, as its clause says it."""
    if {nodes["who"].dep, nodes["whose"].dep} == {"poss"}:
        return Assertion(ClaimKind.STARTS) if _is_short_for_is(utterance.parse, nodes) else None
    verb = nodes.get("be") or nodes.get("have") or (nodes["called"] if shape.names[0] == "called" else None)
    if verb is None:
        return None if nodes["noun"].quoted else Assertion(ClaimKind.HOLDS)
    parse = utterance.parse
    if shape.names[0] == "have" and role.type != "person":
        return None  # “I have a dog named Toby” is a row of the verbs
    denied = clauses.denied(parse, verb) or clauses.no_longer(parse, verb)
    tenses = (Tense.PRESENT, Tense.PAST) if role.lasting else (Tense.PRESENT,)
    if denied or not clauses.asserted(parse, verb) or clauses.tense(parse, verb) not in tenses:
        return None
    since, unread = utterance.began(verb, [verb])
    return Assertion(ClaimKind.STARTS, since, unread=unread)


def _is_short_for_is(parse: Parse, nodes: Mapping[str, Token]) -> bool:
    """“Ana's my sister.”, told, as against “Ana's my sister's friend”."""
    who, whose, noun = nodes["who"], nodes["whose"], nodes["noun"]
    short = [token.text for token in parse.tokens[who.i + 1 : whose.i]] == ["'s"]
    return short and clauses.asserted(parse, noun) and not parse.children(noun, "neg")


def _is_plain(utterance: Utterance, nodes: Mapping[str, Token]) -> bool:
    """Whether nothing before the noun takes it back (“late”, “ex-”), and no comma addresses who it names."""
    parse, noun, who = utterance.parse, nodes["noun"], nodes["who"]
    children = [child for token in (noun, who) for child in parse.children(token, "amod", "compound", "nmod", "neg")]
    beside = [child for child in children if child.i not in (noun.i, who.i) and not child.proper]
    if any(child.text.casefold() not in PLAIN_ADJECTIVES for child in beside):
        return False
    around = parse.tokens[max(noun.i - 1, 0) : noun.i + 2]
    if any(token.text in ("-", "–", "/") for token in around):
        return False
    if any(name in nodes for name in VERBS):
        return True
    first, last = sorted((noun, who), key=lambda token: token.i)
    if last.i - first.i == 1 or first.i == who.i:
        return True
    after = parse.tokens[last.i + 1 : last.i + 2]
    return any(token.text == "," or (first.i == noun.i and token.tag in _FINITE) for token in after)


def _named(utterance: Utterance, who: Token, role: Role) -> Found | None:
    if who.tag == "PRP":
        return utterance.somebody(who, people=True) if role.type == "person" else None
    return proper(utterance.parse, who, role.type) if who.label in _PEOPLE else None


def _whose(utterance: Utterance, token: Token, role: Role) -> Found | None:
    if token.tag == "PRP$" or token.text.casefold() in ("i", "we"):
        return utterance.talking(token)
    head = _head(utterance, token)
    return utterance.somebody(head, people=role.people) if head.label in _PEOPLE else None


def _head(utterance: Utterance, token: Token) -> Token:
    """The last of the names that ``token`` begins (“Ana” of “Ana Berg”)."""
    while token.dep == "compound" and utterance.parse.head(token).proper:
        token = utterance.parse.head(token)
    return token


def _place_in_place(utterance: Utterance, place: Token, around: Token) -> Iterator[Claimed]:
    """“Porto, Portugal”, but not “Porto, Lisbon and Faro”."""
    parse = utterance.parse
    inner, outer = parse.name_at(place), parse.name_at(around)
    if inner is None or outer is None or place.quoted or _is_country(parse, inner) or _is_listed(parse, inner, outer):
        return
    found = [proper(parse, parse.tokens[name.last - 1], "place") for name in (inner, outer)]
    if found[0] and found[1] and found[0].name != found[1].name:
        yield utterance.claim("located_in", Assertion(ClaimKind.HOLDS), [place, around], found[0], found[1])


def _is_country(parse: Parse, name: Stretch) -> bool:
    return "_".join(token.text for token in parse.within(name)).removeprefix("the_").casefold() in COUNTRIES


def _is_listed(parse: Parse, inner: Stretch, outer: Stretch) -> bool:
    """Whether the two are among several: more than three of them, or an “and” before the last or the first."""
    first, last, places = inner.first, outer.last, 2
    while (
        places <= _LONGEST_CHAIN
        and first > 1
        and parse.tokens[first - 1].text == ","
        and parse.tokens[first - 2].label == "GPE"
    ):
        named = parse.name_at(parse.tokens[first - 2])
        first, places = named.first if named else 0, places + 1
    while (
        places <= _LONGEST_CHAIN
        and last + 1 < len(parse.tokens)
        and parse.tokens[last].text == ","
        and parse.tokens[last + 1].label == "GPE"
    ):
        named = parse.name_at(parse.tokens[last + 1])
        last, places = named.last if named else len(parse.tokens), places + 1
    if places > _LONGEST_CHAIN:
        return True
    beyond = [token for token in parse.tokens[last : last + 2] if token.label != "DATE"]
    if [token.text for token in beyond[:1]] == [","] and all(token.proper for token in beyond[1:]) and beyond[1:]:
        return True
    after = [token for token in parse.tokens[last : last + 3] if token.text != ","]
    listed = len(after) > 1 and after[0].text.casefold() in LISTED and after[1].proper
    return listed or (bool(after) and last == after[0].i and after[0].proper)
