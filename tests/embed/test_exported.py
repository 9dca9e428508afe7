"""Models in folders run on ONNX Runtime where they bring an export, as their files of settings say."""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from graphmem.embed.exported import exported_model
from graphmem.embed.local import LocalEmbedder, load
from graphmem.embed.packaged import minilm_in_jar
from graphmem.errors import ModelUnavailable
from graphmem.settings.recall import EmbeddingSettings
from tests.embed.test_encoders import TEXTS, encoded, package
from tests.fakes import unit
from tests.made_model import DIMENSIONS, MAX_TOKENS, write_json, write_model

Write = Callable[[Path], object]


def settings_of(folder: Path, dimensions: int | None = None) -> EmbeddingSettings:
    return EmbeddingSettings(model="made", path=folder, dimensions=dimensions)


def without_export(folder: Path) -> None:
    (folder / "onnx" / "model.onnx").unlink()


def with_dense(folder: Path) -> None:
    modules = [{"path": "", "type": "sentence_transformers.models.Transformer"}, {"path": "2_Dense", "type": "x.Dense"}]
    write_json(folder / "modules.json", modules)


def with_mean_and_cls(folder: Path) -> None:
    write_json(folder / "1_Pooling" / "config.json", {"pooling_mode_mean_tokens": True, "pooling_mode_cls_token": True})


async def test_words_of_three_languages_share_a_vector(tmp_path: Path) -> None:
    embedder = LocalEmbedder(settings_of(write_model(tmp_path / "made")))
    question = np.array(await embedder.embed_query("Wo arbeitet die Schwester?"))
    texts = ["La soeur travaille à Lyon.", "The sister works there.", "La machine à café est en panne."]
    french, english, other = np.array(await embedder.embed(texts)) @ question
    assert min(french, english) > 0.9
    assert other < 0.5
    assert (embedder.model, embedder.dimensions) == ("made", DIMENSIONS)
    embedder.close()


@pytest.mark.parametrize(
    "inputs", [("input_ids",), ("input_ids", "attention_mask"), ("input_ids", "attention_mask", "token_type_ids")]
)
def test_the_graph_gets_the_inputs_that_it_takes(tmp_path: Path, inputs: Sequence[str]) -> None:
    encoder = load(settings_of(write_model(tmp_path / "made", inputs=inputs)))
    (vector,) = encoder.encode(["Hund"], batch_size=1, threads=1)
    assert np.linalg.norm(vector) == pytest.approx(1)


def test_a_real_folder_gives_the_vectors_of_the_packaged_model(tmp_path: Path) -> None:
    """The export is somebody else's, of the same weights."""
    for path in package().iterdir():
        (tmp_path / path.name).symlink_to(path)
    (tmp_path / "model.onnx").symlink_to(minilm_in_jar().graph)
    by_path, by_name = load(settings_of(tmp_path)), load(EmbeddingSettings())
    assert np.allclose(encoded(by_path, TEXTS), encoded(by_name, TEXTS), atol=2e-6)
    assert by_path.max_tokens == by_name.max_tokens


def test_the_export_may_lie_beside_the_tokenizer(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "made")
    before = load(settings_of(folder)).encode(["Hund"], batch_size=1, threads=1)
    (folder / "onnx" / "model.onnx").rename(folder / "model.onnx")
    assert np.array_equal(load(settings_of(folder)).encode(["Hund"], batch_size=1, threads=1), before)


def test_with_cls_the_first_token_is_the_vector(tmp_path: Path) -> None:
    encoder = load(settings_of(write_model(tmp_path / "made", pooling="cls_token")))
    vectors = encoder.encode(["Hund", "Zug"], batch_size=2, threads=1)
    assert np.allclose(vectors, unit("[CLS]", DIMENSIONS), atol=1e-6)


def test_a_text_is_read_up_to_the_tokens_of_the_folder(tmp_path: Path) -> None:
    encoder = load(settings_of(write_model(tmp_path / "made")))
    long = "Hund " * (MAX_TOKENS - 2)
    vectors = encoder.encode([long, f"{long} Zug Zug Zug"], batch_size=2, threads=1)
    assert encoder.max_tokens == MAX_TOKENS
    assert np.allclose(vectors[0], vectors[1])


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("tokenizer_config.json", {"model_max_length": 128}, 128),
        ("tokenizer_config.json", {"model_max_length": 10**30}, 256),
        ("config.json", {"max_position_embeddings": 512}, 512),
    ],
)
def test_without_a_number_of_tokens_the_other_files_are_asked(
    tmp_path: Path, name: str, content: object, expected: int
) -> None:
    folder = write_model(tmp_path / "made")
    (folder / "sentence_bert_config.json").unlink()
    write_json(folder / name, content)
    assert load(settings_of(folder)).max_tokens == expected


async def test_vectors_are_cut_and_have_length_one(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "made")
    (whole,) = await LocalEmbedder(settings_of(folder)).embed(["Hund"])
    (cut,) = await LocalEmbedder(settings_of(folder, 8)).embed(["Hund"])
    assert np.allclose(cut, np.array(whole[:8]) / np.linalg.norm(whole[:8]), atol=1e-6)


async def test_more_dimensions_than_the_model_has_are_refused(tmp_path: Path) -> None:
    embedder = LocalEmbedder(settings_of(write_model(tmp_path / "made"), 1024))
    with pytest.raises(ModelUnavailable, match=rf"{DIMENSIONS} dimensions.*embedding\.dimensions"):
        await embedder.embed(["Hund"])


@pytest.mark.parametrize("change", [without_export, with_dense, with_mean_and_cls])
async def test_what_the_export_does_not_do_needs_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Write
) -> None:
    folder = write_model(tmp_path / "made")
    change(folder)
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ModelUnavailable, match=r"ONNX export.*graphmem\[sentence-transformers\]"):
        await LocalEmbedder(settings_of(folder)).embed(["Hund"])


def test_a_folder_that_names_no_pooling_is_not_guessed_at(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "made")
    (folder / "1_Pooling" / "config.json").unlink()
    assert exported_model(folder, None) is None


def test_the_least_of_all_limits_holds_and_positions_may_begin_after_that_of_padding(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "made")
    limits = {"model_type": "xlm-roberta", "pad_token_id": 1, "max_position_embeddings": 66}
    (folder / "config.json").write_text(json.dumps(limits))
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 8192}))
    exported = exported_model(folder, None)
    assert exported is not None
    assert exported[0].max_tokens == 64


@pytest.mark.parametrize("name", ["config.json", "modules.json", "tokenizer.json", "onnx/model.onnx"])
def test_a_damaged_file_is_said(tmp_path: Path, name: str) -> None:
    folder = write_model(tmp_path / "made")
    (folder / name).write_text("{")
    with pytest.raises(ModelUnavailable, match="cannot be loaded"):
        load(settings_of(folder)).encode(["Hund"], batch_size=1, threads=1)
