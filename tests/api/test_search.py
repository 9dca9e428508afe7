"""Searches that are narrowed down, that see what was, and that say why something is not there; over HTTP."""

from typing import Any

import pytest

from graphmem.model.search import HIT_KINDS
from tests.api.claiming import ABSENT, JANUARY, MARCH, MAY, MAYA, lives, post
from tests.api.conftest import Service
from tests.store.test_passages import SAFFRON, report

BELIEFS = ["relationship", "fact"]


def search(service: Service, group: str, query: str = "Where does Maya live?", **asked: Any) -> dict[str, Any]:
    answer = service.post(f"/v1/groups/{group}/search", {"query": query, **asked})
    assert answer.status_code == 200, answer.text
    return answer.json()


def statements(answer: dict[str, Any]) -> list[str]:
    return [hit["thing"]["statement"] for hit in answer["hits"] if hit["kind"] in BELIEFS]


def contents(answer: dict[str, Any]) -> list[str]:
    return sorted(hit["thing"]["content"] for hit in answer["hits"] if hit["kind"] == "episode")


@pytest.fixture
def talk(service: Service, group: str) -> str:
    """Two sessions: in one Maya says where she lives, in the other an assistant says it again, and what Bruno likes."""
    said = [
        {"content": "Maya lives_in Porto", "session": "a", "speaker": "Maya", "tags": ["home"]},
        {"content": "Maya lives_in Porto", "session": "b", "speaker": "Helper", "role": "assistant"},
        {"content": "Bruno likes Maya", "session": "b", "speaker": "Bruno", "source": "chat"},
    ]
    turns = [{**one, "occurred_at": f"2025-05-0{day}T10:00:00Z"} for day, one in enumerate(said, start=1)]
    service.post(f"/v1/groups/{group}/episodes", turns, wait=30)
    return group


# filters ------------------------------------------------------------------------------------------------------------

PORTO, LIKES, AGAIN = "Maya lives_in Porto", "Bruno likes Maya", ["Maya lives_in Porto"] * 2


@pytest.mark.parametrize(
    ("asked", "believed", "said"),
    [
        ({}, {PORTO, LIKES}, [LIKES, *AGAIN]),
        ({"kinds": [*HIT_KINDS]}, {PORTO, LIKES}, [LIKES, *AGAIN]),
        ({"session": "a"}, {PORTO}, [PORTO]),
        ({"exclude_session": "a"}, {PORTO, LIKES}, [LIKES, PORTO]),
        ({"exclude_session": "b"}, {PORTO}, [PORTO]),
        ({"entity": "Porto"}, {PORTO}, AGAIN),
        ({"types": ["place"]}, {PORTO}, AGAIN),
        ({"predicates": ["likes"]}, {LIKES}, []),
        ({"categories": ["habit"]}, set[str](), []),
        ({"roles": ["assistant"]}, {PORTO}, [PORTO]),
        ({"speakers": ["Bruno", "Maya"]}, {PORTO, LIKES}, [LIKES, PORTO]),
        ({"sources": ["chat"]}, {LIKES}, [LIKES]),
        ({"tags": ["home", "work"]}, {PORTO}, [PORTO]),
        ({"speakers": ["Maya"], "session": "b"}, set[str](), []),
        ({"since": "2025-05-02T00:00:00Z", "until": "2025-05-03T00:00:00Z"}, {PORTO}, [PORTO]),
        ({"least_confidence": 0.95}, set[str](), [LIKES, *AGAIN]),
        ({"least_score": 1000}, set[str](), []),
    ],
)
def test_what_is_asked_for_is_all_that_is_found(
    service: Service, talk: str, asked: dict[str, Any], believed: set[str], said: list[str]
) -> None:
    found = search(service, talk, "Maya Bruno Porto", limit=50, **asked)
    assert (set(statements(found)), contents(found)) == (believed, said)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"since": MAY, "until": MARCH}, "since must be before until"),
        ({"session": "a", "exclude_session": "a"}, "give one of them"),
        ({"roles": ["cook"]}, "'user', 'participant', 'assistant', 'system' or 'tool'"),
        ({"types": []}, "at least 1 item"),
        ({"least_confidence": 2}, "less than or equal to 1"),
        ({"diversity": 1.1}, "less than or equal to 1"),
        ({"recency": -1}, "greater than or equal to 0"),
        ({"confidence": "high"}, "valid number"),
        ({"half_life_days": 0}, "greater than or equal to 0.001"),
        ({"why_not": ["x"]}, "pattern"),
        ({"filters": {}}, "Extra inputs"),
    ],
)
def test_a_filter_that_makes_no_sense_says_what_does(
    service: Service, talk: str, asked: dict[str, Any], told: str
) -> None:
    answer = service.post(f"/v1/groups/{talk}/search", {"query": "x", **asked})
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    assert told in answer.text


