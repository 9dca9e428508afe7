"""Who is who in the eyes of users who were told what others were not: in their own memory, and from nothing else."""

import random
from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta

import pytest

from graphmem.errors import Conflict, NotFound
from graphmem.memory import Memory
from graphmem.model.claim import Scalar
from graphmem.model.entity import normalise_name
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ThingName
from graphmem.model.ids import entity_id
from graphmem.model.interval import END
from graphmem.model.matching import Method, Verdict
from graphmem.model.recall import Graph
from graphmem.model.scope import Scope
from graphmem.recall.reader import GraphQuery
from graphmem.resolve.frequencies import term_token
from graphmem.store.driver import Database
from tests.models import memory_on
from tests.seeds import seeds
from tests.store.test_matching import EPOCH, compare

LATER = EPOCH + timedelta(days=99)
BOB, ROBERT = "Bob Stone", "Robert Quill"
EMAIL = "bob@acme.example"
Fact = tuple[str, str, str, str]
"""Name, predicate, value, user."""


@pytest.fixture
def memory(database: Database) -> Memory:
    return memory_on(database)


def claim(name: str, predicate: str, value: str, user: str = "") -> StructuredClaim:
    subject = ThingName(name, "person")
    return StructuredClaim(
        subject=subject, predicate=predicate, value=value, valid_from=EPOCH, occurred_at=EPOCH, user=user
    )


async def tell(memory: Memory, group: str, *facts: Fact) -> list[str]:
    """The ids of the claims."""
    found: list[str] = []
    for fact in facts:
        (receipt,), _ = await memory.intake.assert_claims(group, [claim(*fact)])
        found.append(receipt.claim_id)
    return found


def id_of(group: str, name: str) -> str:
    return entity_id(group, normalise_name(name))


def said(graph: Graph) -> set[tuple[str, Scalar]]:
    return {(row.predicate, row.value) for row in graph.beliefs}


async def asked(memory: Memory, group: str, user: str) -> set[frozenset[str]]:
    """The pairs that a reader is asked about, by ids."""
    found = await memory.merging.reviews(Scope(group, END, user=user), limit=1_000)
    return {frozenset(one.judgement.pair) for one in found}


async def test_what_a_user_knows_ties_two_in_that_users_memory(memory: Memory, group: str) -> None:
    (private,) = await tell(memory, group, (BOB, "email", EMAIL, "ann"))
    await tell(memory, group, (BOB, "likes", "tea", ""), (ROBERT, "email", EMAIL, ""))
    await compare(memory, group)

    (merge,) = await memory.merging.merges(Scope(group, END))
    assert (merge.user, merge.method, set(merge.pair)) == (
        "ann",
        Method.IDENTIFIER,
        {id_of(group, BOB), id_of(group, ROBERT)},
    )
    assert list(await memory.merging.merges(Scope(group, END, user="bea"))) == []
    explained = await memory.judging.explain(group, *merge.pair)
    assert (explained.judgement.verdict, explained.proposed) == (Verdict.DIFFERENT, False)
    explained = await memory.judging.explain(group, *merge.pair, "ann")
    assert (explained.judgement.verdict, explained.proposed) == (Verdict.SAME, True)

    for user, nodes in (("ann", 1), (None, 2)):
        around = [
            await memory.reader.graph(Scope(group, LATER, user=user), GraphQuery(entity_id=id_of(group, name)))
            for name in (BOB, ROBERT)
        ]
        assert all({("email", EMAIL), ("likes", "tea")} <= said(graph) for graph in around)
        known = await memory.reader.entities(Scope(group, LATER, user=user))
        assert len([entity for entity in known if entity.part_of is None]) == nodes

    await memory.intake.retract(group, private)
    await compare(memory, group)
    assert list(await memory.merging.merges(Scope(group, END))) == []


