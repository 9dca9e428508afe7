"""``graphmem`` as a person runs it in a shell, on a data directory of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from redis import Redis

from graphmem.local.layout import DataDir
from graphmem.local.state import LocalState

SMALL = {
    "GRAPHMEM_NEO4J_HEAP": "512m",
    "GRAPHMEM_NEO4J_PAGE_CACHE": "64m",
    "GRAPHMEM_NEO4J_REPLAN_INTERVAL": "3600",
    "GRAPHMEM_SUPERVISOR_CHECK_SECONDS": "1",
}
NO_NETWORK = {"HTTPS_PROXY": "http://127.0.0.1:9", "HTTP_PROXY": "http://127.0.0.1:9", "NO_PROXY": ""}
GRAPHMEM = Path(sys.executable).parent / "graphmem"
SERVERS = ("up", "--detach", "--servers-only")


class Shell:
    """Runs ``graphmem`` on one data directory."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data = DataDir(folder)
        self.working_directory: Path | None = None

    def command(self, *arguments: str) -> list[str]:
        return [str(GRAPHMEM), *arguments, "--data-dir", str(self.folder)]

    def environ(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        return {**os.environ, **SMALL, "COLUMNS": "200", **(extra or {})}  # noqa: TID251

    def __call__(self, *arguments: str, **extra: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(*arguments),
            cwd=self.working_directory,
            env=self.environ(extra),
            capture_output=True,
            text=True,
            check=False,
            timeout=500,
        )

    def must(self, *arguments: str) -> str:
        done = self(*arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def status(self) -> dict[str, Any]:
        return json.loads(self("status", "--json").stdout)

    @contextmanager
    def foreground(self) -> Generator[subprocess.Popen[str]]:
        """The servers, run in the foreground; killed at the end, so that a test which fails does not wait for them."""
        command = self.command("up", "--servers-only")
        with subprocess.Popen(command, env=self.environ(), stdout=subprocess.PIPE, text=True) as process:
            try:
                yield process
            finally:
                process.kill()

    @property
    def state(self) -> LocalState:
        state = LocalState.read(self.folder)
        assert state
        return state

    def redis(self) -> Redis:
        return Redis.from_url(self.state.redis_url or "")  # pyright: ignore[reportUnknownMemberType]
