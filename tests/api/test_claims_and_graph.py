"""Claims in, and the graph out: now, then, and as it was believed then."""

import csv
import io
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from tests.api.conftest import Service

MAYA = {"name": "Maya", "type": "person"}
LIVES = {"subject": MAYA, "predicate": "lives_in", "occurred_at": "2025-01-01T00:00:00Z"}
PORTO = LIVES | {"object": {"name": "Porto", "type": "place"}, "valid_from": "2024-01-01T00:00:00Z"}
LISBON = LIVES | {"object": {"name": "Lisbon", "type": "place"}, "valid_from": "2025-05-01T02:00:00+02:00"}
AGE = {"subject": MAYA, "predicate": "age", "value": 30, "valid_from": None, "occurred_at": "2025-01-02T00:00:00Z"}


def believed(service: Service, group: str, **params: Any) -> list[tuple[str, Any]]:
    beliefs = service.get(f"/v1/groups/{group}/graph", **params).json()["beliefs"]
    return sorted((item["predicate"], item["object"]["name"] if item["object"] else item["value"]) for item in beliefs)


def test_claims_are_stored_together_and_say_what_they_changed(service: Service, group: str) -> None:
    answer = service.post(f"/v1/groups/{group}/claims", {"claims": [PORTO, AGE]})
    done = answer.json()
    assert (answer.status_code, [item["new"] for item in done["claims"]]) == (201, [True, True])
    assert (done["entities"], done["new_claims"], done["recorded"], done["superseded"]) == (2, 2, 2, 0)


@pytest.mark.parametrize("shape", ["one", "list", "claims"])
def test_the_same_claim_again_changes_nothing(service: Service, group: str, shape: str) -> None:
    body = {"one": PORTO, "list": [PORTO], "claims": {"claims": [PORTO]}}[shape]
    first = service.post(f"/v1/groups/{group}/claims", body).json()["claims"][0]
    again = service.post(f"/v1/groups/{group}/claims", body).json()["claims"][0]
    assert (first["new"], again["new"], first["claim_id"]) == (True, False, again["claim_id"])


def test_an_undated_claim_with_an_external_id_is_the_same_when_it_comes_again(service: Service, group: str) -> None:
    body = {key: value for key, value in PORTO.items() if key not in {"occurred_at", "valid_from"}}
    answers = [service.post(f"/v1/groups/{group}/claims", body | {"external_id": "crm"}) for _ in range(2)]
    assert [answer.json()["claims"][0]["new"] for answer in answers] == [True, False]


def test_the_graph_differs_with_valid_at_and_known_at(service: Service, group: str) -> None:
    service.post(f"/v1/groups/{group}/claims", [PORTO, AGE])
    before = service.get(f"/v1/groups/{group}/graph").json()["known_at"]
    service.post(f"/v1/groups/{group}/claims", LISBON)

    march, june = "2025-03-01T00:00:00Z", "2025-06-01T00:00:00Z"
    assert believed(service, group) == [("age", 30), ("lives_in", "Lisbon")]
    assert believed(service, group, valid_at=march) == [("age", 30), ("lives_in", "Porto")]
    assert believed(service, group, valid_at=june, known_at=before) == [("age", 30), ("lives_in", "Porto")]
    assert believed(service, group, valid_at="2023-01-01T00:00:00Z") == [("age", 30)]
    assert believed(service, group, known_at="2020-01-01T00:00:00Z") == []


def test_what_only_has_an_end_in_the_past_has_an_unknown_start(service: Service, group: str) -> None:
    rome = LIVES | {"object": {"name": "Rome", "type": "place"}, "valid_to": "2015-01-01T00:00:00Z"}
    assert service.post(f"/v1/groups/{group}/claims", rome).status_code == 201
    service.post(f"/v1/groups/{group}/claims", PORTO)

    then = service.get(f"/v1/groups/{group}/graph", valid_at="2014-01-01T00:00:00Z").json()
    (belief,) = then["beliefs"]
    assert (belief["object"]["name"], belief["valid_from"], belief["valid_to"]) == (
        "Rome",
        None,
        "2015-01-01T00:00:00Z",
    )
    assert believed(service, group, valid_at="2016-01-01T00:00:00Z") == []
    assert believed(service, group) == [("lives_in", "Porto")]


