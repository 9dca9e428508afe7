"""What providers see in one text, and how it is put together."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from graphmem.extract.beside import beside
from graphmem.extract.identifiers import UNNAMED
from graphmem.extract.mentions import mentions
from graphmem.extract.overlaps import Span
from graphmem.model.fragment import ProposedClaim, ProposedMention, ThingName


@dataclass(frozen=True, slots=True)
class Findings:
    """What a provider sees. Its spans may overlap, with each other and with those of others.

    ``verbs`` tells where the verbs begin that a claim is read from, of those read from a parse.
    """

    spans: tuple[Span, ...] = ()
    claims: tuple[ProposedClaim, ...] = ()
    verbs: Mapping[ProposedClaim, frozenset[int]] = field(default_factory=dict[ProposedClaim, frozenset[int]])


def of_claiming(found: Mapping[str, Findings], claiming: Collection[str]) -> list[Findings]:
    """The findings of providers by name, with the claims of those alone that are to make claims."""
    return [one if name in claiming else replace(one, claims=(), verbs={}) for name, one in found.items()]


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
        if not any(claim.quote_start < each.quote_end and each.quote_start < claim.quote_end for each in same):
            same.append(claim)
    kept = {claim for same in standing.values() for claim in same}
    return tuple(sorted((claim for claim in proposed if claim in kept), key=lambda claim: claim.quote_start))


def _said_by(claim: ProposedClaim) -> tuple[object, ...]:
    return claim.kind, claim.subject, claim.predicate, claim.object, claim.value, claim.open
