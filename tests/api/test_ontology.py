"""The ontology of a group over HTTP: the service's, one of its own, taken back."""

from collections.abc import Generator
from typing import Any

import pytest
from pydantic import BaseModel, Field

from graphmem.client import GraphmemClient
from graphmem.errors import InvalidInput, NotFound
from graphmem.model.ontology import DEFAULT_ONTOLOGY, LONGEST_DESCRIPTION, MOST_ATTRIBUTES, MOST_TYPES
from graphmem.ontology import ontology_of, written
from tests.api.conftest import Service

SHOP = {
    "entity_types": {
        "customer": "somebody who buys from us",
        "order": {"description": "a purchase with a number", "attributes": {"total": "what it costs"}},
    },
    "relation_types": {
        "placed": {
            "description": "made an order",
            "subjects": ["customer"],
            "objects": ["order"],
            "category": "other",
            "wording": ["{subject} placed {object}"],
        },
        "returned": "sent an order back",
    },
    "open_types": False,
    "instructions": "Order numbers matter most.\nSo do totals.",
    "open_predicates": {"grumbled_about": ["complain about", "grumble about"], "checked_in_at": ["check in at:place"]},
}


class Customer(BaseModel):
    """Somebody who buys from us."""

    tier: str | None = Field(None, description="gold, silver or none")


class Placed(BaseModel):
    """A customer recommends us to another."""

    channel: str


@pytest.fixture
def client(service: Service) -> Generator[GraphmemClient]:
    with GraphmemClient(service.url, service.token) as opened:
        yield opened


def put(service: Service, group: str, body: Any) -> Any:
    return service.http.put(f"/v1/groups/{group}/ontology", json=body)


def get(service: Service, group: str) -> Any:
    return service.get(f"/v1/groups/{group}/ontology").json()


def test_the_service_s_is_in_force_where_a_group_has_none(service: Service, group: str) -> None:
    service.post("/v1/groups", {"id": group})

    in_force = {"source": "service", "changed_at": None, "ontology": written(DEFAULT_ONTOLOGY)}
    assert get(service, group) == in_force | {"warnings": []}


def test_a_group_has_its_own_and_other_groups_have_not(service: Service, group: str) -> None:
    service.post("/v1/groups", {"id": f"{group}-other"})

    answer = put(service, group, SHOP)

    assert answer.status_code == 200
    assert answer.json() == get(service, group)
    assert answer.json()["source"] == "group"
    assert answer.json()["ontology"] == {
        **SHOP,
        "entity_types": {
            "customer": {"description": "somebody who buys from us", "attributes": {}},
            "order": {"description": "a purchase with a number", "attributes": {"total": "what it costs"}},
        },
        "relation_types": {
            "placed": {
                "description": "made an order",
                "subjects": ["customer"],
                "objects": ["order"],
                "attributes": {},
                "category": "other",
                "wording": ["{subject} placed {object}"],
            },
            "returned": {
                "description": "sent an order back",
                "subjects": [],
                "objects": [],
                "attributes": {},
                "category": None,
                "wording": None,
            },
        },
    }
    assert get(service, f"{group}-other")["source"] == "service"


def test_another_takes_the_place_of_all_of_it(service: Service, group: str) -> None:
    put(service, group, SHOP)

    ontology = put(service, group, {"entity_types": {"ship": ""}}).json()["ontology"]

    assert ontology == {
        "entity_types": {"ship": {"description": "", "attributes": {}}},
        "relation_types": {},
        "open_types": True,
        "instructions": "",
        "open_predicates": {},
    }


def test_the_same_again_is_no_change(service: Service, group: str) -> None:
    first = put(service, group, SHOP).json()

    assert put(service, group, first["ontology"]).json() == first
    assert put(service, group, {}).json()["changed_at"] > first["changed_at"]


def test_what_does_not_fit_changes_nothing(service: Service, group: str) -> None:
    put(service, group, SHOP)
    before = get(service, group)

    put(service, group, {"open_predicates": {"sailed": ["sail"], "cruised": ["sail"]}})

    assert get(service, group) == before


def test_to_take_it_back_is_to_follow_the_service_again(service: Service, group: str) -> None:
    put(service, group, SHOP)

    answers = [service.http.delete(f"/v1/groups/{group}/ontology") for _ in range(2)]

    assert [(answer.status_code, answer.json()["source"]) for answer in answers] == [(200, "service")] * 2
    assert answers[0].json() == get(service, group)


def many(count: int) -> dict[str, str]:
    return {f"word_{number}": "" for number in range(count)}


