"""The provider that reads with the trained reader."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from graphmem.extract.findings import Findings
from graphmem.extract.offline.claims.proposals import GroundedClaim, ReadTurn, proposals
from graphmem.extract.offline.claims.subjects import Speakers
from graphmem.extract.offline.claims.turns import PlacedTurn, turns
from graphmem.extract.offline.dates.episode import dates_of_episode
from graphmem.extract.offline.dates.spoken import spoken_dates
from graphmem.extract.offline.providers import SaidText
from graphmem.extract.reader.claims import TurnClaim
from graphmem.extract.reader.layout import SpokenTurn
from graphmem.extract.speakers import speaker_of
from graphmem.model.episode import Episode
from graphmem.model.fragment import Context, ThingName


class TurnReader(Protocol):
    """Turns in, claims out: the trained reader."""

    def warm(self) -> None: ...

    def read(self, turns: Sequence[SpokenTurn]) -> Sequence[Sequence[TurnClaim]]:
        """The claims of each turn."""
        ...


class ReaderProvider:
    """Claims by a small encoder. Loads its model with ``warm``, or by the first episode."""

    name = "reader"

    def __init__(self, reader: TurnReader) -> None:
        self._reader = reader

    def warm(self) -> None:
        """Load the model now (a quarter of a second, in the calling thread)."""
        self._reader.warm()

    def read(self, episode: Episode, text: str, context: Context) -> Findings:
        (found,) = self.read_each([SaidText(episode, text, context)])
        return found

    def read_each(self, sources: Sequence[SaidText]) -> list[Findings]:
        """What ``read`` finds in each; the turns of all are read together, which takes less time."""
        told = [_Told(*source) for source in sources]
        claims = iter(self._reader.read([each.turn for one in told for each in one.turns]))
        return [one.findings([next(claims) for _ in one.turns]) for one in told]


@dataclass(frozen=True)
class _Told:
    """A text as its speaker says it."""

    episode: Episode
    text: str
    context: Context

    @cached_property
    def speaker(self) -> ThingName | None:
        return speaker_of(self.episode)

    @cached_property
    def turns(self) -> list[PlacedTurn]:
        return list(turns(self.episode, self.text, self.context, self.speaker.name if self.speaker else ""))

    def findings(self, read: Sequence[Sequence[TurnClaim]]) -> Findings:
        """What stands of the claims that were read of each turn."""
        found = [each for turn, claims in zip(self.turns, read, strict=True) for each in self._grounded(turn, claims)]
        return Findings(tuple(span for each in found for span in each.spans), tuple(each.claim for each in found))

    def _grounded(self, placed: PlacedTurn, claims: Sequence[TurnClaim]) -> Iterator[GroundedClaim]:
        own = self.episode.role.is_human
        dates = spoken_dates(self.text, self.episode.local_time, dates_of_episode(self.episode, self.context))
        speakers = Speakers(self.speaker if own else None, self.context.known)
        return proposals(ReadTurn(placed.turn.text, placed.start, dates, speakers, own=own), claims)
