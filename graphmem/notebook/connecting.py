"""The service that runs on this machine."""

from pathlib import Path

from graphmem.client.problems import nothing_runs
from graphmem.client.synchronous import GraphmemClient


def connect(data_dir: Path | str | None = None) -> GraphmemClient:
    """A client of the service that ``graphmem up`` runs here, with its token.

    Raises:
        ServiceUnavailable: nothing runs for this data directory.
    """
    from graphmem.local import connection  # noqa: PLC0415 - where only the client is installed, no service runs
    from graphmem.settings import load_settings  # noqa: PLC0415 - likewise

    settings = load_settings(data_dir=data_dir)
    found = connection(settings.data_dir, settings)
    if found is None or found.api_url is None:
        raise nothing_runs(settings.data_dir)
    return GraphmemClient(found.api_url, found.api_token)