def test_an_entity_that_is_none_or_several_is_an_error(service: Service, group: str) -> None:
    maya = {"name": "Maya", "type": "organization", "id": "7"}
    post(service, group, lives("Porto", MARCH), lives("Porto", MARCH, source="crm", subject=maya))

    def status(entity: str) -> int:
        return service.post(f"/v1/groups/{group}/search", {"query": "x", "entity": entity}).status_code

    assert (status("Zoe"), status(ABSENT), status("Maya")) == (404, 404, 409)


# history ------------------------------------------------------------------------------------------------------------


def test_a_history_marks_what_no_longer_holds_below_what_replaced_it(service: Service, group: str) -> None:
    post(service, group, lives("Porto", JANUARY), lives("Lisbon", MARCH))
    (wrong,) = post(service, group, lives("Rome", MAY))
    assert service.post(f"/v1/groups/{group}/claims/{wrong}/retract", {}).is_success

    now = search(service, group, "Maya lives in Rome.", kinds=BELIEFS)
    ever = search(service, group, "Maya lives in Rome.", kinds=BELIEFS, include_history=True, explain=True)

    assert [(hit["thing"]["object"]["name"], hit["held"]) for hit in now["hits"]] == [("Lisbon", True)]
    assert [(hit["thing"]["object"]["name"], hit["held"]) for hit in ever["hits"]] == [
        ("Lisbon", True),
        ("Porto", False),
        ("Rome", False),
    ]
    _, porto, rome = (hit["thing"] for hit in ever["hits"])
    assert (porto["valid_to"], porto["superseded_at"], rome["valid_to"]) == (MARCH, None, None)
    assert rome["superseded_at"] is not None
    for hit in ever["hits"]:
        assert hit["score"] == pytest.approx(sum(part["contribution"] for part in hit["contributions"]))
        assert hit["thing"]["evidence"]


TILES = ["My mosaic in the hall has 80 tiles.", "I bought more tiles, so my mosaic now has 95.", "You have 80 tiles."]


def test_a_number_given_anew_stands_above_the_one_before(service: Service, group: str) -> None:
    said = [
        {"content": text, "role": role, "session": "s", "sequence": at, "occurred_at": f"2025-05-0{at + 1}T10:00:00Z"}
        for at, (text, role) in enumerate(zip(TILES, ["user", "user", "assistant"], strict=True))
    ]
    service.post(f"/v1/groups/{group}/episodes", said, wait=30)
    asked = {"kinds": ["episode"], "explain": True}

    def found(query: str, **more: Any) -> dict[str, list[str]]:
        hits = search(service, group, query, **asked, **more)["hits"]
        return {hit["thing"]["content"]: [part["channel"] for part in hit["contributions"]] for hit in hits}

    now, then = found("How many tiles has my mosaic in the hall?"), found("How many tiles had my mosaic in the hall?")
    assert list(now).index(TILES[1]) < list(now).index(TILES[0])
    assert not any("restated" in reasons for reasons in then.values())
    assert list(found("How many tiles has my mosaic in the hall?", valid_at="2025-05-02T00:00:00Z")) == [TILES[0]]


def test_a_long_text_with_the_rare_word_comes_before_talk_and_beliefs_that_lack_it(
    service: Service, group: str
) -> None:
    post(service, group, lives("Porto", JANUARY), {**lives("Rome", MARCH), "predicate": "likes"})
    talk = [
        f"{said} {day}?" for day in range(4) for said in ("What do the clerks of the harbour office know", "Crates")
    ]
    said = [{"content": text, "session": "s", "speaker": "Maya", "occurred_at": MAY} for text in talk]
    long = [
        {"content": report(1_000, 700), "content_type": "document", "session": name, "occurred_at": MAY}
        for name in "ab"
    ]
    service.post(f"/v1/groups/{group}/episodes", [*said, long[0]], wait=60)
    questions = (
        "What do we know about saffron?",
        "What do the clerks of the harbour office know about the saffron in the crates?",
        "What does Maya like about saffron?",
    )

    def first(question: str, count: int, kinds: list[str] | None = None) -> list[str]:
        hits = search(service, group, question, kinds=kinds)["hits"][:count]
        assert all(SAFFRON in hit["passage"]["text"] for hit in hits)
        return [hit["thing"]["session"] for hit in hits]

    some = (None, ["episode"], ["episode", "summary", "entity"], [*HIT_KINDS])
    assert [first(question, 1, kinds) for question in questions for kinds in some] == [["a"]] * 3 * len(some)
    (hit, *_) = search(service, group, questions[1], explain=True, kinds=["episode"])["hits"]
    assert "rare" in [part["channel"] for part in hit["contributions"]]
    service.post(f"/v1/groups/{group}/episodes", long[1], wait=60)
    assert [sorted(first(question, 2)) for question in questions[::2]] == [["a", "b"]] * 2
    assert not any("passage" in hit for hit in search(service, group, "saffron", valid_at=JANUARY)["hits"])


