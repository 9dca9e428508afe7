"""Short names on the database: what is said of “Tom” is believed of whom it means there, whatever the order."""

import asyncio
import random
from collections.abc import Iterable
from datetime import timedelta

import pytest

from graphmem.memory import Memory
from graphmem.model.entity import normalise_name
from graphmem.model.episode import Episode
from graphmem.model.ids import entity_id
from graphmem.model.interval import END
from graphmem.model.matching import Method, Verdict
from graphmem.model.merge import Merge
from graphmem.model.scope import Scope
from graphmem.recall.reader import GraphQuery
from graphmem.store.change.evidence import EvidenceStore
from graphmem.store.driver import Database
from graphmem.store.matching import MOST_TEXTS
from tests.models import digest, extractor, memory_on, shipped_queries
from tests.seeds import seeds
from tests.store.test_matching import EPOCH, claim, clusters, compare

LATER = EPOCH + timedelta(days=99)


@pytest.fixture
def evidence(database: Database) -> EvidenceStore:
    return EvidenceStore(database, shipped_queries())


@pytest.fixture
def memory(database: Database, evidence: EvidenceStore) -> Memory:
    return memory_on(database, evidence=evidence)


def turn(group: str, number: int, session: str, content: str, user: str = "") -> Episode:
    at = EPOCH + timedelta(days=number)
    return Episode(group_id=group, session=session, content=content, occurred_at=at, user=user)


async def say(memory: Memory, group: str, turns: Iterable[Episode]) -> None:
    for episode in turns:
        (remembered,) = await memory.intake.remember(group, [episode])
        await digest(memory, group, remembered.id)


def id_of(group: str, name: str) -> str:
    return entity_id(group, normalise_name(name))


async def merges(memory: Memory, group: str, user: str | None = None) -> list[Merge]:
    return list(await memory.merging.merges(Scope(group, END, user=user), limit=1_000))


async def meanings(memory: Memory, group: str) -> set[tuple[str | None, str, str]]:
    """(session, user, the id of whom it means)."""
    found = await merges(memory, group)
    return {(one.session, one.user, one.other) for one in found if one.session is not None}


async def homes(memory: Memory, scope: Scope) -> set[tuple[str, str]]:
    graph = await memory.reader.graph(scope, GraphQuery())
    names = {entity.id: entity.name for entity in graph.entities}
    return {(names[row.subject_id], names[row.object_id or ""]) for row in graph.beliefs if row.predicate == "lives_in"}


async def test_in_each_session_another_tom(memory: Memory, group: str) -> None:
    said = [
        turn(group, 0, "one", "Tom lives_in Rome"),
        turn(group, 1, "one", "Tom_Okafor knows Ann"),
        turn(group, 2, "two", "Tom_Baker knows Ann"),
        turn(group, 3, "two", "Tom lives_in Oslo"),
        turn(group, 4, "two", "Ann knows Tom"),
    ]
    await say(memory, group, said)
    assert await homes(memory, Scope(group, LATER)) == {("Tom", "Rome"), ("Tom Baker", "Oslo")}
    (at_once,) = await merges(memory, group)
    assert (at_once.session, at_once.other) == ("two", id_of(group, "Tom Baker"))

    while await memory.matching.index_some(group, 20):
        pass
    tried = await memory.matching.try_some(group, 50)
    assert tried is not None
    assert [(one.session, one.other) for one in tried.open] == [("one", id_of(group, "Tom Okafor"))]
    assert await merges(memory, group) == [at_once]
    await compare(memory, group)

    assert await meanings(memory, group) == {
        ("one", "", id_of(group, "Tom Okafor")),
        ("two", "", id_of(group, "Tom Baker")),
    }
    assert await homes(memory, Scope(group, LATER)) == {("Tom Okafor", "Rome"), ("Tom Baker", "Oslo")}
    made = await merges(memory, group)
    assert {one.method for one in made} == {Method.CONTEXT}
    assert at_once in made
    asked = [one.judgement.pair for one in await memory.merging.reviews(Scope(group, END))]
    assert not any(id_of(group, "Tom") in pair for pair in asked)
    before = max(one.recorded_at for one in made) - timedelta(microseconds=1)
    assert await homes(memory, Scope(group, LATER, before)) == {("Tom", "Rome"), ("Tom Baker", "Oslo")}


