"""What integrations of frameworks work out without a service; tests/api/test_integrations.py has one."""

import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from graphmem.api.schemas.words import Name
from graphmem.integrations.items import entity_name, exact, sendable
from graphmem.integrations.langgraph import matches
from graphmem.integrations.openai_agents import turn_of
from tests.integrating import (
    EXAMPLES,
    PRINTED,
    VALUES,
)

NOT_NUMBERS: list[Any] = [None, "x", [], {}]


def test_a_filter_compares_numbers_alone() -> None:
    assert not any(matches(value, {"$lt": 1}) for value in NOT_NUMBERS)
    with pytest.raises(ValueError, match=r"no operator '\$in'"):
        matches(1, {"$in": [1]})


@given(VALUES)
def test_json_is_exact_and_of_characters_that_a_request_may_have(value: object) -> None:
    written = exact(value)
    assert json.loads(written) == value
    assert sendable(written) == written


@given(st.lists(st.text(min_size=1) | st.just("\ufdfa" * 200), min_size=1).map(tuple))
def test_a_namespace_has_a_name_that_a_request_may_have(namespace: tuple[str, ...]) -> None:
    name = entity_name("langgraph", namespace)
    assert TypeAdapter(Name).validate_python(name) == name
    assert entity_name("langgraph", (*namespace, "x")) != name


def test_a_long_item_of_a_session_is_the_content_of_its_turn() -> None:
    item = {"role": "user", "content": "\u2028" * 20_000}
    turn = turn_of(item)
    assert (json.loads(turn["content"]), turn["metadata"]) == (item, {})


@pytest.mark.parametrize("name", ["claude_memory", "langgraph", "openai_agents", "pydantic_ai"])
def test_what_is_not_installed_names_its_extra(name: str) -> None:
    hidden = ("anthropic", "langgraph", "agents", "pydantic_ai")
    program = f"import sys\nfor name in {hidden}: sys.modules[name] = None\nimport graphmem.integrations.{name}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert f"pip install 'graphmem[{name.replace('_', '-')}]'" in done.stderr


def test_every_framework_has_an_example() -> None:
    assert EXAMPLES.keys() == PRINTED.keys()
    assert all(len(example.splitlines()) <= 20 for example in EXAMPLES.values())
