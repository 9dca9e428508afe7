"""How much of what people tell each other is read without a language model, against sentences that somebody wrote.

    python -m bench.reading --data FILE --json [--dump FILE]

Reads conversations in the form of LoCoMo: dated sessions of turns, and observations, each a sentence about one speaker
with the turns (`dia_id`) that it rests on. Every turn goes through the extractor in this process, a session at a time.

An observation is covered at least as well as c if a claim that is quoted from one of its turns, about that speaker or
about somebody or something of theirs, has a statement whose embedding (MiniLM) has a cosine of c or more with that of
the observation; `any` asks for such a claim only. Of theirs is what is named after them (“Ana's sister”) and what a
claim of the conversation ties to them as had, owned or related. `curated` counts the same without open claims,
`chance` with the claims of some other turn of the speaker instead (the mean of 20 seeded draws), `by_confidence` only
claims that are so sure. `claims_per_turn` and `turns_with_claim` count all claims, `predicates` the names of open ones,
`entities_per_100_turns` what claims and mentions name, by name once a conversation; `entities_met_twice` is the share
of those that two turns name.
"""

import asyncio
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.common import parser, say, tell
from bench.extraction import in_context
from graphmem.embed.local import LocalEmbedder
from graphmem.extract.offline.extractor import OfflineExtractor
from graphmem.model.claim import status_of
from graphmem.model.entity import normalise_name
from graphmem.model.episode import Episode
from graphmem.model.fragment import Context, Fragment, ProposedClaim
from graphmem.settings.recall import EmbeddingSettings

MODEL = "all-MiniLM-L6-v2"
COSINES = (0.5, 0.6, 0.7)
CONFIDENCES = (0.0, 0.5, 0.6, 0.7, 0.8)
DRAWS = 20
TIES = frozenset({"has", "owns", "pet", "partner", "child", "parent", "sibling", "friend", "boss"})
"""Predicates whose other end is the speaker's."""

_DATE = "%I:%M %p on %d %B, %Y"
_DIALOGUE = re.compile(r"D\d+:\d+")

Vector = NDArray[np.float32]
Turn = tuple[str, str]
"""A turn by the conversation and its dia_id."""


# the conversations ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Observation:
    speaker: str
    sentence: str
    turns: tuple[Turn, ...]


@dataclass(slots=True)
class Data:
    """Sessions of turns, and observations; what could not be read is in ``skipped``."""

    sessions: list[dict[Turn, Episode]] = field(default_factory=list[dict[Turn, Episode]])
    observations: list[Observation] = field(default_factory=list[Observation])
    skipped: list[str] = field(default_factory=list[str])

    def read(self, path: Path) -> None:
        if not path.is_file():
            self._skip(f"{path} is absent")
            return
        for told in json.loads(path.read_text("utf-8")):
            self.sessions += _sessions(told)
            self._observe(told)

    def _observe(self, told: Mapping[str, Any]) -> None:
        known = {turn for session in self.sessions for turn in session}
        for observation in _observations(told):
            turns = tuple(turn for turn in observation.turns if turn in known)
            if not turns:
                self._skip(f"{told['sample_id']}: no turn of {observation.sentence!r}")
            else:
                self.observations.append(Observation(observation.speaker, observation.sentence, turns))

    def _skip(self, what: str) -> None:
        say(f"skipped: {what}")
        self.skipped.append(what)


def _sessions(told: Mapping[str, Any]) -> Iterator[dict[Turn, Episode]]:
    conversation = told["conversation"]
    number = 1
    while f"session_{number}" in conversation:
        at = datetime.strptime(conversation[f"session_{number}_date_time"], _DATE).replace(tzinfo=UTC)
        name = f"{told['sample_id']}-{number}"
        yield {
            (told["sample_id"], turn["dia_id"]): Episode(
                group_id="bench", session=name, content=turn["text"], occurred_at=at, speaker=turn["speaker"]
            )
            for turn in conversation[f"session_{number}"]
        }
        number += 1


def _observations(told: Mapping[str, Any]) -> Iterator[Observation]:
    for of_session in told["observation"].values():
        for speaker, observed in of_session.items():
            for sentence, where in observed:
                turns = _DIALOGUE.findall(where if isinstance(where, str) else " ".join(where))
                yield Observation(speaker, sentence, tuple((told["sample_id"], turn) for turn in turns))