async def test_whether_it_is_asked_about_does_not_hang_on_the_sessions_of_others(memory: Memory, group: str) -> None:
    """A claim about a short name that nobody said in a session is asked about, whatever one user's sessions say."""
    await memory.intake.assert_claims(group, [claim("Tom", "likes", "tea"), claim("Tom Okafor", "met", "Bea", 1)])
    await say(memory, group, [turn(group, 0, "one", "Tom lives_in Rome", user="u")])
    await compare(memory, group)
    (asked,) = [one for one in await memory.merging.reviews(Scope(group, END)) if not one.user]
    assert asked.judgement.method is not Method.CONTEXT


async def test_said_at_once_it_means_the_fuller_name_of_the_batch(memory: Memory, group: str) -> None:
    said = [
        turn(group, 0, "one", "Tom lives_in Rome"),
        turn(group, 1, "two", "Tom lives_in Oslo"),
        turn(group, 2, "one", "Tom_Okafor knows Ann"),
        turn(group, 3, "two", "Ann knows Tom"),
    ]
    remembered = await memory.intake.remember(group, said)
    leases = [await memory.digestion.lease(group, one.id, 60) for one in remembered]
    await memory.bulk.digest([lease for lease in leases if lease])

    assert await meanings(memory, group) == {("one", "", id_of(group, "Tom Okafor"))}
    assert await homes(memory, Scope(group, LATER)) == {("Tom Okafor", "Rome"), ("Tom", "Oslo")}
    await compare(memory, group)
    assert await homes(memory, Scope(group, LATER)) == {("Tom Okafor", "Rome"), ("Tom", "Oslo")}


async def test_who_was_spoken_of_before_waits_for_the_job(memory: Memory, group: str) -> None:
    said = [
        turn(group, 0, "one", "Tom lives_in Rome"),
        turn(group, 1, "one", "Tom_Okafor knows Ann"),
        turn(group, 2, "one", "Tom knows Bob"),
    ]
    await say(memory, group, said)
    assert await meanings(memory, group) == set()
    await compare(memory, group)
    assert await homes(memory, Scope(group, LATER)) == {("Tom Okafor", "Rome")}


async def test_two_who_say_it_first_at_once_agree(memory: Memory, group: str) -> None:
    await say(memory, group, [turn(group, 0, "one", "Tom_Okafor knows Ann")])
    said = [turn(group, number, "one", f"Tom likes {name}") for number, name in enumerate(["Rome", "Oslo", "Bonn"], 1)]
    remembered = await memory.intake.remember(group, said)
    async with asyncio.TaskGroup() as tasks:
        for one in remembered:
            tasks.create_task(digest(memory, group, one.id))

    assert len(await merges(memory, group)) == 1
    graph = await memory.reader.graph(Scope(group, LATER), GraphQuery())
    assert {row.subject_id for row in graph.beliefs if row.predicate == "likes"} == {id_of(group, "Tom Okafor")}


async def test_of_many_who_have_a_word_only_those_of_the_session_are_meant(memory: Memory, group: str) -> None:
    many = [
        turn(group, 0, "zero", f"Tom_{chr(97 + number // 26)}{chr(97 + number % 26)}son knows Ann")
        for number in range(70)
    ]
    leases = [await memory.digestion.lease(group, one.id, 60) for one in await memory.intake.remember(group, many)]
    await memory.bulk.digest([lease for lease in leases if lease])
    while await memory.matching.index_some(group, 100):
        pass
    await say(memory, group, [turn(group, 1, "one", "Tom lives_in Oslo")])
    assert await meanings(memory, group) == set()

    await say(memory, group, [turn(group, 2, "two", "Tom_Baker knows Ann"), turn(group, 3, "two", "Tom lives_in Rome")])
    assert await meanings(memory, group) == {("two", "", id_of(group, "Tom Baker"))}


async def test_what_he_did_in_one_session_is_nobodys_in_another(memory: Memory, group: str) -> None:
    said = [
        turn(group, 0, "zero", "Tom_Baker knows Ann"),
        turn(group, 1, "one", "Tom_Okafor knows Ann"),
        turn(group, 2, "one", "Tom lives_in Rome"),
        turn(group, 3, "two", "Tom lives_in Oslo"),
    ]
    await say(memory, group, said)
    assert await homes(memory, Scope(group, EPOCH + timedelta(days=2))) == {("Tom Okafor", "Rome")}
    assert await homes(memory, Scope(group, LATER)) == {("Tom Okafor", "Rome"), ("Tom", "Oslo")}
    graph = await memory.reader.graph(Scope(group, LATER), GraphQuery())
    (oslo,) = [row for row in graph.beliefs if row.subject_id == id_of(group, "Tom") and row.predicate == "lives_in"]
    assert [one.quote for one in oslo.evidence] == ["Tom lives_in Oslo"]
    assert await homes(memory, Scope(group, EPOCH + timedelta(days=2, hours=1))) == {("Tom Okafor", "Rome")}


