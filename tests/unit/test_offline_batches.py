"""Many episodes read at once say what each says by itself."""

from graphmem.extract.offline.extractor import OfflineExtractor
from graphmem.extract.offline.providers import Strategy
from graphmem.model.fragment import ALONE, BatchExtractor
from tests.talks import written_turns

EPISODES = [turn.episode("talks") for turn in written_turns()]


async def test_many_at_once_are_read_as_each_by_itself(offline: OfflineExtractor) -> None:
    assert isinstance(offline, BatchExtractor)

    together = await offline.extract_each([(episode, ALONE) for episode in EPISODES])

    assert together == [await offline.extract(episode) for episode in EPISODES]
    assert sum(len(fragment.claims) for fragment in together) > 5


async def test_without_a_parser_too() -> None:
    fast = OfflineExtractor(Strategy.FAST)

    together = await fast.extract_each([(episode, ALONE) for episode in EPISODES])

    assert together == [await fast.extract(episode) for episode in EPISODES]
