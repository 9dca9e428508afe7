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
from graphmem.client.calls import A, ActOptions, TimeOptions, UserOption, When, given, if_match, is_named, path_in


class FactCalls(ClientConnection):
    """Calls about claims and facts. Only the owner of a fact changes it: ``user`` says who does.

    A fact is given by the id of a belief or a version. Who decided by a ``version`` names it: if another one is
    believed by now, nothing is changed, and ``Outdated`` is raised.
    """

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

    async def confirm_fact(self, group: str, belief_id: str, **asked: Unpack[ActOptions]) -> ActedFact:
        """Say that a fact is right."""
        return await self._act(ActedFact, path_in(group, "facts", belief_id, "confirm"), {**asked})

    async def correct_fact(
        self, group: str, belief_id: str, *, user: str | None = None, version: str | None = None, **instead: Any
    ) -> ActedFact:
        """Say what is so instead of a fact that was wrong all along: it counts as never said.

        Of one that was right and has changed, as by a move, give ``changed_at``: it was so until then, and stays known.
        ``instead`` are any of ``object``, ``value``, ``statement``, ``valid_from``, ``valid_to``, ``changed_at``,
        ``attributes`` and ``category``; and ``content_sha256`` of the statement that was read (409 if it says
        something else by now).
        """
        body = {"user": user, "version": version, **instead}
        return await self._act(ActedFact, path_in(group, "facts", belief_id, "correct"), body)

    async def share_fact(self, group: str, belief_id: str, **asked: Unpack[ActOptions]) -> SharedFact:
        """Show a fact to everybody in the group, with the words that it rests on."""
        return await self._act(SharedFact, path_in(group, "facts", belief_id, "share"), {**asked})

    async def unshare_fact(self, group: str, belief_id: str, **asked: Unpack[ActOptions]) -> SharedFact:
        """Take back that a fact is shared."""
        return await self._act(SharedFact, path_in(group, "facts", belief_id, "unshare"), {**asked})

    async def delete_fact(
        self, group: str, belief_id: str, *, reason: str | None = None, **asked: Unpack[ActOptions]
    ) -> ActedFact:
        """Say that a fact was never so. It is no erasure: its history keeps it."""
        path, headers = path_in(group, "facts", belief_id), if_match(asked.get("version"))
        return await self._delete(ActedFact, path, headers=headers, reason=reason, user=asked.get("user"))

    def conflicts(self, group: str, **asked: Unpack[TimeOptions]) -> AsyncIterator[ConflictOut]:
        """What is contested, with the evidence of both sides, page by page."""
        return self._items(ConflictList, lambda page: page.conflicts, path_in(group, "conflicts"), **asked)

    async def settle_conflict(self, group: str, belief_id: str, keep: str, **asked: Unpack[ActOptions]) -> ActedFact:
        """Say which claim is right about a contested belief; the values of the others give way to it."""
        return await self._act(ActedFact, path_in(group, "conflicts", belief_id), {"keep": keep, **asked})

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

    async def retract(
        self, group: str, claim_id: str, *, recorded_at: When = None, **asked: Unpack[UserOption]
    ) -> RetractedClaim:
        """Withdraw a claim from now on; in a group that imports, from ``recorded_at`` on."""
        path, body = path_in(group, "claims", claim_id, "retract"), given(recorded_at=recorded_at)
        return await self._post(RetractedClaim, path, body or None, repeatable=True, **asked)

    async def correct(
        self,
        group: str,
        claim_id: str,
        claim: Mapping[str, Any],
        *,
        content_sha256: str | None = None,
        **asked: Unpack[UserOption],
    ) -> CorrectedClaim:
        """Withdraw a claim and put another in its place, of the same user unless that says otherwise.

        By the same predicate it keeps what it does not say of ``status``, ``verb``, ``open`` and the days of an event.
        ``content_sha256`` is of the statement of the claim that was read.

        Raises:
            Conflict: it was retracted before, or says something else.
        """
        path = path_in(group, "claims", claim_id, "correct")
        return await self._post(CorrectedClaim, path, given(claim=claim, content_sha256=content_sha256), **asked)

    async def _act(self, kind: type[A], path: str, asked: Mapping[str, Any]) -> A:
        body = {name: value for name, value in asked.items() if name != "version"}
        return await self._post(kind, path, given(**body), headers=if_match(asked.get("version")))
