"""Who is who as it is computed: what is the same is merged by the job, whatever the order of what was said."""

import random
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import combinations

import pytest

from graphmem.clock import utc_now
from graphmem.memory import Memory
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ThingName
from graphmem.model.interval import END
from graphmem.model.matching import MatchingSettings, Method, Stage, Verdict
from graphmem.model.scope import Scope
from graphmem.recall.names import meant_by, near_names
from graphmem.settings.matching import MatchingTable
from graphmem.store.driver import Database
from tests.models import embedder, memory_on
from tests.records import records
from tests.seeds import seeds

EPOCH = datetime(2025, 1, 1, tzinfo=UTC)
KINDS = {"Room": "room", "Hyrule": "organization"}


@pytest.fixture
def memory(database: Database) -> Memory:
    return memory_on(database, embeds=embedder())


def claim(name: str, predicate: str = "met", value: str = "Ann", number: int = 0, user: str = "") -> StructuredClaim:
    at = EPOCH + timedelta(days=number)
    kind = KINDS.get(name.split(maxsplit=1)[0], "person")
    return StructuredClaim(
        subject=ThingName(name, kind), predicate=predicate, value=value, valid_from=at, occurred_at=at, user=user
    )


async def compare(memory: Memory, group: str) -> None:
    """What the job does, to its end."""
    await memory.matching.follow_settings(group)
    while await memory.matching.index_some(group, 20) or await memory.matching.embed_some(group, 20):
        pass
    await memory.matching.refine(group)
    while await memory.matching.compare_some(group, 10) or await memory.matching.compare_views(group, 10):
        pass


async def clusters(memory: Memory, group: str) -> set[frozenset[str]]:
    """The names of those that are the same."""
    found = await memory.reader.entities(Scope(group, END), limit=500)
    by_root: dict[str, set[str]] = {}
    for entity in found:
        by_root.setdefault(entity.part_of or entity.id, set()).add(entity.name)
    return {frozenset(names) for names in by_root.values() if len(names) > 1}


async def told(memory: Memory, group: str, claims: Iterable[StructuredClaim]) -> None:
    for one in claims:
        await memory.intake.assert_claims(group, [one])


async def test_what_is_safely_the_same_is_merged_and_what_is_not_is_not(memory: Memory, group: str) -> None:
    names = ["Tomasz Okafor", "Okafor, Tomasz", "Tomasz OKAFOR.", "Dr. Tomasz Okafor", "Room 101", "Room 102", "Tigran"]
    names += ["Hyrule Labs Inc.", "Hyrule Labs, Incorporated", "Tomas Baker", "Tomasz Okafor Jr."]
    await told(memory, group, [claim(name, number=number) for number, name in enumerate(names)])
    await compare(memory, group)

    assert await clusters(memory, group) == {
        frozenset({"Tomasz Okafor", "Okafor, Tomasz", "Tomasz OKAFOR.", "Dr. Tomasz Okafor"}),
        frozenset({"Hyrule Labs Inc.", "Hyrule Labs, Incorporated"}),
    }
    made = await memory.merging.merges(Scope(group, END))
    assert {one.method for one in made} == {"score"}
    assert len({one.other for one in made}) == 2


async def test_an_equal_identifier_decides_and_what_is_withdrawn_decides_no_more(memory: Memory, group: str) -> None:
    await told(memory, group, [claim("Ann Baker", "email", "ann@example.com", 0)])
    (receipt,), _ = await memory.intake.assert_claims(group, [claim("Ann Cole", "email", "Ann@Example.com", 1)])
    await compare(memory, group)
    assert await clusters(memory, group) == {frozenset({"Ann Baker", "Ann Cole"})}
    (made,) = await memory.merging.merges(Scope(group, END))
    assert made.method == "identifier"

    await memory.intake.retract(group, receipt.claim_id)
    await compare(memory, group)
    assert await clusters(memory, group) == set()


