"""The service that runs on this machine."""

from pathlib import Path

from graphmem.client.problems import nothing_runs
from graphmem.client.running import address_here
from graphmem.client.synchronous import GraphmemClient


def connect(data_dir: Path | str | None = None) -> GraphmemClient:
    """A client of the service that ``graphmem up`` runs here, with its token.

    Raises:
        ServiceUnavailable: nothing runs for this data directory.
    """
    from graphmem.settings import load_settings  # noqa: PLC0415 - the client alone has no settings

    folder = load_settings(data_dir=data_dir).data_dir
    here = address_here(folder)
    if here is None:
        raise nothing_runs(folder)
    return GraphmemClient(here.url, here.token)
