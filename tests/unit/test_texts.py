"""Texts of one external id: whatever comes twice, or late, the last edit has the name."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.episode import Episode, EpisodeStatus, StoredText, edited, newest, text_already_there

FIRST = Episode(
    group_id="g", session="s", content="", occurred_at=datetime(2025, 5, 3, tzinfo=UTC), user="ann", external_id="1"
)


def text(content: str, key: str | None = None) -> Episode:
    return replace(FIRST, content=content, idempotency_key=key)


def put(texts: Sequence[StoredText], episode: Episode) -> list[StoredText]:
    """The texts once this one was put, as the store does it."""
    if there := text_already_there(episode, texts, {episode.fingerprint}):
        keys = tuple(dict.fromkeys((*there.put_keys, *episode.put_keys)))
        return [replace(one, put_keys=keys) if one == there else one for one in texts]
    new = edited(episode, texts)
    stored = StoredText(
        id=new.id,
        fingerprint=new.fingerprint,
        occurred_at=new.occurred_at,
        put_keys=new.put_keys,
        position=new.position or 0,
        status=EpisodeStatus.PENDING,
        replaced_by=None,
    )
    return [*(replace(old, replaced_by=old.replaced_by or new.id) for old in texts), stored]


def all_put(episodes: Iterable[Episode]) -> list[StoredText]:
    texts: list[StoredText] = []
    for episode in episodes:
        texts = put(texts, episode)
    return texts


@given(st.lists(st.sampled_from("abcde"), unique=True, min_size=1), st.data())
def test_a_retry_changes_nothing_however_late_it_comes(contents: list[str], data: st.DataObject) -> None:
    edits = [text(content) for content in contents]
    sent: list[Episode] = []
    for number, edit in enumerate(edits):
        sent += [edit, *data.draw(st.lists(st.sampled_from(edits[: number + 1]), max_size=3))]

    assert all_put(sent) == all_put(edits)
    last = newest(all_put(sent))
    assert last is not None
    assert last.fingerprint == edits[-1].fingerprint


@given(st.lists(st.sampled_from("abc"), min_size=1))
def test_each_text_has_an_id_of_its_own_and_the_first_that_of_the_name(contents: list[str]) -> None:
    texts = all_put(text(content, key=f"edit {number}") for number, content in enumerate(contents))
    ids = [stored.id for stored in texts]
    changes = 1 + sum(one != other for one, other in pairwise(contents))

    assert ids[0] == FIRST.id
    assert len(ids) == len(set(ids)) == changes
    assert [stored.replaced_by for stored in texts] == [*ids[1:], None]


def test_a_text_of_before_comes_back_with_a_key_of_its_own_once() -> None:
    back = [text("a"), text("b"), text("a", key="back")]

    assert [one.fingerprint for one in all_put(back)] == [one.fingerprint for one in back]
    assert all_put([*back, text("c"), back[2], back[1]]) == all_put([*back, text("c")])


def test_a_late_retry_with_its_own_key_changes_nothing_even_of_the_first_text() -> None:
    first, second, back = text("a", key="1"), text("b", key="2"), text("a", key="3")
    sent = [
        ([first, second], [first]),
        ([first, second, back], [first, second, back]),
        ([first, back, second], [back, first]),  # that key put nothing back: it came before the edit
    ]

    for episodes, retries in sent:
        assert len(all_put(episodes)) == len(all_put([*episodes, *retries]))
    assert len(all_put([first, second, back])) == 3


@pytest.mark.parametrize(("position", "stands_at"), [(None, 7), (3, 3)])
def test_an_edited_text_stands_where_the_one_before_stood(position: int | None, stands_at: int) -> None:
    (first,) = put([], text("a"))
    new = edited(replace(text("b"), position=position), [replace(first, position=7)])

    assert (new.position, new.revises, new.external_id) == (stands_at, FIRST.id, "1")


def test_what_is_put_once_the_text_before_was_erased_replaces_nothing() -> None:
    first, second = all_put([text("a"), text("b")])
    assert second.replaced_by is None

    assert newest([first]) is None
    assert edited(text("c"), [first]).revises == FIRST.id
