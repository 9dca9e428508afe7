"""The configurations that README gives for agents' programs, with the SDK's client beside the service of README."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from tests.acceptance.service import START, Service

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
MARCH = "2025-03-01T00:00:00Z"

pytestmark = pytest.mark.timeout(START)


def desktop() -> list[str]:
    """The command in the file for Claude Desktop."""
    (text,) = re.findall(r"^```json\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    entry: dict[str, Any] = json.loads(text)["mcpServers"]["memory"]
    return [entry["command"], *entry["args"]]


def code() -> list[str]:
    """What comes after ``--`` in the command for Claude Code."""
    (line,) = re.findall(r"^claude mcp add memory -- (.*)$", README, re.MULTILINE)
    return shlex.split(line)


def any_client() -> list[str]:
    (line,) = re.findall(r"starts `(graphmem mcp [^`]*)`", README)
    return shlex.split(line)


@pytest.mark.parametrize(
    "command", [desktop(), *(pytest.param(one, marks=pytest.mark.full) for one in (code(), any_client()))]
)
async def test_a_client_asks_what_was_true_in_march(service: Service, command: list[str]) -> None:
    started = StdioServerParameters(command=command[0], args=command[1:], env=service.environment())
    async with Client(started) as client:
        facts = await client.call_tool("facts", {"entity": "Maya", "predicate": "lives_in", "valid_at": MARCH})
        assert facts.structured_content is not None, facts.content
        (belief,) = facts.structured_content["beliefs"]
        grounds = await client.call_tool("why", {"id": belief["id"]})
    assert belief["subject"] == "Maya"
    assert grounds.structured_content is not None
    assert grounds.structured_content["evidence"][0]["quote"]
