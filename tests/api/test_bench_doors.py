"""The benchmark of the doors, small: every part of it ends, and says what it measured."""

import json
from contextlib import suppress

import pytest

from bench.doors.__main__ import main
from tests.api.conftest import Service

SMALL = ("--messages", "3", "--megabytes", "0.5", "--turns", "4", "--items", "3", "--times", "2")


@pytest.mark.full
def test_every_part_has_its_figures(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    some = ("--format", "chatgpt", "--format", "own_lines")
    with suppress(SystemExit):  # where a hook takes longer than it is to take
        main(["--url", service.url, "--token", service.token, "--json", *some, *SMALL])

    figures = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert [figures["files"][name]["lost"] for name in ("chatgpt", "own_lines")] == [0, 0]
    assert figures["files"]["chatgpt"]["peak_mb"] > 0
    assert figures["big"]["ok"]
    assert [figures["hooks"][event]["n"] for event in ("start", "prompt", "end")] == [2, 2, 2]
    for store in ("graphmem", "in_memory"):
        assert figures["stores"][store]["aput"]["n"] == 3
