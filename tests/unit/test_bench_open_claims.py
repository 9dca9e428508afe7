"""What the benchmark of open claims tells: enough, nothing twice, and each sentence one open claim."""

from datetime import UTC, datetime
from itertools import islice

from bench.open_claims import GROWTH, sentences, speakers
from graphmem.model.episode import Episode
from tests.models import opened


def test_there_is_enough_to_tell_and_nothing_twice() -> None:
    told = list(sentences(1))

    assert len(set(told)) == len(told) > 10_000 * (1 + 1 / GROWTH)
    assert told != list(sentences(2))


def test_no_speaker_takes_more_further_turns_than_a_fifth_of_its_claims() -> None:
    told = speakers([10, 1_000], 100)

    assert {size: len(some) for size, some in told.items()} == {10: 50, 1_000: 1}
    assert len({speaker.name for some in told.values() for speaker in some}) == 51


async def test_each_sentence_is_one_open_claim() -> None:
    text = " ".join(islice(sentences(1), 40))
    at = datetime(2025, 1, 1, tzinfo=UTC)
    read = await opened().extract(Episode(group_id="g", session="s", content=text, occurred_at=at, speaker="Bado Kimu"))

    assert [claim.open for claim in read.claims] == [True] * 40
    assert {claim.predicate for claim in read.claims} == {"did", "went_to", "made", "repaired", "hiked"}
