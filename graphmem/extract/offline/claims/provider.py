"""The provider that reads with the trained reader."""

from collections.abc import Iterator

from graphmem.extract.findings import Findings
from graphmem.extract.offline.claims.proposals import GroundedClaim, ReadTurn, proposals
from graphmem.extract.offline.claims.subjects import Speakers
from graphmem.extract.offline.claims.turns import turns
from graphmem.extract.offline.dates.episode import dates_of_episode
from graphmem.extract.offline.dates.spoken import spoken_dates
from graphmem.extract.reader.reading import TrainedReader
from graphmem.extract.speakers import speaker_of
from graphmem.model.episode import Episode
from graphmem.model.fragment import Context


class ReaderProvider:
    """Claims by a small encoder. Loads its model with ``warm``, or by the first episode."""

    name = "reader"

    def __init__(self, reader: TrainedReader | None = None) -> None:
        self._reader = reader or TrainedReader()

    def warm(self) -> None:
        """Load the model now (a quarter of a second, in the calling thread)."""
        self._reader.warm()

    def read(self, episode: Episode, text: str, context: Context) -> Findings:
        found = list(self._proposals(episode, text, context))
        return Findings(tuple(span for each in found for span in each.spans), tuple(each.claim for each in found))

    def _proposals(self, episode: Episode, text: str, context: Context) -> Iterator[GroundedClaim]:
        speaker = speaker_of(episode)
        placed = list(turns(episode, text, context, speaker.name if speaker else ""))
        dates = spoken_dates(text, episode.local_time, dates_of_episode(episode, context))
        speakers = Speakers(speaker if episode.role.is_human else None, context.known)
        read = self._reader.read([each.turn for each in placed])
        for each, claims in zip(placed, read, strict=True):
            turn = ReadTurn(each.turn.text, each.start, dates, speakers, own=episode.role.is_human)
            yield from proposals(turn, claims)
