"""Claims from what the reader reads in one turn, checked as those of a language model are."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cached_property

from graphmem.extract.offline.claims.meanings import MEANINGS, THING, Meaning
from graphmem.extract.offline.claims.subjects import ANIMAL, CONCEPT, PERSON, Speakers, capitalised, plain
from graphmem.extract.offline.claims.times import UNSAID, When, when
from graphmem.extract.offline.dates.spoken import SpokenDates
from graphmem.extract.offline.names import is_name
from graphmem.extract.offline.tables.lexicon import PETS
from graphmem.extract.offline.tables.roles import PERSONS, ROLES
from graphmem.extract.overlaps import Span
from graphmem.extract.pieces import sentences
from graphmem.extract.reader.claims import OF_SPEAKER, TurnClaim, Whose
from graphmem.extract.reader.layout import Span as Place
from graphmem.model.claim import STATED, ClaimKind, ClaimStatus
from graphmem.model.fragment import ProposedClaim, ThingName
from graphmem.model.interval import BEGIN

_CONFIDENCE = {True: 0.85, False: 0.7}
"""Of what somebody says of themselves, and of others."""
_REPORTED = 0.5
"""The most confidence in what somebody says that somebody else says."""
_PLANNED, _PLAN_MATTERS = 0.6, 0.4
"""The most confidence and importance of plans that have no day."""
_NAMED = 0.95
"""Confidence in a span that a claim names."""
_FOREIGN = 0.5
"""From which probability on the words of a value are not the speaker's own."""
_OVERDUE = timedelta(days=30)
"""So long after its day, a plan is either done or given up."""
_WHEN = "when"
"""The attribute of an appointment that says when it is."""
_APPOINTED = frozenset({"appointment", "deadline"})
_ARTICLES = ("a", "an", "the")
_OTHERS = {"my": "their", "our": "their", "me": "them", "us": "them", "mine": "theirs", "ours": "theirs"}
_OVER = re.compile(r"\b(?:had|was|were|went|saw)\b", re.IGNORECASE)
"""Words that say that an appointment was kept."""
_OWN = re.compile(rf"\b(?:{'|'.join(_OTHERS)})\b", re.IGNORECASE)
_SPELT = frozenset({PERSON, ANIMAL, "place"})
"""Types of things whose names begin with capitals, whoever writes them small."""
_HAPPENING = frozenset({"event", "traveled_to"})
"""Predicates of what happens once, and may happen again."""
_DOINGS = frozenset({"habit", "goal", "instruction"})
"""Predicates whose phrase of time belongs to what is done."""
_TIMELESS = _DOINGS | {"birthday", "deadline", "likes", "dislikes"}
"""Predicates whose phrase of time is no start of what they say."""


@dataclass(frozen=True, slots=True)
class GroundedClaim:
    """A claim, with the spans of the things it names that are written in the text."""

    claim: ProposedClaim
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadTurn:
    """A turn that was read. Its ``text`` begins at ``start`` of a content whose ``dates`` are known.

    ``own``: what is said in it in the first person is claimed.
    """

    text: str
    start: int
    dates: SpokenDates
    speakers: Speakers
    own: bool

    def words(self, place: Place) -> str:
        """The words there, in one line."""
        return " ".join(self.text[slice(*place)].split())

    def when(self, place: Place | None, *, ahead: bool) -> When:
        """What the phrase of time there says."""
        return UNSAID if place is None else when(self.dates, self._placed(place), self.quote(place), ahead=ahead)

    def quote(self, *places: Place) -> Place:
        """The sentences around some places, in the content."""
        first, last = min(place[0] for place in places), max(place[1] for place in places)
        around = [each for each in sentences(self.text) if each.start < last and each.end > first]
        said = self.text[around[0].start : around[-1].end]
        start = around[0].start + len(said) - len(said.lstrip())
        return self._placed((start, around[0].start + len(said.rstrip())))

    def span(self, thing: ThingName, place: Place) -> Span:
        """A thing that is named there."""
        return Span(thing, *self._placed(place), _NAMED)

    def _placed(self, place: Place) -> Place:
        return self.start + place[0], self.start + place[1]


def proposals(turn: ReadTurn, claims: Sequence[TurnClaim]) -> Iterator[GroundedClaim]:
    """What stands of the claims that were read."""
    corrected = {(claim.predicate, claim.subject) for claim in claims if claim.effect == "corrects"}
    for claim in claims:
        if _stands(turn, claim):
            taken_back = claim.effect == "denies" and (claim.predicate, claim.subject) in corrected
            proposal = _dated(turn, claim) or _proposed(turn, claim, taken_back=taken_back)
            if proposal is not None:
                yield proposal


