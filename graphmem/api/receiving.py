"""A file that is handed in: received onto the disk, looked through there, and stored part after part."""

import asyncio
import json
import re
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import TypeAdapter

from graphmem.api.backend import WorkQueue, wake
from graphmem.api.bodies import parse
from graphmem.api.deps import HandIn
from graphmem.api.schemas.episodes import Accepting, EpisodeIn
from graphmem.api.schemas.words import said_for
from graphmem.errors import (
    Barred,
    CallerError,
    ConfigurationError,
    Conflict,
    InvalidInput,
    TooLarge,
    UnsupportedMediaType,
)
from graphmem.files.episodes import FoundFiles, Survey, opened
from graphmem.files.handing import HandedIn, Part, may_be_edited
from graphmem.files.turns import ReadingOptions
from graphmem.memory import Memory
from graphmem.model.episode import Episode, EpisodeStatus
from graphmem.model.ids import own_session_id
from graphmem.model.limits import HandedText
from graphmem.model.principal import Principal
from graphmem.trust.audit import Audit

_EPISODE: TypeAdapter[EpisodeIn] = TypeAdapter(EpisodeIn)
_OPTION = re.compile(r"--(as|at|since|time-zone|date-order|columns)\b")


def with_parameters(said: object) -> str:
    """What is said of a file, with options of the command line as parameters, and without lone surrogates of it."""
    text = str(said).encode("utf-8", "replace").decode("utf-8")
    return _OPTION.sub(lambda option: f"`{option[1].replace('-', '_')}`", text)


@asynccontextmanager
async def received(
    pieces: AsyncIterator[bytes], name: str, options: ReadingOptions, most_bytes: int, reading: asyncio.Semaphore
) -> AsyncGenerator[FoundFiles]:
    """A file of that name, looked through; it lies in a temporary folder meanwhile. ``reading`` is of this process.

    Raises:
        InvalidInput: it cannot be read, or not without what the options leave out.
        TooLarge: a ZIP has more than ``most_bytes`` in it, or too many files.
        UnsupportedMediaType: it takes a library that is not installed.
    """
    with_file = ExitStack()
    try:
        folder = Path(with_file.enter_context(TemporaryDirectory(prefix="graphmem-")))
        with (folder / name).open("xb") as file:
            async for piece in pieces:
                await asyncio.to_thread(file.write, piece)
        looking = opened(folder / name, options, within=folder, most_bytes=most_bytes)
        async with reading:
            try:
                files = await asyncio.to_thread(with_file.enter_context, looking)
            except InvalidInput as error:
                raise InvalidInput(with_parameters(error)) from error
            except ConfigurationError as error:
                raise UnsupportedMediaType(f"The service lacks a library. {error}") from error
        yield files
    finally:
        await asyncio.to_thread(with_file.close)


@dataclass(slots=True, kw_only=True)
class FileIntake:
    """Stores the turns of a file for who calls. Those that name no ``user`` or ``agent`` are of the one that is asked.

    ``hand_in`` counts towards limits; ``sessions`` are the ids of those that got something new.
    """

    principal: Principal
    user: str | None
    agent: str | None
    accept: Accepting
    memory: Memory
    queue: WorkQueue
    audit: Audit
    hand_in: HandIn
    handed: HandedIn = field(default_factory=HandedIn)
    sessions: set[str] = field(default_factory=set[str])
    queued: bool = True
    _counted: int = 0

    def check(self, survey: Survey) -> None:
        """Raises ``Forbidden`` where a turn is of a user or an agent that is none of the caller's business."""
        for user in survey.users:
            self.principal.writes(self.accept.group, user or self.user)
        for agent in survey.agents:
            self.principal.acts_as(agent or self.agent)

    async def store(self, files: FoundFiles) -> None:
        """Store all turns but those that are refused, and close their sessions, so that these are summarised.

        Raises:
            Conflict: the group imports.
            QuotaUsed, GroupFull: there is no room for more; the parts before are stored.
        """
        await self.memory.intake.require_open(self.accept.group)
        parts = self.handed.parts(files.bodies())
        while part := await asyncio.to_thread(_next_of, parts):
            try:
                await self._take(part)
            except (Conflict, InvalidInput, TooLarge) as error:
                await self._refused(part, error)
        await self.memory.sessions.close_all(self.accept.group, self.sessions)

    async def _take(self, part: Part) -> None:
        group, posted = self.accept.group, [self._said(placed.body) for placed in part]
        episodes = self.accept.episodes(posted)
        await self._count(part, posted)
        self.audit.ask_for(group, *(item.user for item in posted))
        refused = dict[int, Barred]()
        receipts = await self.memory.intake.remember(group, episodes, refused)
        reasons = {place: str(error) for place, error in refused.items()}
        replaced = sum(receipt.status == EpisodeStatus.REPLACED for receipt in receipts)
        self.handed.take(part, reasons, new=sum(receipt.new for receipt in receipts), replaced=replaced)
        kept = [episode for place, episode in enumerate(episodes) if place not in refused]
        await self._taken(episode for episode, receipt in zip(kept, receipts, strict=True) if receipt.new)

    async def _refused(self, part: Part, refusal: CallerError) -> None:
        """Put a turn in the place of another text of its id; of other parts, note why they were refused."""
        if (body := may_be_edited(part, refusal)) is None:
            self.handed.refuse(part, str(refusal))
            return
        (episode,) = self.accept.episodes(self._said(body))
        try:
            put = await self.memory.intake.put(episode)
        except Conflict as error:
            self.handed.refuse(part, str(error))
            return
        was_replaced = put.replaced_by is not None
        self.handed.take(part, {}, new=put.new, edited=put.replaces is not None, replaced=was_replaced)
        await self._taken([episode] if put.new else [])

    async def _taken(self, new: Iterable[Episode]) -> None:
        """Have new episodes read, and their sessions closed in the end."""
        self.sessions |= {own_session_id(one.group_id, one.session, one.user) for one in new if one.session}
        self.queued = await wake(self.queue, self.accept.group)

    def _said(self, body: object) -> EpisodeIn:
        try:
            item = parse(_EPISODE, json.dumps(body).encode())
        except RecursionError as error:
            raise InvalidInput("body as a whole: is nested too deep") from error
        user = self.principal.writes(self.accept.group, item.user or self.user)
        return said_for(item, user, agent=self.principal.acts_as(item.agent or self.agent))

    async def _count(self, part: Part, posted: Sequence[EpisodeIn]) -> None:
        """Count turns once, also those that come again in a half of their part."""
        texts = [
            HandedText.of(item.user, item.content, item.metadata)
            for placed, item in zip(part, posted, strict=True)
            if placed.body["position"] >= self._counted
        ]
        if texts:
            await self.hand_in(texts)
            self._counted = part[-1].body["position"] + 1


def _next_of(parts: Iterator[Part]) -> Part | None:
    return next(parts, None)
