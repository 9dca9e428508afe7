"""Summaries of sessions in this process: windows, their texts, and the meta summaries over them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from bench.reading import MODEL
from graphmem.derived.summarise.material import of_summaries, of_turns, shown_of_turns
from graphmem.derived.summarise.offline import MOST_OF_META, limit_of_meta, limit_of_window, summarised, tokens_said
from graphmem.derived.summarise.windows import CoverableSummary, Window, plan_metas, plan_windows
from graphmem.derived.summarise.writing import task_of
from graphmem.derived.summary_texts import Writing
from graphmem.embed.tokens import FileTokenizer
from graphmem.errors import UnusableAnswer
from graphmem.model.belief import BeliefRow
from graphmem.model.cited_writing import SummaryWriter
from graphmem.model.embedding import Embedder, Vector
from graphmem.model.episode import StoredEpisode
from graphmem.model.fragment import Usage
from graphmem.model.summary import MetaPolicy, SummarySentence, SummaryText, WindowPolicy, place_of
from graphmem.settings.recall import EmbeddingSettings

Matrix = NDArray[np.float32]


@dataclass(slots=True)
class Vectors:
    """Vectors by text, each computed once, with the seconds that it took."""

    embedder: Embedder
    known: dict[str, Vector] = field(default_factory=dict[str, Vector])

    async def of(self, texts: Iterable[str]) -> Mapping[str, Vector]:
        wanted = [text for text in dict.fromkeys(texts) if text not in self.known]
        self.known.update(zip(wanted, await self.embedder.embed(wanted), strict=True))
        return self.known

    async def matrix(self, texts: Sequence[str]) -> Matrix:
        known = await self.of(texts)
        return np.asarray([known[text] for text in texts], dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Made:
    """The summary of a window; ``said`` are the tokens of its turns, ``seconds`` what making it took."""

    window: Window
    text: SummaryText
    said: int
    seconds: float


class Summariser:
    """Makes summaries of chosen sentences, or has a language model write them, where there is a ``writer``.

    ``refused`` counts those for which it wrote nothing that can be used, ``asked`` has what its calls took.
    """

    def __init__(self, vectors: Vectors, writer: SummaryWriter | None = None) -> None:
        self._vectors = vectors
        self._writer = writer
        self.count = FileTokenizer(None, EmbeddingSettings(model=MODEL)).count
        self.refused = 0
        self.asked = list[Usage]()

    async def windows(
        self, turns: Sequence[StoredEpisode], known: Sequence[BeliefRow], *, closed: bool = True
    ) -> list[Made]:
        """The summaries of a session; none of a window that has nothing to say."""
        plan = plan_windows(map(place_of, turns), (), WindowPolicy(), closed=closed)
        by_id = {stored.id: stored for stored in turns}
        made = [await self._window(window, [by_id[id_] for id_ in window.covers], known) for window in plan.windows]
        return [one for one in made if one]

    async def _window(self, window: Window, turns: Sequence[StoredEpisode], known: Sequence[BeliefRow]) -> Made | None:
        began = perf_counter()
        said = tokens_said(turns, self.count)
        limit = limit_of_window(said)
        text = await self._text(1, shown_of_turns(turns, known, ()), limit, of_turns(turns, known, ()), limit)
        return Made(window, text, said, perf_counter() - began) if text else None

    async def _chosen(self, material: Sequence[SummarySentence], limit: int) -> SummaryText | None:
        vectors = await self._vectors.of(sentence.words for sentence in material)
        return summarised(material, vectors, limit, self.count)

    async def _text(
        self,
        tier: int,
        sources: Sequence[SummarySentence],
        most: int,
        material: Sequence[SummarySentence],
        limit: int,
    ) -> SummaryText | None:
        """As the service does it: a model writes ``most`` tokens from the sources, else ``limit`` are chosen.

        One that is refused stays out, as it does there until the next try.
        """
        task = None if self._writer is None else task_of(tier, sources, most, self.count)
        if self._writer is None or task is None:
            return await self._chosen(material, limit)
        try:
            return (await Writing(self._writer, task, frozenset(), self.count).written(self.asked.append)).text
        except UnusableAnswer:
            self.refused += 1
            return None

    async def topmost(self, made: Sequence[Made], turns: int) -> list[Made]:
        """Of the windows of one session and the meta summaries over them, those that no other covers."""
        tier, top = list(made), list[Made]()
        while tier:
            known = {one.window.first.episode_id: one for one in tier}
            items = [_coverable(id_, one) for id_, one in known.items()]
            plan = plan_metas(items, (), MetaPolicy(), turns=turns)
            top += [known[id_] for id_ in plan.uncovered]
            metas = [await self._meta(window, [known[id_] for id_ in window.covers]) for window in plan.new]
            tier = [one for one in metas if one]
        return top

    async def _meta(self, window: Window, below: Sequence[Made]) -> Made | None:
        began = perf_counter()
        said = sum(one.said for one in below)
        believed = {sentence.row_id for one in below for sentence in one.text.sentences if sentence.row_id}
        material = of_summaries([one.text.sentences for one in below], believed, ())
        text = await self._text(2, material, MOST_OF_META, material, limit_of_meta(said))
        return Made(window, text, said, perf_counter() - began) if text else None


def _coverable(id_: str, one: Made) -> CoverableSummary:
    return CoverableSummary(id=id_, first=one.window.first, last=one.window.last, tokens=one.text.tokens)
