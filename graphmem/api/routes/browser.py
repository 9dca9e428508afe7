"""What Neo4j Browser reads: guides of groups, and styles. The key in the URL opens them (``graphmem.api.auth``)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from graphmem.api import guide
from graphmem.api.deps import ClockDep, GroupPath, MemoryDep, PrincipalDep
from graphmem.errors import Forbidden, no_group
from graphmem.model.principal import Right
from graphmem.store.queries import Query as SavedQuery
from graphmem.store.queries import cypher_root, load_queries

KeyQuery = Annotated[str, Query(max_length=200)]


async def _key(key: KeyQuery = "") -> str:
    """The key in the URL, at which the gate has looked."""
    return key


router = APIRouter(prefix="/browser", include_in_schema=False, dependencies=[Depends(_key)])

_MOST_GROUPS = 50
_MEDIA_TYPES: dict[guide.Form, str] = {"md": "text/markdown", "adoc": "text/asciidoc"}


@dataclass(frozen=True, slots=True)
class _Sources:
    """The files of ``cypher/browser``."""

    guide: str
    groups: str
    style: str
    saved: Mapping[str, SavedQuery]


@cache
def _sources() -> _Sources:
    root = cypher_root()
    texts = [(root / "browser" / name).read_text("utf-8") for name in ("guide.md", "groups.md", "style.grass")]
    return _Sources(*texts, saved=load_queries(root, "browser"))


async def _whole_group(group: GroupPath, principal: PrincipalDep) -> str:
    principal.enters(group, Right.READ)
    if principal.users is not None or principal.names_user:
        raise Forbidden("A guide shows a whole group, and this key reads as one user at a time.")
    return group


WholeGroup = Annotated[str, Depends(_whole_group)]


async def _address(request: Request, key: Annotated[str, Depends(_key)]) -> guide.Address:
    return guide.Address(str(request.base_url), key)


AddressDep = Annotated[guide.Address, Depends(_address)]


@router.get("/guide.{form}")
async def list_of_guides(
    form: guide.Form, address: AddressDep, memory: MemoryDep, clock: ClockDep, principal: PrincipalDep
) -> Response:
    """The guide of the only group, or a slide that opens those of all."""
    if principal.users is not None or Right.READ not in principal.rights:
        raise Forbidden("A list of guides is for who reads whole groups.")
    rows = await memory.store.groups("", _MOST_GROUPS + 1, principal.groups)
    groups = [row.name for row in rows]
    if len(rows) == 1:
        await _whole_group(groups[0], principal)
        return await guide_of_group(rows[0].id, form, address, memory, clock)
    more = len(groups) > _MOST_GROUPS
    return _text(guide.list_of_groups(form, _sources().groups, groups[:_MOST_GROUPS], address, more=more), form)


@router.get("/{group}/guide.{form}")
async def guide_of_group(
    group: WholeGroup, form: guide.Form, address: AddressDep, memory: MemoryDep, clock: ClockDep
) -> Response:
    await _must_be_there(group, memory)
    overview = await memory.store.overview_of_group(group)
    sources = _sources()
    return _text(guide.guide(form, sources.guide, sources.saved, overview, address, clock()), form)


@router.get("/{group}/style.grass")
async def style_of_group(group: WholeGroup, memory: MemoryDep) -> Response:
    await _must_be_there(group, memory)
    types = (await memory.store.overview_of_group(group)).types
    return Response(guide.style(_sources().style, types), media_type="text/plain")


async def _must_be_there(group: str, memory: MemoryDep) -> None:
    if await memory.store.group(group) is None:
        raise no_group(group)


def _text(text: str, form: guide.Form) -> Response:
    return Response(text, media_type=_MEDIA_TYPES[form])
