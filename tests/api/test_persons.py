"""Users are persons, over the API: renamed, of one name, anonymous; and what is asked to be remembered is a fact."""

import itertools
from collections.abc import Iterator, Sequence
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphmem.extract.offline.extractor import OfflineExtractor
from tests.api.conftest import PATIENCE, OpenService, Service

NOBODY, OF_NOBODY = "Nobody is known to speak", "It is not known whom that is about"
REMEMBERED = "Tea first, questions later."


@pytest.fixture(scope="module")
def reading(open_service: OpenService) -> Iterator[Service]:
    """A service that reads offline."""
    with open_service(patience=PATIENCE, extractor=OfflineExtractor()) as opened:
        yield opened


@pytest.fixture
def group() -> str:
    return f"persons-{uuid4().hex}"


def at(day: int) -> str:
    return f"2025-05-{day:02}T10:00:00Z"


def tell(service: Service, group: str, content: str, **fields: Any) -> dict[str, Any]:
    """Hand in one episode; returns what came of it."""
    episode = {"content": content, "session": "s", "occurred_at": at(3)} | fields
    answer = service.post(f"/v1/groups/{group}/episodes", episode, wait=30)
    assert answer.is_success, answer.text
    (accepted,) = answer.json()["episodes"]
    assert accepted["status"] == "digested", accepted
    return accepted


def ask(service: Service, group: str, path: str, **asked: Any) -> Any:
    answer = service.get(f"/v1/groups/{group}/{path}", **asked)
    assert answer.status_code == 200, answer.text
    return answer.json()


def homes(service: Service, group: str, **asked: Any) -> list[tuple[str, str]]:
    """Who lives where: (the name shown, place), in order."""
    graph = ask(service, group, "graph", predicate="lives_in", **asked)
    return sorted((belief["subject"]["name"], belief["object"]["name"]) for belief in graph["beliefs"])


def profiles(context: dict[str, Any]) -> str:
    """What a context says of people."""
    return str([part for part in context["parts"] if part["entity"]])


def named(service: Service, group: str, name: str, **asked: Any) -> set[str]:
    """The entities that a name means, those that are one counted once."""
    found = ask(service, group, "entities", name=name, **asked)["entities"]
    return {one["part_of"] or one["id"] for one in found}


def test_two_users_of_one_name_are_two_people(reading: Service, group: str) -> None:
    tell(reading, group, "I live in Oslo.", user="u1", speaker="Sam")
    tell(reading, group, "I live in Porto.", user="u2", speaker="Sam")

    assert homes(reading, group, user="u1") == [("Sam", "Oslo")]
    assert homes(reading, group, user="u2") == [("Sam", "Porto")]
    assert homes(reading, group) == [("Sam", "Oslo"), ("Sam", "Porto")]
    assert named(reading, group, "Sam", user="u1").isdisjoint(named(reading, group, "Sam", user="u2"))


def test_a_user_of_many_names_is_one_person_with_a_home_at_a_time(reading: Service, group: str) -> None:
    tell(reading, group, "I live in Oslo.", user="u1", speaker="Sam", occurred_at=at(1))
    tell(reading, group, "I live in Porto.", user="u1", speaker="Samuel Ortiz", occurred_at=at(2))
    tell(reading, group, "My name is Zoe.", user="u1", occurred_at=at(3))

    assert homes(reading, group, user="u1", valid_at=at(1)) == [("Zoe", "Oslo")]
    assert homes(reading, group, user="u1", valid_at=at(4)) == [("Zoe", "Porto")]
    names = ("Sam", "Samuel Ortiz", "Zoe", "u1")
    assert len(set[str]().union(*(named(reading, group, name, user="u1") for name in names))) == 1
    profile = ask(reading, group, f"entities/{named(reading, group, 'Sam', user='u1').pop()}/profile", user="u1")
    assert {"Sam", "Samuel Ortiz", "u1"} <= {*profile["entity"]["aliases"], "u1"}
    assert profile["entity"]["name"] == "Zoe"


def test_a_user_is_shown_under_the_name_known_then_and_without_one_under_the_id(reading: Service, group: str) -> None:
    tell(reading, group, "I live in Oslo.", user="u1", occurred_at=at(1))
    assert homes(reading, group, user="u1") == [("u1", "Oslo")]
    before = ask(reading, group, "graph", user="u1")["known_at"]
    tell(reading, group, "Call me Al.", user="u1", occurred_at=at(2))

    assert homes(reading, group, user="u1") == [("Al", "Oslo")]
    assert homes(reading, group, user="u1", known_at=before) == [("u1", "Oslo")]


