"""What is left of a conversation in its summaries, against sentences that somebody wrote about it.

    python -m bench.summaries --data FILE --json [--dump FILE]

Reads conversations in the form of LoCoMo. The extractor reads the turns in this process, and each session, taken as
closed, is summarised in windows of 20 turns (`graphmem.summarise`); what is read as ended is no belief of a summary.
A figure is of all conversations, `by_conversation` of each.

`observation_coverage`: the share of the file's observations for which a sentence of the summary of their session has a
MiniLM cosine of .6 or more; `event_coverage` the same for its events. `ceiling` is that of the file's own summary of
the session, `floor` that of “speaker: ” and the first sentence of each turn, in order, as many as have room in the
tokens of ours. `of_ceiling` is the value by the ceiling, `of_way` how far it is from floor (0) to ceiling (1).

`compression` is 1 - tokens of summary / tokens of what was said, the mean over windows; `least_compression` that of the
worst. Tokens are MiniLM's. `verbatim_turns` are in no summary. `seconds_per_100_turns` and `seconds_per_window` are of
choosing and embedding, without the extraction, which is done when a turn comes in.

`summary_in_top5`: the share of questions for which one of five summaries of the conversation covers a turn of their
evidence, by the cosine of question and summary alone: no search of the service is asked. `by_chance` is what five
summaries drawn at random would cover.

`one_session` takes each conversation as one session with meta summaries, and gives those that no other covers:
`turns_by_summaries` is how many times more tokens were said.
"""

import asyncio
import json
import re
from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import comb
from pathlib import Path
from statistics import mean
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.common import parser, say, summary, tell
from bench.reading import MODEL, Data, Read, Turn
from graphmem.embed.local import LocalEmbedder
from graphmem.embed.tokens import FileTokenizer
from graphmem.extract.offline.extractor import OfflineExtractor
from graphmem.model.belief import BeliefRow, Evidence
from graphmem.model.claim import attributes_json
from graphmem.model.embedding import Vector
from graphmem.model.episode import Episode, Status, StoredEpisode
from graphmem.model.event import written_days
from graphmem.model.fragment import Fragment, ProposedClaim
from graphmem.model.ids import digest
from graphmem.model.interval import END
from graphmem.model.summary import SummarySentence, SummaryText, place_of
from graphmem.settings import EmbeddingSettings
from graphmem.summarise.material import of_summaries, of_turns
from graphmem.summarise.offline import limit_of_meta, limit_of_window, summarised
from graphmem.summarise.spoken import sentences
from graphmem.summarise.windows import CoverableSummary, MetaPolicy, Window, WindowPolicy, plan_metas, plan_windows

COSINE = 0.6
TOP = 5

_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")

Matrix = NDArray[np.float32]


# what is read ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    evidence: frozenset[str]


@dataclass(slots=True)
class Session:
    """A session with what the file says about it; ``turns`` and ``fragments`` are in order, by id of the episode."""

    conversation: str
    turns: list[StoredEpisode]
    dialogue: Mapping[str, str]
    observations: Sequence[str]
    events: Sequence[str]
    own_summary: str
    fragments: Mapping[str, Fragment] = field(default_factory=dict[str, Fragment])


@dataclass(slots=True)
class Conversations:
    sessions: list[Session]
    questions: Mapping[str, Sequence[Question]]


def conversations(path: Path) -> Conversations:
    data = Data()
    data.read(path)
    told = {one["sample_id"]: one for one in json.loads(path.read_text("utf-8"))}
    questions = {name: [*_questions(one)] for name, one in told.items()}
    return Conversations([_session(turns, told) for turns in data.sessions], questions)


def _session(turns: Mapping[Turn, Episode], told: Mapping[str, Mapping[str, Any]]) -> Session:
    (name, _), first = next(iter(turns.items()))
    number, about = first.session.rpartition("-")[2], told[name]
    observed = about["observation"].get(f"session_{number}_observation", {})
    events = about["event_summary"].get(f"events_session_{number}", {})
    stored = {turn[1]: _stored(replace(said, sequence=at)) for at, (turn, said) in enumerate(turns.items())}
    return Session(
        conversation=name,
        turns=list(stored.values()),
        dialogue={one.id: turn for turn, one in stored.items()},
        observations=[sentence for each in observed.values() for sentence, _ in each],
        events=[event for speaker, each in events.items() if speaker != "date" for event in each],
        own_summary=about["session_summary"].get(f"session_{number}_summary", ""),
    )


