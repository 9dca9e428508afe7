"""What providers see in one text, and how it is put together."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from graphmem.extract.identifiers import UNNAMED
from graphmem.extract.overlaps import Span, without_overlaps
from graphmem.model.claim import STATED
from graphmem.model.fragment import ProposedClaim, ProposedMention, ThingName
from graphmem.model.ontology import Ontology

Verbs = Mapping[ProposedClaim, frozenset[int]]
"""Where the verbs begin that a claim is read from."""


def with_categories(claims: Iterable[ProposedClaim], ontology: Ontology) -> tuple[ProposedClaim, ...]:
    """The claims; those without a category with that of their relation type."""
    return tuple(replace(one, category=one.category or ontology.category_of(one.predicate)) for one in claims)


def beside(claims: Sequence[ProposedClaim], verbs: Verbs) -> tuple[ProposedClaim, ...]:
    """The claims less the open ones of a clause that a curated one reads, which may get the open wording."""
    curated = [claim for claim in claims if not claim.open]
    opened = [claim for claim in claims if claim.open]
    if not curated or not opened:
        return tuple(claims)
    wordings = _wordings(curated, opened, verbs)
    read = {claim for found in wordings.values() for claim in found}
    return tuple(_worded(claim, wordings.get(claim, ())) for claim in claims if claim not in read)


def _wordings(
    curated: Iterable[ProposedClaim], opened: Iterable[ProposedClaim], verbs: Verbs
) -> dict[ProposedClaim, list[ProposedClaim]]:
    """For each curated claim the open ones that one verb is at the core of, too."""
    at = defaultdict[int, list[ProposedClaim]](list)
    for claim in opened:
        for start in verbs.get(claim, ()):
            at[start].append(claim)
    starts = sorted(at)
    return {claim: [each for start in _core(claim, starts, verbs) for each in at.get(start, ())] for claim in curated}


def _core(curated: ProposedClaim, starts: Sequence[int], verbs: Verbs) -> Iterable[int]:
    """Where the verbs begin that a curated claim is read from; what is read without a parse quotes its clause only."""
    if curated in verbs:
        return verbs[curated]
    return starts[bisect_left(starts, curated.quote_start) : bisect_left(starts, curated.quote_end)]


def _worded(claim: ProposedClaim, same: Iterable[ProposedClaim]) -> ProposedClaim:
    """A curated claim in the words of the open one that says the same and more."""
    longer = (each.statement for each in same if _says_more(each, claim))
    return replace(claim, statement=max(longer, key=len, default=claim.statement))


def _says_more(opened: ProposedClaim, curated: ProposedClaim) -> bool:
    """Whether the sentence asserts the same of the same one, in the words of the curated one and more.

    “Maya moved to Porto” is no wording of that she lives there; “Since 2019 Maya …” says what the belief's time says.
    """
    if opened.predicate in STATED.values() or not curated.kind.asserts or opened.subject != curated.subject:
        return False
    said, more = (set(one.statement.casefold().strip(".").split()) for one in (curated, opened))
    return said < more and opened.statement.startswith(curated.subject.name)


def mentions(spans: Iterable[Span]) -> tuple[ProposedMention, ...]:
    """The spans that stand where they overlap, in their order."""
    return tuple(ProposedMention(entity=span.name, start=span.start, end=span.end) for span in without_overlaps(spans))


@dataclass(frozen=True, slots=True)
class Findings:
    """What a provider sees. Its spans may overlap, with each other and with those of others.

    ``verbs`` tells where the verbs begin that a claim is read from, of those read from a parse.
    """

    spans: tuple[Span, ...] = ()
    claims: tuple[ProposedClaim, ...] = ()
    verbs: Mapping[ProposedClaim, frozenset[int]] = field(default_factory=dict[ProposedClaim, frozenset[int]])


def together(findings: Sequence[Findings]) -> Findings:
    """What one provider sees in several parts of a text."""
    return Findings(
        tuple(span for found in findings for span in found.spans),
        tuple(claim for found in findings for claim in found.claims),
        {claim: at for found in findings for claim, at in found.verbs.items()},
    )


def of_claiming(found: Mapping[str, Findings], claiming: Collection[str]) -> list[Findings]:
    """The findings of providers by name, with the claims of those alone that are to make claims."""
    return [one if name in claiming else replace(one, claims=(), verbs={}) for name, one in found.items()]


def without_twins(found: Mapping[str, Findings], read: str, opened: str) -> Mapping[str, Findings]:
    """The findings by provider; none of ``opened`` of what is planned, wished or denied where ``read`` has a claim."""
    if read not in found or opened not in found:
        return found
    kept = tuple(
        claim
        for claim in found[opened].claims
        if claim.predicate not in STATED.values() or not any(_overlap(claim, other) for other in found[read].claims)
    )
    return {**found, opened: replace(found[opened], claims=kept)}


def naming(found: Findings) -> Findings:
    """The findings without spans that name nothing, which would stand in the way of names: dates, sums."""
    return replace(found, spans=tuple(span for span in found.spans if span.name.type not in UNNAMED))


def settled(findings: Iterable[Findings]) -> tuple[tuple[ProposedMention, ...], tuple[ProposedClaim, ...]]:
    """The mentions and claims that stand of what several providers see."""
    found = list(findings)
    verbs = {claim: at for one in found for claim, at in one.verbs.items()}
    standing = beside(claims(found), verbs)
    return mentions(span for one in found for span in _named(one, standing)), standing


def _named(found: Findings, standing: Iterable[ProposedClaim]) -> Iterator[Span]:
    """The spans of a provider, less those that only claims of its name that do not stand."""
    gone = _ends(claim for claim in found.claims if claim.open) - _ends(standing)
    return (span for span in found.spans if span.name not in gone)


def _ends(claims: Iterable[ProposedClaim]) -> set[ThingName]:
    return {name for claim in claims for name in (claim.subject, claim.object) if name is not None}


def claims(findings: Iterable[Findings]) -> tuple[ProposedClaim, ...]:
    """Every claim once, in the order of the text; of two that overlap, the one that quotes more."""
    standing: dict[tuple[object, ...], list[ProposedClaim]] = {}
    proposed = dict.fromkeys(claim for found in findings for claim in found.claims)
    for claim in sorted(proposed, key=lambda claim: claim.quote_start - claim.quote_end):
        same = standing.setdefault(_said_by(claim), [])
        if not any(_overlap(claim, each) for each in same):
            same.append(claim)
    kept = {claim for same in standing.values() for claim in same}
    return tuple(sorted((claim for claim in proposed if claim in kept), key=lambda claim: claim.quote_start))


def _said_by(claim: ProposedClaim) -> tuple[object, ...]:
    return claim.kind, claim.subject, claim.predicate, claim.object, claim.value, claim.open


def _overlap(one: ProposedClaim, other: ProposedClaim) -> bool:
    """Whether they quote some of the same words."""
    return one.quote_start < other.quote_end and other.quote_start < one.quote_end