def test_a_bare_name_means_the_user_in_their_own_memory_alone(reading: Service, group: str) -> None:
    tell(reading, group, "Zoe lives in Oslo.", user="u1", role="assistant", occurred_at=at(1))
    tell(reading, group, "Zoe lives in Rome.", user="u2", role="assistant", occurred_at=at(1))
    tell(reading, group, "My name is Zoe.", user="u1", occurred_at=at(2))
    tell(reading, group, "Zoe lives in Porto.", user="u1", role="participant", speaker="Ana", occurred_at=at(3))

    (person,) = named(reading, group, "u1", user="u1")
    assert named(reading, group, "Zoe", user="u1") == {person}
    assert person not in named(reading, group, "Zoe", user="u2")
    assert person not in named(reading, group, "Zoe")
    assert homes(reading, group, user="u1", valid_at=at(4)) == [("Zoe", "Porto")]
    assert homes(reading, group, user="u2", valid_at=at(4)) == [("Zoe", "Rome")]
    (merge,) = ask(reading, group, "merges", user="u1")["merges"]
    assert (merge["method"], merge["user"], merge["part_of"]["id"]) == ("user", "u1", person)


def test_a_bare_name_that_was_said_before_means_the_user_once_they_go_by_it(reading: Service, group: str) -> None:
    tell(reading, group, "Zoe lives in Oslo.", user="u1", role="assistant", occurred_at=at(1))
    tell(reading, group, "Kim lives in Rome.", user="u2", role="assistant", occurred_at=at(1))
    tell(reading, group, "My name is Zoe.", user="u1", occurred_at=at(2))
    tell(reading, group, "Call me Kim.", user="u1", occurred_at=at(3))

    assert len(named(reading, group, "Zoe", user="u1") | named(reading, group, "u1", user="u1")) == 1
    assert ask(reading, group, "merges", user="u1")["merges"][0]["member"]["name"] == "Zoe"
    assert homes(reading, group, user="u1") == [("Kim", "Oslo")], (
        "and what another user was told of a Kim is not theirs"
    )


def test_that_a_bare_name_means_the_user_is_taken_back_and_stays_so(reading: Service, group: str) -> None:
    tell(reading, group, "My name is Zoe.", user="u1", occurred_at=at(1))
    tell(reading, group, "Zoe lives in Oslo.", user="u1", role="assistant", occurred_at=at(2))
    (merge,) = ask(reading, group, "merges", user="u1")["merges"]
    reverted = reading.post(f"/v1/groups/{group}/merges/{merge['id']}/revert", {"reason": "another Zoe"}, user="u1")
    assert reverted.is_success, reverted.text
    tell(reading, group, "Zoe lives in Porto.", user="u1", role="assistant", occurred_at=at(3))

    (person,) = named(reading, group, "u1", user="u1")
    assert named(reading, group, "Zoe", user="u1").isdisjoint({person})
    assert ask(reading, group, "merges", user="u1")["merges"] == []


def test_an_anonymous_turn_is_nobodys_and_says_so(reading: Service, group: str) -> None:
    for role in ("user", "participant"):
        outcome = tell(reading, group, "I live in Oslo. I am allergic to nuts.", role=role)["outcome"]
        assert (outcome["claims"], outcome["remarks"][0][: len(NOBODY)]) == (0, NOBODY)
    assert named(reading, group, "user") == set()
    assert tell(reading, group, "I live in Oslo.", speaker="Ana")["outcome"]["remarks"] == []


def test_others_are_themselves_and_never_the_user(reading: Service, group: str) -> None:
    tell(reading, group, "My name is Zoe.", user="u1", occurred_at=at(1))
    tell(reading, group, "I live in Rome.", user="u1", role="participant", speaker="Ana", occurred_at=at(2))
    tell(reading, group, "I live in Bonn.", user="u1", role="participant", occurred_at=at(2))
    for role in ("assistant", "system", "tool"):
        tell(reading, group, "I live in a data centre in Dublin.", user="u1", role=role, occurred_at=at(3))

    assert dict(homes(reading, group, user="u1")).get("Ana") == "Rome"
    assert "Zoe" not in dict(homes(reading, group, user="u1"))
    (said,) = ask(reading, group, "episodes", user="u1", valid_at=at(2), limit=2)["episodes"][1:]
    assert said["role"] == "participant"


def test_what_is_told_of_a_user_by_id_is_told_of_the_person(reading: Service, group: str) -> None:
    tell(reading, group, "I live in Oslo.", user="u1", speaker="Sam")
    claim = {
        "subject": {"name": "whoever", "type": "person", "id": "u1"},
        "source": "user",
        "predicate": "shoe_size",
        "value": 41,
        "user": "u1",
    }
    assert reading.post(f"/v1/groups/{group}/claims", claim).status_code == 201

    (person,) = named(reading, group, "Sam", user="u1")
    beliefs = ask(reading, group, f"entities/{person}", user="u1")["beliefs"]
    assert {"lives_in", "shoe_size"} <= {belief["predicate"] for belief in beliefs}


