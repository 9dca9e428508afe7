"""What speakers say of themselves in other shapes than a verb and its object: instructions, habits, favorites.

“Please always answer in Portuguese”, “I run every morning”, “my favourite colour is green”. The table of patterns has
the rest of the profile.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from graphmem.extract.offline import clauses
from graphmem.extract.offline.clauses import Tense
from graphmem.extract.offline.dates.finder import Bearing, Dated
from graphmem.extract.offline.names import Found, is_name
from graphmem.extract.offline.statements import Assertion
from graphmem.extract.offline.syntax import Match, Parse, Rule, Token
from graphmem.extract.offline.tables.lexicon import (
    ANSWERING,
    HABITUAL,
    MENTAL,
    PERIODS,
    SAYING_NOTHING,
    STANDING,
    STYLE,
    UNCLEAR,
    UNSPECIFIC,
)
from graphmem.extract.offline.tables.pattern import Target
from graphmem.extract.offline.tables.predicates import FAVORITE
from graphmem.extract.offline.things import thing
from graphmem.extract.offline.utterance import Claimed, Utterance
from graphmem.model.claim import ClaimKind
from graphmem.model.fragment import ThingName

_VERB: Mapping[str, object] = {"POS": {"IN": ["VERB", "AUX"]}}
_FOREVER = {"LEMMA": {"IN": sorted(STANDING)}}
_I = {"LOWER": {"IN": ["i", "we"]}, "DEP": "nsubj"}
_IN = {"LOWER": "in", "DEP": "prep"}
_LANGUAGE = {"ENT_TYPE": {"IN": ["LANGUAGE", "NORP"]}}
_FAVORITE = {"LEMMA": {"IN": ["favorite", "favourite"]}, "DEP": "amod"}


def _below(above: str, name: str, attributes: Mapping[str, object]) -> Mapping[str, object]:
    return {"LEFT_ID": above, "REL_OP": ">", "RIGHT_ID": name, "RIGHT_ATTRS": attributes}


def _rule(*entries: Mapping[str, object]) -> Rule:
    return ({"RIGHT_ID": "verb", "RIGHT_ATTRS": _VERB}, *entries)


def _favorite(known: str, named: Sequence[str]) -> Rule:
    """“my favorite … is”, or “… is my favorite …”; ``known`` says of what, ``named`` which one it is."""
    return (
        {"RIGHT_ID": "verb", "RIGHT_ATTRS": {"LEMMA": "be"}},
        _below("verb", "known", {"DEP": known, "TAG": {"IN": ["NN", "NNS"]}}),
        _below("known", "favorite", _FAVORITE),
        _below("known", "mine", {"LOWER": {"IN": ["my", "our"]}, "DEP": "poss"}),
        _below("verb", "named", {"DEP": {"IN": list(named)}}),
    )


@dataclass(frozen=True, slots=True)
class ProfileShape:
    kind: str
    rule: Rule


SHAPES: tuple[ProfileShape, ...] = (
    ProfileShape("instruction", _rule(_below("verb", "always", _FOREVER))),
    ProfileShape("instruction", _rule(_below("verb", "from", {"LOWER": "from", "DEP": "prep"}))),
    ProfileShape("instruction", _rule(_below("verb", "in", _IN), _below("in", "language", _LANGUAGE))),
    ProfileShape("instruction", _rule(_below("verb", "not", {"DEP": "neg"}), _below("verb", "me", {"LOWER": "me"}))),
    ProfileShape("habit", _rule(_below("verb", "i", _I), _below("verb", "often", {"LEMMA": {"IN": sorted(HABITUAL)}}))),
    ProfileShape(
        "habit",
        _rule(
            _below("verb", "i", _I),
            _below("verb", "period", {"DEP": "npadvmod", "LOWER": {"IN": sorted(PERIODS)}}),
            _below("period", "each", {"LOWER": {"IN": ["every", "each", "a", "per"]}, "DEP": "det"}),
        ),
    ),
    ProfileShape(
        "habit",
        _rule(
            _below("verb", "i", _I),
            _below("verb", "on", {"LOWER": "on", "DEP": "prep"}),
            _below("on", "days", {"LOWER": {"IN": [f"{day}s" for day in sorted(PERIODS) if day.endswith("day")]}}),
        ),
    ),
    ProfileShape("favorite", _favorite("nsubj", ["attr", "acomp"])),
    ProfileShape("favorite", _favorite("attr", ["nsubj"])),
)
PROFILE_RULES: tuple[Rule, ...] = tuple(shape.rule for shape in SHAPES)

_LONGEST = 15
_CLAUSES = ("cc", "conj", "advcl", "relcl", "ccomp", "parataxis", "intj", "nsubj", "punct")
_FROM_NOW_ON = ("from", "now", "on")
_TIMES = frozenset({"once", "twice", "thrice", "times"})
_NOT_SAID = frozenset({"please", "and", "but", "so", "just", "also"})
_CALLING = frozenset({"call", "phone", "ring", "text", "email", "mail", "contact", "message", "write"})
_ONCE = frozenset({"next", "tomorrow", "today", "tonight", "this", "last", "yesterday", "coming"})
_MINE = frozenset({"me", "us", "my", "our"})
_ANYTHING = Target(type="concept", labels=None, common=True)
_SPELLED = {"colour": "color", "flavour": "flavor", "neighbourhood": "neighborhood", "theatre": "theater"}
_TASTED = frozenset({"color", "colour", "season"})


def profile_claims(utterance: Utterance, match: Match) -> Iterator[Claimed]:
    """What one match of ``PROFILE_RULES`` claims of the speaker; the rule's number counts from the first of them."""
    if utterance.speaker is None:
        return
    nodes = [utterance.parse.tokens[i] for i in match.nodes]
    kind = SHAPES[match.rule].kind
    found = _FOUND[kind](utterance, nodes)
    if found is None:
        return
    me = Found(utterance.speaker, found.start, found.end, utterance.speaker.name)
    predicate = found.name.type if kind == "favorite" else kind
    since, unread = utterance.began(nodes[0], nodes[:1]) if kind == "habit" else (None, "")
    assertion = Assertion(ClaimKind.STARTS, since, unread=unread)
    claim, _ = utterance.claim(predicate, assertion, nodes, me, found, literal=True)
    yield claim, ()


