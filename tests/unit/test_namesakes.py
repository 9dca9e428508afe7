"""Which of several of one name is meant by what it is said to be: only of names that are known to mean two things."""

from datetime import UTC, datetime

import pytest

from graphmem.model.entity import TypedBy
from graphmem.model.fragment import ThingName
from graphmem.resolve.namesakes import entity_of, qualifier_of

AT = datetime(2025, 1, 1, tzinfo=UTC)


def id_of(name: str, type_: str, qualifier: str = "") -> str:
    return entity_of("g", ThingName(name, type_, qualifier), AT, TypedBy.WORDS).id


def test_one_name_is_one_thing_whatever_it_is_taken_for() -> None:
    for name in ("Initech", "Lyon", "Anna", "Tesla", "C#"):
        assert len({id_of(name, type_) for type_ in ("person", "place", "organization", "product", "concept")}) == 1


def test_a_place_or_a_firm_of_a_persons_name_is_another_one(subtests: pytest.Subtests) -> None:
    for name, type_ in (("Washington", "place"), ("JORDAN", "city"), ("paris", "gpe"), ("Ford", "company")):
        with subtests.test(name=name):
            ids = {id_of(name, "person"), id_of(name, "concept"), id_of(name, type_)}
            assert len(ids) == 2
            assert id_of(name.casefold(), type_) in ids
    assert id_of("George Washington", "person") == id_of("George Washington", "place")


def test_an_id_that_a_caller_gives_stands_above_it() -> None:
    assert qualifier_of(ThingName("Washington", "place", "maps:7")) == "maps:7"
    assert id_of("Washington", "place", "maps:7") == id_of("Washington", "person", "maps:7")