async def test_a_second_tom_takes_it_back(memory: Memory, group: str) -> None:
    await say(
        memory, group, [turn(group, 0, "one", "Tom lives_in Rome"), turn(group, 1, "one", "Tom_Okafor knows Ann")]
    )
    await compare(memory, group)
    (merge,) = await merges(memory, group)

    await say(memory, group, [turn(group, 2, "one", "Tom_Baker knows Ann")])
    await compare(memory, group)

    assert await merges(memory, group) == []
    assert await homes(memory, Scope(group, LATER)) == {("Tom", "Rome")}
    closed = await memory.access.merge(group, merge.id, None)
    assert closed.superseded_at < END
    assert await homes(memory, Scope(group, LATER, merge.recorded_at)) == {("Tom Okafor", "Rome")}


async def test_two_spellings_of_one_are_one(memory: Memory, group: str) -> None:
    said = [
        turn(group, 0, "one", "Tom lives_in Rome"),
        turn(group, 1, "one", "Tom_Okafor knows Ann"),
        turn(group, 2, "one", "Thomas_Okafor knows Bob"),
    ]
    await say(memory, group, said)
    await compare(memory, group)
    assert await meanings(memory, group) == set()

    await memory.merging.merge(
        group, id_of(group, "Tom Okafor"), id_of(group, "Thomas Okafor"), reason="his passport says so"
    )
    await compare(memory, group)

    assert await homes(memory, Scope(group, LATER)) == {("Tom Okafor", "Rome")}


async def test_a_merge_that_somebody_reverts_is_not_made_again(memory: Memory, group: str) -> None:
    said = [turn(group, 0, "one", "Tom lives_in Rome"), turn(group, 1, "one", "Tom_Okafor knows Ann")]
    await say(memory, group, said)
    await compare(memory, group)
    (merge,) = await merges(memory, group)

    await memory.merging.revert(group, merge.id, reason="another one")
    assert await homes(memory, Scope(group, LATER)) == {("Tom", "Rome")}
    await say(memory, group, [turn(group, 3, "one", "Tom knows Ann")])
    await compare(memory, group)

    assert await merges(memory, group) == []


async def test_a_revert_takes_back_what_it_means_in_that_session_alone(memory: Memory, group: str) -> None:
    said = [
        turn(group, 0, "one", "Tom lives_in Rome"),
        turn(group, 1, "one", "Tom_Okafor knows Ann"),
        turn(group, 2, "three", "Tom_Okafor knows Bob"),
        turn(group, 3, "three", "Tom lives_in Oslo"),
    ]
    await say(memory, group, said)
    await compare(memory, group)
    okafor = id_of(group, "Tom Okafor")
    of_one, of_three = sorted(await merges(memory, group), key=lambda one: one.session or "")
    assert {(one.session, one.other) for one in (of_one, of_three)} == {("one", okafor), ("three", okafor)}

    done = await memory.merging.revert(group, of_one.id, reason="in this session it is another one")

    assert ([one.id for one in done.closed], done.opened) == ([of_one.id], ())
    assert await homes(memory, Scope(group, LATER)) == {("Tom", "Rome"), ("Tom Okafor", "Oslo")}
    await say(memory, group, [turn(group, 4, "one", "Tom knows Ann"), turn(group, 5, "two", "Tom knows Bob")])
    await compare(memory, group)
    assert await meanings(memory, group) == {("two", "", okafor), ("three", "", okafor)}
    assert of_three in await merges(memory, group)
    assert await homes(memory, Scope(group, LATER)) == {("Tom", "Rome"), ("Tom Okafor", "Oslo")}


async def test_a_reverted_short_name_means_no_other_spelling_of_him_either(memory: Memory, group: str) -> None:
    said = [
        turn(group, 0, "one", "Tom lives_in Rome"),
        turn(group, 1, "one", "Tom_Okafor knows Ann"),
        turn(group, 2, "one", "Thomas_Okafor knows Bob"),
    ]
    await say(memory, group, said)
    spellings = (id_of(group, "Tom Okafor"), id_of(group, "Thomas Okafor"))
    await memory.merging.merge(group, *spellings, reason="his passport says so")
    await compare(memory, group)
    (meant,) = [one for one in await merges(memory, group) if one.session]

    done = await memory.merging.revert(group, meant.id, reason="another one")
    await compare(memory, group)

    assert (len(done.closed), done.opened, await meanings(memory, group)) == (1, (), set())
    assert await homes(memory, Scope(group, LATER)) == {("Tom", "Rome")}


