"""Commands against the service: the past in tables."""

import pytest
from typer.testing import CliRunner

from graphmem.client.cli import app
from tests.api.claiming import lives, post
from tests.api.conftest import Service

JANUARY, MAY, JULY = "2025-01-01T00:00:00Z", "2025-05-01T00:00:00Z", "2025-07-01T00:00:00Z"


@pytest.fixture
def moved(service: Service, group: str) -> str:
    post(service, group, lives("Porto", JANUARY))
    post(service, group, lives("Lisbon", MAY))
    return group


def run(service: Service, group: str, *arguments: str) -> str:
    where = ("--group", group, "--url", service.url, "--key", service.token)
    result = CliRunner().invoke(app, [*arguments, *where], env={"COLUMNS": "200"})
    assert result.exit_code == 0, result.output
    return result.output


def test_history_shows_every_version(service: Service, moved: str) -> None:
    rows = [line for line in run(service, moved, "history", "Maya").splitlines() if "Maya lives in" in line]
    assert sorted(("Lisbon" in row, "…" in row.split("│")[3]) for row in rows) == [
        (False, False),
        (False, True),
        (True, True),
    ]


def test_diff_shows_what_began_and_ended(service: Service, moved: str) -> None:
    text = run(service, moved, "diff", "--from", JANUARY, "--to", JULY, "--entity", "Maya")
    kinds = {line.split("│")[1].strip() for line in text.splitlines() if "Maya lives in" in line}
    assert kinds == {"began", "ended"}


def test_diff_along_what_we_knew_shows_nothing_of_long_ago(service: Service, moved: str) -> None:
    text = run(service, moved, "diff", "--from", JANUARY, "--to", MAY, "--axis", "known")
    assert "Maya" not in text
