"""Any conversation, written as a program writes it and read back, is the same turns in their order, equal ones too."""

from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.files.episodes import look_through
from graphmem.files.turns import ReadingOptions
from tests.written_files import ALONE, OTHER, START, USER, WRITERS, Conversation, Said, Writer, by_role

ANY = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp")) | st.sampled_from("\n\t\u2028"))
"""What can be stored."""
PLAIN = st.text("abcdefghij klmnop éß中🙂,.!?;'")
MOST_STEPS = 1_000


@st.composite
def conversations(draw: st.DrawFn, writer: Writer, speakers: tuple[str, ...]) -> Conversation:
    """Up to eight messages in order of time, some at one time, on days after the twelfth of a month."""
    text = (ANY if writer.any_text else PLAIN).map(str.strip).filter(bool)
    steps = draw(st.lists(st.integers(0, MOST_STEPS), min_size=1, max_size=8))
    when, said = START, list[Said]()
    for step in steps:
        when += step * writer.step
        said.append(Said(draw(st.sampled_from(speakers)), when, draw(text)))
    return said


def read_back(path: Path, *, roles: bool, at: datetime | None = None) -> list[Said]:
    bodies = [placed.body for placed in look_through(path, ReadingOptions(at=at)).bodies()]
    who = "role" if roles else "speaker"
    return [Said(body.get(who, USER), datetime.fromisoformat(body["occurred_at"]), body["content"]) for body in bodies]


@pytest.mark.parametrize("name", WRITERS)
@settings(max_examples=40, deadline=timedelta(seconds=5))
@given(data=st.data())
def test_a_conversation_comes_back_as_it_was(name: str, data: st.DataObject) -> None:
    writer = WRITERS[name]
    conversation = data.draw(conversations(writer, (USER, OTHER)))
    with TemporaryDirectory() as folder:
        path = writer.write(conversation, Path(folder))
        at = START if name in ("vtt", "srt") else None
        expected = [said._replace(who=by_role(said)) if writer.roles else said for said in conversation]
        assert read_back(path, roles=writer.roles, at=at) == expected


@pytest.mark.parametrize("name", ALONE)
@settings(max_examples=40, deadline=timedelta(seconds=5))
@given(data=st.data())
def test_entries_of_one_writer_come_back_as_they_were(name: str, data: st.DataObject) -> None:
    conversation = data.draw(conversations(ALONE[name], (USER,)))
    with TemporaryDirectory() as folder:
        assert read_back(ALONE[name].write(conversation, Path(folder)), roles=False) == conversation
