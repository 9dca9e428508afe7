"""Files of settings: the user's own, one that is named on purpose, and those of working directories, if trusted.

A ``graphmem.toml`` in the working directory may be part of what somebody else wrote, such as a cloned repository, and
settings name addresses, keys and paths. So it is passed over, with one line on standard error, until its user trusts
it: by its path and the digest of its content, kept in ``trusted.json`` beside the user's own file.
"""

import json
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from platformdirs import user_config_path
from pydantic import TypeAdapter, ValidationError

from graphmem.errors import ConfigurationError
from graphmem.private_files import make_private_folder, write_private
from graphmem.visible import visible

NAME = "graphmem.toml"
_TRUSTED = TypeAdapter(dict[str, str])
_noticed = set[str]()
"""Files of which this process has said that it does not read them."""


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """A file of settings with its content, read once: what is trusted is what is used."""

    path: Path
    content: bytes

    @classmethod
    def read(cls, path: Path) -> "SettingsFile":
        """Read a file.

        Raises:
            ConfigurationError: it is not there, or cannot be read.
        """
        try:
            return cls(path.absolute(), path.read_bytes())
        except OSError as error:
            raise ConfigurationError(
                f"The file of settings {str(path)!r} cannot be read: {error.strerror or error}. Name another one by "
                f"--config or GRAPHMEM_CONFIG, or none."
            ) from error

    @property
    def digest(self) -> str:
        return sha256(self.content).hexdigest()

    def values(self) -> dict[str, Any]:
        """What it says: TOML, or JSON where its name ends with ``.json``.

        Raises:
            ConfigurationError: it is neither.
        """
        try:
            text = self.content.decode("utf-8")
            return json.loads(text) if self.path.suffix == ".json" else tomllib.loads(text)
        except ValueError as error:
            raise ConfigurationError(
                f"The file of settings {str(self.path)!r} cannot be understood: {error}."
            ) from error


def settings_files(named: Path | None) -> list[SettingsFile]:
    """The files to read, the one that wins last: the ``named`` one alone, or else the user's own and a trusted one.

    Raises:
        ConfigurationError: one of these cannot be read.
    """
    if named is not None:
        return [SettingsFile.read(named)]
    own, trusted = own_file(), _of_working_directory()
    files = [SettingsFile.read(own)] if own and own.is_file() else []
    return [*files, trusted] if trusted else files


def own_folder() -> Path | None:
    """The user's folder for settings; None for who has no home."""
    folder = user_config_path("graphmem")
    return folder if folder.is_absolute() else None


def own_file() -> Path | None:
    """The user's own file of settings, whether or not it is there."""
    folder = own_folder()
    return folder and folder / NAME


def trust(path: Path) -> SettingsFile:
    """Have a file of settings read, as it is now, by who works in its folder.

    Raises:
        ConfigurationError: it cannot be read, or that cannot be recorded.
    """
    file = SettingsFile.read(path)
    file.values()
    _record({**_trusted(), _key(path): file.digest})
    return file


def distrust(path: Path) -> bool:
    """Have a file of settings read no longer; whether it was trusted.

    Raises:
        ConfigurationError: that cannot be recorded.
    """
    trusted = _trusted()
    known = _key(path) in trusted
    if known:
        _record({key: digest for key, digest in trusted.items() if key != _key(path)})
    return known


def _of_working_directory() -> SettingsFile | None:
    """The file of the working directory, if it is trusted as it is; else the user is told that it is passed over."""
    path, own = Path(NAME), own_file()
    if not _is_file(path) or (own is not None and _is_file(own) and own.samefile(path)):
        return None
    try:
        digest = _trusted().get(_key(path))
        file = SettingsFile.read(path) if digest else None
    except ConfigurationError as error:  # said, and no more: what others write keeps no command from its work
        return _pass_over(path, str(error))
    if file is None:
        return _pass_over(path, "It may be somebody else's.")
    return file if file.digest == digest else _pass_over(path, "It has changed since you trusted it.")


def _pass_over(path: Path, why: str) -> None:
    """Say once in a process that a file is not read, why, and what to do about it."""
    where = _key(path)
    if where not in _noticed:
        _noticed.add(where)
        advice = f"To use it once: --config {NAME}; as it is now, from now on: graphmem admin trust."
        sys.stderr.write(f"{visible(f'{where} is not read. {why} {advice}')}\n")


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # who may not look there has no such file
        return False


def _key(path: Path) -> str:
    """By which path a file is trusted: where it lies, whatever it links to."""
    return str(path.parent.resolve() / path.name)


def _trusted() -> Mapping[str, str]:
    """Digests of the files that are trusted, by path.

    Raises:
        ConfigurationError: the file that holds them cannot be read.
    """
    path = _record_file()
    try:
        return _TRUSTED.validate_json(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValidationError) as error:
        raise ConfigurationError(f"{str(path)!r} is damaged. Remove it, and trust your files again.") from error


def _record(trusted: Mapping[str, str]) -> None:
    path = _record_file()
    try:
        make_private_folder(path.parent)
        write_private(path, json.dumps(trusted, indent=2, sort_keys=True) + "\n")
    except OSError as error:
        raise ConfigurationError(f"{str(path)!r} cannot be written: {error.strerror or error}.") from error


def _record_file() -> Path:
    folder = own_folder()
    if folder is None:
        raise ConfigurationError("You have no home directory to keep trust in. Name the file instead: --config FILE.")
    return folder / "trusted.json"
