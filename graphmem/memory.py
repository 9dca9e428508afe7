"""The parts that API, worker and tools stand on, each built from what it needs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from graphmem.clock import Clock
from graphmem.derived.consolidation import Consolidation
from graphmem.derived.window_facts import WindowFacts
from graphmem.identity.decisions import HumanDecisions
from graphmem.identity.judging import Judging
from graphmem.identity.matching import Matching
from graphmem.identity.merging import Merging
from graphmem.identity.nearness import Nearness
from graphmem.identity.overtaken import Overtaken
from graphmem.identity.refining import Refining
from graphmem.identity.short_names import ShortNames
from graphmem.model.acts import LIKENESS
from graphmem.model.embedding import Embedder
from graphmem.model.episode import CloserReader, Reprocessing
from graphmem.model.fact import FADING, Fading
from graphmem.model.fragment import AS_PACKAGED, Admission, Extractor
from graphmem.model.matching import MatchingSettings, PairReviewer
from graphmem.model.session import SESSIONS, SessionPolicy
from graphmem.recall.access import Access
from graphmem.recall.fact_lists import FactLists
from graphmem.recall.questions import TIMEOUT, Questions
from graphmem.recall.reader import Reader
from graphmem.recall.search import Searcher
from graphmem.recall.sessions import Sessions
from graphmem.recall.uses import Uses
from graphmem.recall.vectors import LateVectors
from graphmem.retrieve.weights import Weights
from graphmem.store.change.evidence import EvidenceStore
from graphmem.store.graph import GraphStore
from graphmem.store.work import WorkStore
from graphmem.write.bulk import BulkDigestion
from graphmem.write.digestion import Digestion
from graphmem.write.facts import Facts
from graphmem.write.groups import Groups
from graphmem.write.intake import Intake
from graphmem.write.reading_again import ReadingAgain


@dataclass(frozen=True, slots=True)
class Stores:
    """What is read and written of one database."""

    graph: GraphStore
    works: WorkStore
    evidence: EvidenceStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """What reads, embeds and compares texts.

    ``extractor_of`` gives the extractor for an episode that is to be digested anew in a certain way; ``closer`` reads
    again what was read offline; ``reviewer`` judges pairs of entities that may be the same.
    """

    extractor: Extractor
    embedder: Embedder
    extractor_of: Callable[[Reprocessing], Extractor] | None = None
    closer: CloserReader | None = None
    reviewer: PairReviewer | None = None


AS_MEASURED = MatchingSettings()


@dataclass(frozen=True, slots=True, kw_only=True)
class Policies:
    """What is believed, found, forgotten and merged under.

    A search waits for the vector of its question for ``question_timeout`` seconds, and ranks by ``weights``, else by
    the packaged ones. ``fading`` says how fast facts fade, ``sessions`` when sessions close. Facts that share so many
    words (``likeness``) may say the same.
    """

    matching: MatchingSettings = AS_MEASURED
    question_timeout: float = TIMEOUT
    weights: Weights | None = None
    admission: Admission = AS_PACKAGED
    fading: Fading = FADING
    sessions: SessionPolicy = SESSIONS
    likeness: float = LIKENESS


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """The memory of one service."""

    store: GraphStore
    works: WorkStore
    reader: Reader
    groups: Groups
    access: Access
    intake: Intake
    facts: Facts
    fact_lists: FactLists
    sessions: Sessions
    digestion: Digestion
    bulk: BulkDigestion
    reading_again: ReadingAgain
    late_vectors: LateVectors
    short_names: ShortNames
    judging: Judging
    matching: Matching
    merging: Merging
    decisions: HumanDecisions
    questions: Questions
    uses: Uses
    searcher: Searcher
    consolidation: Consolidation
    window_facts: WindowFacts

    @classmethod
    def of(cls, stores: Stores, models: Models, policies: Policies, clock: Clock) -> Self:
        graph, works, evidence = stores.graph, stores.works, stores.evidence
        extractor, embedder = models.extractor, models.embedder
        reader, groups = Reader(graph, clock=clock), Groups(graph, embedder, clock)
        access = Access(graph, evidence, reader, clock)
        intake = Intake(graph, evidence, groups, access, extractor, embedder, policies.sessions)
        short_names, late_vectors = ShortNames(graph, evidence), LateVectors(graph, embedder)
        digestion = Digestion(
            graph,
            works,
            evidence,
            extractor,
            embedder,
            clock,
            short_names,
            extractor_of=models.extractor_of,
            admission=policies.admission,
        )
        nearness = Nearness(graph, late_vectors, embedder, policies.matching)
        judging = Judging(graph, nearness, policies.matching)
        matching = Matching(
            graph,
            evidence,
            short_names,
            judging,
            nearness,
            Overtaken(graph, evidence),
            Refining(graph, judging, policies.matching),
            policies.matching,
            models.reviewer,
        )
        merging = Merging(graph, evidence, short_names, reader, access)
        questions, uses = Questions(graph, embedder, policies.question_timeout), Uses(graph, policies.fading)
        return cls(
            store=graph,
            works=works,
            reader=reader,
            groups=groups,
            access=access,
            intake=intake,
            facts=Facts(graph, evidence, intake, access, embedder, clock),
            fact_lists=FactLists(graph, reader),
            sessions=Sessions(graph, reader, clock),
            digestion=digestion,
            bulk=BulkDigestion(digestion, evidence, embedder, short_names),
            reading_again=ReadingAgain(graph, models.closer),
            late_vectors=late_vectors,
            short_names=short_names,
            judging=judging,
            matching=matching,
            merging=merging,
            decisions=HumanDecisions(merging, works),
            questions=questions,
            uses=uses,
            searcher=Searcher(graph, reader, questions, uses, policies.weights),
            consolidation=Consolidation(graph, evidence, embedder.model, clock, policies.likeness),
            window_facts=WindowFacts(evidence, embedder, short_names, policies.admission),
        )
