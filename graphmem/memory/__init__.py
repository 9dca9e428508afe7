"""The path, a module each: ``intake``, ``facts``, ``digestion``, ``matching``, ``merging``, ``searcher``, ``reader``.

Only this room knows the order of the steps: extract, resolve, embed, store, retrieve.
"""

from collections.abc import Callable

from graphmem.clock import Clock
from graphmem.memory.access import Access
from graphmem.memory.bulk import BulkDigestion
from graphmem.memory.consolidation import Consolidation
from graphmem.memory.decisions import Decisions
from graphmem.memory.digestion import Digestion
from graphmem.memory.fact_lists import FactLists
from graphmem.memory.facts import Facts
from graphmem.memory.groups import Groups
from graphmem.memory.intake import Intake
from graphmem.memory.judging import Judging
from graphmem.memory.matching import Matching
from graphmem.memory.merging import Merging
from graphmem.memory.nearness import Nearness
from graphmem.memory.overtaken import Overtaken
from graphmem.memory.questions import TIMEOUT, Questions
from graphmem.memory.reading_again import ReadingAgain
from graphmem.memory.recall import Searcher
from graphmem.memory.refining import Refining
from graphmem.memory.sessions import Sessions
from graphmem.memory.short_names import ShortNames
from graphmem.memory.uses import Uses
from graphmem.memory.vectors import LateVectors
from graphmem.memory.window_facts import WindowFacts
from graphmem.model.consolidation import LIKENESS
from graphmem.model.embedding import Embedder
from graphmem.model.enrichment import CloserReader
from graphmem.model.episode import Reprocessing
from graphmem.model.fading import FADING, Fading
from graphmem.model.fragment import AS_PACKAGED, Admission, Extractor
from graphmem.model.matching import MatchingSettings, PairReviewer
from graphmem.model.session import SESSIONS, SessionPolicy
from graphmem.reading import Reader
from graphmem.retrieve.weights import Weights
from graphmem.store.change.evidence import EvidenceStore
from graphmem.store.graph import GraphStore
from graphmem.store.work import WorkStore


class Memory:
    """The service behind HTTP, worker and tools."""

    def __init__(
        self,
        store: GraphStore,
        works: WorkStore,
        evidence: EvidenceStore,
        extractor: Extractor,
        embedder: Embedder,
        clock: Clock,
        *,
        extractor_of: Callable[[Reprocessing], Extractor] | None = None,
        matching: MatchingSettings | None = None,
        reviewer: PairReviewer | None = None,
        question_timeout: float = TIMEOUT,
        weights: Weights | None = None,
        admission: Admission = AS_PACKAGED,
        fading: Fading = FADING,
        sessions: SessionPolicy = SESSIONS,
        closer: CloserReader | None = None,
        likeness: float = LIKENESS,
    ) -> None:
        """``extractor_of`` gives the extractor for an episode that is to be digested anew in a certain way.

        A search waits for the vector of its question for ``question_timeout`` seconds, and ranks by ``weights``, else
        by the packaged ones. ``fading`` says how fast facts fade, ``sessions`` when sessions close. ``closer`` reads
        again what was read offline; facts that share so many words (``likeness``) may say the same.
        """
        self.store = store
        self.works = works
        self.reader = Reader(store, clock=clock)
        self.groups = Groups(store, embedder, clock)
        self.access = Access(store, evidence, self.reader, clock)
        self.intake = Intake(store, evidence, self.groups, self.access, extractor, embedder, sessions)
        matching, self.short_names = matching or MatchingSettings(), ShortNames(store, evidence)
        self.fact_lists = FactLists(store, self.reader)
        self.facts = Facts(store, evidence, self.intake, self.access, embedder, clock)
        self.sessions = Sessions(store, self.reader, clock)
        self.consolidation = Consolidation(store, evidence, embedder.model, clock, likeness)
        self.reading_again = ReadingAgain(store, closer)
        self.digestion = Digestion(
            store,
            works,
            evidence,
            extractor,
            embedder,
            clock,
            self.short_names,
            extractor_of=extractor_of,
            admission=admission,
        )
        self.bulk = BulkDigestion(self.digestion, evidence, embedder, self.short_names)
        self.window_facts = WindowFacts(evidence, embedder, self.short_names, admission)
        self.late_vectors = LateVectors(store, embedder)
        nearness = Nearness(store, self.late_vectors, embedder, matching)
        self.judging = Judging(store, nearness, matching)
        overtaken = Overtaken(store, evidence)
        self.matching = Matching(
            store,
            evidence,
            self.short_names,
            self.judging,
            nearness,
            overtaken,
            Refining(store, self.judging, matching),
            matching,
            reviewer,
        )
        self.merging = Merging(store, evidence, self.short_names, self.reader, self.access)
        self.decisions = Decisions(self.merging, works)
        self.questions = Questions(store, embedder, question_timeout)
        self.uses = Uses(store, fading)
        self.searcher = Searcher(store, self.reader, self.questions, self.uses, weights)