@pytest.mark.parametrize(
    ("body", "pointer", "words"),
    [
        ({"entity_types": {"Customer": ""}}, "", "Write 'customer'"),
        ({"entity_types": {"big ship": ""}}, "", "Write 'big_ship'"),
        ({"entity_types": {"": ""}}, "", "no name of an entity type"),
        ({"entity_types": {"x`) DETACH DELETE n //": ""}}, "", "no name of an entity type"),
        ({"entity_types": {"episode": ""}}, "", "graphmem's own :Episode"),
        ({"entity_types": {"superseded_fact": ""}}, "", "graphmem's own :SupersededFact"),
        ({"entity_types": {"x" * 65: ""}}, "", "up to 64"),
        ({"entity_types": many(MOST_TYPES + 1)}, "", f"{MOST_TYPES} at most"),
        ({"entity_types": {"ship": {"attributes": many(MOST_ATTRIBUTES + 1)}}}, "", f"{MOST_ATTRIBUTES} at most"),
        ({"entity_types": {"ship": {"attributes": {"Home port": ""}}}}, "", "Write 'home_port'"),
        ({"entity_types": {"ship": "x" * (LONGEST_DESCRIPTION + 1)}}, "", f"more than {LONGEST_DESCRIPTION}"),
        ({"entity_types": {"ship": "a\x00b"}}, "", "control characters"),
        ({"relation_types": {"sails to": ""}}, "", "Write 'sails_to'"),
        ({"relation_types": {"sails": {"subjects": ["shipp"]}}}, "", "'shipp', which is none of the entity types"),
        ({"relation_types": {"sails": {"category": "mood"}}}, "/relation_types/sails", "identity"),
        ({"relation_types": {"sails": {"wording": ["{subject} sails"]}}}, "", "is no wording of 'sails'"),
        ({"relation_types": {"sails": {"wording": "{subject} sails {object}"}}}, "/relation_types/sails", ""),
        ({"instructions": "x" * 4_001}, "", "more than 4000"),
        ({"entity_types": dict.fromkeys(many(80), "x" * 500)}, "", "more than 32000"),
        ({"entity_types": {"ship": {"attributes": {"crew": {"captain": "x"}}}}}, "/entity_types/ship", ""),
        ({"entity_types": {"ship": {"label": "Ship"}}}, "/entity_types/ship", ""),
        ({"open_types": "no"}, "/open_types", ""),
        ({"open_predicates": {"Sailed": ["sail"]}}, "", "Write 'sailed'"),
        ({"open_predicates": {"sailed": ["Sail_past"]}}, "", "Write 'sail past'"),
        ({"open_predicates": {"sailed": ["sail"], "cruised": ["sail"]}}, "", "into 'sailed' and into 'cruised'"),
        ({"open_predicates": {"wishes": ["sail"]}}, "", "says how something is said"),
        ({"open_predicates": {"sailed": "sail"}}, "/open_predicates/sailed", ""),
        ({"types": {}}, "/types", ""),
    ],
    ids=lambda value: str(value)[:60],
)
def test_what_does_not_fit_is_a_problem(service: Service, group: str, body: Any, pointer: str, words: str) -> None:
    answer = put(service, group, body)

    problem = answer.json()
    assert (answer.status_code, problem["type"]) == (422, "urn:graphmem:problem:invalid-input")
    assert all(error["in"] == "body" and error["pointer"].startswith(pointer) for error in problem["errors"])
    assert words in problem["detail"] + str(problem["errors"])


def test_of_a_group_that_is_not_there_nothing_is_read_or_taken_back(service: Service, group: str) -> None:
    answers = [service.get(f"/v1/groups/{group}/ontology"), service.http.delete(f"/v1/groups/{group}/ontology")]

    assert [answer.status_code for answer in answers] == [404, 404]


def test_the_client_takes_models_an_ontology_or_json(client: GraphmemClient, group: str) -> None:
    models = client.put_ontology(group, [Customer])
    made = client.put_ontology(group, ontology_of([Customer], {Placed: (Customer, None)}, open_types=False))
    again = client.put_ontology(group, made.ontology)

    (customer,) = models.ontology.entity_types.items()
    assert customer[0] == "customer"
    assert customer[1].model_dump() == {
        "description": "Somebody who buys from us.",
        "attributes": {"tier": "gold, silver or none"},
    }
    assert made.ontology.relation_types["placed"].subjects == ["customer"]
    assert again == made == client.ontology(group)
    assert client.delete_ontology(group).source == "service"


def test_the_client_tells_what_does_not_fit(client: GraphmemClient, group: str) -> None:
    with pytest.raises(InvalidInput, match="Write 'customer'"):
        client.put_ontology(group, {"entity_types": {"Customer": ""}})
    with pytest.raises(NotFound, match="no group"):
        client.ontology(group)
