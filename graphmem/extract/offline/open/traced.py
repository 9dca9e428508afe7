"""What the open reader makes of a text, clause by clause, for whoever extends its tables."""

from collections.abc import Callable, Iterator

from graphmem.extract.offline.open.claims import claim_of
from graphmem.extract.offline.open.reader import Clause, clauses
from graphmem.extract.offline.open.statement import Narrator
from graphmem.extract.offline.open.status import Drop
from graphmem.extract.offline.syntax import Parse
from graphmem.model.fragment import ProposedClaim, ReadClause, Segment, ThingName

NOTHING_TO_CLAIM = "names nothing that it could be about"
READ_OTHERWISE = "the trained reader reads it"

Stands = Callable[[ProposedClaim], bool]
"""Whether a claim is kept."""


def segments(parse: Parse) -> Iterator[Segment]:
    """The sentences as they are parsed. What they leave out of the text was cut before."""
    for stretch in parse.sentences:
        if words := parse.within(stretch):
            yield Segment(start=words[0].start, end=words[-1].end)


def read_clauses(narrator: Narrator, speaker: ThingName, stands: Stands) -> Iterator[ReadClause]:
    """Every clause with its status, or why it makes no claim."""
    for clause in clauses(narrator):
        start, end = min(word.start for word in clause.words), max(word.end for word in clause.words)
        if isinstance(clause.stand, Drop):
            yield ReadClause(start=start, end=end, status=None, dropped=clause.stand, statement="")
            continue
        dropped = _why_dropped(narrator, clause, speaker, stands)
        yield ReadClause(start=start, end=end, status=clause.stand, dropped=dropped, statement=clause.statement)


def _why_dropped(narrator: Narrator, clause: Clause, speaker: ThingName, stands: Stands) -> str:
    open_claim = claim_of(narrator, clause, speaker)
    if open_claim is None:
        return NOTHING_TO_CLAIM
    return "" if stands(open_claim.claim) else READ_OTHERWISE
