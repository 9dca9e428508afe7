"""The ontology of a group in the database: its types are labels, and nothing else is."""

from collections.abc import Iterable
from datetime import UTC, datetime

import pytest

from graphmem.memory import Memory
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ThingName
from graphmem.model.ontology import EntityType, Ontology
from graphmem.store.change.evidence import EvidenceStore
from graphmem.store.driver import Database
from tests.models import labels_of_entities, memory_on, shipped_queries

SAID_AT = datetime(2025, 1, 1, tzinfo=UTC)


@pytest.fixture
def memory(database: Database) -> Memory:
    return memory_on(database)


async def labels(database: Database, memory: Memory, group: str, types: Iterable[str]) -> dict[str, set[str]]:
    """Of entities that are named now, by type."""
    claims = [
        StructuredClaim(
            subject=ThingName(f"a {type_}", type_), predicate="age", value=1, valid_from=SAID_AT, occurred_at=SAID_AT
        )
        for type_ in types
    ]
    await memory.intake.assert_claims(group, claims)
    rows = await labels_of_entities(database, group)
    return {row.type: row.labels - {"Entity"} for row in rows}


async def test_types_of_the_group_s_ontology_are_labels(database: Database, memory: Memory, group: str) -> None:
    await memory.groups.set_ontology(group, Ontology(entity_types={"order_line": EntityType(), "straße": EntityType()}))

    found = await labels(database, memory, group, ["order_line", "straße", "person", "ship", "episode"])

    assert found == {
        "order_line": {"OrderLine"},
        "straße": {"Straße"},
        "person": {"Person"},  # of the service's ontology
        "ship": set(),
        "episode": set(),
    }


async def test_types_of_another_group_are_none_here(database: Database, memory: Memory, group: str) -> None:
    await memory.groups.set_ontology(f"{group}-other", Ontology(entity_types={"ship": EntityType()}))

    assert await labels(database, memory, group, ["ship"]) == {"ship": set()}


async def test_types_of_the_service_s_ontology_are_labels(database: Database, group: str) -> None:
    evidence = EvidenceStore(database, shipped_queries(), types=["ship"])

    found = await labels(database, memory_on(database, evidence=evidence), group, ["ship", "person"])

    assert found == {"ship": {"Ship"}, "person": set()}