# what is read ---------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Read:
    """What the extractor made of each turn, and how long it took."""

    episodes: dict[Turn, Episode] = field(default_factory=dict[Turn, Episode])
    fragments: dict[Turn, Fragment] = field(default_factory=dict[Turn, Fragment])
    seconds: float = 0.0

    async def add(self, extractor: OfflineExtractor, session: Mapping[Turn, Episode]) -> None:
        sources: list[tuple[Episode, Context]] = list(in_context(list(session.values()), extractor.context_turns))
        began = perf_counter()
        fragments = await extractor.extract_each(sources)
        self.seconds += perf_counter() - began
        self.episodes.update(session)
        self.fragments.update(zip(session, fragments, strict=True))

    def claims(self) -> Iterator[tuple[Turn, ProposedClaim]]:
        return ((turn, claim) for turn, fragment in self.fragments.items() for claim in fragment.claims)

    def entities(self) -> Counter[tuple[str, str]]:
        """In how many turns each is named, by conversation and name."""
        return Counter(
            (turn[0], name)
            for turn, fragment in self.fragments.items()
            for name in {normalise_name(name) for name in _names(fragment)}
        )


def _names(fragment: Fragment) -> Iterator[str]:
    yield from (mention.entity.name for mention in fragment.mentions)
    yield from (end.name for claim in fragment.claims for end in (claim.subject, claim.object) if end)


def tied(claims: Iterable[tuple[Turn, ProposedClaim]]) -> Mapping[str, frozenset[str]]:
    """For each name, by conversation, those that a claim ties to it."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for (conversation, _), claim in claims:
        if claim.predicate in TIES and claim.object:
            found[f"{conversation} {claim.subject.name}"].add(claim.object.name)
            found[f"{conversation} {claim.object.name}"].add(claim.subject.name)
    return {name: frozenset(others) for name, others in found.items()}


def is_about(claim: ProposedClaim, speaker: str, others: frozenset[str]) -> bool:
    """Whether a claim is about the speaker, or about what is theirs."""
    name = claim.subject.name
    ends = {name, claim.object.name if claim.object else name}
    return speaker in ends or name.startswith(f"{speaker}'s ") or bool(others & ends)


# scores ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Scores:
    """How close the claims of turns come to the observations. ``vectors`` are those of sentences and statements."""

    observations: Sequence[Observation]
    claims: Mapping[Turn, Sequence[ProposedClaim]]
    others: Mapping[str, frozenset[str]]
    vectors: Mapping[str, Vector]

    def best(self, observation: Observation, turns: Iterable[Turn], *, least: float, opened: bool = True) -> float:
        """The cosine of the closest claim in any of the turns; -1 where there is none."""
        others = self.others.get(f"{observation.turns[0][0]} {observation.speaker}", frozenset())
        statements = [
            claim.statement
            for turn in turns
            for claim in self.claims.get(turn, ())
            if claim.confidence >= least and (opened or not claim.open) and is_about(claim, observation.speaker, others)
        ]
        wanted = self.vectors[observation.sentence]
        return max((float(wanted @ self.vectors[statement]) for statement in statements), default=-1.0)

    def all_best(self, *, least: float = 0.0, opened: bool = True) -> list[float]:
        return [self.best(each, each.turns, least=least, opened=opened) for each in self.observations]

    def by_chance(self, turns_of: Mapping[tuple[str, str], Sequence[Turn]], seed: int) -> list[float]:
        """The same with some other turn of the speaker instead of those that the observation rests on."""
        draw = random.Random(seed)  # noqa: S311 - no secret depends on it
        best: list[float] = []
        for each in self.observations:
            others = [turn for turn in turns_of[each.turns[0][0], each.speaker] if turn not in each.turns]
            best.append(self.best(each, [draw.choice(others)] if others else [], least=0.0))
        return best


def coverage(best: Sequence[float], *cosines: float) -> dict[str, float]:
    """The share of observations that a claim comes as close to as each of the cosines."""
    return {f"{cosine:.2f}": share(sum(each >= cosine for each in best), len(best)) for cosine in cosines}


def with_any(best: Sequence[float], *cosines: float) -> dict[str, float]:
    return {"any": share(sum(each > -1.0 for each in best), len(best)), **coverage(best, *cosines)}


def share(count: float, total: float) -> float:
    return round(count / total, 4) if total else 0.0


def mean(figures: Sequence[Mapping[str, float]]) -> dict[str, float]:
    return {key: share(sum(each[key] for each in figures), len(figures)) for key in figures[0]}


def status(claim: ProposedClaim) -> str:
    """What a claim's clause asserts, by its predicate."""
    return status_of(claim.predicate, is_open=claim.open)