async def test_what_identifies_is_compared_however_much_else_is_said(memory: Memory, group: str) -> None:
    await told(
        memory, group, [claim("Ann Baker", "email", "ann@example.com"), claim("Ann Cole", "contact", "+4930231254")]
    )
    both = claim("Ann Cole", "email", "Ann@Example.com", 1), claim("Ann Smith", "phone", "+49 30 231254", 1)
    await told(memory, group, [*both, claim("Ann Cole", "zip_code", "10117", 1)])
    others = [
        *(claim("Ann Cole", "bought", f"book {number:03}", 2) for number in range(400)),
        *(claim("Ann Cole", "contact", f"by way of {number:03}", 2) for number in range(40)),
    ]
    await memory.intake.assert_claims(group, others)
    await compare(memory, group)
    assert await clusters(memory, group) == {frozenset({"Ann Baker", "Ann Cole", "Ann Smith"})}

    (cole,) = [one.id for one in await memory.reader.entities(Scope(group, END)) if one.name == "Ann Cole"]
    known = (await memory.judging.profiles(group, [cole]))[cole]
    counts = {predicate: len(values) for predicate, values in known.values.items()}
    assert counts == {"bought": 190, "contact": 8, "email": 1, "zip_code": 1}


async def test_what_somebody_said_is_never_computed_away(memory: Memory, group: str) -> None:
    await told(memory, group, [claim("Tomasz Okafor"), claim("Okafor, Tomasz", number=1), claim("Tom", number=2)])
    await compare(memory, group)
    (made,) = await memory.merging.merges(Scope(group, END))
    await memory.merging.revert(group, made.id, reason="father and son")
    await told(memory, group, [claim("Okafor, Tomasz", "likes", "tea", 3)])
    await compare(memory, group)
    assert await clusters(memory, group) == set()

    by_name = {entity.name: entity.id for entity in await memory.reader.entities(Scope(group, END))}
    await memory.merging.merge(group, by_name["Tom"], by_name["Tomasz Okafor"], reason="his friends call him so")
    await compare(memory, group)
    assert await clusters(memory, group) == {frozenset({"Tom", "Tomasz Okafor"})}


async def test_what_was_said_for_one_user_decides_nothing_for_everybody(memory: Memory, group: str) -> None:
    await told(memory, group, [claim("Ann Baker", number=0), claim("Ann Cole", number=1)])
    private = [
        claim("Ann Baker", "email", "a@example.com", user="u"),
        claim("Ann Cole", "email", "a@example.com", user="v"),
    ]
    await told(memory, group, private)
    await told(memory, group, [claim("Tomasz Okafor", user="u"), claim("Okafor, Tomasz", user="v")])
    await compare(memory, group)
    assert await clusters(memory, group) == set()
    assert await memory.merging.merges(Scope(group, END)) == []


NAMES = (
    "Tomasz Okafor",
    "Okafor, Tomasz",
    "Dr. Tomasz Okafor",
    "T. Okafor",
    "Tom",
    "Tomas Okafor",
    "Room 101",
    "Room 102",
)


async def test_what_is_thought_of_a_pair_is_what_a_person_said_of_it(memory: Memory, group: str) -> None:
    await told(memory, group, [claim("Tomasz Okafor"), claim("Okafor, Tomasz", number=1), claim("Tom", number=2)])
    await compare(memory, group)
    (made,) = await memory.merging.merges(Scope(group, END))
    await memory.merging.revert(group, made.id, reason="father and son")
    judgement = (await memory.judging.explain(group, made.member, made.other)).judgement
    assert (judgement.verdict, judgement.method) == (Verdict.DIFFERENT, Method.HUMAN)

    by_name = {entity.name: entity.id for entity in await memory.reader.entities(Scope(group, END))}
    await memory.merging.merge(group, by_name["Tom"], made.member, reason="his friends call him so")
    judgement = (await memory.judging.explain(group, made.member, by_name["Tom"])).judgement
    assert (judgement.verdict, judgement.method) == (Verdict.SAME, Method.HUMAN)


