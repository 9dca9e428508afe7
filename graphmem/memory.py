"""The parts that API, worker and tools stand on, each built from what it needs."""

from collections.abc import Callable
from dataclasses import dataclass

from graphmem.clock import Clock
from graphmem.derived.consolidation import Consolidation
from graphmem.derived.summary_texts import WindowFacts
from graphmem.identity.judging import Judging
from graphmem.identity.matching import Matching
from graphmem.identity.merging import HumanDecisions, Merging
from graphmem.identity.nearness import Nearness
from graphmem.identity.short_names import ShortNames
from graphmem.identity.users import UserNames
from graphmem.model.acts import LIKENESS
from graphmem.model.embedding import Embedder
from graphmem.model.episode import CloserReader, Reprocessing
from graphmem.model.fact import FADING, Fading
from graphmem.model.fragment import AS_PACKAGED, Admission, Extractor
from graphmem.model.matching import MatchingSettings, PairReviewer
from graphmem.model.session import SESSIONS, SessionPolicy
from graphmem.recall.access import Access
from graphmem.recall.fact_lists import FactLists
from graphmem.recall.reader import Reader
from graphmem.recall.search import Searcher
from graphmem.recall.sessions import Sessions
from graphmem.recall.uses import Uses
from graphmem.recall.vectors import TIMEOUT, LateVectors, Questions
from graphmem.retrieve.weights import Weights
from graphmem.store.change.evidence import EvidenceStore
from graphmem.store.graph import GraphStore
from graphmem.store.work import WorkStore
from graphmem.trust.keys import Installation
from graphmem.write.bulk import BulkDigestion
from graphmem.write.digestion import Digestion
from graphmem.write.facts import Facts
from graphmem.write.intake import Groups, Intake, ReadingAgain


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


class Memory:
    """The memory of one service."""

    def __init__(
        self, stores: Stores, models: Models, policies: Policies, installation: Installation, clock: Clock
    ) -> None:
        graph, works, evidence = stores.graph, stores.works, stores.evidence
        extractor, embedder = models.extractor, models.embedder
        self.store, self.works = graph, works
        self.reader = Reader(graph, clock=clock)
        self.groups = Groups(graph, embedder, clock)
        self.access = Access(graph, evidence, self.reader, clock)
        self.user_names = UserNames(graph, evidence)
        self.intake = Intake(
            graph,
            evidence,
            self.groups,
            self.access,
            extractor,
            embedder,
            self.user_names,
            installation.hash,
            policies.sessions,
        )
        self.facts = Facts(graph, evidence, self.intake, self.access, embedder, installation.hash, clock)
        self.fact_lists = FactLists(graph, self.reader)
        self.sessions = Sessions(graph, self.reader, clock)
        self.short_names = ShortNames(graph, evidence)
        self.digestion = Digestion(
            graph,
            works,
            evidence,
            extractor,
            embedder,
            clock,
            self.short_names,
            self.user_names,
            extractor_of=models.extractor_of,
            admission=policies.admission,
        )
        self.bulk = BulkDigestion(self.digestion, evidence, embedder, self.short_names, self.user_names)
        self.reading_again = ReadingAgain(graph, models.closer)
        self.late_vectors = LateVectors(graph, embedder)
        nearness = Nearness(graph, self.late_vectors, policies.matching)
        self.judging = Judging(graph, nearness, policies.matching)
        self.matching = Matching(
            graph,
            evidence,
            self.short_names,
            self.judging,
            nearness,
            policies.matching,
            models.reviewer,
        )
        self.merging = Merging(graph, evidence, self.short_names, self.reader, self.access)
        self.decisions = HumanDecisions(self.merging, works)
        self.questions = Questions(graph, embedder, policies.question_timeout)
        self.uses = Uses(graph, policies.fading)
        self.searcher = Searcher(graph, self.reader, self.questions, self.uses, policies.weights)
        self.consolidation = Consolidation(graph, evidence, embedder.model, clock, policies.likeness)
        self.window_facts = WindowFacts(evidence, embedder, self.short_names, policies.admission)
