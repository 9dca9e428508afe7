"""Keys of the service."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from graphmem.model.key import Key, StoredKey
from graphmem.model.principal import Principal, Right
from graphmem.store.named import QueryStore


@dataclass(frozen=True, slots=True)
class KeyRow:
    id: str
    seal: str
    label: str
    rights: frozenset[Right]
    groups: tuple[str, ...]
    users: tuple[str, ...] | None
    agents: tuple[str, ...] | None
    made_at: datetime
    made_by: str
    expires_at: datetime | None
    used_at: datetime | None
    revoked_at: datetime | None
    revoked_by: str | None
    replaces: str | None

    def to_domain(self) -> StoredKey:
        may = Principal(
            key=self.id,
            rights=self.rights,
            groups=self.groups,
            users=self.users,
            agents=self.agents,
            expires_at=self.expires_at,
        )
        key = Key(
            id=self.id,
            label=self.label,
            may=may,
            made_at=self.made_at,
            made_by=self.made_by,
            used_at=self.used_at,
            revoked_at=self.revoked_at,
            revoked_by=self.revoked_by,
            replaces=self.replaces,
        )
        return StoredKey(key=key, seal=self.seal)


class KeyStore(QueryStore):
    """The queries of ``key.cypher``. Keys are read where they are written: what was revoked opens nothing anywhere."""

    async def make_key(self, stored: StoredKey) -> None:
        """Write a new key."""
        await self._run.execute("make_key", **_properties(stored))

    async def replace_key(self, stored: StoredKey, until: datetime) -> bool:
        """Write a key in the place of another one, which then ends; false where that one is replaced or has ended."""
        replaced = await self._run.first_id("replace_key", **_properties(stored), until=until)
        return replaced is not None

    async def revoke_key(self, id_: str, by: str, now: datetime) -> Key | None:
        """Have a key open nothing from now on; one that was revoked before stays so."""
        row = await self._run.optional("revoke_key", KeyRow, id=id_, by=by, now=now)
        return row and row.to_domain().key

    async def key(self, id_: str) -> StoredKey | None:
        row = await self._leader.optional("key", KeyRow, id=id_)
        return row and row.to_domain()

    async def keys(self, after: str, limit: int) -> list[Key]:
        """Keys in order of id, after one, also those that open nothing any more."""
        return [row.to_domain().key for row in await self._leader.many("keys", KeyRow, after=after, limit=limit)]

    async def use_keys(self, used: Mapping[str, datetime]) -> None:
        """Note when keys were used last."""
        await self._run.execute("use_keys", rows=[{"id": id_, "at": at} for id_, at in sorted(used.items())])


def _properties(stored: StoredKey) -> dict[str, object]:
    key = stored.key
    return {
        "id": key.id,
        "seal": stored.seal,
        "label": key.label,
        "rights": sorted(key.may.rights),
        "groups": list(key.may.groups),
        "users": None if key.may.users is None else list(key.may.users),
        "agents": None if key.may.agents is None else list(key.may.agents),
        "made_by": key.made_by,
        "expires_at": key.expires_at,
        "replaces": key.replaces,
        "now": key.made_at,
    }
