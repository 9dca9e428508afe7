"""Conversations in the form of LoCoMo as summaries need them: sessions of turns, and what the file says of each."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bench.common import say
from bench.locomo import evidence
from bench.reading import Data, Read, Turn
from graphmem.extract.offline.extractor import OfflineExtractor
from graphmem.model.belief import BeliefRow, Support
from graphmem.model.claim import attributes_json
from graphmem.model.dates import written_days
from graphmem.model.episode import Episode, EpisodeStatus, StoredEpisode
from graphmem.model.fragment import Fragment, ProposedClaim
from graphmem.model.ids import digest
from graphmem.model.interval import END


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
        if turns := evidence(asked["evidence"]):
            yield Question(asked["question"], turns)


def _stored(said: Episode) -> StoredEpisode:
    return StoredEpisode(
        id=said.id,
        episode=said,
        status=EpisodeStatus.DIGESTED,
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
    cited = Support(
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
        evidence=(cited,),
    )


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