async def test_nobody_is_bound_to_himself(memory: Memory, group: str) -> None:
    said = [turn(group, 0, "one", "Tom knows Tom_Okafor"), turn(group, 1, "one", "Tom lives_in Rome")]
    await say(memory, group, said)
    await compare(memory, group)
    assert await homes(memory, Scope(group, LATER)) == {("Tom", "Rome")}


async def test_who_is_told_apart_in_a_text_is_another_one(memory: Memory, group: str) -> None:
    said = [
        turn(group, 0, "one", "Ann likes Tom and Tom_Okafor likes Rome"),
        turn(group, 1, "one", "Tom lives_in Rome"),
    ]
    await say(memory, group, said)
    await compare(memory, group)
    assert await homes(memory, Scope(group, LATER)) == {("Tom", "Rome")}

    explained = await memory.judging.explain(group, id_of(group, "Tom"), id_of(group, "Tom Okafor"))
    assert (explained.judgement.verdict, explained.judgement.method) == (Verdict.DIFFERENT, Method.VETO)
    assert explained.judgement.vetoes == ("a text tells them apart: “… and …”",)


async def test_a_sentence_of_two_names_tells_of_two_unless_it_says_that_they_are_one(
    database: Database, group: str
) -> None:
    memory = memory_on(database, extracts=extractor())
    said = [
        "José García is not Jose Garcia.",
        "André Müller, unlike Andre Muller, lives in Rome.",
        "Zoë Brandt married Zoe Brandt.",
        "Íñigo López, Inigo Lopez and Bob Hall live in Rome.",
        "Renée Dubois lives in Rome. Renee Dubois likes tea.",
        "Chloë Martin, also known as Chloe Martin, lives in Rome.",
    ]
    await say(memory, group, [turn(group, number, "", content) for number, content in enumerate(said)])
    await compare(memory, group)
    assert await clusters(memory, group) == {
        frozenset({"Renée Dubois", "Renee Dubois"}),
        frozenset({"Chloë Martin", "Chloe Martin"}),
    }


@pytest.mark.parametrize(
    ("first", "whose"),
    [
        ("Tom is not Tom Okafor.", "Tom"),
        ("Tom Okafor (Tom) likes tea.", "Tom Okafor"),
        ("Tom, that is Tom Okafor, left.", "Tom Okafor"),
    ],
)
async def test_who_says_that_a_short_name_is_another_one_is_believed(
    database: Database, group: str, first: str, whose: str
) -> None:
    memory = memory_on(database, extracts=extractor())
    said = [turn(group, 0, "one", first), turn(group, 1, "one", "Tom lives in Rome.")]
    await say(memory, group, said)
    await compare(memory, group)
    assert await homes(memory, Scope(group, LATER)) == {(whose, "Rome")}


async def test_what_one_user_names_says_nothing_to_others(memory: Memory, group: str) -> None:
    said = [
        turn(group, 0, "a", "Tom_Okafor knows Ann", user="ann"),
        turn(group, 1, "b", "Tom lives_in Rome", user="ann"),
        turn(group, 2, "c", "Tom lives_in Oslo", user="bob"),
        turn(group, 3, "d", "Tom lives_in Bonn"),
    ]
    await say(memory, group, said)
    assert await meanings(memory, group) == {("b", "ann", id_of(group, "Tom Okafor"))}
    await compare(memory, group)

    assert await meanings(memory, group) == {("b", "ann", id_of(group, "Tom Okafor"))}
    assert await homes(memory, Scope(group, LATER, user="ann")) == {("Tom Okafor", "Rome"), ("Tom", "Bonn")}
    assert await homes(memory, Scope(group, LATER, user="bob")) == {("Tom", "Oslo"), ("Tom", "Bonn")}
    assert await merges(memory, group, user="bob") == []


@pytest.mark.parametrize("seed", seeds(3))
async def test_the_order_of_turns_and_of_the_job_does_not_matter(
    memory: Memory, evidence: EvidenceStore, group: str, seed: int
) -> None:
    """What is believed at once follows from who is who so far; what is believed at last, from what was said."""
    chance = random.Random(seed)  # noqa: S311 - an order, no secret
    names = ["Tom", "Tom_Okafor", "Thomas_Baker", "Okafor", "Ann", "Ann_Lee", "Tommy"]
    said = [
        (number, chance.choice("abc"), f"{chance.choice(names)} lives_in {chance.choice(['Rome', 'Oslo', 'Bonn'])}")
        for number in range(16)
    ]
    users = ["", "", "ann"]
    turns = [(*one, users[number % 3]) for number, one in enumerate(said)]
    found: list[tuple[object, ...]] = []
    for order in range(2):
        of = f"{group}-{order}"
        episodes = [turn(of, *one) for one in turns]
        chance.shuffle(episodes)
        everybody = [id_of(of, name.replace("_", " ")) for name in names]
        for start in range(0, len(episodes), 5):
            await say(memory, of, episodes[start : start + 5])
            assert await evidence.reproject(of, everybody, "lives_in") == 0
            if order:
                await compare(memory, of)
        await compare(memory, of)
        names_of = {id_of(of, name.replace("_", " ")): name for name in names}
        meant = {(session, user, names_of[other]) for session, user, other in await meanings(memory, of)}
        found.append((meant, await homes(memory, Scope(of, LATER)), await homes(memory, Scope(of, LATER, user="ann"))))
    assert found[0] == found[1]
    assert found[0][0]


