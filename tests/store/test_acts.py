"""What people do about facts, on a real database: confirm, correct, reject, choose; dated, and taken back as claims."""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from graphmem.errors import Conflict, Forbidden, InvalidInput, NotFound
from graphmem.memory import Memory
from graphmem.model.acts import Correction, Seen
from graphmem.model.belief import BeliefRow
from graphmem.model.claim import AssertedBy, ClaimKind
from graphmem.model.entity import Entity
from graphmem.model.episode import AS_CONFIGURED, Episode
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ProposedClaim, ThingName
from graphmem.model.principal import Actor
from graphmem.model.recall import Grounds
from graphmem.model.scope import Scope
from graphmem.process.tasks import together
from graphmem.recall.reader import GraphQuery
from graphmem.store.driver import Database
from tests.models import digest, memory_on
from tests.store.test_corrections import Says
from tests.store.test_evidence import MAYA, day
from tests.store.test_evidence import claim as lives_in

COLOUR = "preference.colour"


def likes(colour: str, start: int, confidence: float, **changes: object) -> StructuredClaim:
    return replace(lives_in("", start, **changes), predicate=COLOUR, object=None, value=colour, confidence=confidence)


@pytest.fixture
def memory(database: Database) -> Memory:
    return memory_on(database)


async def said(memory: Memory, group: str, *claims: StructuredClaim) -> list[str]:
    receipts, _ = await memory.intake.assert_claims(group, list(claims))
    return [receipt.claim_id for receipt in receipts]


async def believed(memory: Memory, group: str, at: int = 40, known_at: datetime | None = None) -> list[BeliefRow]:
    when = Scope(group, day(at)) if known_at is None else Scope(group, day(at), known_at)
    return list((await memory.reader.graph(when, GraphQuery())).beliefs)


async def the_only(memory: Memory, group: str, at: int = 40) -> BeliefRow:
    (row,) = await believed(memory, group, at)
    return row


async def grounds(memory: Memory, group: str, row: BeliefRow) -> Grounds:
    return await memory.reader.evidence(Scope(group, day(40)), row.id)


def kinds(found: Grounds) -> list[str]:
    return sorted(claim.kind for claim in found.claims)


def place(group: str, name: str) -> Entity:
    return Entity(group_id=group, type="place", name=name, first_seen=day(0))


async def test_what_is_rejected_is_as_never_said_and_its_history_says_by_what(memory: Memory, group: str) -> None:
    await said(memory, group, lives_in("Rome", 1), lives_in("Oslo", 5))
    oslo = await the_only(memory, group)

    done = await memory.facts.reject(group, oslo.belief_id, reason="I never moved.")

    assert (await the_only(memory, group)).statement == "Maya lives in Rome."
    before = await grounds(memory, group, oslo)
    assert kinds(before) == ["rejects", "starts"]
    assert [claim.quote for claim in before.claims if claim.kind == "rejects"] == ["I never moved."]
    earlier = await believed(memory, group, known_at=done.outcome.recorded_at - timedelta(microseconds=1))
    assert [row.id for row in earlier] == [oslo.id]

    (claim_id,) = done.claim_ids
    await memory.intake.retract(group, claim_id)
    assert (await the_only(memory, group)).statement == "Maya lives in Oslo."


async def test_what_is_said_after_a_rejection_rests_on_nothing_from_before(memory: Memory, group: str) -> None:
    (old,) = await said(memory, group, lives_in("Oslo", 1))
    await memory.facts.reject(group, (await the_only(memory, group)).id)
    assert await believed(memory, group) == []
    late = lives_in("Oslo", 3, occurred_at=day(4))
    await said(memory, group, late)
    assert await believed(memory, group) == []

    (new,) = await said(memory, group, lives_in("Oslo", 3, occurred_at=day(4000)))

    row = await the_only(memory, group)
    assert [one.claim_id for one in row.evidence] == [new]
    assert old in {claim.id for claim in (await grounds(memory, group, row)).claims}


