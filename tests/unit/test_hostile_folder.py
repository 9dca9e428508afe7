"""A working directory that somebody else filled: its settings send no command, server or tool anywhere."""

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption
from typer.testing import CliRunner

from graphmem.client.cli import app
from graphmem.errors import GraphmemError
from graphmem.local.process import Identity
from graphmem.mcp.command import parser, settings_of
from graphmem.mcp.memory import address_of
from graphmem.notebook import connect
from graphmem.settings import Settings
from graphmem.wiring import run_process

STARTS = (["up"], ["admin", "trust"])
"""Commands that ask no service."""
VALUES = {"since": "2025-01-01T00:00:00Z", "to": "2025-02-01T00:00:00Z", "file": "turns.jsonl"}


@dataclass
class Stranger:
    """Listens, hangs up on whoever calls, and keeps what they said first."""

    listening: socket.socket = field(default_factory=lambda: socket.create_server(("127.0.0.1", 0)))
    heard: list[bytes] = field(default_factory=list[bytes])

    @property
    def port(self) -> int:
        return self.listening.getsockname()[1]

    def listen(self) -> None:
        while True:
            try:
                caller, _ = self.listening.accept()
            except OSError:
                return
            with caller:
                caller.settimeout(2)
                self.heard.append(caller.recv(4096))


@pytest.fixture
def stranger() -> Generator[Stranger]:
    stranger = Stranger()
    thread = threading.Thread(target=stranger.listen, daemon=True)
    thread.start()
    yield stranger
    stranger.listening.shutdown(socket.SHUT_RDWR)
    stranger.listening.close()
    thread.join(10)


@pytest.fixture
def folder(stranger: Stranger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory: its settings name the stranger's addresses, and a data directory of a service there."""
    folder = tmp_path / "cloned"
    for part in ("data/run", "data/secrets", "data/logs"):
        (folder / part).mkdir(parents=True)
    (folder / "data/secrets/api-token").write_text("token-of-the-stranger")
    (folder / "data/run/state.json").write_text(json.dumps(_state(folder / "data", stranger.port)))
    url = f"http://127.0.0.1:{stranger.port}"
    (folder / "graphmem.toml").write_text(
        f'data_dir = "data"\n[mcp]\nurl = "{url}"\n[neo4j]\nuri = "bolt://127.0.0.1:{stranger.port}"\npassword = "x"\n'
        f'[redis]\nurl = "redis://127.0.0.1:{stranger.port}"\n[openai]\nbase_url = "{url}"\n'
        f'[embedding]\nprovider = "openai"\nmodel = "m"\nbase_url = "{url}"\n'
    )
    (folder / ".env").write_text(f"GRAPHMEM_MCP_URL={url}\nNEO4J_URI=bolt://127.0.0.1:{stranger.port}\n")
    monkeypatch.setenv("GRAPHMEM_API_KEY", "key-of-the-user")
    monkeypatch.delenv("GRAPHMEM_CONFIG")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(folder)
    return folder


def _state(data_dir: Path, port: int) -> dict[str, object]:
    """As a supervisor writes it; that of the stranger's is alive, since it is this process."""
    alive = Identity.of(os.getpid()).model_dump()
    url = f"http://127.0.0.1:{port}"
    return {
        "graphmem_version": "0",
        "neo4j_version": None,
        "data_dir": str(data_dir),
        "started_at": "2025-01-01T00:00:00Z",
        "ready": True,
        "supervisor": alive,
        "services": [{"name": name, "title": name, "process": alive} for name in ("api", "neo4j")],
        "ports": {"api": port, "bolt": port, "http": port},
        "neo4j_uri": f"bolt://127.0.0.1:{port}",
        "redis_url": None,
        "api_url": url,
        "browser_url": url,
    }


def commands() -> Iterator[list[str]]:
    """Every command that asks a service, with what it must have."""
    root = typer.main.get_command(app)
    yield from ([*names] for names in _under([], root) if names[:2] not in STARTS)


def _under(names: list[str], command: object) -> Iterator[list[str]]:
    if isinstance(command, TyperGroup):
        for name, child in sorted(command.commands.items()):
            yield from _under([*names, name], child)
    elif isinstance(command, TyperCommand):
        values = [value for one in command.params if one.required for value in _value(one)]
        yield [*names, *values, *(["--no-open"] if names == ["browser"] else [])]


def _value(parameter: object) -> list[str]:
    assert isinstance(parameter, TyperOption | TyperArgument)
    value = VALUES.get(parameter.name or "", "Maya:person")
    return [parameter.opts[-1], value] if isinstance(parameter, TyperOption) else [value]


def test_no_command_goes_where_the_settings_of_its_folder_say(folder: Path, stranger: Stranger) -> None:
    (folder / "turns.jsonl").write_text('{"content": "Hello.", "time": "2025-01-07T09:00:00Z"}\n')
    asked = list(commands())
    assert len(asked) > 25
    told = {" ".join(one): CliRunner().invoke(app, one).output for one in asked}
    assert stranger.heard == []
    assert [name for name, text in told.items() if str(stranger.port) in text or "token-of-the-stranger" in text] == []


def test_neither_tools_nor_notebooks_go_there(folder: Path, stranger: Stranger) -> None:
    del folder
    with pytest.raises(GraphmemError, match="No service runs"):
        address_of(settings_of(parser().parse_args([])))
    with pytest.raises(GraphmemError, match="No service runs"):
        connect()
    assert stranger.heard == []


def test_neither_the_service_nor_a_worker_reads_them(folder: Path) -> None:
    del folder
    read = list[Settings]()

    async def keep(settings: Settings) -> None:
        read.append(settings)

    assert run_process(keep) == 0
    assert read == [Settings()]


def test_tools_say_so_in_one_line_apart_from_what_goes_to_the_agent(folder: Path, stranger: Stranger) -> None:
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-P", "-m", "graphmem", "mcp"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(root)},  # noqa: TID251 - with more, for a process of its own
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (stranger.heard, done.stdout) == ([], "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"{folder / 'graphmem.toml'} is not read")
    assert "graphmem admin trust" in line
