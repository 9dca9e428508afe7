"""Every code block of README, and then of the tutorial, does what it says: one shell runs them all, in order.

What a ``text`` block shows stands, line by line, in the output of the block before it; where none is before it, it is a
picture, whose sentences stand in what ``graphmem up --sample`` printed. A block under
``<!-- test: skip because … -->`` is skipped for that reason. The two commands themselves are not run again: they are
what the fixture and ``.ci/run`` run.
"""

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.acceptance.service import START, UP, Service

ROOT = Path(__file__).parents[2]
FENCE = re.compile(
    r"(?:<!-- test: skip because (?P<reason>[^>]+?) -->\s*)?^```(?P<language>\w*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
SENTENCE = re.compile(r"“[^”]+”|\b[A-Z]\w+(?: \w+)+\.")
REFUSALS_FAIL = 'curl() { command curl --fail-with-body "$@"; }'
AFTER_BLOCK = "printf '\\0'"

pytestmark = pytest.mark.timeout(START)


@dataclass(frozen=True, slots=True)
class Block:
    language: str
    text: str
    reason: str | None

    @property
    def is_command(self) -> bool:
        """Whether it is one of the two commands."""
        return self.language == "sh" and self.text.startswith("scripts/")

    @property
    def runs(self) -> bool:
        return self.language in {"sh", "python"} and not self.is_command and self.reason is None

    @property
    def script(self) -> str:
        return self.text if self.language == "sh" else f"python - <<'END_OF_BLOCK'\n{self.text}END_OF_BLOCK"


TEXT = "\n".join((ROOT / name).read_text("utf-8") for name in ("README.md", "docs/tutorial.md"))
BLOCKS = [Block(found["language"], found["text"], found["reason"]) for found in FENCE.finditer(TEXT)]
SCRIPTS = [place for place, block in enumerate(BLOCKS) if block.language in {"sh", "python"} and not block.is_command]
PICTURES = [place for place, block in enumerate(BLOCKS) if block.language == "text" and place - 1 not in SCRIPTS]
PRINTED = [place for place, block in enumerate(BLOCKS) if block.language == "text" and place - 1 in SCRIPTS]


def parameters(places: list[int]) -> list[object]:
    """Places of blocks as parameters of a test, with what is to be skipped marked so."""
    return [
        pytest.param(place, id=f"{place}-{BLOCKS[place].language}", marks=skipped(BLOCKS[place])) for place in places
    ]


def skipped(block: Block) -> list[pytest.MarkDecorator]:
    return [pytest.mark.skip(reason=block.reason)] if block.reason else []


@pytest.fixture(scope="module")
def outputs(service: Service) -> dict[int, str]:
    """What each block printed, by its place: of all up to the one that failed."""
    places = [place for place, block in enumerate(BLOCKS) if block.runs]
    script = "\n".join([REFUSALS_FAIL, *(f"{BLOCKS[place].script}\n{AFTER_BLOCK}" for place in places)])
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],  # noqa: S607
        cwd=ROOT,
        env=service.environment(),
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    *printed, rest = done.stdout.split("\0")
    print(rest)  # noqa: T201 -- of the block that failed
    return dict(zip(places, printed, strict=False))


def words(text: str) -> str:
    return " ".join(text.split())


def test_there_are_only_blocks_that_can_be_tested() -> None:
    assert {block.language for block in BLOCKS if not block.reason} <= {"sh", "python", "text", "json"}
    assert sum(block.runs for block in BLOCKS) > 0


@pytest.mark.parametrize("place", parameters(SCRIPTS))
def test_a_block_runs(outputs: dict[int, str], place: int) -> None:
    assert place in outputs, BLOCKS[place].text


@pytest.mark.parametrize("place", parameters(PRINTED))
def test_what_is_shown_is_what_is_printed(outputs: dict[int, str], place: int) -> None:
    printed = words(outputs[place - 1])
    for line in map(words, BLOCKS[place].text.splitlines()):
        before, found, printed = printed.partition(line)
        assert found == line, before


@pytest.mark.parametrize("place", parameters(PICTURES))
def test_a_picture_shows_what_the_sample_says(service: Service, place: int) -> None:
    sentences = SENTENCE.findall(BLOCKS[place].text)
    assert sentences
    assert [sentence for sentence in sentences if sentence not in words(service.told)] == []


def test_the_two_commands_are_first_up_then_test() -> None:
    assert [block.text.split() for block in BLOCKS if block.is_command] == [["scripts/up"], ["scripts/test"]]


@pytest.mark.parametrize("command", ["scripts/up", "scripts/test"])
def test_a_command_can_be_run(command: str) -> None:
    assert os.access(ROOT / command, os.X_OK)
    subprocess.run(["bash", "-n", ROOT / command], check=True)  # noqa: S607


def test_the_first_command_runs_what_these_tests_ran() -> None:
    *_, last = (ROOT / "scripts" / "up").read_text("utf-8").splitlines()
    assert last == f'exec .venv/bin/{" ".join(UP)} "$@"'


def test_the_second_command_is_what_the_whole_check_calls() -> None:
    calls = [line.partition("#")[0].strip() for line in (ROOT / ".ci" / "run").read_text("utf-8").splitlines()]
    assert "scripts/test" in calls
