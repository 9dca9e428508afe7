"""The service that ``graphmem up`` runs on this machine, found by what it writes into its data directory."""

from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ValidationError


@dataclass(frozen=True, slots=True)
class ServiceAddress:
    """Where a service is, and what it is called with."""

    url: str
    token: str | None = field(default=None, repr=False)


class _State(BaseModel):
    """What of ``run/state.json`` a client needs. ``graphmem.local`` writes it, and is not in the light install."""

    api_url: str | None


def address_here(data_dir: Path) -> ServiceAddress | None:
    """That of the service of this data directory, with its token; None where none was started, or it was stopped."""
    try:
        url = _State.model_validate_json((data_dir / "run" / "state.json").read_bytes()).api_url
        token = (data_dir / "secrets" / "api-token").read_text(encoding="utf-8").strip()
    except (OSError, ValidationError):
        return None
    return ServiceAddress(url, token) if url else None