def _stands(turn: ReadTurn, claim: TurnClaim) -> bool:
    """Whether it is known of whom it is, and in whose words."""
    own = turn.own and claim.foreign <= _FOREIGN
    return claim.subject.whose is not Whose.USER and (own or claim.subject != OF_SPEAKER)


def _proposed(turn: ReadTurn, claim: TurnClaim, *, taken_back: bool) -> GroundedClaim | None:
    meaning = MEANINGS[claim.predicate]
    subject = turn.speakers.thing(claim.subject, turn.text, CONCEPT if meaning.subject == THING else PERSON)
    if subject is None:
        return None
    frame = ClaimFrame(turn, claim, meaning, subject)
    if frame.value == subject or (frame.value is None and claim.effect != "ends"):
        return None
    made = frame.taken_back() if taken_back else frame.claimed()
    return None if made is None else GroundedClaim(made, tuple(frame.spans()))


@dataclass(frozen=True)
class ClaimFrame:
    """A claim that was read, and of whom it is."""

    turn: ReadTurn
    read: TurnClaim
    meaning: Meaning
    subject: ThingName

    @cached_property
    def value(self) -> ThingName | str | None:
        """The thing or the text that is claimed; None where nothing names it."""
        if self.meaning.names_nothing(self.words) and self.read.effect == "ends":
            return None
        name = plain(self.words)
        if self.meaning.literal:
            return of_others(name) or None
        kind = self.meaning.range
        key = name.casefold()
        role = kind == PERSON and {key, key.removesuffix("s")} & (ROLES.keys() | PERSONS)
        if role or (kind == ANIMAL and key in PETS):
            return self.turn.speakers.named(f"my {name}", kind) if self.read.subject == OF_SPEAKER else None
        if kind == PERSON:
            return self.turn.speakers.named(name, PERSON)
        spelt = capitalised(name) if kind in _SPELT else name
        return ThingName(spelt, kind) if is_name(spelt) else None

    @cached_property
    def words(self) -> str:
        """The words of the value."""
        return self.turn.words(self.read.value)

    @cached_property
    def said(self) -> When:
        """When it is so, as far as that is said."""
        ahead = self.read.status == "planned"
        if self.read.predicate == "appointment" and self.read.time is not None:
            ahead = ahead or not _OVER.search(self.turn.text)
        return self.turn.when(self.read.time, ahead=ahead)

    @cached_property
    def phrase(self) -> str:
        """The value as a sentence says it, with its article."""
        name = self.value.name if isinstance(self.value, ThingName) else self.value or self.words
        if self.read.predicate == "age" and name.isdigit():
            return f"{name} years"
        if self.read.predicate in _DOINGS:
            return of_others(f"{name} {self.turn.words(self.read.time)}" if self.read.time else name)
        before = self.turn.text[: self.read.value[0]].split()[-1:]
        article = before[0].casefold() if before else ""
        return f"{article} {name}" if article in _ARTICLES and name[:1].islower() else name

    @cached_property
    def _base(self) -> ProposedClaim:
        """That it is so, whenever that is."""
        of_speaker, of_person = self.read.subject == OF_SPEAKER, self.subject.type == PERSON
        places = [self.read.value, self.read.time, None if of_speaker else self.read.subject.words]
        quote = self.turn.quote(*filter(None, places))
        confidence = _CONFIDENCE[of_speaker]
        confirms = self.meaning.successive and self.read.effect == "holds"
        return ProposedClaim(
            kind=ClaimKind.HOLDS if confirms else ClaimKind.STARTS,
            subject=self.subject,
            predicate=self.meaning.name or self.read.predicate,
            object=self.value if isinstance(self.value, ThingName) else None,
            value=self.value if isinstance(self.value, str) else None,
            statement=self._sentence(self.meaning.says[0].format(self.phrase)),
            quote_start=quote[0],
            quote_end=quote[1],
            confidence=min(confidence, _REPORTED) if self.read.status == "reported" else confidence,
            importance=self.meaning.importance if of_person else 0.5,
            category=self.meaning.category if of_person else "",
            beside=self.read.beside and self.read.effect == "starts",
        )

    def claimed(self) -> ProposedClaim | None:
        """The claim; None of what is neither so nor decided."""
        if self.read.effect in ("ends", "denies"):
            return self._ended()
        if self.read.predicate == "appointment":
            return appointed(self._base, self.subject, self.phrase, self.said)
        if self.read.status == "planned" or self.read.predicate == "plan":
            return self._planned()
        return self._begun()

    def taken_back(self) -> ProposedClaim:
        """That it was said wrongly."""
        return replace(self._base, kind=ClaimKind.REJECTS)

    def _begun(self) -> ProposedClaim:
        if self.read.predicate in _TIMELESS:
            return self._base
        if self.read.predicate in _HAPPENING:
            return self._happened()
        since = self.said.valid_from
        if self.said.unread and self.read.effect == "starts":
            since = BEGIN
        return replace(self._base, valid_from=since, valid_to=self.said.valid_to, time_unread=self.said.unread)

    def _happened(self) -> ProposedClaim:
        """What happened once, on its days where these are said."""
        days = self.said.days
        if days is None or self.said.valid_from is None or days[0] > self.turn.dates.said_at:
            return replace(self._base, time_unread=self.said.unread)
        told = self._sentence(f"{self.meaning.says[0].format(self.phrase)}, {self.said.written}")
        return replace(self._base, valid_from=days[0], event=days, statement=told)

    def _ended(self) -> ProposedClaim:
        return replace(
            self._base,
            kind=ClaimKind.ENDS,
            statement=self._sentence(self.meaning.says[2].format(self.phrase)),
            valid_from=self.said.valid_to or self.said.valid_from,
            time_unread=self.said.unread,
        )

    def _planned(self) -> ProposedClaim | None:
        """A start on its day, where that is said; else it is a plan and no more."""
        if self.read.predicate == "goal" or (self.read.predicate != "plan" and self.said.valid_from is not None):
            return self._begun()
        if self.read.status != "planned":
            return None
        what = self.phrase if self.read.predicate == "plan" else self.meaning.says[0].format(self.phrase)
        due = self.said.days if self.said.days and self.said.days[1] > self.turn.dates.said_at else None
        return replace(
            self._base,
            predicate=STATED[ClaimStatus.PLANNED],
            open=True,
            object=None,
            value=what,
            statement=self._sentence(f"plans: {what}, {self.said.written}" if due else f"plans: {what}"),
            valid_to=due[1] + _OVERDUE if due else None,
            category="",
            confidence=min(self._base.confidence, _PLANNED),
            importance=_PLAN_MATTERS,
        )

    def spans(self) -> Iterator[Span]:
        """The things it names where they are written."""
        if self.read.subject.whose is Whose.NAMED and not self.read.subject.meant:
            yield self.turn.span(self.subject, self.read.subject.words)
        if isinstance(self.value, ThingName):
            yield self.turn.span(self.value, self.read.value)

    def _sentence(self, rest: str) -> str:
        return sentence(self.subject, rest)


