"""No answer has a word of what its reader may not see, nor is another for it, whatever is asked and called whatever.

What a reader may know is told to two groups. In the one another user keeps secrets, and a third group keeps some: both
speak of the same things, in the same sessions. Each read of the API, drawn from its description, is sent to both. It is
answered alike but for ids and times, and never with a secret; a whole group reads the same, byte for byte but for what
the words of everybody weigh, before and after others have told theirs.
"""

import asyncio
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given

from graphmem.model.episode import Episode
from graphmem.model.fragment import ALONE, Context, Fragment
from graphmem.store.driver import Database
from tests.api import asking
from tests.api.asking import GROUP, Asked
from tests.api.claiming import compare
from tests.api.conftest import PATIENCE, OpenService, Service
from tests.api.hostile import KEPT, OTHER, READER, Said, at_once, secret, tellings
from tests.api.tenants import Tenant
from tests.fakes import ScriptedExtractor, UnsteadyEmbedder
from tests.generated import generated
from tests.servers import Servers

MOST = {f"{GROUP}/search": 10, f"{GROUP}/context": 4, f"{GROUP}/entities/{{entity_id}}": 4}
"""How often reads are sent in which most may go wrong; the others twice."""
FEW, MANY = 1, 12
RETRIES, SERVICE_UNAVAILABLE = 2, 503
"""Machines that run tests are busy: Neo4j ends what takes long, and who asks is told to try again."""


class Overhearing(ScriptedExtractor):
    """Reads in the context of turns, and keeps what it was handed, by group and user."""

    context_turns = 20
    context_chars = 2_000

    def __init__(self) -> None:
        self.heard: list[tuple[str, str, str]] = []

    async def extract(self, episode: Episode, context: Context = ALONE) -> Fragment:
        self.heard.append((episode.group_id, episode.user, repr(context)))
        return await super().extract(episode, context)


@dataclass(frozen=True, slots=True)
class Setup:
    service: Service
    embedder: UnsteadyEmbedder
    extractor: Overhearing
    document: dict[str, Any]
    compare: Callable[[str], None]
    """What the dedup job does of a group."""


@pytest.fixture(scope="module")
def setup(open_service: OpenService, servers: Servers) -> Iterator[Setup]:
    embedder, extractor = UnsteadyEmbedder(), Overhearing()
    with (
        asyncio.Runner() as runner,
        open_service(embedder=embedder, extractor=extractor, patience=PATIENCE) as service,
    ):
        database = runner.run(opened(servers))
        document = service.get("/openapi.json").json()
        try:
            yield Setup(service, embedder, extractor, document, lambda group: runner.run(compare(database, group)))
        finally:
            runner.run(database.aclose())


async def opened(servers: Servers) -> Database:
    return servers.open()


def test_every_call_reads_or_is_known_to_write(setup: Setup) -> None:
    reads = list(asking.reads(setup.document))
    assert {path for method, path, _ in reads if method != "GET"} == asking.READING_POSTS
    assert not [path for method, path in asking.WRITES if method == "GET"]
    every = {(method.upper(), path) for path, methods in setup.document["paths"].items() for method in methods}
    assert every - {(method, path) for method, path, _ in reads} == asking.WRITES | asking.OF_ALL


@pytest.mark.timeout(7200)
def test_what_others_keep_changes_no_answer(setup: Setup, pytestconfig: pytest.Config) -> None:
    """What fails is told as it is, for to make it smaller takes longer than to read it."""
    every = pytestconfig.option.all

    @generated(FEW, MANY, every=every)
    @given(told=tellings(), asked=asking.requests(setup.document, MOST))
    def holds(told: tuple[Said, ...], asked: list[Asked]) -> None:
        changes_no_answer(setup, told, asked, asked if every else asked[::3])

    holds()


def changes_no_answer(setup: Setup, told: Sequence[Said], of_reader: Sequence[Asked], of_all: Sequence[Asked]) -> None:
    group = f"leaks-{uuid4().hex[:12]}"
    alone = told_alone(setup, group, told)
    reader, everybody = answers(setup, alone, of_reader, READER), answers(setup, alone, of_all, None)
    foreign = told_foreign(setup, group[:-1], told)
    among = told_among_others(setup, f"{group}.0", told, foreign)
    alone.know(foreign=foreign)
    assert among.told == alone.told
    check(of_reader, reader, answers(setup, among, of_reader, READER), ("other", "foreign"))
    check(of_all, everybody, answers(setup, alone, of_all, None), ("other", "foreign"), whole=True)
    overheard(setup.extractor, among.group)


def told_alone(setup: Setup, group: str, told: Sequence[Said]) -> Tenant:
    """What a reader may know, and nothing else."""
    tenant = Tenant(setup.service, group)
    tenant.tell(at_once(told))
    merged(setup, tenant)
    tenant.know()
    return tenant


