"""Claims, which need no extraction; facts that people own, and what is contested."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, Unpack

from graphmem.answers.claims import (
    AcceptedClaims,
    ActedFact,
    ConflictList,
    ConflictOut,
    CorrectedClaim,
    FactList,
    FactOut,
    RememberedFact,
    RetractedClaim,
    SharedFact,
)
from graphmem.client.asynchronous.connection import ClientConnection
from graphmem.client.calls import TimeOptions, UserOption, given, is_named, path_in


class FactCalls(ClientConnection):
    """Calls about claims and facts. Only the owner of a fact changes it: ``user`` says who does."""

    def facts(
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
        return self._items(
            FactList,
            lambda page: page.facts,
            path_in(group, "facts"),
            category=list(category),
            subject=subject,
            least_importance=least_importance,
            tag=list(tag),
            **asked,
        )

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
        ``source``, ``external_id``, ``attributes``, ``beside`` and ``recorded_at``.
        """
        body = given(subject=subject, category=category, key=key, object=object, value=value, user=user, **more)
        return await self._post(RememberedFact, path_in(group, "facts"), body, repeatable=is_named(body))

    async def confirm_fact(self, group: str, belief_id: str, **asked: Unpack[UserOption]) -> ActedFact:
        """Say that a fact, given by the id of a belief or a version, is right."""
        return await self._post(ActedFact, path_in(group, "facts", belief_id, "confirm"), given(**asked))

    async def correct_fact(self, group: str, belief_id: str, *, user: str | None = None, **instead: Any) -> ActedFact:
        """Say what is so instead of a fact that was wrong all along: it counts as never said.

        Of one that was right and has changed, as by a move, give ``changed_at``: it was so until then, and stays known.
        ``instead`` are any of ``object``, ``value``, ``statement``, ``valid_from``, ``valid_to``, ``changed_at``,
        ``attributes`` and ``category``.
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
        return await self._delete(ActedFact, path_in(group, "facts", belief_id), reason=reason, **asked)

    def conflicts(self, group: str, **asked: Unpack[TimeOptions]) -> AsyncIterator[ConflictOut]:
        """What is contested, with the evidence of both sides, page by page."""
        return self._items(ConflictList, lambda page: page.conflicts, path_in(group, "conflicts"), **asked)

    async def settle_conflict(self, group: str, belief_id: str, keep: str, **asked: Unpack[UserOption]) -> ActedFact:
        """Say which claim is right about a contested belief; the values of the others give way to it."""
        return await self._post(ActedFact, path_in(group, "conflicts", belief_id), given(keep=keep, **asked))

    async def claims(self, group: str, claims: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> AcceptedClaims:
        """Hand in one structured claim or a list, all in one transaction.

        A plan is ``{"predicate": "plans", "status": "planned", "value": "go to Rome", …}``; what no predicate says is
        ``{"predicate": "did", "verb": "varnish", "value": "old bench", …}``. Claims that have an ``external_id`` or an
        ``occurred_at`` are the same when they come again, so the client sends them again when a connection breaks.
        Of a list what is barred is ``refused`` in the answer, and the rest is stored.

        Raises:
            Forgotten: this claim was forgotten.
            OptedOut: its user opted out.
        """
        items = [claims] if isinstance(claims, Mapping) else claims
        repeatable = all(map(is_named, items))
        return await self._post(AcceptedClaims, path_in(group, "claims"), claims, repeatable=repeatable)

    async def retract(self, group: str, claim_id: str, **asked: Unpack[UserOption]) -> RetractedClaim:
        """Withdraw a claim from now on."""
        path = path_in(group, "claims", claim_id, "retract")
        return await self._post(RetractedClaim, path, repeatable=True, **asked)

    async def correct(
        self, group: str, claim_id: str, claim: Mapping[str, Any], **asked: Unpack[UserOption]
    ) -> CorrectedClaim:
        """Withdraw a claim and put another in its place, of the same user unless that says otherwise.

        By the same predicate it keeps what it does not say of ``status``, ``verb``, ``open`` and the days of an event.
        """
        path = path_in(group, "claims", claim_id, "correct")
        return await self._post(CorrectedClaim, path, {"claim": claim}, **asked)