def _questions(about: Mapping[str, Any]) -> Iterator[Question]:
    for asked in about["qa"]:
        evidence = {f"D{int(d)}:{int(t)}" for text in asked["evidence"] for d, t in _EVIDENCE.findall(text)}
        if evidence:
            yield Question(asked["question"], frozenset(evidence))


def _stored(said: Episode) -> StoredEpisode:
    return StoredEpisode(
        id=said.id,
        episode=said,
        status=Status.DIGESTED,
        attempts=0,
        leases=0,
        error=None,
        recorded_at=said.occurred_at,
        digested_at=said.occurred_at,
        outcome=None,
    )


def beliefs(session: Session) -> Iterator[BeliefRow]:
    """A belief for each claim of the session that something holds or happened."""
    said = {stored.id: stored.episode for stored in session.turns}
    for id_, fragment in session.fragments.items():
        for number, claim in enumerate(fragment.claims):
            if claim.kind.asserts:
                yield _belief(said[id_], id_, claim, number)


def _belief(said: Episode, episode_id: str, claim: ProposedClaim, number: int) -> BeliefRow:
    id_ = digest("claim", episode_id, number)
    evidence = Evidence(
        claim_id=id_,
        kind=claim.kind,
        episode_id=episode_id,
        quote=said.content[claim.quote_start : claim.quote_end],
        quote_start=claim.quote_start,
        quote_end=claim.quote_end,
        said_at=said.occurred_at,
        recorded_at=said.occurred_at,
        confidence=claim.confidence,
    )
    return BeliefRow(
        id=id_,
        belief_id=id_,
        kind="relationship" if claim.object else "fact",
        subject_id=claim.subject.name,
        predicate=claim.predicate,
        object_id=claim.object.name if claim.object else None,
        value=claim.value,
        target=claim.object.name if claim.object else str(claim.value),
        user="",
        statement=claim.statement,
        attributes=attributes_json(dict(claim.attributes)),
        category=claim.category,
        confidence=claim.confidence,
        importance=claim.importance,
        contested=False,
        from_stated=claim.valid_from is not None,
        to_stated=claim.valid_to is not None,
        valid_from=claim.valid_from or said.occurred_at,
        valid_to=claim.valid_to or END,
        recorded_at=said.occurred_at,
        superseded_at=END,
        open=claim.open,
        day=written_days(*claim.event) if claim.event else "",
        event_to=claim.event[1] if claim.event else None,
        evidence=(evidence,),
    )


# summaries ------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Vectors:
    """Vectors by text, each computed once, with the seconds that it took."""

    embedder: LocalEmbedder
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
    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors
        self.count = FileTokenizer(None, EmbeddingSettings(model=MODEL)).count

    async def windows(self, turns: Sequence[StoredEpisode], known: Sequence[BeliefRow]) -> list[Made]:
        """The summaries of a closed session."""
        plan = plan_windows(map(place_of, turns), (), WindowPolicy(), closed=True)
        by_id = {stored.id: stored for stored in turns}
        made = [await self._window(window, [by_id[id_] for id_ in window.covers], known) for window in plan.windows]
        return [one for one in made if one]

    async def _window(
        self, window: Window, turns: Sequence[StoredEpisode], known: Sequence[BeliefRow]
    ) -> Made | None:
        began = perf_counter()
        text = await self.summary(of_turns(turns, known, ()), limit_of_window(turns, self.count))
        seconds = perf_counter() - began
        return Made(window, text, sum(self.count(one.episode.content) for one in turns), seconds) if text else None

    async def summary(self, material: Sequence[SummarySentence], limit: int) -> SummaryText | None:
        vectors = await self._vectors.of(sentence.words for sentence in material)
        return summarised(material, vectors, limit, self.count)

    async def topmost(self, made: Sequence[Made], turns: int) -> list[SummaryText]:
        """Of the windows of one session and the meta summaries over them, those that no other covers."""
        tier = [(one.window, one.text) for one in made]
        top = list[SummaryText]()
        while tier:
            known = {window.first.episode_id: text for window, text in tier}
            items = [
                CoverableSummary(id=window.first.episode_id, first=window.first, last=window.last, tokens=text.tokens)
                for window, text in tier
            ]
            plan = plan_metas(items, (), MetaPolicy(), turns=turns)
            top += [known[id_] for id_ in plan.uncovered]
            tier = [(window, await self._meta([known[id_] for id_ in window.covers])) for window in plan.new]
        return top

    async def _meta(self, below: Sequence[SummaryText]) -> SummaryText:
        believed = {one.belief_id for text in below for one in text.sentences if one.belief_id}
        material = of_summaries([text.sentences for text in below], believed, ())
        text = await self.summary(material, limit_of_meta((text.content for text in below), self.count))
        assert text is not None, "there is room for a sentence of several summaries"
        return text


