"""The benchmark of the doors: a rate from what was seen stored, and a big file in which nothing is lost."""

from pathlib import Path

from bench.doors.files import rate, write_big
from graphmem.files.episodes import look_through
from graphmem.files.turns import ReadingOptions


def test_a_rate_is_from_the_first_that_is_stored_to_the_last() -> None:
    assert rate([(1.0, 0), (3.0, 200), (3.5, 200), (4.0, 400), (4.5, 500)]) == 200.0
    assert rate([(1.0, 0), (3.0, 100)]) is None


def test_a_big_file_has_as_many_messages_as_it_says(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    messages = write_big(path, 0.5)

    files = look_through(path, ReadingOptions())
    assert (files.survey.turns, len(files.survey.began)) == (messages, messages // 100)
    assert 500_000 < path.stat().st_size < 1_000_000
