"""What is taken in no more: users who opt out, and what was forgotten."""

from collections.abc import Collection
from typing import Unpack

from graphmem.answers.tombstones import LiftedTombstones, OptOutOut
from graphmem.client.asynchronous.connection import ClientConnection
from graphmem.client.calls import UserOption, given, path_in


class TombstoneCalls(ClientConnection):
    """Calls about what does not come in, which need a key that may erase."""

    async def opt_out(self, group: str, user: str) -> OptOutOut:
        """Take in nothing more of a user: ``OptedOut`` is raised of what is handed in for them."""
        return await self._put(OptOutOut, path_in(group, "users", user, "opt_out"))

    async def opt_in(self, group: str, user: str) -> OptOutOut:
        """Take in again what is of a user."""
        return await self._delete(OptOutOut, path_in(group, "users", user, "opt_out"), repeatable=True)

    async def opted_out(self, group: str, user: str) -> OptOutOut:
        """Whether a user opted out; any key that reads for them may ask."""
        return await self._get(OptOutOut, path_in(group, "users", user, "opt_out"))

    async def lift_tombstones(
        self, group: str, tombstones: Collection[str], **asked: Unpack[UserOption]
    ) -> LiftedTombstones:
        """Let in again what was forgotten, by the ids that a refusal (``Forgotten``) names."""
        body = given(tombstones=[*tombstones], user=asked.get("user"))
        return await self._post(LiftedTombstones, path_in(group, "tombstones", "lift"), body, repeatable=True)
