"""Every extra brings what its part of the package imports, also where that is imported late."""

import re
import sys
import tomllib
from collections import deque
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import grimp
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
OTHERS = {
    "graphmem.mcp": "mcp",
    "graphmem.notebook": "notebooks",
    "graphmem.embed.encoders": "sentence-transformers",
    "graphmem.integrations.claude_memory": "claude-memory",
    "graphmem.integrations.langgraph": "langgraph",
    "graphmem.integrations.openai_agents": "openai-agents",
    "graphmem.integrations.pydantic_ai": "pydantic-ai",
}
"""Parts of the package that come with extras of their own; all the rest is the server's."""
ROOMS = {
    "claude-memory": ("graphmem.integrations.claude_memory",),
    "client": ("graphmem.client.asynchronous", "graphmem.client.synchronous", "graphmem.errors", "graphmem.ontology"),
    "files": ("graphmem.files",),
    "langgraph": ("graphmem.integrations.langgraph",),
    "mcp": ("graphmem.mcp",),
    "notebooks": ("graphmem.notebook", "graphmem.client.sample.loading"),
    "openai-agents": ("graphmem.integrations.openai_agents",),
    "pydantic-ai": ("graphmem.integrations.pydantic_ai",),
    "sentence-transformers": ("graphmem.embed.encoders",),
    "server": ("graphmem",),
}


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("graphmem", include_external_packages=True, exclude_type_checking_imports=True)


def imported(graph: grimp.ImportGraph, rooms: Iterable[str], apart: Iterable[str]) -> set[str]:
    """Packages of others that these rooms import, or what they import, however late; but not by way of ``apart``."""
    seen = {part for room in apart for part in (room, *graph.find_descendants(room))}
    todo, found = deque(part for room in rooms for part in (room, *graph.find_descendants(room))), set[str]()
    while todo:
        if (module := todo.pop()) in seen:
            continue
        seen.add(module)
        if not module.startswith("graphmem"):
            found.add(module)
            continue
        todo.extend(graph.find_modules_directly_imported_by(module))
        todo.extend([module.rpartition(".")[0]] if "." in module else [])
    return found - sys.stdlib_module_names


def brought(extra: str) -> set[str]:
    """The distributions that an install with this extra brings, as far as they are installed here."""
    names = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"][extra]]
    todo, seen = deque((Requirement(name), "") for name in names), set[tuple[str, str]]()
    while todo:
        requirement, asked_by = todo.pop()
        if requirement.marker and not requirement.marker.evaluate({"extra": asked_by}):
            continue
        for key in ((canonicalize_name(requirement.name), extra_) for extra_ in ("", *requirement.extras)):
            if key not in seen:
                seen.add(key)
                todo.extend((Requirement(line), key[1]) for line in _required(key[0]))
    return {name for name, _ in seen}


def _required(name: str) -> list[str]:
    try:
        return requires(name) or []
    except PackageNotFoundError:  # of an extra that is not installed here
        return []


@pytest.mark.parametrize("extra", sorted(ROOMS))
def test_an_extra_brings_what_its_part_imports(graph: grimp.ImportGraph, extra: str) -> None:
    distributions = packages_distributions()
    apart = [room for room, other in OTHERS.items() if other != extra]
    known, missing = brought(extra), set[str]()
    for package in imported(graph, ROOMS[extra], apart):
        from_ = {canonicalize_name(name) for name in distributions.get(package, [re.sub("_", "-", package)])}
        missing |= set() if from_ & known else {package}
    assert missing == set()


def test_every_extra_is_tested() -> None:
    assert PROJECT["optional-dependencies"].keys() == ROOMS.keys() | {"training"}  # of scripts beside the package