@pytest.mark.parametrize("role", ["sibling", "child"])
async def test_who_is_another_one_of_the_family_is_asked_about(memory: Memory, group: str, role: str) -> None:
    said = [
        turn(group, 0, "one", "Ann partner Tom", "ann"),
        turn(group, 1, "two", f"Ann {role} Tom_Berger", "ann"),
        turn(group, 2, "three", "Tom lives_in Rome", "ann"),
    ]
    await say(memory, group, said)
    for _ in ("at once", "decided anew"):
        assert await meanings(memory, group) == set()
        assert await homes(memory, Scope(group, LATER, user="ann")) == {("Tom", "Rome")}
        await compare(memory, group)
    (asked,) = await memory.merging.reviews(Scope(group, END, user="ann"))
    assert set(asked.judgement.pair) == {id_of(group, "Tom"), id_of(group, "Tom Berger")}
    assert asked.judgement.vetoes == ("to one person Tom and Tom Berger are two of the family",)
    assert await memory.merging.reviews(Scope(group, END, user="bob")) == []


async def test_who_is_the_same_of_the_family_is_meant(memory: Memory, group: str) -> None:
    said = [
        turn(group, 0, "one", "Ann partner Tom", "ann"),
        turn(group, 1, "two", "Ann partner Tom_Berger", "ann"),
        turn(group, 2, "three", "Tom lives_in Rome", "ann"),
    ]
    await say(memory, group, said)
    for _ in ("at once", "decided anew"):
        assert await meanings(memory, group) == {("three", "ann", id_of(group, "Tom Berger"))}
        await compare(memory, group)
    assert await memory.merging.reviews(Scope(group, END, user="ann")) == []


async def test_what_ended_of_the_short_name_ended_of_who_is_meant(memory: Memory, group: str) -> None:
    said = [
        turn(group, 0, "one", "Ann partner Tom_Berger", "ann"),
        turn(group, 1, "two", "Ann ends partner Tom", "ann"),
        turn(group, 2, "two", "Tom lives_in Rome", "ann"),
    ]
    await say(memory, group, said)
    await compare(memory, group)
    assert await meanings(memory, group) == {("two", "ann", id_of(group, "Tom Berger"))}


async def test_my_own_tom_is_never_the_one_that_i_told_apart(database: Database, group: str) -> None:
    memory = memory_on(database, extracts=extractor())
    said = [
        turn(group, 0, "one", "My husband Tom made dinner.", "ann"),
        turn(group, 1, "two", "I met Tom Berger, not my Tom, at the station. Tom Berger lives in Bonn.", "ann"),
        turn(group, 2, "three", "Tom has moved to Rome.", "ann"),
    ]
    await say(memory, group, said)
    for _ in ("at once", "decided anew"):
        assert await meanings(memory, group) == set()
        assert await homes(memory, Scope(group, LATER, user="ann")) == {("Tom", "Rome"), ("Tom Berger", "Bonn")}
        await compare(memory, group)


async def test_what_others_say_of_the_two_takes_no_room_from_what_i_said(database: Database, group: str) -> None:
    memory = memory_on(database, extracts=extractor())
    others = [
        turn(group, number, f"bob {number}", "Tom Berger lives in Bonn. Tom works at Acme.", "bob")
        for number in range(MOST_TEXTS)
    ]
    own = [
        turn(group, 10, "one", "My husband Tom made dinner.", "ann"),
        turn(group, 11, "two", "I met Tom Berger, not my Tom, at the station. Tom Berger lives in Bonn.", "ann"),
        turn(group, 12, "three", "Tom has moved to Rome.", "ann"),
    ]
    await say(memory, group, [*others, *own])
    for _ in ("at once", "decided anew"):
        assert ("Tom Berger", "Rome") not in await homes(memory, Scope(group, LATER, user="ann"))
        await compare(memory, group)
