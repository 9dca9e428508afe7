"""What the doors cost: so far, how long agents wait for the hooks of the plugin.

    python -m bench.doors --json

``hooks``: a project of 1,000 turns; each event is a process of its own, as Claude Code and Codex start it, timed from
its start to its end. ``start`` is to take at most 800 ms, ``prompt`` 300 ms, both at the 95th percentile; ``end`` is
what an agent waits for when its log is handed in. ``answered`` counts events that brought context. The exit status is
1 where a bound does not hold, or nothing was brought.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from time import perf_counter
from typing import Any

from bench.common import Service, milliseconds, parser, say, service, tell, wait_until_digested
from graphmem.client.cli.plugin import plugin_root
from plugins.graphmem.hook import group_of, project_of, user_name

TURNS, ASKED, BATCH = 1_000, 50, 100
BOUNDS = {"start": 800.0, "prompt": 300.0}
_TOPICS = ("database", "queue", "cache", "parser", "release", "tests", "login", "search", "import", "report")
_TOOLS = ("PostgreSQL", "Redis", "Kafka", "SQLite", "Lucene", "Celery", "Nginx", "Django", "Grafana", "Terraform")

Part = Callable[[Service], dict[str, Any]]
"""Measures one door beside a service, and says whether it is as it should be, in ``ok``."""


def _turns(user: str) -> list[dict[str, object]]:
    """A project's talk: each turn names a part of it and a tool."""
    return [
        {
            "content": f"For the {_TOPICS[n % 10]} of service {n // 100} we use {_TOOLS[n // 10 % 10]} since step {n}.",
            "occurred_at": f"2026-01-{1 + n // 40:02}T{n % 24:02}:00:00Z",
            "role": "user" if n % 2 else "assistant",
            "user": user,
            "session": f"session-{n // 50}",
            "external_id": f"turn-{n}",
        }
        for n in range(TURNS)
    ]


def hooks(asked: Service) -> dict[str, Any]:
    """Milliseconds of each event, with a cold process."""
    with tempfile.TemporaryDirectory(prefix="graphmem-bench-") as folder:
        project = Path(folder, "shop")
        (project / ".git").mkdir(parents=True)
        group = group_of(project_of(project))
        with asked.client() as client:
            turns = _turns(user_name())
            for start in range(0, TURNS, BATCH):
                client.post(f"/v1/groups/{group}/episodes", json=turns[start : start + BATCH]).raise_for_status()
            say(f"Digesting {TURNS} turns …")
            wait_until_digested(client, group)
        environ = {"GRAPHMEM_URL": asked.url, "GRAPHMEM_TOKEN": asked.token, "XDG_STATE_HOME": folder}
        log = project / "log.jsonl"
        log.touch()
        events = {
            "start": {"hook_event_name": "SessionStart", "source": "startup"},
            "prompt": {"hook_event_name": "UserPromptSubmit"},
            "end": {"hook_event_name": "SessionEnd", "transcript_path": str(log)},
        }
        figures: dict[str, Any] = {"turns": TURNS}
        for name, event in events.items():
            figures[name] = _timed({**event, "session_id": "now", "cwd": str(project)}, environ)
            say(f"{name}: {figures[name]}")
    held = [figures[name]["p95"] <= bound and figures[name]["answered"] for name, bound in BOUNDS.items()]
    return figures | {"ok": all(held)}


def _timed(event: Mapping[str, object], environ: Mapping[str, str]) -> dict[str, float]:
    """One event after the other, the prompts all different, and how many brought something."""
    command = [sys.executable, "-I", "-S", str(plugin_root() / "hook.py"), "hook"]
    whole = {**os.environ, **environ}  # noqa: TID251 - what this process was given goes on to the hook
    seconds, answered = list[float](), 0
    for n in range(ASKED):
        text = json.dumps({**event, "prompt": f"What do we use for the {_TOPICS[n % 10]} of service {n // 5}?"})
        began = perf_counter()
        done = subprocess.run(command, input=text, env=whole, capture_output=True, text=True, check=True)
        seconds.append(perf_counter() - began)
        answered += bool(done.stdout)
    return milliseconds(seconds) | {"answered": answered}


PARTS: Mapping[str, Part] = {"hooks": hooks}


def main() -> None:
    arguments = parser(__doc__ or "")
    arguments.add_argument("--part", choices=list(PARTS), action="append", help="only this one; default: all")
    options = arguments.parse_args()
    with service(options) as running:
        figures = {name: PARTS[name](running) for name in options.part or PARTS}
    tell({**figures}, as_json=options.json)
    if not all(figure["ok"] for figure in figures.values()):
        sys.exit(1)


if __name__ == "__main__":
    main()
