"""What a model fills in becomes claims only as far as the turn bears it out."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from graphmem.extract.llm.proposing import Proposal, SourceTurn, propose
from graphmem.extract.llm.schema import Extraction, Sureness
from graphmem.extract.offline.extractor import OfflineExtractor
from graphmem.model.claim import AssertedBy, ClaimKind
from graphmem.model.episode import Episode
from graphmem.model.fragment import ALONE, Context, ThingName
from graphmem.model.ontology import DEFAULT_ONTOLOGY, EntityType, Ontology, RelationType

TEXT = "I moved to Porto yesterday. My colleague Ines still works at Initech, Room 101. I can't eat nuts."
SAID_AT = datetime(2025, 3, 10, 12, tzinfo=UTC)
MAYA = ThingName("Maya", "person")

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
    speaker: ThingName | None = MAYA,
    least: Sureness = Sureness.MEDIUM,
    text: str = TEXT,
) -> Proposal:
    extraction = Extraction.model_validate({"entities": entities, "claims": claims, "facts": facts})
    episode = Episode(group_id="g", session="s", content=text, occurred_at=SAID_AT, speaker="Maya")
    (proposal,) = propose(extraction, [SourceTurn(episode, speaker)], context, ontology, least)
    return proposal


def test_a_claim_has_its_quote_its_time_and_its_names() -> None:
    proposal = proposed(claims=(MOVED, WORKS))

    moved, works = proposal.claims
    assert (moved.subject, moved.predicate, moved.object) == (MAYA, "lives_in", ThingName("Porto", "place"))
    assert TEXT[moved.quote_start : moved.quote_end] == "I moved to Porto yesterday"
    assert moved.valid_from is not None
    assert moved.valid_from.date().isoformat() == "2025-03-09"
    assert (works.subject, works.object) == (ThingName("Ines", "person"), ThingName("Initech", "organization"))
    assert {TEXT[m.start : m.end] for m in proposal.mentions} == {"Porto", "Ines", "Initech"}
    assert proposal.dropped == 0


@pytest.mark.parametrize(
    ("text", "city"),
    [
        ("私は東京に住んでいます", "東京"),
        ("我在北京工作", "北京"),
        ("저는 서울에 살아요", "서울"),
        ("Живу в Москве", "Москве"),
    ],
)
def test_names_stand_in_turns_of_any_script(text: str, city: str) -> None:
    place = {"name": city, "type": "place", "confidence": "high"}
    lives = {**MOVED, "object": city, "valid_from": None, "quote": text}

    proposal = proposed(entities=(place,), claims=(lives, {**lives, "object": None, "value": city}), text=text)

    assert [claim.object for claim in proposal.claims] == [ThingName(city, "place"), None]
    assert [text[mention.start : mention.end] for mention in proposal.mentions] == [city]
    assert proposal.dropped == 0


@pytest.mark.parametrize(
    "change",
    [
        {"quote": "I moved to Lisbon"},
        {"turn": 3},
        {"subject": "Bruno"},
        {"object": None, "value": "Oslo"},
        {"object": None, "value": "10"},  # of Room 101
        {"object": None, "value": "I"},
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

    assert (claim.kind, claim.object, claim.value) == (ClaimKind.ENDS, None, None)


def test_a_fact_is_a_claim_of_the_speaker() -> None:
    (fact,) = proposed(facts=(NUTS,)).claims

    assert (fact.subject, fact.predicate, fact.value) == (MAYA, "diet", "no nuts")
    assert (fact.category, fact.attributes, fact.importance) == ("constraint", (), 1.0)


def test_a_fact_is_about_whom_it_names() -> None:
    job = {"category": "occupation", "key": "job", "value": "Initech", "quote": "Ines still works at Initech"}
    proposal = proposed(facts=({**NUTS, **job, "about": "ines"}, {**NUTS, "about": "Maya"}, {**NUTS, "about": None}))

    ines, maya = proposal.claims
    assert (ines.subject, ines.predicate, ines.value) == (ThingName("Ines", "person"), "occupation.job", "Initech")
    assert (ines.statement, ines.category, ines.importance) == ("Ines: job Initech.", "occupation", 1.0)
    assert (maya.subject, proposal.dropped) == (MAYA, 0)


def test_a_document_has_facts_about_whom_it_names() -> None:
    (fact,) = proposed(facts=({**NUTS, "about": "Ines"}, NUTS), speaker=None).claims

    assert fact.subject == ThingName("Ines", "person")


@pytest.mark.parametrize("about", ["Bruno", "my colleague", "she", "Initech", "Porto"])
def test_a_fact_about_nobody_whom_the_turn_names_is_dropped_and_counted(about: str) -> None:
    bruno = {"name": "Bruno", "type": "person", "confidence": "high"}
    proposal = proposed(entities=(PORTO, INES, INITECH, bruno), facts=({**NUTS, "about": about},))

    assert (proposal.claims, proposal.dropped) == ([], 2)  # and Bruno, whom no turn names


def test_people_may_have_another_type_where_an_ontology_has_no_persons() -> None:
    staff = Ontology(entity_types={"colleague": EntityType()})
    (fact,) = proposed(
        entities=({**INES, "type": "colleague"},), facts=({**NUTS, "about": "Ines"},), ontology=staff
    ).claims

    assert fact.subject == ThingName("Ines", "colleague")


@pytest.mark.parametrize(
    ("change", "category", "importance"),
    [
        ({}, "occupation", 0.8),
        ({"subject": "I", "predicate": "likes"}, "preference", 0.6),
        ({"predicate": "favorite_employer"}, "preference", 0.6),
        ({"ends": True}, "occupation", 0.8),
        ({"predicate": "audits"}, "", 0.4),
        ({"subject": "Initech", "predicate": "owns", "object": "Porto"}, "", 0.5),
    ],
    ids=str,
)
def test_a_claim_about_a_person_has_the_category_of_its_predicate(
    change: dict[str, Any], category: str, importance: float
) -> None:
    (claim,) = proposed(claims=({**WORKS, **change},)).claims

    assert (claim.category, claim.importance) == (category, importance)


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("I'm allergic to peanuts.", {"predicate": "allergic_to", "value": "peanuts"}),
        ("Bruno is allergic to peanuts.", {"subject": "Bruno", "predicate": "allergic_to", "value": "peanuts"}),
        ("Bruno likes jazz.", {"subject": "Bruno", "predicate": "likes", "value": "jazz"}),
        ("I am 34 years old now.", {"predicate": "age", "value": "34"}),
    ],
)
async def test_what_is_read_offline_has_the_same_category_when_a_model_reads_it_again(
    offline: OfflineExtractor, text: str, change: dict[str, Any]
) -> None:
    episode = Episode(group_id="g", session="s", content=text, occurred_at=SAID_AT, speaker="Maya")
    bruno = {"name": "Bruno", "type": "person", "confidence": "high"}
    claim = {**MOVED, "object": None, "valid_from": None, "statement": text, "quote": text.rstrip("."), **change}

    (before,) = (await offline.extract(episode)).claims
    (after,) = proposed(entities=(bruno,), claims=(claim,), text=text).claims

    assert (after.subject, after.predicate) == (before.subject, before.predicate)
    assert (after.category, after.importance) == (before.category, before.importance)


def test_an_attribute_of_a_person_has_the_category_of_its_predicate() -> None:
    (claim,) = proposed(entities=({**INES, "attributes": {"works_at": "Initech"}},)).claims

    assert (claim.predicate, claim.category, claim.importance) == ("works_at", "occupation", 0.8)


def test_what_does_not_stand_in_the_turn_is_inferred_by_the_model() -> None:
    inferred, said = proposed(facts=(NUTS, {**NUTS, "value": "nuts"})).claims

    assert (inferred.asserted_by, said.asserted_by) == (AssertedBy.MODEL, AssertedBy.PASSING)


@pytest.mark.parametrize(
    "change",
    [
        {"value": "I have a job for the week"},
        {"value": "the office"},
        {"value": "no nuts, says Bruno"},
        {"value": "2 nuts"},
        {"value": "I"},
        {"key": "smoker", "value": "yes"},
    ],
    ids=str,
)
def test_a_fact_says_what_its_turn_says(change: dict[str, Any]) -> None:
    proposal = proposed(facts=({**NUTS, **change},))

    assert (proposal.claims, proposal.dropped) == ([], 1)


@pytest.mark.parametrize(
    "change", [{"value": "eating nuts"}, {"value": "dislikes nuts"}, {"key": "eats_nuts", "value": "no"}], ids=str
)
def test_a_fact_need_not_be_copied_word_by_word(change: dict[str, Any]) -> None:
    (fact,) = proposed(facts=({**NUTS, **change},)).claims

    assert fact.predicate == ("constraint.eats_nuts" if "key" in change else "diet")


def test_a_key_that_is_defined_is_the_predicate_itself() -> None:
    (fact,) = proposed(facts=({**NUTS, "key": "allergic_to", "value": "nuts"},)).claims

    assert (fact.predicate, fact.category) == ("allergic_to", "constraint")


@pytest.mark.parametrize(
    ("statement", "kept"),
    [
        ("Ines is employed at Initech.", "Ines is employed at Initech."),
        (
            "The colleague Ines has a job at Initech in Room 101.",
            "The colleague Ines has a job at Initech in Room 101.",
        ),
        ("She.", "Ines works at Initech."),
        ("Bruno works at Initech.", "Ines works at Initech."),
        ("Ines works at Initech with Bruno.", "Ines works at Initech."),
        ("Ines works at Initech since 2019.", "Ines works at Initech."),
    ],
)
def test_a_statement_names_what_it_is_about_and_nothing_that_nobody_said(statement: str, kept: str) -> None:
    (claim,) = proposed(claims=({**WORKS, "statement": statement},)).claims

    assert claim.statement == kept


def test_a_statement_of_an_end_says_that_it_ended() -> None:
    (claim,) = proposed(claims=({**WORKS, "statement": "He left.", "ends": True},)).claims

    assert claim.statement == "Ines works at Initech no longer."


def test_nobody_speaks_for_a_document() -> None:
    proposal = proposed(claims=(MOVED,), facts=(NUTS,), speaker=None)

    assert (proposal.claims, proposal.dropped) == ([], 2)


def test_a_known_name_keeps_its_type_and_spelling() -> None:
    known = Context(known=(ThingName("INITECH", "customer"),))

    (claim,) = proposed(claims=(WORKS,), context=known).claims

    assert claim.object == ThingName("INITECH", "customer")


def test_a_closed_ontology_takes_its_own_types_only() -> None:
    closed = Ontology(
        entity_types={"person": EntityType(), "organization": EntityType()},
        relation_types={"works_at": RelationType(description="", subjects=("person",), objects=("organization",))},
        open_types=False,
    )

    proposal = proposed(claims=(MOVED, WORKS, {**WORKS, "predicate": "knows"}), ontology=closed)

    assert [claim.predicate for claim in proposal.claims] == ["works_at"]
    assert proposal.dropped == 3  # Porto, the move to it, and who knows whom


SHOP_TEXT = (
    "Acme Corp, ACME for short, has 1,200 people and sits in Berlin. Order 77 for $49.50 came by web shop from Acme."
)
SHOP = Ontology(
    entity_types={
        "organization": EntityType(attributes={"staff": "how many work there", "seat": ""}),
        "order": EntityType(attributes={"total": ""}),
    },
    relation_types={"placed": RelationType(attributes={"channel": "", "total": ""})},
    open_types=False,
)
ACME = {"name": "Acme Corp", "type": "organization", "confidence": "high"}
ORDER = {"name": "Order 77", "type": "order", "confidence": "medium"}
PLACED = {
    "turn": 0,
    "subject": "Acme Corp",
    "predicate": "placed",
    "object": "Order 77",
    "statement": "Acme Corp placed order 77.",
    "confidence": 0.9,
    "quote": "Order 77 for $49.50 came by web shop from Acme",
}
OPEN_SHOP = replace(SHOP, open_types=True)


def shop(
    *, ontology: Ontology = SHOP, speaker: ThingName | None = MAYA, **parts: tuple[dict[str, Any], ...]
) -> Proposal:
    extraction = Extraction.model_validate({"entities": (ACME, ORDER), **parts})
    episode = Episode(group_id="g", session="s", content=SHOP_TEXT, occurred_at=SAID_AT)
    (proposal,) = propose(extraction, [SourceTurn(episode, speaker)], ALONE, ontology)
    return proposal


def values(proposal: Proposal) -> dict[str, object]:
    return {claim.predicate: claim.value for claim in proposal.claims}


def test_attributes_of_an_entity_are_facts_that_stand_in_the_turn() -> None:
    proposal = shop(entities=({**ACME, "attributes": {"staff": 1200, "Seat": "berlin"}}, ORDER))

    staff, seat = proposal.claims
    assert (staff.subject, staff.predicate, staff.value) == (ThingName("Acme Corp", "organization"), "staff", 1200)
    assert SHOP_TEXT[staff.quote_start : staff.quote_end] == "1,200"
    assert (seat.predicate, SHOP_TEXT[seat.quote_start : seat.quote_end]) == ("seat", "Berlin")
    assert (staff.kind, staff.confidence, staff.statement) == (ClaimKind.STARTS, 0.9, "Acme Corp: staff 1200.")
    assert proposal.dropped == 0


@pytest.mark.parametrize(
    "attributes",
    [
        {"staff": 200},  # part of a number is no number
        {"seat": "49"},
        {"staff": 1201},
        {"seat": "Bern"},
        {"seat": {"city": "Berlin"}},
        {"seat": ["Berlin"]},
        {"seat": True},
        {"staff": 10**400},
        {"staff": float("nan")},
        {"x" * 65: "Berlin"},
        {"seat": ""},
        {"seat": "x" * 600},
        {"founder": "Acme"},
        {"…": "Berlin"},
        [{"name": "seat", "value": "Berlin"}],
        "Berlin",
    ],
    ids=lambda value: str(value)[:40],
)
def test_attributes_that_are_nested_unknown_or_not_said_are_dropped_and_counted(attributes: Any) -> None:
    proposal = shop(entities=({**ACME, "attributes": attributes}, ORDER), claims=(PLACED,))

    assert [claim.predicate for claim in proposal.claims] == ["placed"]
    assert proposal.dropped == 1


@pytest.mark.parametrize("nothing", [None, {}, [], {"seat": None}])
def test_no_attributes_may_be_written_in_many_ways(nothing: Any) -> None:
    assert shop(entities=({**ACME, "attributes": nothing}, ORDER)).dropped == 0


def test_an_open_ontology_takes_other_attributes_too() -> None:
    proposal = shop(entities=({**ACME, "attributes": {"founded in": "Berlin"}}, ORDER), ontology=OPEN_SHOP)

    assert values(proposal) == {"founded_in": "Berlin"}


def test_attributes_of_a_claim_are_those_of_its_predicate_that_the_turn_says() -> None:
    told = {"channel": "web shop", "total": 49.5, "courier": "web", "total_": {"EUR": 49.5}}

    proposal = shop(claims=({**PLACED, "attributes": told},))
    opened = shop(claims=({**PLACED, "attributes": told},), ontology=OPEN_SHOP)

    assert [claim.attributes for claim in proposal.claims] == [(("channel", "web shop"), ("total", 49.5))]
    assert dict(opened.claims[0].attributes) == {"channel": "web shop", "courier": "web", "total": 49.5}
    assert (proposal.dropped, opened.dropped) == (2, 1)


def test_another_name_that_the_turn_uses_is_a_fact() -> None:
    proposal = shop(entities=({**ACME, "aliases": ["Acme", "ACME", "acme  corp", "Acme Corporation", "she"]}, ORDER))

    (claim,) = proposal.claims
    assert (claim.subject, claim.predicate, claim.value) == (
        ThingName("Acme Corp", "organization"),
        "also_known_as",
        "Acme",
    )
    assert SHOP_TEXT[claim.quote_start : claim.quote_end] == "Acme"
    assert claim.statement == "Acme Corp is named Acme."
    assert proposal.dropped == 2  # a name that nobody said, and a pronoun


def test_what_is_claimed_already_is_not_told_twice() -> None:
    stated = "Acme Corp has its seat in Berlin."
    said = {"object": None, "value": "Berlin", "quote": "sits in Berlin", "statement": stated}
    seat = {**PLACED, "predicate": "seat", **said}

    proposal = shop(entities=({**ACME, "attributes": {"seat": "Berlin"}}, ORDER), claims=(seat,))

    (claim,) = proposal.claims
    assert (claim.statement, proposal.dropped) == (stated, 0)


def test_who_speaks_has_attributes_though_no_turn_names_them() -> None:
    maya = {"name": "maya", "type": "person", "attributes": {"city": "Berlin"}, "confidence": "high"}

    proposal = shop(entities=(maya,), ontology=DEFAULT_ONTOLOGY)
    unknown = shop(entities=(maya,), ontology=DEFAULT_ONTOLOGY, speaker=None)

    assert [(claim.subject, claim.value) for claim in proposal.claims] == [(MAYA, "Berlin")]
    assert (proposal.mentions, proposal.dropped) == ([], 0)
    assert (unknown.claims, unknown.dropped) == ([], 1)


@pytest.mark.parametrize(
    ("written", "type_"), [("Web Shop", "web_shop"), ("food/drink", "food_drink"), ("x-ray", "x-ray")]
)
def test_types_are_words_however_a_model_writes_them(written: str, type_: str) -> None:
    proposal = shop(entities=({**ACME, "type": written},), ontology=DEFAULT_ONTOLOGY)

    assert {mention.entity.type for mention in proposal.mentions} == {type_}


@pytest.mark.parametrize("written", ["—", "3d", "x" * 65])
def test_what_can_be_no_type_is_dropped(written: str) -> None:
    proposal = shop(entities=({**ACME, "type": written},), ontology=DEFAULT_ONTOLOGY)

    assert (proposal.mentions, proposal.dropped) == ([], 1)


def test_what_is_told_belongs_to_the_turn_that_tells_it() -> None:
    said = ["Acme Corp is in Berlin.", "Its staff: 300. Berlin again.", "Acme Corp, ACMECO for short, has 200 people."]
    turns = [
        SourceTurn(Episode(group_id="g", session="s", content=text, occurred_at=SAID_AT), None, number != 1)
        for number, text in enumerate(said)
    ]
    acme = {**ACME, "aliases": ["ACMECO"], "attributes": {"seat": "Berlin", "staff": 300}}

    proposals = propose(Extraction.model_validate({"entities": [acme]}), turns, ALONE, OPEN_SHOP)

    assert [values(proposal) for proposal in proposals] == [{"seat": "Berlin"}, {}, {"also_known_as": "ACMECO"}]
    assert sum(proposal.dropped for proposal in proposals) == 1


@pytest.mark.parametrize(
    ("least", "claims", "facts", "dropped"),
    [(Sureness.LOW, 3, 1, 0), (Sureness.MEDIUM, 2, 1, 1), (Sureness.HIGH, 1, 0, 3)],
)
def test_what_the_model_is_less_sure_of_than_asked_for_is_dropped(
    least: Sureness, claims: int, facts: int, dropped: int
) -> None:
    told = [{**WORKS, "predicate": f"works_{word}", "confidence": sure} for word, sure in SURE.items()]
    entities = tuple({**one, "confidence": "high"} for one in (PORTO, INES, INITECH))
    proposal = proposed(entities=entities, claims=tuple(told), facts=({**NUTS, "confidence": 0.5},), least=least)

    found = [claim.predicate for claim in proposal.claims]
    assert sum(predicate.startswith("works_") for predicate in found) == claims
    assert found.count("diet") == facts
    assert proposal.dropped == dropped


SURE = {"at": 0.9, "with": 0.5, "as": 0.1}


def test_names_and_values_are_written_as_in_the_turn() -> None:
    text = "I bought a Canon EOS R6 in British English packaging. ACME Corp is known as Acme, of tier Gold."
    camera = {"name": "canon eos r6", "type": "product", "confidence": "high"}
    firm = {"name": "Acme corp", "type": "organization", "aliases": ["Acme"], "attributes": {"tier": "gold"}}
    bought = {**MOVED, "predicate": "bought", "object": "Canon eos R6", "valid_from": None, "quote": text[:23]}
    language = {**bought, "predicate": "language", "object": None, "value": "british english"}
    fact = {**NUTS, "key": "camera", "value": "canon  EOS r6", "quote": text[:23]}

    proposal = proposed(
        entities=(camera, {**firm, "confidence": "high"}),
        claims=(bought, language),
        facts=(fact,),
        ontology=replace(DEFAULT_ONTOLOGY, open_types=True),
        text=text,
    )

    assert {claim.object.name for claim in proposal.claims if claim.object} == {"Canon EOS R6"}
    values = {claim.value for claim in proposal.claims if claim.value}
    assert values == {"British English", "Canon EOS R6", "Acme", "Gold"}
    assert {claim.subject.name for claim in proposal.claims} == {"Maya", "ACME Corp"}
