"""Structured claims: evidence that needs no extraction."""

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

from pydantic_core import to_jsonable_python

from graphmem.answers.claims import AcceptedClaims, CorrectedClaim, RetractedClaim
from graphmem.client.asynchronous.connection import ClientConnection
from graphmem.client.calls import UserOption, given, is_named, path_in


class ClaimCalls(ClientConnection):
    """Calls about claims."""

    async def claims(self, group: str, claims: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> AcceptedClaims:
        """Hand in one structured claim or a list, all in one transaction.

        A plan is ``{"predicate": "plans", "status": "planned", "value": "go to Rome", …}``; what no predicate says is
        ``{"predicate": "did", "verb": "varnish", "value": "old bench", …}``. Claims that have an ``external_id`` or an
        ``occurred_at`` are the same when they come again, so the client sends them again when a connection breaks.
        """
        items = [claims] if isinstance(claims, Mapping) else claims
        repeatable = all(map(is_named, items))
        return await self._post(
            AcceptedClaims, path_in(group, "claims"), to_jsonable_python(claims), repeatable=repeatable
        )

    async def retract(self, group: str, claim_id: str, **asked: Unpack[UserOption]) -> RetractedClaim:
        """Withdraw a claim from now on."""
        path = path_in(group, "claims", claim_id, "retract")
        return await self._post(RetractedClaim, path, params=given(**asked), repeatable=True)

    async def correct(
        self, group: str, claim_id: str, claim: Mapping[str, Any], **asked: Unpack[UserOption]
    ) -> CorrectedClaim:
        """Withdraw a claim and put another in its place, of the same user unless that says otherwise.

        By the same predicate it keeps what it does not say of ``status``, ``verb``, ``open`` and the days of an event.
        """
        body, path = {"claim": to_jsonable_python(claim)}, path_in(group, "claims", claim_id, "correct")
        return await self._post(CorrectedClaim, path, body, params=given(**asked))
