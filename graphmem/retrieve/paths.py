"""Paths of beliefs that answer what no belief alone does.

“Which region is the project that Alice works on deployed to?” From what a question names one goes step by step, along
beliefs of which each has words of the question that those before do not have: its predicate, other words for that, and
the types of what it leads to.
"""

import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import islice

from graphmem.model.hits import Contribution, FoundPath, Ranked, Step
from graphmem.model.search import PATH
from graphmem.retrieve.question import Question

LONGEST = 3
"""Beliefs in a path."""
MOST_SHOWN = 3
_FRONTIER = 20
"""From so many entities one goes on, those first to which most words lead."""
_MOST_TRIED = 20_000
_STEM = 4


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    small: frozenset[str]
    asks: Mapping[str, frozenset[str]]
    words: Mapping[str, frozenset[str]]


@lru_cache(maxsize=1)
def _vocabulary() -> _Vocabulary:
    told = tomllib.loads(files("graphmem.retrieve").joinpath("paths.toml").read_text("utf-8"))
    asks, words = ({key: frozenset(text.split()) for key, text in told[name].items()} for name in ("asks", "words"))
    return _Vocabulary(frozenset(told["small"].split()), asks, words)


class PathFinder:
    """Follows a question from the entities that it names, whose ``names`` are no words that a belief has to have."""

    def __init__(self, asked: Question, names: Iterable[str]) -> None:
        of_names = {word for name in names for word in name.split()}
        known = _vocabulary()
        told = [word for word in asked.words if word not in known.small and word not in of_names]
        self._wanted: list[frozenset[str]] = [frozenset({word}) for word in told]
        first = next((word for word in asked.text.casefold().split() if word in known.asks), None)
        if first is not None:
            self._wanted.append(known.asks[first])

    @property
    def may_be_several(self) -> bool:
        """Whether the question has words for more than one belief."""
        return len(self._wanted) > 1

    def frontier(self, steps: Sequence[Step]) -> list[str]:
        """The entities to go on from: those to which most words of the question lead, of these the nearest to it."""
        best = dict[str, tuple[int, float]]()
        for step in steps:
            if step.other is not None:
                told = (len(self._covers(step)), step.cosine)
                best[step.other] = max(best.get(step.other, told), told)
        starts = {step.start for step in steps}
        order = sorted(best.keys() - starts, key=lambda id_: (-best[id_][0], -best[id_][1], id_))
        return order[:_FRONTIER]

    def leaves_words(self, paths: Sequence[FoundPath]) -> bool:
        """Whether a longer path could have more words of the question than any of these."""
        return max((path.covered for path in paths), default=0.0) < 1.0

    def paths(self, layers: Sequence[Sequence[Step]]) -> list[FoundPath]:
        """Those paths that have more words of the question than any first step alone, the best first.

        ``layers`` are the beliefs at what the question names, at what these lead to, and so on.
        """
        covers = {step.id: self._covers(step) for layer in layers for step in layer}
        alone = max((len(covers[step.id]) for step in layers[0]), default=0) if layers else 0
        tried = islice(_walks(layers, covers), _MOST_TRIED)
        found = [
            FoundPath(steps=walk, covered=len(words) / len(self._wanted)) for walk, words in tried if len(words) > alone
        ]
        found.sort(key=lambda one: (-one.covered, len(one.steps), -one.cosine, one.id))
        return found[:MOST_SHOWN]

    def _covers(self, step: Step) -> frozenset[int]:
        """Which of the wanted words a belief has."""
        words = _words_of(step)
        return frozenset(
            at for at, wanted in enumerate(self._wanted) if any(_alike(a, b) for a in wanted for b in words)
        )


def with_paths(ranked: Sequence[Ranked], paths: Sequence[FoundPath]) -> list[Ranked]:
    """Hits with paths before them: these have more of what is asked than any belief."""
    best = max((item.score for item in ranked), default=0.0)
    return [*(_ranked(path, best) for path in paths), *ranked]


def _ranked(path: FoundPath, best: float) -> Ranked:
    score = best + path.covered
    reason = Contribution(channel="path", score=path.covered, contribution=score)
    ids = tuple(step.id for step in path.steps)
    return Ranked(kind=PATH, id=path.id, score=score, contributions=(reason,), steps=ids)


def _walks(
    layers: Sequence[Sequence[Step]], covers: Mapping[str, frozenset[int]]
) -> Iterator[tuple[tuple[Step, ...], frozenset[int]]]:
    """Walks of two beliefs and more, each of which has words that those before do not have."""
    from_ = [defaultdict[str, list[Step]](list) for _ in layers]
    for place, layer in enumerate(layers):
        for step in layer:
            from_[place][step.start].append(step)
    ahead = [((step,), covers[step.id]) for step in (layers[0] if layers else ()) if covers[step.id]]
    for place in range(1, len(layers)):
        longer = list[tuple[tuple[Step, ...], frozenset[int]]]()
        for walk, words in ahead:
            been = {step.start for step in walk}
            for step in from_[place][walk[-1].other or ""]:
                if step.other not in been and covers[step.id] - words:
                    longer.append(((*walk, step), words | covers[step.id]))
        yield from longer
        ahead = longer


def _words_of(step: Step) -> frozenset[str]:
    parts = step.predicate.casefold().split("_")
    return frozenset((*parts, *step.other_type.casefold().split("_"))) | _vocabulary().words.get(
        step.predicate, frozenset()
    )


def _alike(one: str, other: str) -> bool:
    return one == other or (min(len(one), len(other)) >= _STEM and one[:_STEM] == other[:_STEM])
