"""Every query of ``cypher/queries`` is planned by a real Neo4j that holds a few hundred nodes of each kind."""

import re
from collections.abc import AsyncGenerator
from dataclasses import fields, is_dataclass, replace
from importlib import import_module
from inspect import getmembers, getsource, isclass, isfunction
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import LiteralString, cast

import pytest

from graphmem.model.interval import BEGIN, END
from graphmem.store import (
    audit,
    belief,
    consolidation,
    context,
    entity,
    entity_summary,
    episode,
    export,
    fact,
    forget,
    group,
    key,
    matching,
    merge,
    migrations,
    predicates,
    readiness,
    reflection,
    restore,
    rows,
    search,
    session,
    sieve,
    stats,
    summary,
    tombstone,
    vector,
    work,
)
from graphmem.store.auditing import record_audit
from graphmem.store.change import erasing, sessions, statements
from graphmem.store.driver import Database
from graphmem.store.queries import Query, cypher_root, load_queries, read_queries
from tests.store.planning import Plan, planned

ALL = load_queries(cypher_root())
SAVED = load_queries(cypher_root(), "browser")
SEED = {query.name: query for query in read_queries(Path(__file__).parent / "seed.cypher")}
SAVED_TOO = [*ALL.values(), *SAVED.values()]
"""Those too that people run in Neo4j Browser; only of what comes back nothing is known here."""

SLOW = re.compile(r"Scan|CartesianProduct")
"""Operators that read everything of a kind: all nodes, all of a label or type, a whole index; or all pairs."""
BELIEVED = ("valid_from <= $valid_at", "valid_to > $valid_at", "recorded_at <= $known_at", "superseded_at > $known_at")
AT_ALL_TIMES = re.compile(r"\b(?:[bs]|shown)\.\w+_at \S+ \$known_at")
"""Comparisons of decisions on who is who, of names, and of what bounds existence: they count at every valid time."""
SAID = ("occurred_at <= $valid_at", "recorded_at <= $known_at")
STORES = (
    audit,
    belief,
    consolidation,
    context,
    entity,
    entity_summary,
    episode,
    export,
    fact,
    forget,
    group,
    key,
    matching,
    merge,
    reflection,
    restore,
    search,
    session,
    sieve,
    stats,
    summary,
    tombstone,
    vector,
    work,
)
ROWS = [import_module(f"{rows.__name__}.{module.name}") for module in iter_modules(rows.__path__)]
MODES = {"read": {"r"}, "write": {"rw", "w", "s"}}

pytestmark = pytest.mark.timeout(1_200)


@pytest.fixture(scope="module")
async def seeded(database: Database) -> AsyncGenerator[Database]:
    group = "seed-of-test-queries"
    await execute(database, "unseed", group=group)
    await execute(database, "seed", group=group, count=300, begin=BEGIN, end=END)
    await execute(database, "replan")
    yield database
    await execute(database, "unseed", group=group)


async def execute(database: Database, name: str, **params: object) -> None:
    await database.write(lambda transaction: transaction.execute(SEED[name], **params), seconds=120)


PLANS: dict[str, Plan] = {}
"""Each query is planned once, whatever the tests ask about its plan."""


async def explain(database: Database, query: Query) -> Plan:
    if query.name not in PLANS:
        PLANS[query.name] = await planned(database, query)
    return PLANS[query.name]


def flat(text: str) -> str:
    return " ".join(text.split())


def row_types(*modules: ModuleType) -> dict[str, frozenset[str]]:
    """The names of the fields of each dataclass that these modules have or import, by its name."""
    return {
        name: frozenset(field.name for field in fields(item))
        for module in modules
        for name, item in getmembers(module, isclass)
        if is_dataclass(item)
    }


ROW_TYPES = row_types(*ROWS, *STORES, predicates, readiness, migrations, statements, erasing)


def methods(*modules: ModuleType) -> set[str]:
    """Public methods of the classes that are defined in these modules, and are no rows."""
    classes = [
        item
        for module in modules
        for _, item in getmembers(module, isclass)
        if item.__module__ == module.__name__ and not is_dataclass(item)
    ]
    return {name for item in classes for name, _ in getmembers(item, isfunction) if not name.startswith("_")}


async def test_queries_are_planned_agree_with_their_mode_read_by_index_or_say_why_not_and_nothing_is_remarked(
    seeded: Database, subtests: pytest.Subtests
) -> None:
    for query in SAVED_TOO:
        with subtests.test(query.name):
            plan = await explain(seeded, query)
            assert plan.kind in MODES[query.mode]
            assert {operator for operator in plan.operators if SLOW.search(operator)} <= query.allowed
            assert plan.notifications == ()


async def test_columns_are_the_fields_of_the_row(seeded: Database, subtests: pytest.Subtests) -> None:
    for query in ALL.values():
        with subtests.test(query.name):
            row = ROW_TYPES.get(query.row or "")
            columns = frozenset({"rows"}) if query.returns == "list" else row or frozenset()
            assert (await explain(seeded, query)).columns == columns
            assert (row is None) == (query.row is None)


def test_queries_are_of_one_tenant_or_say_why_not() -> None:
    assert {query.name for query in SAVED_TOO if ("group" in query.params) == (query.all_groups is not None)} == set()


def test_reads_compare_both_times_or_say_why_not() -> None:
    reads = [query for query in SAVED_TOO if query.mode == "read"]
    assert {query.name for query in reads if compares_both_times(query) == (query.timeless is not None)} == set()


def compares_both_times(query: Query) -> bool:
    text = AT_ALL_TIMES.sub("", flat(query.text))
    return any(all(part in text for part in parts) for parts in (BELIEVED, SAID))


async def test_saved_queries_are_planned_as_people_type_them(seeded: Database) -> None:
    literals = {"group": "'team-1'", "entity": f"'{'0' * 32}'"}
    for query in SAVED.values():
        params = tuple(name for name in query.params if name not in literals)
        typed = replace(query, text=cast("LiteralString", query.typed(literals)), params=params)
        assert (await planned(seeded, typed)).kind == "r"


def test_saved_queries_read_and_have_names_of_their_own() -> None:
    assert {query.mode for query in SAVED.values()} == {"read"}
    assert {query.returns for query in SAVED.values()} == {"drawn"}
    assert not SAVED.keys() & ALL.keys()
    assert all(query.description for query in SAVED.values())


def test_queries_and_methods_have_the_same_names() -> None:
    called = methods(*STORES, sessions, statements, erasing, predicates) | {record_audit.__name__}
    functions = "".join(getsource(module) for module in (migrations, readiness))
    by_functions = {name for name in ALL if f'"{name}"' in functions}
    assert {name.removesuffix("_for_user") for name in ALL} - called == by_functions
    assert methods(*STORES) <= set(ALL)


def test_what_is_forbidden_is_recognised() -> None:
    slow = (
        "AllNodesScan NodeByLabelScan DirectedRelationshipTypeScan UnionNodeByLabelsScan NodeIndexScan CartesianProduct"
    )
    assert all(SLOW.search(operator) for operator in slow.split())
    assert not any(SLOW.search(operator) for operator in ("NodeUniqueIndexSeek", "DirectedRelationshipIndexSeek"))
