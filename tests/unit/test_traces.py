"""Words are found in files and properties, however they are written there."""

import json
from pathlib import Path

import pytest

from graphmem.local import traces as module
from graphmem.local.traces import traces
from graphmem.model.forgetting import as_phrase, written


def test_words_are_found_in_files_across_chunks_in_any_case_and_nothing_else_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_CHUNK", 16)
    for path, content in {
        "neo4j/data/store": b"\x00" * 12 + "Zorblé".encode() + b"\x00",
        "neo4j/index": "zorblé".encode("utf-16-le"),
        "logs/api.log": b"a log that tells nothing of it",
        "valkey/dump.rdb": b"..." * 20 + b"TANGO",
        "secrets/key": b"tango",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content)

    assert traces(tmp_path, ["zorblé", "tango"]) == {
        "neo4j/data/store": [0],
        "neo4j/index": [0],
        "valkey/dump.rdb": [1],
    }
    assert traces(tmp_path, []) == {}


@pytest.mark.parametrize("canary", ["Zoë", 'the "Old" mill', "line\nbreak", "back\\slash", "plain"])
def test_a_canary_is_known_as_it_is_and_within_json(canary: str) -> None:
    for text in (
        canary,
        canary.upper(),
        json.dumps({"x": canary}),
        json.dumps({"x": canary}, ensure_ascii=False),
        json.dumps({"x": canary.title()}),
    ):
        assert any(way in text.lower() for way in written(canary)), text


def test_a_phrase_is_one_question_to_a_full_text_index() -> None:
    assert as_phrase('a "b" \\ AND c') == '"a \\"b\\" \\\\ AND c"'
