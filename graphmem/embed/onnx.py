"""A model on ONNX Runtime: tokens in, unit vectors out.

One session of one thread holds the weights once; a batch that is worth several threads runs in several parts at once.
A part has at most ``_RUN_TOKENS`` tokens: more make no text cheaper, and what a part needs of memory is kept for good.
"""

import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from graphmem.embed.encoders import Vectors, loading
from graphmem.embed.exported import Files, OnnxModel, Pooling
from graphmem.errors import ModelUnavailable

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

_RUN_TOKENS = 1024
_WHOLE = "sentence_embedding"


class OnnxEncoder:
    """A packaged model, or the export in a folder."""

    def __init__(self, model: OnnxModel, files: Files) -> None:
        """Raises ModelUnavailable: the files hold no such model."""
        from tokenizers import Tokenizer  # noqa: PLC0415 - only when needed

        self._model, self._files = model, files
        with loading(files.tokenizer.parent):
            self._tokenizer = Tokenizer.from_str(files.tokenizer.read_text(encoding="utf-8"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(model.max_tokens)  # pyright: ignore[reportUnknownMemberType] -- its **kwargs

    @property
    def max_tokens(self) -> int:
        return self._model.max_tokens

    def encode(self, texts: Sequence[str], *, batch_size: int, threads: int) -> Vectors:
        tokens = [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]
        order = sorted(range(len(tokens)), key=lambda index: -len(tokens[index]))
        share = -(-sum(map(len, tokens)) // threads)
        cuts = parts([len(tokens[index]) for index in order], min(_RUN_TOKENS, share), batch_size)
        batches = [[order[position] for position in cut] for cut in cuts]
        encoded = np.concatenate(self._run([[tokens[index] for index in batch] for batch in batches], threads))
        vectors = np.empty_like(encoded)
        vectors[order] = encoded
        return vectors

    def _run(self, batches: Sequence[Sequence[list[int]]], threads: int) -> list[Vectors]:
        if threads == 1 or len(batches) == 1:
            return [self._encode(batch) for batch in batches]
        with ThreadPoolExecutor(threads, "encode") as pool:
            return list(pool.map(self._encode, batches))

    def _encode(self, batch: Sequence[list[int]]) -> Vectors:
        longest = max(map(len, batch))
        ids = np.array([row + [self._model.padding] * (longest - len(row)) for row in batch], dtype=np.int64)
        mask = np.array([[1] * len(row) + [0] * (longest - len(row)) for row in batch], dtype=np.int64)
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        taken = {node.name for node in self._session.get_inputs()}
        output = self._session.run([self._output], {name: inputs[name] for name in inputs if name in taken})[0]
        return self._cut(unit(output) if output.ndim == 2 else pooled(output, mask, self._model.pooling))  # noqa: PLR2004 - some pool in the graph

    def _cut(self, vectors: Vectors) -> Vectors:
        """Unit vectors, cut to as many dimensions as the model is to have."""
        wanted = self._model.dimensions or vectors.shape[1]
        if wanted == vectors.shape[1]:
            return vectors
        if wanted > vectors.shape[1]:
            raise ModelUnavailable(
                f"Vectors of the model at {self._files.graph} have {vectors.shape[1]} dimensions, and {wanted} are "
                "wanted. Set embedding.dimensions."
            )
        return unit(vectors[:, :wanted])

    @cached_property
    def _output(self) -> str:
        """The output that is a vector for each text, if there is one; else the first, a vector for each token."""
        names = [node.name for node in self._session.get_outputs()]
        return _WHOLE if _WHOLE in names else names[0]

    @cached_property
    def _session(self) -> "InferenceSession":
        from onnxruntime import InferenceSession, OrtValue, SessionOptions  # noqa: PLC0415 - half a second of import

        options = SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.enable_mem_pattern = False  # it keeps a plan for each number of texts and tokens
        with loading(self._files.graph.parent):
            if self._files.weights is not None:
                weights = self._files.weights()
                values = [OrtValue.ortvalue_from_numpy(np.ascontiguousarray(weight)) for weight in weights.values()]
                options.add_external_initializers(list(weights), values)
            return InferenceSession(str(self._files.graph), options, providers=["CPUExecutionProvider"])


def parts(lengths: Sequence[int], tokens: int, most: int) -> list[range]:
    """Positions in parts of at most ``most`` texts, and ``tokens`` tokens when padded; ``lengths`` fall."""
    ranges: list[range] = []
    start = 0
    for position in range(1, len(lengths) + 1):
        size = position + 1 - start
        if position == len(lengths) or size > most or size * lengths[start] > tokens:
            ranges.append(range(start, position))
            start = position
    return ranges


def mapped(path: Path) -> dict[str, Vectors]:
    """The float32 tensors of a safetensors file, in memory that the operating system shares between processes."""
    raw = np.memmap(path, dtype=np.uint8, mode="r")
    start = 8 + int.from_bytes(raw[:8].tobytes(), "little")
    header: dict[str, dict[str, Any]] = json.loads(raw[8:start].tobytes())
    return {
        name: raw[start + entry["data_offsets"][0] : start + entry["data_offsets"][1]]
        .view(np.float32)
        .reshape(entry["shape"])
        for name, entry in header.items()
        if entry.get("dtype") == "F32"
    }


def as_used(weights: Mapping[str, Vectors]) -> dict[str, Vectors]:
    """The weights that the graph names, as it uses them: those of linear layers the other way round, no pooler."""
    return {
        name: weight.T if name.startswith("encoder.layer.") and weight.ndim > 1 else weight
        for name, weight in weights.items()
        if not name.startswith("pooler.")
    }


def pooled(tokens: NDArray[np.float32], mask: NDArray[np.int64], pooling: Pooling) -> Vectors:
    """A unit vector for each text: the mean of its tokens, or its first token.

    ``tokens`` is of the shape (texts, tokens, dimensions), ``mask`` of (texts, tokens), 0 where a text has ended.
    """
    if pooling == "first":
        whole = tokens[:, 0]
    else:
        weights = mask[..., np.newaxis].astype(np.float32)
        whole = (tokens * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1)
    return unit(whole)


def unit(vectors: Vectors) -> Vectors:
    """Vectors of length one; those without a length stay zero."""
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), np.finfo(np.float32).tiny)
