"""The command line: what its help shows, and what a person is told who calls it wrongly."""

import re
import shlex
from collections.abc import Iterator

import pytest
import typer
from typer.core import TyperCommand, TyperGroup
from typer.testing import CliRunner, Result

from graphmem.client.cli import app

DAILY = {"ask", "context", "graph", "history", "diff", "ingest", "remember", "extract"}
GROUPS = ("fact", "session", "identity", "admin")
LINES = 45
"""Of a terminal."""


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments, env={"COLUMNS": "100"})


def commands(command: object, *names: str) -> Iterator[tuple[tuple[str, ...], TyperCommand]]:
    """Every command with its names."""
    if isinstance(command, TyperGroup):
        for name, child in command.commands.items():
            yield from commands(child, *names, name)
    elif isinstance(command, TyperCommand):
        yield names, command


ROOT = typer.main.get_command(app)
COMMANDS = dict(commands(ROOT))


@pytest.mark.parametrize("group", [(), *((one,) for one in GROUPS)], ids=" ".join)
def test_help_of_a_group_fits_on_a_screen_and_has_a_line_for_each_command(group: tuple[str, ...]) -> None:
    shown = run(*group, "--help").output.splitlines()
    assert len(shown) <= LINES
    listed = [line for line in shown if re.match(r"│ [a-z]", line)]
    assert {line.split()[1] for line in listed} == {
        names[len(group)] for names in COMMANDS if names[: len(group)] == group
    }
    after_options = shown[next(at for at, line in enumerate(shown) if "─ Commands" in line) :]
    assert not [line for line in after_options if re.match(r"│ {6}", line)], "a line that goes on"


def test_what_is_daily_shows_an_example_that_is_one() -> None:
    for name in DAILY:
        example = re.search(r"Example: (.*)", COMMANDS[(name,)].help or "")
        assert example, name
        program, command, *arguments = shlex.split(example[1])
        assert (program, command) == ("graphmem", name)
        with COMMANDS[(name,)].make_context(name, arguments) as context:
            assert context.params


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (("--group", "demo", "ask", "Where?"), "--group stands after the command: graphmem COMMAND … --group"),
        (("-g", "demo", "ask", "Where?"), "-g stands after the command"),
        (("fact", "--user=ana", "list"), "--user stands after the command: graphmem fact COMMAND … --user"),
        (("facts",), "No such command 'facts'. Did you mean 'fact'?"),
        (("up", "--group", "demo"), "No such option: --group"),
        (("ask", "Where?"), "Missing option '--group'"),
        (("diff", "-g", "demo", "--from", "2025-01-01", "--to", "2025-02-01", "--axis", "now"), "'valid', 'known'"),
    ],
)
def test_who_calls_it_wrongly_is_told_what_to_write(written: tuple[str, ...], told: str) -> None:
    result = run(*written)
    words = " ".join(re.sub(r"[│╭╮╰╯─]", " ", result.output).split())
    assert (result.exit_code, told in words) == (2, True), words
