"""Claims from what the reader reads in one turn, checked as those of a language model are."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from graphmem.extract.identifiers import EMAIL, addresses
from graphmem.extract.offline.claims.beside import DIED, called_by_role
from graphmem.extract.offline.claims.doses import amounts, dose, only_amounts
from graphmem.extract.offline.claims.effects import is_as_before, is_unreal
from graphmem.extract.offline.claims.mending import mended
from graphmem.extract.offline.claims.read_turn import ReadTurn
from graphmem.extract.offline.claims.subjects import (
    ANIMAL,
    CONCEPT,
    FIRM,
    PERSON,
    capitalised,
    is_pet,
    is_role,
    unmarked,
)
from graphmem.extract.offline.claims.times import UNSAID, When
from graphmem.extract.offline.claims.wording import agreeing, are_many
from graphmem.extract.offline.dates.finder import looks_ahead
from graphmem.extract.offline.names import is_name
from graphmem.extract.offline.tables.meanings import MEANINGS, THING, Meaning
from graphmem.extract.offline.tables.words import words
from graphmem.extract.overlaps import Span, overlap
from graphmem.extract.reader.claims import OF_SPEAKER, TurnClaim, Whose
from graphmem.extract.reader.labels import Effect, Predicate
from graphmem.extract.reader.layout import Span as Place
from graphmem.model.claim import GIVEN_UP, OVERDUE, STATED, ClaimKind, ClaimStatus
from graphmem.model.dates import WEEKDAYS
from graphmem.model.entity import normalise_name
from graphmem.model.fragment import ProposedClaim, ThingName
from graphmem.model.interval import BEGIN

_SAID_OF_SELF, _SAID_OF_OTHERS = 0.85, 0.7
"""Confidence in what somebody says of themselves, and of others."""
_REPORTED = 0.5
"""The most confidence in what somebody says that somebody else says."""
_PLANNED, _PLAN_MATTERS = 0.6, 0.4
"""The most confidence and importance of plans that have no day."""
_FOREIGN = 0.5
"""From which probability on the words of a value are not the speaker's own."""
_WHEN = "when"
"""The attribute of an appointment that says when it is."""
_ARTICLES = ("a", "an", "the")
_OTHERS = {
    "my": "their",
    "our": "their",
    "me": "them",
    "us": "them",
    "mine": "theirs",
    "ours": "theirs",
    "myself": "themselves",
    "I": "they",
    "we": "they",
}
_POSSESSIVE = frozenset({"my", "our", "mine", "ours"})
_OWN = re.compile(rf"\b(?:{'|'.join(_OTHERS)})\b(?!@)")
_OF_THINGS = frozenset[Predicate]({"price", "quantity"})
"""What no person has: “I earn 900”, “we're twelve”."""
_HOME = re.compile(
    r"(?:\S+\s+){0,2}(?:apartment|bedsit|condo|cottage|flat|home|house|place|room|rooms|studio)\s+(?:in|at|near|on)\s+",
    re.IGNORECASE,
)
"""“a flat in” Porto: what is lived in is the place."""
_MY_EMAIL = re.compile(
    rf"\bmy (?:\w+ )?e-?mail(?: address)?(?: is|:| is now|'s) (?P<address>{EMAIL.pattern})", re.IGNORECASE
)
_KEPT = re.compile(
    r"\b(?:had|(?:was|were)(?! (?:moved|pushed|shifted|postponed|rescheduled|delayed|brought|put|changed))|went|saw)\b",
    re.IGNORECASE,
)
"""Words that say that an appointment was kept."""
_DAYS = frozenset(
    words("today tomorrow tonight yesterday christmas xmas easter mon tue tues wed weds thu thur thurs fri sat sun")
) | {*WEEKDAYS}
"""Of a plan for the week, what stands before the colon is nobody: “Mon: green beans”."""
_WAS = re.compile(
    r"\b(?:had|was|were|went|saw|did(?:n['’]t)?|got|left|spent|kept|ran|taught|\w{3,}ed)\b", re.IGNORECASE
)
"""Words in the past tense."""
_LEFT = re.compile(
    r"\b(?:left|quit|stopp\w+|gave up|given up|moved out|broke|split|end(?:ed|s)|sold|cancel\w+|finish\w+)\b",
    re.IGNORECASE,
)
"""Words that tell an end, not what was so before it."""
_WHERE = re.compile(
    r"\b(?P<where>on(?: top of)?|under|behind|near|above|below|beside|at|next to|outside|over)"
    r"(?:\s+(?:the|my|our|his|her|their|an?))?\s+$",
    re.IGNORECASE,
)
"""“my glasses are on the” desk."""
_IDLE = frozenset({"retired", "unemployed", "jobless", "redundant"})
_FROM_SOMETHING = re.compile(r"\s+(?:from|as)\s+(?!work\b)", re.IGNORECASE)
"""“retired from” football."""
_I_AM = re.compile(r"\b(?:I|[Ww]e)(?:['’]m|['’]ve| am| have| was)?(?: \w+ly| just| now)?\s+$")
_NOTICE = re.compile(r"\b(?:notice|resign(?:ed|ation))\b", re.IGNORECASE)
_BONDS = frozenset[Predicate]({"partner", "friend", "child", "sibling", "parent"})
_GOES_ON = re.compile(r"\b(?:until|till?)\b", re.IGNORECASE)
_TO_COME = re.compile(
    r"\b(?:[Ii]|[Ww]e|[Yy]ou|[Tt]hey)(?: \w+ly| then| both)?"
    r" (?:start|begin|join|leave|finish|move|return|retire|take over|get)\b"
    r"|(?:\b(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir|[Tt]he|[Tt]his) \w+(?: (?:at|with|for|in) \S+)?"
    r"|\b[Hh]e|\b[Ss]he|\b[Ii]t|\b[A-Z]\w+)(?: \w+ly| then)?"
    r" (?:starts|begins|joins|leaves|finishes|moves|returns|retires|takes over|ends|runs out|expires|is due)\b"
)
"""The present tense of what begins or ends on a day."""
_NEVER = re.compile(r"\bnever\b(?! mind| again)", re.IGNORECASE)
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
_MARK_OF_NAME = re.compile(r"!(?=\.| [a-z])")
"""“I work at Yahoo!.”, “at Yahoo! now”."""
_THEIRS = re.compile(r"(?:his|her|its|their|your)\b")
_OWN_THING = re.compile(r"(?:the|my|our|a|an)\s+", re.IGNORECASE)
_SPELT = frozenset({PERSON, ANIMAL, "place"})
"""Types of things whose names begin with capitals, whoever writes them small."""


