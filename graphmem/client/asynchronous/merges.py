"""Who is who: merges, pairs that may be the same, and decisions on them."""

from collections.abc import AsyncIterator
from typing import Any, Literal, Unpack

from graphmem.answers.entities import (
    Merged,
    MergeOut,
    MergePage,
    OneMerge,
    PairOut,
    ProtectedOut,
    Remerged,
    ReviewInFull,
    ReviewOut,
    ReviewPage,
)
from graphmem.answers.groups import AskedJob
from graphmem.client.asynchronous.connection import ClientConnection
from graphmem.client.calls import A, Json, TimeOptions, UserOption, given, path_in, read_decided


class MergeCalls(ClientConnection):
    """Calls about who is who.

    Where a decision moves more than 1,000 claims, a worker carries it out, and the answer is the job that does.
    """

    def merges(self, group: str, **asked: Unpack[TimeOptions]) -> AsyncIterator[MergeOut]:
        """The merges in force, page by page."""
        return self._items(MergePage, lambda page: page.merges, path_in(group, "merges"), **asked)

    async def one_merge(self, group: str, merge_id: str, **asked: Unpack[UserOption]) -> OneMerge:
        """A merge by its id, in force or taken back."""
        return await self._get(OneMerge, path_in(group, "merges", merge_id), **asked)

    async def merge(
        self, group: str, first: str, second: str, reason: str, **asked: Unpack[UserOption]
    ) -> Merged | AskedJob:
        """Decide that two entities, given by their ids, are the same."""
        body = given(entities=[first, second], reason=reason, **asked)
        return await self._decide(Merged, path_in(group, "merges"), body)

    async def revert_merge(
        self, group: str, merge_id: str, reason: str, **asked: Unpack[UserOption]
    ) -> Remerged | AskedJob:
        """Take a merge back: its two are different from now on."""
        path = path_in(group, "merges", merge_id, "revert")
        return await self._decide(Remerged, path, {"reason": reason}, given(**asked))

    async def protect(self, group: str, entity_id: str, *, protected: bool = True) -> ProtectedOut:
        """Say whether only people merge an entity, in everybody's memory and each user's."""
        path = path_in(group, "entities", entity_id, "protected")
        return await self._put(ProtectedOut, path, {"protected": protected})

    def reviews(self, group: str, **asked: Unpack[UserOption]) -> AsyncIterator[ReviewOut]:
        """Pairs that somebody is to decide, those that look most alike first, page by page."""
        return self._items(ReviewPage, lambda page: page.reviews, path_in(group, "reviews"), **asked)

    async def review(self, group: str, review_id: str, **asked: Unpack[UserOption]) -> ReviewInFull:
        """One pair, with what is known of both."""
        return await self._get(ReviewInFull, path_in(group, "reviews", review_id), **asked)

    async def decide(
        self,
        group: str,
        review_id: str,
        verdict: Literal["same", "different"],
        reason: str,
        **asked: Unpack[UserOption],
    ) -> Remerged | AskedJob:
        """Say whether a pair is the same; it is not asked about again."""
        body = {"verdict": verdict, "reason": reason}
        return await self._decide(Remerged, path_in(group, "reviews", review_id), body, given(**asked))

    async def pair(self, group: str, first: str, second: str, **asked: Unpack[UserOption]) -> PairOut:
        """Why two entities, given by their ids, are taken for the same, or not."""
        return await self._get(PairOut, path_in(group, "pairs"), first=first, second=second, **asked)

    async def _decide(self, kind: type[A], path: str, body: Any, params: Json | None = None) -> A | AskedJob:
        return read_decided(await self._send("POST", path, body=body, params=params, repeatable=False), kind)
