"""Forgetting: what would go, the agreement to it, and the receipt."""

from typing import Annotated

from fastapi import Response
from pydantic import Field

from graphmem.answers.forgetting import ForgetOut, ReceiptOut, VerifiedOut
from graphmem.api.backend import wake
from graphmem.api.bodies import json_body
from graphmem.api.deps import (
    EnteredGroup,
    GroupPath,
    IdPath,
    PrincipalDep,
    QueueDep,
    ServicesDep,
    VerifiedGroup,
    erased_body,
)
from graphmem.api.openapi import CallRouter
from graphmem.api.schemas.words import Id, Instant, Name, Request, ShortText
from graphmem.model.forgetting import Selector

_MOST_EPISODES = 1_000
_MOST_CANARIES = 100


class ForgetIn(Request):
    """What to forget: `episodes` or `external_ids`; or all of which everything asked for is so; or `everything`.

    `user`: only what was said for this user. `confirm` is what a preview of the same says there.
    """

    episodes: Annotated[list[Id], Field(max_length=_MOST_EPISODES)] = Field(default_factory=list)
    external_ids: Annotated[list[Name], Field(max_length=_MOST_EPISODES)] = Field(default_factory=list)
    session: Name | None = None
    source: Name | None = None
    entity: Id | None = None
    since: Instant | None = None
    until: Instant | None = None
    everything: bool = False
    user: Name | None = None
    confirm: Annotated[str | None, Field(pattern=r"^[0-9]{1,12}\.[0-9a-f]{64}$")] = None

    def selector(self) -> Selector:
        return self.into(Selector, episodes=tuple(self.episodes), external_ids=tuple(self.external_ids))


class VerifyIn(Request):
    """`canaries`: words that stood in what was forgotten and, as far as you know, nowhere else."""

    canaries: Annotated[list[ShortText], Field(max_length=_MOST_CANARIES)] = Field(default_factory=list)


router = CallRouter(prefix="/v1/groups/{group}/forget", tags=["forgetting"])

_HOW = """Without `confirm` nothing changes: the answer is a preview with a `confirm`. With that a job erases all
that the preview showed, at every time at which it was known: episodes, claims, mentions, passages, vectors, versions of
beliefs, texts that were made of them, and names that nothing else gave. What that had ended is believed again, what
others support stays as they say it. Answers about the past change here and nowhere else. If something else is there by
then, or 15 minutes have passed, it is 409: preview it again."""


@router.call(
    "POST", "", 409, takes=ForgetIn, notes=_HOW, also={202: {"description": "A job erases it", "model": ForgetOut}}
)
async def forget(
    group: GroupPath,
    posted: Annotated[ForgetIn, erased_body(ForgetIn)],
    principal: PrincipalDep,
    services: ServicesDep,
    queue: QueueDep,
    response: Response,
) -> ForgetOut:
    """Forget something: preview it, then confirm the preview."""
    await services.memory.reader.known_group(group)
    forgetting, selector = services.forgetting, posted.selector()
    if posted.confirm is None:
        return ForgetOut.of(await forgetting.preview(group, selector, posted.user), receipt=None)
    work, found = await forgetting.confirm(group, selector, posted.user, posted.confirm, principal.key)
    await wake(queue, group)
    response.status_code = 202
    return ForgetOut.of(found, would=None, confirm=None, valid_until=None, receipt=work.id)


@router.call("GET", "/{receipt_id}")
async def receipt(
    group: EnteredGroup, receipt_id: IdPath, principal: PrincipalDep, services: ServicesDep
) -> ReceiptOut:
    """What was forgotten, without a word of it, and how far that is; for who asked for it, and who asks for all."""
    await services.memory.reader.known_group(group)
    asked_by = None if principal.users is None else principal.key
    return ReceiptOut.of(await services.forgetting.receipt(group, receipt_id, asked_by))


_LOOKS = """Canaries are looked for in each property of each node and relationship of the group, however written, also
within JSON; in full-text indexes, which find inflections, too; and among vectors, where one as good as theirs is of a
text that says the same. They are neither kept nor logged. It needs a key that may read and erase for all users."""


@router.call("POST", "/{receipt_id}/verify", takes=VerifyIn, notes=_LOOKS)
async def verify(
    group: VerifiedGroup,
    receipt_id: IdPath,
    posted: Annotated[VerifyIn, json_body(VerifyIn)],
    services: ServicesDep,
) -> VerifiedOut:
    """Look for what was forgotten: for words of it, and for the episodes of which the receipt has hashes."""
    await services.memory.reader.known_group(group)
    return VerifiedOut.of(await services.verifier.verify(group, receipt_id, posted.canaries))
