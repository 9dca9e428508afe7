"""Intake: groups, episodes, structured claims, retractions and corrections, durable when a method returns."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from itertools import groupby
from math import inf
from time import monotonic
from typing import TypeVar
from uuid import uuid4

from graphmem.clock import Clock
from graphmem.errors import Barred, Conflict, no_group
from graphmem.identity.users import UserNames
from graphmem.model.dates import DateConventions, GroupDates
from graphmem.model.embedding import Embedder, Vector
from graphmem.model.episode import (
    CloserReader,
    Episode,
    EpisodeReceipt,
    EpisodeStatus,
    PutReceipt,
    ReadableEpisode,
    Reprocessing,
    StoredEpisode,
    in_order,
)
from graphmem.model.evidence import (
    NO_EVIDENCE,
    Change,
    ChangeOutcome,
    Receipt,
    ResolvedEvidence,
    Retraction,
    StructuredClaim,
    total,
)
from graphmem.model.fragment import Extractor, TurnsExtractor
from graphmem.model.group import Group
from graphmem.model.ontology import GroupOntology, Ontology
from graphmem.model.principal import ANYBODY, Actor
from graphmem.model.projection.predicate import Predicates
from graphmem.model.session import SESSIONS, SessionPolicy
from graphmem.model.tombstone import Hash, entrant_of
from graphmem.recall.access import Access
from graphmem.recall.reader import KNOWN_SECONDS
from graphmem.recall.vectors import vectors_soon
from graphmem.resolve.structured import complete, resolve_structured
from graphmem.store.change.evidence import EvidenceStore
from graphmem.store.graph import GraphStore
from graphmem.store.predicates import PredicateStore

Item = TypeVar("Item")
Stored = TypeVar("Stored")


class Groups:
    """Makes groups and changes their settings. What never changes of a group is asked of the store once."""

    def __init__(self, store: GraphStore, embedder: Embedder, clock: Clock) -> None:
        self._store = store
        self._embedder = embedder
        self._clock = clock
        self._known: dict[str, tuple[Group, float]] = {}
        self._importing: set[str] = set()

    async def ensure(self, group: str, *, importing: bool = False) -> Group:
        """The group, made if there is none; ``importing``: one whose evidence brings its own ``recorded_at``.

        That it is there is taken for granted for a second.

        What may have changed of it since is as it was. Where its vectors are of another embedding model than is
        configured, what comes in is stored without, until the group is embedded again.
        """
        row, since = self._known.get(group, (None, -inf))
        if row is None or monotonic() - since > KNOWN_SECONDS or row.embedding_model != self._embedder.model:
            embedder, now, asked_at = self._embedder, self._clock(), monotonic()
            row = await self._store.ensure_group(group, embedder.model, embedder.dimensions, now, importing=importing)
            self._known[group] = row, asked_at
            if row.importing:
                self._importing.add(group)
        return row

    async def end_import(self, group: str) -> Group:
        """From now on the clock says when something in this group is recorded.

        Raises:
            NotFound: there is no such group.
        """
        ended = await self._store.end_import(group)
        if ended is None:
            raise no_group(group)
        return ended

    async def set_ontology(self, group: str, ontology: Ontology | None) -> GroupOntology | None:
        """Give a group its own ontology, or (None) let it follow the service's; what was read before stays as it is."""
        if ontology is not None:
            await self.ensure(group)
        return await self._store.set_ontology(group, ontology, self._clock())

    async def set_conventions(self, group: str, dates: DateConventions) -> GroupDates:
        """Say how a group writes days; what was read before stays as it is."""
        await self.ensure(group)
        return await self._store.set_conventions(group, dates, self._clock())

    async def imports(self, group: str) -> bool:
        """Whether the group still imports. One that never did, or has ended it, never will."""
        if group in self._importing:
            row = await self._store.group(group)
            if row is None or not row.importing:
                self._importing.discard(group)
        return group in self._importing