async def test_it_does_not_matter_who_was_told_first(memory: Memory, group: str) -> None:
    await tell(memory, group, (BOB, "email", EMAIL, "ann"))
    await compare(memory, group)
    await tell(memory, group, (BOB, "likes", "tea", ""))
    await compare(memory, group)
    await tell(memory, group, (ROBERT, "email", EMAIL, ""))
    await compare(memory, group)
    (merge,) = await memory.merging.merges(Scope(group, END))
    assert merge.user == "ann"


async def test_what_two_users_know_is_never_combined(memory: Memory, group: str) -> None:
    await tell(memory, group, (BOB, "likes", "tea", ""), (ROBERT, "likes", "jazz", ""))
    await tell(memory, group, (BOB, "email", EMAIL, "ann"), (ROBERT, "email", EMAIL, "bea"))
    await compare(memory, group)

    assert list(await memory.merging.merges(Scope(group, END))) == []
    for user in ("ann", "bea"):
        explained = await memory.judging.explain(group, id_of(group, BOB), id_of(group, ROBERT), user)
        assert (explained.judgement.verdict, explained.proposed) == (Verdict.DIFFERENT, False)


async def test_whom_one_user_alone_knows_is_one_to_that_user(memory: Memory, group: str) -> None:
    await tell(memory, group, (BOB, "email", EMAIL, "ann"), (ROBERT, "email", EMAIL, "ann"))
    await compare(memory, group)

    (merge,) = await memory.merging.merges(Scope(group, END))
    assert merge.user == "ann"
    with pytest.raises(NotFound, match="that everybody knows of"):
        await memory.judging.explain(group, *merge.pair)
    with pytest.raises(NotFound, match="that user 'bea' knows of"):
        await memory.judging.explain(group, *merge.pair, "bea")


STONES = [f"{first} Stone" for first in ("Ada", "Ben", "Cem", "Dora", "Emil", "Fay", "Gus", "Hal", "Ida", "Jan", "Kim")]


async def holders(memory: Memory, group: str) -> list[int]:
    """How many are called Stone, and Ada Stone, have a name at all, and like tea, as everybody's scores know it."""
    terms = ("person.person", "stone"), ("person.key", "ada stone"), ("person.key", ""), ("person.likes", "tea")
    tokens = [term_token(group, *term) for term in terms]
    found = await memory.store.frequencies(group, tokens)
    return [found.get(token, 0) for token in tokens]


async def test_what_one_user_was_told_makes_no_name_more_common_to_others(memory: Memory, group: str) -> None:
    shared = [(name, "likes", "jazz", "") for name in ("Katherine Stone", "Kathy Stone")]
    await tell(memory, group, *shared)
    await compare(memory, group)
    pair = id_of(group, "Katherine Stone"), id_of(group, "Kathy Stone")
    counted, before = await holders(memory, group), await memory.judging.explain(group, *pair)

    await tell(memory, group, *((name, "likes", "tea", "ann") for name in STONES))
    await compare(memory, group)
    assert await holders(memory, group) == counted == [2, 0, 2, 0]
    for user in ("", "bea"):
        after = await memory.judging.explain(group, *pair, user)
        assert (after.judgement.score, after.judgement.contributions) == (
            before.judgement.score,
            before.judgement.contributions,
        )


async def test_whom_everybody_hears_of_later_is_counted_from_then_on(memory: Memory, group: str) -> None:
    await tell(memory, group, *((name, "likes", "tea", "ann") for name in STONES))
    await compare(memory, group)
    assert await holders(memory, group) == [0, 0, 0, 0]

    (shared,) = await tell(memory, group, ("Ada Stone", "likes", "tea", ""))
    known_as = replace(claim("Bob Quill", "knows", "", ""), value=None, object=ThingName("Ben Stone", "person"))
    await memory.intake.assert_claims(group, [known_as])
    await compare(memory, group)
    assert await holders(memory, group) == [2, 1, 3, 1]

    await memory.intake.retract(group, shared)
    await compare(memory, group)
    assert await holders(memory, group) == [2, 1, 3, 0]
    assert "Ada Stone" in {one.name for one in await memory.reader.entities(Scope(group, END, user="bea"))}


