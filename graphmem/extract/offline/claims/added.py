"""Claims that the words of a turn make beside those that were read in it."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from graphmem.extract.identifiers import EMAIL, addresses
from graphmem.extract.offline.claims.beside import DIED, called_by_role
from graphmem.extract.offline.claims.effects import is_unreal
from graphmem.extract.offline.claims.read_turn import ReadTurn
from graphmem.extract.offline.claims.subjects import (
    FIRM,
    capitalised,
)
from graphmem.extract.offline.tables.meanings import MEANINGS
from graphmem.extract.overlaps import overlap
from graphmem.extract.reader.claims import OF_SPEAKER, TurnClaim
from graphmem.extract.reader.labels import Effect, Predicate
from graphmem.extract.reader.layout import Span as Place

_MY_EMAIL = re.compile(
    rf"\bmy (?:\w+ )?e-?mail(?: address)?(?: is|:| is now|'s) (?P<address>{EMAIL.pattern})", re.IGNORECASE
)
_IDLE = frozenset({"retired", "unemployed", "jobless", "redundant"})
_FROM_SOMETHING = re.compile(r"\s+(?:from|as)\s+(?!work\b)", re.IGNORECASE)
"""“retired from” football."""
_I_AM = re.compile(r"\b(?:I|[Ww]e)(?:['’](?:m|re|ve)| am| are| have| was| were)?(?: \w+ly| just| now)?\s+$")
_BONDS = frozenset[Predicate]({"partner", "friend", "child", "sibling", "parent"})
_JUST_LEFT = re.compile(r"\b(?:left|leav(?:e|ing)|quit(?:ting)?)\s+(?:the |my |our )?$", re.IGNORECASE)
_WITHIN: Mapping[Predicate, re.Pattern[str]] = {
    "studies_at": re.compile(r"\b(?:university|uni|college|school|academy|institute)\b", re.IGNORECASE),
    "member_of": re.compile(
        r"\b(?:club|party|choir|band|team|union|society|association|church|group|league|circle)\b", re.IGNORECASE
    ),
}
"""Words of names of what one may be in beside firms."""
_GOALS: Mapping[Predicate, re.Pattern[str]] = {
    "lives_in": re.compile(r"\bmov(?:e|ing) to (?P<goal>[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)*)"),
    "works_at": re.compile(
        r"\b(?:start(?:ing)? at|join(?:ing)?|work(?:ing)? (?:at|for)) (?P<goal>[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)*)"
    ),
}
"""What somebody plans, by what is so once they have done it."""


def added(turn: ReadTurn, read: Sequence[TurnClaim]) -> Iterator[TurnClaim]:
    """What follows from the claims that were ``read``, and what surely stands in the text and was not read."""
    for claims in (_cities, _bereavements, _sure, _endings, _left, _given_up, _jobless):
        yield from claims(turn, read)


def _cities(turn: ReadTurn, claims: Iterable[TurnClaim]) -> Iterator[TurnClaim]:
    """Claims that who has an address lives in its city, unless it is an office or so; who leaves one may stay there."""
    homes = {claim.value for claim in claims if claim.predicate == "lives_in"}
    for claim in claims:
        if claim.predicate == "address" and claim.effect not in ("ends", "denies") and not _is_of_building(turn, claim):
            start, end = claim.value
            for city in addresses(turn.text[start:end]):
                place = start + city.start, start + city.end
                if city.name.type == "place" and place not in homes:
                    yield replace(claim, predicate="lives_in", value=place)


def _is_of_building(turn: ReadTurn, claim: TurnClaim) -> bool:
    """Whether an address is where something stands, and not where somebody lives: “our office is at”."""
    meaning = MEANINGS["address"]
    return meaning.sayings(turn.words(claim.subject.words), "") != meaning.says


def _bereavements(turn: ReadTurn, claims: Iterable[TurnClaim]) -> Iterator[TurnClaim]:
    """The end of having a pet that died: of whoever may be one, for of others it ends nothing."""
    pets = [claim for claim in claims if claim.predicate == "pet"]
    had = {turn.words(claim.value) for claim in pets if claim.effect not in ("ends", "denies")}
    ended = {turn.words(claim.value) for claim in pets if claim.effect == "ends"}
    for claim in claims:
        place = _deceased(turn, claim)
        who = turn.words(place) if place else ""
        spelt = capitalised(who) if place == claim.value else who
        if place and called_by_role(turn, place):
            continue
        if place and who not in ended and (who in had or turn.speakers.may_be_animal(spelt)):
            yield replace(claim, predicate="pet", effect="ends", subject=OF_SPEAKER, value=place)


def _deceased(turn: ReadTurn, claim: TurnClaim) -> Place | None:
    """Where who died stands, be it read as an event or as the end of some bond: “flann died saturday”."""
    if claim.predicate == "event" and claim.effect == "holds" and DIED.match(turn.words(claim.value)):
        return claim.subject.words
    bond = claim.effect == "ends" and claim.predicate in _BONDS and turn.around(claim.value)[0] == claim.value[0]
    return claim.value if bond and DIED.match(turn.text[claim.value[1] :].lstrip()) else None


def _sure(turn: ReadTurn, claims: Sequence[TurnClaim]) -> Iterator[TurnClaim]:
    """What the speaker says of themselves in words that nobody mistakes: “my e-mail is zoe@example.com”."""
    boxes = (match.span("address") for match in _MY_EMAIL.finditer(turn.text))
    said = [*(_of_self("email", "holds", place) for place in boxes)]
    for predicate, meaning in MEANINGS.items():
        places = meaning.sayings_of_self(turn.text)
        said += [_of_self(predicate, "holds", place) for place in places if not is_unreal(turn, place)]
    read = {(claim.predicate, claim.value) for claim in claims}
    for claim in said:
        if not any(predicate == claim.predicate and overlap(claim.value, value) for predicate, value in read):
            yield claim


def _endings(turn: ReadTurn, claims: Sequence[TurnClaim]) -> Iterator[TurnClaim]:
    """The end of whatever there was, in words that name nothing: “I got the sack”, “we're not together any more”."""
    for predicate, meaning in MEANINGS.items():
        told = {turn.around(claim.value) for claim in claims if claim.predicate == predicate}
        for place in meaning.endings(turn.text):
            of_other = any(claim.effect == "ends" and overlap(claim.value, place) for claim in claims)
            if turn.around(place) not in told and not of_other and not is_unreal(turn, place):
                yield _of_self(predicate, "ends", place)


