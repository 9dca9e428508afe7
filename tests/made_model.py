"""A small multilingual model in a folder, as sentence-transformers and optimum write one: word vectors, and their mean.

A word of French, German and English has the vector of its meaning, and other words have hardly any. The graph looks the
vectors up; it is written here byte by byte, in the format of protocol buffers, since no library for that is at hand.
https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
"""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from tests.fakes import unit

DIMENSIONS = 32
MAX_TOKENS = 16
PADDING, UNKNOWN, BEGINNING, END = "[PAD]", "[UNK]", "[CLS]", "[SEP]"
MARKS = (PADDING, UNKNOWN, BEGINNING, END)
MEANINGS = (
    "move moves moved déménage déménagé umzieht gezogen zieht",
    "live lives habite habiter wohnt wohnen",
    "city town ville stadt",
    "job work works travail travaille arbeit arbeitet",
    "coffee café kaffee",
    "machine kaffeemaschine maschine",
    "broken panne kaputt defekt",
    "music musique musik",
    "love loves adore aime liebt mag",
    "train zug bahn",
    "late retard verspätung verspätet",
    "dog chien hund",
    "sister soeur schwester",
    "doctor médecin arzt ärztin",
    "meeting réunion besprechung",
    "monday lundi montag",
)
"""Words that mean the same."""


def write_model(
    folder: Path, *, pooling: str = "mean_tokens", inputs: Sequence[str] = ("input_ids", "attention_mask")
) -> Path:
    """The folder, with the model in it. ``pooling`` is as sentence-transformers calls it: mean_tokens, cls_token …"""
    words = {word: number for number, meaning in enumerate(MEANINGS) for word in meaning.split()}
    seeds, weights = [*MARKS, *map(str, words.values())], [0.05] * len(MARKS) + [1.0] * len(words)
    vectors = np.array([unit(seed, DIMENSIONS) for seed in seeds], "<f4") * np.array(weights, "<f4")[:, np.newaxis]
    (folder / "onnx").mkdir(parents=True)
    (folder / "onnx" / "model.onnx").write_bytes(_model(vectors, inputs))
    _tokenizer([*MARKS, *words]).save(str(folder / "tokenizer.json"))
    modules = [("Transformer", ""), ("Pooling", "1_Pooling"), ("Normalize", "2_Normalize")]
    written: dict[str, object] = {
        "modules.json": [{"path": path, "type": f"sentence_transformers.models.{kind}"} for kind, path in modules],
        "1_Pooling/config.json": {"word_embedding_dimension": DIMENSIONS, f"pooling_mode_{pooling}": True},
        "sentence_bert_config.json": {"max_seq_length": MAX_TOKENS, "do_lower_case": False},
        "config.json": {"pad_token_id": MARKS.index(PADDING)},
    }
    for name, content in written.items():
        write_json(folder / name, content)
    return folder


def write_json(path: Path, content: object) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")


def _tokenizer(words: Sequence[str]) -> Tokenizer:
    tokenizer = Tokenizer(models.WordLevel({word: number for number, word in enumerate(words)}, UNKNOWN))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFC(), normalizers.Lowercase()])
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    marks = [(mark, words.index(mark)) for mark in (BEGINNING, END)]
    tokenizer.post_processor = processors.TemplateProcessing(f"{BEGINNING} $A {END}", None, marks)
    return tokenizer


_FLOAT, _INT64 = 1, 7
_OUTPUT = "last_hidden_state"


def _model(vectors: NDArray[np.float32], inputs: Sequence[str]) -> bytes:
    """A ModelProto: the vector of each token, shape (texts, tokens, dimensions)."""
    weights = _field(1, *vectors.shape) + _field(2, _FLOAT) + _field(8, "words") + _field(9, vectors.tobytes())
    gather = _field(1, "words", "input_ids") + _field(2, _OUTPUT) + _field(4, "Gather")
    taken = b"".join(_field(11, _value(name, _INT64, ("texts", "tokens"))) for name in inputs)
    given = _field(12, _value(_OUTPUT, _FLOAT, ("texts", "tokens", DIMENSIONS)))
    graph = _field(1, gather) + _field(2, "made") + _field(5, weights) + taken + given
    return _field(1, 8) + _field(7, graph) + _field(8, _field(1, "") + _field(2, 17))


def _value(name: str, kind: int, shape: Sequence[str | int]) -> bytes:
    """A ValueInfoProto: name, type and shape of an input or output."""
    sizes = b"".join(_field(1, _field(1 if isinstance(size, int) else 2, size)) for size in shape)
    return _field(1, name) + _field(2, _field(1, _field(1, kind) + _field(2, sizes)))


def _field(number: int, *values: int | str | bytes) -> bytes:
    """A field of a message, as often as it has values: a number, or what has a length."""
    return b"".join(_one(number, value.encode() if isinstance(value, str) else value) for value in values)


def _one(number: int, value: int | bytes) -> bytes:
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    return _varint(number << 3 | 2) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    low, rest = value & 0x7F, value >> 7
    return bytes([low | 0x80]) + _varint(rest) if rest else bytes([low])