def _dated(turn: ReadTurn, claim: TurnClaim) -> GroundedClaim | None:
    """“The dentist is moved to Friday”, “my thesis is due on the 14th”: the speaker has it then, and no other day."""
    speaker, predicate = turn.speakers.speaker, claim.predicate
    if speaker is None or claim.subject.whose is not Whose.NAMED or predicate not in _APPOINTED:
        return None
    if predicate == "appointment" and claim.effect not in ("starts", "corrects"):
        return None
    if predicate == "deadline" and claim.effect in ("ends", "denies"):
        return None
    said = turn.when(claim.value, ahead=True)
    first, _, rest = (claim.subject.meant or turn.words(claim.subject.words)).partition(" ")
    own = first.casefold() in (*_ARTICLES, "my", "our") or first.islower()
    if not said.days or not own:
        return None
    what = rest if rest and first.casefold() in (*_ARTICLES, "my", "our") else f"{first} {rest}".strip()
    quote = turn.quote(claim.value, claim.subject.words)
    made = ProposedClaim(
        kind=ClaimKind.STARTS,
        subject=speaker,
        predicate=predicate,
        value=what,
        statement="",
        quote_start=quote[0],
        quote_end=quote[1],
        confidence=_CONFIDENCE[True],
        importance=MEANINGS["appointment"].importance,
        category=MEANINGS["appointment"].category,
    )
    if predicate == "appointment":
        return GroundedClaim(appointed(made, speaker, what, said))
    told = sentence(speaker, f"has the deadline of {what}: {said.written}")
    return GroundedClaim(replace(made, statement=told, attributes=((_WHEN, said.written),)))


def appointed(made: ProposedClaim, subject: ThingName, phrase: str, said: When) -> ProposedClaim:
    """An appointment with its time, which may become another one."""
    if not said.days:
        return made
    told = sentence(subject, f"has an appointment: {phrase}, {said.written}")
    return replace(made, statement=told, attributes=((_WHEN, said.written),))


def sentence(subject: ThingName, rest: str) -> str:
    """What is said of somebody, in one sentence."""
    said = f"{subject.name} {rest}"
    return said if said.endswith((".", "!", "?")) else f"{said}."


def of_others(words: str) -> str:
    """What somebody says of their own things, as others say it: “passed my test” is “passed their test”."""
    return _OWN.sub(lambda match: _OTHERS[match[0].casefold()], words)