def told_foreign(setup: Setup, group: str, told: Sequence[Said]) -> Tenant:
    """Another group, to which the same users told the same, and secrets."""
    tenant = Tenant(setup.service, group)
    tenant.tell(at_once(told))
    tenant.keep("foreign", READER, told, 5)
    tenant.keep("foreign", None, told, 14)
    settle(setup, tenant, secret("foreign"))
    merged(setup, tenant)
    tenant.know()
    return tenant


def told_among_others(setup: Setup, group: str, told: Sequence[Said], foreign: Tenant) -> Tenant:
    """The same as alone; before, in between and afterwards another user keeps secrets, the last without vectors."""
    tenant, said = Tenant(setup.service, group), at_once(told)
    half = len(said) // 2
    tenant.keep("other", OTHER, told, 2)
    tenant.tell(said[:half])
    tenant.keep("other", OTHER, told, 28)
    tenant.tell(said[half:])
    setup.embedder.away = True
    tenant.keep("other", OTHER, told, 13)
    setup.embedder.away = False
    for kind in ("person", "place"):
        tenant.merge_first(kind, OTHER, secret("other"))
    merged(setup, tenant)
    jobs(setup, tenant, f"{secret('other')} of jobs only")
    tenant.know(foreign=foreign)
    return tenant


def merged(setup: Setup, tenant: Tenant) -> None:
    """What everybody and the reader merge, and what is found to be the same."""
    with tenant.telling():
        for user in (None, READER):
            tenant.merge_first("person", user, "They say so.")
        setup.compare(tenant.group)


def settle(setup: Setup, tenant: Tenant, word: str) -> None:
    """What a group settles for itself."""
    path = f"/v1/groups/{tenant.group}"
    for part, body in (
        (f"predicates/{word}", {"cardinality": "one"}),
        (f"sources/{word}", {"unique": True}),
        ("ontology", {"entity_types": {f"type-{KEPT}foreign": word}}),
    ):
        answer = setup.service.http.put(f"{path}/{part}", json=body)
        assert answer.is_success, answer.text
    jobs(setup, tenant, word)


def jobs(setup: Setup, tenant: Tenant, word: str) -> None:
    for kind, body in (("reproject", {"target": word}), ("dedup", {"dry_run": True}), ("dedup", {})):
        assert setup.service.post(f"/v1/groups/{tenant.group}/jobs/{kind}", body).is_success


@dataclass(frozen=True, slots=True)
class Answered:
    status: int
    text: str
    shown: object


def answers(setup: Setup, tenant: Tenant, asked: Sequence[Asked], user: str | None) -> list[Answered]:
    """The answers to a reader; to None as to the whole group. Users whom a request itself names are others."""
    found = list[Answered]()
    for one in asked:
        asking_as = one.by(None) if user is None else one
        answer = asking_as.send(setup.service, tenant)
        for _ in range(RETRIES):
            if answer.status_code == SERVICE_UNAVAILABLE:
                answer = asking_as.send(setup.service, tenant)
        shown = tenant.shown(answer.text, ranked=one.ranked, by_token=one.by_token)
        found.append(Answered(answer.status_code, answer.text, shown))
    return found


def check(
    asked: Sequence[Asked],
    alone: Sequence[Answered],
    among: Sequence[Answered],
    owners: Sequence[str],
    *,
    whole: bool = False,
) -> None:
    wrong = [
        (one, problem)
        for one, before, after in zip(asked, alone, among, strict=True)
        for problem in problems(one, before, after, owners, whole=whole)
    ]
    assert not wrong, "\n\n".join(f"{one}\n{problem}" for one, problem in wrong)


def problems(one: Asked, before: Answered, after: Answered, owners: Sequence[str], *, whole: bool) -> Iterator[str]:
    """What is wrong with an answer among others, and one of before or without them."""
    if max(before.status, after.status) >= 500:
        yield f"It broke: {before.text} {after.text}"
    reader = str(one.given.get("user", READER)).strip()
    for owner in owners if whole or reader == READER else (*owners, "reader"):
        if f"{KEPT}{owner}" in after.text and not one.has(f"{KEPT}{owner}"):
            yield f"It tells a secret of {owner}: {after.text}"
    if one.whole and (before.status, before.shown) != (after.status, after.shown):
        yield "It tells that there are others:\n" + "\n".join(difference(before, after))


def difference(before: Answered, after: Answered) -> Iterator[str]:
    alone, among = (json.dumps([one.status, one.shown], indent=1).splitlines() for one in (before, after))
    return unified_diff(alone, among, "alone", "among others", n=3, lineterm="")


def overheard(extractor: Overhearing, group: str) -> None:
    """What is handed to who reads a turn is what everybody and the user whose turn it is may see."""
    for where, user, heard in extractor.heard:
        if where == group and user != OTHER:
            hidden = ("other", "foreign") if user == READER else ("other", "foreign", "reader")
            assert not [owner for owner in hidden if f"{KEPT}{owner}" in heard], (user, heard)
