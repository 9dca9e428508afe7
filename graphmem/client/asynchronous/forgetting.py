"""Forgetting: what would go, the agreement to it, and receipts."""

from collections.abc import Collection

from graphmem.answers.forgetting import ForgetOut, ReceiptOut, VerifiedOut
from graphmem.client.asynchronous.connection import ClientConnection
from graphmem.client.calls import When, given, path_in


class ForgetCalls(ClientConnection):
    """Calls about what is to be as if it had never been said."""

    async def forget(
        self,
        group: str,
        *,
        episodes: Collection[str] = (),
        external_ids: Collection[str] = (),
        session: str | None = None,
        source: str | None = None,
        entity: str | None = None,
        since: When = None,
        until: When = None,
        everything: bool = False,
        user: str | None = None,
        confirm: str | None = None,
    ) -> ForgetOut:
        """What would be forgotten; or, with the ``confirm`` of such an answer, have it forgotten.

        Episodes, by id or external id; or all of which everything asked for is so; or ``everything``. With ``user``,
        only what was said for this user.

        Raises:
            Conflict: it is not what was previewed any more, or that was more than 15 minutes ago.
        """
        body = given(
            episodes=[*episodes],
            external_ids=[*external_ids],
            session=session,
            source=source,
            entity=entity,
            since=since,
            until=until,
            everything=everything,
            user=user,
            confirm=confirm,
        )
        return await self._post(ForgetOut, path_in(group, "forget"), body)

    async def receipt(self, group: str, receipt_id: str) -> ReceiptOut:
        """What was forgotten, without a word of it, and how far that is."""
        return await self._get(ReceiptOut, path_in(group, "forget", receipt_id))

    async def verify(self, group: str, receipt_id: str, canaries: Collection[str] = ()) -> VerifiedOut:
        """Look for what was forgotten: words of it (at most 100), and the episodes that the receipt tells of."""
        body = {"canaries": [*canaries]}
        return await self._post(VerifiedOut, path_in(group, "forget", receipt_id, "verify"), body, repeatable=True)
