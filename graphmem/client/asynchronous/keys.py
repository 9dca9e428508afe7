"""Keys of the service: for administrators."""

from collections.abc import AsyncIterator, Collection
from datetime import timedelta
from typing import Literal

from graphmem.answers.keys import KeyOut, KeyPage, NewKey, OwnKey
from graphmem.client.asynchronous.connection import ClientConnection
from graphmem.client.calls import When, given
from graphmem.model.principal import Right

_KEYS = "/v1/keys"


class KeyCalls(ClientConnection):
    """Calls about keys."""

    def keys(self) -> AsyncIterator[KeyOut]:
        """The keys in order of id, page by page, also those that open nothing any more."""
        return self._items(KeyPage, lambda page: page.keys, _KEYS)

    async def own_key(self) -> OwnKey:
        """What the key may with which this client calls."""
        return await self._get(OwnKey, f"{_KEYS}/own")

    async def make_key(
        self,
        label: str,
        groups: Collection[str],
        rights: Collection[Right | Literal["read", "write", "erase", "admin"]],
        *,
        users: Collection[str] | None = None,
        agents: Collection[str] | None = None,
        expires_at: When = None,
    ) -> NewKey:
        """Make a key for some groups (names, or patterns that end with ``*``). The answer alone shows its secret.

        ``users`` are those for whom it acts: None is all, none is what everybody may see. ``agents`` are those as which
        it hands in and asks; None is any.

        Raises:
            Forbidden: it would be allowed more than the key with which this client calls.
        """
        body = given(
            label=label,
            groups=[*groups],
            rights=[*rights],
            users=None if users is None else [*users],
            agents=None if agents is None else [*agents],
            expires_at=expires_at,
        )
        return await self._post(NewKey, _KEYS, body)

    async def replace_key(self, key_id: str, *, overlap: timedelta = timedelta(hours=1)) -> NewKey:
        """Make a key that may what another one may; that one ends after ``overlap``."""
        return await self._post(NewKey, f"{_KEYS}/{key_id}/replace", {"overlap": int(overlap.total_seconds())})

    async def revoke_key(self, key_id: str) -> KeyOut:
        """Revoke a key: within a second it opens nothing any more."""
        return await self._delete(KeyOut, f"{_KEYS}/{key_id}", repeatable=True)
