"""Free space of the disk that Neo4j writes to: below a limit nothing is written but what takes away.

A database that meets the end of its disk stops in the middle of a transaction. Writers stop before, and say so.
"""

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

import structlog

from graphmem.errors import ConfigurationError, DiskFull
from graphmem.process.background import Healthy
from graphmem.settings.servers import DiskSettings

_MEGABYTE = 1024 * 1024
_MARGIN = 10  # a tenth: at the very limit, writing would begin and end with each transaction

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


def is_short(free: int, least: int, *, was_short: bool) -> bool:
    """Whether too little is free (bytes): less than ``least``, or, once it was, less than a tenth more."""
    return free < least + (least // _MARGIN if was_short else 0)


def shortage(path: Path, free: int, settings: DiskSettings) -> str:
    """What is wrong and what to do."""
    return (
        f"The disk of {path} has {free // _MEGABYTE} MB free, and {settings.least_free_mb} MB stay free "
        "(disk.least_free_mb). Free space there, or lower that setting and restart; nothing is lost meanwhile, and "
        "writing goes on by itself."
    )


def free_space(path: Path) -> int:
    """Free bytes of the disk of a folder."""
    return shutil.disk_usage(path).free


class Disk:
    """Knows whether there is room to write. Without a path, or with the limit 0, there always is."""

    def __init__(self, settings: DiskSettings, free: Callable[[Path], int] = free_space) -> None:
        """Look for the first time.

        Raises:
            ConfigurationError: there is no such folder.
        """
        self._settings = settings
        self._free = free
        self._path = settings.path if settings.least_free_mb else None
        self._shortage: str | None = None
        self._enough = asyncio.Event()
        self._enough.set()
        if self._path is not None:
            try:
                self._judge(self._path, free(self._path))
            except OSError as error:
                raise ConfigurationError(
                    f"disk.path names {self._path}, which cannot be looked at: {error.strerror or error}."
                ) from error

    @property
    def shortage(self) -> str | None:
        """What is wrong and what to do; None where there is room to write."""
        return self._shortage

    def require_room(self) -> None:
        """Raises DiskFull: there is too little room to write."""
        if self._shortage is not None:
            raise DiskFull(self._shortage)

    async def writing(self, write: Callable[[], Awaitable[object]], seconds: float, healthy: Healthy) -> None:
        """Call ``write`` every so many seconds, while there is room to write."""
        while True:
            await asyncio.sleep(seconds)
            await self.room()
            await write()
            healthy()

    async def room(self) -> None:
        """Return when there is room to write."""
        await self._enough.wait()

    async def watching(self, healthy: Healthy) -> None:
        """Look from time to time. Where nothing is watched, return."""
        while self._path is not None:
            await asyncio.sleep(self._settings.watch_seconds)
            self._judge(self._path, await asyncio.to_thread(self._free, self._path))
            healthy()

    def _judge(self, path: Path, free: int) -> None:
        was_short = self._shortage is not None
        short = is_short(free, self._settings.least_free_mb * _MEGABYTE, was_short=was_short)
        self._shortage = shortage(path, free, self._settings) if short else None
        if short == was_short:
            return
        log.warning("disk.short" if short else "disk.enough", path=str(path), free_mb=free // _MEGABYTE)
        if short:
            self._enough.clear()
        else:
            self._enough.set()


UNWATCHED = Disk(DiskSettings())
"""That of a Neo4j elsewhere: there is always room."""
