"""Reflections on weeks: made one at a time, and read."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from enum import StrEnum

import structlog

from graphmem.derived.asking import usable
from graphmem.derived.reflect.composing import composed, grounded, material_key, sources_of, task_of
from graphmem.derived.reflect.memories import WeeklyMaterial, WeeklyMemories, Withdrawn, memories_of
from graphmem.errors import Unreadable, UnusableAnswer
from graphmem.model.belief import BeliefRow
from graphmem.model.cited_writing import ReflectionWriter, Spent
from graphmem.model.embedding import TokenCounter, Vector
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
        late_vectors: LateVectors,
        tokens: TokenCounter,
        policy: ReflectionPolicy = PACKAGED_REFLECTIONS,
        writer: ReflectionWriter | None = None,
    ) -> None:
        """``writer`` is the language model that writes them; None: they are composed of statements of beliefs."""
        self._store = store
        self._reader = reader
        self._late_vectors = late_vectors
        self._tokens = tokens
        self.policy = policy
        self._writer = writer

    # made -----------------------------------------------------------------------------------------------------------

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
        apart = self.policy.apart_days
        because = f"There is one on the week to {near.week.day}, and two are {apart} days apart or more."
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
            vector = await self._vector(proposed.before.text, vectors=vectors)
            kept = await self._store.keep_reflection(proposed.before, vector, stamps=proposed.stamps)
            return ReflectionResult(outcome=ReflectionOutcome.CHANGED if kept is None else ReflectionOutcome.SAME)
        vector = await self._vector(proposed.text, vectors=vectors)  # before a language model is asked in vain
        if self._writer is None or proposed.outcome is not ReflectionOutcome.WRITTEN:
            return await self._write(group, proposed, vector)
        text = await self._written(self._writer, group, proposed, spent)
        if text is not None:
            vector = await self._vector(text, vectors=vectors)
        again = await self._proposed(group, proposed.user, proposed.week, proposed.before)
        if again.material != proposed.material:
            return ReflectionResult(outcome=ReflectionOutcome.CHANGED, refused=text is None)
        same = replace(proposed, text=text or proposed.text, stamps=again.stamps)
        return replace(await self._write(group, same, vector), refused=text is None)

    async def _vector(self, text: ReflectionText, *, vectors: bool) -> Vector | None:
        return await self._late_vectors.vector(text.content) if vectors else None

    async def _write(self, group: str, proposed: Proposed, vector: Vector | None) -> ReflectionResult:
        """Write a version. What a language model wrote rests on all that it was shown, though it cites but some."""
        before, week, text = proposed.before and proposed.before.id, proposed.week, proposed.text
        identity = reflection_id(group, proposed.user, week.day)
        reflection = StoredReflection(
            # It follows from the version before: it is one version, however often it is written.
            id=digest("reflection version", identity, before or ""),
            reflection_id=identity,
            group_id=group,
            user=proposed.user,
            week=week,
            text=text,
            memories=proposed.memories,
            new=proposed.new,
            tags=(WEEKLY,),
            material=proposed.material,
            stale_at=None,
            recorded_at=END,  # the store says when
            superseded_at=END,
        )
        cited = (*text.sentences, *(proposed.sources if text.model else ()))
        written = await self._store.write_reflection(
            reflection,
            vector,
            claims={claim for sentence in cited for claim in sentence.claims},
            before=before,
            apart=self._apart,
            stamps=proposed.stamps,
        )
        if written is None:
            return ReflectionResult(outcome=ReflectionOutcome.CHANGED)
        return ReflectionResult(outcome=proposed.outcome, tokens=text.tokens)

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

    @property
    def _apart(self) -> timedelta:
        return timedelta(days=self.policy.apart_days)

    async def _proposed(self, group: str, user: str, week: Week, before: StoredReflection | None) -> Proposed:
        claims = await self._store.claims_of_week(group, user, week, MOST_CLAIMS)
        beside = await self._store.stamps_of_subjects(group, [claim.id for claim in claims]) if claims else {}
        material = await self._material(group, user, week, claims)
        memories = memories_of(material, user, self.policy.most)
        count = self._tokens.count
        text = await asyncio.to_thread(composed, material, memories.standing, count)
        sources = await asyncio.to_thread(sources_of, material, memories.standing, count)
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

    def _outcome(
        self, user: str, memories: WeeklyMemories, text: ReflectionText | None
    ) -> tuple[ReflectionOutcome, str]:
        """What comes of a week that there is no reflection on."""
        new, least = memories.new, self.policy.least_new
        if new < least:
            return ReflectionOutcome.FEW, f"Of the week's memories {new} are new, and {least} are needed."
        if user != EVERYBODY and not memories.own:
            return ReflectionOutcome.SHARED, "Nothing new is of this user alone: the reflection for everybody says it."
        if text is None:
            return ReflectionOutcome.EMPTY, "All that there was to say was withdrawn."
        return ReflectionOutcome.WRITTEN, f"Of the week's {memories.total} memories {new} are new."

    async def _material(self, group: str, user: str, week: Week, claims: Sequence[WeeklyClaim]) -> WeeklyMaterial:
        beliefs, entities = await self._beliefs(group, user, week, {row for claim in claims for row in claim.rows})
        evidence = [support for belief in beliefs for support in belief.evidence]
        ids = {claim.id for claim in claims} | {support.claim_id for support in evidence}
        episodes = {support.episode_id for support in evidence}
        now = Scope(group, LATEST, user=user)
        ends = await self._store.ends_of_claims(group, ids) if ids else {}
        others = {
            end for claim_ends in ends.values() for end in (claim_ends.subject_id, claim_ends.object_id) if end
        } - entities.keys()
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
            batch = await self._store.beliefs_by_id(scope, wanted[first : first + _ROWS_AT_ONCE])
            beliefs += batch.beliefs
            entities |= batch.entities
        return beliefs, entities

    # read -----------------------------------------------------------------------------------------------------------

    async def reflections(self, scope: Scope, *, after: ReflectionPosition, limit: int) -> list[StoredReflection]:
        """The reflections on weeks that had ended then, as known then, in order of the ends of their weeks.

        Raises:
            NotFound: there is no such group.
        """
        await self._reader.known_group(scope.group)
        return await self._store.reflections(scope, after=after, limit=limit)


def _outcome_again(
    before: StoredReflection, after: ReflectionText | None, material: str
) -> tuple[ReflectionOutcome, str]:
    """What comes of a reflection that is made again. It stays, however few memories are left.

    From the same material it is not written again, whoever wrote it; nor is what no language model wrote, if that says
    the same.
    """
    if before.material == material or before.text == (after or NOTHING_TO_REFLECT):
        return ReflectionOutcome.SAME, "It says the same when it is made again."
    if after is None:
        return ReflectionOutcome.EMPTY, "All that it said was withdrawn."
    return ReflectionOutcome.WRITTEN, "Something that it rests on was withdrawn, or is about somebody else."