class Intake:
    """Stores what callers hand in; episodes then wait for their digest, structured claims are projected at once."""

    def __init__(
        self,
        store: GraphStore,
        evidence: EvidenceStore,
        groups: Groups,
        access: Access,
        extractor: Extractor,
        embedder: Embedder,
        user_names: UserNames,
        hashed: Hash,
        sessions: SessionPolicy = SESSIONS,
    ) -> None:
        """``extractor`` tells how many turns are read in one call, and how many are its context.

        ``hashed`` makes the ids of tombstones; ``sessions`` says when sessions close.
        """
        self._store = store
        self._evidence = evidence
        self._groups = groups
        self._access = access
        self._extractor = extractor
        self._embedder = embedder
        self._user_names = user_names
        self._hashed = hashed
        self._sessions = sessions
        self._predicates = PredicateStore.beside(store)

    async def remember(
        self, group: str, episodes: Sequence[Episode], refused: dict[int, Barred] | None = None
    ) -> list[EpisodeReceipt]:
        """Store all of the episodes of a list, or none; they are durable when this returns.

        Those that are barred go to ``refused``, by their places in the list, and the others are stored.

        Raises:
            Conflict: an external id or idempotency key was used before for another content, or the group imports.
            Barred: one was forgotten, or is of a user who opted out, and there is no ``refused``.
        """
        await self.require_open(group)
        return await _admitted(in_order(episodes), refused, lambda episode: episode.id, partial(self._remember, group))

    async def put(self, episode: Episode, *, undated: bool = False) -> PutReceipt:
        """Have the external id of an episode mean its text from now on.

        Another text that it had until then is evidence of the past: its claims are retracted, and it is digested no
        more. A text that it had before it has not again, unless an idempotency key says so: that may be a late retry.
        An ``undated`` text was said when the first one of the name was.

        Raises:
            Conflict: the group imports.
            Barred: it was forgotten, or is of a user who opted out.
        """
        await self.require_open(episode.group_id)
        return await self._evidence.put_episode(
            episode,
            partial(entrant_of, self._hashed),
            self._sessions,
            self._extractor.context_turns,
            undated=undated,
        )

    async def require_open(self, group: str) -> None:
        """Make a group if there is none.

        Raises:
            Conflict: it imports, and takes no episodes.
        """
        await self._groups.ensure(group)
        if await self._groups.imports(group):
            raise Conflict(f"Group {group!r} is importing, and takes structured claims only. End the import first.")

    async def _remember(self, group: str, episodes: Sequence[Episode]) -> list[EpisodeReceipt]:
        turns = self._extractor.bulk_turns_per_call if isinstance(self._extractor, TurnsExtractor) else 1
        rows = await self._store.remember_episodes(
            group,
            uuid4().hex,
            episodes,
            [entrant_of(self._hashed, episode) for episode in episodes],
            turns_per_call=turns,
            context_turns=self._extractor.context_turns,
            sessions=self._sessions,
        )
        by_id = {row.id: row for row in rows}
        seen: set[str] = set()
        answers: list[EpisodeReceipt] = []
        for episode in episodes:
            row = by_id[episode.id]
            answers.append(EpisodeReceipt(episode.id, row.new and episode.id not in seen, row.status))
            seen.add(episode.id)
        return answers

    async def assert_claims(
        self, group: str, claims: Sequence[StructuredClaim], refused: dict[int, Barred] | None = None
    ) -> tuple[list[Receipt], ChangeOutcome]:
        """Store structured claims and what they change, all in one transaction.

        While the embedding model is away they are stored without vectors, which are still to come; so are long ones.
        Those that are barred go to ``refused``, by their places in the list, and the others are stored.

        Raises:
            InvalidInput: what a claim says of status, verb and days contradicts itself, or it says of one thing what
                holds between two only.
            Conflict: an external id was used before for something else; or the group imports and a claim does not say
                when it was recorded, or the other way round.
            Barred: one was forgotten, or is of a user who opted out, and there is no ``refused``.
        """
        whole = [complete(claim) for claim in _in_order(claims)]
        await self._refuse_irreflexive_first(group, whole)
        await self._groups.ensure(group)
        return await _admitted(whole, refused, partial(_episode_id, group), partial(self._assert, group))

    async def _assert(self, group: str, claims: Sequence[StructuredClaim]) -> tuple[list[Receipt], ChangeOutcome]:
        if not claims:
            return [], total(())
        receipts, changes = await self._changes(group, claims)
        outcome = total(await self._evidence.change_evidence(changes))
        await self._user_names.follow(group, [change.evidence for change in changes])
        return [replace(receipt, new=receipt.episode_id in outcome.new_episodes) for receipt in receipts], outcome

    async def retract(
        self, group: str, claim_id: str, recorded_at: datetime | None = None, *, by: Actor = ANYBODY
    ) -> tuple[Retraction, ChangeOutcome]:
        """Withdraw a claim from now on; whoever asks what was believed before finds it standing.

        Raises:
            NotFound: there is no such claim, or who does it may not see it.
            Forbidden: they may not change it.
            Conflict: the group imports and ``recorded_at`` is missing, or the other way round.
        """
        await self._access.own_claim(group, claim_id, by)
        change = self._change(group, NO_EVIDENCE, recorded_at, retract=(claim_id,))
        (outcome,) = await self._evidence.change_evidence([change])
        return _retraction(claim_id, outcome), outcome

    async def correct(
        self, group: str, claim_id: str, claim: StructuredClaim, *, by: Actor = ANYBODY
    ) -> tuple[Retraction, Receipt, ChangeOutcome]:
        """Withdraw a claim and put another in its place, in one transaction.

        The other one keeps the status, the verb and the days of an event, unless it says otherwise.

        Raises:
            NotFound: there is no such claim, or who does it may not see it.
            Forbidden: they may not change it.
            InvalidInput: what the other one says of status, verb and days contradicts itself.
            Conflict: it was retracted or corrected before, or the other one is the same.
        """
        await self._groups.ensure(group)
        claim = complete(claim, await self._access.own_claim(group, claim_id, by))
        (receipt,), (change,) = await self._changes(group, [claim])
        if receipt.claim_id == claim_id:
            raise Conflict(f"What is to replace claim {claim_id} is the same claim. Give what differs.")
        (outcome,) = await self._evidence.change_evidence([replace(change, retract=(claim_id,))])
        receipt = replace(receipt, new=receipt.episode_id in outcome.new_episodes)
        return _retraction(claim_id, outcome), receipt, outcome

    async def reprocess(
        self, group: str, episode_id: str, reprocessing: Reprocessing, *, by: Actor = ANYBODY
    ) -> StoredEpisode:
        """Have an episode digested anew. What stands of it, stands until then; what differs then takes its place.

        Raises:
            NotFound: there is no such episode, or who does it may not see it.
            Forbidden: they may not change it.
            Conflict: it waits for a digest already, came as a structured claim, or is redacted or replaced.
        """
        stored = await self._access.episode(group, episode_id, by.user)
        by.check_decision(stored.episode.user)
        if await self._store.reprocess_episode(group, episode_id, reprocessing) is None:
            raise Conflict(
                f"Episode {episode_id} is {stored.status}. Only words that are digested, or failed to be, can be "
                "digested anew; a structured claim has none, what is redacted has none any more, and what is replaced "
                "has others."
            )
        return await self._access.episode(group, episode_id, by.user)

    async def reprocess_low_yield(
        self, group: str, version: str, limit: int, *, strategy: str = "accurate", dry_run: bool = False
    ) -> int:
        """Have episodes digested anew that others than this version of a strategy's reader read.

        Of what a quick one read only those of which that was little.

        Of a group, or ("") of all groups. Returns how many, at most ``limit``; a dry run only counts them.
        """
        if dry_run:
            return await self._store.count_low_yield(group, version, limit)
        rows = await self._store.reprocess_low_yield(group, version, Reprocessing(strategy=strategy), limit)
        return sum(len(row.ids) for row in rows)

    async def retry(self, group: str, episode_id: str, *, by: Actor = ANYBODY) -> StoredEpisode:
        """Make a failed episode pending again.

        Raises:
            NotFound: there is no such episode, or who does it may not see it.
            Forbidden: they may not change it.
            Conflict: it has not failed.
        """
        stored = await self._access.episode(group, episode_id, by.user)
        by.check_change(stored.episode.user)
        if await self._store.retry_episode(group, episode_id) is None:
            raise Conflict(f"Episode {episode_id} is {stored.status}; only a failed one can be retried.")
        return await self._access.episode(group, episode_id, by.user)

    async def _refuse_irreflexive_first(self, group: str, claims: Sequence[StructuredClaim]) -> None:
        """No group is made for the sake of claims that are to be refused; in one that there is, the writer refuses."""
        _, resolved, _ = resolve_structured(group, [claim for claim in claims if claim.is_between_namesakes])
        names = sorted({claim.predicate for claim in resolved})
        if names and await self._store.group(group) is None:
            predicates = [await self._predicates.predicate(group, name) for name in names]
            Predicates({predicate.name: predicate.policy for predicate in predicates}).refuse_irreflexive(resolved)

    async def _changes(self, group: str, claims: Sequence[StructuredClaim]) -> tuple[list[Receipt], list[Change]]:
        """Receipts in the order given, and a change for each run of claims that were recorded at one time."""
        runs = [
            (at, resolve_structured(group, list(run)))
            for at, run in groupby(claims, key=lambda claim: claim.recorded_at)
        ]
        every = [claim for _, (_, _, evidence) in runs for claim in evidence.claims]
        vectors = await vectors_soon(self._embedder, (claim.statement for claim in every))
        by_claim = {claim.words: vectors[claim.statement] for claim in every if claim.statement in vectors}
        changes = [
            self._change(group, evidence, recorded_at, vectors=by_claim, episodes=_once(episodes))
            for recorded_at, (episodes, _, evidence) in runs
        ]
        receipts = [
            Receipt(claim_id=claim.id, episode_id=claim.episode_id, new=False)
            for _, (_, resolved, _) in runs
            for claim in resolved
        ]
        return receipts, changes

    def _change(
        self,
        group: str,
        evidence: ResolvedEvidence,
        recorded_at: datetime | None,
        *,
        vectors: Mapping[str, Vector] | None = None,
        episodes: tuple[Episode, ...] = (),
        retract: tuple[str, ...] = (),
    ) -> Change:
        return Change(
            group_id=group,
            evidence=evidence,
            digested=(),
            embedding_model=self._embedder.model,
            vectors=vectors or {},
            episodes=episodes,
            entrants=tuple(entrant_of(self._hashed, episode) for episode in episodes),
            retract=retract,
            recorded_at=recorded_at,
        )