# scores ---------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Coverage:
    """How many of the wanted sentences each of three ways to sum up covers."""

    wanted: int = 0
    value: int = 0
    floor: int = 0
    ceiling: int = 0

    def add(self, other: "Coverage") -> None:
        self.wanted += other.wanted
        self.value += other.value
        self.floor += other.floor
        self.ceiling += other.ceiling

    def figures(self) -> dict[str, float | None]:
        way = self.ceiling - self.floor
        return {
            "value": _share(self.value, self.wanted),
            "floor": _share(self.floor, self.wanted),
            "ceiling": _share(self.ceiling, self.wanted),
            "of_ceiling": _share(self.value, self.ceiling),
            "of_way": _share(self.value - self.floor, way) if way > 0 else None,
            "n": self.wanted,
        }


def _share(count: float, total: float) -> float:
    return round(count / total, 4) if total else 0.0


@dataclass(slots=True)
class Score:
    """The figures of one conversation, or of all."""

    observations: Coverage = field(default_factory=Coverage)
    events: Coverage = field(default_factory=Coverage)
    made: list[Made] = field(default_factory=list[Made])
    turns: int = 0
    covered: int = 0
    hits: list[bool] = field(default_factory=list[bool])
    chances: list[float] = field(default_factory=list[float])
    in_one: list[tuple[int, int, Coverage]] = field(default_factory=list[tuple[int, int, Coverage]])

    def add(self, other: "Score") -> None:
        self.observations.add(other.observations)
        self.events.add(other.events)
        self.made += other.made
        self.turns += other.turns
        self.covered += other.covered
        self.hits += other.hits
        self.chances += other.chances
        self.in_one += other.in_one

    def figures(self) -> dict[str, object]:
        kept = [1 - one.text.tokens / one.said for one in self.made]
        seconds = [one.seconds for one in self.made]
        return {
            "observation_coverage": self.observations.figures(),
            "event_coverage": self.events.figures(),
            "compression": round(mean(kept), 4),
            "least_compression": round(min(kept), 4),
            "summary_in_top5": _share(sum(self.hits), len(self.hits)),
            "summary_in_top5_by": "cosine of question and summary, no service",
            "by_chance": round(mean(self.chances), 4),
            "seconds_per_100_turns": round(100 * sum(seconds) / self.covered, 4),
            "seconds_per_window": {key: round(value / 1000, 4) for key, value in _milliseconds(seconds).items()},
            "windows": len(self.made),
            "turns": self.turns,
            "verbatim_turns": self.turns - self.covered,
            "questions": len(self.hits),
            "one_session": self._of_one_session(),
        }

    def _of_one_session(self) -> dict[str, object]:
        covered = Coverage()
        for _, _, coverage in self.in_one:
            covered.add(coverage)
        said, kept = (sum(one[at] for one in self.in_one) for at in (0, 1))
        return {"turns_by_summaries": round(said / kept, 1), "observation_coverage": _share(covered.value, covered.wanted)}


def _milliseconds(seconds: Sequence[float]) -> dict[str, float]:
    found = summary([1000 * value for value in seconds])
    return {key: found[key] for key in ("p50", "p95")}


