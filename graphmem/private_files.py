"""Files that only their owner can read."""

import os
from pathlib import Path

_PRIVATE_FOLDER = 0o700
_PRIVATE_FILE = 0o600


def write_private(path: Path, text: str) -> None:
    """Replace a file in one step; nobody else can read it at any moment."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE_FILE), "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def make_private_folder(path: Path) -> None:
    """Make a folder that nobody else can enter, unless it is there."""
    path.mkdir(mode=_PRIVATE_FOLDER, parents=True, exist_ok=True)
