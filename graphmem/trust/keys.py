"""Keys: made, shown once, looked up, replaced, revoked."""

import asyncio
import hmac
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from time import monotonic

from graphmem.clock import Clock
from graphmem.errors import Forbidden, NotFound, Unauthenticated
from graphmem.model.key import PREFIX, Key, StoredKey, check_expiry, id_of, new_key
from graphmem.model.principal import Principal
from graphmem.process.background import Healthy
from graphmem.process.disk import Disk
from graphmem.store.key import KeyStore

_FRESH_SECONDS = 0.5
"""For so long a process trusts what it has read of a key."""
_MOST_REMEMBERED = 10_000
_PAGE = 200
_UNKNOWN = "The key or token is not one of this service."
_NO_HASH = "0" * 64


class Installation:
    """The secret with which hashes of keys are keyed, without which rows that somebody writes into Neo4j open nothing.

    ``name`` tells secrets apart, and nothing of them.
    """

    def __init__(self, secret: str) -> None:
        self._secret = secret.encode()
        self.name = self.hash("installation")[:12]

    def hash(self, text: str) -> str:
        """HMAC-SHA-256 (RFC 2104) of a text, in hexadecimal digits."""
        return hmac.new(self._secret, text.encode(), sha256).hexdigest()


@dataclass(frozen=True, slots=True)
class MadeKey:
    """A key, and what its holder shows: nobody can read that again."""

    key: Key
    secret: str


class Keys:
    """The keys of one service.

    What a process has read of a key it reads again after half a second: what one process changes holds in every other
    within a second.
    """

    def __init__(
        self, store: KeyStore, installation: Installation, clock: Clock, monotonic: Callable[[], float] = monotonic
    ) -> None:
        self._store = store
        self._installation = installation
        self._clock = clock
        self._monotonic = monotonic
        self._read = dict[str, tuple[float, StoredKey | None]]()
        self._used = dict[str, datetime]()

    async def principal_of(self, shown: str) -> Principal:
        """What the holder of a key may.

        Raises:
            Unauthenticated: it is no key of this service, was revoked, or has expired.
        """
        id_ = id_of(shown)
        if id_ is None:
            raise Unauthenticated(_UNKNOWN)
        stored = await self._stored(id_)
        known = hmac.compare_digest(self._installation.hash(shown), stored.hash if stored else _NO_HASH)
        if stored is None or not known:
            raise Unauthenticated(_UNKNOWN if stored is None else self._why_unknown(stored))
        now = self._clock()
        stored.key.check(now)
        self._used[id_] = now.replace(second=0, microsecond=0)
        return stored.key.may

    async def make(self, by: Principal, label: str, may: Principal, expires_at: datetime | None) -> MadeKey:
        """Make a key, which may no more than whoever makes it.

        Raises:
            Forbidden: it would, or whoever makes it is no administrator.
            InvalidInput: it would have expired already.
        """
        now = self._clock()
        check_expiry(expires_at, now)
        if not by.may_give(may):
            raise Forbidden("A key is made by an administrator of all its groups, and may no more than that one.")
        id_, secret = new_key()
        key = Key(id=id_, label=label, may=may, made_at=now, made_by=by.key, expires_at=expires_at)
        stored = StoredKey(key=key, hash=self._installation.hash(secret), installation=self._installation.name)
        return MadeKey(await self._store.make_key(stored), secret)

    async def listed(self, by: Principal, after: str, limit: int) -> list[Key]:
        """Those in order of id, after one, that an administrator could have made.

        Raises:
            Forbidden: the caller is no administrator.
        """
        _check_administrator(by)
        listed = list[Key]()
        while len(listed) < limit:
            page = await self._store.keys(after, _PAGE)
            listed += [key for key in page if by.may_give(key.may)]
            if len(page) < _PAGE:
                break
            after = page[-1].id
        return listed[:limit]

    async def replace(self, by: Principal, id_: str, overlap: timedelta) -> MadeKey:
        """Make a key in the place of another one, which goes on opening for so long.

        Raises:
            Forbidden: the caller is no administrator.
            NotFound: there is no such key that the caller could have made.
            Unauthenticated: that key opens nothing any more.
        """
        key, now = await self._own(by, id_), self._clock()
        key.check(now)
        new_id, secret = new_key()
        made = await self._store.replace_key(
            new_id,
            self._installation.hash(secret),
            self._installation.name,
            replaces=id_,
            made_by=by.key,
            until=now + overlap,
            now=now,
        )
        self._read.pop(id_, None)
        if made is None:
            raise _absent(id_)
        return MadeKey(made, secret)

    async def revoke(self, by: Principal, id_: str) -> Key:
        """Have a key open nothing from now on.

        Raises:
            Forbidden: the caller is no administrator.
            NotFound: there is no such key that the caller could have made.
        """
        await self._own(by, id_)
        revoked = await self._store.revoke_key(id_, self._clock())
        self._read.pop(id_, None)
        if revoked is None:
            raise _absent(id_)
        return revoked

    async def flush(self) -> None:
        """Write when keys were used. What cannot be written stays noted."""
        used, self._used = self._used, dict[str, datetime]()
        try:
            if used:
                await self._store.use_keys(used)
                used = dict[str, datetime]()
        finally:
            self._used = {**used, **self._used}

    async def flushing(self, seconds: float, disk: Disk, healthy: Healthy) -> None:
        """Write when keys were used every so many seconds, while there is room to write."""
        while True:
            await asyncio.sleep(seconds)
            await disk.room()
            await self.flush()
            healthy()

    async def _own(self, by: Principal, id_: str) -> Key:
        _check_administrator(by)
        stored = await self._store.key(id_)
        if stored is None or not by.may_give(stored.key.may):
            raise _absent(id_)
        return stored.key

    async def _stored(self, id_: str) -> StoredKey | None:
        until, stored = self._read.get(id_, (0.0, None))
        now = self._monotonic()
        if until <= now:
            stored = await self._store.key(id_)
            if len(self._read) >= _MOST_REMEMBERED:
                self._read.clear()
            self._read[id_] = (now + _FRESH_SECONDS, stored)
        return stored

    def _why_unknown(self, stored: StoredKey) -> str:
        if stored.installation == self._installation.name:
            return _UNKNOWN
        return (
            f"The key {PREFIX}{stored.key.id} was made under another secret than this process has. Give all processes "
            "of a service the same GRAPHMEM_KEYS_SECRET, or make new keys."
        )


def _check_administrator(by: Principal) -> None:
    if not by.may_give(Principal(groups=(), rights=frozenset(), agents=())):
        raise Forbidden("Keys are an administrator's business.")


def _absent(id_: str) -> NotFound:
    return NotFound(f"There is no key {PREFIX}{id_}.")
