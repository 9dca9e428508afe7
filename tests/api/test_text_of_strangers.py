"""Commands that show what strangers stored, and commands that have nothing to show."""

import json
import re
from collections.abc import Iterator

import pytest

from graphmem.visible import visible
from tests.api.claiming import JANUARY, JULY, MAY, post
from tests.api.conftest import Service
from tests.api.test_commands import run

NAMES = ("[/]", "[link=https://evil.example]Maya[/link]", "\u202eayaM\u202c", "Ma\u200bya\u2028Bo", "[bold]:smile:")
OBEYED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")


@pytest.fixture
def hostile(service: Service, group: str) -> str:
    """Each name is a subject, an object, a speaker, a session, in the id of a user, a value, and in a sentence."""
    for name, other in zip(NAMES, NAMES[1:] + NAMES[:1], strict=True):
        person = {"name": name, "type": "person"}
        colour = {"subject": person, "predicate": "preference.colour"}
        likes = {"subject": person, "predicate": "likes", "object": {"name": other, "type": "person"}}
        post(
            service,
            group,
            likes | {"statement": f"{name} likes {other}.", "occurred_at": JANUARY},
            colour | {"value": name, "confidence": 0.9, "occurred_at": JANUARY},
            colour | {"value": f"not {name}", "confidence": 0.5, "occurred_at": MAY},
        )
        episode = {"content": f"{name}\n{name}: I like it.", "speaker": name, "session": name, "occurred_at": JANUARY}
        assert service.post(f"/v1/groups/{group}/episodes", episode | {"user": f"user {name}"}).is_success
    return group


def asked(name: str, other: str) -> Iterator[tuple[str, ...]]:
    """Commands whose answer has the name in it."""
    yield "history", name
    yield "ask", f"What does {name} like?", "--history", "--limit", "50"
    yield "context", f"What does {name} like?", "--session", name
    yield "context", "--session", name, "--about", name
    yield "session", "show", name
    yield "session", "close", name
    yield "identity", "why", name, other
    yield "extract", name
    yield "remember", f"{name}:person", "preference", "colour", "--value", name
    yield "identity", "merge", name, other, "--reason", name


ALL = (
    ("graph",),
    ("diff", "--from", "2024-01-01T00:00:00Z", "--to", JULY),
    ("fact", "list"),
    ("fact", "conflicts"),
    ("session", "list"),
    ("identity", "merges"),
    ("identity", "reviews"),
)
NOT_SHOWN = {ALL[2]: [NAMES[1], *NAMES[3:]], **{command: list[str]() for command in (ALL[0], ALL[1], ALL[4])}}
"""Names that the answers to these do not have: what is remembered is about two. Of the others there are some."""


def test_stored_text_is_shown_and_neither_markup_nor_obeyed(service: Service, hostile: str) -> None:
    for name, other in zip(NAMES[::2], NAMES[1::2], strict=False):
        for command in asked(name, other):
            text = run(service, hostile, *command)
            assert OBEYED.search(text) is None, (command, text)
            assert visible(name) in text or {"extract", "merge", "remember"} & {*command[:2]}, (command, text)
    for command in ALL:
        text = run(service, hostile, *command)
        assert OBEYED.search(text) is None, (command, text)
        shown = _unfolded(text)
        missing = [name for name in NAMES if _unfolded(visible(name)) not in shown]
        assert missing == NOT_SHOWN.get(command, missing), (command, text)


def test_what_programs_read_has_the_text_as_it_is(service: Service, hostile: str) -> None:
    name = NAMES[2]
    text = run(service, hostile, "context", f"What does {name} like?", "--json")
    answer, _ = json.JSONDecoder().raw_decode(text, text.index("{\n"))  # lines of the service's log stand around it
    assert name in json.dumps(answer, ensure_ascii=False)


def test_an_error_that_quotes_a_name_is_shown_likewise(
    service: Service, hostile: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from graphmem.client.cli import app  # noqa: PLC0415 - the command as a shell starts it, with its words on errors

    where = ("--group", hostile, "--url", service.url, "--key", service.token)
    with pytest.raises(SystemExit):
        app(["history", f"{NAMES[2]} and {NAMES[0]}", *where])
    told = capsys.readouterr().err
    assert OBEYED.search(told) is None
    assert "[/]" in told


EMPTY = (
    ("graph",),
    ("diff", "--from", JANUARY, "--to", JULY),
    ("ask", "Where?", "--predicate", "lives_in"),
    ("context", "Where?"),
    ("extract", "Hm."),
    ("fact", "list"),
    ("fact", "conflicts"),
    ("session", "list", "--valid-at", "2024-01-01"),
    ("session", "show", "chat", "--window", "0"),
    ("session", "summaries"),
    ("session", "summaries", "--session", "chat"),
    ("session", "reflections"),
    ("identity", "merges"),
    ("identity", "reviews"),
    ("identity", "reviews", "--walk"),
)


def test_where_there_is_nothing_a_sentence_says_what_and_what_to_do(service: Service, group: str) -> None:
    said = {"content": "Hm.", "session": "chat", "occurred_at": JANUARY}
    assert service.post(f"/v1/groups/{group}/episodes", said).is_success
    for command in EMPTY:
        text = run(service, group, *command)
        assert "┏" not in text, (command, text)
        assert re.search(r"[Nn]othing|none|no (summaries|reflections|pairs|turns)", text), (command, text)
        assert re.search(r"graphmem |--|[Aa]sk|[Ss]ay|is made|No two", text), (command, text)


def _unfolded(text: str) -> str:
    """Without what folding puts between the characters of a cell."""
    return re.sub(r"[\s│┃]", "", text)