class Judge:
    """Holds summaries against what the file says."""

    def __init__(self, vectors: Vectors, summariser: Summariser) -> None:
        self._vectors = vectors
        self._summariser = summariser

    async def session(self, session: Session, made: Sequence[Made]) -> Score:
        ours = [line for one in made for line in one.text.lines]
        floor = [*self._first_sentences(session, sum(one.text.tokens for one in made))]
        own = [session.own_summary[start:end] for start, end in sentences(session.own_summary)]
        return Score(
            observations=await self.coverage(session.observations, ours, floor, own),
            events=await self.coverage(session.events, ours, floor, own),
            made=list(made),
            turns=len(session.turns),
            covered=sum(len(one.window.covers) for one in made),
        )

    def _first_sentences(self, session: Session, room: int) -> Iterator[str]:
        for stored in session.turns:
            start, end = next(sentences(stored.episode.content), (0, 0))
            line = f"{stored.episode.speaker}: {stored.episode.content[start:end]}"
            room -= self._summariser.count(line)
            if room < 0:
                return
            yield line

    async def coverage(
        self, wanted: Sequence[str], ours: Sequence[str], floor: Sequence[str] = (), own: Sequence[str] = ()
    ) -> Coverage:
        return Coverage(len(wanted), *[await self._covered(wanted, lines) for lines in (ours, floor, own)])

    async def _covered(self, wanted: Sequence[str], lines: Sequence[str]) -> int:
        if not wanted or not lines:
            return 0
        best = (await self._vectors.matrix(wanted) @ (await self._vectors.matrix(lines)).T).max(axis=1)
        return int((best >= COSINE).sum())

    async def found(self, questions: Sequence[Question], made: Sequence[Made], dialogue: Mapping[str, str]) -> Score:
        """Whether the nearest summaries of a conversation cover evidence of each question that has any in one."""
        covers = [{dialogue[id_] for id_ in one.window.covers} for one in made]
        known = {turn for turns in covers for turn in turns}
        asked = [question for question in questions if question.evidence & known]
        near = await self._vectors.matrix([one.text for one in asked])
        scores = near @ (await self._vectors.matrix([one.text.content for one in made])).T
        first = [[int(at) for at in row[:TOP]] for row in np.argsort(-scores, axis=1, kind="stable")]
        right = [[bool(question.evidence & turns) for turns in covers] for question in asked]
        return Score(
            hits=[any(each[at] for at in places) for each, places in zip(right, first, strict=True)],
            chances=[1 - comb(len(each) - sum(each), TOP) / comb(len(each), TOP) for each in right],
        )


# measuring ------------------------------------------------------------------------------------------------------------


async def read(sessions: Sequence[Session]) -> None:
    """Let the extractor read each session."""
    extractor = OfflineExtractor()
    extractor.warm()
    for number, session in enumerate(sessions, 1):
        done = Read()
        await done.add(extractor, {(session.conversation, one.id): one.episode for one in session.turns})
        session.fragments = {turn[1]: fragment for turn, fragment in done.fragments.items()}
        if number % 20 == 0:
            say(f"  {number} of {len(sessions)} sessions read")


async def measure(told: Conversations, dump: Path | None) -> dict[str, object]:
    await read(told.sessions)
    embedder = LocalEmbedder(EmbeddingSettings(model=MODEL))
    embedder.warm()
    vectors = Vectors(embedder)
    summariser = Summariser(vectors)
    judge = Judge(vectors, summariser)
    whole, each = Score(), dict[str, object]()
    try:
        for name, questions in told.questions.items():
            of_it = [session for session in told.sessions if session.conversation == name]
            score = await _conversation(of_it, questions, summariser, judge)
            each[name] = score.figures()
            whole.add(score)
            say(f"{name}: {each[name]}")
    finally:
        embedder.close()
    if dump:
        dump.write_text("\n\n".join(one.text.content for one in whole.made), "utf-8")
    return {"offline": {**whole.figures(), "by_conversation": each}}


async def _conversation(
    sessions: Sequence[Session], questions: Sequence[Question], summariser: Summariser, judge: Judge
) -> Score:
    score = Score()
    dialogue = {id_: turn for session in sessions for id_, turn in session.dialogue.items()}
    known = [belief for session in sessions for belief in beliefs(session)]
    for session in sessions:
        made = await summariser.windows(session.turns, [*beliefs(session)])
        score.add(await judge.session(session, made))
    score.add(await judge.found(questions, score.made, dialogue))
    turns = [stored for session in sessions for stored in session.turns]
    made = await summariser.windows(turns, known)
    top = await summariser.topmost(made, len(turns))
    covered = await judge.coverage(
        [sentence for session in sessions for sentence in session.observations], [line for text in top for line in text.lines]
    )
    score.in_one.append((sum(one.said for one in made), sum(text.tokens for text in top), covered))
    return score


def main(options: Namespace) -> None:
    if options.url:
        raise SystemExit("Summaries are made in this process; it takes no --url.")
    if not options.data.is_file():
        raise SystemExit(f"{options.data} is absent: nothing was measured.")
    told = conversations(options.data)
    if not told.sessions:
        raise SystemExit(f"{options.data} holds no session.")
    tell(asyncio.run(measure(told, options.dump)), as_json=options.json)


if __name__ == "__main__":
    arguments = parser(__doc__ or "")
    arguments.add_argument("--data", type=Path, required=True, help="conversations in the form of LoCoMo")
    arguments.add_argument("--dump", type=Path, help="write every summary to this file")
    main(arguments.parse_args())
