"""Embeds what was stored while the embedding model was away, in steps."""

from collections.abc import Mapping

from graphmem.jobs.steps import number
from graphmem.model.work import Work, WorkStep
from graphmem.recall.vectors import LateVectors, counts

TEXTS, BELIEFS = 32, 1_000
"""Texts embedded in a step, and beliefs of each kind that take the vectors of their claims."""


class LateEmbedder:
    """The steps of work of the kind ``embed``. While the model is away, it is given back."""

    def __init__(self, vectors: LateVectors, texts: int = TEXTS) -> None:
        self._vectors = vectors
        self._most = texts
        self._texts = texts

    def shrink(self) -> None:
        self._texts = max(1, self._texts // 2)

    async def step(self, work: Work) -> WorkStep:
        done = await self._vectors.embed_some(work.group_id, self._texts, BELIEFS)
        self._texts = min(self._most, 2 * self._texts)
        if done is None:
            return WorkStep(cursor={}, progress=work.progress, result={}, finished=True)
        return WorkStep(cursor={}, progress=added(work.progress, counts(done)), result={}, finished=False)


def added(progress: Mapping[str, object], more: Mapping[str, int]) -> dict[str, object]:
    """Progress with these counts on top."""
    return {**progress, **{name: number(progress.get(name, 0)) + count for name, count in more.items()}}
