"""Groups as asked for."""

from graphmem.api.schemas.words import GroupId, Request


class GroupIn(Request):
    """``importing`` makes a group whose claims bring their own ``recorded_at``, until its import ends."""

    id: GroupId
    importing: bool = False
