"""Reflections on weeks: made one at a time, and read."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from enum import StrEnum

import structlog

from graphmem.derived.asking import usable
from graphmem.derived.reflect.composing import composed, grounded, material_key, sources_of, task_of
from graphmem.derived.reflect.memories import WeeklyMaterial, WeeklyMemories, WeeklyMemory, Withdrawn, memories_of
from graphmem.errors import Unreadable, UnusableAnswer
from graphmem.model.belief import BeliefRow
from graphmem.model.cited_writing import ReflectionWriter, Spent
from graphmem.model.embedding import Embedder, TokenCounter, Vector
from graphmem.model.group import Group
from graphmem.model.ids import digest
from graphmem.model.interval import END, LATEST
from graphmem.model.recall import KnownEntity
from graphmem.model.reflection import (
    NOTHING_TO_REFLECT,
    PACKAGED_REFLECTIONS,
    WEEKLY,
    ReflectionPolicy,
    ReflectionPosition,
    ReflectionSentence,
    ReflectionText,
    StoredReflection,
    Week,
    WeeklyClaim,
    reflection_id,
)
from graphmem.model.scope import EVERYBODY, Scope
from graphmem.recall.reader import Reader
from graphmem.recall.vectors import LateVectors
from graphmem.store.graph import GraphStore

MOST_CLAIMS = 1_000
"""Claims of a week that are looked at, the newest: of everybody's, and of the user's own."""
_ROWS_AT_ONCE = 500

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class ReflectionOutcome(StrEnum):
    """What comes of a week of one user: a version is written, or why not."""

    WRITTEN = "reflections"
    SAME = "kept"
    FEW = "too_few"
    SHARED = "nothing_of_their_own"
    ANOTHER = "another_near"
    UNREADABLE = "another_unreadable"
    EMPTY = "all_withdrawn"
    CHANGED = "begun_anew"


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """What a reflection would be, and what would come of it; ``because`` says it to people.

    ``before`` is the version that stands. ``text`` is made without a language model; one may write another from the
    ``sources``, which ``material`` identifies. ``stamps`` are of the subjects of the claims, and of those whose
    quotes overlap theirs, as they were read.
    """

    user: str
    week: Week
    outcome: ReflectionOutcome
    because: str
    before: StoredReflection | None = None
    text: ReflectionText = NOTHING_TO_REFLECT
    sources: tuple[ReflectionSentence, ...] = ()
    material: str = ""
    memories: int = 0
    new: int = 0
    stamps: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def is_written(self) -> bool:
        """Whether anything changes: where all was withdrawn, only what stood before has to give way."""
        made_again = self.outcome is ReflectionOutcome.EMPTY and self.before is not None
        return made_again or self.outcome in (ReflectionOutcome.WRITTEN, ReflectionOutcome.SAME)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReflectionResult:
    """What came of what was proposed, and of how many tokens the text is that was written.

    ``refused``: what a language model wrote cannot be used.
    """

    outcome: ReflectionOutcome
    tokens: int = 0
    refused: bool = False

    @property
    def counts(self) -> Mapping[str, int]:
        tokens = {"tokens": self.tokens} if self.outcome is ReflectionOutcome.WRITTEN else {}
        return {str(self.outcome): 1, **tokens, **({"refused": 1} if self.refused else {})}


class Reflections:
    """Makes the reflections that are due, and gives those that there were at any time."""

    def __init__(
        self,
        store: GraphStore,
        reader: Reader,
        embedder: Embedder,
        late_vectors: LateVectors,
        tokens: TokenCounter,
        policy: ReflectionPolicy = PACKAGED_REFLECTIONS,
        writer: ReflectionWriter | None = None,
    ) -> None:
        """``writer`` is the language model that writes them; None: they are composed of statements of beliefs."""
        self._store = store
        self._reader = reader
        self._embedder = embedder
        self._late_vectors = late_vectors
        self._tokens = tokens
        self.policy = policy
        self._writer = writer

    # made -----------------------------------------------------------------------------------------------------------

    async def groups(self, after: str, limit: int) -> list[Group]:
        """The next groups, in order of id."""
        return await self._store.groups(after, limit)

    async def next_group_to_renew(self, after: str) -> str | None:
        """The next group, in order of id, of which a reflection is to be made again."""
        return await self._store.next_group_to_renew(after)

    async def next_user(self, group: str, after: str) -> str | None:
        """The next user, in order, for whom something is remembered."""
        return await self._store.next_user_to_reflect(group, after)

    async def may_change(self, group: str, week: Week) -> bool:
        """Whether what was known when a week ended may still change: some writer has not ended yet."""
        return not await self._reader.settled(group, week.until)

    async def imports(self, group: str) -> bool:
        """Whether a group takes in what was recorded elsewhere, so that no week of it has ended."""
        return await self._reader.imports(group)

    async def proposed(self, group: str, user: str, week: Week) -> Proposed:
        """What would be written of a week for a user, "" for everybody, if anything."""
        try:
            near = await self._store.reflection_near(group, user, week, self._apart)
        except Unreadable as error:
            return Proposed(user=user, week=week, outcome=ReflectionOutcome.UNREADABLE, because=str(error))
        if near is None:
            return await self._proposed(group, user, week, None)
        because = (
            f"There is one on the week to {near.week.day}, and two are {self.policy.apart_days} days apart or more."
        )
        return Proposed(user=user, week=week, outcome=ReflectionOutcome.ANOTHER, because=because, before=near)

    async def next_stale(self, group: str, after: str) -> Proposed | None:
        """What the next reflection, by identity, would be that is to be made again."""
        stale = await self._store.next_stale_reflection(group, after)
        return stale and await self._proposed(group, stale.user, stale.week, stale)

    async def write(self, group: str, proposed: Proposed, spent: Spent = lambda _: None) -> ReflectionResult:
        """Write what was proposed, whole or not at all; where anything changed meanwhile, it is to be proposed anew.

        A language model writes the text, where one is configured; ``spent`` is told what it was asked. Where its answer
        cannot be used, the text that was proposed stays.

        Raises:
            ModelUnavailable: a model is away, or the group is losing the vectors of another one.
            ConfigurationError: a language model refuses the request as such.
        """
        if not proposed.is_written:
            return ReflectionResult(outcome=proposed.outcome)
        vectors = await self._late_vectors.vectors_taken(group) is not None
        if proposed.before is not None and proposed.outcome is ReflectionOutcome.SAME:
            return await self._keep(proposed.before, proposed, vectors=vectors)
        vector = await self._vector(proposed.text) if vectors else None  # before a language model is asked in vain
        if self._writer is None or proposed.outcome is not ReflectionOutcome.WRITTEN:
            return await self._write(group, proposed, vector)
        text = await self._written(self._writer, group, proposed, spent)
        if text is not None and vectors:
            vector = await self._vector(text)
        again = await self._proposed(group, proposed.user, proposed.week, proposed.before)
        if again.material != proposed.material:
            return ReflectionResult(outcome=ReflectionOutcome.CHANGED, refused=text is None)
        same = replace(proposed, text=text or proposed.text, stamps=again.stamps)
        result = await self._write(group, same, vector)
        return replace(result, refused=text is None)

    async def _keep(self, before: StoredReflection, proposed: Proposed, *, vectors: bool) -> ReflectionResult:
        vector = await self._vector(before.text) if vectors else None
        kept = await self._store.keep_reflection(before, vector, stamps=proposed.stamps)
        return ReflectionResult(outcome=ReflectionOutcome.CHANGED if kept is None else ReflectionOutcome.SAME)

    async def _write(self, group: str, proposed: Proposed, vector: Vector | None) -> ReflectionResult:
        """Write a version. What a language model wrote rests on all that it was shown, though it cites but some."""
        before, reflection = proposed.before, _version(group, proposed)
        shown = proposed.sources if proposed.text.model else ()
        written = await self._store.write_reflection(
            reflection,
            vector,
            claims={claim for one in (*proposed.text.sentences, *shown) for claim in one.claims},
            before=before.id if before else None,
            apart=self._apart,
            stamps=proposed.stamps,
        )
        if written is None:
            return ReflectionResult(outcome=ReflectionOutcome.CHANGED)
        return ReflectionResult(outcome=proposed.outcome, tokens=proposed.text.tokens)

    async def _written(
        self, writer: ReflectionWriter, group: str, proposed: Proposed, spent: Spent
    ) -> ReflectionText | None:
        """What a language model writes; None where that cannot be used, though it was asked again and told why."""
        task = task_of(proposed.week, proposed.sources, self._tokens.count)
        try:
            _, text = await usable(
                lambda reasons: writer.write(replace(task, refused=reasons), spent),
                lambda written: grounded(written, task, self._tokens.count),
            )
        except UnusableAnswer as error:
            identity = reflection_id(group, proposed.user, proposed.week.day)
            log.warning("reflection.refused", reflection=identity, reason=str(error))
            return None
        return text

    async def _vector(self, text: ReflectionText) -> Vector | None:
        return (await self._embedder.embed([text.content]))[0] if text.content else None

    @property
    def _apart(self) -> timedelta:
        return timedelta(days=self.policy.apart_days)

    async def _proposed(self, group: str, user: str, week: Week, before: StoredReflection | None) -> Proposed:
        claims = await self._store.claims_of_week(group, user, week, MOST_CLAIMS)
        beside = await self._store.stamps_of_subjects(group, [claim.id for claim in claims]) if claims else {}
        material = await self._material(group, user, week, claims)
        memories = memories_of(material, user, self.policy.most)
        text, sources = await asyncio.to_thread(self._composed, material, memories.standing)
        key = material_key(sources)
        outcome, because = self._outcome(user, memories, text) if before is None else _outcome_again(before, text, key)
        return Proposed(
            user=user,
            week=week,
            outcome=outcome,
            because=because,
            before=before,
            text=text or NOTHING_TO_REFLECT,
            sources=sources,
            material=key,
            memories=memories.total,
            new=memories.new,
            # Of what was read twice, the first: a withdrawal between the two is seen when this is written.
            stamps={**beside, **{claim.subject_id: claim.stamp for claim in claims}},
        )

    def _composed(
        self, material: WeeklyMaterial, standing: Sequence[WeeklyMemory]
    ) -> tuple[ReflectionText | None, tuple[ReflectionSentence, ...]]:
        """The text that is made without a language model, and what one would be shown."""
        count = self._tokens.count
        return composed(material, standing, count), sources_of(material, standing, count)

    def _outcome(
        self, user: str, memories: WeeklyMemories, text: ReflectionText | None
    ) -> tuple[ReflectionOutcome, str]:
        """What comes of a week that there is no reflection on."""
        if memories.new < self.policy.least_new:
            return (
                ReflectionOutcome.FEW,
                f"Of the week's memories {memories.new} are new, and {self.policy.least_new} are needed.",
            )
        if user != EVERYBODY and not memories.own:
            return ReflectionOutcome.SHARED, "Nothing new is of this user alone: the reflection for everybody says it."
        if text is None:
            return ReflectionOutcome.EMPTY, "All that there was to say was withdrawn."
        return ReflectionOutcome.WRITTEN, f"Of the week's {memories.total} memories {memories.new} are new."

    async def _material(self, group: str, user: str, week: Week, claims: Sequence[WeeklyClaim]) -> WeeklyMaterial:
        beliefs, entities = await self._beliefs(group, user, week, {row for claim in claims for row in claim.rows})
        evidence = [one for belief in beliefs for one in belief.evidence]
        ids = {claim.id for claim in claims} | {one.claim_id for one in evidence}
        episodes = {one.episode_id for one in evidence}
        now = Scope(group, LATEST, user=user)
        ends = await self._store.ends_of_claims(group, ids) if ids else {}
        others = {end for one in ends.values() for end in (one.subject_id, one.object_id) if end} - entities.keys()
        return WeeklyMaterial(
            week=week,
            beliefs=beliefs,
            claims=claims,
            ends=ends,
            entities={**(await self._store.entities_by_id(now, others) if others else {}), **entities},
            withdrawn=Withdrawn(
                claims=frozenset(await self._store.withdrawn_claims(group, ids, LATEST) if ids else ()),
                spans=frozenset(await self._store.withdrawn_spans(now, episodes) if episodes else ()),
            ),
        )

    async def _beliefs(
        self, group: str, user: str, week: Week, rows: Iterable[str]
    ) -> tuple[list[BeliefRow], Mapping[str, KnownEntity]]:
        """Versions of beliefs, also of those that had ended, with the entities at their ends, as known then."""
        scope = Scope(group, week.until, week.until, user=user, history=True)
        beliefs, entities = list[BeliefRow](), dict[str, KnownEntity]()
        wanted = sorted(rows)
        for first in range(0, len(wanted), _ROWS_AT_ONCE):
            found = await self._store.beliefs_by_id(scope, wanted[first : first + _ROWS_AT_ONCE])
            beliefs += found.beliefs
            entities |= found.entities
        return beliefs, entities

    # read -----------------------------------------------------------------------------------------------------------

    async def reflections(self, scope: Scope, *, after: ReflectionPosition, limit: int) -> list[StoredReflection]:
        """Those on weeks that had ended then, as known then, in order of the ends of their weeks.

        Raises:
            NotFound: there is no such group.
        """
        await self._reader.known_group(scope.group)
        return await self._store.reflections(scope, after=after, limit=limit)


def _outcome_again(
    before: StoredReflection, after: ReflectionText | None, material: str
) -> tuple[ReflectionOutcome, str]:
    """What comes of a reflection that is made again. It stays, however few memories are left.

    From the same it is not written again, whoever wrote it; nor is what no language model wrote, if that says the same.
    """
    if before.material == material or before.text == (after or NOTHING_TO_REFLECT):
        return ReflectionOutcome.SAME, "It says the same when it is made again."
    if after is None:
        return ReflectionOutcome.EMPTY, "All that it said was withdrawn."
    return ReflectionOutcome.WRITTEN, "Something that it rests on was withdrawn, or is about somebody else."


def _version(group: str, proposed: Proposed) -> StoredReflection:
    """What is stored; when it is recorded, the store says.

    Its id follows from that of the version before: it is one version, however often it is written.
    """
    before, week = proposed.before, proposed.week
    identity = reflection_id(group, proposed.user, week.day)
    return StoredReflection(
        id=digest("reflection version", identity, before.id if before else ""),
        reflection_id=identity,
        group_id=group,
        user=proposed.user,
        week=week,
        text=proposed.text,
        memories=proposed.memories,
        new=proposed.new,
        tags=(WEEKLY,),
        material=proposed.material,
        stale_at=None,
        recorded_at=END,
        superseded_at=END,
    )
