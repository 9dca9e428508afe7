"""What a summary says: a language model writes it, where one is configured and there is room; else it is chosen."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from graphmem.derived.asking import usable
from graphmem.derived.summarise.material import cites_withdrawn
from graphmem.derived.summarise.offline import Count, summarised
from graphmem.derived.summarise.writing import grounded, material_key, standing_facts, task_of
from graphmem.identity.short_names import ShortNames
from graphmem.model.cited_writing import Spent, SummaryWriter, WritingTask
from graphmem.model.embedding import Embedder, TokenCounter
from graphmem.model.episode import StoredEpisode
from graphmem.model.evidence import Change, ChangeOutcome, total
from graphmem.model.fragment import AS_PACKAGED, Admission, Fragment
from graphmem.model.ontology import Ontology
from graphmem.model.summary import QuotedSpan, StoredSummary, SummarySentence, SummaryText
from graphmem.resolve.plan import resolve
from graphmem.store.change.evidence import EvidenceStore
from graphmem.write.changes import keys_of

NOTHING = SummaryText(content="", tokens=0, lines=(), sentences=())


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryMaterial:
    """What a summary of a tier covers and may say; its ``turns`` turns have ``turn_tokens`` tokens.

    Offline it is chosen from ``sentences`` and has ``limit`` tokens at most. A language model is shown ``sources``, and
    what it writes has ``limit_of_written`` at most. It may state facts of the turns ``stating``, by the group's own
    ``ontology``.
    """

    tier: int
    covers: tuple[str, ...]
    sentences: Sequence[SummarySentence]
    sources: Sequence[SummarySentence]
    withdrawn: Iterable[QuotedSpan]
    limit: int
    limit_of_written: int
    turn_tokens: int
    turns: int
    first_turn: int
    stating: Sequence[StoredEpisode] = ()
    ontology: Ontology | None = None

    @property
    def key(self) -> str:
        return material_key(self.tier, self.covers, self.sources)


class SummaryTexts:
    """Makes the texts of summaries."""

    def __init__(self, embedder: Embedder, tokens: TokenCounter, writer: SummaryWriter | None) -> None:
        self._embedder = embedder
        self._count = tokens.count
        self._writer = writer

    @property
    def asks_model(self) -> bool:
        return self._writer is not None

    def stands(self, before: StoredSummary, material: SummaryMaterial) -> bool:
        """Whether a version need not be made again: no person asks for it, and it was made from the same.

        Only a language model says it otherwise each time, and costs something. What is chosen is chosen again.
        """
        may_differ = self._writer is not None or bool(before.text.model)
        counted = (before.said, before.turns) == (material.turn_tokens, material.turns)
        same = before.material == material.key and not cites_withdrawn(before.text.sentences, set(material.withdrawn))
        return may_differ and same and counted and not before.asked

    def writing(self, material: SummaryMaterial) -> "Writing | None":
        """What a language model is to be asked; None where none is configured, or there is no room or nothing told."""
        if self._writer is None or not material.sentences:
            return None
        task = task_of(material.tier, material.sources, material.limit_of_written, self._count)
        if task is None:
            return None
        episodes = {turn.id: turn.episode for turn in material.stating}
        task = replace(task, episodes=episodes, ontology=material.ontology)
        return Writing(self._writer, task, frozenset(material.withdrawn), self._count)

    async def chosen(self, material: SummaryMaterial) -> SummaryText:
        """What is chosen from the material; ``NOTHING`` where there is nothing to say.

        Raises:
            ModelUnavailable: the embedding model is away.
        """
        words = [sentence.words for sentence in material.sentences]
        vectors = dict(zip(words, await self._embedder.embed(words), strict=True)) if words else {}
        text = await asyncio.to_thread(summarised, material.sentences, vectors, material.limit, self._count)
        return NOTHING if text is None or cites_withdrawn(text.sentences, set(material.withdrawn)) else text


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeText:
    """A summary, and the facts that a language model stated beside it, by the ids of the turns that they quote."""

    text: SummaryText
    facts: Mapping[str, Fragment] = field(default_factory=dict[str, Fragment])


@dataclass(frozen=True, slots=True)
class Writing:
    """A summary that a language model is to write, and what must not be in it."""

    writer: SummaryWriter
    task: WritingTask
    withdrawn: frozenset[QuotedSpan]
    count: Count

    async def written(self, spent: Spent) -> MadeText:
        """What the language model wrote, if that can be used; else it is asked again and told why.

        Raises:
            ModelUnavailable: no model answers.
            UnusableAnswer: what it wrote cannot be used this time either.
            ConfigurationError: a model refuses the request as such.
        """
        written, text = await usable(
            lambda reasons: self.writer.write(replace(self.task, refused=reasons), spent),
            lambda written: grounded(written, self.task, self.withdrawn, self.count),
        )
        return MadeText(text=text, facts=standing_facts(written.facts, self.withdrawn))


class WindowFacts:
    """Adds facts stated beside a summary to what was read of its turns, unless claimed there already, or withdrawn."""

    def __init__(
        self,
        evidence: EvidenceStore,
        embedder: Embedder,
        short_names: ShortNames,
        admission: Admission = AS_PACKAGED,
    ) -> None:
        self._evidence = evidence
        self._embedder = embedder
        self._short_names = short_names
        self._admission = admission

    async def add(self, turns: Sequence[StoredEpisode], facts: Mapping[str, Fragment]) -> ChangeOutcome:
        """Write the facts of turns of one group, by the ids of these, all in one transaction.

        Raises:
            ModelUnavailable: the embedding model is away; nothing is written.
            NotFound: one of the turns is gone; nothing is written.
            Conflict: the group imports by now; nothing is written.
        """
        read = [(turn, resolve(turn, facts[turn.id], self._admission)) for turn in turns if turn.id in facts]
        read = [(turn, evidence) for turn, evidence in read if evidence.claims]
        if not read:
            return ChangeOutcome()
        statements = list(dict.fromkeys(claim.statement for _, evidence in read for claim in evidence.claims))
        vectors = dict(zip(statements, await self._embedder.embed(statements), strict=True))
        meanings = await self._short_names.provisional_meanings([(turn.episode, evidence) for turn, evidence in read])
        changes = [
            Change(
                group_id=turn.episode.group_id,
                evidence=evidence,
                digested=(),
                embedding_model=self._embedder.model,
                vectors={claim.words: vectors[claim.statement] for claim in evidence.claims},
                adds_to=turn.id,
                meanings=meant,
                keys=keys_of(turn.episode.group_id, evidence),
            )
            for (turn, evidence), meant in zip(read, meanings, strict=True)
        ]
        return total(await self._evidence.change_evidence(changes))
