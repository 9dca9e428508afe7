"""``python -m graphmem.jobs``: one worker."""

import sys

from graphmem.jobs.worker import run_worker
from graphmem.settings import Settings
from graphmem.wiring import open_services, run_process


async def work(settings: Settings) -> None:
    """Connect, load the models, and work until told to stop."""
    async with open_services(settings, preload=frozenset({"embedder", "extractor"}), at_once=False) as services:
        await run_worker(services)


if __name__ == "__main__":
    sys.exit(run_process(work))
