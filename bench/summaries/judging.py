"""Summaries against what a file says of its conversations, and against its questions."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import comb
from statistics import mean

import numpy as np

from bench.common import milliseconds
from bench.summaries.making import Made, Matrix, Summariser, Vectors
from bench.summaries.told import Question, Session
from graphmem.derived.summarise.material import sentences
from graphmem.model.episode import StoredEpisode

COSINE, STRICT = 0.6, 0.7
TOP = 5


@dataclass(slots=True)
class Coverage:
    """How many of the wanted sentences each of three ways to sum up covers, and our summary of another session."""

    wanted: int = 0
    value: int = 0
    floor: int = 0
    ceiling: int = 0
    chance: int = 0

    def add(self, other: "Coverage") -> None:
        self.wanted += other.wanted
        self.value += other.value
        self.floor += other.floor
        self.ceiling += other.ceiling
        self.chance += other.chance

    def figures(self) -> dict[str, float | None]:
        way = self.ceiling - self.floor
        return {
            "value": share(self.value, self.wanted),
            "floor": share(self.floor, self.wanted),
            "ceiling": share(self.ceiling, self.wanted),
            "chance": share(self.chance, self.wanted),
            "of_ceiling": share(self.value, self.ceiling),
            "of_way": share(self.value - self.floor, way) if way > 0 else None,
            "n": self.wanted,
        }


def share(count: float, total: float) -> float:
    return round(count / total, 4) if total else 0.0


@dataclass(slots=True)
class Finding:
    """For each question whether one of the first summaries covers its evidence, and what chance would do."""

    by_content: list[bool] = field(default_factory=list[bool])
    by_parts: list[bool] = field(default_factory=list[bool])
    by_chance: list[float] = field(default_factory=list[float])

    def add(self, other: "Finding") -> None:
        self.by_content += other.by_content
        self.by_parts += other.by_parts
        self.by_chance += other.by_chance

    def figures(self) -> dict[str, object]:
        asked = len(self.by_chance)
        return {
            "summary_in_top5_by_cosine": share(sum(self.by_content), asked),
            "summary_in_top5_by_parts": share(sum(self.by_parts), asked),
            "summary_in_top5_by_chance": share(sum(self.by_chance), asked),
        }


@dataclass(slots=True)
class Score:
    """The figures of one conversation, or of all."""

    observations: Coverage = field(default_factory=Coverage)
    strictly: Coverage = field(default_factory=Coverage)
    events: Coverage = field(default_factory=Coverage)
    finding: Finding = field(default_factory=Finding)
    made: list[Made] = field(default_factory=list[Made])
    turns: int = 0

    def add(self, other: "Score") -> None:
        self.observations.add(other.observations)
        self.strictly.add(other.strictly)
        self.events.add(other.events)
        self.finding.add(other.finding)
        self.made += other.made
        self.turns += other.turns

    def figures(self) -> dict[str, object]:
        compressed = [1 - one.text.tokens / one.said for one in self.made]
        seconds = [one.seconds for one in self.made]
        covered = sum(len(one.window.covers) for one in self.made)
        took = milliseconds(seconds) if len(seconds) > 1 else {"p50": None, "p95": None}
        return {
            "observation_coverage": self.observations.figures(),
            "observation_coverage_at_70": self.strictly.figures(),
            "event_coverage": self.events.figures(),
            "compression": round(mean(compressed), 4) if compressed else None,
            "least_compression": round(min(compressed), 4) if compressed else None,
            **self.finding.figures(),
            "seconds_per_100_turns": share(100 * sum(seconds), covered),
            "ms_per_window": {"p50": took["p50"], "p95": took["p95"]},
            "windows": len(self.made),
            "turns": self.turns,
            "verbatim_turns": self.turns - covered,
        }


class Judge:
    """Holds summaries against what the file says."""

    def __init__(self, vectors: Vectors, summariser: Summariser) -> None:
        self._vectors = vectors
        self._summariser = summariser

    async def session(self, session: Session, made: Sequence[Made], of_another: Sequence[Made] = ()) -> Score:
        """``of_another`` are the summaries of another session of the conversation."""
        own = [session.own_summary[start:end] for start, end in sentences(session.own_summary)]
        floor = [*self._first_sentences(session, sum(one.text.tokens for one in made))]
        ways = [_lines(made), floor, own, _lines(of_another)]
        return Score(
            observations=await self.coverage(session.observations, *ways),
            strictly=await self.coverage(session.observations, *ways, least=STRICT),
            events=await self.coverage(session.events, *ways),
            made=list(made),
            turns=len(session.turns),
        )

    def _first_sentences(self, session: Session, room: int) -> Iterator[str]:
        for stored in session.turns:
            start, end = next(sentences(stored.episode.content), (0, 0))
            line = f"{stored.episode.speaker}: {stored.episode.content[start:end]}"
            room -= self._summariser.count(line)
            if room < 0:
                return
            yield line

    async def coverage(self, wanted: Sequence[str], *ways: Sequence[str], least: float = COSINE) -> Coverage:
        """How many of the sentences each of the ways covers, in the order of ``Coverage``."""
        return Coverage(len(wanted), *[await self._covered(wanted, lines, least) for lines in ways])

    async def _covered(self, wanted: Sequence[str], lines: Sequence[str], least: float) -> int:
        if not wanted or not lines:
            return 0
        cosines = await self._vectors.matrix(wanted) @ (await self._vectors.matrix(lines)).T
        return int((cosines.max(axis=1) >= least).sum())

    async def found(
        self, questions: Sequence[Question], made: Sequence[Made], turns: Mapping[str, StoredEpisode]
    ) -> Finding:
        """How the questions of a conversation find its summaries; ``turns`` are those of it by `dia_id`.

        By content: the cosine of the question and the summary. By parts: the highest with one of its sentences plus
        the highest with one of its turns, both of the question without the names of those who speak.
        """
        dialogue = {stored.id: turn for turn, stored in turns.items()}
        covers = [{dialogue[id_] for id_ in one.window.covers} for one in made]
        asked = [question for question in questions if any(question.evidence & covered for covered in covers)]
        if not asked:
            return Finding()
        right = [[bool(question.evidence & covered) for covered in covers] for question in asked]
        speakers = {stored.episode.speaker or "" for stored in turns.values()}
        whole = await self._vectors.matrix([question.text for question in asked])
        nameless = await self._vectors.matrix([_without(question.text, speakers) for question in asked])
        contents = whole @ (await self._vectors.matrix([one.text.content for one in made])).T
        lines = await self._best(nameless, [one.text.lines for one in made])
        said = await self._best(nameless, [[turns[turn].episode.content for turn in sorted(each)] for each in covers])
        return Finding(
            by_content=_hits(contents, right),
            by_parts=_hits(lines + said, right),
            by_chance=[_by_chance(row) for row in right],
        )

    async def _best(self, asked: Matrix, texts: Sequence[Sequence[str]]) -> Matrix:
        """The highest cosine of each question with a text of each summary."""
        best = [(asked @ (await self._vectors.matrix(each)).T).max(axis=1) for each in texts]
        return np.stack(best, axis=1)


def _lines(made: Sequence[Made]) -> list[str]:
    return [line for one in made for line in one.text.lines]


def _hits(scores: Matrix, right: Sequence[Sequence[bool]]) -> list[bool]:
    """For each question, a row, whether one of the summaries with the highest scores is right."""
    return [
        any(row[int(at)] for at in np.argsort(-found, kind="stable")[:TOP])
        for row, found in zip(right, scores, strict=True)
    ]


def _by_chance(right: Sequence[bool]) -> float:
    """How likely a right one is among the first if they are drawn at random."""
    first = min(TOP, len(right))
    return 1 - comb(right.count(False), first) / comb(len(right), first)


def _without(question: str, names: set[str]) -> str:
    return re.sub(rf"\b(?:{'|'.join(map(re.escape, sorted(names)))})(?:['’]s)?\b", "", question).strip()
