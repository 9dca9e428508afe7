"""Who “I” is: a user is a person whatever their name, others go by theirs, and an anonymous turn is nobody's."""

from datetime import UTC, datetime
from typing import Any

import pytest

from graphmem.extract.speakers import is_nobodys, owned_of, speaker_of
from graphmem.model.entity import Entity, TypedBy
from graphmem.model.episode import ContentType, Episode, EpisodeRole
from graphmem.model.fragment import ThingName
from graphmem.model.owners import Owner, Voice
from graphmem.model.persons import person_of_user

AT = datetime(2025, 5, 3, 10, tzinfo=UTC)
USER, PARTICIPANT, ASSISTANT = EpisodeRole.USER, EpisodeRole.PARTICIPANT, EpisodeRole.ASSISTANT
SYSTEM, TOOL = EpisodeRole.SYSTEM, EpisodeRole.TOOL


def said(content: str = "I live in Porto.", **fields: Any) -> Episode:
    return Episode(group_id="g", session="s", content=content, occurred_at=AT, **fields)


def person(name: str, qualifier: str = "") -> ThingName:
    return ThingName(name, "person", qualifier)


SPEAKERS: list[tuple[dict[str, Any], ThingName | None]] = [
    ({"user": "u1"}, person("u1", "user:u1")),
    ({"user": "u1", "speaker": "Zoe"}, person("Zoe", "user:u1")),
    ({"user": "u1", "speaker": "  Zoe   Berg "}, person("Zoe Berg", "user:u1")),
    ({"user": "u1", "speaker": "x" * 201}, person("u1", "user:u1")),
    ({"speaker": "Ana"}, person("Ana")),
    ({}, None),
    ({"role": PARTICIPANT, "user": "u1", "speaker": "Ana"}, person("Ana")),
    ({"role": PARTICIPANT, "speaker": "Ana"}, person("Ana")),
    ({"role": PARTICIPANT, "user": "u1"}, None),
    ({"role": ASSISTANT, "user": "u1"}, person("assistant")),
    ({"role": ASSISTANT, "user": "u1", "speaker": "Pia"}, person("Pia")),
    ({"role": SYSTEM, "user": "u1"}, person("system")),
    ({"role": TOOL, "user": "u1"}, person("tool")),
    ({"user": "u1", "content_type": ContentType.DOCUMENT}, None),
    ({"user": "u1", "speaker": "Zoe", "content_type": ContentType.DOCUMENT}, person("Zoe", "user:u1")),
]


def test_who_says_i(subtests: pytest.Subtests) -> None:
    for fields, expected in SPEAKERS:
        with subtests.test(fields=fields):
            assert speaker_of(said(**fields)) == expected


def test_whoever_speaks_for_a_user_under_whatever_name_is_one_entity(subtests: pytest.Subtests) -> None:
    def entity(user: str, called: str) -> Entity:
        name = person_of_user(user, called)
        return Entity.called("g", name.type, name.name, name.qualifier, AT, TypedBy.WORDS)

    renamed = {entity("u1", called).id for called in ("", "Sam", "Al", "ZOË")}
    for other in ("u2", "U1", "u1 ", "Sam"):
        with subtests.test(other=other):
            assert entity(other, "Sam").id not in renamed
    assert (len(renamed), entity("u1", "Sam").name) == (1, "u1")


def test_nothing_of_a_transcript_of_others_is_the_speakers() -> None:
    owned = owned_of(said("Zoe: I am here.\nAna: I am not.", user="u1"))
    assert [span.owner for span in owned if span.owner.claims] == [Owner(Voice.NAMED, "Zoe"), Owner(Voice.NAMED, "Ana")]


NOBODYS: list[tuple[dict[str, Any], bool]] = [
    ({}, True),
    ({"role": PARTICIPANT, "user": "u1"}, True),
    ({"user": "u1"}, False),
    ({"speaker": "Ana"}, False),
    ({"role": ASSISTANT}, False),
    ({"role": SYSTEM}, False),
    ({"content_type": ContentType.DOCUMENT}, False),
    ({"content_type": ContentType.EVENT}, False),
    ({"content": "Zoe: I am here.\nAna: I am not."}, False),
    ({"content": "Zoe: I am here.\nAna: I am not.\n\nI am, too."}, True),
    ({"content": "- works at Acme\n- The user prefers dark mode"}, True),
]


def test_a_human_whom_nothing_names_is_nobody(subtests: pytest.Subtests) -> None:
    for fields, expected in NOBODYS:
        with subtests.test(fields=fields):
            episode = said(**fields)
            assert is_nobodys(episode, owned_of(episode)) is expected