async def _admitted(
    items: Sequence[Item],
    refused: dict[int, Barred] | None,
    episode_of: Callable[[Item], str],
    store: Callable[[Sequence[Item]], Awaitable[Stored]],
) -> Stored:
    """Store what is handed in, and again without those that are barred, which go to ``refused``.

    Raises:
        Barred: one is, and there is no ``refused``.
    """
    left = dict(enumerate(items))
    while True:
        try:
            return await store(list(left.values()))
        except Barred as error:
            barred = {place: error.each[id_] for place, item in left.items() if (id_ := episode_of(item)) in error.each}
            if refused is None or not barred:
                raise
            refused |= barred
            left = {place: item for place, item in left.items() if place not in barred}


def _episode_id(group: str, claim: StructuredClaim) -> str:
    (episode,), _, _ = resolve_structured(group, [claim])
    return episode.id


def _in_order(claims: Iterable[StructuredClaim]) -> list[StructuredClaim]:
    """The claims of one list, each with its place there unless it says one."""
    return [
        replace(claim, position=place if claim.position is None else claim.position)
        for place, claim in enumerate(claims)
    ]


def _once(episodes: Sequence[Episode]) -> tuple[Episode, ...]:
    """Each episode once.

    Raises:
        Conflict: two of one identity say something else.
    """
    by_id: dict[str, Episode] = {}
    for episode in episodes:
        if by_id.setdefault(episode.id, episode).fingerprint != episode.fingerprint:
            raise Conflict(f"The external id {episode.external_id!r} comes twice in one request, for two claims.")
    return tuple(by_id.values())


