"""What a digest leaves of the ones before it, for any course of readings and withdrawals."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.claim import Claim
from graphmem.model.evidence import FormerClaim, content_of, renew
from tests.properties.test_timeline_properties import claims

Reading = list[Claim]


@st.composite
def readings(draw: st.DrawFn) -> Reading:
    """Claims of one episode, each once by its words, some with another confidence than in another reading."""
    found = draw(st.lists(claims(), max_size=5, unique_by=lambda claim: (claim.episode_id, claim.words)))
    return list({claim.words: claim for claim in (replace(one, episode_id="e") for one in found)}.values())


class Episode:
    """The claims of an episode, as the store keeps them."""

    def __init__(self) -> None:
        self.claims: dict[str, FormerClaim] = {}
        self.revision = -1

    def read(self, reading: Reading) -> tuple[int, int]:
        """How many claims came and went."""
        self.revision += 1
        renewal = renew(self.claims.values(), reading, self.revision)
        for id_ in renewal.withdraw:
            assert not self.claims[id_].retracted
            self.claims[id_] = FormerClaim(self.claims[id_].claim, retracted=True, replaced=True)
        for claim in renewal.write:
            assert claim.id not in self.claims  # a claim that was withdrawn is never the one that stands
            self.claims[claim.id] = FormerClaim(claim, retracted=False, replaced=False)
        return len(renewal.write), len(renewal.withdraw)

    def withdraw(self, number: int) -> str | None:
        standing = sorted(id_ for id_, one in self.claims.items() if not one.retracted)
        if not standing:
            return None
        one = self.claims[standing[number % len(standing)]]
        self.claims[one.claim.id] = FormerClaim(one.claim, retracted=True, replaced=False)
        return one.claim.words

    def standing(self) -> set[object]:
        return {content_of(one.claim) for one in self.claims.values() if not one.retracted}


@given(st.lists(st.one_of(readings(), st.integers(0, 9)), max_size=8))
def test_what_stands_is_what_was_read_last_less_what_was_withdrawn(course: list[Reading | int]) -> None:
    episode, withdrawn, last = Episode(), set[str](), Reading()
    for step in course:
        if isinstance(step, int):
            if (words := episode.withdraw(step)) is not None:
                withdrawn.add(words)
        else:
            episode.read(step)
            last = step
        assert episode.standing() == {content_of(claim) for claim in last if claim.words not in withdrawn}


@given(readings(), st.lists(readings(), max_size=3), st.data())
def test_what_was_stated_beside_a_summary_stays_until_a_digest_says_it_otherwise(
    stated: Reading, course: list[Reading], data: st.DataObject
) -> None:
    episode = Episode()
    stated = [replace(claim, extractor="summary") for claim in stated]
    episode.claims = {claim.id: FormerClaim(claim, retracted=False, replaced=False) for claim in stated}
    taken_back, left = set[str](), {claim.words: claim for claim in stated}
    for reading in course:
        said = {claim.words: content_of(claim) for claim in reading if claim.words not in taken_back}
        left = {words: one for words, one in left.items() if said.get(words, content_of(one)) == content_of(one)}
        episode.revision = max(episode.revision, 0)
        episode.read(reading)
        if data.draw(st.booleans()) and (words := episode.withdraw(data.draw(st.integers(0, 9)))) is not None:
            taken_back.add(words)
        stands = [*left.values(), *reading]
        assert episode.standing() == {content_of(claim) for claim in stands if claim.words not in taken_back}


@given(readings(), st.lists(readings(), max_size=3))
def test_the_same_reading_again_changes_nothing(reading: Reading, before: list[Reading]) -> None:
    episode = Episode()
    for earlier in (*before, reading):
        episode.read(earlier)

    assert episode.read(reading) == (0, 0)
