"""A language model looks at what computation leaves open: its word is recorded, once, and the least that counts."""

from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import uuid4

import pytest

from graphmem.errors import ModelUnavailable
from graphmem.jobs.deduplicator import Deduplicator
from graphmem.jobs.steps import Stepper
from graphmem.memory import Memory
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ThingName
from graphmem.model.interval import END
from graphmem.model.matching import MatchProfile, ModelAnswer, Says, Verdict
from graphmem.model.scope import Scope
from graphmem.model.work import Work, WorkKind, WorkProgress, WorkRequest, work_id
from graphmem.settings.jobs import JobSettings
from graphmem.store.driver import Database
from tests.models import embedder, memory_on

EPOCH = datetime(2025, 1, 1, tzinfo=UTC)
THOMAS, TOM = "Thomas Okafor", "Tom Okafor"


class Reviewer:
    """Says the same of all pairs, and remembers what it was shown."""

    def __init__(self) -> None:
        self.says = Says.SAME
        self.away = False
        self.shown: list[tuple[MatchProfile, MatchProfile]] = []

    async def review(self, pairs: Sequence[tuple[MatchProfile, MatchProfile]]) -> list[ModelAnswer]:
        if self.away:
            raise ModelUnavailable("The model is away (test).")
        self.shown += pairs
        return [ModelAnswer(says=self.says, reason="as told", model="test/model") for _ in pairs]


@pytest.fixture
def reviewer() -> Reviewer:
    return Reviewer()


@pytest.fixture
def memory(database: Database, reviewer: Reviewer) -> Memory:
    return memory_on(database, embeds=embedder(), reviewer=reviewer)


@pytest.fixture
async def told(memory: Memory, group: str) -> str:
    """Two who may be one."""
    await tell(memory, group, THOMAS, "born", "1970-01-02")
    await tell(memory, group, TOM, "met", "Ann")
    return group


async def tell(memory: Memory, group: str, name: str, predicate: str, value: str, user: str = "") -> None:
    claim = StructuredClaim(
        subject=ThingName(name, "person"),
        predicate=predicate,
        value=value,
        valid_from=EPOCH,
        occurred_at=EPOCH,
        user=user,
    )
    await memory.intake.assert_claims(group, [claim])


async def dedup(memory: Memory, group: str, *, dry_run: bool = False) -> Work:
    id_ = work_id(WorkKind.DEDUP, group, dry_run=dry_run)
    await memory.works.request_work(group, WorkKind.DEDUP, [WorkRequest(id=id_, dry_run=dry_run)])
    taken = await memory.works.lease_work(group, id_, uuid4().hex, 60)
    assert taken
    await Stepper(Deduplicator(memory.matching), memory.works, JobSettings()).do(taken)
    (work,) = await memory.works.works_by_id(group, [id_])
    assert work.status is WorkProgress.DONE
    return work


async def merged(memory: Memory, group: str) -> list[tuple[str, str]]:
    return [(one.method, one.reason) for one in await memory.merging.merges(Scope(group, END))]


async def asked(memory: Memory, group: str) -> int:
    return len(await memory.merging.reviews(Scope(group, END)))


async def test_same_merges_with_the_models_name_and_is_asked_once(
    memory: Memory, told: str, reviewer: Reviewer
) -> None:
    work = await dedup(memory, told)

    assert await merged(memory, told) == [("model", "test/model: as told")]
    assert await asked(memory, told) == 0
    assert (work.progress["asked_of_model"], work.progress["merged"]) == (1, 1)
    assert [{a.name, b.name} for a, b in reviewer.shown] == [{THOMAS, TOM}]

    await memory.matching.set_unique_source(told, "crm", unique=True)  # all are compared again
    await dedup(memory, told)
    assert await merged(memory, told) == [("model", "test/model: as told")]
    assert len(reviewer.shown) == 1


@pytest.mark.parametrize(("says", "left"), [(Says.DIFFERENT, 0), (Says.UNSURE, 1)])
async def test_different_ends_the_asking_and_unsure_leaves_it_to_people(
    memory: Memory, told: str, reviewer: Reviewer, says: Says, left: int
) -> None:
    reviewer.says = says
    for _ in range(2):
        await dedup(memory, told)
        await memory.matching.set_unique_source(told, "crm", unique=True)

    assert await merged(memory, told) == []
    assert await asked(memory, told) == left
    assert len(reviewer.shown) == 1


async def test_a_verdict_goes_when_something_else_is_known(memory: Memory, told: str, reviewer: Reviewer) -> None:
    await dedup(memory, told)
    reviewer.says = Says.UNSURE
    await tell(memory, told, TOM, "likes", "tea")
    await dedup(memory, told)

    assert await merged(memory, told) == []
    assert await asked(memory, told) == 1
    assert len(reviewer.shown) == 2
    assert any(one.values.get("likes") for pair in reviewer.shown[1:] for one in pair)


async def test_what_is_said_for_one_user_is_not_shown(memory: Memory, told: str, reviewer: Reviewer) -> None:
    await tell(memory, told, TOM, "secret", "chess", user="ann")
    await dedup(memory, told)

    assert reviewer.shown
    assert not any("secret" in one.values for pair in reviewer.shown for one in pair)


async def test_a_person_s_word_beats_it(memory: Memory, told: str) -> None:
    await dedup(memory, told)
    (made,) = await memory.merging.merges(Scope(told, END))
    await memory.merging.revert(told, made.id, reason="cousins")
    await dedup(memory, told)

    assert await merged(memory, told) == []
    assert await asked(memory, told) == 0


async def test_it_is_not_asked_about_what_is_protected(memory: Memory, told: str, reviewer: Reviewer) -> None:
    await dedup(memory, told)
    (tom,) = await memory.reader.entities(Scope(told, END), name=TOM)
    await memory.merging.protect(told, tom.id, protected=True)
    await dedup(memory, told)
    assert await merged(memory, told) == []

    await tell(memory, told, TOM, "likes", "tea")
    await dedup(memory, told)
    assert await merged(memory, told) == []
    assert len(reviewer.shown) == 1


async def test_it_is_not_asked_whom_a_short_name_means(memory: Memory, told: str, reviewer: Reviewer) -> None:
    await tell(memory, told, "Tom", "met", "Ann")
    await dedup(memory, told)

    assert [{a.name, b.name} for a, b in reviewer.shown] == [{THOMAS, TOM}]


async def test_a_model_that_is_away_changes_nothing_and_the_next_job_asks(
    memory: Memory, told: str, reviewer: Reviewer
) -> None:
    reviewer.away = True
    work = await dedup(memory, told)
    assert work.progress["model_failures"] == 1
    assert await merged(memory, told) == []
    assert await asked(memory, told) == 1

    reviewer.away = False
    await dedup(memory, told)
    assert len(await merged(memory, told)) == 1


async def test_a_dry_run_asks_no_model_and_neither_does_who_has_none(
    memory: Memory, told: str, reviewer: Reviewer, database: Database
) -> None:
    await dedup(memory, told, dry_run=True)
    await dedup(memory_on(database, embeds=embedder()), told)
    assert reviewer.shown == []
    assert await asked(memory, told) == 1
    (review,) = await memory.merging.reviews(Scope(told, END))
    await memory.merging.decide(told, review.id, Verdict.SAME, reason="one")
    await dedup(memory, told)
    assert reviewer.shown == []