@pytest.mark.parametrize("at_once", [True, False])
async def test_who_was_compared_before_a_key_became_too_common_makes_no_difference(
    database: Database, group: str, *, at_once: bool
) -> None:
    memory = memory_on(database, embeds=embedder(), matching=MatchingSettings(most_holders=4))
    given = ["Ann", "Bea", "Cleo", "Dora", "Edna"]
    claims = [claim(f"{name} Okafor", "email", "all@okafor.example", number) for number, name in enumerate(given)]
    await told(memory, group, claims[:4])
    if not at_once:
        await compare(memory, group)
    await told(memory, group, claims[4:])
    await compare(memory, group)
    assert await proposed(memory, group) == set()

    (receipt,), _ = await memory.intake.assert_claims(group, claims[:1])
    await memory.intake.retract(group, receipt.claim_id)
    await compare(memory, group)
    assert {frozenset({f"{a} Okafor", f"{b} Okafor"}) for a, b in combinations(given[1:], 2)} == await proposed(
        memory, group
    )


async def proposed(memory: Memory, group: str) -> set[frozenset[str]]:
    """The names of pairs of which more is thought than that they differ."""
    found = await memory.reader.entities(Scope(group, END), limit=500)
    names = {entity.id: entity.name for entity in found}
    thought = await memory.judging.computed(group, names.keys())
    return {
        frozenset(names[id_] for id_ in pair) for pair, one in thought.items() if one.verdict is not Verdict.DIFFERENT
    }


SAID = (
    ("email", "t@example.com"),
    ("email", "o@example.com"),
    ("born", "1970-01-02"),
    ("born", "1971-03-04"),
    ("met", "Ann"),
)


@pytest.mark.parametrize("seed", seeds(4))
async def test_any_order_and_any_batches_give_the_same_clusters(memory: Memory, group: str, seed: int) -> None:
    chosen = random.Random(seed)  # noqa: S311 - no secret
    claims = [
        claim(name, *said, number=number)
        for number, name in enumerate(NAMES)
        for said in chosen.sample(SAID, chosen.randint(1, 3))
    ]
    await told(memory, f"{group}-1", claims)
    await compare(memory, f"{group}-1")
    chosen.shuffle(claims)
    for one in claims:
        await memory.intake.assert_claims(f"{group}-2", [one])
        if chosen.random() < 0.3:
            await compare(memory, f"{group}-2")
    await compare(memory, f"{group}-2")

    assert await clusters(memory, f"{group}-1") == await clusters(memory, f"{group}-2")


@pytest.fixture
def refining(database: Database) -> Memory:
    return memory_on(database, matching=MatchingSettings(refine=True))


@pytest.mark.full
async def test_weights_are_learnt_from_the_group_and_a_pair_says_so(
    database: Database, refining: Memory, group: str
) -> None:
    memory = memory_on(database)
    await memory.intake.assert_claims(group, records(60))
    while await memory.matching.index_some(group, 100):
        pass
    a, b = [one.id for one in await memory.reader.entities(Scope(group, END), limit=500) if one.name == "Ann Okafor"]
    before = (await memory.judging.explain(group, a, b)).judgement

    assert await refining.matching.refine(group) == 1
    after = (await refining.judging.explain(group, a, b)).judgement
    await compare(refining, group)

    weights = [{one.part: one.weight for one in judgement.contributions} for judgement in (before, after)]
    assert [one.part for one in before.contributions if one.refined] == []
    assert {"city"} <= {one.part for one in after.contributions if one.refined}
    assert weights[0]["city"] < weights[1]["city"]
    assert after.score == pytest.approx(sum(weights[1].values()))
    assert (await memory.judging.computed(group, {a}))[after.pair] == after


