"""Whether there is room to write: asked before every call, but for reads and for what takes away."""

from fastapi import Depends, Request

from graphmem.api.deps import BackendDep

_WRITING = frozenset({"POST", "PUT", "PATCH"})
"""What takes away is DELETE."""
NEED_NO_ROOM = frozenset(
    {
        "/v1/groups/{group}/search",
        "/v1/groups/{group}/context",
        "/v1/groups/{group}/extract",
        "/v1/groups/{group}/claims/{claim_id}/retract",
        "/v1/groups/{group}/facts/{belief_id}/unshare",
    }
)
"""Reads with a body, and what takes away by another verb."""


def needs_room(method: str, path: str) -> bool:
    """Whether a call, by its method and the template of its path, writes more than it takes away."""
    return method in _WRITING and path not in NEED_NO_ROOM


async def _require_room(request: Request, backend: BackendDep) -> None:
    if needs_room(request.method, request.scope["route"].path):
        backend.services.disk.require_room()


RoomDep = Depends(_require_room)
