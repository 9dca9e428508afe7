"""Files that only their owner can read, and the secrets in them."""

import os
import secrets
import string
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


def read_secret(path: Path) -> str | None:
    """The secret kept in a file, or None where there is none yet."""
    try:
        return path.read_text(encoding="utf-8").strip() or None
    except FileNotFoundError:
        return None


def ensure_secret(path: Path) -> str:
    """The secret kept in a file, made on first use: of several that make it at once, that of whoever came first."""
    if (secret := read_secret(path)) is not None:
        return secret
    make_private_folder(path.parent)
    draft = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    first = secrets.choice(string.ascii_letters)  # a secret that begins with a dash, commands take for an option
    write_private(draft, f"{first}{secrets.token_urlsafe(32)}\n")
    try:
        path.hardlink_to(draft)
    except FileExistsError:
        if read_secret(path) is None:
            draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    return read_secret(path) or ""
