"""What repeats in Cypher is checked against one list: the comparisons of a point in time, kinds and categories."""

import re

import pytest

from graphmem.model.claim import Category, ClaimKind
from graphmem.model.projection.predicate import MANY, default_policy, free_key
from graphmem.store.queries import cypher_root, load_queries

QUERIES = load_queries(cypher_root())
COMPARED = re.compile(r"(?P<row>\w+)\.valid_from <= \$(?P<unless>unless_)?valid_at")


def test_who_compares_one_time_compares_all_four(subtests: pytest.Subtests) -> None:
    for query in QUERIES.values():
        with subtests.test(query.name):
            text = " ".join(query.text.split())
            for found in COMPARED.finditer(text):
                comparisons = all_four(found["row"], found["unless"] or "")
                assert text.startswith(comparisons, found.start()) or query.timeless is not None, query.source


def all_four(row: str, unless: str) -> tuple[str, ...]:
    """The comparisons of a point in time; those that let a history pass, which a vector index has as other instants."""
    whole = (
        f"{row}.valid_from <= ${unless}valid_at AND {row}.valid_to > ${unless}valid_at "
        f"AND {row}.recorded_at <= ${unless}known_at AND {row}.superseded_at > ${unless}known_at"
    )
    in_history = (
        f"{row}.valid_from <= $valid_at AND {row}.recorded_at <= $known_at "
        f"AND ($history OR ({row}.valid_to > $valid_at AND {row}.superseded_at > $known_at))"
    )
    by_vector = (
        f"{row}.valid_from <= $valid_at AND {row}.valid_to > $ended_after "
        f"AND {row}.recorded_at <= $known_at AND {row}.superseded_at > $superseded_after"
    )
    return whole, in_history, by_vector


def test_who_asks_for_claims_that_assert_or_act_names_every_kind_that_does() -> None:
    kinds = ({kind for kind in ClaimKind if kind.asserts}, {kind for kind in ClaimKind if kind.is_act})
    for query in QUERIES.values():
        for named in re.findall(r"kind IN (\[[^$\]]*\])", query.text):
            assert set(re.findall(r"'(\w+)'", named)) in kinds, query.source


def test_cypher_names_the_categories_whose_free_keys_hold_one_value() -> None:
    (named,) = {
        found for query in QUERIES.values() for found in re.findall(r"=~ '\(([a-z|]+)\)\[\.\]\.\+'", query.text)
    }
    assert set(named.split("|")) == {one for one in Category if default_policy(free_key(one, "key")) != MANY}
