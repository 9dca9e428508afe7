"""What a context is made of, beside what a search finds."""

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from graphmem.model.composed import GUARANTEED, ProfileCandidate
from graphmem.model.ids import session_id
from graphmem.model.persons import ids_of_user
from graphmem.model.recall import KnownEntity
from graphmem.model.scope import Scope
from graphmem.model.summary import SummaryOutline
from graphmem.store.named import QueryStore
from graphmem.store.rows.entity import EntityRecord
from graphmem.store.rows.session import OutlineRow


@dataclass(frozen=True, slots=True)
class TurnRef:
    """An episode, and how many characters its content has."""

    id: str
    chars: int


@dataclass(frozen=True, slots=True)
class TurnsOfSessionRow:
    """The last turns of a session, newest first, of ``total``; and whom it is about."""

    total: int
    turns: tuple[TurnRef, ...]
    subjects: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AgentRow:
    """With which of the callers' agents a session was."""

    agent: str | None


@dataclass(frozen=True, slots=True)
class WithdrawnQuoteRow:
    """Words of an episode that a retracted claim quotes, and its value there, however that is written.

    ``others`` are the values of all claims that quote some of these words.
    """

    episode: str
    quote: str
    value: str
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PersonRow:
    """Somebody who is a user, or may be, at which place among those; or, without a ``user``, who bears a name.

    ``meant`` is the id of whom the name means in a session, if that is somebody else.
    """

    user: str | None
    place: int
    meant: str | None
    entity: EntityRecord


@dataclass(frozen=True, slots=True)
class People:
    """Who users are or may be, the persons of some names, and by id the ids of whom these mean in a session."""

    of_users: Mapping[str, Sequence[KnownEntity]]
    called: Sequence[KnownEntity]
    meant: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ProfileBeliefsRow:
    """Of an entity the ids of rows of beliefs that must be known, and the first others by importance, of ``total``."""

    entity: str
    guaranteed: tuple[str, ...]
    candidates: tuple[ProfileCandidate, ...]
    total: int

    @property
    def ids(self) -> frozenset[str]:
        """Of all that it has."""
        return frozenset({*self.guaranteed, *(candidate.id for candidate in self.candidates)})

    def keeping(self, kept: Container[str]) -> Self:
        """This row with only those of its beliefs whose ids are ``kept``."""
        candidates = tuple(candidate for candidate in self.candidates if candidate.id in kept)
        return replace(
            self,
            guaranteed=tuple(id_ for id_ in self.guaranteed if id_ in kept),
            candidates=candidates,
            total=self.total - len(self.candidates) + len(candidates),
        )


class ContextStore(QueryStore):
    """The queries of ``context.cypher``."""

    async def turns_of_session(self, scope: Scope, session: str, limit: int) -> TurnsOfSessionRow:
        """How many turns a session has, the last of them, newest first, and whom it is about."""
        return await self._run.single(
            "turns_of_session", TurnsOfSessionRow, scope, session=session_id(scope.group, session), limit=limit
        )

    async def agent_of_conversation(self, scope: Scope, session: str) -> str | None:
        """The agent with which what was said last under a session name was said; None where that is not known."""
        row = await self._run.optional(
            "agent_of_conversation", AgentRow, scope, session=session_id(scope.group, session)
        )
        return row and row.agent

    async def people(
        self, scope: Scope, *, users: Collection[str], keys: Iterable[str], session: str | None, limit: int
    ) -> People:
        """Who users are, and who may be, and the persons of any of these names, as far as the reader has heard of them.

        Of a user first are the person who is the user and who goes by the user's id; then up to ``limit`` of whom calls
        told the user alone, by a name, what must be known. Persons of a name are in order of id.
        """
        own = [{"user": user, "ids": ids_of_user(scope.group, user)} for user in users]
        asked = {"users": own, "keys": sorted(set(keys)), "categories": sorted(GUARANTEED), "limit": limit}
        rows = await self._run.many("people", PersonRow, scope, session=session, **asked)
        of_users = {user: list[KnownEntity]() for user in users}
        for row in sorted(rows, key=lambda row: row.place):
            if row.user is not None and row.entity.seen_in(scope):
                of_users[row.user].append(row.entity.to_domain(scope))
        called = sorted((row for row in rows if row.user is None), key=lambda row: row.entity.id)
        return People(
            of_users=of_users,
            called=[row.entity.to_domain(scope) for row in called],
            meant={row.entity.id: row.meant for row in called if row.meant is not None},
        )

    async def profile_beliefs(
        self, scope: Scope, ids: Sequence[str], *, least: float, limit: int
    ) -> Mapping[str, ProfileBeliefsRow]:
        """By entity its curated beliefs: all that must be known, and up to ``limit`` others.

        Of these each is of the ``least`` importance or more. The most important come first.
        """
        asked = {"ids": list(ids), "categories": sorted(GUARANTEED), "least": least, "limit": limit}
        rows = await self._run.many("profile_beliefs", ProfileBeliefsRow, scope, **asked)
        return {row.entity: row for row in rows}

    async def withdrawn_quotes(self, scope: Scope, ids: Iterable[str]) -> list[WithdrawnQuoteRow]:
        """The words of episodes that retracted claims quote, in their order."""
        return await self._run.many("withdrawn_quotes", WithdrawnQuoteRow, scope, ids=sorted(set(ids)))

    async def summaries_of_conversation(self, scope: Scope, session: str, limit: int) -> list[SummaryOutline]:
        """Summaries of what was said under a session name, of which all turns had been said.

        Those of the highest tier come first, the newest of a tier first.
        """
        rows = await self._run.many("summaries_of_conversation", OutlineRow, scope, session=session, limit=limit)
        return [row.to_domain() for row in rows]
