"""The category of a claim by what the ontology says of its predicate."""

from collections.abc import Iterable
from dataclasses import replace

from graphmem.model.fragment import ProposedClaim
from graphmem.model.ontology import Ontology


def with_categories(claims: Iterable[ProposedClaim], ontology: Ontology) -> tuple[ProposedClaim, ...]:
    """The claims; those without a category with that of their relation type."""
    return tuple(replace(one, category=one.category or ontology.category_of(one.predicate)) for one in claims)
