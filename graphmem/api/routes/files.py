"""Files that people have, handed in as they are: exports of chats, mail, logs of agents, notes, documents."""

import asyncio
from typing import Annotated, Literal

from fastapi import Depends, Query, Request, Response

from graphmem.answers.files import FileOut, FirstTurn, FoundOut, RefusedTurn
from graphmem.api.auth import media_type
from graphmem.api.bodies import FILE, pieces
from graphmem.api.deps import (
    AuditDep,
    BackendDep,
    CheckAgainDep,
    ClockDep,
    GroupPath,
    HandInDep,
    MemoryDep,
    PrincipalDep,
    QueueDep,
    SettingsDep,
)
from graphmem.api.errors import invalid
from graphmem.api.openapi import ANYWHERE, CallRouter, TakenBody
from graphmem.api.receiving import FileIntake, received, with_parameters
from graphmem.api.schemas.episodes import Accepting
from graphmem.api.schemas.words import Name
from graphmem.errors import InvalidInput, UnsupportedMediaType
from graphmem.files.episodes import FoundFiles
from graphmem.files.options import reading_options
from graphmem.files.turns import ReadingOptions

router = CallRouter(prefix="/v1/groups/{group}", tags=["episodes"])

_LONGEST_FILE_NAME = 255
"""Bytes."""


async def _options(
    as_: Annotated[Name | None, Query(alias="as", description="Which speaker is the user, or the user's name.")] = None,
    time_zone: Annotated[
        Name | None, Query(description="Of times without one, such as Europe/Lisbon; default: UTC.")
    ] = None,
    date_order: Annotated[
        Literal["dmy", "mdy", "ymd"] | None, Query(description="How days are written; default: as the file tells.")
    ] = None,
    since: Annotated[Name | None, Query(description="Only what was said then or later: a day, or a time.")] = None,
    at: Annotated[Name | None, Query(description="When it was said, where the file has no times.")] = None,
    columns: Annotated[
        Name | None, Query(description="Columns of a table by what they are: content=text,speaker=who.")
    ] = None,
) -> ReadingOptions:
    try:
        return reading_options(
            user=as_, time_zone=time_zone, date_order=date_order, since=since, at=at, columns=columns
        )
    except InvalidInput as error:
        raise InvalidInput(with_parameters(error)) from error


async def _intake(
    group: GroupPath,
    principal: PrincipalDep,
    memory: MemoryDep,
    queue: QueueDep,
    audit: AuditDep,
    clock: ClockDep,
    settings: SettingsDep,
    check_again: CheckAgainDep,
    hand_in: HandInDep,
    backend: BackendDep,
    user: Annotated[
        Name | None, Query(description="Whose memory it is, where a turn does not say it; default: everybody's.")
    ] = None,
    agent: Annotated[
        Name | None, Query(description="Which of your agents it was said to, where a turn does not say it.")
    ] = None,
) -> FileIntake:
    audit.ask_for(group, principal.writes(group, user))
    accept = Accepting(group, None, settings.api.max_content_chars, clock())
    return FileIntake(
        principal=principal,
        user=user,
        agent=agent,
        accept=accept,
        memory=memory,
        queue=queue,
        audit=audit,
        check_again=check_again,
        hand_in=hand_in,
        reading=backend.reading,
    )


async def _file_name(
    name: Annotated[
        Name, Query(description="Of the file; names conversations that have no name.", examples=["talk.txt"])
    ],
) -> str:
    if name in (".", "..") or "/" in name or "\\" in name or len(name.encode()) > _LONGEST_FILE_NAME:
        raise invalid("query", "/name", f"is no name of a file: up to {_LONGEST_FILE_NAME} bytes, without / and \\")
    return name


@router.call(
    "POST",
    "/files",
    problems=ANYWHERE,
    takes=TakenBody(str, (FILE,), "HandedFile", only=True),
    status=202,
    also={200: {"description": "With `dry_run`: what would be stored", "model": FileOut}},
)
async def post_file(
    intake: Annotated[FileIntake, Depends(_intake)],
    name: Annotated[str, Depends(_file_name)],
    options: Annotated[ReadingOptions, Depends(_options)],
    request: Request,
    response: Response,
    backend: BackendDep,
    settings: SettingsDep,
    dry_run: Annotated[bool, Query(description="Store nothing, and show the first turns.")] = False,  # noqa: FBT002 -- by name in the URL
) -> FileOut:
    """Hand in a file as people have it, or a ZIP of them: exports of chats, mail, tables, notes, documents.

    What it is, is found out by looking. It is durable when the answer comes, and its sessions are closed, so that they
    are summarised. Sent again it adds nothing, and one that grew adds what is new; so one that broke off is sent again.
    What cannot be read, and turns that are refused, are listed with their places, and the others are stored. To the
    same file belong the same `name` and options. Which formats are known, and what each option says: docs/files.md.
    """
    if media_type(request.headers) != FILE:
        raise UnsupportedMediaType(f"Send the file as it is, as {FILE}.")
    most = settings.api.max_file_bytes
    body = pieces(request, most, "api.max_file_bytes")
    async with received(body, name, options, most, backend) as files:
        intake.check(files.survey)
        if dry_run:
            response.status_code = 200
            async with backend.reading:
                first_turns = await asyncio.to_thread(_first_turns, files)
            return _answer(files, intake, first_turns)
        await intake.store(files)
        return _answer(files, intake, [])


def _first_turns(files: FoundFiles) -> list[FirstTurn]:
    names = FirstTurn.model_fields
    return [FirstTurn.model_validate({name: turn.get(name) for name in names}) for turn in files.first_turns()]


def _answer(files: FoundFiles, intake: FileIntake, first_turns: list[FirstTurn]) -> FileOut:
    survey, handed = files.survey, intake.handed
    return FileOut(
        found=FoundOut(
            formats=dict(survey.formats),
            conversations=survey.conversations,
            messages=survey.turns,
            first=survey.first,
            last=survey.last,
            untimed=survey.untimed,
            zoneless=survey.zoneless,
            unnamed=survey.unnamed,
            left_out={with_parameters(what): number for what, number in survey.notes.left_out.items()},
            not_read_total=survey.notes.bad_places,
            not_read=[with_parameters(bad) for bad in survey.notes.bad],
            guessed={str(file): encoding for file, encoding in survey.notes.guessed.items()},
        ),
        new=handed.new,
        edited=handed.edited,
        known=handed.turns - handed.new - handed.refused,
        replaced=handed.replaced,
        refused_total=handed.refused,
        refused=[RefusedTurn(place=turn.place, reason=turn.reason) for turn in handed.refusals],
        first_turns=first_turns,
        queued=intake.queued,
    )
