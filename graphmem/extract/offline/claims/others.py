"""Who is what to whom where two others are named (“Emil is the son of Otto”), and what others did (“bought by Ana”)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from graphmem.extract.offline.claims.read_turn import ReadTurn
from graphmem.extract.offline.tables.words import words
from graphmem.extract.overlaps import overlap
from graphmem.extract.owners.people import FIRST
from graphmem.extract.reader.claims import OF_SPEAKER, ClaimSubject, TurnClaim, Whose
from graphmem.extract.reader.labels import Predicate

NAME = r"[A-Z][\w'’-]*\w(?: [A-Z][\w'’-]*\w)*"
RELATIONS: Mapping[str, Predicate] = {
    **dict.fromkeys(words("sister brother sibling twin stepsister stepbrother sis bro"), "sibling"),
    **dict.fromkeys(words("mother father mom mum dad mommy daddy mama papa stepmother stepfather"), "parent"),
    **dict.fromkeys(words("son daughter child stepson stepdaughter"), "child"),
    **dict.fromkeys(words("wife husband spouse boyfriend girlfriend fiancé fiancée fiance fiancee"), "partner"),
    **dict.fromkeys(words("boss manager supervisor"), "boss"),
    **dict.fromkeys(words("friend pal buddy bestie"), "friend"),
}
"""What the bearer of a role is to whoever has them: “my sister” is my sibling."""
_OF_ROLE = re.compile(
    rf"(?P<who>{NAME})(?:,|\s+(?:is|was)(?:\s+(?:still|now))?)\s+(?:the\s+|an?\s+)?(?:\w+\s+)?"
    rf"(?P<role>{'|'.join(RELATIONS)})\s+of\s+(?P<whose>{NAME}(?:(?:,\s+|\s+and\s+){NAME})*)"
)
_TO_EACH_OTHER = re.compile(
    rf"(?P<one>{NAME})(?:,\s+{NAME})*,?\s+(?:and|&)\s+(?P<other>{NAME})\s+(?:are|were)\s+(?:[a-z-]+\s+)?"
    r"(?:brothers|sisters|siblings|twins|friends|married|engaged|a couple|together|dating|divorced|separated)\b"
)
"""“Ben and Tom are brothers”: what they are to each other, not to the speaker."""
_ONE_NAME = re.compile(NAME)
_DONE_BY = re.compile(
    r"\s+(?:was|were|is|are|got|(?:has|have|had)\s+been)\s+(?:\w+ly\s+)?[a-z]+\s+by\s+(?!(?:me|us|myself)\b)"
)
_ARTICLE = re.compile(r"^(?:an?|the)\s+", re.IGNORECASE)
_EVENTS = frozenset[Predicate]({"event", "plan", "appointment", "deadline"})


def among_others(turn: ReadTurn, claims: Sequence[TurnClaim]) -> list[TurnClaim]:
    """The claims, with those about two others in place of what was read of either as the speaker's."""
    kept = [
        claim
        for claim in claims
        if not (_is_done_by_others(turn, claim) or _is_own_role(turn, claim) or _is_among_others(turn, claim))
    ]
    for match in _OF_ROLE.finditer(turn.text):
        about = [
            claim for claim in kept if claim.predicate in RELATIONS.values() and overlap(claim.value, match.span())
        ]
        if about:
            kept = [claim for claim in kept if claim not in about]
            kept += _of_others(match, max(about, key=lambda claim: claim.score))
    return kept


def _of_others(match: re.Match[str], read: TurnClaim) -> Iterator[TurnClaim]:
    for name in _ONE_NAME.finditer(match.string, *match.span("whose")):
        end = name.end() - len(name[0]) + len(name[0].removesuffix("'s").removesuffix("’s"))
        subject = ClaimSubject(Whose.NAMED, (name.start(), end))
        yield replace(read, predicate=RELATIONS[match["role"]], value=match.span("who"), subject=subject)


def _is_done_by_others(turn: ReadTurn, claim: TurnClaim) -> bool:
    """Whether somebody else did what was read of the speaker: “Globex was bought by Initech”, not “My bike was …”."""
    if claim.subject != OF_SPEAKER or claim.predicate in _EVENTS:
        return False
    start, _ = turn.around(claim.value)
    return _DONE_BY.match(turn.text, claim.value[1]) is not None and not FIRST.search(turn.text, start, claim.value[0])


def _is_own_role(turn: ReadTurn, claim: TurnClaim) -> bool:
    """Whether the value is what the speaker is to somebody: “I became a father”, “I'm an only child” name nobody."""
    role = RELATIONS.get(_ARTICLE.sub("", turn.words(claim.value)).casefold().removeprefix("only "))
    return claim.subject == OF_SPEAKER and claim.predicate in RELATIONS.values() and role not in (None, claim.predicate)


def _is_among_others(turn: ReadTurn, claim: TurnClaim) -> bool:
    """Whether two others are said to be to each other what was read of one and the speaker."""
    if claim.subject != OF_SPEAKER or claim.predicate not in RELATIONS.values():
        return False
    start, end = turn.around(claim.value)
    said = _TO_EACH_OTHER.search(turn.text, start, end)
    return said is not None and overlap(claim.value, said.span()) and not FIRST.search(turn.text, start, end)