async def test_a_doubt_of_one_user_is_asked_of_that_user(memory: Memory, group: str) -> None:
    await tell(memory, group, ("Jon Stone", "likes", "tea", ""), ("John Quill", "born_on", "1984-03-12", ""))
    await tell(memory, group, ("Jon Stone", "born_on", "1984-03-12", "ann"))
    await compare(memory, group)
    pair = frozenset((id_of(group, "Jon Stone"), id_of(group, "John Quill")))

    assert await asked(memory, group, "ann") - await asked(memory, group, "bea") == {pair}
    (review,) = await memory.merging.reviews(Scope(group, END, user="ann"))
    assert {one.part for one in review.judgement.contributions} >= {"born_on"}
    with pytest.raises(NotFound):
        await memory.access.review(group, review.id, "bea")
    answered = await memory.merging.answer(group, review.id, Verdict.SAME, reason="He says so.", user="ann")
    assert answered.user == "ann"


async def test_a_user_answers_for_nobody_else(memory: Memory, group: str) -> None:
    await tell(memory, group, ("Jon Stone", "born_on", "1984-03-12", ""), ("John Quill", "born_on", "1984-03-12", ""))
    await compare(memory, group)
    (review,) = await memory.merging.reviews(Scope(group, END, user="ann"))

    with pytest.raises(Conflict, match="asks everybody, not user 'ann' alone"):
        await memory.merging.answer(group, review.id, Verdict.SAME, reason="He says so.", user="ann")
    assert await asked(memory, group, "ann") == {frozenset(review.judgement.pair)}
    assert (await memory.merging.answer(group, review.id, Verdict.SAME, reason="One.")).user == ""


def facts(chance: random.Random) -> list[Fact]:
    names = [BOB, ROBERT, "Rob Stone", "Anna Berg", "A. Berg"]
    values = {"email": [EMAIL, "x@acme.example"], "phone": ["+4930231254"], "born_on": ["1984-03-12", "1990-01-02"]}
    found: dict[Fact, None] = {}
    while len(found) < 12:
        predicate = chance.choice(sorted(values))
        fact = chance.choice(names), predicate, chance.choice(values[predicate]), chance.choice(["", "ann", "bea"])
        found[fact] = None
    return list(found)


async def opinions(memory: Memory, group: str, names: Iterable[str], user: str) -> dict[frozenset[str], object]:
    """What a reader goes by of each two, by name."""
    ids = {id_of(group, name): name for name in names}
    known = await memory.merging.named(Scope(group, END, user=user), ids)
    who = await memory.store.identities(group, [(id_, "", user) for id_ in known])
    reviews = {pair for pair in await asked(memory, group, user) if pair <= ids.keys()}
    by_root: dict[str, set[str]] = {}
    for id_ in known:
        by_root.setdefault(who.of(id_, session="", user=user), set()).add(ids[id_])
    merged: dict[frozenset[str], object] = {frozenset(names): "same" for names in by_root.values()}
    return {frozenset(ids[id_] for id_ in pair): "review" for pair in reviews} | merged


@pytest.mark.parametrize("seed", seeds(4))
async def test_each_readers_memory_follows_from_what_that_reader_may_know(
    memory: Memory, group: str, seed: int
) -> None:
    chance = random.Random(seed)  # noqa: S311 - an order, no secret
    all_facts = facts(chance)
    names = sorted({fact[0] for fact in all_facts})
    whole = f"{group}-whole"
    for number, fact in enumerate(all_facts):
        await tell(memory, whole, fact)
        if number % 4 == 0:
            await compare(memory, whole)
    await compare(memory, whole)
    for user in ("", "ann", "bea"):
        alone = f"{group}-{user or 'all'}"
        visible = [fact for fact in all_facts if fact[3] in ("", user)]
        chance.shuffle(visible)
        await tell(memory, alone, *visible)
        await compare(memory, alone)
        assert await opinions(memory, whole, names, user) == await opinions(memory, alone, names, user)
