"""``python -m graphmem.jobs``: one worker."""

import asyncio
import sys

from graphmem import logs
from graphmem.errors import GraphmemError
from graphmem.jobs.worker import run_worker
from graphmem.services import open_services
from graphmem.settings import Settings, load_settings


async def _main(settings: Settings) -> None:
    async with open_services(settings, preload=frozenset({"embedder", "extractor"})) as services:
        await services.warm()
        await run_worker(services)


def main() -> int:
    try:
        settings = load_settings()
        logs.configure(settings.log)
        asyncio.run(_main(settings))
    except GraphmemError as error:
        sys.stderr.write(f"Error: {error.title()}. {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
