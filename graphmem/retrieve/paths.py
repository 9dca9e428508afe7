"""Beliefs that answer a question by what they say it of and how: one alone, or a path of several.

“Where does Alice live?” One belief at what the question names has its words: its predicate, other words for that, and
the type of what it leads to. “Which region is the project that Alice works on deployed to?” From what the question
names one goes step by step, along beliefs of which each has words that those before do not have.
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import islice

from graphmem.model.hits import Contribution, FoundPath, Ranked, Reached
from graphmem.model.search import PATH
from graphmem.retrieve.question import Question
from graphmem.retrieve.scales import moved_to

LONGEST = 3
"""Beliefs in a path."""
MOST_SHOWN = 3
_LEAST_COVERED = 0.6
"""A path, and a belief that answers alone, has at least this share of what is asked."""
_MOST_WANTED = 15
"""Of more words than these, three beliefs hardly have such a share."""
_FRONTIER = 20
"""From so many entities one goes on, those first to which most words lead."""
_MOST_TRIED = 20_000
_ENDING = re.compile(r"(?<=\w{3})(?:ments?|ings?|ions?|ies|ers?|ed|es|(?<!s)s|e|y)$")


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    small: frozenset[str]
    asks: Mapping[str, frozenset[str]]
    words: Mapping[str, frozenset[str]]


@lru_cache(maxsize=1)
def _vocabulary() -> _Vocabulary:
    document = tomllib.loads(files("graphmem.retrieve").joinpath("paths.toml").read_text("utf-8"))
    asks, words = ({key: _stems(text.split()) for key, text in document[name].items()} for name in ("asks", "words"))
    return _Vocabulary(frozenset(document["small"].split()), asks, words)


def telling_words(asked: Question) -> list[str]:
    """The words of a question that say what it is about."""
    small = _vocabulary().small
    return [word for word in asked.words if word not in small and not word.isdecimal()]


Walk = tuple[Reached, ...]


class PathFinder:
    """Follows a question from the entities that it names, whose ``names`` are no words that a belief has to have."""

    def __init__(self, asked: Question, names: Iterable[str]) -> None:
        of_names = {word for name in names for word in name.split()}
        asks = _vocabulary().asks
        self._wanted = [_stems([word]) for word in telling_words(asked) if word not in of_names]
        first = next((word for word in asked.text.casefold().split() if word in asks), None)
        if first is not None:
            self._wanted.append(asks[first])
        self._covered = dict[tuple[str, str], frozenset[int]]()

    def frontier(self, layers: Sequence[Sequence[Reached]]) -> list[str]:
        """The entities to go on from: those to which beliefs with most words of the question lead."""
        reached = {step.start for layer in layers for step in layer}
        best = dict[str, tuple[float, int, float]]()
        for walk, words in islice(self._walks(layers, least=len(layers)), _MOST_TRIED):
            path = FoundPath(steps=walk, covered=len(words))
            end, rank = walk[-1].other, (-path.covered, path.backwards, -path.cosine)
            if end is not None and end not in reached:
                best[end] = min(best.get(end, rank), rank)
        return sorted(best, key=lambda id_: (best[id_], id_))[:_FRONTIER]

    def leaves_words(self, paths: Sequence[FoundPath], first: Sequence[Reached]) -> bool:
        """Whether a longer path could have more words of the question than these paths or one of the ``first``."""
        if len(self._wanted) > _MOST_WANTED:
            return False
        alone = max((len(self._covers(step)) for step in first), default=0)
        return alone < len(self._wanted) and max((path.covered for path in paths), default=0.0) < 1.0

    def paths(self, layers: Sequence[Sequence[Reached]]) -> list[FoundPath]:
        """The paths that have more words of the question than any first step alone, the best first.

        ``layers`` are the beliefs at what the question names, at what these lead to, and so on.
        """
        alone = max((len(self._covers(step)) for step in layers[0]), default=0) if layers else 0
        tried = islice(self._walks(layers), _MOST_TRIED)
        shares = ((walk, len(words), len(words) / len(self._wanted)) for walk, words in tried)
        paths = [
            FoundPath(steps=walk, covered=share)
            for walk, count, share in shares
            if count > alone and share >= _LEAST_COVERED
        ]
        paths.sort(key=lambda path: (-path.covered, path.backwards, len(path.steps), -path.cosine, path.id))
        return paths[:MOST_SHOWN]

    def answering(self, first: Iterable[Reached]) -> frozenset[str]:
        """The ids of the beliefs at what the question names that have most of its words, each by itself.

        Those that are said of what it names come before those that say it of something else.
        """
        beliefs = [step for step in first if not step.open]
        counts = {(step.id, step.forwards): len(self._covers(step)) for step in beliefs}
        most = max(counts.values(), default=0)
        if not most or most / len(self._wanted) < _LEAST_COVERED:
            return frozenset()
        best = {key for key, count in counts.items() if count == most}
        return frozenset(id_ for id_, forwards in best if forwards) or frozenset(id_ for id_, _ in best)

    def _covers(self, step: Reached) -> frozenset[int]:
        """Which of the wanted words a belief has, seen from where it starts."""
        key = (step.id, step.start)
        if key not in self._covered:
            words = _words_of(step)
            self._covered[key] = frozenset(at for at, wanted in enumerate(self._wanted) if wanted & words)
        return self._covered[key]

    def _walks(self, layers: Sequence[Sequence[Reached]], least: int = 2) -> Iterator[tuple[Walk, frozenset[int]]]:
        """Walks of ``least`` beliefs and more, each of which has words that those before do not have."""
        from_start = [_by_start(layer) for layer in layers]

        def on(walk: Walk, words: frozenset[int]) -> Iterator[tuple[Walk, frozenset[int]]]:
            if len(walk) >= least:
                yield walk, words
            been = {step.start for step in walk}
            nexts = from_start[len(walk)].get(walk[-1].other or "", ()) if len(walk) < len(layers) else ()
            for step in nexts:
                covers = self._covers(step)
                if step.other not in been and covers - words:
                    yield from on((*walk, step), words | covers)

        for first in layers[0] if layers else ():
            if covers := self._covers(first):
                yield from on((first,), covers)


def _by_start(steps: Iterable[Reached]) -> Mapping[str, Sequence[Reached]]:
    by_start = defaultdict[str, list[Reached]](list)
    for step in steps:
        by_start[step.start].append(step)
    return by_start


def with_paths(ranked: Sequence[Ranked], paths: Sequence[FoundPath]) -> list[Ranked]:
    """Hits with paths before them: these have more of what is asked than any belief."""
    best = max((item.score for item in ranked), default=0.0)
    return [*(_ranked(path, best) for path in paths), *ranked]


def _ranked(path: FoundPath, best: float) -> Ranked:
    score = best + path.covered
    reason = Contribution(channel="path", score=path.covered, contribution=score)
    ids = tuple(step.id for step in path.steps)
    return Ranked(kind=PATH, id=path.id, score=score, contributions=(reason,), steps=ids)


def along_paths(ranked: Sequence[Ranked], paths: Sequence[FoundPath]) -> list[Ranked]:
    """Hits with the beliefs of the best paths before them, in the order of these, each belief once."""
    steps = {step.id: step for path in paths if path.covered == paths[0].covered for step in path.steps}
    best = max((item.score for item in ranked), default=0.0)
    others = [item for item in ranked if item.id not in steps]
    return [*(_on_path(step, best + len(steps) - place) for place, step in enumerate(steps.values())), *others]


def _on_path(step: Reached, score: float) -> Ranked:
    reason = Contribution(channel="path", score=1.0, contribution=score)
    return Ranked(kind=step.kind, id=step.id, score=score, contributions=(reason,), open=step.open)


def with_answering(ranked: Sequence[Ranked], answering: frozenset[str]) -> list[Ranked]:
    """Hits, best first, with the best of those before them that answer the question by themselves, in their order."""
    best = max((item.score for item in ranked), default=0.0)
    first = [item for item in ranked if item.id in answering][:MOST_SHOWN]
    shown = {item.id for item in first}
    others = (item for item in ranked if item.id not in shown)
    return [*(moved_to(item, best + item.score, "predicate", 1.0) for item in first), *others]


def _words_of(step: Reached) -> frozenset[str]:
    parts = (*step.predicate.casefold().split("_"), *step.other_type.casefold().split("_"))
    return _stems(parts) | _vocabulary().words.get(step.predicate, frozenset())


def _stems(words: Iterable[str]) -> frozenset[str]:
    """Words without the endings of English: works, working, worked."""
    return frozenset(_ENDING.sub("", word) for word in words)
