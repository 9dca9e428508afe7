"""Facts that people own, and what is contested."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, Unpack

from graphmem.answers.claims import (
    ActedFact,
    ConflictList,
    ConflictOut,
    FactList,
    FactOut,
    RememberedFact,
    SharedFact,
)
from graphmem.client.asynchronous.connection import ClientConnection
from graphmem.client.calls import TimeOptions, UserOption, given, is_named, path_in


class FactCalls(ClientConnection):
    """Calls about facts. Only the owner of a fact changes it: ``user`` says who does."""

    async def facts(
        self,
        group: str,
        *,
        category: Sequence[str] = (),
        subject: str | None = None,
        least_importance: float | None = None,
        tag: Sequence[str] = (),
        **asked: Unpack[TimeOptions],
    ) -> AsyncIterator[FactOut]:
        """Facts, the most important first: those of a user and what is shared, or without one all, page by page."""
        params = given(
            category=list(category), subject=subject, least_importance=least_importance, tag=list(tag), **asked
        )
        async for page in self._pages(FactList, path_in(group, "facts"), params):
            for fact in page.facts:
                yield fact

    async def remember_fact(
        self,
        group: str,
        subject: Mapping[str, Any],
        category: str,
        key: str,
        *,
        object: Mapping[str, Any] | None = None,  # noqa: A002 - the name in the body
        value: str | float | bool | None = None,
        user: str | None = None,
        **more: Any,
    ) -> RememberedFact:
        """Remember what somebody says on purpose of a subject (``name`` and ``type``): an object or a value.

        ``more`` are any of ``statement``, ``valid_from``, ``valid_to``, ``occurred_at``, ``importance``, ``tags``,
        ``source``, ``external_id``, ``attributes`` and ``recorded_at``.
        """
        body = given(subject=subject, category=category, key=key, object=object, value=value, user=user, **more)
        return await self._post(RememberedFact, path_in(group, "facts"), body, repeatable=is_named(body))

    async def confirm_fact(self, group: str, belief_id: str, **asked: Unpack[UserOption]) -> ActedFact:
        """Say that a fact, given by the id of a belief or a version, is right."""
        return await self._post(ActedFact, path_in(group, "facts", belief_id, "confirm"), given(**asked))

    async def correct_fact(self, group: str, belief_id: str, *, user: str | None = None, **instead: Any) -> ActedFact:
        """Say what is so instead of a fact.

        ``instead`` are any of ``object``, ``value``, ``statement``, ``valid_from``, ``valid_to``, ``attributes`` and
        ``category``.
        """
        body = given(user=user, **instead)
        return await self._post(ActedFact, path_in(group, "facts", belief_id, "correct"), body)

    async def share_fact(self, group: str, belief_id: str, **asked: Unpack[UserOption]) -> SharedFact:
        """Show a fact to everybody in the group, with the words that it rests on."""
        return await self._post(SharedFact, path_in(group, "facts", belief_id, "share"), given(**asked))

    async def unshare_fact(self, group: str, belief_id: str, **asked: Unpack[UserOption]) -> SharedFact:
        """Take back that a fact is shared."""
        return await self._post(SharedFact, path_in(group, "facts", belief_id, "unshare"), given(**asked))

    async def delete_fact(
        self, group: str, belief_id: str, *, reason: str | None = None, **asked: Unpack[UserOption]
    ) -> ActedFact:
        """Say that a fact was never so. It is no erasure: its history keeps it."""
        return await self._delete(ActedFact, path_in(group, "facts", belief_id), given(reason=reason, **asked))

    async def conflicts(self, group: str, **asked: Unpack[TimeOptions]) -> AsyncIterator[ConflictOut]:
        """What is contested, with the evidence of both sides, page by page."""
        async for page in self._pages(ConflictList, path_in(group, "conflicts"), given(**asked)):
            for conflict in page.conflicts:
                yield conflict

    async def settle_conflict(self, group: str, belief_id: str, keep: str, **asked: Unpack[UserOption]) -> ActedFact:
        """Say which claim is right about a contested belief; the values of the others give way to it."""
        return await self._post(ActedFact, path_in(group, "conflicts", belief_id), given(keep=keep, **asked))
