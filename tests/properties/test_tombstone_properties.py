"""What is known again of what was forgotten: the same, and a long content of the same user; never a short one alone."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.episode import Episode, EpisodeRole
from graphmem.model.tombstone import LEAST_CHARS, Entrant, Tombstone, entrant_of, owner_id, refusals
from graphmem.trust.keys import Installation

NOW = datetime(2026, 5, 1, tzinfo=UTC)
HASH = Installation("the secret of a service under test").hash
OTHER = Installation("that of another service, as long").hash
WORDS = st.text("ab ,\"'[]", min_size=1, max_size=4)
CONTENTS = st.one_of(WORDS, st.integers(LEAST_CHARS - 1, LEAST_CHARS + 1).map(lambda size: "x" * size))
FIELDS = ("group_id", "user", "session", "content", "occurred_at", "external_id", "payload")
USERS = st.sampled_from(["", "a", "b", "a,b"])
EPISODES = st.builds(
    Episode,
    group_id=st.sampled_from(["g", "h"]),
    session=st.one_of(st.just(""), WORDS),
    content=CONTENTS,
    occurred_at=st.integers(0, 2).map(lambda hours: NOW + timedelta(hours=hours)),
    user=USERS,
    external_id=st.one_of(st.none(), WORDS),
    payload=st.sampled_from([None, "{}"]),
)


def bars(forgotten: Episode, entering: Episode) -> bool:
    """Whether an episode that comes in is refused where another one was forgotten."""
    tombstones = {
        id_: Tombstone(id=id_, owner=entrant.owner, receipt="r", recorded_at=NOW)
        for entrant in [entrant_of(HASH, forgotten)]
        for id_ in entrant.things
    }
    return bool(refusals("g", [entrant_of(HASH, entering)], tombstones))


def known_by(episode: Episode) -> tuple[object, ...]:
    """All that tells an episode from others."""
    whose = (episode.group_id, episode.user)
    if episode.external_id is not None:
        return (*whose, "named", episode.external_id)
    return (*whose, episode.session, episode.occurred_at, episode.content)


@given(EPISODES, EPISODES, st.sets(st.sampled_from(FIELDS), max_size=2))
def test_the_same_is_barred_and_a_long_content_of_the_same_user_and_nothing_else(
    one: Episode, other: Episode, fields: set[str]
) -> None:
    again = replace(one, **{field: getattr(other, field) for field in fields})
    same_words = (one.group_id, one.user, one.content) == (again.group_id, again.user, again.content)
    assert bars(one, again) == (known_by(one) == known_by(again) or (same_words and len(one.content) >= LEAST_CHARS))


@given(EPISODES, st.sampled_from(EpisodeRole), st.text(max_size=3), st.integers(0, 9))
def test_it_is_the_same_whoever_spoke_wherever_it_stood_and_however_often(
    episode: Episode, role: EpisodeRole, speaker: str, place: int
) -> None:
    again = replace(episode, role=role, speaker=speaker, sequence=place, position=place, occurrence=place)
    assert bars(episode, again)


@given(EPISODES)
def test_what_lost_its_words_before_it_is_forgotten_is_known_by_the_hashes_that_it_kept(episode: Episode) -> None:
    redacted = replace(episode, content="", redacted_as=entrant_of(HASH, episode).things)
    assert bars(redacted, episode)


@given(EPISODES)
def test_hashes_hold_no_word_and_are_those_of_one_installation(episode: Episode) -> None:
    own, foreign = entrant_of(HASH, episode), entrant_of(OTHER, episode)
    assert all(len(id_) == 32 and int(id_, 16) >= 0 for id_ in own.ids)
    assert not set(own.ids) & set(foreign.ids)


@given(EPISODES, USERS.filter(bool))
def test_whoever_opted_out_is_told_so_and_nobody_else_is_kept_out(episode: Episode, user: str) -> None:
    owner = owner_id(HASH, "g", user)
    closed = {owner: Tombstone(id=owner, owner=owner, receipt="", recorded_at=NOW)}
    refused = refusals("g", [entrant_of(HASH, episode)], closed)
    assert [error.slug for error in refused.values()] == ["opted-out"] * (
        (episode.group_id, episode.user) == ("g", user)
    )


def test_nobody_opts_out_for_everybody() -> None:
    assert owner_id(HASH, "g", "") == ""
    assert Entrant(episode_id="e", user="", owner="", things=("t",)).ids == ("t",)
