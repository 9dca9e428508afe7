"""A real service with the sample loaded, started as README says and shared by every test that asks for it."""

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from graphmem.client import GraphmemClient
from graphmem.local import DataDir, LocalConnection, LocalState, connection
from graphmem.local.ports import Ports
from graphmem.local.state import remember_ports
from graphmem.settings import Settings
from tests.acceptance.shells import SMALL
from tests.servers import QUICK

BIN = Path(sys.executable).parent
UP = ("graphmem", "up", "--sample")
START = 840
_STARTED = pytest.StashKey["Service"]()


@dataclass(frozen=True, slots=True)
class Service:
    """What runs, what ``graphmem up --sample`` printed, and how to reach it."""

    data_dir: Path
    told: str
    state: LocalState
    connection: LocalConnection

    @property
    def api_url(self) -> str:
        return self.connection.api_url or ""

    @property
    def token_file(self) -> Path:
        return DataDir(self.data_dir).api_token

    @property
    def browser_url(self) -> str:
        return self.state.browser_url or ""

    def client(self) -> GraphmemClient:
        return GraphmemClient(self.api_url, self.connection.api_token)

    def environment(self) -> dict[str, str]:
        """That of a shell in which ``graphmem`` means this service."""
        return environment({"GRAPHMEM_DATA_DIR": str(self.data_dir)})


def environment(extra: Mapping[str, str]) -> dict[str, str]:
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"  # noqa: TID251 -- of the tests, for their children
    return {**os.environ, "PATH": path, "COLUMNS": "160", **extra}  # noqa: TID251 -- likewise


def shared_service(config: pytest.Config, folder: Path) -> Service:
    """The one service of this test run: started for whoever asks first."""
    if _STARTED not in config.stash:
        config.add_cleanup(partial(stop_service, config))
        config.stash[_STARTED] = _start(folder)
    return config.stash[_STARTED]


def stop_service(config: pytest.Config) -> None:
    """Stop it, if it runs, when the last of its tests is done."""
    if _STARTED in config.stash:
        service = config.stash[_STARTED]
        del config.stash[_STARTED]
        _graphmem("graphmem", "down", "--data-dir", str(service.data_dir))


def _start(folder: Path) -> Service:
    remember_ports(DataDir(folder), Ports(api=0, bolt=0, http=0))
    told = _graphmem(*UP, "--detach", "--data-dir", str(folder), "--api-port", "0")
    state, reached = LocalState.read(folder), connection(folder, Settings())
    assert state
    assert reached
    return Service(folder, told, state, reached)


def _graphmem(program: str, *arguments: str) -> str:
    command = [str(BIN / program), *arguments]
    done = subprocess.run(
        command, env=environment({**SMALL, **QUICK}), capture_output=True, text=True, check=False, timeout=START - 40
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
