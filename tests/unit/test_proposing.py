"""What a model fills in becomes claims only as far as the turn bears it out."""

from datetime import UTC, datetime
from typing import Any

import pytest

from graphmem.extract.proposing import Proposal, Said, propose
from graphmem.extract.schema import Reading
from graphmem.model.claim import Kind
from graphmem.model.episode import Episode
from graphmem.model.fragment import ALONE, Context, Name
from graphmem.model.ontology import DEFAULT_ONTOLOGY, EntityType, Ontology, RelationType

TEXT = "I moved to Porto yesterday. My colleague Ines still works at Initech, Room 101. I can't eat nuts."
SAID_AT = datetime(2025, 3, 10, 12, tzinfo=UTC)
MAYA = Name("Maya", "person")

PORTO = {"name": "Porto", "type": "place", "confidence": "high"}
INES = {"name": "Ines", "type": "Person", "confidence": "medium"}
INITECH = {"name": "Initech", "type": "organization", "confidence": "high"}
MOVED = {
    "turn": 0,
    "subject": "I",
    "predicate": "lives in",
    "object": "Porto",
    "statement": "Maya lives in Porto.",
    "valid_from": "yesterday",
    "confidence": 0.9,
    "quote": "I moved to Porto yesterday",
}
WORKS = {
    "turn": 0,
    "subject": "Ines",
    "predicate": "works_at",
    "object": "Initech",
    "statement": "Ines works at Initech.",
    "confidence": 0.8,
    "quote": "Ines still works at Initech",
}
NUTS = {
    "turn": 0,
    "category": "constraint",
    "key": "diet",
    "value": "no nuts",
    "confidence": 0.9,
    "importance": 1.0,
    "quote": "I can't eat nuts",
}


def proposed(
    *,
    entities: tuple[dict[str, Any], ...] = (PORTO, INES, INITECH),
    claims: tuple[dict[str, Any], ...] = (),
    facts: tuple[dict[str, Any], ...] = (),
    context: Context = ALONE,
    ontology: Ontology = DEFAULT_ONTOLOGY,
    speaker: Name | None = MAYA,
) -> Proposal:
    reading = Reading.model_validate({"entities": entities, "claims": claims, "facts": facts})
    episode = Episode(group_id="g", session="s", content=TEXT, occurred_at=SAID_AT, speaker="Maya")
    (proposal,) = propose(reading, [Said(episode, speaker)], context, ontology)
    return proposal


def test_a_claim_has_its_quote_its_time_and_its_names() -> None:
    proposal = proposed(claims=(MOVED, WORKS))

    moved, works = proposal.claims
    assert (moved.subject, moved.predicate, moved.object) == (MAYA, "lives_in", Name("Porto", "place"))
    assert TEXT[moved.quote_start : moved.quote_end] == "I moved to Porto yesterday"
    assert moved.valid_from is not None
    assert moved.valid_from.date().isoformat() == "2025-03-09"
    assert (works.subject, works.object) == (Name("Ines", "person"), Name("Initech", "organization"))
    assert {TEXT[m.start : m.end] for m in proposal.mentions} == {"Porto", "Ines", "Initech"}
    assert proposal.dropped == 0


@pytest.mark.parametrize(
    "change",
    [
        {"quote": "I moved to Lisbon"},
        {"turn": 3},
        {"subject": "Bruno"},
        {"object": None, "value": "Oslo"},
        {"object": None, "value": None},
        {"object": "I"},
        {"predicate": "—"},
        {"confidence": 0.1},
    ],
    ids=str,
)
def test_what_the_turn_does_not_bear_out_is_dropped_and_counted(change: dict[str, Any]) -> None:
    proposal = proposed(claims=({**MOVED, **change}, WORKS))

    assert [claim.predicate for claim in proposal.claims] == ["works_at"]
    assert proposal.dropped == 1


def test_invented_entities_are_dropped_with_what_is_claimed_of_them() -> None:
    ghost = {"name": "Globex", "type": "organization", "confidence": "high"}

    proposal = proposed(entities=(INES, ghost), claims=({**WORKS, "object": "Globex"},))

    assert (
        proposal.claims
        == [
            # the object is no entity, and its name no value that the turn has
        ]
    )
    assert proposal.dropped == 2


def test_unsure_entities_are_left_out() -> None:
    proposal = proposed(entities=({**PORTO, "confidence": "low"}, INES, INITECH))

    assert {TEXT[m.start : m.end] for m in proposal.mentions} == {"Ines", "Initech"}


def test_times_that_the_turn_does_not_say_are_not_believed() -> None:
    (claim,) = proposed(claims=({**MOVED, "valid_from": "2019-01-01", "valid_to": "next year"},)).claims

    assert (claim.valid_from, claim.valid_to) == (None, None)


def test_an_end_needs_no_object() -> None:
    ends = {**WORKS, "object": None, "ends": True}

    (claim,) = proposed(claims=(ends,)).claims

    assert (claim.kind, claim.object, claim.value) == (Kind.ENDS, None, None)


def test_a_fact_is_a_claim_of_the_speaker() -> None:
    (fact,) = proposed(facts=(NUTS,)).claims

    assert (fact.subject, fact.predicate, fact.value) == (MAYA, "diet", "no nuts")
    assert (fact.attributes, fact.importance) == ((("category", "constraint"),), 1.0)


def test_nobody_speaks_for_a_document() -> None:
    proposal = proposed(claims=(MOVED,), facts=(NUTS,), speaker=None)

    assert (proposal.claims, proposal.dropped) == ([], 2)


def test_a_known_name_keeps_its_type_and_spelling() -> None:
    known = Context(known=(Name("INITECH", "customer"),))

    (claim,) = proposed(claims=(WORKS,), context=known).claims

    assert claim.object == Name("INITECH", "customer")


def test_a_closed_ontology_takes_its_own_types_only() -> None:
    closed = Ontology(
        entity_types={"person": EntityType(), "organization": EntityType()},
        relation_types={"works_at": RelationType(description="", subjects=("person",), objects=("organization",))},
        open_types=False,
    )

    proposal = proposed(claims=(MOVED, WORKS, {**WORKS, "predicate": "knows"}), ontology=closed)

    assert [claim.predicate for claim in proposal.claims] == ["works_at"]
    assert proposal.dropped == 3  # Porto, the move to it, and who knows whom