@dataclass(frozen=True, slots=True)
class GroundedClaim:
    """A claim, where its ``value`` stands in the content, and the spans of the things it names there."""

    claim: ProposedClaim
    value: Place
    spans: tuple[Span, ...] = ()


def proposals(
    turn: ReadTurn, claims: Sequence[TurnClaim], said_before: Callable[[], Sequence["ClaimFrame"]]
) -> Iterator[GroundedClaim]:
    """What stands of the claims that were read; and that what was ``said_before`` is not so, where it is taken back."""
    if turn.takes_back_the_last:
        whole = (0, len(turn.text))
        yield from (_withdrawal(said, turn, whole) for said in said_before() if said.asserts)
    read = frames(turn, claims)
    read += _doses_of_before(turn, claims, read, said_before)
    corrected = {(frame.read.predicate, frame.subject) for frame in read if frame.read.effect == "corrects"}
    for frame in read:
        denied = frame.read.effect == "denies"
        wrong = denied and ((frame.read.predicate, frame.subject) in corrected or frame.was_never or turn.takes_back)
        mistake = _mistake(frame, said_before) if turn.corrects and frame.read.effect == "corrects" else None
        if mistake is None and frame.counts_a_person:
            continue
        if mistake is not None:
            yield _withdrawal(mistake, turn, frame.place)
        as_meant = frame if mistake is None else frame.instead_of(mistake)
        made = frame.taken_back() if wrong else as_meant.claimed()
        if made is not None:
            yield GroundedClaim(made, turn.placed(frame.place), tuple(frame.spans()))


