"""What tests share: real servers, a migrated database, and a group of their own for each test.

Servers are those of NEO4J_URI and REDIS_URL if set, else containers where a Docker engine answers, else the managed
ones of ``graphmem up`` in a temporary folder. Tests never see the environment's NEO4J_*, REDIS_* and GRAPHMEM_*, nor
its keys of language models, which would be asked, and paid; nor any file of settings.

With ``-n`` (pytest-xdist) all processes share the servers that their controller starts. Tests that go through all
groups, or kill what they use, have servers of their own (``own``) and one process, as have those with the service of
README. A file's tests run in one process, and the longest files begin first.
"""

import os
import re
import signal
import uuid
from collections.abc import AsyncGenerator, Generator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import hypothesis
import pytest

from graphmem.local import ManagedServers
from graphmem.model.projection.predicate import BUILT_IN
from graphmem.store.driver import Database
from graphmem.store.migrations import migrate
from graphmem.store.predicates import PredicateStore
from graphmem.store.queries import cypher_root, load_queries
from tests.acceptance.service import stop_service
from tests.generated import ASKED
from tests.scopes import OWN, QUERIES, SERVICE, scope_of
from tests.servers import Servers, running, servers_of, settings_of, small_settings, started

# How long an example takes is nobody's promise.
hypothesis.settings.register_profile("graphmem", deadline=None, max_examples=25)
hypothesis.settings.register_profile("full", deadline=None, max_examples=200, print_blob=True)

# A shell that runs tests in the background ignores SIGINT, and so would every process that they start and interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

_TESTS = Path(__file__).parent
_FIRST = (QUERIES, SERVICE, OWN)
"""Scopes. Where queries are planned the database counts its rows anew, and forgets all plans that it has by then."""
_LONGEST_FIRST = ("acceptance", "notebooks", "jobs", "store", "api", "extract", "properties", "embed", "unit")
_OURS = ("NEO4J_", "REDIS_", "GRAPHMEM_", "ANTHROPIC_", "OPENAI_")
_SHARED = pytest.StashKey[dict[str, str]]()
_GIVEN = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith(_OURS)}  # noqa: TID251
os.environ["GRAPHMEM_CONFIG"] = os.devnull  # noqa: TID251 - no file of whoever runs the tests, nor of where they run


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-snapshot", action="store_true", help="rewrite tests/store/schema.snapshot.json")
    parser.addoption("--all", action="store_true", help="also the tests marked full, and more examples, at random")
    parser.addoption("--examples", type=int, help="so many examples of each property, at random, without a time limit")


def pytest_configure(config: pytest.Config) -> None:
    hypothesis.settings.load_profile("full" if config.option.all else "graphmem")
    if config.option.examples:
        hypothesis.settings.register_profile(ASKED, deadline=None, max_examples=config.option.examples, print_blob=True)
        hypothesis.settings.load_profile(ASKED)
    _GIVEN.update(getattr(config, "workerinput", {}).get("given", {}))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Workers of pytest-xdist are given the servers that their controller starts before the first of them."""
    config: pytest.Config = node.config
    if _SHARED not in config.stash:
        stack = ExitStack()
        config.add_cleanup(stack.close)
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="graphmem-")))
        config.stash[_SHARED] = stack.enter_context(running(folder, settings_of(_GIVEN, stack))).as_environment()
    node.workerinput["given"] = {**_GIVEN, **config.stash[_SHARED]}


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object:
    """The tests of a file, or those that share servers of their own, run in one process."""
    from xdist.scheduler import LoadScopeScheduling  # noqa: PLC0415 - only with -n

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return scope_of(nodeid)

    return ByFile(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests marked ``full`` run with ``--all``; the longest files come first."""
    for item in items if config.option.examples else ():
        item.add_marker(pytest.mark.timeout(0), append=False)
    left_out = [] if config.option.all else [item for item in items if item.get_closest_marker("full")]
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=left_out)
    items.sort(key=_turn)
    elsewhere = {
        item.path.name for item in items if "own_servers" in _fixtures_of(item) and scope_of(item.nodeid) != OWN
    }
    if elsewhere:
        raise pytest.UsageError(f"{elsewhere} use the fixture own_servers: name them in tests/scopes.py.")


def _fixtures_of(item: pytest.Item) -> list[str]:
    return item.fixturenames if isinstance(item, pytest.Function) else []


def _turn(item: pytest.Item) -> int:
    if (scope := scope_of(item.nodeid)) in _FIRST:
        return _FIRST.index(scope) - len(_FIRST)
    folder = item.path.relative_to(_TESTS).parts[0]
    return _LONGEST_FIRST.index(folder) if folder in _LONGEST_FIRST else len(_LONGEST_FIRST)


def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """The service of README stops after the last of its tests."""
    if scope_of(item.nodeid) == SERVICE != (nextitem and scope_of(nextitem.nodeid)):
        stop_service(item.config)


@pytest.fixture(scope="session")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Generator[Servers]:
    with ExitStack() as stack:
        yield stack.enter_context(running(tmp_path_factory.mktemp("servers"), settings_of(_GIVEN, stack)))


@pytest.fixture(scope="session")
async def database(servers: Servers) -> AsyncGenerator[Database]:
    async with _migrated(servers) as database:
        yield database


@pytest.fixture(scope="session")
def own_servers(tmp_path_factory: pytest.TempPathFactory) -> Generator[ManagedServers]:
    """Servers that tests may kill, and whose database they may wipe or go through as a whole."""
    with started(tmp_path_factory.mktemp("own"), small_settings()) as servers:
        yield servers


@pytest.fixture(scope="module")
async def own_database(own_servers: ManagedServers) -> AsyncGenerator[Database]:
    """Its database, in which other modules may have left groups, or nothing."""
    async with _migrated(servers_of(own_servers)) as database:
        yield database


@asynccontextmanager
async def _migrated(servers: Servers) -> AsyncGenerator[Database]:
    database = servers.open()
    await migrate(database, cypher_root())
    await PredicateStore(database, load_queries(cypher_root())).keep(BUILT_IN)
    yield database
    await database.aclose()


@pytest.fixture
def group(request: pytest.FixtureRequest) -> str:
    return f"{re.sub('[^A-Za-z0-9]+', '-', request.node.name)[:100]}-{uuid.uuid4().hex[:12]}"
