"""Claims from what the reader reads in one turn, checked as those of a language model are."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from graphmem.extract.offline.claims.added import added
from graphmem.extract.offline.claims.doses import doses, doses_of_before
from graphmem.extract.offline.claims.frame import ClaimFrame, frame_of
from graphmem.extract.offline.claims.mending import mended
from graphmem.extract.offline.claims.read_turn import ReadTurn
from graphmem.extract.offline.claims.subjects import ANIMAL, PERSON
from graphmem.extract.offline.tables.meanings import MEANINGS
from graphmem.extract.overlaps import Span
from graphmem.extract.reader.claims import OF_SPEAKER, TurnClaim, Whose
from graphmem.extract.reader.layout import Span as Place
from graphmem.model.claim import ClaimKind
from graphmem.model.fragment import ProposedClaim


@dataclass(frozen=True, slots=True)
class GroundedClaim:
    """A claim, where its ``value`` stands in the content, and the spans of the things it names there."""

    claim: ProposedClaim
    value: Place
    spans: tuple[Span, ...] = ()


def proposals(
    turn: ReadTurn, claims: Sequence[TurnClaim], said_before: Callable[[], Sequence[ClaimFrame]]
) -> Iterator[GroundedClaim]:
    """What stands of the claims that were read; and that what was ``said_before`` is not so, where it is taken back."""
    if turn.takes_back_the_last:
        whole = (0, len(turn.text))
        yield from (_withdrawal(said, turn, whole) for said in said_before() if said.asserts)
    read = frames(turn, claims)
    read += doses_of_before(turn, claims, read, said_before)
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


def frames(turn: ReadTurn, claims: Sequence[TurnClaim]) -> list[ClaimFrame]:
    """The claims that were read and that say something, with whom or what they are of."""
    read = mended(turn, claims)
    kinds = _kinds(turn, read)
    read_frames = [frame for claim in (*read, *added(turn, read)) if (frame := frame_of(turn, claim, kinds))]
    return [*read_frames, *doses(turn, claims, read_frames)]


def _mistake(frame: ClaimFrame, said_before: Callable[[], Sequence[ClaimFrame]]) -> ClaimFrame | None:
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


def _withdrawal(said: ClaimFrame, turn: ReadTurn, place: Place) -> GroundedClaim:
    """The claim that what was said is not so, quoted from the words of a turn that say it."""
    start, end = turn.quote(place)
    claim = replace(said.claim_that_it_is_so, kind=ClaimKind.REJECTS, quote_start=start, quote_end=end, beside=False)
    return GroundedClaim(claim, turn.placed(place))


def _kinds(turn: ReadTurn, claims: Sequence[TurnClaim]) -> Mapping[str, str]:
    """The types of words of the turn: who has what only persons have, who is somebody to somebody, and pets."""
    persons: set[str] = set()
    animals: set[str] = set()
    for claim in claims:
        meaning = MEANINGS[claim.predicate]
        if meaning.subject == PERSON and claim.subject.whose is Whose.NAMED:
            persons.add(turn.words(claim.subject.words).casefold())
        if meaning.range == PERSON:
            persons.add(turn.words(claim.value).casefold())
        if meaning.range == ANIMAL:
            animals.add(turn.words(claim.value).casefold())
    return dict.fromkeys(persons, PERSON) | dict.fromkeys(animals, ANIMAL)
