"""Decisions by hand: those that move few claims are carried out at once, the others by a worker.

What is left to a worker is recorded as work before anybody is answered. Carried out again, it changes nothing more.
"""

from contextlib import suppress

from graphmem.errors import MovesMany, OurError
from graphmem.identity.merging import Merging, by_hand
from graphmem.model.matching import Verdict
from graphmem.model.merge import Opinion
from graphmem.model.scope import EVERYBODY
from graphmem.model.work import Work, WorkKind, WorkProgress, WorkRequest, work_id
from graphmem.store.change.moves import MOST_AT_ONCE, Reidentified
from graphmem.store.work import WorkStore, request_one


class HumanDecisions:
    """What people say of pairs, in the order in which they say it of each."""

    def __init__(self, merging: Merging, works: WorkStore) -> None:
        self._merging = merging
        self._works = works

    async def decide(self, group: str, opinion: Opinion) -> Reidentified | Work:
        """What came of an opinion by hand, or the work that a worker has to carry it out.

        A pair of which an earlier opinion waits for a worker is left to it as well: the later opinion takes its place.

        Raises:
            Conflict: it contradicts what somebody else said of entities that are so tied; or more claims would move
                than one decision may move.
            Unreadable: the record of the work cannot be read.
        """
        id_ = work_id(WorkKind.MERGE, group, opinion.id)
        if not await self._waits(group, id_):
            with suppress(MovesMany):
                return await self._merging.carry_out(group, opinion, most=MOST_AT_ONCE)
        request = WorkRequest(id=id_, arguments=_arguments(opinion), audience=opinion.user)
        return await request_one(self._works, group, WorkKind.MERGE, request)

    async def carry_out(self, work: Work) -> Reidentified:
        """Do what ``decide`` left to a worker.

        Raises:
            Conflict: as ``decide``; it may have come to that since.
        """
        return await self._merging.carry_out(work.group_id, _opinion(work))

    async def _waits(self, group: str, id_: str) -> bool:
        return any(work.status is WorkProgress.PENDING for work in await self._works.works_by_id(group, [id_]))


def _arguments(opinion: Opinion) -> dict[str, object]:
    judgement = opinion.judgement
    user = opinion.user or None
    session = {} if opinion.session is None else {"session": opinion.session}
    return {"pair": judgement.pair, "verdict": judgement.verdict, "user": user, "reason": opinion.reason, **session}


def _opinion(work: Work) -> Opinion:
    match work.arguments:
        case {"pair": [str(a), str(b)], "verdict": str(verdict), "user": str() | None as user, "reason": str(reason)}:
            session = work.arguments.get("session")
            in_session = session if isinstance(session, str) else None
            return by_hand(a, b, Verdict(verdict), user=user or EVERYBODY, session=in_session, reason=reason)
        case _:
            raise OurError(f"Work {work.id} does not say what was decided.")