def test_a_user_has_a_profile_in_a_context_whatever_is_asked(reading: Service, group: str) -> None:
    tell(reading, group, "I am allergic to peanuts.", user="u1")
    answer = reading.post(f"/v1/groups/{group}/context", {"query": "What is for lunch?", "user": "u1"}).json()

    assert "peanuts" in profiles(answer)


NOTES = "- works at Acme\n- The user prefers dark mode\nLocation: Lyon"


def told_of(service: Service, group: str, **asked: Any) -> set[tuple[str, str]]:
    """What is believed of whom, names left out: (the name shown, object or value)."""
    beliefs = ask(service, group, "graph", **asked)["beliefs"]
    kept = [one for one in beliefs if one["predicate"] not in {"named", "display_name"}]
    return {(one["subject"]["name"], one["object"]["name"] if one["object"] else str(one["value"])) for one in kept}


NOTED: list[tuple[dict[str, Any], str]] = [
    ({"user": "u1", "role": "assistant"}, "u1"),
    ({"user": "u1", "role": "tool"}, "u1"),
    ({"user": "u1"}, "u1"),
    ({"user": "u1", "speaker": "Zoe"}, "Zoe"),
    ({"subject": "Ana Berg", "role": "assistant"}, "Ana Berg"),
    ({"subject": "Ana Berg"}, "Ana Berg"),
]


def test_a_note_on_the_user_is_the_users_or_of_whom_the_session_is_about(
    reading: Service, subtests: pytest.Subtests
) -> None:
    for number, (fields, name) in enumerate(NOTED):
        with subtests.test(fields=fields):
            group = f"noted-{number}-{uuid4().hex}"
            outcome = tell(reading, group, NOTES, **fields)["outcome"]
            told = told_of(reading, group, **({"user": fields["user"]} if "user" in fields else {}))
            assert {who for who, _ in told} == {name}
            assert {"Acme", "Lyon"} <= {what for _, what in told}
            assert any("dark mode" in what for _, what in told)
            assert outcome["remarks"] == []


def test_whom_a_session_is_about_is_known_of_its_later_turns(reading: Service, group: str) -> None:
    tell(reading, group, "Hello.", role="assistant", subject="Ana Berg", occurred_at=at(1))
    tell(reading, group, "The user lives in Lyon.", role="assistant", occurred_at=at(2))
    tell(reading, group, "The user lives in Bonn.", role="assistant", session="another", occurred_at=at(2))

    assert homes(reading, group) == [("Ana Berg", "Lyon")]


def facts(service: Service, group: str, **asked: Any) -> list[dict[str, Any]]:
    return ask(service, group, "facts", **asked)["facts"]


def test_what_is_asked_to_be_remembered_is_a_fact_in_its_own_words(reading: Service, group: str) -> None:
    tell(reading, group, REMEMBERED, user="u1", speaker="Zoe", remember=True)
    done = tell(reading, group, REMEMBERED, user="u1", speaker="Zoe", remember=True)
    (fact,) = facts(reading, group, user="u1")

    assert (fact["value"], fact["statement"], fact["confidence"]) == (REMEMBERED, REMEMBERED, 1.0)
    assert (fact["subject"]["name"], done["new"], done["outcome"]["remarks"]) == ("Zoe", False, [])
    (claim,) = ask(reading, group, f"beliefs/{fact['id']}/evidence", user="u1")["claims"]
    assert (claim["quote"], claim["asserted_by"]) == (REMEMBERED, "person")
    answer = reading.post(f"/v1/groups/{group}/context", {"query": "Which colour?", "user": "u1"}).json()
    assert REMEMBERED in profiles(answer)
    assert facts(reading, group, user="u2") == []


def test_a_remembered_sentence_is_confirmed_shared_corrected_and_rejected(reading: Service, group: str) -> None:
    def act(path: str, **body: Any) -> None:
        (fact,) = facts(reading, group, user="u1")
        answer = reading.post(f"/v1/groups/{group}/facts/{fact['id']}/{path}", {"user": "u1", **body})
        assert answer.status_code == 200, answer.text

    tell(reading, group, REMEMBERED, user="u1", remember=True)
    act("confirm")
    act("share")
    assert [fact["value"] for fact in facts(reading, group, user="u2")] == [REMEMBERED]
    act("correct", value="Purple on Thursdays.")
    (fact,) = facts(reading, group, user="u1")
    assert (fact["value"], fact["statement"]) == ("Purple on Thursdays.", "Purple on Thursdays.")
    reading.delete(f"/v1/groups/{group}/facts/{fact['id']}", user="u1")
    assert facts(reading, group, user="u1") == []
    tell(reading, group, REMEMBERED, user="u1", remember=True)
    assert facts(reading, group, user="u1") == []


