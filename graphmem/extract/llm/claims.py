"""A model's claim as its turn bears it out, and what it asserts."""

from dataclasses import dataclass
from datetime import UTC

from graphmem.extract.llm.attributes import Span, attributes_of
from graphmem.extract.llm.paraphrase import statement_of
from graphmem.extract.llm.schema import ExtractedClaim
from graphmem.extract.llm.times import days_said, event_of, instant
from graphmem.model.claim import ClaimKind, ClaimStatus
from graphmem.model.episode import Episode
from graphmem.model.fragment import ProposedClaim, ThingName
from graphmem.model.ontology import Ontology


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounded:
    """A claim of a model; ``span`` is that of its quote.

    ``target`` is an entity that the turn names, ``value`` stands in it. Both are None of an end of nothing in
    particular, and may be of what is planned, wished, possible or not so.
    """

    claim: ExtractedClaim
    status: ClaimStatus
    episode: Episode
    speaker: ThingName | None
    span: Span
    subject: ThingName
    predicate: str
    target: ThingName | None
    value: str | None

    @property
    def about(self) -> str:
        """The words for what it claims of its subject."""
        return self.target.name if self.target else self.value or ""

    @property
    def text(self) -> str:
        """What a sentence may have names and numbers of: the turn, and the days it speaks of, in full."""
        ahead = self.status in (ClaimStatus.PLANNED, ClaimStatus.WISHED)
        return f"{self.episode.content} {days_said(self.episode, ahead=ahead)}"


def asserted(grounded: Grounded, ontology: Ontology, *, happens: bool) -> ProposedClaim:
    """What is so, has ended or, if its predicate tells of what ``happens``, has happened on days that the turn says."""
    claim, episode, (start, end) = grounded.claim, grounded.episode, grounded.span
    event = event_of(claim.happened, episode) if happens and not claim.ends else None
    since = event[0].astimezone(UTC) if event else instant(claim.valid_from or claim.happened, episode)
    until = None if event or claim.ends else instant(claim.valid_to, episode, end=True)
    return ProposedClaim(
        kind=ClaimKind.ENDS if claim.ends else ClaimKind.STARTS,
        subject=grounded.subject,
        predicate=grounded.predicate,
        object=grounded.target,
        value=grounded.value,
        statement=_statement(grounded),
        quote_start=start,
        quote_end=end,
        valid_from=since,
        valid_to=None if since and until and until <= since else until,
        confidence=claim.confidence,
        attributes=tuple(sorted(attributes_of(claim, grounded.predicate, episode.content, ontology).items())),
        event=event,
    )


def _statement(grounded: Grounded) -> str:
    return statement_of(
        grounded.claim.statement,
        grounded.text,
        grounded.subject.name,
        grounded.predicate,
        grounded.about,
        ends=grounded.claim.ends,
    )
