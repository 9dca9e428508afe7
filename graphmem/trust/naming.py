"""What groups are called, and which are archived.

The ids of all that a group has are made of the name that it was made under (``Group.id``). That one stays, inside and
in the audit; what callers call a group (``Group.name``) is looked up where requests come in, and may be changed.
"""

from collections.abc import Callable
from time import monotonic

from graphmem.clock import Clock
from graphmem.errors import Conflict, no_group, renamed
from graphmem.model.episode import EpisodeStatus
from graphmem.model.group import Group, NamedGroup
from graphmem.model.key import PREFIX
from graphmem.model.principal import Principal
from graphmem.store.graph import GraphStore
from graphmem.trust.keys import Keys

_FRESH_SECONDS = 0.5
"""For so long a process trusts what it has read of a name."""
_MOST_REMEMBERED = 10_000
_WAITING = (EpisodeStatus.PENDING, EpisodeStatus.REFINING)


class GroupNames:
    """Looks up groups by what they are called, names them anew, and archives them.

    What one process changes holds in every other within a second.
    """

    def __init__(self, store: GraphStore, keys: Keys, clock: Clock, monotonic: Callable[[], float] = monotonic) -> None:
        self._store = store
        self._keys = keys
        self._clock = clock
        self._monotonic = monotonic
        self._read = dict[str, tuple[float, NamedGroup]]()

    async def called(self, principal: Principal, name: str) -> NamedGroup | None:
        """The group that is called so; None where there is none, or the name is none of the caller's business.

        Raises:
            NotFound: it was made under that name, and has another one now.
        """
        if not principal.may_enter(name):
            return None
        until, group = self._read.get(name, (0.0, None))
        now = self._monotonic()
        if group is None or until <= now:
            group = await self._store.group_called(name)
            if group is None:  # it may be made at any moment
                return None
            if len(self._read) >= _MOST_REMEMBERED:
                self._read.clear()
            self._read[name] = (now + _FRESH_SECONDS, group)
        if group.name != name:
            raise renamed(name)
        return group

    async def rename(self, group: str, name: str) -> Group:
        """Call a group by another name, by which keys may enter it from then on.

        What it was made as is no other group's name, so that keys for that one were always for this group.

        Raises:
            NotFound: there is no such group.
            Conflict: the name is another group's; or a key could enter the group by it, and could not before.
        """
        row = await self._store.group(group)
        if row is None:
            raise no_group(group)
        gaining = await self._keys.gaining(row.name, name) if name != row.id else []
        if gaining:
            listed = ", ".join(PREFIX + id_ for id_ in gaining)
            raise Conflict(
                f"By the name {name!r} keys could enter the group that cannot enter {row.name!r}: {listed}. Revoke "
                "them first, or take another name."
            )
        changed = await self._store.rename_group(group, name)
        if changed is None:
            raise Conflict(f"The name {name!r} is another group's, or one was made under it. Take another name.")
        self._read.clear()
        return changed

    async def archive(self, group: str, *, archived: bool) -> Group:
        """Say whether a group is only read from now on.

        Raises:
            NotFound: there is no such group.
            Conflict: episodes wait to be read or embedded, or it imports.
        """
        row = await self._store.group(group)
        if row is None:
            raise no_group(group)
        if archived and row.importing:
            raise Conflict(f"Group {row.name!r} is importing. End the import first.")
        if archived and (waiting := await self._waiting(group)):
            raise Conflict(f"{waiting} episodes wait to be read or embedded. Archive the group when they are.")
        changed = await self._store.archive_group(group, self._clock(), archived=archived)
        if changed is None:
            raise no_group(group)
        self._read.clear()
        return changed

    async def _waiting(self, group: str) -> int:
        """How many episodes are to be read, or of which something is still to be embedded."""
        work = await self._store.work_of_group(group, _WAITING)
        return sum(work.values()) or await self._store.count_vectors_pending(group, user=None)