def test_every_belief_carries_its_evidence_and_null_for_open_ends(service: Service, group: str) -> None:
    claim = service.post(f"/v1/groups/{group}/claims", AGE | {"attributes": {"unit": "years"}, "user": "ann"}).json()
    graph = service.get(f"/v1/groups/{group}/graph", valid_at="2025-02-01T01:00:00+01:00").json()
    (belief,) = graph["beliefs"]
    (evidence,) = belief["evidence"]
    assert (belief["valid_from"], belief["valid_to"], belief["superseded_at"]) == (None, None, None)
    assert (belief["value"], belief["attributes"], belief["user"]) == (30, {"unit": "years"}, "ann")
    assert (evidence["claim_id"], evidence["quote"]) == (claim["claims"][0]["claim_id"], "Maya age 30.")
    assert (evidence["start"], evidence["end"], evidence["said_at"]) == (0, 12, "2025-01-02T00:00:00Z")
    assert graph["valid_at"] == "2025-02-01T00:00:00Z"


def test_a_fact_shows_its_category_and_the_newest_wins(service: Service, group: str) -> None:
    service.post(f"/v1/groups/{group}/claims", AGE | {"category": "milestone"})
    service.post(f"/v1/groups/{group}/claims", AGE | {"category": "identity", "occurred_at": "2025-01-03T00:00:00Z"})

    (belief,) = service.get(f"/v1/groups/{group}/graph").json()["beliefs"]
    assert (belief["category"], belief["attributes"]) == ("identity", {})


def test_an_entity_is_found_by_name_and_shown_with_its_beliefs(service: Service, group: str) -> None:
    service.post(f"/v1/groups/{group}/claims", [PORTO, AGE])
    (maya,) = service.get(f"/v1/groups/{group}/entities", name="  MAYA ").json()["entities"]
    shown = service.get(f"/v1/groups/{group}/entities/{maya['id']}").json()
    types = {item["type"] for item in service.get(f"/v1/groups/{group}/entities").json()["entities"]}
    places = service.get(f"/v1/groups/{group}/entities", type="Place").json()["entities"]
    assert ({name: shown["entity"][name] for name in maya}, len(shown["beliefs"])) == (maya, 2)
    assert (types, [item["name"] for item in places]) == ({"person", "place"}, ["Porto"])


def test_entities_are_paged(service: Service, group: str) -> None:
    service.post(f"/v1/groups/{group}/claims", [PORTO, LISBON])
    first = service.get(f"/v1/groups/{group}/entities", limit=2).json()
    second = service.get(f"/v1/groups/{group}/entities", limit=2, cursor=first["next_cursor"]).json()
    ids = [item["id"] for item in (*first["entities"], *second["entities"])]
    assert (len(ids), ids, second["next_cursor"]) == (3, sorted(ids), None)


def test_the_graph_around_an_entity_reaches_as_far_as_asked(service: Service, group: str) -> None:
    ann = {"subject": {"name": "Ann", "type": "person"}, "predicate": "knows", "object": MAYA}
    service.post(f"/v1/groups/{group}/claims", [PORTO, ann])
    path = f"/v1/groups/{group}/graph"
    (ann_id,) = [item["id"] for item in service.get(f"/v1/groups/{group}/entities", name="Ann").json()["entities"]]
    assert len(service.get(path, entity="ann", depth=1).json()["beliefs"]) == 1
    assert len(service.get(path, entity=ann_id, depth=2).json()["beliefs"]) == 2
    assert len(service.get(path, predicate=["knows", "likes"]).json()["beliefs"]) == 1
    assert len(service.get(path, type="place").json()["beliefs"]) == 1
    assert service.get(path, limit=1).json()["complete"] is False
    assert service.get(path, entity="Nobody").status_code == 404


def test_an_ambiguous_name_lists_its_candidates(service: Service, group: str) -> None:
    city = PORTO | {"object": {"name": "Maya", "type": "place", "id": "7"}, "source": "maps"}
    service.post(f"/v1/groups/{group}/claims", city)
    answer = service.get(f"/v1/groups/{group}/graph", entity="Maya")
    candidates = answer.json()["candidates"]
    assert (answer.status_code, {item["type"] for item in candidates}) == (409, {"person", "place"})
    assert service.get(f"/v1/groups/{group}/graph", entity=candidates[0]["id"]).status_code == 200


def test_the_graph_comes_as_graphml(service: Service, group: str) -> None:
    odd = PORTO | {"object": {"name": "Po<r>&\"to' \ufffe", "type": "place"}}
    service.post(f"/v1/groups/{group}/claims", [odd, AGE])
    answer = service.http.get(f"/v1/groups/{group}/graph", headers={"Accept": "application/graphml+xml"})
    space = "{http://graphml.graphdrawing.org/xmlns}"
    tree = ET.fromstring(answer.content)  # noqa: S314 - our own
    nodes = {node.attrib["id"] for node in tree.iter(f"{space}node")}
    edges = list(tree.iter(f"{space}edge"))
    assert answer.headers["content-type"] == "application/graphml+xml"
    assert (len(nodes), len(edges)) == (3, 2)
    assert all({edge.attrib["source"], edge.attrib["target"]} <= nodes for edge in edges)