def _left(turn: ReadTurn, claims: Sequence[TurnClaim]) -> Iterator[TurnClaim]:
    """The end of all that one may have been in what is left, where its name does not say which it was."""
    for claim in claims:
        if claim.effect != "ends" or _JUST_LEFT.search(turn.text[: claim.value[0]]) is None:
            continue
        named, told = turn.words(claim.value), {each.predicate for each in claims if overlap(each.value, claim.value)}
        within = {predicate for predicate, words in _WITHIN.items() if words.search(named)}
        if claim.predicate in _WITHIN or turn.speakers.knows(named, FIRM):
            within.add("works_at")
        elif claim.predicate != "works_at":
            within = set[Predicate]()
        yield from (replace(claim, predicate=predicate) for predicate in sorted(within - told))


def _given_up(turn: ReadTurn, claims: Iterable[TurnClaim]) -> Iterator[TurnClaim]:
    """The end of what was to come of a plan that is given up: “we're not moving to Porto”."""
    for claim in claims:
        if claim.predicate == "plan" and claim.effect in ("ends", "denies"):
            for predicate, goal in _GOALS.items():
                if match := goal.search(turn.text, *claim.value):
                    yield replace(
                        claim, predicate=predicate, effect="ends", status="asserted", value=match.span("goal")
                    )


def _jobless(turn: ReadTurn, claims: Sequence[TurnClaim]) -> Iterator[TurnClaim]:
    """The end of whatever job there was, of who is said to do nothing now: “Dougal retired”."""
    told = {claim.subject for claim in claims if claim.predicate == "works_at"}
    if any(MEANINGS["works_at"].endings(turn.text)):
        told.add(OF_SPEAKER)
    for claim in claims:
        idle = claim.predicate == "works_as" and turn.words(claim.value).casefold() in _IDLE
        idle = idle and not _FROM_SOMETHING.match(turn.text, claim.value[1])
        if not idle or claim.effect not in ("holds", "starts") or claim.status != "asserted" or claim.subject in told:
            continue
        if claim.subject != OF_SPEAKER or _I_AM.search(turn.lead(claim.value)):
            yield replace(claim, predicate="works_at", effect="ends")


def _of_self(predicate: Predicate, effect: Effect, place: Place) -> TurnClaim:
    return TurnClaim(
        predicate=predicate,
        effect=effect,
        status="asserted",
        beside=False,
        value=place,
        subject=OF_SPEAKER,
        time=None,
        foreign=0.0,
        score=0.0,
    )
