"""A file of weights replaces what it names, and is refused with words that help where it does not fit."""

from dataclasses import replace
from pathlib import Path

import pytest

from graphmem.errors import ConfigurationError
from graphmem.retrieve.weights import packaged, weights_of
from graphmem.settings import Settings
from graphmem.settings.recall import SearchSettings
from graphmem.wiring import open_services


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "weights.toml"


def test_without_a_file_the_packaged_weights_hold() -> None:
    assert weights_of(None) is packaged()


def test_what_a_file_does_not_name_is_as_packaged(file: Path) -> None:
    file.write_text("[turns]\nquestion = -1\n[kinds]\nturns = 0.5\n", "utf-8")
    found, plain = weights_of(file), packaged()

    assert found.turns == replace(plain.turns, question=-1.0)
    assert found.kinds == {**plain.kinds, "turns": 0.5}
    assert (found.beliefs, found.entities) == (plain.beliefs, plain.entities)


def test_a_file_of_all_weights_reads_as_it_was_written(file: Path) -> None:
    lines = [
        line
        for table, weights in packaged().tables.items()
        for line in (f"[{table}]", *(f"{name} = {value}" for name, value in weights.items()))
    ]
    file.write_text("\n".join(lines), "utf-8")

    assert weights_of(file) == packaged()


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("[turns]\nspeaker = 'much'\n[beliefs]\ntxt = 1\n[kind]\n", r"turns\.speaker is no number.*'txt'.*\[kind\]"),
        ("[turns]\ntext = true", r"turns\.text is no number"),
        ("[turns]\ntext = nan", r"turns\.text is no number"),
        ("[turns]\ntext = inf", r"turns\.text is no number"),
        (f"[turns]\ntext = 1{'0' * 400}", r"turns\.text is no number"),
        ("turns = 1", "turns is no table"),
        ("[kinds]\nturns = 0", r"kinds\.turns must be above 0"),
        ("[turns", "is no TOML"),
    ],
)
def test_what_does_not_fit_is_named_with_what_to_do(file: Path, written: str, told: str) -> None:
    file.write_text(written, "utf-8")

    with pytest.raises(ConfigurationError, match=told) as caught:
        weights_of(file)

    assert "take search.weights out" in str(caught.value)
    assert str(file) in str(caught.value)


def test_a_file_that_is_no_text_or_not_there_is_said(file: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"cannot be read \(No such file"):
        weights_of(file)
    file.write_bytes(b"\xff")
    with pytest.raises(ConfigurationError, match="is no TOML"):
        weights_of(file)


async def test_a_process_does_not_start_with_weights_that_do_not_fit(file: Path) -> None:
    settings = Settings(search=SearchSettings(weights=file))

    with pytest.raises(ConfigurationError, match="file of weights"):
        async with open_services(settings):
            pytest.fail("It started.")
