"""Who is let in over HTTP, how a process ends, and which service it calls; tools are called in tests/api."""

import asyncio
import sys
from functools import partial
from pathlib import Path

import httpx
import pytest
from mcp import Client
from pydantic import SecretStr

from graphmem.client.calls import ServiceAddress
from graphmem.errors import ConfigurationError
from graphmem.mcp.command import main, parser, refuse_for_everybody, settings_of
from graphmem.mcp.http import app_of
from graphmem.mcp.memory import AgentMemory, address_of
from graphmem.mcp.server import server_of
from graphmem.settings import Settings
from graphmem.settings.servers import ApiSettings, McpSettings

TOKEN = "token-of-the-service"  # noqa: S105 - of a test


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """A data directory as the one of a service that runs."""
    for folder in ("run", "secrets"):
        (tmp_path / folder).mkdir()
    (tmp_path / "run" / "state.json").write_text('{"api_url": "http://127.0.0.1:9", "graphmem_version": "0"}')
    (tmp_path / "secrets" / "api-token").write_text(f"{TOKEN}\n")
    return tmp_path


async def test_a_process_whose_client_goes_away_ends(data_dir: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "graphmem", "mcp", "--data-dir", str(data_dir)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    assert process.stdin is not None
    process.stdin.write(b'{"jsonrpc": "2.0", "id": 1, "meth')
    process.stdin.close()
    assert await process.wait() == 0


def test_other_machines_are_listened_to_under_given_names_only() -> None:
    find = partial(ServiceAddress, "http://graphmem.test", TOKEN)
    server, url = server_of(AgentMemory(find, McpSettings())), "https://memory.example/mcp"
    with pytest.raises(ConfigurationError, match=r"mcp\.hosts"):
        app_of(server, McpSettings(host="0.0.0.0"), find, url)  # noqa: S104 - refused
    app_of(server, McpSettings(host="0.0.0.0", hosts=("memory.example",)), find, url)  # noqa: S104 - with names


async def test_while_the_service_does_not_answer_nobody_is_let_in() -> None:
    find = partial(ServiceAddress, "http://127.0.0.1:9")
    app = app_of(server_of(AgentMemory(find, McpSettings())), McpSettings(), find, "http://127.0.0.1/mcp")
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as http:
        answer = await http.post("/mcp", json={}, headers={"authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 503
    assert "graphmem up" in answer.text


def test_options_win_over_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAPHMEM_MCP_GROUP", "theirs")
    monkeypatch.setenv("GRAPHMEM_MCP_USER", "maya")
    given = parser().parse_args(["--group", "ours", "--max-tokens", "5000", "--key", "k"])
    found = settings_of(given)
    assert (found.mcp.group, found.mcp.user, found.mcp.max_tokens) == ("ours", "maya", 5_000)
    assert given.key == "k"


def test_the_address_is_that_of_what_runs(data_dir: Path) -> None:
    found = address_of(Settings(data_dir=data_dir))
    assert (found.token, found.url.startswith("http://127.0.0.1:")) == (TOKEN, True)
    assert TOKEN not in repr(found)


def test_a_key_that_is_given_wins_over_the_local_token_and_that_over_the_configured_one(data_dir: Path) -> None:
    here = Settings(data_dir=data_dir, api=ApiSettings(key=SecretStr("configured")))
    elsewhere = here.model_copy(update={"mcp": McpSettings(url="http://x")})
    assert (address_of(here, "given").token, address_of(here).token) == ("given", TOKEN)
    assert (address_of(elsewhere, "given").token, address_of(elsewhere).token) == ("given", "configured")
    (data_dir / "secrets" / "api-token").write_text("")
    assert address_of(here).token == "configured"  # noqa: S105 - of a test


def test_a_setting_that_does_not_fit_ends_the_start_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match=r"mcp\.max_tokens"):
        main(["--max-tokens", "7"])
    with pytest.raises(SystemExit):
        main(["--toolset", "theirs"])
    assert "memory-server" in capsys.readouterr().err


def test_tools_for_nobody_do_not_start_where_the_service_asks_for_a_user(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAPHMEM_API_REQUIRE_USER", "true")
    with pytest.raises(SystemExit) as ended:
        main(["--data-dir", str(tmp_path)])
    assert "graphmem mcp --user NAME" in str(ended.value.code) + capsys.readouterr().err
    refuse_for_everybody(settings_of(parser().parse_args(["--user", "maya"])))


async def test_a_service_elsewhere_that_asks_for_a_user_is_quoted_with_what_to_do() -> None:
    """What the API answers then is tested there (``test_parameters``)."""

    def refuse(_: httpx.Request) -> httpx.Response:
        problem = {"type": "urn:graphmem:problem:user-required", "status": 422, "detail": "Say for which user."}
        return httpx.Response(422, json=problem, headers={"content-type": "application/problem+json"})

    find = partial(ServiceAddress, "http://graphmem.test", TOKEN)
    memory = AgentMemory(find, McpSettings(), transport=httpx.MockTransport(refuse))
    async with Client(server_of(memory)) as client:
        answer = await client.call_tool("facts", {})
    (text,) = answer.content
    assert answer.is_error
    assert "Say for which user. Ask the user to start this server with `--user NAME`" in str(text)