# explanations -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fusion", ["weighted", "rrf"])
def test_every_hit_is_explained_by_channels_ranks_raw_scores_and_evidence(
    service: Service, talk: str, fusion: str
) -> None:
    hits = search(service, talk, "Maya lives_in Porto", explain=True, fusion=fusion)["hits"]
    said = {hit["id"]: hit["thing"]["content"] for hit in hits if hit["kind"] == "episode"}
    assert {hit["kind"] for hit in hits} == {"relationship", "episode"}
    for hit in hits:
        assert hit["score"] == pytest.approx(sum(part["contribution"] for part in hit["contributions"]))
        channels = {part["channel"].partition(":")[0]: part for part in hit["contributions"]}
        assert channels["vector"]["rank"] >= 1
        assert -1.0001 <= channels["vector"]["raw"] <= 1.0001
        if "text" in channels:
            assert channels["text"]["rank"] >= 1
            assert channels["text"]["raw"] > 0
    believed = [hit["thing"] for hit in hits if hit["kind"] in BELIEFS]
    for one in (one for belief in believed for one in belief["evidence"]):
        assert said[one["episode_id"]][one["start"] : one["end"]] == one["quote"]


# preferences --------------------------------------------------------------------------------------------------------


def parts(hit: dict[str, Any], channel: str) -> list[float]:
    return [part["contribution"] for part in hit["contributions"] if part["channel"] == channel]


@pytest.mark.parametrize("fusion", ["weighted", "rrf"])
def test_each_preference_is_a_reason_and_all_sum_to_scores_that_fall(service: Service, talk: str, fusion: str) -> None:
    asked = {"diversity": 0.7, "recency": 0.5, "half_life_days": 1, "confidence": 1, "fusion": fusion}
    plain = search(service, talk, "Maya Porto", limit=50, fusion=fusion)["hits"]
    hits = search(service, talk, "Maya Porto", limit=50, explain=True, **asked)["hits"]
    assert sorted(hit["id"] for hit in hits) == sorted(hit["id"] for hit in plain)
    scores = [hit["score"] for hit in hits]
    assert scores == sorted(scores, reverse=True)
    for hit in hits:
        assert hit["score"] == pytest.approx(sum(part["contribution"] for part in hit["contributions"]))
        assert len(parts(hit, "diversity")) == len(parts(hit, "recency")) == 1
        assert len(parts(hit, "confidence")) == (hit["kind"] in BELIEFS)


def test_of_turns_with_the_same_words_recency_raises_the_newer_as_of_then(service: Service, talk: str) -> None:
    def first(day: str, **asked: Any) -> str:
        at = f"2025-05-{day}T12:00:00Z"
        return search(service, talk, PORTO, kinds=["episode"], valid_at=at, **asked)["hits"][0]["thing"]["session"]

    assert first("02") == "a", "Maya says it herself"
    assert first("02", recency=1, half_life_days=0.5) == "b"
    assert first("01", recency=1, half_life_days=0.5) == "a", "the other is not yet said"
    assert first("31", recency=1, half_life_days=0.5) == "a", "both are as good as old"


def test_of_turns_with_the_same_words_diversity_shows_another_before_the_second(service: Service, talk: str) -> None:
    def order(**asked: Any) -> list[str]:
        hits = search(service, talk, "Maya lives_in Porto", kinds=["episode"], **asked)["hits"]
        return [hit["thing"]["content"] for hit in hits]

    assert order() == order(diversity=0) == [PORTO, PORTO, LIKES]
    assert order(diversity=0.9) == [PORTO, LIKES, PORTO]


