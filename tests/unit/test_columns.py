"""What repeats in Cypher is checked against one list: the comparisons of a point in time, kinds and categories."""

import re

import pytest

from graphmem.model.claim import Category, ClaimKind
from graphmem.model.projection.predicate import MANY, default_policy, free_key
from graphmem.store.queries import Query, cypher_root, load_queries

QUERIES = load_queries(cypher_root())
COMPARED = re.compile(r"(?P<row>\w+)\.valid_from <= \$(?P<unless>unless_)?valid_at")


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