def _retraction(claim_id: str, outcome: ChangeOutcome) -> Retraction:
    retracted_at = outcome.retracted_at[claim_id]
    return Retraction(claim_id=claim_id, retracted_at=retracted_at, new=retracted_at == outcome.recorded_at)


class ReadingAgain:
    """Asks a reader for digests of what others read. The digests are work of their own."""

    def __init__(self, store: GraphStore, reader: CloserReader | None) -> None:
        """``reader`` is None where nothing is to be read."""
        self._store = store
        self.reader = reader

    @property
    def asks_model(self) -> bool:
        """Whether the reader is a language model."""
        return self.reader is not None and self.reader.is_model

    async def find(
        self, group: str, limit: int, *, session: str | None = None, entities: int | None = None
    ) -> list[ReadableEpisode]:
        """Up to ``limit`` episodes to be read again, of a session or of all; ``entities``: with no more."""
        if self.reader is None or limit <= 0:
            return []
        return await self._store.episodes_to_read_again(group, self.reader, limit, session=session, entities=entities)

    async def ask(self, group: str, ids: Iterable[str]) -> int:
        """Have episodes read again; returns how many the reader had not been asked for."""
        wanted = list(ids)
        if self.reader is None or not wanted:
            return 0
        return len(await self._store.read_again(group, wanted, self.reader))

    async def waiting(self, group: str) -> bool:
        """Whether episodes of the group wait to be read again."""
        return (await self._store.work_of_group(group, [EpisodeStatus.REFINING]))[EpisodeStatus.REFINING] > 0