# measuring ------------------------------------------------------------------------------------------------------------


def figures(scores: Scores, read: Read) -> dict[str, object]:
    claims = [claim for _, claim in read.claims()]
    opened = [claim for claim in claims if claim.open]
    turns_of: defaultdict[tuple[str, str], list[Turn]] = defaultdict(list)
    for turn, episode in read.episodes.items():
        turns_of[turn[0], episode.speaker or ""].append(turn)
    say("Drawing at random …")
    draws = [coverage(scores.by_chance(turns_of, seed), *COSINES[1:]) for seed in range(DRAWS)]
    turns, entities = len(read.episodes), read.entities()
    return {
        "coverage": with_any(scores.all_best(), *COSINES),
        "chance": mean(draws),
        "curated": with_any(scores.all_best(opened=False), COSINES[-1]),
        "by_confidence": [_at_least(scores, claims, least) for least in CONFIDENCES],
        "claims_per_turn": share(len(claims), turns),
        "turns_with_claim": share(sum(bool(each.claims) for each in read.fragments.values()), turns),
        "predicates": len({claim.predicate for claim in opened}),
        "entities_per_100_turns": share(100 * len(entities), turns),
        "entities_met_twice": share(sum(count > 1 for count in entities.values()), len(entities)),
        "ms_per_turn": share(1000 * read.seconds, turns),
        "by_status": dict(Counter(map(status, opened)).most_common()),
        "n": len(scores.observations),
    }


def _at_least(scores: Scores, claims: Sequence[ProposedClaim], least: float) -> dict[str, float | int]:
    sure = sum(claim.confidence >= least for claim in claims)
    return {"least": least, "claims": sure, **coverage(scores.all_best(least=least), COSINES[-1])}


async def embedded(texts: Iterable[str]) -> Mapping[str, Vector]:
    each = sorted(set(texts))
    embedder = LocalEmbedder(EmbeddingSettings(model=MODEL))
    try:
        vectors = await embedder.embed(each)
    finally:
        embedder.close()
    return {text: np.asarray(vector, dtype=np.float32) for text, vector in zip(each, vectors, strict=True)}


def dumped(read: Read) -> Iterator[str]:
    """A line of JSON for each claim."""
    for (conversation, dialogue), claim in read.claims():
        yield json.dumps(
            {
                "conversation": conversation,
                "dia_id": dialogue,
                "subject": claim.subject.name,
                "speaker": read.episodes[conversation, dialogue].speaker,
                "predicate": claim.predicate,
                "object": claim.object.name if claim.object else None,
                "value": claim.value,
                "statement": claim.statement,
                "status": status(claim),
                "open": claim.open,
                "quote": [claim.quote_start, claim.quote_end],
            },
            default=str,
        )


def _write(dump: Path, read: Read) -> None:
    dump.write_text("".join(f"{line}\n" for line in dumped(read)), "utf-8")


async def measure(data: Data, dump: Path | None) -> dict[str, object]:
    extractor, read = OfflineExtractor(), Read()
    extractor.warm()
    for number, session in enumerate(data.sessions, 1):
        await read.add(extractor, session)
        if number % 20 == 0:
            say(
                f"  {number} of {len(data.sessions)} sessions, {1000 * read.seconds / len(read.episodes):.1f} ms a turn"
            )
    if dump:
        _write(dump, read)
    say("Embedding statements …")
    told = [claim.statement for _, claim in read.claims()]
    vectors = await embedded([*told, *(each.sentence for each in data.observations)])
    claims = {turn: fragment.claims for turn, fragment in read.fragments.items()}
    return figures(Scores(data.observations, claims, tied(read.claims()), vectors), read)


def main() -> None:
    arguments = parser(__doc__ or "")
    arguments.add_argument("--data", type=Path, required=True, help="conversations in the form of LoCoMo")
    arguments.add_argument("--dump", type=Path, help="write every claim to this file, a line of JSON each")
    options = arguments.parse_args()
    if options.url:
        raise SystemExit("Reading runs in this process; it takes no --url.")
    data = Data()
    data.read(options.data)
    if not data.observations:
        raise SystemExit(f"{options.data} holds no observation.")
    tell(asyncio.run(measure(data, options.dump)), as_json=options.json)
    if data.skipped:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