async def test_a_rejection_follows_the_newest_claim_even_one_from_the_future(memory: Memory, group: str) -> None:
    await said(memory, group, lives_in("Oslo", 3, occurred_at=day(9000)))

    await memory.facts.reject(group, (await the_only(memory, group)).id)

    assert await believed(memory, group) == []


async def test_what_is_confirmed_is_sure_and_stays_when_others_are_as_sure(memory: Memory, group: str) -> None:
    await said(memory, group, likes("red", 1, 0.6, category="preference"))
    before = await the_only(memory, group)

    await memory.facts.confirm(group, before.id)
    await said(memory, group, likes("blue", 9, 1.0))

    row = await the_only(memory, group)
    assert (row.value, row.confidence, row.protected, row.category) == ("red", 1.0, True, "preference")
    assert (row.belief_id, row.valid_from, row.valid_to) == (before.belief_id, before.valid_from, before.valid_to)
    assert (before.protected, len(row.evidence)) == (False, 2)
    with pytest.raises(Conflict, match="believed no more"):
        await memory.facts.confirm(group, before.id)


async def test_of_two_who_decide_by_one_version_one_is_told_so(memory: Memory, group: str) -> None:
    await said(memory, group, lives_in("Oslo", 1))
    row = await the_only(memory, group)

    gone = (Conflict, NotFound)  # not found where it was corrected before it was read

    async def corrected(name: str) -> bool:
        to = Correction(object=place(group, name), statement=f"Maya lives in {name}.")
        try:
            await memory.facts.correct(group, row.belief_id, lambda _: to, seen=Seen(version=row.id))
        except gone:
            return False
        return True

    async def confirmed() -> bool:
        try:
            await memory.facts.confirm(group, row.belief_id, seen=Seen(version=row.id))
        except gone:
            return False
        return True

    assert sorted(await together([corrected("Bergen"), corrected("Turku"), confirmed()])) == [False, False, True]


async def test_what_has_ended_cannot_be_confirmed(memory: Memory, group: str) -> None:
    await said(memory, group, lives_in("Rome", 1, valid_to=day(5)))

    with pytest.raises(Conflict, match="Correct it, or remember it anew"):
        await memory.facts.confirm(group, (await the_only(memory, group, 3)).id)


async def test_a_correction_keeps_what_was_so_at_other_times(memory: Memory, group: str) -> None:
    await said(memory, group, lives_in("Rome", 1), lives_in("Oslo", 5), lives_in("Rome", 9))
    row = await the_only(memory, group)
    bergen = Correction(object=place(group, "Bergen"), statement="Maya lives in Bergen.")

    done = await memory.facts.correct(group, row.id, lambda _: bergen)

    assert [(await the_only(memory, group, at)).statement[14:] for at in (2, 6, 10)] == ["Rome.", "Oslo.", "Bergen."]
    corrected = await the_only(memory, group)
    assert (corrected.valid_from, corrected.confidence) == (day(9), 1.0)
    assert len(done.claim_ids) == 3
    for claim_id in done.claim_ids:
        await memory.intake.retract(group, claim_id)
    assert [(await the_only(memory, group, at)).statement[14:] for at in (2, 6, 10)] == ["Rome.", "Oslo.", "Rome."]


async def test_a_correction_of_the_same_value_changes_its_time_or_its_attributes(memory: Memory, group: str) -> None:
    await said(memory, group, lives_in("Rome", 5, attributes={"flat": "old"}))
    row = await the_only(memory, group)
    to = Correction(statement="Maya lives in Rome.", valid_from=day(2), attributes={"flat": "new"})

    await memory.facts.correct(group, row.id, lambda _: to)

    corrected = await the_only(memory, group)
    assert (corrected.valid_from, json.loads(corrected.attributes)) == (day(2), {"flat": "new"})
    with pytest.raises(InvalidInput, match="ends before it starts"):
        await memory.facts.correct(group, corrected.id, lambda _: replace(to, valid_to=day(1)))


