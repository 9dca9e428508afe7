"""Two entities side by side, for somebody who is to say whether they are the same."""

from typing import Any

from graphmem.answers.profiles import NeighbourOut, ProfileBeliefOut, ProfileOut
from graphmem.api.schemas.beliefs import entity_ref
from graphmem.model.recall import KnownProfile, ProfileBelief, SharedNeighbour, SideBySide


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
