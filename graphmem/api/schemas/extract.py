"""What would be read of an episode, and why not more."""

from collections.abc import Iterable

from graphmem.answers.extract import ExtractOut, ReadClaim, ReadClauseOut, ReadEntity, ReadMention, ReadSpan
from graphmem.api.schemas.episodes import EpisodeIn
from graphmem.api.schemas.words import Name
from graphmem.model.claim import status_of
from graphmem.model.fragment import Name as ProposedName
from graphmem.model.fragment import ProposedClaim, ProposedMention, ReadClause, Segment, Trace


class ExtractIn(EpisodeIn):
    """An episode that is read and not stored, by a ``strategy``, else as the settings say."""

    strategy: Name | None = None


def extract_out(trace: Trace, content: str) -> ExtractOut:
    fragment = trace.fragment
    return ExtractOut(
        extractor=fragment.extractor,
        version=fragment.version,
        segments=[_span(segment, content) for segment in trace.segments],
        clauses=[_clause(clause, content) for clause in trace.clauses],
        mentions=list(_mentions(fragment.mentions, content)),
        claims=[_claim(claim, content) for claim in fragment.claims],
    )


def _span(segment: Segment, content: str) -> ReadSpan:
    return ReadSpan(start=segment.start, end=segment.end, text=content[segment.start : segment.end])


def _clause(clause: ReadClause, content: str) -> ReadClauseOut:
    return ReadClauseOut(
        start=clause.start,
        end=clause.end,
        text=content[clause.start : clause.end],
        status=clause.status,
        dropped=clause.dropped or None,
        statement=clause.statement or None,
    )


def _mentions(mentions: Iterable[ProposedMention], content: str) -> Iterable[ReadMention]:
    for one in mentions:
        text = content[one.start : one.end]
        yield ReadMention(start=one.start, end=one.end, text=text, entity=_entity(one.entity))


def _entity(name: ProposedName) -> ReadEntity:
    return ReadEntity(type=name.type, name=name.name)


def _claim(claim: ProposedClaim, content: str) -> ReadClaim:
    return ReadClaim(
        start=claim.quote_start,
        end=claim.quote_end,
        text=content[claim.quote_start : claim.quote_end],
        kind=claim.kind,
        subject=_entity(claim.subject),
        predicate=claim.predicate,
        object=_entity(claim.object) if claim.object else None,
        value=claim.value,
        statement=claim.statement,
        valid_from=claim.valid_from,
        valid_to=claim.valid_to,
        event=None if claim.event is None else list(claim.event),
        confidence=claim.confidence,
        attributes=dict(claim.attributes),
        category=claim.category or None,
        open=claim.open,
        status=status_of(claim.predicate, is_open=claim.open),
    )
