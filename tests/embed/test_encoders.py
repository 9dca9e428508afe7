"""The packaged model on ONNX Runtime says what sentence-transformers says of it."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.embed.encoders import GRAPH, PackagedEncoder, TransformerEncoder, Vectors, packaged
from graphmem.embed.local import LocalEmbedder
from graphmem.errors import ModelUnavailable
from graphmem.settings import EmbeddingSettings

ROOT = Path(__file__).parents[2]
TEXTS = [
    "I moved to Lisbon last month.",
    "What a day!",
    "",
    " \n\t",
    "Ünïcödé, 北京, emoji 🙂 and\u200bzero width",
    "[SEP] [CLS] [MASK] are special",
    "long " * 600,
    "Room 101 is not Room 102; order #4711 ships to anna@example.com.",
]


@pytest.fixture(scope="module")
def ours() -> PackagedEncoder:
    return PackagedEncoder(packaged())


@pytest.fixture(scope="module")
def theirs() -> TransformerEncoder:
    return TransformerEncoder(packaged())


def _one(encoder: PackagedEncoder | TransformerEncoder, *texts: str) -> Vectors:
    return encoder.encode(texts, batch_size=3, threads=1)


def test_same_vectors(ours: PackagedEncoder, theirs: TransformerEncoder) -> None:
    assert np.allclose(_one(ours, *TEXTS), _one(theirs, *TEXTS), atol=2e-6)


@settings(max_examples=40, deadline=None)
@given(texts=st.lists(st.text(max_size=80), min_size=1, max_size=5))
def test_same_vectors_of_any_text(texts: list[str], ours: PackagedEncoder, theirs: TransformerEncoder) -> None:
    assert np.allclose(_one(ours, *texts), _one(theirs, *texts), atol=2e-6)


def test_company_and_threads_do_not_matter(ours: PackagedEncoder) -> None:
    together = ours.encode(TEXTS, batch_size=len(TEXTS), threads=2)
    alone = np.concatenate([ours.encode([text], batch_size=1, threads=1) for text in TEXTS])
    assert np.allclose(together, alone, atol=2e-6)
    assert np.allclose(np.linalg.norm(alone, axis=1), 1, atol=1e-6)


def test_same_window(ours: PackagedEncoder, theirs: TransformerEncoder) -> None:
    assert ours.window == theirs.window


def test_committed_graph_is_what_is_exported(tmp_path: Path) -> None:
    made = tmp_path / GRAPH.name
    subprocess.run([sys.executable, "scripts/export_encoder.py", str(made)], cwd=ROOT, check=True, capture_output=True)
    assert made.read_bytes() == GRAPH.read_bytes()


def test_packaged_model_needs_no_pytorch() -> None:
    code = """
import asyncio, sys
from graphmem.embed.local import LocalEmbedder
from graphmem.settings import EmbeddingSettings
embedder = LocalEmbedder(EmbeddingSettings.model_validate({}))
embedder.warm()
asyncio.run(embedder.embed(["hello"]))
print("torch" in sys.modules, "sentence_transformers" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["False", "False"]


async def test_folder_of_sentence_transformers() -> None:
    """Named by its folder, the same model runs on PyTorch."""
    by_path = LocalEmbedder(EmbeddingSettings(path=packaged()))
    by_name = LocalEmbedder(EmbeddingSettings.model_validate({}))
    (one,), (other,) = await by_path.embed([TEXTS[0]]), await by_name.embed([TEXTS[0]])
    assert np.allclose(one, other, atol=2e-6)


@pytest.mark.parametrize("broken", ["tokenizer.json", "model.safetensors"])
@pytest.mark.parametrize("how", ["missing", "damaged"])
def test_broken_package(tmp_path: Path, broken: str, how: str) -> None:
    for name in ("tokenizer.json", "model.safetensors"):
        (tmp_path / name).symlink_to(packaged() / name)
    (tmp_path / broken).unlink()
    if how == "damaged":
        (tmp_path / broken).write_text("{}")
    with pytest.raises(ModelUnavailable, match="cannot be loaded"):
        PackagedEncoder(tmp_path).encode(["x"], batch_size=1, threads=1)


@pytest.mark.parametrize("path", [None, Path("/nonexistent")])
async def test_model_that_is_not_there(path: Path | None) -> None:
    embedder = LocalEmbedder(EmbeddingSettings(model="all-mpnet-base-v2", path=path))
    with pytest.raises(ModelUnavailable):
        await embedder.embed(["x"])
