"""What relation types make of claims that were read: the type of the object, the wording, the category."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from graphmem.model.claim import ClaimKind
from graphmem.model.fragment import ProposedClaim, ProposedMention
from graphmem.model.ontology import VALUE, Ontology, RelationType

Read = tuple[tuple[ProposedMention, ...], tuple[ProposedClaim, ...]]
"""The mentions and the claims of one text."""
_IS, _WAS, _NO_MORE = range(3)
"""The sentences of a wording."""


def by_relation_types(
    mentions: Sequence[ProposedMention], claims: Sequence[ProposedClaim], ontology: Ontology, said_at: datetime
) -> Read:
    """Mentions and claims as the ontology has them; without the claims whose objects fit no type that may stand there.

    A thing that gets another type as an object has it where it is mentioned, too, unless some claim names it as it was.
    """
    relations = ontology.relation_types
    if relations.keys().isdisjoint(claim.predicate for claim in claims):
        return tuple(mentions), tuple(claims)
    fitted = [(claim, _fitted(claim, relations.get(claim.predicate), said_at)) for claim in claims]
    standing = tuple(claim for _, claim in fitted if claim is not None)
    named = {name for claim in standing for name in (claim.subject, claim.object)}
    types = {read.object: claim.object for read, claim in fitted if claim and claim.object and read.object not in named}
    return tuple(replace(each, entity=types.get(each.entity, each.entity)) for each in mentions), standing


def _fitted(claim: ProposedClaim, relation: RelationType | None, said_at: datetime) -> ProposedClaim | None:
    """The claim as its relation type has it; None where its object fits no type that may stand there."""
    if relation is None:
        return claim
    if (ranged := _ranged(claim, relation)) is None:
        return None
    category = relation.category.value if relation.category else claim.category
    return replace(ranged, category=category, statement=_statement(ranged, relation, said_at))


def _ranged(claim: ProposedClaim, relation: RelationType) -> ProposedClaim | None:
    thing = claim.object
    if thing is None:
        return claim
    type_ = relation.type_of_object(thing.type)
    if type_ == VALUE != thing.type:
        return replace(claim, object=None, value=thing.name)
    return None if type_ is None else replace(claim, object=replace(thing, type=type_))


def _statement(claim: ProposedClaim, relation: RelationType, said_at: datetime) -> str:
    """The sentence in the words of the relation type, where it has some for it and a thing or a value is claimed."""
    about = claim.object.name if claim.object else claim.value
    over = claim.valid_to is not None and claim.valid_to <= said_at
    form = _NO_MORE if claim.kind is ClaimKind.ENDS else _WAS if over else _IS
    wording = (relation.wording or ())[form : form + 1]
    if about is None or not wording:
        return claim.statement
    sentence = wording[0].format(subject=claim.subject.name, object=about)
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."
