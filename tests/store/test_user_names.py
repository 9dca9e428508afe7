"""In a user's memory the bare names that the user goes by are the user: at once, and by the job, which agree."""

from collections.abc import Iterable

import pytest

from graphmem.identity.users import UserNames
from graphmem.memory import Memory
from graphmem.model.entity import qualifier_of_user
from graphmem.model.evidence import ResolvedEvidence, StructuredClaim
from graphmem.model.fragment import ThingName
from graphmem.model.ids import entity_id
from graphmem.model.interval import END
from graphmem.model.matching import Method
from graphmem.model.persons import person_id
from graphmem.model.scope import Scope
from graphmem.recall.reader import GraphQuery
from graphmem.store.change.evidence import EvidenceStore
from graphmem.store.driver import Database
from graphmem.write.intake import Intake
from tests.fakes import HashEmbedder, ScriptedExtractor
from tests.models import INSTALLATION, memory_on, shipped_queries
from tests.store.test_matching import EPOCH, compare

LATER = EPOCH.replace(year=EPOCH.year + 1)
Told = tuple[str, ThingName, str, str]
"""To whom, of whom, what, and its value."""


class LeftToTheJob(UserNames):
    """Decides nothing at once."""

    async def follow(self, group: str, all_evidence: Iterable[ResolvedEvidence]) -> None:
        """Leave it."""


@pytest.fixture
def evidence(database: Database) -> EvidenceStore:
    return EvidenceStore(database, shipped_queries())


@pytest.fixture
def memory(database: Database, evidence: EvidenceStore) -> Memory:
    return memory_on(database, evidence=evidence)


@pytest.fixture
def slow(memory: Memory, evidence: EvidenceStore) -> Intake:
    names, hashed = LeftToTheJob(memory.store, evidence), INSTALLATION.hash
    return Intake(
        memory.store, evidence, memory.groups, memory.access, ScriptedExtractor(), HashEmbedder(), names, hashed
    )


def user(name: str) -> ThingName:
    return ThingName(name, "person", qualifier_of_user(name))


def bare(name: str) -> ThingName:
    return ThingName(name, "person")


async def tell(intake: Intake, group: str, *told: Told) -> None:
    for whom, subject, predicate, value in told:
        claim = StructuredClaim(
            subject=subject, predicate=predicate, value=value, valid_from=EPOCH, occurred_at=EPOCH, user=whom
        )
        await intake.assert_claims(group, [claim])


async def who(memory: Memory, group: str, reader: str | None = None) -> set[tuple[str, str, str, Method]]:
    """The merges in force: member, what stands for it, whose, and how it was decided."""
    found = await memory.merging.merges(Scope(group, END, user=reader), limit=1_000)
    return {(merge.member, merge.other, merge.user, merge.method) for merge in found}


async def values(memory: Memory, group: str, reader: str, id_: str) -> set[object]:
    graph = await memory.reader.graph(Scope(group, LATER, user=reader), GraphQuery(entity_id=id_))
    return {belief.value for belief in graph.beliefs if belief.predicate == "likes"}


SAMS: tuple[Told, ...] = (
    ("u1", bare("Sam"), "likes", "tea"),
    ("u1", user("u1"), "named", "Sam"),
    ("u1", user("u1"), "likes", "jazz"),
    ("u2", user("u2"), "named", "Sam"),
    ("u2", bare("Sam"), "likes", "golf"),
    ("", bare("Sam"), "likes", "chess"),
)


async def test_the_job_decides_what_is_decided_at_once(memory: Memory, slow: Intake, group: str) -> None:
    at_once, later = f"{group}-a", f"{group}-b"
    await tell(memory.intake, at_once, *SAMS)
    before = await who(memory, at_once)
    await compare(memory, at_once)
    assert await who(memory, at_once) == before

    await tell(slow, later, *SAMS)
    assert await who(memory, later) == set()
    await compare(memory, later)
    for name in (at_once, later):
        sam = entity_id(name, "sam")
        expected = {(sam, person_id(name, one), one, Method.USER) for one in ("u1", "u2")}
        assert await who(memory, name) == expected
        assert await values(memory, name, "u1", person_id(name, "u1")) == {"tea", "jazz", "chess"}
        assert await values(memory, name, "u2", person_id(name, "u2")) == {"golf", "chess"}


async def test_a_name_of_everybodys_that_has_an_id_is_not_taken_for_a_user(memory: Memory, group: str) -> None:
    customer = ThingName("Sam", "person", "crm:17")
    for one in (customer, bare("Sam")):
        await tell(memory.intake, group, ("", one, "email", "sam@acme.example"), ("", one, "born_on", "1990-02-11"))
    await compare(memory, group)
    assert {merge[3] for merge in await who(memory, group)} == {Method.IDENTIFIER}
    await tell(memory.intake, group, ("u1", user("u1"), "named", "Sam"))
    await compare(memory, group)

    assert {merge[2] for merge in await who(memory, group)} == {""}


async def test_a_name_that_is_withdrawn_means_the_user_no_more(memory: Memory, group: str) -> None:
    await tell(memory.intake, group, ("u1", bare("Sam"), "likes", "tea"))
    named = StructuredClaim(
        subject=user("u1"), predicate="named", value="Sam", valid_from=EPOCH, occurred_at=EPOCH, user="u1"
    )
    (receipt,), _ = await memory.intake.assert_claims(group, [named])
    assert len(await who(memory, group, "u1")) == 1
    await memory.intake.retract(group, receipt.claim_id)
    await compare(memory, group)

    assert await who(memory, group, "u1") == set()