def test_what_can_be_read_is_not_kept_as_a_sentence_beside(reading: Service, group: str) -> None:
    tell(reading, group, "I live in Oslo.", user="u1", remember=True)

    assert homes(reading, group, user="u1") == [("u1", "Oslo")]
    assert "remembered" not in {fact["predicate"] for fact in facts(reading, group, user="u1")}


ABOUT: list[tuple[dict[str, Any], str | None]] = [
    ({"user": "u1"}, "u1"),
    ({"user": "u1", "role": "assistant"}, "u1"),
    ({"user": "u1", "subject": "Ana Berg"}, "Ana Berg"),
    ({"user": "u1", "role": "participant", "speaker": "Bo"}, "Bo"),
    ({"speaker": "Bo"}, "Bo"),
    ({}, None),
]


def test_whom_a_remembered_sentence_is_about(reading: Service, subtests: pytest.Subtests) -> None:
    for number, (fields, subject) in enumerate(ABOUT):
        with subtests.test(fields=fields):
            group = f"about-{number}-{uuid4().hex}"
            outcome = tell(reading, group, REMEMBERED, remember=True, **fields)["outcome"]
            assert [fact["subject"]["name"] for fact in facts(reading, group)] == ([subject] if subject else [])
            assert [remark[: len(OF_NOBODY)] for remark in outcome["remarks"]] == ([] if subject else [OF_NOBODY])


TURNS: Sequence[dict[str, Any]] = (
    {"content": "I live in Oslo.", "user": "u1", "speaker": "Sam", "occurred_at": at(1)},
    {"content": "I live in Porto.", "user": "u1", "speaker": "Al", "occurred_at": at(2)},
    {"content": "I live in Rome.", "user": "u2", "speaker": "Sam", "occurred_at": at(2)},
    {"content": "My name is Zoe.", "user": "u1", "occurred_at": at(3)},
    {"content": "Sam lives in Bonn.", "user": "u1", "role": "assistant", "occurred_at": at(4)},
    {"content": "I live in Bern.", "role": "user", "occurred_at": at(4)},
    {"content": "I live in Turin.", "user": "u1", "role": "participant", "speaker": "Ana", "occurred_at": at(5)},
)


def state(service: Service, group: str) -> Any:
    """What everybody and each user believes, and who is who to them."""

    def seen(**asked: Any) -> Any:
        graph = ask(service, group, "graph", valid_at=at(9), **asked)
        beliefs = [
            (
                one["subject"]["name"],
                one["predicate"],
                one["object"] and one["object"]["name"],
                one["value"],
                one["valid_from"],
            )
            for one in graph["beliefs"]
        ]
        entities = ask(service, group, "entities", **asked)["entities"]
        names = {one["id"]: one["name"] for one in entities}
        wholes = [(one["name"], one["qualifier"], names.get(one["part_of"] or "")) for one in entities]
        return sorted(beliefs, key=str), sorted(wholes, key=str)

    return [seen(), seen(user="u1"), seen(user="u2")]


def test_no_order_of_turns_makes_a_difference(reading: Service) -> None:
    told = list[Any]()
    numbers = itertools.count()

    @given(order=st.permutations(TURNS), at_once=st.booleans())
    @settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    def check(order: Sequence[dict[str, Any]], at_once: bool) -> None:  # noqa: FBT001 - drawn
        group = f"order-{next(numbers)}-{uuid4().hex}"
        for turns in [order] if at_once else [[turn] for turn in order]:
            reading.post(
                f"/v1/groups/{group}/episodes",
                [{**turn, "session": "s", "sequence": TURNS.index(turn)} for turn in turns],
                wait=30,
            )
        told.append(state(reading, group))
        assert told[-1] == told[0]

    check()


def test_of_a_sentence_of_two_clauses_a_correction_withdraws_the_wrong_one(reading: Service, group: str) -> None:
    tell(reading, group, "I live in Porto and work at Acme.", user="u1")
    (home,) = ask(reading, group, "graph", user="u1", predicate="lives_in")["beliefs"]
    corrected = reading.post(f"/v1/groups/{group}/facts/{home['id']}/correct", {"user": "u1", "value": "Braga"})
    assert corrected.is_success, corrected.text
    found = reading.post(f"/v1/groups/{group}/context", {"session": "s", "user": "u1"}).json()
    (turn,) = [line for part in found["parts"] for line in part["lines"] if line["kind"] == "turn"]
    assert turn["episode"]["withdrawn"] == ["I live in Porto"]
    facts = {belief["statement"] for belief in ask(reading, group, "graph", user="u1")["beliefs"]}
    assert {place for place in ("Acme", "Braga", "Porto") for fact in facts if place in fact} == {"Acme", "Braga"}
