"""What repeats in Cypher is checked against one list: the fields of a row, and the comparisons of a point in time."""

import re
from collections.abc import Iterator

import pytest
from pydantic import BaseModel

from graphmem.model.claim import Category, ClaimKind
from graphmem.model.projection.predicate import MANY, default_policy, free_key
from graphmem.store.queries import Query, cypher_root, load_queries
from graphmem.store.rows.belief import BeliefColumns, KnownClaimColumns
from graphmem.store.rows.digest import ClaimRecord
from graphmem.store.rows.episode import EpisodeRecord

QUERIES = load_queries(cypher_root())
PROJECTION = re.compile(r"\b(?P<name>\w+) \{\s*(?P<columns>\.\w+,[^{}]*(?:\{[^{}]*\}[^{}]*)*)\}")
LISTS: dict[str, type[BaseModel]] = {
    ".belief_id": BeliefColumns,
    ".content_type": EpisodeRecord,
    ".group_id, .episode_id, .kind": ClaimRecord,
    "retracted_at:": KnownClaimColumns,
}
"""The column by which a projection is recognised, first come first served, and the row whose fields its columns are."""
COMPARED = re.compile(r"(?P<row>\w+)\.valid_from <= \$(?P<unless>unless_)?valid_at")


def projections() -> Iterator[tuple[Query, type[BaseModel], frozenset[str]]]:
    for query in QUERIES.values():
        for found in PROJECTION.finditer(query.text):
            row = next((row for mark, row in LISTS.items() if mark in found["columns"]), None)
            if row is not None:
                yield query, row, columns(found["columns"])


def columns(text: str) -> frozenset[str]:
    """``.id, at: toString(x.at)`` has the columns id and at."""
    flat = re.sub(r"\{[^{}]*\}|\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\]]*\]", "", text)
    return frozenset(re.findall(r"(?:^|,)\s*\.?(\w+)", flat))


PROJECTIONS = list(projections())


@pytest.mark.parametrize(
    ("query", "row", "found"), PROJECTIONS, ids=[f"{query.name}-{row.__name__}" for query, row, _ in PROJECTIONS]
)
def test_a_projection_has_the_columns_of_its_row(query: Query, row: type[BaseModel], found: frozenset[str]) -> None:
    assert found == frozenset(row.model_fields), query.source


def test_every_list_repeats() -> None:
    assert {row for _, row, _ in PROJECTIONS} == set(LISTS.values())
    assert len(PROJECTIONS) > 2 * len(LISTS)


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_who_compares_one_time_compares_all_four(query: Query) -> None:
    text = " ".join(query.text.split())
    for found in COMPARED.finditer(text):
        row, unless = found["row"], found["unless"] or ""
        whole = (
            f"{row}.valid_from <= ${unless}valid_at AND {row}.valid_to > ${unless}valid_at "
            f"AND {row}.recorded_at <= ${unless}known_at AND {row}.superseded_at > ${unless}known_at"
        )
        in_history = (
            f"{row}.valid_from <= $valid_at AND {row}.recorded_at <= $known_at "
            f"AND ($history OR ({row}.valid_to > $valid_at AND {row}.superseded_at > $known_at))"
        )
        assert text.startswith((whole, in_history), found.start()) or query.timeless is not None, query.source


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_who_asks_for_claims_that_assert_or_act_names_every_kind_that_does(query: Query) -> None:
    for found in re.findall(r"kind IN (\[[^$\]]*\])", query.text):
        named = set(re.findall(r"'(\w+)'", found))
        assert named in ({kind for kind in ClaimKind if kind.asserts}, {kind for kind in ClaimKind if kind.is_act})


def test_cypher_names_the_categories_whose_free_keys_hold_one_value() -> None:
    (named,) = {
        found for query in QUERIES.values() for found in re.findall(r"=~ '\(([a-z|]+)\)\[\.\]\.\+'", query.text)
    }
    assert set(named.split("|")) == {one for one in Category if default_policy(free_key(one, "key")) != MANY}
