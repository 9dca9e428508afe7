"""Claims whose object is their subject: a country's country is itself, and nobody is anybody's own boss."""

import csv
import io
from typing import Any
from xml.etree import ElementTree as ET

from tests.api.claiming import JANUARY, MAY
from tests.api.conftest import Service

LUXEMBOURG = {"name": "Luxembourg", "type": "place"}
PARIS = {"name": "Paris", "type": "place"}
KNOWN = {"valid_from": JANUARY, "occurred_at": JANUARY, "subject": LUXEMBOURG}
CAPITAL = KNOWN | {"predicate": "capital", "object": LUXEMBOURG}
GRAPHML = "{http://graphml.graphdrawing.org/xmlns}"


def posted(service: Service, group: str, *claims: dict[str, Any]) -> list[str]:
    answer = service.post(f"/v1/groups/{group}/claims", list(claims))
    assert answer.status_code == 201, answer.text
    return [one["claim_id"] for one in answer.json()["claims"]]


def ends(beliefs: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    return [(one["subject"]["name"], one["predicate"], one["object"]["name"]) for one in beliefs]


def test_a_belief_about_a_thing_and_itself_stands_once_in_every_answer(service: Service, group: str) -> None:
    posted(service, group, CAPITAL)
    path, own = f"/v1/groups/{group}", [("Luxembourg", "capital", "Luxembourg")]

    def get(where: str, **asked: Any) -> Any:
        found = service.get(f"{path}{where}", **asked)
        assert found.is_success, found.text
        return found.json()

    (entity,) = get("/entities")["entities"]
    (belief,) = get("/graph")["beliefs"]
    answers = {
        "graph": get("/graph")["beliefs"],
        "around": get("/graph", entity="Luxembourg", depth=3)["beliefs"],
        "entity": get(f"/entities/{entity['id']}")["beliefs"],
        "history": get(f"/entities/{entity['id']}/history")["versions"],
        "diff": get("/diff", axis="valid", **{"from": "2024-01-01T00:00:00Z", "to": MAY})["began"],
        "search": [
            one["thing"]
            for one in service.post(f"{path}/search", {"query": "capital of Luxembourg"}).json()["hits"]
            if one["kind"] != "episode"
        ],
        "profile": get(f"/entities/{entity['id']}/profile")["relationships"],
    }
    assert {name: ends(found) for name, found in answers.items()} == dict.fromkeys(answers, own)
    evidence = get(f"/beliefs/{belief['id']}/evidence")
    assert (len(belief["evidence"]), len(evidence["claims"])) == (1, 1)
    lines = service.post(f"{path}/context", {"query": "capital of Luxembourg"}).json()["markdown"]
    assert lines.count("Luxembourg capital Luxembourg.") == 1
    tree = ET.fromstring(service.get(f"{path}/graph", format="graphml").content)  # noqa: S314 - our own
    (edge,) = tree.iter(f"{GRAPHML}edge")
    assert edge.attrib["source"] == edge.attrib["target"] == entity["id"]
    (row,) = csv.DictReader(io.StringIO(service.get(f"{path}/graph", format="csv").text))
    assert row["subject_id"] == row["object_id"]
    counted = service.get(path, counts="true").json()
    assert (counted["entities"], counted["relationships"]) == (1, 1)


def test_it_ends_competes_and_is_corrected_as_others_are(service: Service, group: str) -> None:
    path = f"/v1/groups/{group}"
    service.http.put(f"{path}/predicates/capital", json={"cardinality": "one"})
    (first,) = posted(service, group, CAPITAL)
    (second,) = posted(service, group, CAPITAL | {"object": PARIS, "valid_from": MAY, "occurred_at": MAY})
    held = service.get(f"{path}/graph", valid_at="2025-03-01T00:00:00Z").json()["beliefs"]
    assert (ends(held)[0][2], held[0]["valid_to"]) == ("Luxembourg", MAY)

    instead = {"claim": CAPITAL | {"valid_from": MAY, "occurred_at": MAY, "external_id": "itself"}}
    assert service.post(f"{path}/claims/{second}/correct", instead).status_code == 200
    (now,) = service.get(f"{path}/graph").json()["beliefs"]
    assert (ends([now])[0][2], now["valid_from"]) == ("Luxembourg", JANUARY)
    service.post(f"{path}/claims", KNOWN | {"predicate": "capital", "kind": "ends", "valid_from": MAY})
    assert service.get(f"{path}/graph").json()["beliefs"] == []
    assert service.post(f"{path}/claims/{first}/retract", {}).status_code == 200


def test_an_irreflexive_predicate_refuses_it_line_by_line_and_believes_none(service: Service, group: str) -> None:
    path = f"/v1/groups/{group}"
    boss = CAPITAL | {"predicate": "boss"}
    assert service.post(f"{path}/claims", [CAPITAL, boss]).status_code == 422
    lines = "\n".join(service.http.build_request("POST", "/", json=one).content.decode() for one in (boss, CAPITAL))
    answer = service.http.post(f"{path}/claims", content=lines, headers={"content-type": "application/x-ndjson"})
    assert (answer.status_code, [one["line"] for one in answer.json()["refused"]]) == (207, [1])
    assert "irreflexive" in answer.json()["refused"][0]["problem"]["detail"]
    fact = {"subject": LUXEMBOURG, "category": "other", "key": "boss", "object": LUXEMBOURG}
    assert service.post(f"{path}/facts", fact).status_code in {201, 422}
    service.http.put(f"{path}/predicates/boss", json={"cardinality": "many", "irreflexive": False})
    assert service.post(f"{path}/claims", boss).status_code == 201
    service.http.put(f"{path}/predicates/boss", json={"cardinality": "many", "irreflexive": True})
    again = service.post(f"{path}/claims", boss)
    assert (again.status_code, again.json()["claims"][0]["new"]) == (201, False)
    believed = ends(service.get(f"{path}/graph").json()["beliefs"])
    assert ("Luxembourg", "boss", "Luxembourg") not in believed
    assert ("Luxembourg", "capital", "Luxembourg") in believed


def test_two_that_turn_out_to_be_the_same_stand_in_no_relation_but_what_one_said_of_itself_does(
    service: Service, group: str
) -> None:
    path = f"/v1/groups/{group}"
    city = {"name": "Luxembourg City", "type": "place"}
    posted(service, group, CAPITAL, CAPITAL | {"object": city}, KNOWN | {"predicate": "near", "object": city})
    ids = {one["name"]: one["id"] for one in service.get(f"{path}/entities").json()["entities"]}
    merged = service.post(f"{path}/merges", {"entities": [ids[one] for one in ids], "reason": "one and the same"})
    assert merged.is_success, merged.text
    (belief,) = service.get(f"{path}/graph").json()["beliefs"]
    assert (belief["predicate"], belief["subject"]["id"]) == ("capital", belief["object"]["id"])
    evidence = service.get(f"{path}/beliefs/{belief['id']}/evidence")
    assert evidence.is_success, evidence.text
    assert len(belief["evidence"]) == len(evidence.json()["claims"]) == 1
    (merge,) = service.get(f"{path}/merges").json()["merges"]
    assert service.post(f"{path}/merges/{merge['id']}/revert", {"reason": "two"}).is_success
    assert len(service.get(f"{path}/graph").json()["beliefs"]) == 3