def frames(turn: ReadTurn, claims: Sequence[TurnClaim]) -> "list[ClaimFrame]":
    """The claims that were read and that say something, with whom or what they are of."""
    read = mended(turn, claims)
    all_claims = (
        *read,
        *_cities(turn, read),
        *_bereavements(turn, read),
        *_sure(turn, read),
        *_endings(turn, read),
        *_left(turn, read),
        *_given_up(turn, read),
        *_jobless(turn, read),
    )
    kinds = _kinds(turn, read)
    read_frames = [frame for claim in all_claims if (frame := _frame(turn, claim, kinds))]
    return [*read_frames, *_doses(turn, claims, read_frames)]


def _doses(turn: ReadTurn, claims: Iterable[TurnClaim], read: Iterable["ClaimFrame"]) -> Iterator["ClaimFrame"]:
    """How much is taken of the drugs that are read, as a number of its own that may change.

    ``claims`` are as the reader gave them, with the amounts and times that ``read`` no longer has.
    """
    times = {turn.around(claim.value): claim.time for claim in claims if claim.predicate == "medication" and claim.time}
    others = [claim.value for claim in only_amounts(turn, claims)]
    for drug in read:
        if drug.read.predicate != "medication" or not drug.asserts:
            continue
        place = dose(turn, drug.place) or next((value for value in others if value > drug.place), None)
        if place is not None:
            yield _dose_of(drug, replace(drug.read, value=place, time=times.get(turn.around(drug.place))), turn)


def _doses_of_before(
    turn: ReadTurn,
    claims: Sequence[TurnClaim],
    read: Iterable["ClaimFrame"],
    said_before: Callable[[], Sequence["ClaimFrame"]],
) -> Iterator["ClaimFrame"]:
    """How much is taken of the drug that was named last before, where the turn names none: “it's 75 mg now”."""
    alone = amounts(turn, claims)
    if not alone or any(frame.read.predicate == "medication" for frame in read):
        return
    drugs = [said for said in said_before() if said.read.predicate == "medication" and said.asserts]
    if drugs:
        yield _dose_of(drugs[-1], alone[-1], turn)


def _dose_of(drug: "ClaimFrame", claim: TurnClaim, turn: ReadTurn) -> "ClaimFrame":
    taken = ThingName(f"{drug.subject.name}'s {drug.value} dose", CONCEPT)
    claim = replace(claim, predicate="quantity", effect="starts", subject=OF_SPEAKER)
    return replace(drug, turn=turn, read=claim, meaning=MEANINGS["quantity"], subject=taken)


def _mistake(frame: "ClaimFrame", said_before: Callable[[], Sequence["ClaimFrame"]]) -> "ClaimFrame | None":
    """What a correction takes back: the last other value that was said of the same; of whomever, if it names nobody."""
    same = [
        said
        for said in said_before()
        if said.read.predicate == frame.read.predicate
        and said.asserts
        and said.value != frame.value
        and (frame.read.subject == OF_SPEAKER or said.subject == frame.subject)
    ]
    return same[-1] if same else None


def _withdrawal(said: "ClaimFrame", turn: ReadTurn, place: Place) -> GroundedClaim:
    """The claim that what was said is not so, quoted from the words of a turn that say it."""
    start, end = turn.quote(place)
    claim = replace(said.claim_that_it_is_so, kind=ClaimKind.REJECTS, quote_start=start, quote_end=end, beside=False)
    return GroundedClaim(claim, turn.placed(place))


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
            if turn.around(place) not in told and not is_unreal(turn, place):
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


