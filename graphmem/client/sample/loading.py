"""Has a service read the sample conversations."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import datetime

from graphmem.client.sample import SampleTurn, trip, turns
from graphmem.client.synchronous import GraphmemClient
from graphmem.errors import Barred, OurError

GROUP = "sample"
SECONDS = 120.0


def load(client: GraphmemClient) -> datetime:
    """Load part 1 and part 2 of Maya's year and of the trip, and have them summarised.

    Returns the instant at which part 2, with its correction, became known.
    Loading it again changes nothing.
    """
    second = _tell(client, turns())
    _tell(client, trip())
    client.job(GROUP, "summarise", wait=SECONDS)
    return min(client.episode(GROUP, id_).recorded_at for id_ in second)


def _tell(client: GraphmemClient, conversation: Sequence[SampleTurn]) -> list[str]:
    """Have part 1 of a conversation read, then part 2; the ids of the episodes of part 2."""
    _digest(client, (turn for turn in conversation if turn.part == 1))
    return _digest(client, (turn for turn in conversation if turn.part != 1))


def _digest(client: GraphmemClient, part: Iterable[SampleTurn]) -> list[str]:
    bodies = [
        {
            **{name: value for name, value in asdict(turn).items() if name not in {"time", "part"}},
            "external_id": f"sample-{turn.time.isoformat()}",
            "occurred_at": turn.time.isoformat(),
            "source": "sample",
        }
        for turn in part
    ]
    accepted = client.post_episodes(GROUP, bodies)
    for refused in accepted.refused:
        raise Barred(str(refused.problem["detail"]))
    ids = [episode.id for episode in accepted.episodes]
    for episode in client.wait(GROUP, ids, seconds=SECONDS):
        if episode.status != "digested":
            raise OurError(f"An episode of the sample is {episode.status}: {episode.error or 'no worker?'}.")
    return ids
