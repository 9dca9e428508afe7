"""“I live in Lisbon. I've been there since 2021”: the second clause says since when the state of the first one holds.

Only where the text before has exactly one state that the clause can mean, of the same person.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from graphmem.extract.offline import clauses
from graphmem.extract.offline.clauses import Tense
from graphmem.extract.offline.names import UNNAMED_LABELS, Found
from graphmem.extract.offline.syntax import Parse, Token
from graphmem.extract.offline.tables.references import REFERENCES, Reference
from graphmem.extract.offline.utterance import Claimed, Utterance
from graphmem.model.fragment import ProposedClaim, ThingName
from graphmem.model.interval import BEGIN

_LASTING = (Tense.PRESENT, Tense.PERFECT)
_LONGEST_WAY = 2
"""In sentences, from the clause back to the state."""


def since_told_later(utterance: Utterance, claimed: Sequence[Claimed]) -> list[Claimed]:
    """The claims, with the beginnings that later clauses give to states claimed without one."""
    dated = list(claimed)
    for verb in utterance.parse.tokens if dated else ():
        for reference in REFERENCES:
            if verb.lemma in reference.verbs and _refers(utterance, verb, reference):
                _date(utterance, verb, reference, dated)
    return dated


def _refers(utterance: Utterance, verb: Token, reference: Reference) -> bool:
    """Whether the clause says of something named before, by “there” or “it”, that it has lasted."""
    parse = utterance.parse
    words = {child.text.casefold() for i in verb.children if (child := parse.tokens[i]).i > verb.i}
    told = clauses.asserted(parse, verb) and not clauses.denied(parse, verb) and not clauses.no_longer(parse, verb)
    lasting = clauses.tense(parse, verb) in _LASTING or _elided(parse, verb)
    return bool(words & reference.words) and told and lasting


def _elided(parse: Parse, verb: Token) -> bool:
    """Whether the subject, the speaker, is left out: “Been there since 2019.”."""
    bare = verb.tag == "VBN" and not parse.children(verb, "aux", "auxpass", "nsubj", "nsubjpass")
    return bare and verb.dep in ("ROOT", "conj", "parataxis")


def _date(utterance: Utterance, verb: Token, reference: Reference, claimed: list[Claimed]) -> None:
    since, unread = utterance.began(verb, [verb])
    meant = list(_meant(utterance, verb, reference, claimed))
    if not (since or unread) or len(meant) != 1 or claimed[meant[0]][0].valid_from is not None:
        return
    claim, found = claimed[meant[0]]
    if not _is_last(utterance, claim, found, verb):
        return
    _, end = utterance.quote([verb])
    dated = replace(claim, valid_from=since or BEGIN, time_unread=unread, quote_end=max(claim.quote_end, end))
    claimed[meant[0]] = (dated, found)


def _meant(utterance: Utterance, verb: Token, reference: Reference, claimed: Sequence[Claimed]) -> Iterator[int]:
    """Positions of the states before the verb that the clause can mean."""
    subject = _subject(utterance, verb)
    for number, (claim, _) in enumerate(claimed):
        able = claim.kind.asserts and claim.predicate in reference.predicates and claim.subject == subject
        if able and claim.quote_start <= verb.start:
            yield number


def _subject(utterance: Utterance, verb: Token) -> ThingName | None:
    subject = clauses.subject_of(utterance.parse, verb)
    if subject is None or _elided(utterance.parse, verb):
        return utterance.speaker
    found = utterance.somebody(subject, people=True)
    return found.name if found else None


def _is_last(utterance: Utterance, claim: ProposedClaim, found: Sequence[Found], verb: Token) -> bool:
    """Whether the claim stands near before the verb, and no other thing is named on the way."""
    between = [token for token in utterance.parse.tokens if claim.quote_start <= token.start and token.i < verb.i]
    others = [
        token
        for token in between
        if token.proper
        and token.label not in ("PERSON", *UNNAMED_LABELS)
        and utterance.parse.text[token.start : token.end] not in str(claim.value)
    ]
    named = all(any(each.start <= token.start < each.end for each in found) for token in others)
    return named and verb.sentence - between[0].sentence <= _LONGEST_WAY
