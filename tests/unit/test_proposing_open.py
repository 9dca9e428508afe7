"""What becomes of a model's claims that nothing knows the predicate of, or that assert nothing."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from graphmem.extract.llm.chatter import is_chatter
from graphmem.extract.llm.folds import canonical, is_known
from graphmem.extract.llm.proposing import Proposal, SourceTurn, propose
from graphmem.extract.llm.schema import Extraction
from graphmem.model.claim import ClaimKind
from graphmem.model.episode import Episode
from graphmem.model.fragment import ALONE, ProposedClaim, ThingName
from graphmem.model.ontology import DEFAULT_ONTOLOGY, EntityType, Ontology, RelationType

SAID_AT = datetime(2025, 3, 10, 12, tzinfo=UTC)
MAYA = ThingName("Maya", "person")
ADOPTED = "I adopted a beagle last Friday."
BEAGLE = {"name": "beagle", "type": "concept", "confidence": "high"}
INES = {"name": "Ines", "type": "person", "confidence": "high"}
ROME = {"name": "Rome", "type": "place", "confidence": "high"}
CLAIM = {
    "turn": 0,
    "subject": "I",
    "predicate": "adopt",
    "object": "beagle",
    "statement": "Maya adopted a beagle on 7 March 2025.",
    "happened": "last Friday",
    "confidence": 0.9,
    "quote": "I adopted a beagle last Friday",
}
PLAN = "We're flying to Rome next month."
PLANNED = {
    "turn": 0,
    "subject": "I",
    "predicate": "visited",
    "object": "Rome",
    "status": "planned",
    "statement": "Maya will fly to Rome in April 2025.",
    "confidence": 0.9,
    "quote": "We're flying to Rome next month",
}


def proposal_of(
    text: str, *claims: dict[str, Any], ontology: Ontology = DEFAULT_ONTOLOGY, time_zone: str = "UTC"
) -> Proposal:
    extraction = Extraction.model_validate({"entities": [BEAGLE, INES, ROME], "claims": claims})
    named = [each for each in extraction.entities if each.name in text]
    episode = Episode(group_id="g", session="s", content=text, occurred_at=SAID_AT, speaker="Maya", time_zone=time_zone)
    extraction = extraction.model_copy(update={"entities": named})
    (proposal,) = propose(extraction, [SourceTurn(episode, MAYA)], ALONE, ontology)
    return proposal


@pytest.mark.parametrize(
    ("statement", "detail"),
    [
        ("Maya adopted a beagle on 7 March 2025.", None),
        ("Maya adopted a beagle last Friday.", None),
        ("Maya adopted the beagle.", None),
        ("Maya adopted a beagle from the shelter on 7 March 2025.", "shelter"),
        ("Maya adopted a beagle with her sister for her mother.", "mother sister"),
    ],
)
def test_what_else_a_sentence_says_tells_it_apart(statement: str, detail: str | None) -> None:
    assert dict(adopted(statement=statement).attributes).get("detail") == detail


def adopted(time_zone: str = "UTC", **change: Any) -> ProposedClaim:
    (claim,) = proposal_of(ADOPTED, {**CLAIM, **change}, time_zone=time_zone).claims
    return claim


def planned(text: str = PLAN, **change: Any) -> ProposedClaim:
    (claim,) = proposal_of(text, {**PLANNED, "quote": text, **change}).claims
    return claim


def test_a_claim_that_nothing_knows_is_open_under_its_canonical_predicate_and_happened_on_its_day() -> None:
    claim = adopted()

    assert (claim.open, claim.predicate, claim.object) == (True, "adopted", ThingName("beagle", "concept"))
    assert claim.statement == "Maya adopted a beagle on 7 March 2025."
    assert claim.event == (datetime(2025, 3, 7, tzinfo=UTC), datetime(2025, 3, 8, tzinfo=UTC))
    assert (claim.valid_from, claim.valid_to) == (datetime(2025, 3, 7, tzinfo=UTC), None)
    assert (claim.confidence, claim.importance) == (0.6, 0.4)


def test_the_day_of_an_event_is_one_of_the_speakers_zone() -> None:
    claim = adopted(time_zone="Asia/Tokyo")

    assert claim.event is not None
    assert [each.isoformat() for each in claim.event] == ["2025-03-07T00:00:00+09:00", "2025-03-08T00:00:00+09:00"]
    assert claim.valid_from == datetime(2025, 3, 6, 15, tzinfo=UTC)


@pytest.mark.parametrize("happened", [None, "in 2019", "next Friday", "", ["last Friday"], True], ids=str)
def test_what_happened_on_no_day_that_is_said_is_no_event(happened: object) -> None:
    assert adopted(happened=happened).event is None


@pytest.mark.parametrize(
    "statement",
    [
        "Maya adopted a beagle on 8 March 2025.",
        "Maya adopted a beagle on March 8th.",
        "Maya adopted my beagle.",
        "She did.",
    ],
)
def test_a_statement_with_a_day_that_was_not_said_or_without_names_gives_way_to_a_plain_one(statement: str) -> None:
    assert adopted(statement=statement).statement == "Maya adopted beagle."


def test_what_is_said_of_others_is_less_sure() -> None:
    text = "Ines adopted a beagle."
    (claim,) = proposal_of(
        text, {**CLAIM, "subject": "Ines", "statement": text, "quote": text, "happened": None}
    ).claims

    assert (claim.subject, claim.confidence) == (ThingName("Ines", "person"), 0.5)


@pytest.mark.parametrize(
    ("predicate", "target_type", "found"),
    [
        ("adopted", "", "adopted"),
        ("signs_up_for", "", "signed_up_for"),
        ("signed_up_for", "", "signed_up_for"),
        ("is_interested_in", "", "interested_in"),
        ("tried", "", "tried"),
        ("running_into", "", "found"),
        ("ran_into", "", "found"),
        ("planning", "", ""),
        ("see", "concept", "saw"),
        ("see", "place", "visited"),
        ("gives", "", "gave"),
        ("sneak_out_of", "", ""),
        ("住む", "", ""),
        ("_", "", ""),
    ],
)
def test_verbs_fold_by_whole_entries_of_the_table(predicate: str, target_type: str, found: str) -> None:
    assert canonical(predicate, target_type) == found


def test_what_somebody_does_to_the_speaker_is_told_of_the_speaker() -> None:
    text = "Ines inspires me."
    told = {**CLAIM, "subject": "Ines", "predicate": "inspires", "object": "me", "quote": text, "happened": None}
    (claim,) = proposal_of(text, {**told, "statement": "Ines inspires Maya."}).claims

    assert (claim.subject, claim.predicate, claim.object) == (MAYA, "inspired_by", ThingName("Ines", "person"))
    assert (claim.statement, claim.confidence) == ("Ines inspires Maya.", 0.6)


def test_a_verb_that_folds_into_nothing_is_an_attribute() -> None:
    claim = adopted(predicate="sneaked in", attributes={"breed": "beagle", "colour": "green"})

    assert (claim.predicate, claim.attributes) == ("did", (("breed", "beagle"), ("verb", "sneaked in")))
    assert adopted(predicate="sneak_in", statement="She did.").statement == "Maya: sneak in beagle."


SHOP = Ontology(
    entity_types={"person": EntityType(attributes={"tier": ""}), "concept": EntityType()},
    relation_types={"adopt": RelationType()},
)


@pytest.mark.parametrize(
    "predicate", ["adopt", "tier", "lives_in", "favorite_color", "marital_status", "founded_on", "also_known_as"]
)
def test_the_ontology_and_graphmem_know_predicates(predicate: str) -> None:
    assert is_known(predicate, SHOP, "person")


@pytest.mark.parametrize("predicate", ["adopted", "favorite_", "did", "plans"])
def test_nothing_knows_open_predicates(predicate: str) -> None:
    assert not is_known(predicate, SHOP, "person")


def test_a_closed_ontology_takes_open_claims_by_its_own_predicates_only() -> None:
    closed = replace(SHOP, open_types=False)
    others = {**CLAIM, "predicate": "walk", "object": None, "value": "beagle"}
    proposal = proposal_of(ADOPTED, {**CLAIM, "status": "wished"}, others, ontology=closed)

    assert ([claim.predicate for claim in proposal.claims], proposal.dropped) == (["wishes"], 1)


def test_a_predicate_of_the_ontology_is_no_status() -> None:
    wants = replace(SHOP, relation_types={"wants_to_adopt": RelationType()})
    (claim,) = proposal_of(ADOPTED, {**CLAIM, "predicate": "wants_to_adopt"}, ontology=wants).claims

    assert (claim.predicate, claim.open) == ("wants_to_adopt", False)


def test_a_known_predicate_stays_as_it_is_and_as_sure() -> None:
    (claim,) = proposal_of(ADOPTED, CLAIM, ontology=SHOP).claims

    assert (claim.open, claim.predicate, claim.confidence, claim.event) == (False, "adopt", 0.9, None)
    assert claim.valid_from == datetime(2025, 3, 7, tzinfo=UTC)


def test_of_known_predicates_only_those_of_what_happens_have_events() -> None:
    text = "I was in Rome last Friday."
    told = {**CLAIM, "object": "Rome", "statement": text, "quote": text}
    proposal = proposal_of(text, {**told, "predicate": "visited"}, {**told, "predicate": "lives_in"})

    assert [(claim.open, claim.event is not None) for claim in proposal.claims] == [(False, True), (False, False)]


def test_a_plan_is_a_fact_that_closes_after_its_day() -> None:
    claim = planned()

    assert (claim.predicate, claim.object, claim.value) == ("plans", None, "fly to Rome")
    assert claim.statement == "Maya will fly to Rome in April 2025."
    assert (claim.open, claim.kind, claim.event, claim.valid_from) == (True, ClaimKind.STARTS, None, None)
    assert claim.valid_to == datetime(2025, 5, 31, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "change", "predicate", "clause"),
    [
        ("I want to see Rome.", {"status": "wished", "statement": "Maya wants to see Rome."}, "wishes", "see Rome"),
        ("I can draw Rome.", {"status": "able", "statement": "Maya can draw Rome."}, "can", "draw Rome"),
        ("I never saw Rome.", {"status": "Negated ", "statement": "Maya never saw Rome."}, "not", "saw Rome"),
        ("I never saw Rome.", {"status": "negated", "statement": "Maya saw Rome."}, "not", "visited Rome"),
        ("My trip to Rome is planned.", {"statement": "Maya's trip to Rome is planned."}, "plans", None),
        ("I'll see Rome.", {"statement": "Maya will see Bonn.", "predicate": "see"}, "plans", "see Rome"),
        ("I'll see Rome.", {"statement": "Maya will travel by boat and car.", "predicate": "see"}, "plans", "see Rome"),
        ("I'll see Rome.", {"object": None, "statement": "Maya will see Rome."}, "plans", "see Rome"),
        ("I'll see Rome.", {"status": "", "predicate": "plans to see"}, "plans", "plans to see Rome"),
        ("I don't see Rome.", {"status": None, "predicate": "does_not_see"}, "not", "does not see Rome"),
    ],
    ids=str,
)
def test_what_is_not_asserted_is_a_clause(
    text: str, change: dict[str, Any], predicate: str, clause: str | None
) -> None:
    claim = planned(text, **change)

    assert (claim.predicate, claim.value) == (predicate, clause or "Maya's trip to Rome is planned")
    assert (claim.open, claim.object, claim.valid_to) == (True, None, None)


def test_a_sentence_that_hides_that_something_is_not_so_is_put_otherwise() -> None:
    claim = planned("I never saw Rome.", status="negated", statement="Maya saw Rome.", predicate="saw")

    assert claim.statement == "It is not so: Maya saw Rome."


@pytest.mark.parametrize("status", ["hypothetical", "planed", 7, ["planned"]], ids=str)
def test_a_claim_of_an_unknown_status_is_dropped_and_counted_and_no_other(status: object) -> None:
    proposal = proposal_of(PLAN, {**PLANNED, "status": status}, {**PLANNED, "status": "planned"})

    assert ([claim.predicate for claim in proposal.claims], proposal.dropped) == (["plans"], 1)


def test_what_has_ended_is_asserted_whatever_its_status() -> None:
    text = "I no longer live in Rome."
    told = {**PLANNED, "predicate": "lives_in", "status": "negated", "ends": True, "statement": text, "quote": text}
    (claim,) = proposal_of(text, told).claims

    assert (claim.kind, claim.predicate, claim.open) == (ClaimKind.ENDS, "lives_in", False)


@pytest.mark.parametrize(
    "change",
    [
        {"quote": "I adopted a poodle"},
        {"object": "cat"},
        {"object": None},
        {"object": None, "value": None, "ends": True},
        {"status": "planned", "object": None, "statement": "A dog."},
        {"subject": "Bruno"},
    ],
    ids=str,
)
def test_what_the_turn_does_not_bear_out_is_dropped(change: dict[str, Any]) -> None:
    proposal = proposal_of(ADOPTED, {**CLAIM, **change})

    assert (proposal.claims, proposal.dropped) == ([], 1)


@pytest.mark.parametrize(
    ("quote", "predicate", "target"),
    [
        ("I made you a cake.", "made", "cake"),
        ("Thanks for the cake!", "got", "cake"),
        ("Do I like cake?", "did", "cake"),
        ("We can do this.", "can", "do this"),
        ("Let's bake a cake.", "plans", "bake a cake"),
        ("A lot has happened since we last spoke.", "happened", "a lot"),
        ("Here's my cake", "has", "cake"),
        ("I have a picture of the lake.", "has", "a picture of the lake"),
        ("I sent some photos.", "gave", "photos"),
        ("I'm so happy", "feels", "so happy"),
        ("I did it.", "does", "it"),
        ("I'm going to work with them.", "plans", "work with them"),
        ("I like this thing.", "likes", "the thing"),
    ],
)
def test_chatter_is_left_out(quote: str, predicate: str, target: str) -> None:
    assert is_chatter(quote, predicate, target)


@pytest.mark.parametrize(
    ("quote", "predicate", "target"),
    [
        ("I baked a cake for Ines!", "cooked", "cake"),
        ("I'm happy with the new job.", "happy_with", "new job"),
        ("We went on a hike.", "went_on", "a hike"),
        ("I painted a picture of the lake.", "painted", "picture of the lake"),
        ("We talked to a lawyer.", "talked_to", "lawyer"),
        ("I'm grateful for the help.", "grateful_for", "help"),
        ("Where I come from, here and there", "comes_from", "Thankerton"),
        ("Ya vivo en Lisboa", "lives_near", "Lisboa"),
    ],
)
def test_what_is_worth_keeping_is_kept(quote: str, predicate: str, target: str) -> None:
    assert not is_chatter(quote, predicate, target)


def test_chatter_is_counted_and_leaves_known_predicates_alone() -> None:
    text = "You know I live in Rome with my beagle."
    told = {**PLANNED, "status": "asserted", "statement": "Maya is in Rome.", "quote": text}
    proposal = proposal_of(text, {**told, "predicate": "lives_in"}, {**told, "predicate": "walks", "object": "beagle"})

    assert [claim.predicate for claim in proposal.claims] == ["lives_in"]
    assert proposal.dropped == 1


@pytest.mark.parametrize("text", ["Do I live in Rome?", "If I lived in Rome, I'd smile.", "Suppose I live in Rome."])
def test_what_is_asked_or_supposed_is_dropped_whatever_its_predicate(text: str) -> None:
    told = {**PLANNED, "status": "asserted", "statement": "Maya lives in Rome.", "quote": text.rstrip("?.")}
    proposal = proposal_of(text, {**told, "predicate": "lives_in"})
    assert (proposal.claims, proposal.dropped) == ([], 1)


@pytest.mark.parametrize(
    ("text", "key", "value", "kept"),
    [
        ("I'm so happy today!", "mood", "happy", 0),
        ("Thank you, you are the best!", "thanks", "the best", 0),
        ("Do I like pizza?", "likes", "pizza", 0),
        ("I like pizza.", "likes", "pizza", 1),
    ],
)
def test_moods_thanks_and_questions_are_no_facts(text: str, key: str, value: str, kept: int) -> None:
    fact = {
        "turn": 0,
        "category": "preference",
        "key": key,
        "value": value,
        "confidence": 0.9,
        "importance": 0.5,
        "quote": text,
    }
    extraction = Extraction.model_validate({"facts": [fact]})
    episode = Episode(group_id="g", session="s", content=text, occurred_at=SAID_AT, speaker="Maya")
    (proposal,) = propose(extraction, [SourceTurn(episode, MAYA)], ALONE, DEFAULT_ONTOLOGY)
    assert (len(proposal.claims), proposal.dropped) == (kept, 1 - kept)
