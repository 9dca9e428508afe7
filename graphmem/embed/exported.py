"""Models that ONNX Runtime runs: what is known of one, its files, and those in folders of sentence-transformers.

optimum and sentence-transformers write the export into ``onnx/model.onnx`` of such a folder, fastembed beside the
tokenizer. What the folder says of pooling and of the tokens that are read holds for the export too.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from numpy.typing import NDArray

from graphmem.embed.encoders import USUAL_TOKENS, loading

Pooling = Literal["mean", "first"]
TOKENIZER = "tokenizer.json"
_GRAPHS = ("onnx/model.onnx", "model.onnx")
_MODULES = frozenset({"Transformer", "Pooling", "Normalize"})
"""The modules that are done here, by the last part of their types; others, such as Dense, need PyTorch."""
_POOLINGS: Mapping[str, Pooling] = {"mean": "mean", "mean_tokens": "mean", "cls": "first", "cls_token": "first"}
_MODE = "pooling_mode_"
_OFFSET = frozenset({"roberta", "xlm-roberta", "camembert", "mpnet"})
_BOUNDLESS = 100_000
"""Tokenizers without a limit name one far above this."""


@dataclass(frozen=True, slots=True)
class Files:
    """The files of a model. ``weights`` reads those that the graph does not hold, by its names for them."""

    tokenizer: Path
    graph: Path
    weights: Callable[[], Mapping[str, NDArray[Any]]] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OnnxModel:
    """``max_tokens``: tokens of a text that are read. ``padding``: the id of the token that fills up a batch.

    ``pooling``: a text's vector is the mean of those of its tokens, or that of the first token. ``dimensions``: of
    vectors, which are cut to so many; None where the graph says.
    """

    max_tokens: int
    padding: int
    pooling: Pooling = "mean"
    dimensions: int | None


def exported_model(folder: Path, dimensions: int | None) -> tuple[OnnxModel, Files] | None:
    """What a folder holds for ONNX Runtime; None where it has no export, or modules that only PyTorch runs.

    Raises:
        ModelUnavailable: its files of settings cannot be read.
    """
    graph = next((folder / name for name in _GRAPHS if (folder / name).is_file()), None)
    if graph is None or not (folder / TOKENIZER).is_file():
        return None
    with loading(folder):
        pooling = _pooling(folder)
        if pooling is None:
            return None
        model = OnnxModel(
            max_tokens=_max_tokens(folder),
            padding=_written(folder, "config.json").get("pad_token_id") or 0,
            pooling=pooling,
            dimensions=dimensions,
        )
    return model, Files(folder / TOKENIZER, graph)


def _pooling(folder: Path) -> Pooling | None:
    """The pooling that the folder names; None where it names none, another one, or more than that to do."""
    modules: list[dict[str, str]] = _read(folder / "modules.json", [])
    if not {module["type"].rpartition(".")[2] for module in modules} <= _MODULES or _lowers(folder):
        return None
    path = next((module["path"] for module in modules if module["type"].endswith("Pooling")), "1_Pooling")
    written = _written(folder, f"{path}/config.json")
    switched = [name for name, on in written.items() if on is True and name.startswith(_MODE)]
    named = [name.removeprefix(_MODE) for name in switched] or [written.get("pooling_mode", "")]
    return _POOLINGS.get(named[0]) if len(named) == 1 else None


def _lowers(folder: Path) -> bool:
    """Whether texts are put into small letters before the tokenizer sees them."""
    return bool(_written(folder, "sentence_bert_config.json").get("do_lower_case"))


def _max_tokens(folder: Path) -> int:
    """The least of all limits that the folder names; some models count positions from after that of padding on."""
    model = _written(folder, "config.json")
    offset = model.get("pad_token_id", 0) + 1 if model.get("model_type") in _OFFSET else 0
    limits = (
        _written(folder, "sentence_bert_config.json").get("max_seq_length"),
        _written(folder, "tokenizer_config.json").get("model_max_length"),
        (model.get("max_position_embeddings") or _BOUNDLESS) - offset,
    )
    return min((limit for limit in limits if limit and limit < _BOUNDLESS - offset), default=USUAL_TOKENS)


def _written(folder: Path, name: str) -> dict[str, Any]:
    return _read(folder / name, {})


def _read(path: Path, default: Any) -> Any:
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else default
