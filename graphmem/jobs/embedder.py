"""Embeds what was stored while the embedding model was away, and gives a group another model in place, in steps.

The order matters (docs/decisions/0041), for writers copy: a new version of a belief takes the vector of its claim, and
a former version keeps that of the one before it. So claims lose their vectors first, and what copies from something
only when nobody writes any more who may have seen that with its vector.
"""

from collections.abc import Awaitable, Callable
from datetime import datetime

from graphmem.errors import ModelUnavailable, no_group
from graphmem.jobs.steps import Steps, number, stepped
from graphmem.model.interval import BEGIN
from graphmem.model.work import Work, WorkStep
from graphmem.recall.vectors import LateVectors, counts
from graphmem.store.predicates import PredicateStore
from graphmem.store.vector import VectorStore

TEXTS, BELIEFS = 32, 1_000
"""Texts embedded in a step, and beliefs of each kind that take the vectors of their claims."""

FORGOTTEN = 1_000
"""Episodes, or rows, that lose their vectors in a step."""
WAIT, EMBED = "wait", "embed"
PHASES = (
    WAIT,
    "episodes",
    WAIT,
    "relationships",
    "facts",
    WAIT,
    "superseded",
    "superseded_facts",
    "names",
    "summaries",
    "reflections",
    EMBED,
)
_PHASE, _SINCE, _TIME, _AFTER = "phase", "since", "time", "after"

Forget = Callable[[str, str, int], Awaitable[tuple[str, int]]]


class LateEmbedder(Steps):
    """The steps of work of the kind ``embed``. While the model is away, it is given back."""

    def __init__(self, vectors: LateVectors, texts: int = TEXTS) -> None:
        self.most = self.size = texts
        self._vectors = vectors

    async def step(self, work: Work) -> WorkStep:
        done = await self._vectors.embed_some(work.group_id, self.size, BELIEFS)
        self.grow()
        return stepped(work, work.cursor, {} if done is None else counts(done), finished=done is None)


class Reembedder(Steps):
    """The steps of work of the kind ``reembed``, whose arguments are the new model and its dimensions."""

    def __init__(
        self, store: VectorStore, predicates: PredicateStore, vectors: LateVectors, most: int = FORGOTTEN
    ) -> None:
        self.most = self.size = most
        self._store = store
        self._predicates = predicates
        self._vectors = vectors
        self._embedder = LateEmbedder(vectors)
        self._forget: dict[str, Forget] = {
            "relationships": store.forget_vectors_of_relationships,
            "facts": store.forget_vectors_of_facts,
            "superseded": store.forget_vectors_of_superseded,
            "superseded_facts": store.forget_vectors_of_superseded_facts,
            "names": store.forget_vectors_of_names,
            "summaries": store.forget_vectors_of_summaries,
            "reflections": store.forget_vectors_of_reflections,
        }

    def shrink(self) -> None:
        super().shrink()
        self._embedder.shrink()

    async def step(self, work: Work) -> WorkStep | None:
        """Name the new model; then phase by phase; None where it must wait a moment for writers.

        Raises:
            ModelUnavailable: this process has another model than was asked for.
        """
        model, dimensions = self._vectors.model
        if (model, dimensions) != (work.arguments.get("model"), work.arguments.get("dimensions")):
            raise ModelUnavailable(
                f"This worker embeds with {model!r} ({dimensions} dimensions), which is not asked for."
            )
        if _PHASE not in work.cursor:
            since = await self._store.begin_reembedding(work.group_id, model, dimensions)
            if since is None:
                raise no_group(work.group_id)
            return stepped(work, {_PHASE: 0, _SINCE: since.isoformat()}, {"forgotten": 0})
        phase = PHASES[number(work.cursor[_PHASE])]
        if phase == EMBED:
            return await self._embedder.step(work)
        if phase == WAIT:
            since = datetime.fromisoformat(str(work.cursor[_SINCE]))
            return await self._next(work) if await self._predicates.writers_gone(since) else None
        return await self._take_away(work, phase)

    async def _take_away(self, work: Work, phase: str) -> WorkStep:
        after, id_ = str(work.cursor.get(_AFTER, "")), work.group_id
        if phase == "episodes":
            time = datetime.fromisoformat(str(work.cursor.get(_TIME, BEGIN.isoformat())))
            (time, after), count = await self._store.forget_vectors_of_episodes(id_, (time, after), self.size)
            where = {_TIME: time.isoformat(), _AFTER: after}
        else:
            after, count = await self._forget[phase](id_, after, self.size)
            where = {_AFTER: after}
        is_full = count >= self.size
        self.grow()
        if not is_full:
            return await self._next(work, count)
        return stepped(work, {_PHASE: work.cursor[_PHASE], **where}, {"forgotten": count})

    async def _next(self, work: Work, forgotten: int = 0) -> WorkStep:
        """On to the next phase. To wait is to wait for those who write now; before embedding, the group is opened."""
        place = number(work.cursor[_PHASE]) + 1
        cursor: dict[str, object] = {_PHASE: place}
        if PHASES[place] == WAIT:
            cursor[_SINCE] = (await self._store.time_of_database()).isoformat()
        if PHASES[place] == EMBED:
            await self._store.end_forgetting(work.group_id)
        return stepped(work, cursor, {"forgotten": forgotten})