def test_the_graph_comes_as_csv(service: Service, group: str) -> None:
    service.post(f"/v1/groups/{group}/claims", [PORTO, AGE])
    answer = service.get(f"/v1/groups/{group}/graph", format="csv")
    assert answer.status_code == 200, answer.text
    rows = sorted(csv.DictReader(io.StringIO(answer.text)), key=lambda row: row["predicate"])
    assert answer.headers["content-type"].startswith("text/csv")
    assert [(row["subject"], row["predicate"], row["object"], row["value"]) for row in rows] == [
        ("Maya", "age", "", "30"),
        ("Maya", "lives_in", "Porto", ""),
    ]
    assert [row["valid_from"] for row in rows] == ["", "2024-01-01T00:00:00Z"]


@pytest.mark.parametrize("format_", ["json", "graphml", "csv"])
def test_attributes_of_a_relationship_are_in_every_format(service: Service, group: str, format_: str) -> None:
    service.post(f"/v1/groups/{group}/claims", PORTO | {"attributes": {"floor": 3, "with": "Ana"}})
    answer = service.get(f"/v1/groups/{group}/graph", format=format_)
    assert '{"floor":3,"with":"Ana"}' in answer.text.replace(" ", "").replace('""', '"').replace("&quot;", '"')


def test_search_finds_what_was_believed_then_and_explains_itself(service: Service, group: str) -> None:
    service.post(f"/v1/groups/{group}/claims", [PORTO, LISBON, AGE])
    path = f"/v1/groups/{group}/search"
    kinds = ["relationship", "fact"]
    ask = {"query": "Maya lives in Porto", "kinds": kinds, "explain": True}
    march = service.post(path, ask | {"valid_at": "2025-03-01T00:00:00Z"}).json()
    now = service.post(path, ask).json()
    assert [hit["thing"]["object"]["name"] for hit in march["hits"] if hit["thing"]["object"]] == ["Porto"]
    assert [hit["thing"]["object"]["name"] for hit in now["hits"] if hit["thing"]["object"]] == ["Lisbon"]
    for hit in march["hits"]:
        assert hit["score"] == pytest.approx(sum(part["contribution"] for part in hit["contributions"]))
        assert hit["thing"]["evidence"]


def test_search_finds_episodes(service: Service, group: str) -> None:
    body = {"content": "The heron stood in the reeds.", "occurred_at": "2025-05-03T10:00:00Z"}
    service.post(f"/v1/groups/{group}/episodes", body, wait=30)
    path = f"/v1/groups/{group}/search"
    found = service.post(path, {"query": "heron", "kinds": ["episode"], "limit": 1}).json()
    before = service.post(path, {"query": "heron", "valid_at": "2025-05-01T00:00:00Z"}).json()
    (hit,) = found["hits"]
    assert (hit["kind"], hit["thing"]["content"], hit["contributions"]) == ("episode", body["content"], None)
    assert before["hits"] == []


def test_an_answer_is_found_beside_its_question_and_says_why(service: Service, group: str) -> None:
    said = ["Ines, which instrument do you play?", "The cello, since I was nine.", "Look at that rain."]
    turns = [
        {
            "content": content,
            "occurred_at": f"2025-05-03T10:00:0{place}Z",
            "speaker": "Ines" if place == 1 else "Maya",
            "session": "s",
        }
        for place, content in enumerate(said)
    ]
    service.post(f"/v1/groups/{group}/episodes", turns, wait=30)
    path = f"/v1/groups/{group}/search"
    ask = {"query": "Which instrument does Ines play?", "kinds": ["episode"], "explain": True}
    by_weights, by_ranks = (service.post(path, ask | {"fusion": name}).json()["hits"] for name in ("weighted", "rrf"))
    reasons = {hit["thing"]["content"]: {part["channel"]: part for part in hit["contributions"]} for hit in by_weights}
    assert {"text", "text_before", "speaker", "surroundings"} <= reasons[said[1]].keys()
    assert "speaker" not in reasons[said[0]]
    assert (reasons[said[1]]["speaker"]["rank"], reasons[said[0]]["text"]["rank"]) == (None, 1)
    for hit in by_weights:
        assert hit["score"] == pytest.approx(sum(part["contribution"] for part in hit["contributions"]))
    assert {part["channel"] for hit in by_ranks for part in hit["contributions"]} == {"text:episode", "vector:episode"}
    assert service.post(path, ask | {"fusion": "best"}).status_code == 422
