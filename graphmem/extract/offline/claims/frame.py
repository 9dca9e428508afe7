"""A claim that was read, with whom or what it is of, and what it says."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from graphmem.extract.identifiers import EMAIL
from graphmem.extract.offline.claims.effects import is_as_before
from graphmem.extract.offline.claims.not_so import TITLE
from graphmem.extract.offline.claims.read_turn import ReadTurn
from graphmem.extract.offline.claims.subjects import (
    ANIMAL,
    CONCEPT,
    FIRM,
    PERSON,
    capitalised,
    in_small_letters,
    is_pet,
    is_pronoun,
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
from graphmem.extract.reader.labels import Predicate
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
_MOVED = (
    "moved|pushed|shifted|postponed|rescheduled|delayed|brought|put|changed|booked|supposed|meant|due(?! to)|planned"
)
_COSTS = re.compile(r"\bcosts?\b", re.IGNORECASE)
_KEPT = re.compile(rf"\b(?:had|was(?! (?:{_MOVED}))|were(?! (?:{_MOVED}|\w+ing))|went|saw)\b", re.IGNORECASE)
"""Words that say that an appointment was kept."""
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|goes?|going|went|saw|moved|booked|need)\b|['’](?:s|re|ll|ve|m)\b",
    re.IGNORECASE,
)
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
_NOTICE = re.compile(r"\b(?:notice|resign(?:ed|ation))\b", re.IGNORECASE)
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
_MARK_OF_NAME = re.compile(r"!(?=\.| [a-z])")
"""“I work at Yahoo!.”, “at Yahoo! now”."""
_THEIRS = re.compile(r"(?:his|her|its|their|your)\b")
_OWN_THING = re.compile(r"(?:the|my|our|a|an)\s+", re.IGNORECASE)
_SPELT = frozenset({PERSON, ANIMAL, "place"})
"""Types of things whose names begin with capitals, whoever writes them small."""


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
        if self.read.predicate == "deadline" and self.read.subject != OF_SPEAKER and self.subject.type == PERSON:
            return False
        return self.value is not None or (self.unnamed and self.read.effect == "ends")

    @property
    def counts_a_person(self) -> bool:
        """Whether it says how many one person is, or what that person costs."""
        titled = TITLE.match(self.subject.name) is not None and _COSTS.search(self._clause) is None
        person = self.subject.type == PERSON or titled
        return self.read.predicate in _OF_THINGS and person and not are_many(self.subject)

    @cached_property
    def value(self) -> ThingName | str | None:
        """The thing or the text that is claimed; None where nothing names it."""
        if self.dated:
            return _OWN_THING.sub("", self.read.subject.meant or self.turn.words(self.read.subject.words), count=1)
        counts = self.meaning.form == "number" or self.read.predicate == "age"
        if self.unnamed or (is_pronoun(self.words) and not counts) or not self.meaning.fits(self.words):
            return None
        kind = self.meaning.range
        if self.meaning.literal or (self.read.predicate == "located_at" and self.words == self.words.lower()):
            text = self._in_third_person(unmarked(self.words))
            return (in_small_letters(text) if self.read.predicate == "medication" else text) or None
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
        """Whether the clause says that an appointment was kept, or all before it, where the clause has no verb."""
        clause = self._clause
        if _VERB.search(clause) is None:
            start, _ = self.turn.around(self.read.value)
            clause = self.turn.text[start : self.read.value[1]]
        return _KEPT.search(clause) is not None

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
        lasts = self.meaning.lasting(self.words, self.subject)
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
        unnamed = self.meaning.unnamed if self.value is None else ""
        no_more = unnamed or self._says[2].format(self.phrase)
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


def frame_of(turn: ReadTurn, claim: TurnClaim, kinds: Mapping[str, str]) -> ClaimFrame | None:
    """The claim with whom or what it is of; None where nobody can tell, or where it says nothing of them.

    In words of others nothing is the speaker's. ``kinds`` are the types of words of the turn.
    """
    if claim.subject.whose is Whose.USER:
        return None
    if claim.predicate == "instruction":
        if turn.speakers.speaker is None:
            return None
    elif claim.subject == OF_SPEAKER and turn.is_told_you(claim.value):
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
