"""Keys: made, shown once, looked up, replaced, revoked."""

import hmac
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256
from time import monotonic

from graphmem.clock import Clock
from graphmem.errors import ConfigurationError, Conflict, Forbidden, NotFound, Unauthenticated
from graphmem.model.key import KEY, PREFIX, Key, StoredKey, check_expiry, new_secret
from graphmem.model.principal import Principal
from graphmem.store.key import KeyStore

_FRESH_SECONDS = 0.5
"""For so long a process trusts what it has read of a key."""
_MOST_REMEMBERED = 10_000
_PAGE = 200
_UNKNOWN = (
    "The key is not one of this service, or was made under another secret: all processes of a service need the same "
    "keys.secret."
)
_SHORTEST = 16
"""Characters of a secret."""


class Installation:
    """The secret under which hashes are made, without which rows that somebody writes into Neo4j open nothing.

    Raises:
        ConfigurationError: it is too short to be one.
    """

    def __init__(self, secret: str) -> None:
        if len(secret) < _SHORTEST:
            raise ConfigurationError(f"keys.secret has less than {_SHORTEST} characters: take `openssl rand -hex 24`.")
        self._secret = secret.encode()

    def hash(self, *parts: object) -> str:
        """HMAC-SHA-256 (RFC 2104) of some parts, in hexadecimal digits."""
        return hmac.new(self._secret, json.dumps(parts).encode(), sha256).hexdigest()

    def seal(self, secret: str, may: Principal) -> str:
        """What of a key is kept: a hash of its secret and of what it may, so that nobody widens that in Neo4j."""
        users, agents = (None if names is None else list(names) for names in (may.users, may.agents))
        return self.hash("seal", may.key, secret, sorted(may.rights), list(may.groups), users, agents)

    def check(self, id_: str, secret: str) -> str:
        """The last characters of a key, by which one that somebody made up is refused unread."""
        return self.hash("check", id_, secret)[:8]


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
        form = KEY.fullmatch(shown)
        if form is None:
            raise Unauthenticated(_UNKNOWN)
        id_, secret = form["id"], form["secret"]
        if not hmac.compare_digest(self._installation.check(id_, secret), form["check"]):
            raise Unauthenticated(_UNKNOWN)
        stored = await self._stored(id_)
        if stored is None or not hmac.compare_digest(self._installation.seal(secret, stored.key.may), stored.seal):
            raise Unauthenticated(_UNKNOWN)
        now = self._clock()
        stored.key.check(now)
        self._used[id_] = now.replace(second=0, microsecond=0)
        return stored.key.may

    async def make(self, by: Principal, label: str, may: Principal) -> MadeKey:
        """Make a key, which may no more than whoever makes it, and no longer.

        Raises:
            Forbidden: it would, or whoever makes it is no administrator.
            InvalidInput: it would have expired already.
        """
        now = self._clock()
        check_expiry(may.expires_at, now)
        id_, secret = new_secret()
        may = replace(may, key=id_, expires_at=may.expires_at or by.expires_at)
        if not by.may_give(may):
            raise Forbidden(
                "A key is made by an administrator of all its groups, and may no more than that one, and no longer."
            )
        key = Key(id=id_, label=label, may=may, made_at=now, made_by=by.key)
        await self._store.make_key(StoredKey(key=key, seal=self._installation.seal(secret, may)))
        return self._made(key, secret)

    async def listed(self, by: Principal, after: str, limit: int) -> list[Key]:
        """Those in order of id, after one, that an administrator could have made.

        Raises:
            Forbidden: the caller is no administrator.
        """
        _check_administrator(by)
        listed = list[Key]()
        while len(listed) < limit:
            page = await self._store.keys(after, _PAGE)
            listed += [key for key in page if _may_have_given(by, key)]
            if len(page) < _PAGE:
                break
            after = page[-1].id
        return listed[:limit]

    async def replace(self, by: Principal, id_: str, overlap: timedelta) -> MadeKey:
        """Make a key in the place of another one, which goes on opening for so long. It lasts as long as that one did.

        Raises:
            Forbidden: the caller is no administrator.
            NotFound: there is no such key that the caller could have made.
            Conflict: that key opens nothing any more, or another one has its place.
        """
        old, now = await self._own(by, id_), self._clock()
        if (why := old.why_ended(now)) is not None:
            raise Conflict(why)
        ends = None if old.expires_at is None else now + (old.expires_at - old.made_at)
        if by.expires_at is not None:
            ends = min(ends or by.expires_at, by.expires_at)
        new_id, secret = new_secret()
        may = replace(old.may, key=new_id, expires_at=ends)
        key = Key(id=new_id, label=old.label, may=may, made_at=now, made_by=by.key, replaces=id_)
        stored = StoredKey(key=key, seal=self._installation.seal(secret, may))
        if not await self._store.replace_key(stored, now + overlap):
            raise Conflict(f"The key {PREFIX}{id_} has ended, or another one has its place: graphmem key list.")
        self._read.pop(id_, None)
        return self._made(key, secret)

    async def revoke(self, by: Principal, id_: str) -> Key:
        """Have a key open nothing from now on.

        Raises:
            Forbidden: the caller is no administrator.
            NotFound: there is no such key that the caller could have made.
        """
        await self._own(by, id_)
        revoked = await self._store.revoke_key(id_, by.key, self._clock())
        self._read.pop(id_, None)
        if revoked is None:
            raise _absent(id_)
        return revoked

    async def gaining(self, former: str, name: str) -> list[str]:
        """The ids of keys that could enter a group by a new name, and cannot by its former one."""
        gaining, after, now = list[str](), "", self._clock()
        while page := await self._store.keys(after, _PAGE):
            gaining += [key.id for key in page if key.may.gains(former, name) and key.why_ended(now) is None]
            after = page[-1].id
        return gaining

    async def flush(self) -> None:
        """Write when keys were used. What cannot be written stays noted."""
        used, self._used = self._used, dict[str, datetime]()
        try:
            if used:
                await self._store.use_keys(used)
                used = dict[str, datetime]()
        finally:
            self._used = {**used, **self._used}

    async def _own(self, by: Principal, id_: str) -> Key:
        _check_administrator(by)
        stored = await self._store.key(id_)
        if stored is None or not _may_have_given(by, stored.key):
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

    def _made(self, key: Key, secret: str) -> MadeKey:
        return MadeKey(key, f"{PREFIX}{key.id}_{secret}{self._installation.check(key.id, secret)}")


def _may_have_given(by: Principal, key: Key) -> bool:
    """Whether an administrator may have made a key, but for how long it lasts."""
    return by.may_give(replace(key.may, expires_at=by.expires_at))


def _check_administrator(by: Principal) -> None:
    if not by.may_give(Principal(groups=(), rights=frozenset(), agents=(), expires_at=by.expires_at)):
        raise Forbidden("Keys are an administrator's business.")


def _absent(id_: str) -> NotFound:
    return NotFound(f"There is no key {PREFIX}{id_}.")