def test_the_less_sure_of_two_beliefs_falls_behind(service: Service, group: str) -> None:
    sure, unsure = ({**lives(city, MARCH), "predicate": "likes", "confidence": much} for city, much in CITIES)
    post(service, group, sure, unsure)

    def order(**asked: Any) -> list[str]:
        hits = search(service, group, "Maya likes Rome", kinds=BELIEFS, **asked)["hits"]
        return [hit["thing"]["object"]["name"] for hit in hits]

    assert order() == ["Rome", "Porto"]
    assert order(confidence=1) == ["Porto", "Rome"]


CITIES = (("Porto", 1.0), ("Rome", 0.1))


def test_in_a_history_what_replaced_something_stays_above_it_however_unlike(service: Service, group: str) -> None:
    post(service, group, lives("Porto", JANUARY), lives("Lisbon", MARCH))
    for preferences in ({"diversity": 1}, {"confidence": 1}, {"recency": 1, "half_life_days": 1}):
        hits = search(service, group, "Maya lives in Porto.", kinds=BELIEFS, include_history=True, **preferences)[
            "hits"
        ]
        assert [hit["thing"]["object"]["name"] for hit in hits] == ["Lisbon", "Porto"]


# why not ------------------------------------------------------------------------------------------------------------


def why(answer: dict[str, Any]) -> list[str | None]:
    return [one["lost"] for one in answer["why_not"]]


def test_it_says_where_something_was_lost(service: Service, talk: str) -> None:
    found = search(service, talk, "Maya lives_in Porto", limit=50)
    ids = {(hit["kind"], hit["thing"].get("statement", "")): hit["id"] for hit in found["hits"]}
    lives_in, likes = ids["relationship", PORTO], ids["relationship", LIKES]
    belief = next(hit["thing"]["belief_id"] for hit in found["hits"] if hit["id"] == lives_in)
    asked = [lives_in, belief, likes, ABSENT]

    def lost(**more: Any) -> list[dict[str, Any]]:
        return search(service, talk, "Maya lives_in Porto", why_not=asked, **more)["why_not"]

    def reasons(**more: Any) -> list[str | None]:
        return [one["lost"] for one in lost(**more)]

    assert reasons() == [None, None, None, "unknown"]
    assert reasons(limit=1, kinds=BELIEFS) == [None, None, "rank", "unknown"]
    assert reasons(kinds=["fact"]) == ["filter", "filter", "filter", "unknown"]
    assert reasons(predicates=["likes"]) == ["filter", "filter", None, "unknown"]
    assert reasons(valid_at=JANUARY) == ["time", "time", "time", "unknown"]
    assert reasons(known_at=JANUARY) == ["time", "time", "time", "unknown"]
    _, _, ranked, _ = lost(limit=1, kinds=BELIEFS, explain=True)
    assert (ranked["rank"], ranked["kind"]) == (2, "relationship")
    assert ranked["score"] == pytest.approx(sum(part["contribution"] for part in ranked["contributions"]))
    assert "rank 2" in ranked["detail"]
    filtered, _, passing, _ = lost(speakers=["Bruno"], session="b", least_score=1000)
    assert (filtered["filters"], passing["filters"]) == (["speakers"], ["least_score"])
    together, *_ = lost(speakers=["Maya"], session="b")
    assert together["filters"] == ["session", "speakers"], "each has one of the two, none has both"


def test_it_says_of_what_ended_how_to_find_it(service: Service, group: str) -> None:
    post(service, group, lives("Porto", JANUARY), lives("Lisbon", MARCH))
    (hit,) = search(service, group, kinds=BELIEFS, valid_at="2025-02-01T00:00:00Z")["hits"]
    (now,) = search(service, group, kinds=BELIEFS, why_not=[hit["id"]])["why_not"]
    (ever,) = search(service, group, kinds=BELIEFS, why_not=[hit["id"]], include_history=True)["why_not"]
    assert (now["lost"], ever["lost"]) == ("time", None)
    assert "include_history" in now["detail"]


def test_what_another_user_said_is_as_unknown_as_what_nobody_said(service: Service, group: str) -> None:
    """The same answer, word for word, as of an id of nothing; also of another group's."""
    said = {"content": "Maya lives_in Porto", "occurred_at": MAY, "user": "ann"}
    service.post(f"/v1/groups/{group}/episodes", said, wait=30)
    hits = search(service, group, user="ann")["hits"]
    ids = [hit["id"] for hit in hits] + [hit["thing"]["belief_id"] for hit in hits if hit["kind"] in BELIEFS]
    other = f"{group}-2"
    post(service, other, lives("Rome", MARCH, subject=MAYA))

    def told(where: str, **more: Any) -> list[dict[str, Any]]:
        found = search(service, where, why_not=[*ids, ABSENT], **more)["why_not"]
        return [{name: value for name, value in one.items() if name != "id"} for one in found]

    assert {one["lost"] for one in told(group, user="ann")[:-1]} == {None}
    for answers in (told(group, user="bo"), told(other), told(group, user="bo", known_at=JANUARY, predicates=["x"])):
        assert all(one == answers[-1] for one in answers)
        assert answers[-1]["lost"] == "unknown"