# instructions ---------------------------------------------------------------------------------------------------------


def _instruction(utterance: Utterance, nodes: Sequence[Token]) -> Found | None:
    """An imperative, or “I want you to …”, for ever: “answer in Portuguese”, “don’t call me before nine”."""
    parse, verb = utterance.parse, nodes[0]
    if not (_is_imperative(parse, verb) or _is_wanted(parse, verb)):
        return None
    clause = _clause(parse, verb)
    words = [token.text.casefold() for token in clause]
    concerned = (_MINE | STYLE) & set(words) or verb.lemma in ANSWERING
    if not concerned or verb.quoted or parse.children(verb, "oprd", "advcl"):
        return None  # “call me Mo” is a row of the verbs, and “if …” may never be
    return _phrase(parse, clause, "instruction") if _is_standing(parse, verb, words) else None


def _is_imperative(parse: Parse, verb: Token) -> bool:
    bare = verb.tag == "VB" and not any(token.tag in ("TO", "MD") for token in parse.children(verb, "aux"))
    return bare and clauses.subject_of(parse, verb) is None and clauses.asserted(parse, verb)


def _is_wanted(parse: Parse, verb: Token) -> bool:
    """“I want you to always …”, “I’d like you to never …”."""
    above, subject = parse.head(verb), clauses.subject_of(parse, verb)
    wants = verb.dep == "ccomp" and above.lemma in ("want", "like", "need") and not clauses.denied(parse, above)
    wanting = clauses.subject_of(parse, above)
    if not wants or subject is None or wanting is None or verb.tag != "VB":
        return False
    i_you = wanting.text.casefold() == "i" and subject.text.casefold() == "you"
    return i_you and clauses.asserted(parse, above)


def _is_standing(parse: Parse, verb: Token, words: Sequence[str]) -> bool:
    """“always”, “never”, “don’t ever”, “from now on”; “don’t call me at work” stands without."""
    if any(words[i : i + 3] == list(_FROM_NOW_ON) for i in range(len(words))):
        return True
    if verb.lemma in ANSWERING and any(_is_language(parse, word) for word in parse.children(verb, "prep")):
        return True
    denied = any(token.text.casefold() != "never" for token in parse.children(verb, "neg"))
    near = {token.text.casefold() for token in parse.children(verb, "advmod", "neg")}
    if near & {"always", "never"} or (denied and "ever" in near):
        return True
    return denied and verb.lemma in _CALLING and bool(parse.children(verb, "prep"))


def _is_language(parse: Parse, preposition: Token) -> bool:
    goals = parse.children(preposition, "pobj")
    return preposition.text.casefold() == "in" and any(goal.label in ("LANGUAGE", "NORP") for goal in goals)


# habits ---------------------------------------------------------------------------------------------------------------


def _habit(utterance: Utterance, nodes: Sequence[Token]) -> Found | None:
    """What somebody does time and again, in the present tense: “run every morning”."""
    parse, verb = utterance.parse, nodes[0]
    plain = clauses.asserted(parse, verb) and not clauses.denied(parse, verb) and not clauses.passive(parse, verb)
    if not plain or clauses.tense(parse, verb) is not Tense.PRESENT or verb.lemma in MENTAL:
        return None
    if parse.children(verb, "aux", "ccomp", "advcl") or clauses.subject_of(parse, verb) != nodes[1]:
        return None
    clause = _lasting(utterance, verb, _clause(parse, verb))
    if _is_once(clause):
        return None
    if nodes[-1].text.casefold() in ("a", "per") and not _TIMES & {token.text.casefold() for token in clause}:
        return None
    ahead = [token for token in clause if token.i < verb.i]
    behind = _trimmed([token for token in clause if token.i >= verb.i])
    return _phrase(parse, [*behind, *ahead], "habit", shortest=2)


