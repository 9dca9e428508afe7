"""Two entities side by side, for somebody who is to say whether they are the same."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from graphmem.api.schemas.beliefs import EntityRef, entity_ref
from graphmem.api.schemas.entities import Counted
from graphmem.api.schemas.words import Answer
from graphmem.model.claim import Scalar
from graphmem.model.recall import KnownProfile, ProfileBelief, SharedNeighbour, SideBySide
from graphmem.store.merge import PROFILE_LIMIT


class ProfileBeliefOut(Answer):
    """What is believed of an entity: the other end of a relationship (its subject ``as_object``), or a value."""

    predicate: str
    as_object: bool
    entity: EntityRef | None
    value: Scalar


class ProfileOut(EntityRef):
    """An entity with what is known of it now, and of all that it is the same as.

    ``beliefs_total`` counts what is believed of it. What is ``protected`` is merged by hand only.
    """

    qualifier: str
    aliases: list[str]
    first_seen: datetime
    protected: bool
    mentions: Counted
    beliefs: Annotated[list[ProfileBeliefOut], Field(description=f"The {PROFILE_LIMIT} most important ones.")]
    beliefs_total: Counted


class NeighbourOut(EntityRef):
    """An entity to which both have relationships, with the predicates of those of the first and of the second."""

    of_first: list[str]
    of_second: list[str]


class SideBySideOut(Answer):
    """The ``profiles`` of the first and of the second, and entities to which both have a relationship."""

    profiles: Annotated[list[ProfileOut], Field(min_length=2, max_length=2)]
    shared_neighbours: Annotated[list[NeighbourOut], Field(description=f"The first {PROFILE_LIMIT} by id.")]


def side_by_side_out(found: SideBySide) -> dict[str, Any]:
    """The fields of a ``SideBySideOut``."""
    return {
        "profiles": [_profile_out(found.first), _profile_out(found.second)],
        "shared_neighbours": [_neighbour_out(one) for one in found.neighbours],
    }


def _profile_out(profile: KnownProfile) -> ProfileOut:
    cluster = profile.cluster
    return ProfileOut(
        **dict(entity_ref(cluster.entity)),
        qualifier=cluster.entity.qualifier,
        aliases=list(cluster.aliases),
        first_seen=profile.first_seen,
        protected=cluster.entity.protected,
        mentions=cluster.mentions,
        beliefs=[_belief_out(belief) for belief in profile.beliefs],
        beliefs_total=profile.total,
    )


def _belief_out(belief: ProfileBelief) -> ProfileBeliefOut:
    return ProfileBeliefOut(
        predicate=belief.predicate,
        as_object=belief.as_object,
        entity=entity_ref(belief.entity) if belief.entity else None,
        value=belief.value,
    )


def _neighbour_out(one: SharedNeighbour) -> NeighbourOut:
    return NeighbourOut(**dict(entity_ref(one.entity)), of_first=list(one.of_first), of_second=list(one.of_second))
