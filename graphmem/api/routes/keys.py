"""Keys: made, listed, replaced and revoked, by administrators of all groups that these open."""

from datetime import timedelta
from typing import Annotated

from fastapi import Path
from pydantic import Field, field_validator

from graphmem.answers.keys import KeyOut, KeyPage, NewKey, OwnKey
from graphmem.api.bodies import json_body
from graphmem.api.cursors import BY_ID
from graphmem.api.deps import CursorQuery, KeysDep, LimitQuery, PrincipalDep
from graphmem.api.openapi import ANYWHERE, CallRouter, TakenBody
from graphmem.api.schemas.words import Instant, Name, Request
from graphmem.model.key import GROUPS_PATTERN
from graphmem.model.principal import ANY, Principal, Right

_MOST_NAMES = 100
_LONGEST_OVERLAP = 30 * 86_400

Groups = Annotated[str, Field(pattern=GROUPS_PATTERN, description="A group, or a pattern that ends with `*`.")]


class KeyIn(Request):
    """``expires_at`` is when it opens nothing any more; by default it does so until it is revoked."""

    label: Name
    groups: Annotated[list[Groups], Field(min_length=1, max_length=_MOST_NAMES)]
    rights: Annotated[list[Right], Field(min_length=1, max_length=len(Right))]
    users: Annotated[list[Name], Field(max_length=_MOST_NAMES)] | None = None
    agents: Annotated[list[Name], Field(min_length=1, max_length=_MOST_NAMES)] | None = None
    expires_at: Instant | None = None

    @field_validator("users", "agents")
    @classmethod
    def _are_names(cls, names: list[str] | None) -> list[str] | None:
        if names is not None and ANY in names:
            raise ValueError("is no pattern: leave it out for all")
        return names

    def may(self) -> Principal:
        """What its holder may."""
        return Principal(
            rights=frozenset(self.rights),
            groups=tuple(dict.fromkeys(self.groups)),
            users=None if self.users is None else tuple(dict.fromkeys(self.users)),
            agents=None if self.agents is None else tuple(dict.fromkeys(self.agents)),
            expires_at=self.expires_at,
        )


class ReplaceIn(Request):
    """For ``overlap`` seconds both keys open."""

    overlap: Annotated[int, Field(ge=0, le=_LONGEST_OVERLAP)] = 3_600


router = CallRouter(prefix="/v1/keys", tags=["keys"])


KeyPath = Annotated[str, Path(pattern="^[0-9a-f]{12}$", description="The id of a key.", examples=["3f9a1c07be52"])]


@router.call("POST", "", problems=ANYWHERE, takes=KeyIn, status=201)
async def make_key(posted: Annotated[KeyIn, json_body(KeyIn)], principal: PrincipalDep, keys: KeysDep) -> NewKey:
    """Make a key, which may no more than the one with which it is made. Its secret is shown in this answer only."""
    return NewKey.of(await keys.make(principal, posted.label, posted.may()))


@router.call("GET", "", problems=ANYWHERE)
async def list_keys(
    principal: PrincipalDep, keys: KeysDep, cursor: CursorQuery = None, limit: LimitQuery = 100
) -> KeyPage:
    """The keys, in order of id, also those that were revoked or have expired."""
    listed = await keys.listed(principal, BY_ID.after(cursor), limit + 1)
    return KeyPage.of(keys=listed[:limit], next_cursor=BY_ID.after_page(listed, limit, lambda key: key.id))


@router.call("GET", "/own", problems=ANYWHERE)
async def own_key(principal: PrincipalDep) -> OwnKey:
    """What the key may with which this is asked."""
    return OwnKey.of(principal)


@router.call("POST", "/{key_id}/replace", 409, takes=TakenBody(ReplaceIn, required=False), status=201)
async def replace_key(
    key_id: KeyPath,
    posted: Annotated[ReplaceIn, json_body(ReplaceIn, optional=True)],
    principal: PrincipalDep,
    keys: KeysDep,
) -> NewKey:
    """Make a key that may what another one may, for as long as that was made for.

    The other one ends after `overlap` seconds.
    """
    return NewKey.of(await keys.replace(principal, key_id, timedelta(seconds=posted.overlap)))


@router.call("DELETE", "/{key_id}")
async def revoke_key(key_id: KeyPath, principal: PrincipalDep, keys: KeysDep) -> KeyOut:
    """Revoke a key: within a second it opens nothing any more. It stays in the list."""
    return KeyOut.of(await keys.revoke(principal, key_id))
