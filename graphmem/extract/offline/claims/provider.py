"""The provider that reads with the trained reader."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Protocol

from graphmem.extract.findings import Findings
from graphmem.extract.offline.claims.frame import ClaimFrame
from graphmem.extract.offline.claims.proposals import GroundedClaim, frames, proposals
from graphmem.extract.offline.claims.questions import answered
from graphmem.extract.offline.claims.read_turn import ReadTurn
from graphmem.extract.offline.claims.subjects import Speakers
from graphmem.extract.offline.claims.turns import turns
from graphmem.extract.offline.dates.episode import dates_of_episode
from graphmem.extract.offline.dates.spoken import spoken_dates
from graphmem.extract.pieces import sentences
from graphmem.extract.reader.claims import TurnClaim
from graphmem.extract.reader.layout import SpokenTurn
from graphmem.extract.speakers import IMPERSONAL, speaker_of
from graphmem.model.episode import Episode
from graphmem.model.fragment import Context


class TurnReader(Protocol):
    """A turn in, claims out: the trained reader."""

    def warm(self) -> None: ...

    def read(self, turn: SpokenTurn) -> Sequence[TurnClaim]: ...


class ReaderProvider:
    """Claims by a small encoder. Loads its model with ``warm``, or by the first episode."""

    name = "reader"

    def __init__(self, reader: TurnReader) -> None:
        self._reader = reader

    def warm(self) -> None:
        """Load the model now (a quarter of a second, in the calling thread)."""
        self._reader.warm()

    def read(self, episode: Episode, text: str, context: Context) -> Findings:
        claims = list(self._grounded(episode, text, context))
        spans = tuple(span for each in claims for span in each.spans)
        return Findings(spans, tuple(each.claim for each in claims), {each.claim: each.value for each in claims})

    def _grounded(self, episode: Episode, text: str, context: Context) -> Iterator[GroundedClaim]:
        said_before = cache(lambda: self._said_before(episode, context))
        for turn, claims in self._read(episode, text, context):
            yield from proposals(turn, claims, said_before)
        yield from self._answered(episode, text, context)

    def _answered(self, episode: Episode, text: str, context: Context) -> Iterator[GroundedClaim]:
        """What is said by a mere “yes” or “no” to what somebody else asked last, quoted from the answer."""
        asked = context.turns[-1] if context.turns else None
        if asked is None or (asked.role, asked.speaker) == (episode.role, episode.speaker):
            return
        question = asked.content.rstrip()
        said = answered(question[[*sentences(question)][-1].start :], text) if question else None
        if said is None:
            return
        whole = len(text) - len(text.lstrip()), len(text.rstrip())
        for turn, claims in self._read(episode, said, replace(context, turns=context.turns[:-1])):
            for grounded in proposals(turn, claims, list):
                claim = replace(grounded.claim, quote_start=whole[0], quote_end=whole[1])
                yield GroundedClaim(claim, whole)

    def _read(self, episode: Episode, text: str, context: Context) -> Iterator[tuple[ReadTurn, Sequence[TurnClaim]]]:
        speaker = speaker_of(episode)
        dates = spoken_dates(text, episode.local_time, dates_of_episode(episode, context))
        talk = episode.content_type not in IMPERSONAL
        speakers = Speakers(speaker if episode.role.is_human else None, context.known)
        for placed in turns(episode, text, context, speaker.name if speaker else ""):
            before = " ".join(text for _, text in placed.turn.before)
            turn = ReadTurn(placed.turn.text, placed.start, dates, speakers, talk, before)
            yield turn, self._reader.read(placed.turn)

    def _said_before(self, episode: Episode, context: Context) -> list[ClaimFrame]:
        """What the speaker said in the last turn before that they had."""
        for number, last in reversed(list(enumerate(context.turns))):
            if (last.role, last.speaker) == (episode.role, episode.speaker):
                said = replace(episode, content=last.content, occurred_at=last.occurred_at)
                known = replace(context, turns=context.turns[:number])
                return [
                    frame for turn, claims in self._read(said, last.content, known) for frame in frames(turn, claims)
                ]
        return []
