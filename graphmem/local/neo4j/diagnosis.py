"""Why Neo4j does not start: what its logs say, in words that say what to do."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

_DAMAGED = (
    "Its transaction logs are damaged, as after a full disk or a failing one. Restore a backup of {data}; without one, "
    "`graphmem up --recover` starts with what can be read, and the last writes may be lost."
)
_FULL = "The disk of {data} is full. Free space there, and start again."
_LOCKED = "Another Neo4j uses {data}. Stop it, or choose another data directory (--data-dir)."
_TAKEN = "Another program listens on one of its ports. Start again: ports that are taken are passed over at each start."
_OLD_JAVA = "Its Java is too old. Set JAVA_HOME to a Java of version 21 or newer, or unset it to use the packaged one."
_MEMORY = "It does not get the memory that it asks for. Lower neo4j.heap and neo4j.page_cache, or close other programs."
_UNKNOWN = "It cannot open its database; {log} says why."
_KNOWN: Mapping[str, str] = {
    r"Error reading transaction logs, recovery not possible": _DAMAGED,
    r"No space left on device|Disk quota exceeded|out of disk space": _FULL,
    r"[Ll]ock file has been locked by another process": _LOCKED,
    r"Address already in use": _TAKEN,
    r"UnsupportedClassVersionError|more recent version of the Java Runtime": _OLD_JAVA,
    r"OutOfMemoryError|Could not reserve enough space|insufficient memory for the Java|Cannot allocate memory|"
    r"Invalid (?:maximum|initial) heap size|exceeds the maximum representable size": _MEMORY,
    r"Failed to start DatabaseId\{[0-9a-f]+\[(?!system)": _UNKNOWN,
}
"""What logs say, and cause and cure in words; the more certain first."""


_HARMLESS = re.compile(r'"level":"(?:DEBUG|INFO|WARN)"|^\S+ \S+ (?:DEBUG|INFO|WARN) ')
"""Lines of no error. They name options and settings, whose names sound like errors."""
_LARGEST_PART = 1024 * 1024


def diagnose(text: str, data: Path, log: Path) -> str | None:
    """Cause and cure of what Neo4j does not survive, where its logs say such a thing."""
    errors = "\n".join(line for line in text.splitlines() if not _HARMLESS.search(line))
    return next((cure.format(data=data, log=log) for sign, cure in _KNOWN.items() if re.search(sign, errors)), None)


def watched_logs(data: Path, *logs: Path) -> Callable[[], str | None]:
    """A diagnosis of what these logs say from now on; the last one is named for what is not known."""
    begun = {log: _size(log) for log in logs}
    return lambda: diagnose("\n".join(_since(log, position) for log, position in begun.items()), data, logs[-1])


def _size(log: Path) -> int:
    return log.stat().st_size if log.exists() else 0


def _since(log: Path, position: int) -> str:
    """The end of what a log says after a position, or of all, where it was begun anew."""
    size = _size(log)
    if not size:
        return ""
    with log.open("rb") as file:
        file.seek(max(position if position <= size else 0, size - _LARGEST_PART))
        return file.read().decode("utf-8", "replace")