def _kinds(turn: ReadTurn, claims: Sequence[TurnClaim]) -> Mapping[str, str]:
    """The types of the words of which something is said in the turn that is said of persons only, or of pets."""
    said = (claim for claim in claims if MEANINGS[claim.predicate].subject == PERSON)
    persons = {turn.words(claim.subject.words) for claim in said if claim.subject.whose is Whose.NAMED}
    pets = {turn.words(claim.value) for claim in claims if claim.predicate == "pet"}
    return dict.fromkeys(map(str.casefold, persons), PERSON) | dict.fromkeys(map(str.casefold, pets), ANIMAL)


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


def _frame(turn: ReadTurn, claim: TurnClaim, kinds: Mapping[str, str]) -> "ClaimFrame | None":
    """The claim with whom or what it is of; None where nobody can tell, or where it says nothing of them.

    In words of others nothing is the speaker's. ``kinds`` are the types of words of the turn.
    """
    if claim.subject.whose is Whose.USER:
        return None
    if claim.subject == OF_SPEAKER and claim.predicate != "instruction" and turn.is_told_you(claim.value):
        return None
    foreign = claim.foreign > _FOREIGN
    if foreign:
        turn = replace(turn, speakers=replace(turn.speakers, speaker=None))
    meaning = MEANINGS[claim.predicate]
    if claim.subject.whose is Whose.NAMED and turn.words(claim.subject.words).casefold() in _DAYS:
        return None
    owner = _whose_date(turn, claim)
    named = turn.words(claim.subject.words).casefold()
    kind = kinds.get(named) or (CONCEPT if meaning.subject == THING else PERSON)
    subject = owner or turn.speakers.thing(claim.subject, turn.text, kind)
    if subject is None:
        return None
    frame = ClaimFrame(turn, claim, meaning, subject, foreign=foreign, dated=owner is not None)
    return None if frame.is_of_itself or not frame.says_something else frame


def _whose_date(turn: ReadTurn, claim: TurnClaim) -> ThingName | None:
    """The speaker, whose appointment is moved (“the dentist is on Friday now”), whose thesis is due; None of others."""
    if not MEANINGS[claim.predicate].dated or claim.subject.whose is not Whose.NAMED or claim.subject.meant_by:
        return None
    if claim.predicate == "appointment" and claim.effect == "holds":
        return None
    named = claim.subject.meant or turn.words(claim.subject.words)
    plain_noun = named.replace(" ", "").isalpha() and named == named.lower() and not is_role(named)
    own = _OWN_THING.match(named) or (plain_noun and not _THEIRS.match(named))
    return turn.speakers.speaker if own else None


