"""Whatever edges Graphiti keeps: the claims that are made of them amount to what its fields say, on both axes."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from graphmem.api.schemas.claims import ClaimIn, whole_claim_in
from graphmem.client.others import graphiti
from graphmem.client.others.steps import Body, Step
from graphmem.model.claim import Claim
from graphmem.model.graphiti import GraphitiEdge
from graphmem.model.interval import END
from graphmem.model.projection.predicate import BUILT_IN_PREDICATES
from graphmem.model.projection.slot import Slot, place
from graphmem.model.projection.timeline import project
from graphmem.resolve.structured import resolve_structured
from tests.others import Held, edge, ended, held

DAYS = [datetime(2024, 1, 1, tzinfo=UTC) + timedelta(days=number) for number in range(6)]
A_DAY = st.sampled_from(DAYS)
EDGE = st.builds(
    edge,
    st.uuids().map(str),
    st.sampled_from(["USES", "SELLS"]),
    st.sampled_from(["Alice Moreno", "Bruno Sato"]),
    st.sampled_from(["Atlas", "Glyph"]),
    created_at=A_DAY,
    expired_at=st.none() | A_DAY,
    valid_at=st.none() | A_DAY,
    invalid_at=st.none() | A_DAY,
    fact=st.sampled_from(["One said so.", "Another said so."]),
)
"""Of predicates that hold many values: of others, claims say more than edges do."""


@dataclass(slots=True)
class Told:
    """A group that was told some steps, as the writer does it: claims with since when and until when they stand."""

    standing: dict[str, tuple[Claim, datetime, datetime]] = field(
        default_factory=dict[str, tuple[Claim, datetime, datetime]]
    )
    names: dict[str, str] = field(default_factory=dict[str, str])

    def tell(self, step: Step) -> None:
        claim = self._claim(step.told)
        if step.ends:
            known, since, until = self.standing[claim.id]
            assert until == END
            self.standing[claim.id] = known, since, step.at
        else:
            assert claim.id not in self.standing
            self.standing[claim.id] = claim, step.at, END
        if step.told_instead is not None:
            instead = self._claim(step.told_instead)
            self.standing[instead.id] = instead, step.at, END

    def _claim(self, body: Body) -> Claim:
        posted = ClaimIn.model_validate_json(json.dumps(body))
        assert posted.occurred_at is not None
        _, (claim,), evidence = resolve_structured("g", [whole_claim_in(posted, posted.occurred_at)])
        self.names |= {entity.id: entity.name for entity in evidence.entities}
        return claim

    def believed(self, valid_at: datetime, known_at: datetime) -> set[Held]:
        slots = defaultdict[Slot | None, list[Claim]](list)
        for claim, since, until in self.standing.values():
            if since <= known_at < until:
                slots[BUILT_IN_PREDICATES.slot(place(claim))].append(claim)
        return {
            (self.names[belief.subject_id], slot.predicate, self.names[belief.object_id or ""])
            for slot, claims in slots.items()
            if slot is not None
            for belief in project(claims, BUILT_IN_PREDICATES.policy_of(slot))
            if belief.interval.start <= valid_at < belief.interval.end
        }


def told(edges: Iterable[GraphitiEdge]) -> Told:
    group, before = Told(), DAYS[0]
    made = sorted(edges, key=lambda one: one.created_at)
    for step in graphiti.steps(made, ended(made), None, Counter()):
        assert step.at >= before
        before = step.at
        group.tell(step)
    return group


@given(st.lists(EDGE, max_size=6))
def test_claims_made_of_edges_amount_to_what_their_fields_say(edges: list[GraphitiEdge]) -> None:
    group = told(edges)
    for known_at in DAYS:
        for valid_at in DAYS:
            assert group.believed(valid_at, known_at) == held(edges, valid_at, known_at)