@pytest.mark.full
async def test_what_is_learnt_otherwise_has_the_type_compared_again_and_is_forgotten_when_switched_off(
    database: Database, refining: Memory, group: str
) -> None:
    memory = memory_on(database)
    await memory.intake.assert_claims(group, [*records(60), claim("Room 101", "floor", "1")])
    await compare(memory, group)

    learnt = [await refining.matching.refine(group), await refining.matching.refine(group)]
    due = await memory.store.due_to_match(group, 500)
    await memory.store.matched(group, due)
    forgotten = [await memory.matching.refine(group), await memory.matching.refine(group)]

    assert (learnt, forgotten) == ([1, 0], [1, 0])
    assert len(due) == len(await memory.store.due_to_match(group, 500)) == 120
    assert await memory.store.refined_weights(group) == {}


@pytest.mark.full
async def test_in_any_order_the_same_is_learnt_and_merged(refining: Memory, group: str) -> None:
    claims, chosen = records(60), random.Random(7)  # noqa: S311 - no secret
    await refining.intake.assert_claims(f"{group}-1", claims)
    await compare(refining, f"{group}-1")
    chosen.shuffle(claims)
    for at in range(0, len(claims), 150):
        await refining.intake.assert_claims(f"{group}-2", claims[at : at + 150])
        if at != 150:
            await compare(refining, f"{group}-2")
    learnt = [await refining.store.refined_weights(f"{group}-{number}") for number in (1, 2)]

    assert learnt[0].keys() == {"person"}
    assert learnt[0] == learnt[1]
    assert await members(refining, f"{group}-1") == await members(refining, f"{group}-2")


async def members(memory: Memory, group: str) -> set[frozenset[str]]:
    """The qualifiers of those that are the same."""
    by_root: dict[str, set[str]] = {}
    for entity in await memory.reader.entities(Scope(group, END), limit=500):
        by_root.setdefault(entity.part_of or entity.id, set()).add(entity.qualifier)
    return {frozenset(some) for some in by_root.values() if len(some) > 1}


@pytest.mark.full
async def test_what_has_three_attributes_is_not_learnt_from(refining: Memory, group: str) -> None:
    three = [one for one in records(60) if one.predicate in ("born", "city", "member_code")]
    await refining.intake.assert_claims(group, three)
    await compare(refining, group)
    assert await refining.store.refined_weights(group) == {}


async def test_two_of_a_source_that_tells_of_each_once_are_never_one(memory: Memory, group: str) -> None:
    def of(source: str, id_: str, email: str) -> StructuredClaim:
        subject = ThingName("Ann Baker", "person", f"{source}:{id_}")
        at = EPOCH + timedelta(days=int(id_))
        return StructuredClaim(subject=subject, predicate="email", value=email, valid_from=at, occurred_at=at)

    claims = [of("a", "1", "x@example.com"), of("a", "2", "x@example.com"), of("b", "3", "x@example.com")]
    born = [replace(one, predicate="born", value="1970-01-02") for one in (claims[0], claims[2])]
    await memory.intake.assert_claims(group, [*claims, *born])
    await compare(memory, group)
    assert len(await memory.merging.merges(Scope(group, END))) == 2

    await memory.matching.set_unique_source(group, "a", unique=True)
    await compare(memory, group)
    assert len(await memory.merging.merges(Scope(group, END))) == 1
    assert await memory.matching.unique_sources(group) == ["a"]


async def test_what_is_uncertain_is_asked_once(memory: Memory, group: str) -> None:
    await told(memory, group, [claim("Thomas Okafor", "born", "1970-01-02", 0), claim("Tom Okafor", number=1)])
    await compare(memory, group)
    (asked,) = await memory.merging.reviews(Scope(group, END))
    assert asked.pending
    assert sum(part.weight for part in asked.judgement.contributions) == pytest.approx(asked.judgement.score)

    await memory.merging.decide(group, asked.id, Verdict.DIFFERENT, reason="cousins")
    await told(memory, group, [claim("Tom Okafor", "likes", "tea", 2)])
    await compare(memory, group)
    assert await memory.merging.reviews(Scope(group, END)) == []
    assert await clusters(memory, group) == set()

    await memory.merging.decide(group, asked.id, Verdict.SAME, reason="no, one")
    assert await clusters(memory, group) == {frozenset({"Thomas Okafor", "Tom Okafor"})}


