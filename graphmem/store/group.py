"""Groups, their ontologies, and how much is in them."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from operator import attrgetter

from graphmem.errors import Conflict
from graphmem.model.dates import USUAL_DATES, DateConventions, GroupDates
from graphmem.model.episode import EpisodeStatus
from graphmem.model.group import Group, NamedGroup, RetentionPolicy
from graphmem.model.interval import LATEST
from graphmem.model.ontology import GroupOntology, Ontology
from graphmem.model.principal import ANY
from graphmem.model.recall import Horizon, horizon
from graphmem.model.scope import Scope
from graphmem.ontology import written
from graphmem.store.named import QueryStore
from graphmem.store.rows import IdRow
from graphmem.store.rows.episode import EpisodeToRedact, Month, OntologyText, conventions_of


@dataclass(frozen=True, slots=True)
class GroupRow:
    group: Group


@dataclass(frozen=True, slots=True)
class NamedGroupRow:
    group: NamedGroup


@dataclass(frozen=True, slots=True)
class PastChanged:
    """When answers of a group about the past last changed: who may see what, and what was forgotten."""

    access_changed_at: datetime | None = None
    erased_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class EnsuredRow:
    """``new``: it was made at the instant at which it was asked for."""

    id: str
    new: bool
    group: Group


@dataclass(frozen=True, slots=True)
class HorizonRow:
    id: str
    importing: bool
    settled_until: datetime
    promised_until: datetime
    clock: datetime

    def to_domain(self, transaction_timeout: float) -> Horizon:
        until = horizon(self.clock, transaction_timeout, importing=self.importing, settled_until=self.settled_until)
        return Horizon(until=until, promised=self.promised_until, importing=self.importing)


@dataclass(frozen=True, slots=True)
class OntologyRow:
    ontology: OntologyText | None
    changed_at: datetime | None

    def to_domain(self) -> GroupOntology | None:
        if self.ontology is None or self.changed_at is None:
            return None
        return GroupOntology(self.ontology, self.changed_at)


@dataclass(frozen=True, slots=True)
class ConventionsRow:
    month_first: bool | None
    fiscal_year_start: Month | None
    changed_at: datetime | None

    def to_domain(self) -> GroupDates:
        return GroupDates(conventions_of(self.month_first, self.fiscal_year_start), self.changed_at)


@dataclass(frozen=True, slots=True)
class StatusCountRow:
    status: EpisodeStatus
    episodes: int


@dataclass(frozen=True, slots=True)
class GroupSizeRow:
    entities: int
    relationships: int
    facts: int


@dataclass(frozen=True, slots=True)
class RedactableRow:
    """``ids`` are those of the first episodes."""

    episodes: int
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Redaction:
    """What an episode keeps in place of its words: keyed hashes, and of its ``outcome`` what has no word of it."""

    id: str
    fingerprint: str
    things: tuple[str, ...]
    outcome: Mapping[str, object] | None


class GroupStore(QueryStore):
    """The queries of ``group.cypher``."""

    async def ensure_group(
        self, group: str, embedding_model: str, dimensions: int, now: datetime, *, importing: bool = False
    ) -> Group:
        """The group, made on first use.

        Raises:
            Conflict: it comes back from a file just now.
        """
        row = await self._run.optional(
            "ensure_group",
            EnsuredRow,
            group=group,
            embedding_model=embedding_model,
            dimensions=dimensions,
            importing=importing,
            now=now,
        )
        if row is None:
            raise Conflict(f"Group {group!r} is being imported from a file. Wait until that has ended.")
        return row.group

    async def end_import(self, group: str) -> Group | None:
        row = await self._run.optional("end_import", GroupRow, group=group)
        return row and row.group

    async def group(self, group: str) -> Group | None:
        row = await self._run.optional("group", GroupRow, group=group)
        return row and row.group

    async def group_called(self, name: str) -> NamedGroup | None:
        """The group that callers call so; else the one that was made under this name, and has another one by now."""
        row = await self._leader.optional("group_called", NamedGroupRow, name=name)
        return row and row.group

    async def rename_group(self, group: str, name: str) -> Group | None:
        """Call a group by another name; None where that is another group's, or one was made under it.

        Raises:
            Conflict: another group got the name meanwhile.
        """
        row = await self._run.optional("rename_group", GroupRow, group=group, name=name)
        return row and row.group

    async def archive_group(self, group: str, now: datetime, *, archived: bool) -> Group | None:
        row = await self._run.optional("archive_group", GroupRow, group=group, archived=archived, now=now)
        return row and row.group

    async def archived_groups(self) -> frozenset[str]:
        """The ids of those that are archived."""
        return frozenset(row.id for row in await self._run.many("archived_groups", IdRow))

    async def horizon(self, group: str) -> Horizon | None:
        """Up to when answers have settled; None without the group."""
        row = await self._run.optional("horizon", HorizonRow, group=group)
        return row.to_domain(self.database.transaction_timeout) if row else None

    async def past_changed(self, group: str) -> PastChanged:
        """When somebody last shared something, or took that back; and when something was last forgotten."""
        return await self._run.optional("past_changed", PastChanged, group=group) or PastChanged()

    async def promise_settled(self, group: str, until: datetime) -> None:
        """Have nothing recorded at or before an instant from now on, though the clock should step back."""
        await self._run.execute("promise_settled", group=group, until=until)

    async def groups(self, after: str, limit: int, patterns: Sequence[str] = (ANY,)) -> list[Group]:
        """Groups in order of name, after one, of those that any of these patterns names."""
        rows = await self._run.many(
            "groups",
            GroupRow,
            after=after,
            limit=limit,
            names=[pattern for pattern in patterns if not pattern.endswith(ANY)],
            beginnings=[pattern.removesuffix(ANY) for pattern in patterns if pattern.endswith(ANY)],
        )
        return [row.group for row in rows]

    async def work_of_group(
        self, group: str, statuses: Iterable[EpisodeStatus] = tuple(EpisodeStatus), *, user: str | None = None
    ) -> dict[EpisodeStatus, int]:
        """How many episodes are in each of these states, as a user may see them. Counting the digested takes long."""
        scope = Scope(group, LATEST, user=user)
        rows = await self._run.many("work_of_group", StatusCountRow, scope, statuses=list(statuses))
        return {row.status: row.episodes for row in rows}

    async def size_of_group(self, group: str, *, user: str | None = None) -> GroupSizeRow:
        """How many entities and beliefs there are, as a user may see them: one by one, which takes long."""
        query = "size_of_group" if user is None else "size_of_group_for_user"
        return await self._run.single(query, GroupSizeRow, Scope(group, LATEST, user=user))

    async def ontology_of_group(self, group: str) -> GroupOntology | None:
        """The group's own, if it has one."""
        row = await self._run.optional("ontology_of_group", OntologyRow, group=group)
        return row.to_domain() if row else None

    async def conventions_of_group(self, group: str, known_at: datetime = LATEST) -> GroupDates:
        """How the group wrote days then; the usual way where it had said nothing."""
        row = await self._run.optional("conventions_of_group", ConventionsRow, group=group, known_at=known_at)
        return row.to_domain() if row else GroupDates(USUAL_DATES, None)

    async def set_conventions(self, group: str, dates: DateConventions, now: datetime) -> GroupDates:
        """Say how a group writes days, for what is read from now on; the same again is no change."""
        given = {"month_first": dates.month_first, "fiscal_year_start": dates.fiscal_year_start}
        return (await self._run.single("set_conventions", ConventionsRow, group=group, now=now, **given)).to_domain()

    async def set_ontology(self, group: str, ontology: Ontology | None, now: datetime) -> GroupOntology | None:
        """Give a group its own, or (None) let it follow the service's; the same again is no change."""
        words, types = (json.dumps(written(ontology)), list(ontology.entity_types)) if ontology else (None, [])
        row = await self._run.optional("set_ontology", OntologyRow, group=group, ontology=words, types=types, now=now)
        return row.to_domain() if row else None

    async def retention_of_group(self, group: str) -> RetentionPolicy:
        row = await self._run.optional("retention_of_group", RetentionPolicy, group=group)
        return row or RetentionPolicy()

    async def set_retention(self, group: str, policy: RetentionPolicy) -> None:
        await self._run.execute("set_retention", group=group, **asdict(policy))

    async def groups_with_retention(self, after: str, limit: int) -> list[str]:
        """The ids of groups that keep something for so long only, in their order, after one."""
        return await self._run.ids("groups_with_retention", after=after, limit=limit)

    async def redactable_episodes(self, group: str, before: datetime, samples: int) -> RedactableRow:
        """How many episodes before an instant are read and have a summary that stands; the ids of the first of them."""
        return await self._run.single("redactable_episodes", RedactableRow, group=group, before=before, samples=samples)

    async def episodes_to_redact(self, group: str, before: datetime, limit: int) -> list[EpisodeToRedact]:
        """The first of these episodes; one that cannot be read is left as it is."""
        params = {"group": group, "before": before, "limit": limit}
        return await self._leader.many("episodes_to_redact", EpisodeToRedact, **params)

    async def redact_episodes(self, group: str, episodes: Iterable[Redaction], now: datetime) -> list[str]:
        """Take the words of episodes away, in one transaction; returns the ids of those that had not been redacted."""
        rows = [
            asdict(episode)
            | {"things": list(episode.things), "outcome": episode.outcome and json.dumps(episode.outcome)}
            for episode in sorted(episodes, key=attrgetter("id"))
        ]
        return await self._run.ids("redact_episodes", group=group, rows=rows, now=now)