async def test_a_correction_counts_although_its_value_was_rejected_of_the_future(memory: Memory, group: str) -> None:
    rome, oslo = (replace(lives_in(city, 1), predicate="visits") for city in ("Rome", "Oslo"))
    await said(memory, group, rome, replace(oslo, occurred_at=day(9000)))
    by_name = {row.statement: row for row in await believed(memory, group)}
    await memory.facts.reject(group, by_name["Maya visits Oslo."].id)
    to = Correction(object=place(group, "Oslo"), statement="Maya visits Oslo.")

    await memory.facts.correct(group, by_name["Maya visits Rome."].id, lambda _: to)

    assert (await the_only(memory, group)).statement == "Maya visits Oslo."


async def test_choosing_settles_what_is_contested(memory: Memory, group: str) -> None:
    red, blue = await said(memory, group, likes("red", 1, 0.9), likes("blue", 3, 0.5))
    contested = await the_only(memory, group)
    assert (contested.value, contested.contested) == ("red", True)

    done = await memory.facts.choose(group, contested.id, blue)

    row = await the_only(memory, group)
    assert (row.value, row.contested, row.protected) == ("blue", False, True)
    lowered = [claim for claim in (await grounds(memory, group, contested)).claims if claim.kind == "lowers"]
    assert [(claim.cap, claim.gave_way_to) for claim in lowered] == [(0.3, done.claim_ids[0])]
    with pytest.raises(Conflict, match="List conflicts again"):
        await memory.facts.choose(group, row.id, (await said(memory, group, lives_in("Rome", 1)))[0])
    assert red in {claim.id for claim in (await grounds(memory, group, contested)).claims}


async def test_only_who_owns_a_fact_changes_it(memory: Memory, group: str) -> None:
    await said(memory, group, lives_in("Rome", 1, user="ana"))
    row = await the_only(memory, group)

    with pytest.raises(NotFound):
        await memory.facts.reject(group, row.id, Actor("ben"))
    await memory.facts.share(group, row.id, Actor("ana"))
    with pytest.raises(Forbidden, match="only 'ana' may change it"):
        await memory.facts.reject(group, row.id, Actor("ben"))
    await memory.facts.reject(group, row.id, Actor("ana"))

    assert await believed(memory, group) == []


async def test_who_may_act_for_everybody_changes_anybodys_facts(memory: Memory, group: str) -> None:
    await said(memory, group, lives_in("Rome", 1, user="ana"))

    await memory.facts.reject(group, (await the_only(memory, group)).id)

    assert await believed(memory, group) == []


async def test_a_rejection_goes_with_the_names_that_it_rejects(memory: Memory, group: str) -> None:
    tom, tommy = ThingName("Tom Baker", "person"), ThingName("Tommy Baker", "person")
    await said(memory, group, lives_in("Rome", 1, subject=tom), lives_in("Rome", 3, subject=tommy))
    first, second = [row.subject_id for row in await believed(memory, group)]
    made, _ = await memory.merging.merge(group, first, second, reason="one person")
    row = await the_only(memory, group)

    await memory.facts.reject(group, row.id)
    assert await believed(memory, group) == []
    await memory.merging.revert(group, made.id, reason="two people")

    assert await believed(memory, group) == []


async def test_acts_on_open_claims_and_events_touch_no_others(memory: Memory, group: str) -> None:
    benches = [
        StructuredClaim(
            subject=MAYA,
            predicate="did",
            verb=verb,
            value="old bench",
            valid_from=day(number),
            occurred_at=day(number),
            day=(day(number)).date().isoformat(),
            from_stated=False,
        )
        for verb, number in (("varnish", 1), ("varnish", 5), ("paint", 5))
    ]
    await said(memory, group, *benches)
    rows = {(row.day, json.loads(row.attributes)["verb"]): row for row in await believed(memory, group)}
    first, second, painted = (rows["2025-01-02", "varnish"], rows["2025-01-06", "varnish"], rows["2025-01-06", "paint"])

    await memory.facts.reject(group, first.id)
    await memory.facts.confirm(group, second.id)
    with pytest.raises(InvalidInput, match="An event keeps its days here"):
        await memory.facts.correct(group, painted.id, lambda _: Correction(statement="x", valid_from=day(3)))
    await memory.facts.correct(
        group, painted.id, lambda _: Correction(value="new bench", statement="Maya: paint new bench.")
    )

    left = sorted(await believed(memory, group), key=lambda row: str(row.value))
    assert [(row.value, row.day, row.open) for row in left] == [
        ("new bench", "2025-01-06", True),
        ("old bench", "2025-01-06", True),
    ]
    assert [json.loads(row.attributes)["verb"] for row in left] == ["paint", "varnish"]
    assert [row.protected for row in left] == [False, True]
    assert left[1].belief_id == second.belief_id