@pytest.mark.parametrize(("off", "asked"), [([], [Stage.RULES]), (["rules"], [])])
async def test_a_stage_that_is_off_proposes_nothing(
    database: Database, group: str, off: list[str], asked: list[Stage]
) -> None:
    stages = {stage: {"enabled": False} for stage in off}
    table = MatchingTable.model_validate({"types": {"person": {"stages": stages}}})
    memory = memory_on(database, embeds=embedder(), matching=table.settings())
    await told(memory, group, [claim("William Gates", "born", "1970-01-02"), claim("Bill Gates", number=1)])
    await compare(memory, group)

    assert [one.judgement.stage for one in await memory.merging.reviews(Scope(group, END))] == asked


@pytest.mark.parametrize(
    ("person", "merged", "asked"),
    [({}, 1, 0), ({"same_from": 99.0}, 0, 1), ({"same_from": 99.0, "review_from": 98.0}, 0, 0)],
)
async def test_other_scores_decide_otherwise(
    database: Database, group: str, person: dict[str, float], merged: int, asked: int
) -> None:
    memory = memory_on(
        database, embeds=embedder(), matching=MatchingTable.model_validate({"types": {"person": person}}).settings()
    )
    await told(memory, group, [claim("Tomasz Okafor"), claim("Okafor, Tomasz", number=1)])
    await compare(memory, group)

    assert len(await clusters(memory, group)) == merged
    assert len(await memory.merging.reviews(Scope(group, END))) == asked


async def test_other_settings_are_followed_by_all_that_was_compared_before(database: Database, group: str) -> None:
    before = memory_on(database, embeds=embedder())
    await told(before, group, [claim("Ann Baker", "badge", "B-7"), claim("Cleo Dunn", "badge", "b 7", 1)])
    await compare(before, group)
    assert await clusters(before, group) == set()

    after = memory_on(database, embeds=embedder(), matching=MatchingTable(keys=frozenset({"badge"})).settings())
    await compare(after, group)
    assert await clusters(after, group) == {frozenset({"Ann Baker", "Cleo Dunn"})}
    (made,) = await after.merging.merges(Scope(group, END))
    assert made.method == "identifier"

    await compare(before, group)
    assert await clusters(before, group) == set()


