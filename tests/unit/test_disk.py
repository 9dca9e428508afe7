"""Free space: when it is short, and what is said then."""

import asyncio
from pathlib import Path

import pytest

from graphmem.errors import ConfigurationError, DiskFull
from graphmem.process.background import Background
from graphmem.process.disk import UNWATCHED, Disk, is_short
from graphmem.settings.servers import DiskSettings

MEGABYTE = 1024 * 1024


def test_space_is_short_below_the_limit_and_until_a_tenth_more_is_free() -> None:
    for free, was_short, short in (
        (100, False, False),
        (99, False, True),
        (100, True, True),
        (109, True, True),
        (110, True, False),
    ):
        assert is_short(free, 100, was_short=was_short) is short, (free, was_short)


class Gauge:
    """Free space that a test sets."""

    def __init__(self, megabytes: int) -> None:
        self.megabytes = megabytes

    def __call__(self, _path: Path) -> int:
        return self.megabytes * MEGABYTE


async def test_writers_are_refused_while_space_is_short_and_go_on_by_themselves() -> None:
    gauge = Gauge(99)
    disk = Disk(DiskSettings(path=Path("/data"), least_free_mb=100, watch_seconds=0.01), gauge)
    with pytest.raises(
        DiskFull, match=r"^The disk of /data has 99 MB free, and 100 MB stay free \(disk.least_free_mb\)"
    ):
        disk.require_room()
    async with Background().running("disk", disk.watching), asyncio.timeout(30):
        waiting = asyncio.create_task(disk.room())
        gauge.megabytes = 200
        await waiting
    disk.require_room()
    assert disk.shortage is None


def test_without_a_folder_or_a_limit_nothing_is_watched() -> None:
    for disk in (UNWATCHED, Disk(DiskSettings(path=Path("/data"), least_free_mb=0), Gauge(0))):
        disk.require_room()


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"disk.path names .*nowhere, which cannot be looked at: No such file"):
        Disk(DiskSettings(path=tmp_path / "nowhere"))