@dataclass(frozen=True)
class ClaimFrame:
    """A claim that was read, and of whom it is.

    ``foreign``: in words of others. ``dated``: its value is the day of what the words of its subject name. ``since``:
    of a correction, since when what it takes back was said to be so.
    """

    turn: ReadTurn
    read: TurnClaim
    meaning: Meaning
    subject: ThingName
    foreign: bool = False
    dated: bool = False
    since: datetime | None = None

    @cached_property
    def unnamed(self) -> bool:
        """Whether its words only stand for a value: “I quit my job”."""
        return self.meaning.names_nothing(self.words)

    @property
    def asserts(self) -> bool:
        """Whether it says of a value that it is so."""
        return self.value is not None and self.read.effect in ("holds", "starts", "corrects")

    def instead_of(self, mistake: "ClaimFrame") -> "ClaimFrame":
        """A correction as of whom what it takes back was said, and since when."""
        said = mistake.claimed()
        since = (said and said.valid_from) or mistake.turn.dates.said_at
        subject = mistake.subject if self.read.subject == OF_SPEAKER else self.subject
        return replace(self, subject=subject, since=since)

    @property
    def is_of_itself(self) -> bool:
        """Whether it says nothing but who it is of: “I'm Petra”, says Petra."""
        if self.read.predicate == "named" and isinstance(self.value, str):
            return normalise_name(self.value) == normalise_name(self.subject.name)
        return self.value == self.subject

    @property
    def says_something(self) -> bool:
        """Whether it has a value, or ends one that is not named."""
        if self.dated:
            return self.when.days is not None and self.read.effect not in ("ends", "denies")
        if self.counts_a_person and self.read.effect != "corrects":
            return False
        return self.value is not None or (self.unnamed and self.read.effect == "ends")

    @property
    def counts_a_person(self) -> bool:
        """Whether it says how many one person is, or what that person costs."""
        return self.read.predicate in _OF_THINGS and self.subject.type == PERSON and not are_many(self.subject)

    @cached_property
    def value(self) -> ThingName | str | None:
        """The thing or the text that is claimed; None where nothing names it."""
        if self.dated:
            return _OWN_THING.sub("", self.read.subject.meant or self.turn.words(self.read.subject.words), count=1)
        if self.unnamed or not self.meaning.fits(self.words):
            return None
        kind = self.meaning.range
        if self.meaning.literal or (self.read.predicate == "located_at" and self.words == self.words.lower()):
            return self._in_third_person(unmarked(self.words)) or None
        name = unmarked(self.words)
        if self.place[1] > self.read.value[1] and not name.endswith(self.words[-1]):
            name = f"{name}{self.words[-1]}"
        if self.read.predicate == "lives_in" and (home := _HOME.match(name)):
            name = name[home.end() :]
        if (kind == PERSON and is_role(name)) or (kind == ANIMAL and is_pet(name)):
            return self.turn.speakers.named(f"my {name}", kind) if self.read.subject == OF_SPEAKER else None
        if kind == PERSON:
            return self.turn.speakers.named(name, PERSON)
        spelt = capitalised(name) if kind in _SPELT and not self._article else name
        return ThingName(spelt, kind) if is_name(spelt) else None

    @cached_property
    def words(self) -> str:
        """The words of the value."""
        return self.turn.words(self.place)

    @cached_property
    def place(self) -> Place:
        """Where the value stands, with what belongs to its name."""
        start, end = self.turn.whole(self.read.value)
        if self.read.predicate == "email":
            places = (match.span() for match in EMAIL.finditer(self.turn.text))
            return next((place for place in places if overlap(place, (start, end))), (start, end))
        firm = self.meaning.range in (FIRM, "product")
        return start, end + (firm and _MARK_OF_NAME.match(self.turn.text, end) is not None)

    @property
    def was_never(self) -> bool:
        """Whether the sentence says that it never was so: “it was never peanuts”."""
        start, _ = self.turn.around(self.read.value)
        return _NEVER.search(self.turn.text[start : self.read.value[0]]) is not None

    @cached_property
    def when(self) -> When:
        """When it is so, as far as that is said."""
        if self.dated or self._is_day:
            ahead = not self._over or looks_ahead(self.turn.clause(self.read.value))
            return self.turn.when(self.read.value, ahead=ahead)
        return UNSAID if self.read.time is None else self.turn.when(self.read.time, ahead=self._looks_ahead)

    @property
    def _is_day(self) -> bool:
        """Whether its value may be a day: “Mr Lacey says the fourteenth of January”, “the draft is due on the 3rd”."""
        return MEANINGS[self.read.predicate].dated and self.read.time is None

    @property
    def _looks_ahead(self) -> bool:
        """Whether its phrase of time is of what is to come: “I start on Monday”, not “I started on Monday”."""
        if self.read.status == "planned" or (self.read.predicate == "appointment" and not self._over):
            return True
        clause = self._clause
        goes_on = self.read.effect in ("holds", "starts") and _GOES_ON.search(clause) and not _WAS.search(clause)
        return bool(goes_on) or looks_ahead(clause) or _TO_COME.search(clause) is not None

    @property
    def _clause(self) -> str:
        """The words of the clause in which the value and its phrase of time stand."""
        return self.turn.clause(*filter(None, (self.read.value, self.read.time)))

    @property
    def _over(self) -> bool:
        """Whether the sentence says that an appointment was kept."""
        return _KEPT.search(self.turn.text[slice(*self.turn.around(self.read.value))]) is not None

    @property
    def _is_ahead(self) -> bool:
        """Whether its days are still to come."""
        return self.when.days is not None and self.when.days[1] > self.turn.dates.said_at

    @property
    def _article(self) -> str:
        """The article before the value, in small letters; "" where there is none."""
        before = self.turn.text[: self.place[0]].split()[-1:]
        return before[0].casefold() if before and before[0].casefold() in _ARTICLES else ""

    @property
    def _owned(self) -> str:
        """“their”, before what the speaker calls “my bike”; "" before what is not the speaker's, or is named."""
        before = self.turn.text[: self.place[0]].split()[-1:]
        mine = self.read.subject == OF_SPEAKER and before and before[0].casefold() in ("my", "our")
        return "their" if mine and isinstance(self.value, ThingName) and self.meaning.range == "product" else ""

    @cached_property
    def phrase(self) -> str:
        """The value as a sentence says it, with its article."""
        name = self.value.name if isinstance(self.value, ThingName) else self.value or self.words
        if self.dated:
            return name
        if self.read.predicate == "age" and name.replace("-", "").isalnum() and not name.endswith("old"):
            return f"{name} years"
        if self.meaning.time == "value":
            beside = self.turn.within_sentence(self.read.time)
            return self._in_third_person(f"{name} {self.turn.words(beside)}" if beside else name)
        article = self._owned or self._article if self.read.predicate != "medication" else ""
        return f"{article} {name}" if article and name[:1].islower() else name

    @property
    def _says(self) -> tuple[str, str, str]:
        """How a sentence says that it is so, was so, and is so no more; where something is, by the word for that."""
        where = _WHERE.search(self.turn.lead(self.place)) if self.read.predicate == "located_at" else None
        if where:
            at = where["where"].casefold()
            return f"is {at} {{}}", f"was {at} {{}}", f"is no longer {at} {{}}"
        return self.meaning.sayings(self.subject.name, self.words)

    def _in_third_person(self, words: str) -> str:
        """What somebody says of their own things, as others say it: “passed my test” is “passed their test”."""
        if not self.meaning.phrase:
            return words
        speaker = self.turn.speakers.speaker
        if self.read.subject == OF_SPEAKER or speaker is None:
            return _OWN.sub(lambda match: _OTHERS[match[0]], words)
        return _OWN.sub(lambda match: f"{speaker.name}'s" if match[0] in _POSSESSIVE else speaker.name, words)

    @cached_property
    def claim_that_it_is_so(self) -> ProposedClaim:
        """The claim that it is so, whenever that is."""
        of_speaker, of_person = self.read.subject == OF_SPEAKER, self.subject.type == PERSON
        places = [self.read.value, self.read.time, None if of_speaker else self.read.subject.words]
        quote = self.turn.quote(*filter(None, places))
        confidence = _SAID_OF_SELF if of_speaker or self.dated else _SAID_OF_OTHERS
        hearsay = self.foreign or self.read.status == "reported"
        own = MEANINGS["appointment"] if self.dated else self.meaning
        return ProposedClaim(
            kind=ClaimKind.HOLDS if self._confirms else ClaimKind.STARTS,
            subject=self.subject,
            predicate=self.read.predicate if self.dated else self.meaning.name or self.read.predicate,
            object=self.value if isinstance(self.value, ThingName) else None,
            value=self.value if isinstance(self.value, str) else None,
            statement=self._sentence(self._says[0].format(self.phrase)),
            quote_start=quote[0],
            quote_end=quote[1],
            confidence=min(confidence, _REPORTED) if hearsay else confidence,
            importance=own.importance if of_person else 0.5,
            category=own.category if of_person else "",
            beside=self.read.beside and self.read.effect in ("holds", "starts"),
        )

    @property
    def _confirms(self) -> bool:
        """Whether it says that a successive value is so, and of no other one that it ends."""
        if self.meaning.values != "successive" or self.read.effect != "holds" or self.read.beside:
            return False
        return not self.meaning.begins or is_as_before(self.turn, self.read)

    def claimed(self) -> ProposedClaim | None:
        """The claim; None of what is neither so nor decided."""
        if self.read.status == "wished" and self.read.predicate != "goal":
            return None
        if not self.turn.talk and self.read.effect != "holds" and not (self.when.valid_from or self.when.valid_to):
            return None
        if self.read.effect in ("ends", "denies"):
            return self._ended()
        if self.dated or self.read.predicate == "appointment":
            return self._appointed()
        if self.read.status == "planned" and not self._has_planned_start:
            return self._planned()
        return None if self.read.predicate == "plan" else self._while_it_lasts(self._begun())

    def _while_it_lasts(self, claim: ProposedClaim) -> ProposedClaim:
        """The claim that it is so for as long as such a thing is: a cold for two weeks, an age for a year."""
        said_at = self.turn.dates.said_at
        lasts = self.meaning.lasting(self.words, self.subject.type)
        if lasts is None or claim.valid_to is not None or claim.valid_from == BEGIN:
            return claim
        until = (claim.valid_from or said_at) + lasts
        over = self._sentence(self._says[1].format(self.phrase))
        return replace(claim, valid_to=until, statement=over if until <= said_at else claim.statement)

    @property
    def _has_planned_start(self) -> bool:
        """Whether what is planned is so from a day on that is said; a goal is one at once."""
        starts = self.meaning.time == "start" and not self.meaning.once and self.read.predicate != "plan"
        begins = starts and self.when.valid_from is not None
        return begins or self.read.predicate == "goal"

    def taken_back(self) -> ProposedClaim | None:
        """The claim that it was said wrongly; None where there is no value."""
        return None if self.value is None else replace(self.claim_that_it_is_so, kind=ClaimKind.REJECTS)

    def _begun(self) -> ProposedClaim:
        if self._corrects_undated:
            return replace(self.claim_that_it_is_so, valid_from=self.since or BEGIN)
        if self._is_day and self.when.days is not None and self._is_ahead:
            return replace(self.claim_that_it_is_so, valid_to=self.when.days[1])
        if self.meaning.time != "start":
            return self.claim_that_it_is_so
        if self.meaning.once:
            return self._happened()
        since, until = self.when.valid_from, self.when.valid_to
        if self.when.unread and self.read.effect == "starts":
            since = BEGIN
        over = until is not None and until <= self.turn.dates.said_at
        statement = self._sentence(self._says[1].format(self.phrase)) if over else self.claim_that_it_is_so.statement
        return replace(
            self.claim_that_it_is_so,
            statement=statement,
            valid_from=since,
            valid_to=until,
            time_unread=self.when.unread,
        )

    @property
    def _corrects_undated(self) -> bool:
        """Whether it corrects something, and nobody says since when it is so: “sorry, Milan”.

        A successive value, where it is not known what it corrects, is no such case: it begins when it is said, to cut
        the wrong one.
        """
        undated = self.when.valid_from is None and self.when.valid_to is None and not self.meaning.once
        known = self.since is not None or self.meaning.values != "successive"
        return self.read.effect == "corrects" and undated and known

    def _happened(self) -> ProposedClaim:
        """What happened once, on its days where these are said."""
        days = self.when.days
        if days is None or self.when.lasted or days[0] > self.turn.dates.said_at:
            return replace(self.claim_that_it_is_so, time_unread=self.when.unread)
        statement = self._sentence(f"{self._says[0].format(self.phrase)}, {self.when.written}")
        return replace(self.claim_that_it_is_so, valid_from=days[0], event=days, statement=statement)

    def _ended(self) -> ProposedClaim | None:
        """An end at its time; of an end to come that has no day it is not known whether it comes."""
        if self._was_so_then:
            return self._begun()
        at = None if self.when.lasted else self.when.valid_to or self.when.valid_from
        if self.read.status == "planned" and (at is None or (self._gives_notice and at <= self.turn.dates.said_at)):
            return None
        no_more = self.meaning.unnamed if self.unnamed else self._says[2].format(self.phrase)
        plan = self.read.predicate == "plan"
        return replace(
            self._planned() if plan else self.claim_that_it_is_so,
            kind=ClaimKind.ENDS,
            statement=self._sentence(no_more),
            valid_from=at,
            valid_to=None,
            time_unread="" if at else self.when.unread,
            beside=False,
        )

    @property
    def _gives_notice(self) -> bool:
        """Whether its time may be when somebody said that it would end: “I handed in my notice this morning”."""
        return _NOTICE.search(self._clause) is not None

    @property
    def _was_so_then(self) -> bool:
        """Whether it says from when to when something was so: “I worked at Otto from 2019 to 2021”."""
        if self.read.effect != "ends" or self.read.status == "planned" or self.value is None:
            return False
        if self.meaning.time != "start" or self.meaning.once or not (self.when.valid_from and self.when.valid_to):
            return False
        return _LEFT.search(self._clause) is None

    def _planned(self) -> ProposedClaim:
        """What is planned without a day from which it is so."""
        does = "" if self.meaning.phrase else self.meaning.does
        what = does.format(self.phrase) if does else self.phrase
        said_at = self.turn.dates.said_at
        plans = "plans to" if self.subject.type == PERSON else "is to"
        rest = f"{plans} {what}" if does else f"plans: {what}"
        return replace(
            self.claim_that_it_is_so,
            kind=ClaimKind.STARTS,
            predicate=STATED[ClaimStatus.PLANNED],
            open=True,
            object=None,
            value=what,
            statement=self._sentence(f"{rest}, {self.when.written}" if self._is_ahead else rest),
            valid_to=self.when.days[1] + OVERDUE if self.when.days and self._is_ahead else said_at + GIVEN_UP,
            category="",
            confidence=min(self.claim_that_it_is_so.confidence, _PLANNED),
            importance=_PLAN_MATTERS,
            beside=False,
        )

    def _appointed(self) -> ProposedClaim:
        """An appointment at its time, which may become another one; it is over once its days are."""
        if self.when.days is None:
            return self.claim_that_it_is_so
        written = self.when.written
        of_what = self._sentence(f"has the {self.read.predicate} {self.phrase}: {written}")
        return replace(
            self.claim_that_it_is_so,
            kind=ClaimKind.STARTS,
            statement=self.claim_that_it_is_so.statement if self._is_day and not self.dated else of_what,
            attributes=((_WHEN, written),),
            valid_to=self.when.days[1] if self._is_ahead else None,
        )

    def spans(self) -> Iterator[Span]:
        """The things it names where they are written."""
        if self.dated:
            return
        if self.read.subject.whose is Whose.NAMED and not self.read.subject.meant:
            yield self.turn.span(self.subject, self.read.subject.words)
        if isinstance(self.value, ThingName) and not self._may_be_nobodys:
            yield self.turn.span(self.value, self.place)

    @property
    def _may_be_nobodys(self) -> bool:
        """Whether its value is somebody who died, and was perhaps never a pet."""
        return (
            self.read.predicate == "pet" and self.read.effect == "ends" and self.value not in self.turn.speakers.known
        )

    def _sentence(self, rest: str) -> str:
        """What is said of the subject, in one sentence."""
        sentence = f"{self.subject.name} {agreeing(self.subject, rest)}"
        return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."
