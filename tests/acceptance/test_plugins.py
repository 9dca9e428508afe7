"""The plugin in an empty home, run as Claude Code and Codex run it: what one session says, the next one is told."""

import json
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from plugins.graphmem.hook import group_of, project_of, user_name
from tests.acceptance.service import BIN, START, Service

pytestmark = [pytest.mark.timeout(START), pytest.mark.full]

LEFT_OUT = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
SAID = f"I prefer tabs to spaces. The token is {LEFT_OUT}."
LINES = {
    "claude": [
        {
            "type": "user",
            "uuid": "7f0c",
            "sessionId": "first",
            "timestamp": "2026-03-02T09:30:00.000Z",
            "message": {"role": "user", "content": SAID},
        },
        {
            "type": "user",
            "uuid": "7f0d",
            "sessionId": "first",
            "timestamp": "2026-03-02T09:31:00.000Z",
            "toolUseResult": {},
            "message": {"role": "user", "content": [{"type": "tool_result", "content": "I prefer contents of files."}]},
        },
    ],
    "codex": [
        {"timestamp": "2026-03-02T09:30:00.000Z", "type": "session_meta", "payload": {"id": "first"}},
        {
            "timestamp": "2026-03-02T09:30:01.000Z",
            "type": "response_item",
            "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": SAID}]},
        },
    ],
}
FILES = {"claude": ".claude/settings.json", "codex": ".codex/hooks.json"}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    return home


@pytest.fixture
def environ(service: Service, home: Path) -> Mapping[str, str]:
    """That of an agent in this home; a service of `graphmem up`, and no address in the environment."""
    others = {"GRAPHMEM_URL", "GRAPHMEM_TOKEN", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "CLAUDE_PROJECT_DIR"}
    kept = {name: value for name, value in service.environment().items() if name not in others}
    return kept | {"HOME": str(home), "XDG_STATE_HOME": str(home / "state")}


def graphmem(environ: Mapping[str, str], *arguments: str) -> str:
    command = [str(BIN / "graphmem"), *arguments]
    return subprocess.run(command, env=environ, capture_output=True, text=True, check=True).stdout


def happen(environ: Mapping[str, str], settings: Path, event: str, **more: object) -> str:
    """What the agent is told at an event: its hooks run in a shell, each with the event on standard input."""
    told = ""
    for group in json.loads(settings.read_text("utf-8"))["hooks"][event]:
        for hook in group["hooks"]:
            said = json.dumps({"hook_event_name": event, **more})
            done = subprocess.run(
                ["/bin/sh", "-c", hook["command"]], input=said, env=environ, capture_output=True, text=True, check=True
            )
            assert done.stderr == ""
            told += done.stdout
    return told


def episodes(service: Service, group: str, least: int) -> list[Any]:
    """The episodes of a group, once there are so many and all are digested."""
    deadline, found = monotonic() + 120, list[Any]()
    while monotonic() < deadline:
        with service.client() as client:
            found = list(client.episodes(group)) if [one for one in client.groups() if one.id == group] else []
        if len(found) >= least and all(str(one.status) == "digested" for one in found):
            return found
        sleep(0.5)
    raise AssertionError(f"{found} after two minutes")


def read_again(home: Path, begin: Callable[[], object]) -> None:
    """Have a log read from its start, by a hook that has forgotten how far it was, and wait until it is."""
    (mark,) = (home / "state" / "graphmem-plugin" / "read").iterdir()
    mark.unlink()
    begin()
    deadline = monotonic() + 120
    while not (mark.exists() and mark.read_text("utf-8")):
        assert monotonic() < deadline
        sleep(0.2)


def answered(ask: Callable[[], str]) -> dict[str, str]:
    """What a hook gives the agent, once the service is warm enough for its time."""
    deadline = monotonic() + 300
    while not (said := ask()):
        assert monotonic() < deadline
        sleep(2)  # what was given up ends meanwhile: prompts do not come a hundred a minute
    return json.loads(said)["hookSpecificOutput"]


@pytest.mark.parametrize("agent", ["claude", "codex"])
async def test_what_one_session_says_the_next_is_told(
    service: Service, home: Path, environ: Mapping[str, str], agent: str
) -> None:
    project = home / f"shop-{agent}"
    (project / ".git").mkdir(parents=True)
    log, settings, group = home / "rollout.jsonl", home / FILES[agent], group_of(project_of(project))
    log.write_text("".join(json.dumps(line) + "\n" for line in LINES[agent]), "utf-8")
    graphmem(environ, "plugin", "install", agent)
    session: dict[str, object] = {"session_id": "first", "cwd": str(project), "transcript_path": str(log)}

    assert happen(environ, settings, "SessionStart", source="startup", **session) == ""
    for event in ("Stop", "PreCompact", "SessionEnd"):
        assert happen(environ, settings, event, **session) == ""
        (episode,) = episodes(service, group, 1)
    assert (episode.user, episode.session) == (user_name(), "first")
    assert "I prefer tabs" in episode.content
    assert LEFT_OUT not in episode.content

    read_again(home, lambda: happen(environ, settings, "Stop", **session))
    assert len(episodes(service, group, 1)) == 1

    later = session | {"session_id": "second"}
    for event, more in (("SessionStart", {"source": "startup"}), ("UserPromptSubmit", {"prompt": "Tabs or spaces?"})):
        told = answered(lambda event=event, more=more: happen(environ, settings, event, **later, **more))
        assert told["hookEventName"] == event
        assert "tabs" in told["additionalContext"]
    assert happen({**environ, "GRAPHMEM_PLUGIN": "off"}, settings, "SessionStart", **later) == ""
    status = graphmem(environ, "plugin", "status")
    assert f"{agent}: installed" in status
    assert "have logged no fault" in status or "No answer in time" in status

    if agent == "claude":
        server = json.loads((home / ".claude.json").read_text("utf-8"))["mcpServers"]["graphmem"]
        started = StdioServerParameters(
            command=server["command"], args=server["args"], env={**environ}, cwd=str(project)
        )
        async with Client(started) as client:
            answer = await client.call_tool("recall", {"query": "Tabs or spaces?"})
        assert "tabs" in json.dumps(answer.structured_content)
