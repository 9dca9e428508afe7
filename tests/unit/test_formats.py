"""Graphs as tables."""

import csv
import io

import pytest

from graphmem.answers.beliefs import GraphOut
from graphmem.api.formats import beliefs_csv
from graphmem.api.openapi import EXAMPLES
from graphmem.model.claim import Scalar


def row(value: Scalar, statement: str) -> dict[str, str]:
    graph = GraphOut.model_validate(EXAMPLES["GET /v1/groups/{group}/graph"].answers["200"]["application/json"])
    belief = graph.beliefs[0].model_copy(update={"value": value, "statement": statement})
    (found,) = csv.DictReader(
        io.StringIO(beliefs_csv(graph.model_copy(update={"beliefs": [belief]})).decode(), newline="")
    )
    return found


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
def test_a_text_that_begins_like_a_formula_is_none(text: str) -> None:
    found = row(text, text)

    assert (found["value"], found["statement"]) == (f"'{text}", f"'{text}")


@pytest.mark.parametrize(("value", "shown"), [(-5, "-5"), ("a = b", "a = b"), ("", "")])
def test_numbers_and_other_texts_are_as_they_are(value: Scalar, shown: str) -> None:
    assert row(value, "Maya lives in Lisbon.")["value"] == shown
