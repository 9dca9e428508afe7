"""What is taken in no more: users who opt out, and what was forgotten, until somebody lifts that."""

from typing import Annotated

from fastapi import Depends, Path
from pydantic import Field

from graphmem.answers.tombstones import LiftedTombstones, OptOutOut
from graphmem.api.deps import AuditDep, GroupPath, MemoryDep, PrincipalDep, TombstonesDep, erased_body
from graphmem.api.openapi import CallRouter
from graphmem.api.schemas.words import MOST_ITEMS, Id, Name, Request
from graphmem.trust.tombstones import Tombstones

router = CallRouter(prefix="/v1/groups/{group}", tags=["forgetting"])

_NOTHING_COMES_IN = """Episodes, claims and facts of a user who opted out are refused (409, `opted-out`), and so is
whatever is said of their facts; lists store the rest, and say so of each of theirs in `refused`. What is stored stays,
and can be read: a claim can still be retracted."""


class LiftIn(Request):
    """``tombstones``: the ids that a refusal names (`forgotten`). ``user``: whose they are; default: of anybody."""

    user: Name | None = None
    tombstones: Annotated[list[Id], Field(min_length=1, max_length=MOST_ITEMS)]


UserPath = Annotated[Name, Path(description="Whose memory it is.", examples=["maya"])]


async def _read_user(group: GroupPath, user: UserPath, principal: PrincipalDep, audit: AuditDep) -> str:
    principal.reads(group, user)
    audit.ask_for(group, user)
    await audit.read(principal, group)
    return user


async def _erased_user(group: GroupPath, user: UserPath, principal: PrincipalDep, audit: AuditDep) -> str:
    principal.erases(group, user)
    audit.ask_for(group, user)
    return user


ReadUser = Annotated[str, Depends(_read_user)]
ErasedUser = Annotated[str, Depends(_erased_user)]


@router.call("POST", "/tombstones/lift", takes=LiftIn)
async def lift_tombstones(
    group: GroupPath,
    posted: Annotated[LiftIn, erased_body(LiftIn)],
    principal: PrincipalDep,
    memory: MemoryDep,
    tombstones: TombstonesDep,
) -> LiftedTombstones:
    """Let in again what was forgotten. That it was is not undone: who has it hands it in anew.

    Of the tombstones those count that are of `user`; the answer names them.
    """
    await memory.reader.known_group(group)
    lifted = await tombstones.lift(group, posted.tombstones, posted.user, by=principal.key)
    return LiftedTombstones(lifted=sorted(lifted))


@router.call("GET", "/users/{user:path}/opt_out")
async def opt_out(group: GroupPath, user: ReadUser, memory: MemoryDep, tombstones: TombstonesDep) -> OptOutOut:
    """Whether a user opted out."""
    await memory.reader.known_group(group)
    return await _shown(tombstones, group, user)


@router.call("PUT", "/users/{user:path}/opt_out", notes=_NOTHING_COMES_IN)
async def put_opt_out(group: GroupPath, user: ErasedUser, memory: MemoryDep, tombstones: TombstonesDep) -> OptOutOut:
    """Take in nothing more of a user."""
    await memory.reader.known_group(group)
    await tombstones.opt_out(group, user)
    return await _shown(tombstones, group, user)


@router.call("DELETE", "/users/{user:path}/opt_out")
async def delete_opt_out(
    group: GroupPath, user: ErasedUser, principal: PrincipalDep, memory: MemoryDep, tombstones: TombstonesDep
) -> OptOutOut:
    """Take in again what is of a user. What was forgotten of theirs stays barred."""
    await memory.reader.known_group(group)
    await tombstones.opt_in(group, user, by=principal.key)
    return await _shown(tombstones, group, user)


async def _shown(tombstones: Tombstones, group: str, user: str) -> OptOutOut:
    tombstone = await tombstones.opted_out(group, user)
    return OptOutOut(user=user, opted_out_at=tombstone and tombstone.recorded_at)
