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
    hash: str
    installation: str
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
    replaces: str | None

    def to_domain(self) -> StoredKey:
        may = Principal(key=self.id, rights=self.rights, groups=self.groups, users=self.users, agents=self.agents)
        key = Key(
            id=self.id,
            label=self.label,
            may=may,
            made_at=self.made_at,
            made_by=self.made_by,
            expires_at=self.expires_at,
            used_at=self.used_at,
            revoked_at=self.revoked_at,
            replaces=self.replaces,
        )
        return StoredKey(key=key, hash=self.hash, installation=self.installation)


class KeyStore(QueryStore):
    """The queries of ``key.cypher``. Keys are read where they are written: what was revoked opens nothing anywhere."""

    async def make_key(self, stored: StoredKey) -> Key:
        """Write a new key."""
        key = stored.key
        row = await self._run.single(
            "make_key",
            KeyRow,
            id=key.id,
            hash=stored.hash,
            installation=stored.installation,
            label=key.label,
            rights=sorted(key.may.rights),
            groups=list(key.may.groups),
            users=None if key.may.users is None else list(key.may.users),
            agents=None if key.may.agents is None else list(key.may.agents),
            made_by=key.made_by,
            expires_at=key.expires_at,
            now=key.made_at,
        )
        return row.to_domain().key

    async def replace_key(
        self, id_: str, hash_: str, installation: str, *, replaces: str, made_by: str, until: datetime, now: datetime
    ) -> Key | None:
        """Write a key that may what another one may, which then ends; None where that one opens nothing."""
        row = await self._run.optional(
            "replace_key",
            KeyRow,
            id=id_,
            hash=hash_,
            installation=installation,
            replaces=replaces,
            made_by=made_by,
            until=until,
            now=now,
        )
        return row and row.to_domain().key

    async def revoke_key(self, id_: str, now: datetime) -> Key | None:
        """Have a key open nothing from now on; one that was revoked before stays so."""
        row = await self._run.optional("revoke_key", KeyRow, id=id_, now=now)
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
