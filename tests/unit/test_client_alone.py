"""The client runs where the server is not installed: on httpx, pydantic and what these bring."""

import subprocess
import sys
from importlib.metadata import packages_distributions

LIGHT = {
    *("annotated_types", "anyio", "certifi", "graphmem", "h11", "httpcore", "httpx", "idna"),
    *("pydantic", "pydantic_core", "sniffio", "typing_extensions", "typing_inspection"),
}
CODE = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {absent}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Absent())
from graphmem.client import AsyncGraphmemClient, GraphmemClient, Retries
import graphmem.errors, graphmem.notebook, graphmem.ontology
GraphmemClient("http://graphmem.test"), AsyncGraphmemClient("http://graphmem.test")
"""


def test_what_the_client_imports_comes_with_httpx_and_pydantic() -> None:
    absent = packages_distributions().keys() - LIGHT
    assert {"fastapi", "neo4j", "numpy", "rich", "typer"} <= absent
    done = subprocess.run(
        [sys.executable, "-c", CODE.replace("{absent}", repr(absent))], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
