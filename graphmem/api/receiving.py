"""A file that is handed in: received onto the disk, looked through there, and stored part after part."""

import asyncio
import json
import re
from collections import defaultdict
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import TypeAdapter

from graphmem.api.backend import FILES_IN_HAND, Backend, WorkQueue, wake
from graphmem.api.bodies import parse
from graphmem.api.deps import CheckAgain, HandIn
from graphmem.api.schemas.episodes import Accepting, EpisodeIn
from graphmem.api.schemas.words import said_for
from graphmem.errors import (
    Archived,
    Barred,
    CallerError,
    ConfigurationError,
    Conflict,
    Forbidden,
    GroupFull,
    InvalidInput,
    QuotaUsed,
    RateLimited,
    TooLarge,
    TransactionEnded,
    UnsupportedMediaType,
    no_group,
)
from graphmem.files.episodes import Body, FoundFiles, Survey, opened
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
_WAIT_SECONDS = 5


def with_parameters(said: object) -> str:
    """What is said of a file, with options of the command line as parameters, and without lone surrogates of it."""
    text = str(said).encode("utf-8", "replace").decode("utf-8")
    return _OPTION.sub(lambda option: f"`{option[1].replace('-', '_')}`", text)


@asynccontextmanager
async def received(
    pieces: AsyncIterator[bytes], name: str, options: ReadingOptions, most_bytes: int, backend: Backend
) -> AsyncGenerator[FoundFiles]:
    """A file of that name, looked through; it lies in a temporary folder meanwhile.

    Raises:
        InvalidInput: it cannot be read, or not without what the options leave out.
        TooLarge: a ZIP or a document has more than ``most_bytes`` in it, or too many files, tags or pages.
        UnsupportedMediaType: it takes a library that is not installed.
        RateLimited: the process has as many files in hand as it takes.
    """
    if backend.files.locked():
        raise RateLimited(f"{FILES_IN_HAND} files are being handed in. Wait for one of them.", _WAIT_SECONDS)
    with_file = ExitStack()
    async with backend.files:
        try:
            folder = Path(with_file.enter_context(TemporaryDirectory(prefix="graphmem-")))
            with (folder / name).open("xb") as file:
                async for piece in pieces:
                    await asyncio.to_thread(file.write, piece)
            looking = opened(folder / name, options, within=folder, most_bytes=most_bytes)
            async with backend.reading:
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

    ``check_again`` says who calls as of now, ``hand_in`` counts towards limits, and ``reading`` is held while some of a
    file is read. ``sessions`` are the ids of those that it has turns of, by user; "" is everybody.
    """

    principal: Principal
    user: str | None
    agent: str | None
    accept: Accepting
    memory: Memory
    queue: WorkQueue
    audit: Audit
    check_again: CheckAgain
    hand_in: HandIn
    reading: asyncio.Semaphore
    handed: HandedIn = field(default_factory=HandedIn)
    sessions: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict[str, set[str]](set))
    queued: bool = True
    _counted: int = 0

    def check(self, survey: Survey) -> None:
        """Raises ``Forbidden`` where a turn is of a user or an agent for whom the caller may not write."""
        for user in survey.users:
            self.principal.writes(self.accept.group, user or self.user)
        for agent in survey.agents:
            self.principal.acts_as(agent or self.agent)

    async def store(self, files: FoundFiles) -> None:
        """Store all turns but those that are refused, and close their sessions, so that these are summarised.

        Raises:
            Conflict: the group imports, or is archived meanwhile.
            QuotaUsed, GroupFull: there is no room for more; the parts before are stored, and their sessions closed.
            Unauthenticated, Forbidden: the key is revoked meanwhile, or may no more write this.
            NotFound: the group is deleted meanwhile.
        """
        await self.memory.intake.require_open(self.accept.group)
        parts = self.handed.parts(files.bodies())
        try:
            while part := await self._next_of(parts):
                await self._require_still_allowed()
                try:
                    await self._store_part(part)
                except (Conflict, InvalidInput, TooLarge, TransactionEnded) as error:
                    await self._store_otherwise(part, error)
        except (QuotaUsed, GroupFull):
            await self._close_sessions()
            raise
        await self._close_sessions()

    async def _next_of(self, parts: Iterator[Part]) -> Part | None:
        async with self.reading:
            return await asyncio.to_thread(next, parts, None)

    async def _require_still_allowed(self) -> None:
        """Storing takes minutes: what was so when it began may be so no more. No group is made anew."""
        group = await self.memory.store.group(self.accept.group)
        if group is None:
            raise no_group(self.accept.group)
        if group.archived_at is not None:
            raise Archived(f"Group {group.name!r} was archived meanwhile. What came before is stored.")
        principal = replace(await self.check_again(), called=(group.id, group.name))
        if (principal.users, principal.agents) != (self.principal.users, self.principal.agents):
            raise Forbidden("The key acts for others by now: a turn that names nobody would be another one's.")
        self.principal = principal

    async def _store_part(self, part: Part) -> None:
        group = self.accept.group
        posted, episodes = await asyncio.to_thread(self._read, part)
        await self._count(part, posted)
        self.audit.ask_for(group, *(item.user for item in posted))
        refused = dict[int, Barred]()
        receipts = await self.memory.intake.remember(group, episodes, refused)
        reasons = {place: str(error) for place, error in refused.items()}
        replaced = sum(receipt.status == EpisodeStatus.REPLACED for receipt in receipts)
        self.handed.take(part, reasons, new=sum(receipt.new for receipt in receipts), replaced=replaced)
        await self._have_digested(episode for place, episode in enumerate(episodes) if place not in refused)

    async def _store_otherwise(self, part: Part, refusal: CallerError | TransactionEnded) -> None:
        """Put a turn in the place of another text of its id; of other parts, note why they were refused.

        Raises:
            TransactionEnded: Neo4j cannot store even one turn.
        """
        if isinstance(refusal, TransactionEnded) and len(part) == 1:
            raise refusal
        if may_be_edited(part, refusal) is None:
            self.handed.refuse(part, str(refusal))
            return
        _, (episode,) = await asyncio.to_thread(self._read, part)
        try:
            put = await self.memory.intake.put(episode)
        except Conflict as error:
            self.handed.refuse(part, str(error))
            return
        self.handed.take_put(part, put)
        await self._have_digested([episode])

    async def _have_digested(self, episodes: Iterable[Episode]) -> None:
        """Have episodes read, and their sessions closed in the end; known ones, too: an earlier call may have ended."""
        for episode in episodes:
            if episode.session:
                session = own_session_id(episode.group_id, episode.session, episode.user)
                self.sessions[episode.user].add(session)
        self.queued = await wake(self.queue, self.accept.group)

    async def _close_sessions(self) -> None:
        for user, sessions in sorted(self.sessions.items()):
            self.audit.ask_for(self.accept.group, user or None)
            await self.memory.sessions.close_all(self.accept.group, sessions)

    def _read(self, part: Part) -> tuple[list[EpisodeIn], list[Episode]]:
        """The turns of a part as they would be posted, and as episodes."""
        posted = [self._read_turn(placed.body) for placed in part]
        return posted, self.accept.episodes(posted)

    def _read_turn(self, body: Body) -> EpisodeIn:
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
