"""Tokens are counted as the tokenizer of the model counts them, and no word is smaller than it is."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from graphmem.embed.packaged import DEFAULT, PACKAGED
from graphmem.embed.tokens import FileTokenizer
from graphmem.errors import ModelUnavailable
from graphmem.settings.recall import EmbeddingSettings

COUNTER = FileTokenizer(None, EmbeddingSettings())
OWN = Tokenizer.from_file(str(PACKAGED[DEFAULT].find().tokenizer))
OWN.no_truncation()
OWN.no_padding()


@given(st.text())
def test_a_text_has_at_least_as_many_tokens_as_the_tokenizer_finds(text: str) -> None:
    assert COUNTER.count(text) >= len(OWN.encode(text, add_special_tokens=False).ids)


def test_plain_text_has_as_many_as_the_tokenizer_finds() -> None:
    text = "Caroline went to the support group yesterday; it was so powerful!\n" * 100
    assert COUNTER.count(text) == len(OWN.encode(text, add_special_tokens=False).ids) == 1_300
    assert (COUNTER.name, COUNTER.count("")) == (DEFAULT, 0)


def test_a_word_that_cannot_be_spelled_counts_by_its_length() -> None:
    assert COUNTER.count("x" * 4_000) == 1_000
    assert COUNTER.count("💛") == 1


def test_a_tokenizer_of_ones_own_counts(tmp_path: Path) -> None:
    none = dict.fromkeys(("truncation", "padding", "normalizer", "post_processor", "decoder"))
    model = {"type": "WordLevel", "vocab": {"one": 0, "?": 1}, "unk_token": "?"}
    words: dict[str, object] = {**none, "version": "1.0", "pre_tokenizer": {"type": "Whitespace"}, "model": model}
    words["added_tokens"] = list[object]()
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(words), "utf-8")
    counter = FileTokenizer(path, EmbeddingSettings())
    assert (counter.name, counter.count("one one three"), counter.count("one mountain")) == (str(path), 4, 3)
    in_folder = FileTokenizer(None, EmbeddingSettings(path=tmp_path))
    assert in_folder.count("one one") == 2


def test_a_tokenizer_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    with pytest.raises(ModelUnavailable, match=r"tokenizer\.json"):
        FileTokenizer(path, EmbeddingSettings()).count("x")
    path.write_text("{", "utf-8")
    with pytest.raises(ModelUnavailable, match=r"tokenizer\.json"):
        FileTokenizer(path, EmbeddingSettings()).count("x")
