"""The client runs where the server is not installed: on httpx, pydantic and what these bring."""

import subprocess
import sys
from importlib.metadata import packages_distributions

LIGHT = {
    *("annotated_types", "anyio", "certifi", "graphmem", "h11", "httpcore", "httpx", "idna"),
    *("pydantic", "pydantic_core", "sniffio", "typing_extensions", "typing_inspection"),
}
MCP = {
    *("_cffi_backend", "attr", "attrs", "cffi", "click", "cryptography", "dotenv", "httpcore2", "httpx2", "jsonschema"),
    *("jsonschema_specifications", "jwt", "mcp", "mcp_types", "multipart", "opentelemetry", "platformdirs"),
    *("pycparser", "pydantic_settings", "python_multipart", "referencing", "rpds", "sse_starlette", "starlette"),
    *("truststore", "uvicorn"),
}
"""What the extra ``mcp`` brings besides."""
HIDE = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {absent}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Absent())
"""
CLIENT = """
from graphmem.client import AsyncGraphmemClient, GraphmemClient, Retries
import graphmem.errors, graphmem.notebook, graphmem.ontology
GraphmemClient("http://graphmem.test"), AsyncGraphmemClient("http://graphmem.test")
"""
TOOLS = """
from graphmem.__main__ import main
sys.argv = ["graphmem", "mcp", "--help"]
main()
"""


def run_with(packages: set[str], code: str) -> subprocess.CompletedProcess[str]:
    """A program for which no other packages are installed."""
    absent = packages_distributions().keys() - packages
    assert {"fastapi", "neo4j", "numpy", "rich", "typer"} <= absent
    command = [sys.executable, "-c", HIDE.replace("{absent}", repr(absent)) + code]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_what_the_client_imports_comes_with_httpx_and_pydantic() -> None:
    done = run_with(LIGHT, CLIENT)
    assert done.returncode == 0, done.stderr


def test_what_tools_for_agents_import_comes_with_their_extra() -> None:
    done = run_with(LIGHT | MCP, TOOLS)
    assert (done.returncode, "--http" in done.stdout) == (0, True), done.stderr