async def test_what_is_read_again_stays_rejected(database: Database, group: str) -> None:
    read = ProposedClaim(
        kind=ClaimKind.STARTS,
        subject=MAYA,
        predicate="lives_in",
        object=ThingName("Rome", "place"),
        statement="Maya lives in Rome.",
        quote_start=0,
        quote_end=12,
        confidence=0.9,
    )
    memory = memory_on(database, extracts=Says(read))
    episode = Episode(group_id=group, session="s", content="I live in Rome.", occurred_at=day(1))
    await memory.intake.remember(group, [episode])
    await digest(memory, group, episode.id)
    await memory.facts.reject(group, (await the_only(memory, group)).id)

    again = memory_on(database, extracts=Says(replace(read, quote_end=15, confidence=0.8)))
    await again.intake.reprocess(group, episode.id, AS_CONFIGURED)
    await digest(again, group, episode.id)

    assert await believed(memory, group) == []


async def test_in_an_import_acts_say_when_they_were_recorded(memory: Memory, group: str) -> None:
    await memory.groups.ensure(group, importing=True)
    await said(memory, group, lives_in("Rome", 1, recorded_at=day(2)))
    row = await the_only(memory, group)

    with pytest.raises(Conflict, match="say when this was recorded"):
        await memory.facts.reject(group, row.id)
    done = await memory.facts.reject(group, row.id, recorded_at=day(3))

    assert done.outcome.recorded_at == day(3)
    assert (await believed(memory, group), len(await believed(memory, group, known_at=day(2)))) == ([], 1)


async def test_quotes_of_what_was_rejected_are_withdrawn(memory: Memory, group: str) -> None:
    said_again = lives_in("Oslo", 3, occurred_at=day(4000), statement="Maya does live in Oslo.")
    await said(memory, group, lives_in("Rome", 1, attributes={"flat": "old"}), lives_in("Oslo", 2))
    episodes = {
        claim.quote: claim.episode_id for claim in (await grounds(memory, group, await the_only(memory, group))).claims
    }
    done = await memory.facts.reject(group, (await the_only(memory, group)).id)
    await said(memory, group, said_again)
    ids = sorted([*episodes.values(), *(row.evidence[0].episode_id for row in await believed(memory, group))])

    found = await memory.store.withdrawn_quotes(Scope(group, day(40)), ids)
    before = await memory.store.withdrawn_quotes(
        Scope(group, day(40), done.outcome.recorded_at - timedelta(microseconds=1)), ids
    )

    assert [(one.quote, one.value, one.others) for one in found] == [("Maya lives in Oslo.", "oslo", ("oslo",))]
    assert before == []


@pytest.mark.parametrize("kind", [ClaimKind.REJECTS, ClaimKind.LOWERS])
async def test_nobody_hands_in_an_act_as_a_claim(memory: Memory, group: str, kind: ClaimKind) -> None:
    with pytest.raises(InvalidInput, match="delete a fact, correct it, or settle a conflict"):
        await said(memory, group, lives_in("Rome", 1, kind=kind))


async def test_what_a_person_asserts_ranks_before_what_was_said_in_passing(memory: Memory, group: str) -> None:
    colours: Mapping[str, AssertedBy] = {"red": AssertedBy.PERSON, "blue": AssertedBy.PASSING}

    await said(memory, group, *(likes(one, 1, 0.9, asserted_by=who) for one, who in colours.items()))
    await said(memory, group, likes("green", 9, 1.0, asserted_by=AssertedBy.MODEL))

    assert (await the_only(memory, group)).value == "red"
