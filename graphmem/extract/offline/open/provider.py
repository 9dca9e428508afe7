"""The open reader as a provider: of what a person says, the claims that each clause makes."""

from collections.abc import Callable, Iterator

from graphmem.extract.findings import Findings
from graphmem.extract.offline.dates.episode import dates_of_episode
from graphmem.extract.offline.open.claims import Open, claim_of, claims_of, possession
from graphmem.extract.offline.open.possessions import possessions
from graphmem.extract.offline.open.reader import Clause, clauses
from graphmem.extract.offline.open.statement import Narrator
from graphmem.extract.offline.open.status import Drop
from graphmem.extract.offline.parses import Source
from graphmem.extract.offline.syntax import Parse, Parser
from graphmem.extract.offline.tables.folds import folds_of
from graphmem.extract.overlaps import Span
from graphmem.extract.speakers import IMPERSONAL, speaker_of
from graphmem.model.episode import Episode
from graphmem.model.fragment import Context, Fragment, ProposedClaim, ReadClause, Segment, ThingName, Trace
from graphmem.model.ontology import DEFAULT_ONTOLOGY, Ontology

_CLAIMED = 0.9
"""Confidence in a span that an open claim names: below that of a curated one, which knows the type."""

NOTHING_TO_CLAIM = "names nothing that it could be about"
READ_OTHERWISE = "the trained reader reads it"
Stands = Callable[[ProposedClaim], bool]
"""Whether a claim is kept."""


class OpenProvider:
    """Open claims of what a person says; documents and what assistants say make none."""

    name = "open"

    def __init__(self, parser: Parser, ontology: Ontology = DEFAULT_ONTOLOGY) -> None:
        """``ontology`` is that of groups which have none of their own."""
        self._parser = parser
        self._ontology = ontology

    def warm(self) -> None:
        """Load the spaCy model now (seconds, in the calling thread)."""
        self._parser.warm()

    def read_parsed(self, parse: Parse, episode: Episode, text: str, context: Context) -> Findings:  # noqa: ARG002 - the parse has the text
        """The claims in a parse."""
        speaker = _who_tells(episode)
        if speaker is None:
            return Findings()
        narrator = self._narrator(parse, speaker, episode, context)
        read = list(_claims(narrator, speaker))
        return Findings(
            tuple(span for open_claim in read for span in _spans(open_claim)),
            tuple(open_claim.claim for open_claim in read),
        )

    def trace(self, parse: Parse, part: Source, fragment: Fragment, stands: Stands) -> Trace:
        """What of a text is read, and why not more. ``fragment`` is what is found in the whole."""
        episode, context = part
        speaker = _who_tells(episode)
        if speaker is None:
            return Trace(fragment=fragment, segments=tuple(_segments(parse)))
        narrator = self._narrator(parse, speaker, episode, context)
        clauses = tuple(_read_clauses(narrator, speaker, stands))
        return Trace(fragment=fragment, segments=tuple(_segments(parse)), clauses=clauses)

    def _narrator(self, parse: Parse, speaker: ThingName, episode: Episode, context: Context) -> Narrator:
        folds = folds_of(context.ontology or self._ontology)
        return Narrator(parse, speaker.name, episode.local_time, folds, dates_of_episode(episode, context))


def _who_tells(episode: Episode) -> ThingName | None:
    """The speaker of what a person says; nobody tells a document, and what an assistant says is no claim."""
    if not episode.role.is_human or episode.content_type in IMPERSONAL:
        return None
    return speaker_of(episode)


def _claims(narrator: Narrator, speaker: ThingName) -> Iterator[Open]:
    for clause in clauses(narrator):
        yield from claims_of(narrator, clause, speaker)
    for noun in possessions(narrator):
        if open_claim := possession(narrator, noun, speaker):
            yield open_claim


def _spans(open_claim: Open) -> list[Span]:
    return [Span(each.name, each.start, each.end, _CLAIMED) for each in open_claim.mentioned]


def _segments(parse: Parse) -> Iterator[Segment]:
    """The sentences as they are parsed. What they leave out of the text was cut before."""
    for stretch in parse.sentences:
        if words := parse.within(stretch):
            yield Segment(start=words[0].start, end=words[-1].end)


def _read_clauses(narrator: Narrator, speaker: ThingName, stands: Stands) -> Iterator[ReadClause]:
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
