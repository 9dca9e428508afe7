"""A correction of an open claim keeps how that was said, by which verb and when it happened, or says it anew."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem.errors import InvalidInput
from graphmem.memory import Memory
from graphmem.model.belief import BeliefRow
from graphmem.model.claim import ClaimKind, ClaimStatus
from graphmem.model.episode import Episode
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ALONE, Context, Fragment, ProposedClaim, ThingName
from graphmem.model.scope import Scope
from graphmem.recall.reader import GraphQuery
from graphmem.store.driver import Database
from tests.fakes import HashEmbedder
from tests.models import digest, memory_on

SAID_AT = datetime(2025, 5, 20, 10, tzinfo=UTC)
YESTERDAY = (datetime(2025, 5, 19, tzinfo=UTC), datetime(2025, 5, 20, tzinfo=UTC))
MAYA = ThingName("Maya", "person")


class Says:
    """Reads one claim in whatever an episode says."""

    context_turns = 0
    context_chars = 0
    uses_ontology = False
    piece_chars = 1_000

    def __init__(self, claim: ProposedClaim) -> None:
        self._claim = claim

    async def extract(self, episode: Episode, context: Context = ALONE) -> Fragment:
        del episode, context
        return Fragment(mentions=(), claims=(self._claim,), extractor="says", version="1")


PLAN = ProposedClaim(
    kind=ClaimKind.STARTS,
    subject=MAYA,
    predicate="plans",
    value="go to Rome",
    statement="Maya plans to go to Rome.",
    quote_start=0,
    quote_end=1,
    confidence=0.6,
    open=True,
)
DEED = replace(
    PLAN,
    predicate="did",
    value="old bench",
    statement="Maya varnished the old bench.",
    attributes=(("verb", "varnish"),),
    event=YESTERDAY,
    valid_from=YESTERDAY[0],
)
VISIT = replace(DEED, predicate="visited", object=ThingName("Rome", "place"), value=None, attributes=(), open=False)


def right(predicate: str, value: str | None = None, **more: Any) -> StructuredClaim:
    """What is to stand instead, said a day later, with no word on when it was so."""
    said = SAID_AT + timedelta(days=1)
    claim = StructuredClaim(
        subject=MAYA, predicate=predicate, value=value, valid_from=said, from_stated=False, occurred_at=said
    )
    return replace(claim, **more)


async def corrected(database: Database, group: str, read: ProposedClaim, claim: StructuredClaim) -> BeliefRow:
    memory = memory_on(database, extracts=Says(read), embeds=HashEmbedder())
    episode = Episode(group_id=group, session="s", content="Something.", occurred_at=SAID_AT)
    await memory.intake.remember(group, [episode])
    await digest(memory, group, episode.id)
    (before,) = await beliefs(memory, group)
    await memory.intake.correct(group, before.evidence[0].claim_id, claim)
    (after,) = await beliefs(memory, group)
    return after


async def beliefs(memory: Memory, group: str) -> tuple[BeliefRow, ...]:
    scope = Scope(group, SAID_AT + timedelta(days=9))
    return (await memory.reader.graph(scope, GraphQuery())).beliefs


async def test_a_corrected_plan_is_a_plan(database: Database, group: str) -> None:
    row = await corrected(database, group, PLAN, right("plans", "go to Oslo"))
    assert (row.value, row.open, row.status) == ("go to Oslo", True, ClaimStatus.PLANNED)


async def test_a_correction_says_another_status(database: Database, group: str) -> None:
    row = await corrected(database, group, PLAN, right("wishes", "go to Rome"))
    assert (row.predicate, row.open, row.status) == ("wishes", True, ClaimStatus.WISHED)


async def test_a_correction_by_another_predicate_is_no_open_claim(database: Database, group: str) -> None:
    row = await corrected(database, group, PLAN, right("lives_in", object=ThingName("Rome", "place")))
    assert (row.predicate, row.open, row.status) == ("lives_in", False, ClaimStatus.ASSERTED)


async def test_a_corrected_deed_keeps_its_verb_and_its_day(database: Database, group: str) -> None:
    row = await corrected(database, group, DEED, right("did", "new bench"))
    assert (row.value, row.distinguished_by, row.open) == ("new bench", ('verb="varnish"',), True)
    assert (row.day, row.valid_from, row.event_to, row.from_stated) == ("2025-05-19", *YESTERDAY, True)


async def test_a_correction_says_another_verb(database: Database, group: str) -> None:
    row = await corrected(database, group, DEED, right("did", "old bench", verb="sand"))
    assert (row.distinguished_by, row.open, row.day) == (('verb="sand"',), True, "2025-05-19")


async def test_a_corrected_claim_keeps_what_else_it_says_or_says_it_anew(database: Database, group: str) -> None:
    took = replace(DEED, predicate="took", value="dog", attributes=(("detail", "to the vet"), ("verb", "take")))
    row = await corrected(database, group, took, right("took", "cat"))
    assert (row.statement, row.distinguished_by) == (
        "Maya took cat to the vet.",
        ('detail="to the vet"', 'verb="take"'),
    )
    alone = await corrected(database, f"{group}-alone", took, right("took", "cat", attributes={"detail": None}))
    assert (alone.statement, alone.distinguished_by) == ("Maya took cat.", ('verb="take"',))


async def test_a_corrected_event_of_a_curated_predicate_keeps_its_day(database: Database, group: str) -> None:
    row = await corrected(database, group, VISIT, right("visited", object=ThingName("Oslo", "place")))
    assert (row.open, row.day, row.valid_from, row.event_to) == (False, "2025-05-19", *YESTERDAY)


@pytest.mark.parametrize(
    ("read", "claim", "told"),
    [
        (PLAN, right("plans", object=ThingName("Rome", "place")), "as a value"),
        (VISIT, right("did", "old bench"), "which verb"),
    ],
    ids=["a plan of a thing", "a deed without a verb"],
)
async def test_a_correction_that_contradicts_itself_is_refused(
    database: Database, group: str, read: ProposedClaim, claim: StructuredClaim, told: str
) -> None:
    with pytest.raises(InvalidInput, match=told):
        await corrected(database, group, read, claim)
