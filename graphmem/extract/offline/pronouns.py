"""Whom “he” or “she” means: the one person the text has named so far, and nobody if there may be two.

“My boss is Paul”, “my sister, Ana”, “my brother is called Tom” speak of one person each: role and name are one.
"""

from collections.abc import Collection, Iterator

from graphmem.extract.offline import clauses
from graphmem.extract.offline.syntax import Parse, Stretch, Token
from graphmem.extract.offline.tables.lexicon import SOMEBODY
from graphmem.extract.offline.tables.roles import ROLES
from graphmem.model.fragment import ThingName

_PRONOUNS = frozenset({"he", "she"})
_OTHER_LABELS = frozenset({"DATE", "TIME", "CARDINAL", "ORDINAL", "PERCENT", "MONEY", "QUANTITY", "LANGUAGE"})
_NAMING = frozenset({"call", "name"})
_LONGEST_WAY = 2
"""In sentences, from the pronoun back to the name."""


def antecedent(parse: Parse, pronoun: Token, present: Collection[ThingName] = ()) -> Token | None:
    """The head of the person's name, if that is the only one before, near enough, with no other person about.

    Nobody says “she” of who is ``present``: of the speaker, or of who is spoken to.
    """
    word = pronoun.text.casefold()
    before = parse.tokens[: pronoun.i]
    if word not in _PRONOUNS or any(_is_other(parse, token, word) for token in before):
        return None
    here = [set(name.name.split()) for name in present]
    people = [name for name in _people(parse, pronoun) if not any(_words(parse, name) <= words for words in here)]
    if not people or not _are_one(parse, people):
        return None
    last = parse.tokens[people[-1].last - 1]
    return last if pronoun.sentence - last.sentence <= _LONGEST_WAY else None


def _people(parse: Parse, pronoun: Token) -> list[Stretch]:
    """The names before the pronoun that spaCy takes for persons', and those that somebody in a role has."""
    named = {token.i for noun in parse.tokens[: pronoun.i] if _is_of_person(noun) for token in role_names(parse, noun)}
    stretches = [name for name in parse.names if name.last <= pronoun.i]
    people = [name for name in stretches if name.label == "PERSON" or named & {*range(name.first, name.last)}]
    known = {i for name in people for i in range(name.first, name.last)}
    others = [Stretch(i, i + 1) for i in named - known if i < pronoun.i]
    return sorted([*people, *others], key=lambda name: name.first)


def _is_other(parse: Parse, token: Token, word: str) -> bool:
    """Somebody who is not named, or of the other gender."""
    text = token.text.casefold()
    if text in _PRONOUNS - {word} or text in SOMEBODY:
        return True
    return _is_role(token) and not (_is_of_person(token) and any(True for _ in role_names(parse, token)))


def _is_role(token: Token) -> bool:
    return token.lemma in ROLES and not token.proper


def _is_of_person(token: Token) -> bool:
    """Whether the role is a person's, not a pet's."""
    return _is_role(token) and ROLES[token.lemma].type == "person"


def role_names(parse: Parse, noun: Token) -> Iterator[Token]:
    """The names of who the noun is: by the next word, in apposition, or by “is”, “is called”, “whose name is”."""
    following = parse.tokens[noun.i + 1 : noun.i + 2]
    beside = [*parse.children(noun, "appos"), *([parse.head(noun)] if noun.dep == "appos" else [])]
    yield from (token for token in (*following, *beside, *_said_names(parse, noun)) if _can_name(token))


def _said_names(parse: Parse, noun: Token) -> Iterator[Token]:
    """“My boss is Paul”, “my boss's name is Paul”, “my boss is called Paul”, “I have a brother named Paul”."""
    for clause in parse.children(noun, "acl"):
        yield from parse.children(clause, "oprd") if clause.lemma in _NAMING else ()
    above = parse.head(noun)
    if noun.dep == "poss" and above.lemma == "name":
        noun, above = above, parse.head(above)
    if clauses.tense(parse, above) is None or clauses.denied(parse, above) or not clauses.asserted(parse, above):
        return
    if above.lemma == "be" and noun.dep in ("nsubj", "attr"):
        yield from parse.children(above, "attr" if noun.dep == "nsubj" else "nsubj")
    if above.lemma in _NAMING and noun.dep == "nsubjpass":
        yield from parse.children(above, "oprd")


def _can_name(token: Token) -> bool:
    return token.proper and token.label not in _OTHER_LABELS


def _are_one(parse: Parse, people: list[Stretch]) -> bool:
    """Whether all names can be one person's: each is part of the longest."""
    written = [_words(parse, name) for name in people]
    longest = max(written, key=len)
    return all(words <= longest for words in written)


def _words(parse: Parse, name: Stretch) -> set[str]:
    return {token.text for token in parse.within(name)}
