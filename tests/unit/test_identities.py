import re
from datetime import UTC, datetime

import pytest

from graphmem.model.entity import Entity, TypedBy, normalise_name
from graphmem.model.episode import Episode, in_order
from graphmem.model.ids import digest, group_token

NOON = datetime(2025, 1, 1, 12, tzinfo=UTC)


def episode(**changes: object) -> Episode:
    return Episode(**{"group_id": "g", "session": "s", "content": "Hi", "occurred_at": NOON, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["Zürich", "ZÜRICH", " zürich ", "Zu\u0308rich", "ｚürich"])
def test_spellings_of_one_name_have_one_key(name: str) -> None:
    assert normalise_name(name) == "zürich"


@pytest.mark.parametrize(("one", "other"), [("Room 101", "Room 102"), ("Tigran", "Iran"), ("UA123", "UA124")])
def test_names_that_differ_are_different(one: str, other: str) -> None:
    assert normalise_name(one) != normalise_name(other)


def test_parts_of_an_identity_do_not_run_together() -> None:
    assert len({digest("a", "bc"), digest("ab", "c"), digest("a", "b", "c"), digest(1, "1"), digest("1", 1)}) == 5


def test_a_group_token_is_one_opaque_word_that_no_analyzer_changes() -> None:
    assert re.fullmatch(r"[0-9a-f]+[0-9]", group_token("team-1"))
    assert group_token("team") != group_token("teams")


@pytest.mark.parametrize(
    "change",
    [
        {"content": "Ho"},
        {"session": "t"},
        {"role": "assistant"},
        {"sequence": 2},
        {"occurred_at": NOON.replace(hour=1)},
    ],
)
def test_another_content_time_session_role_or_sequence_is_another_episode(change: dict[str, object]) -> None:
    assert episode().id == episode().id != episode(**change).id


def test_the_place_in_a_list_is_no_part_of_the_identity_and_tells_the_order() -> None:
    listed = in_order([episode(content=content) for content in ("yes", "no", "yes", "yes")])
    again = in_order(one for one in listed[2:])

    assert [(one.position, one.occurrence) for one in listed] == [(0, 0), (1, 0), (2, 1), (3, 2)]
    assert [one.id for one in listed[:2]] == [episode(content="yes").id, episode(content="no").id]
    assert len({one.id for one in listed}) == len(listed)
    assert again == listed[2:]
    assert [one.turn for one in listed] == sorted(one.turn for one in reversed(listed))
    assert episode(sequence=1).turn > listed[-1].turn == (-1, 3)


def test_only_equal_messages_that_nobody_named_are_told_apart() -> None:
    listed = in_order(
        [episode(), episode(speaker="Ann"), episode(external_id="7"), episode(external_id="7"), episode()]
    )
    keyed = in_order([episode(idempotency_key="k", item=item) for item in range(2)])

    assert [one.occurrence for one in listed] == [0, 0, 0, 0, 1]
    assert [one.occurrence for one in keyed] == [0, 0]


def test_an_external_id_is_the_identity_whatever_the_content() -> None:
    assert episode(external_id="7").id == episode(external_id="7", content="Ho").id


def test_names_of_callers_are_their_users_own_and_those_of_claims_and_lists_their_own() -> None:
    named = [
        episode(user=user, external_id=name, payload=payload)
        for user in ("", "ann", "bo")
        for name in "12"
        for payload in (None, "{}")
    ]
    keyed = [
        episode(user=user, idempotency_key=key, item=item)
        for user in ("", "ann", "bo")
        for key, item in (("1", None), ("1", 0), ("1/0", None), ("2", None))
    ]
    assert len({one.id for one in (*named, *keyed)}) == 12 + 12


def test_a_bare_name_is_one_entity_whatever_it_is_taken_for() -> None:
    acme = [
        Entity(group_id="g", type=type_, name="Acme", first_seen=NOON, typed_by=typed_by)
        for type_ in ("organization", "person", "thing", "")
        for typed_by in TypedBy
    ]
    assert len({each.id for each in acme}) == 1


def test_those_of_one_name_are_told_apart_by_their_qualifier() -> None:
    annas = [
        Entity(group_id="g", type="person", name=name, first_seen=NOON, qualifier=qualifier)
        for name in ("Anna", "ANNA")
        for qualifier in ("", "crm:1", "crm:2", "erp:1")
    ]
    assert len({anna.id for anna in annas}) == 4
