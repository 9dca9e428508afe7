"""What the repository promises about itself: no hosts, pins that agree, names of types, and a wheel of everything."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from importlib.metadata import version
from pathlib import Path
from tarfile import TarFile
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement

import graphmem

ROOT = Path(__file__).parents[2]
INSTALLED_FROM = sorted(
    path.relative_to(ROOT).as_posix()
    for pattern in ("requirements/*", "scripts/*", ".ci/*", "Dockerfile", "**/*.lock", "pyproject.toml")
    for path in ROOT.glob(pattern)
    if path.is_file() and ".venv" not in path.parts
)
ADDRESS = re.compile(r"\w://|--(?:extra-)?index-url|--find-links|--trusted-host")
PIN = re.compile(r"^([a-z0-9-]+)==(\S+)(?: ; ([^\\]+?))? \\$", re.MULTILINE)


def lines_with_addresses(text: str) -> list[str]:
    return [line for line in text.splitlines() if ADDRESS.search(line)]


def pins(name: str) -> set[tuple[str, str, str]]:
    return set(PIN.findall((ROOT / "requirements" / name).read_text("utf-8")))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the sdist of what Git has: of a copy without the synchronous client."""
    clone, target = tmp_path_factory.mktemp("clone"), tmp_path_factory.mktemp("built")
    for name in ("pyproject.toml", ".gitignore", "README.md", "LICENSE", "CHANGELOG.md"):
        shutil.copy(ROOT / name, clone)
    ignored = shutil.ignore_patterns("synchronous", "__pycache__")
    for folder in ("graphmem", "cypher", "plugins", "scripts"):
        shutil.copytree(ROOT / folder, clone / folder, ignore=ignored)
    build = [sys.executable, "-m", "hatchling", "build", "-d", str(target)]
    subprocess.run(build, cwd=clone, check=True, capture_output=True)
    return target


@pytest.fixture(scope="module")
def wheel(built: Path) -> set[str]:
    with ZipFile(next(built.glob("*.whl"))) as file:
        return set(file.namelist())


def test_installing_names_no_host() -> None:
    named = {name: lines_with_addresses((ROOT / name).read_text("utf-8")) for name in INSTALLED_FROM}
    assert {name: lines for name, lines in named.items() if lines} == {}


def test_an_address_would_be_found() -> None:
    lines = ["a @ https://b/c.whl", "--index-url x", "--extra-index-url=x", "--find-links /y"]
    assert lines_with_addresses("\n".join(lines)) == lines


def test_every_requirement_is_pinned_by_checksum() -> None:
    for path in (ROOT / "requirements").glob("*.txt"):
        blocks = re.findall(r"^\S.*?(?=^\S|\Z)", path.read_text("utf-8"), re.MULTILINE | re.DOTALL)
        packages = [block for block in blocks if not block.startswith("#")]

        assert packages
        assert [block for block in packages if not (PIN.match(block) and "--hash=sha256:" in block)] == []


def versions(name: str) -> set[tuple[str, str]]:
    """Without where each is installed, which is the wider the more packages ask for it."""
    return {(package, number) for package, number, _ in pins(name)}


def test_who_develops_runs_the_same_versions() -> None:
    assert versions("run.txt") - versions("dev.txt") == set()
    assert versions("dev.txt") - versions("all.txt") == set()


def test_pytorch_is_an_extra() -> None:
    """The package of the default model's weights requires it; neither running nor developing does."""
    for name, has in (("run.txt", False), ("dev.txt", False), ("all.txt", True)):
        assert ("torch" in {package for package, _, _ in pins(name)}) is has


def test_graphmem_without_extras_is_its_client() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert [Requirement(one).name for one in project["dependencies"]] == ["httpx", "pydantic"]
    assert project["optional-dependencies"]["client"] == []


def test_pins_are_those_that_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    pinned = {name: number for name, number, _ in pins("run.txt")}
    for requirement in map(Requirement, [*project["dependencies"], *project["optional-dependencies"]["server"]]):
        assert requirement.specifier.contains(pinned[requirement.name.lower()]), requirement.name


def test_no_number_of_tests_is_written_by_hand() -> None:
    """It is another one with the next change; pytest says it."""
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")):
        assert re.findall(r"\b\d[\d,.]*\s+(?:tests|passed)\b", path.read_text("utf-8")) == [], path.name


def test_the_installed_version_is_the_one_in_the_sources() -> None:
    assert version("graphmem") == graphmem.__version__


def test_the_wheel_holds_every_file_of_the_package(wheel: set[str]) -> None:
    files = {path for path in (ROOT / "graphmem").rglob("*") if path.is_file() and "__pycache__" not in path.parts}

    assert {path.relative_to(ROOT).as_posix() for path in files} - wheel == set()
    assert {"graphmem/py.typed", "graphmem/local/neo4j/neo4j.lock"} <= wheel


def test_the_sdist_holds_the_synchronous_client_and_what_makes_it(built: Path) -> None:
    with TarFile.open(next(built.glob("*.tar.gz"))) as file:
        names = {name.partition("/")[2] for name in file.getnames()}

    assert {"graphmem/client/synchronous/__init__.py", "scripts/unasync.py"} <= names


def test_the_wheel_holds_every_query_and_migration_and_what_neo4j_browser_reads(wheel: set[str]) -> None:
    files = {path.relative_to(ROOT / "cypher").as_posix() for path in (ROOT / "cypher").rglob("*.*")}

    assert files
    assert {f"graphmem/_cypher/{name}" for name in files} - wheel == set()


def test_the_wheel_holds_the_plugin_of_coding_agents(wheel: set[str]) -> None:
    files = [path for path in (ROOT / "plugins").rglob("*") if path.is_file() and "__pycache__" not in path.parts]

    assert files
    assert {f"graphmem/_{path.relative_to(ROOT).as_posix()}" for path in files} - wheel == set()
    assert not [name for name in wheel if name.endswith(".pyc")]


def test_no_two_types_have_one_name() -> None:
    modules = [path for path in (ROOT / "graphmem").rglob("*.py") if "synchronous" not in path.parts]
    bodies = [ast.parse(path.read_text("utf-8")).body for path in modules]
    types = Counter(node.name for body in bodies for node in body if isinstance(node, ast.ClassDef))

    assert {name for name, times in types.items() if times > 1} == set()