# what is relevant, and what is unknown ------------------------------------------------------------------------------


def test_each_hit_says_how_relevant_it_is_and_the_answer_whether_there_is_one(service: Service, talk: str) -> None:
    known = search(service, talk, "Where does Maya live?")
    assert all(0 <= hit["relevance"] <= 1 for hit in known["hits"])
    assert (known["unknown_names"], known["answerable"] in ("likely", "unlikely")) == ([], True)
    stranger = search(service, talk, "Where does Caroline live?")
    assert (stranger["unknown_names"], stranger["answerable"]) == (["Caroline"], "unlikely")
    assert "name 'Caroline'" in stranger["answerable_because"]
    assert stranger["answer_probability"] < known["answer_probability"]

    least = max(hit["relevance"] for hit in known["hits"])
    asked = {"least_relevance": least, "why_not": [known["hits"][-1]["id"]]}
    best = search(service, talk, "Where does Maya live?", **asked)
    assert [hit["relevance"] for hit in best["hits"]] == [least] * len(best["hits"])
    (lost,) = best["why_not"]
    assert (lost["lost"], lost["filters"]) in [("filter", ["least_relevance"]), (None, [])]


def test_a_name_that_only_another_user_said_is_unknown(service: Service, group: str) -> None:
    said = {"content": "I met Caroline.", "session": "s", "user": "ann", "speaker": "Ann", "occurred_at": MAY}
    service.post(f"/v1/groups/{group}/episodes", said, wait=30)
    assert search(service, group, "Who is Caroline?", user="ann")["unknown_names"] == []
    assert search(service, group, "Who is Caroline?", user="bob")["unknown_names"] == ["Caroline"]
    assert search(service, group, "Who is Caroline?", known_at=JANUARY)["unknown_names"] == ["Caroline"]


def test_two_beliefs_that_lead_to_what_is_asked_are_one_hit(service: Service, group: str) -> None:
    named = {"Maya": "person", "Paul": "person", "Atlas": "project", "eu-west": "region", "us-east": "region"}

    def tells(subject: str, predicate: str, object_: str, since: str = JANUARY, **more: Any) -> dict[str, Any]:
        ends = ({"name": name, "type": named[name]} for name in (subject, object_))
        names = dict(zip(("subject", "object"), ends, strict=True))
        return {**names, "predicate": predicate, "valid_from": since, "occurred_at": since, **more}

    told = [
        tells("Maya", "works_on", "Atlas"),
        tells("Atlas", "deployed_to", "eu-west"),
        tells("Atlas", "deployed_to", "eu-west", MAY, kind="ends"),
        tells("Atlas", "deployed_to", "us-east", MAY),
        tells("Paul", "works_on", "Atlas", user="paul"),
    ]
    post(service, group, *told)
    question = "Which region is the project Maya works on deployed to?"

    now, before = (search(service, group, question, valid_at=at) for at in ("2025-06-01T00:00:00Z", MARCH))
    for answer, region in ((now, "us-east"), (before, "eu-west")):
        path = answer["hits"][0]
        assert (path["kind"], len(path["thing"]["beliefs"])) == ("path", 2)
        assert [one["object"]["name"] for one in path["thing"]["beliefs"]] == ["Atlas", region]
        assert all(one["evidence"] for one in path["thing"]["beliefs"])
        assert path["thing"]["says"].endswith(f"{region}.")
    assert [hit["kind"] for hit in search(service, group, question, kinds=["path"])["hits"]] == ["path"]
    assert not any(hit["kind"] == "path" for hit in search(service, group, question, entity="Maya")["hits"])
    assert not any(hit["kind"] == "path" for hit in search(service, group, "What does Maya work on?")["hits"])
    where = search(service, group, "Which project does Maya work on?", kinds=BELIEFS, explain=True)["hits"]
    assert where[0]["thing"]["object"]["name"] == "Atlas"
    assert "predicate" in [part["channel"] for part in where[0]["contributions"]]
    others = question.replace("Maya", "Paul")
    assert search(service, group, others, user="paul", valid_at=MARCH)["hits"][0]["kind"] == "path"
    assert not any(hit["kind"] == "path" for hit in search(service, group, others, user="ben")["hits"])