def _lasting(utterance: Utterance, verb: Token, clause: Sequence[Token]) -> list[Token]:
    """The clause less “often” and what belongs to it, and less the date since when it is so."""
    since = _begun(utterance, verb)
    often = {token.i for token in clause if token.text.casefold() in HABITUAL}
    kept = [token for token in clause if not {token.i, token.head} & often]
    return [token for token in kept if since is None or not since.start <= token.start < since.end or token == verb]


def _begun(utterance: Utterance, verb: Token) -> Dated | None:
    dates = utterance.dates(verb, [verb])
    return next((dated for dated in dates if dated.bearing is Bearing.SINCE), None)


def _is_once(clause: Sequence[Token]) -> bool:
    """Whether a time is said that does not come again: “tomorrow”, “next Friday”, “this week”."""
    return any(token.label in ("DATE", "TIME") and token.text.casefold() in _ONCE for token in clause)


def _trimmed(words: Sequence[Token]) -> Sequence[Token]:
    """Less what says nothing at the end: “go on adventures very”, “go to the gym again”."""
    while words and (words[-1].dep == "punct" or words[-1].text.casefold() in SAYING_NOTHING):
        words = words[:-1]
    return words


def _clause(parse: Parse, verb: Token) -> list[Token]:
    """The words that hang from the verb without other clauses, in their order."""
    sentence = parse.within(parse.sentence_of(verb))
    return [token for token in sentence if _hangs(parse, token, verb) and token.text.casefold() not in _NOT_SAID]


def _hangs(parse: Parse, token: Token, verb: Token) -> bool:
    while token.i != verb.i:
        if (token.head == verb.i and token.dep in _CLAUSES) or token.head == token.i or token.dep in ("relcl", "advcl"):
            return False
        token = parse.head(token)
    return True


def _phrase(parse: Parse, words: Sequence[Token], kind: str, shortest: int = 1) -> Found | None:
    """The words as they are said, if they can be understood without what was said before."""
    unclear = any(token.text.casefold() in UNCLEAR for token in words)
    while words and words[0].tag == "TO":
        words = words[1:]
    while words and words[-1].dep == "punct":
        words = words[:-1]
    if unclear or not shortest <= len(words) <= _LONGEST:
        return None
    text = _written(parse, words)
    start, end = min(token.start for token in words), max(token.end for token in words)
    return Found(ThingName(text, kind), start, end, text) if is_name(text) else None


def _written(parse: Parse, words: Sequence[Token]) -> str:
    """The words with blanks where the text has some, or has others between."""
    gaps = ("" if word.end == following.start else " " for word, following in pairwise(words))
    first, *others = (_uncapitalised(parse, word) for word in words)
    return first + "".join(gap + word for gap, word in zip(gaps, others, strict=True))


def _uncapitalised(parse: Parse, word: Token) -> str:
    """The word as it is written, less the capital that only the beginning of a sentence gives it."""
    begins = word.i == parse.sentence_of(word).first and word.text.istitle() and word.text != "I"
    return word.text.lower() if begins and not (word.proper or word.label) else word.text


# favorites ------------------------------------------------------------------------------------------------------------


def _favored(utterance: Utterance, nodes: Sequence[Token]) -> Found | None:
    """What it is; the type of the name found is the predicate (“favorite_color”)."""
    parse, (verb, known, *_, named) = utterance.parse, nodes
    asserted = clauses.asserted(parse, verb) and not clauses.denied(parse, verb) and not clauses.no_longer(parse, verb)
    if not asserted or clauses.tense(parse, verb) is not Tense.PRESENT or known.lemma in UNSPECIFIC:
        return None
    found = thing(parse, named, _ANYTHING)
    if found is None and named.tag == "JJ" and known.lemma in _TASTED and not named.children:
        found = Found(ThingName(named.text, ""), named.start, named.end, named.text)
    if found is None or (named.tag in ("NN", "NNS") and parse.children(named, "relcl", "prep", "acl")):
        return None
    kinds = [token.text.casefold() for token in parse.children(known, "compound")]
    noun = "_".join([*kinds, _SPELLED.get(known.lemma, known.lemma)])
    first = next(token for token in parse.tokens if token.end > found.start)
    value = _uncapitalised(parse, first) + found.name.name[len(first.text) :]
    return Found(ThingName(value, FAVORITE + noun), found.start, found.end, value)


_FOUND = {"instruction": _instruction, "habit": _habit, "favorite": _favored}