async def test_what_would_move_too_much_waits_for_somebody(
    memory: Memory, group: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("Tomasz Okafor", "Okafor, Tomasz"):
        await memory.intake.assert_claims(group, [claim(name, "met", f"{name} {n}", n) for n in range(4)])
    await told(memory, group, [claim("Hyrule Labs Inc."), claim("Hyrule Labs, Incorporated", number=1)])
    monkeypatch.setattr("graphmem.store.change.moves.MOST_MOVED", 2)

    await compare(memory, group)

    assert await clusters(memory, group) == {frozenset({"Hyrule Labs Inc.", "Hyrule Labs, Incorporated"})}
    (asked,) = await memory.merging.reviews(Scope(group, END))
    assert "at once" in asked.refused


async def protect(memory: Memory, group: str, name: str, *, protected: bool = True) -> str:
    (found,) = await memory.reader.entities(Scope(group, END), name=name)
    await memory.merging.protect(group, found.id, protected=protected)
    return found.id


async def test_what_is_protected_leaves_a_computed_merge_and_comes_back(memory: Memory, group: str) -> None:
    names = ("Tomasz Okafor", "Okafor, Tomasz", "Dr. Tomasz Okafor")
    await told(memory, group, [claim(name, number=number) for number, name in enumerate(names)])
    await compare(memory, group)
    assert await clusters(memory, group) == {frozenset(names)}

    for name in names:
        id_ = await protect(memory, group, name)
        await compare(memory, group)
        assert await clusters(memory, group) == {frozenset(names) - {name}}
        asked = await memory.merging.reviews(Scope(group, END))
        assert asked
        assert all(id_ in one.judgement.pair for one in asked)

        await told(memory, group, [claim(one, "email", "t@example.com", number=9) for one in names])
        await compare(memory, group)
        assert await clusters(memory, group) == {frozenset(names) - {name}}

        await protect(memory, group, name, protected=False)
        await compare(memory, group)
        assert await clusters(memory, group) == {frozenset(names)}


async def test_what_people_merged_stays_when_it_is_protected_and_nothing_joins_it(memory: Memory, group: str) -> None:
    await told(memory, group, [claim("Tomasz Okafor"), claim("Tom", number=1)])
    by_name = {entity.name: entity.id for entity in await memory.reader.entities(Scope(group, END))}
    await memory.merging.merge(group, by_name["Tom"], by_name["Tomasz Okafor"], reason="his friends call him so")
    await protect(memory, group, "Tom")
    await told(memory, group, [claim("Okafor, Tomasz", number=2), claim("Dr. Tomasz Okafor", number=3)])
    await compare(memory, group)

    assert await clusters(memory, group) == {
        frozenset({"Tom", "Tomasz Okafor"}),
        frozenset({"Okafor, Tomasz", "Dr. Tomasz Okafor"}),
    }
    assert any("is protected" in one.refused for one in await memory.merging.reviews(Scope(group, END)))


async def test_whether_it_was_protected_is_known_as_of_then(memory: Memory, group: str) -> None:
    await told(memory, group, [claim("Tomasz Okafor")])
    moments = [utc_now()]
    for protected in (True, True, False):
        await protect(memory, group, "Tomasz Okafor", protected=protected)
        moments.append(utc_now())

    known = [await memory.reader.entities(Scope(group, END, known_at=at)) for at in moments]
    assert [one.protected for (one,) in known] == [False, True, True, False]


def nothing(*_: object) -> set[str]:
    return set()


async def test_two_kept_apart_do_not_meet_by_way_of_a_third_that_came_before(
    memory: Memory, group: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphmem.identity.matching.moved", nothing)  # as in a group of many
    junior = claim("Tomasz Okafor Jr.", "email", "t@example.com", 0)
    third = claim("T. Okafor", "email", "t@example.com", 1), claim("T. Okafor", "passport", "C04417725", 1)
    senior = claim("Tomasz Okafor Sr.", "passport", "C04417725", 2)
    orders = [(junior, *third, senior), (senior, *third, junior), (*third, junior, senior)]
    for number, order in enumerate(orders):
        for one in order:
            await memory.intake.assert_claims(f"{group}-{number}", [one])
            await compare(memory, f"{group}-{number}")

    found = [await clusters(memory, f"{group}-{number}") for number in range(len(orders))]
    assert found[0] == found[1] == found[2]
    assert all(len(some) == 2 for some in found[0])
    assert len(await memory.merging.reviews(Scope(f"{group}-0", END))) == 1


async def test_nobody_is_his_own_father_whatever_the_names(memory: Memory, group: str) -> None:
    father, son = (ThingName("George Foremanian", "person", qualifier=f"crm:{number}") for number in (1, 2))
    bound = replace(claim(father.name), subject=father, predicate="father_of", value=None, object=son)
    await told(memory, group, [bound, replace(claim(son.name), subject=son)])
    await compare(memory, group)
    assert await memory.merging.merges(Scope(group, END)) == []
    assert len(await memory.reader.entities(Scope(group, END))) == 2


async def test_names_spelt_much_like_one_that_nobody_bears_are_told(memory: Memory, group: str) -> None:
    await told(memory, group, [claim("Nora Lindqvist"), claim("Ida Moreau")])
    await compare(memory, group)
    scope = Scope(group, END)
    for name, near in (("Norra Lindquist", ["Nora Lindqvist"]), ("Nora Lindqvst", ["Nora Lindqvist"]), ("Bob", [])):
        assert await near_names(memory.store, scope, name) == near
    assert [one.name for one in await meant_by(memory.store, scope, "Lindqvist", limit=5)] == ["Nora Lindqvist"]
