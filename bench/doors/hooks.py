"""The hooks of the plugin beside a project of many turns: a process an event, as Claude Code and Codex start them."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from time import perf_counter
from typing import Any

from bench.common import Service, milliseconds, say, wait_until_digested
from bench.doors.talk import sentence, topic
from graphmem.client.cli.plugin import plugin_root
from plugins.graphmem.hook import group_of, project_of, user_name

BATCH, OF_A_SESSION = 100, 50
BOUNDS = {"start": 800.0, "prompt": 300.0}


def _turns(user: str, turns: int) -> list[dict[str, object]]:
    """A project's talk: each turn names a part of it and a tool."""
    return [
        {
            "content": sentence(n),
            "occurred_at": f"2026-01-{1 + n // 40 % 28:02}T{n % 24:02}:00:00Z",
            "role": "user" if n % 2 else "assistant",
            "user": user,
            "session": f"session-{n // OF_A_SESSION}",
            "external_id": f"turn-{n}",
        }
        for n in range(turns)
    ]


def hooks(asked: Service, turns: int, times: int) -> dict[str, Any]:
    """Milliseconds of each event, from the start of its process to its end, and how many brought something.

    A session starts of which nothing was said yet; prompts are of one under way, whose turns were handed in.
    """
    # what ends a session hands in its log in the background, and notes that in the folder
    with tempfile.TemporaryDirectory(prefix="graphmem-bench-", ignore_cleanup_errors=True) as folder:
        project = Path(folder, "shop")
        (project / ".git").mkdir(parents=True)
        group = group_of(project_of(project))
        with asked.client() as client:
            told = _turns(user_name(), turns)
            for start in range(0, turns, BATCH):
                client.post(f"/v1/groups/{group}/episodes", json=told[start : start + BATCH]).raise_for_status()
            say(f"Digesting {turns} turns …")
            wait_until_digested(client, group)
        environ = {"GRAPHMEM_URL": asked.url, "GRAPHMEM_TOKEN": asked.token, "XDG_STATE_HOME": folder}
        log = project / "log.jsonl"
        log.touch()
        events = {
            "start": {"hook_event_name": "SessionStart", "source": "startup"},
            "prompt": {"hook_event_name": "UserPromptSubmit", "session_id": f"session-{(turns - 1) // OF_A_SESSION}"},
            "end": {"hook_event_name": "SessionEnd", "transcript_path": str(log)},
        }
        figures: dict[str, Any] = {"turns": turns}
        for name, event in events.items():
            figures[name] = _timed({"session_id": "now", "cwd": str(project), **event}, environ, times)
            say(f"{name}: {figures[name]}")
    held = [figures[name]["p95"] <= bound and figures[name]["answered"] for name, bound in BOUNDS.items()]
    return figures | {"ok": all(held)}


def _timed(event: Mapping[str, object], environ: Mapping[str, str], times: int) -> dict[str, float]:
    """One event after the other, the prompts all different, and how many brought something."""
    command = [sys.executable, "-I", "-S", str(plugin_root() / "hook.py"), "hook"]
    whole = {**os.environ, **environ}  # noqa: TID251 - what this process was given goes on to the hook
    seconds, answered = list[float](), 0
    for n in range(times):
        text = json.dumps({**event, "prompt": f"What do we use for the {topic(n)} of service {n // 5}?"})
        began = perf_counter()
        done = subprocess.run(command, input=text, env=whole, capture_output=True, text=True, check=True)
        seconds.append(perf_counter() - began)
        answered += bool(done.stdout)
    return milliseconds(seconds) | {"answered": answered}
