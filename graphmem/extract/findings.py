"""What providers see in one text, and how it is put together."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from graphmem.extract.identifiers import UNNAMED
from graphmem.extract.overlaps import Span, overlap, without_overlaps
from graphmem.model.claim import DID, STATED
from graphmem.model.fragment import ProposedClaim, ProposedMention, ThingName
from graphmem.model.projection.predicate import BUILT_IN, MANY, Cardinality

Place = tuple[int, int]
"""Code points ``[start, end)`` of a text."""
_EVENT, _STATE = "event", "status"
"""The predicates of what happened, of claims that name no other, and of the state that a thing is in."""


def without_displaced(
    claims: Sequence[ProposedClaim], values: Mapping[ProposedClaim, Place]
) -> tuple[ProposedClaim, ...]:
    """The claims, one for what the trained reader and an open clause both say.

    ``values`` are the places of the reader's values. A clause around one is the reader's to claim, in the words of the
    open claim where these say more; but of what happened the open claim stands if it has a predicate for it. Of what
    somebody has one of at a time, the reader says which: “I live in Porto. Oops, Nantes” is Nantes alone.
    """
    read = [claim for claim in claims if claim in values]
    opened = [claim for claim in claims if claim.open and claim not in values]
    if not read or not opened:
        return tuple(claims)
    around = {each: [claim for claim in opened if overlap(values[each], _quote(claim))] for each in read}
    happened = {
        each: deeds
        for each, clauses in around.items()
        if (deeds := [claim for claim in clauses if _is_deed(each, claim) and _tells(claim, values[each])])
    }
    deeds = {claim for some in happened.values() for claim in some}
    decided = {(claim.subject, claim.predicate) for claim in read if _has_one(claim.predicate)}
    displaced = {claim for clauses in around.values() for claim in clauses} - deeds
    displaced |= {claim for claim in opened if (claim.subject, claim.predicate) in decided}
    standing = (claim for claim in claims if claim not in happened and claim not in displaced)
    return tuple(_worded(claim, around.get(claim, ())) for claim in standing)


def _has_one(predicate: str) -> bool:
    """Whether usually one value holds at a time."""
    return BUILT_IN.get(predicate, MANY).cardinality is not Cardinality.MANY


def _is_deed(read: ProposedClaim, clause: ProposedClaim) -> bool:
    """Whether a clause may tell better what happened: “I repaired the fence” is what somebody did, no state of it."""
    return read.predicate == _EVENT or (read.predicate == _STATE and clause.subject != read.subject)


def _tells(clause: ProposedClaim, place: Place) -> bool:
    """Whether a clause asserts all that stands there, under a predicate of its own."""
    whole = clause.quote_start <= place[0] and place[1] <= clause.quote_end
    return whole and clause.predicate not in (*STATED.values(), DID)


def _worded(claim: ProposedClaim, same: Iterable[ProposedClaim]) -> ProposedClaim:
    """A claim of the reader in the words of the open one that says the same and more."""
    longer = (each.statement for each in same if _says_more(each, claim))
    return replace(claim, statement=max(longer, key=len, default=claim.statement))


def _says_more(opened: ProposedClaim, read: ProposedClaim) -> bool:
    """Whether the sentence asserts the same of the same one, in the words of the reader's and more.

    “Maya moved to Porto” is no wording of that she lives there; “Since 2019 Maya …” says what the belief's time says.
    """
    if opened.predicate in STATED.values() or not read.kind.asserts or opened.subject != read.subject:
        return False
    read_words, opened_words = (set(claim.statement.casefold().strip(".").split()) for claim in (read, opened))
    return read_words < opened_words and opened.statement.startswith(read.subject.name)


def mentions(spans: Iterable[Span]) -> tuple[ProposedMention, ...]:
    """The spans that stand where they overlap, in their order."""
    return tuple(ProposedMention(entity=span.name, start=span.start, end=span.end) for span in without_overlaps(spans))


@dataclass(frozen=True, slots=True)
class Findings:
    """What a provider sees. Its spans may overlap, with each other and with those of others.

    ``values`` are the places of the values of what the trained reader claims.
    """

    spans: tuple[Span, ...] = ()
    claims: tuple[ProposedClaim, ...] = ()
    values: Mapping[ProposedClaim, Place] = field(default_factory=dict[ProposedClaim, Place])


def together(findings: Sequence[Findings]) -> Findings:
    """What one provider sees in several parts of a text."""
    return Findings(
        tuple(span for finding in findings for span in finding.spans),
        tuple(claim for finding in findings for claim in finding.claims),
        {claim: at for finding in findings for claim, at in finding.values.items()},
    )


def of_claiming(findings: Mapping[str, Findings], claiming: Collection[str]) -> list[Findings]:
    """The findings of providers by name, with the claims of those alone that are to make claims."""
    return [
        finding if name in claiming else replace(finding, claims=(), values={}) for name, finding in findings.items()
    ]


def naming(findings: Findings) -> Findings:
    """The findings without spans that name nothing, which would stand in the way of names: dates, sums."""
    return replace(findings, spans=tuple(span for span in findings.spans if span.name.type not in UNNAMED))


def settled(findings: Iterable[Findings]) -> tuple[tuple[ProposedMention, ...], tuple[ProposedClaim, ...]]:
    """The mentions and claims that stand of what several providers see."""
    all_findings = list(findings)
    values = {claim: at for finding in all_findings for claim, at in finding.values.items()}
    standing = without_displaced(claims(all_findings), values)
    return mentions(span for finding in all_findings for span in _named(finding, standing)), standing


def _named(findings: Findings, standing: Iterable[ProposedClaim]) -> Iterator[Span]:
    """The spans of a provider, less those that only claims of its name that do not stand."""
    gone = _ends(claim for claim in findings.claims if claim.open) - _ends(standing)
    return (span for span in findings.spans if span.name not in gone)


def _ends(claims: Iterable[ProposedClaim]) -> set[ThingName]:
    return {name for claim in claims for name in (claim.subject, claim.object) if name is not None}


def claims(findings: Iterable[Findings]) -> tuple[ProposedClaim, ...]:
    """Every claim once, in the order of the text; of two that overlap, the one that quotes more."""
    standing: dict[tuple[object, ...], list[ProposedClaim]] = {}
    proposed = dict.fromkeys(claim for finding in findings for claim in finding.claims)
    for claim in sorted(proposed, key=lambda claim: claim.quote_start - claim.quote_end):
        same = standing.setdefault(_said_by(claim), [])
        if not any(overlap(_quote(claim), _quote(each)) for each in same):
            same.append(claim)
    kept = {claim for same in standing.values() for claim in same}
    return tuple(sorted((claim for claim in proposed if claim in kept), key=lambda claim: claim.quote_start))


def _said_by(claim: ProposedClaim) -> tuple[object, ...]:
    return claim.kind, claim.subject, claim.predicate, claim.object, claim.value, claim.open


def _quote(claim: ProposedClaim) -> Place:
    return claim.quote_start, claim.quote_end
