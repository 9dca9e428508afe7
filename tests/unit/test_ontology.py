"""Ontologies: what they take, what pydantic models make of them, and what a language model is told of them."""

import re
import subprocess
import sys
from collections.abc import Mapping
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field, ValidationError

from graphmem.api.routes.policies import OntologyIn
from graphmem.errors import ConfigurationError, InvalidInput
from graphmem.extract.llm.prompts import VERSION, VERSIONS, system_prompt
from graphmem.model.claim import Category
from graphmem.model.entity import OWN_LABELS, label_of
from graphmem.model.ontology import DEFAULT_ONTOLOGY, EntityType, Ontology, RelationType
from graphmem.ontology import WrittenOntology, ontology_of, type_name, written
from graphmem.settings import load_settings

CYPHER = Path(__file__).parents[2] / "cypher"
SHOP = Ontology(
    entity_types={
        "customer": EntityType(description="somebody who buys from us", attributes={"tier": "gold or silver"}),
        "order": EntityType(description="a purchase", attributes={"total": ""}),
    },
    relation_types={
        "placed": RelationType(
            description="made an order",
            subjects=("customer",),
            objects=("order",),
            attributes={"channel": "web or shop"},
        )
    },
    open_types=False,
    instructions="Totals matter {most}.",
)


class Tier(StrEnum):
    GOLD = "gold"
    SILVER = "silver"


class Customer(BaseModel):
    """Somebody who
    buys from us.
    """

    tier: Tier | None = Field(None, description="gold or silver")
    since: date | None = None
    homeTown: Annotated[str, Field(max_length=9)] = ""  # noqa: N815 - how some write fields
    visits: int | float = 0
    kind: Literal["private", "business"] = "private"


class OrderLine(BaseModel):
    total: float


class Ship(BaseModel):
    pass


class PLACED_BY(BaseModel):  # noqa: N801 - how some write relationships
    """An order is a customer's."""

    channel: bool


def test_models_are_types_their_fields_attributes() -> None:
    ontology = ontology_of([Customer, OrderLine], {PLACED_BY: (OrderLine, [Customer])}, instructions="Be brief.")

    assert ontology == Ontology(
        entity_types={
            "customer": EntityType(
                description="Somebody who buys from us.",
                attributes={"tier": "gold or silver", "since": "", "home_town": "", "visits": "", "kind": ""},
            ),
            "order_line": EntityType(attributes={"total": ""}),
        },
        relation_types={
            "placed_by": RelationType(
                description="An order is a customer's.",
                subjects=("order_line",),
                objects=("customer",),
                attributes={"channel": ""},
            )
        },
        instructions="Be brief.",
    )


def test_a_relation_type_may_have_a_category() -> None:
    ontology = ontology_of([], {Ship: (None, None)}, categories={Ship: Category.HOBBY})

    assert ontology.relation_types == {"ship": RelationType(category=Category.HOBBY)}
    assert WrittenOntology.model_validate(written(ontology)).to_domain() == ontology
    assert OntologyIn.model_validate({"relation_types": {"ship": {"category": "hobby"}}}).to_domain() == ontology
    with pytest.raises(ValidationError, match="category"):
        OntologyIn.model_validate({"relation_types": {"ship": {"category": "mood"}}})


def test_what_has_no_category_is_kept_in_the_words_of_the_release_before() -> None:
    assert set(written(SHOP)["relation_types"]["placed"]) == {"description", "subjects", "objects", "attributes"}


def test_a_relation_type_may_have_a_wording() -> None:
    three = ["{subject} sails\n{object}", "{subject} sailed {object}", "{subject} sails {object} no more"]
    ontology = ontology_of([], {Ship: (None, None)}, wordings={Ship: three})

    assert ontology.relation_types["ship"].wording == ("{subject} sails {object}", *three[1:])
    assert WrittenOntology.model_validate(written(ontology)).to_domain() == ontology
    assert OntologyIn.model_validate(written(ontology)).to_domain() == ontology


@pytest.mark.parametrize(
    ("wording", "words"),
    [
        (("{subject} sails",), "stand in it once"),
        (("{subject} sails {object} and {object}",), "stand in it once"),
        (("{subject.__class__} sails {object}",), "stand in it once"),
        (("{subject} sails {object} {}",), "no other braces"),
        (("{subject} sails {object} }",), "no other braces"),
        (("{{subject}} sails {object}",), "no other braces"),
        (("{subject} sails {object}",) * 2, "has 2 sentences. Give one"),
        (("{subject} sails {object} " + "x" * 200,), "more than 200 characters"),
        (("{subject} sails\n{object}",), "line breaks"),
    ],
)
def test_a_wording_that_cannot_be_filled_is_refused(wording: tuple[str, ...], words: str) -> None:
    with pytest.raises(InvalidInput, match=re.escape(words)):
        Ontology(relation_types={"sails": RelationType(wording=wording)})


def test_text_may_stand_at_an_object_and_not_at_a_subject() -> None:
    text = RelationType(objects=("value",))

    assert Ontology(relation_types={"sails": text}).allows("sails", "person", "place")
    with pytest.raises(InvalidInput, match="'value', which is none of the entity types"):
        Ontology(relation_types={"sails": RelationType(subjects=("value",))})


class Nested(BaseModel):
    customer: Customer


class Listed(BaseModel):
    tags: list[str]


class Mapped(BaseModel):
    prices: dict[str, float] | None = None


class Anything(BaseModel):
    what: Any


class Itself(BaseModel):
    parent: "Itself | None" = None


class Unsaid(BaseModel, arbitrary_types_allowed=True):
    pattern: slice


@pytest.mark.parametrize("model", [Nested, Listed, Mapped, Anything, Itself, Unsaid])
def test_fields_that_are_no_plain_values_are_refused(model: type[BaseModel]) -> None:
    with pytest.raises(InvalidInput, match=rf"{model.__name__}\b.*(no plain value|cannot hold)"):
        ontology_of([model])
    with pytest.raises(InvalidInput):
        ontology_of([Customer], {model: (Customer, None)})


@pytest.mark.parametrize(
    ("written_as", "name"), [("HTTPServer", "http_server"), ("OrderLine2", "order_line2"), ("X", "x")]
)
def test_class_names_become_types(written_as: str, name: str) -> None:
    assert type_name(type(written_as, (BaseModel,), {})) == name


def test_an_end_that_is_no_type_is_refused() -> None:
    with pytest.raises(InvalidInput, match="'order_line', which is none of the entity types"):
        ontology_of([Customer], {PLACED_BY: (OrderLine, Customer)})


def test_what_is_written_is_read_again() -> None:
    assert WrittenOntology.model_validate(written(SHOP)).to_domain() == SHOP


def test_a_closed_ontology_knows_its_own_attributes_and_an_open_one_others_too() -> None:
    assert SHOP.knows_attribute_of("order", "total")
    assert not SHOP.knows_attribute_of("customer", "total")
    assert not SHOP.knows_attribute_of("ship", "total")
    assert SHOP.knows_attribute_in("placed", "channel")
    assert not SHOP.knows_attribute_in("sails", "channel")
    assert DEFAULT_ONTOLOGY.knows_attribute_of("ship", "total")


def test_every_label_of_graphmem_s_own_is_refused_as_a_type() -> None:
    written_as = re.compile(r"\(\w*:([A-Za-z]\w+)|SET \w+:(\w+)")
    ours = [path for path in CYPHER.rglob("*.cypher") if path.parent.name != "graphiti"]
    found = [match for path in ours for match in written_as.findall(path.read_text("utf-8"))]
    used = {label for match in found for label in match if label}

    assert used - {"__GraphmemMigration", "__GraphmemMigrationLock"} <= OWN_LABELS
    assert not OWN_LABELS & {label_of(name) for name in DEFAULT_ONTOLOGY.entity_types}
    for label in OWN_LABELS:
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", label).lower()
        with pytest.raises(InvalidInput, match="graphmem's own"):
            Ontology(entity_types={name: EntityType()})


def test_tables_and_plain_descriptions_are_read_from_the_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("config") / "ontology.toml"
    path.write_text(
        '[ontology.entity_types]\nperson = "a human being"\n'
        "[ontology.entity_types.ship]\n"
        'description = "a vessel"\nattributes = {flag = "the country it sails for"}\n'
        '[ontology.relation_types]\nknows = "has met"\n'
        '[ontology.relation_types.commands]\ndescription = "is captain of"\nsubjects = ["person"]\n'
        'attributes = {rank = ""}\ncategory = "occupation"\n'
    )
    monkeypatch.setenv("GRAPHMEM_CONFIG", str(path))

    ontology = load_settings().ontology.to_domain()

    assert ontology.entity_types == {
        "person": EntityType(description="a human being"),
        "ship": EntityType(description="a vessel", attributes={"flag": "the country it sails for"}),
    }
    assert ontology.relation_types == {
        "knows": RelationType(description="has met"),
        "commands": RelationType(
            description="is captain of", subjects=("person",), attributes={"rank": ""}, category=Category.OCCUPATION
        ),
    }


def test_settings_that_do_not_fit_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHMEM_ONTOLOGY_ENTITY_TYPES", '{"Session": "x"}')
    with pytest.raises(ConfigurationError, match=r"ontology: .*Write 'session'"):
        load_settings()


def told(version: str, ontology: Ontology = SHOP) -> str:
    return system_prompt(ontology, version)


def test_a_model_is_told_types_and_attributes() -> None:
    prompt = told(VERSION)

    assert "- customer: somebody who buys from us\n  - tier: gold or silver\n- order: a purchase\n  - total\n" in prompt
    assert "- placed: made an order (customer → order)\n  - channel: web or shop\n" in prompt
    assert "Leave out what fits none of them." in prompt
    assert "Totals matter {most}." in prompt


def test_earlier_prompts_stay_as_they_were() -> None:
    assert (VERSIONS[0], VERSION) == ("read-1", VERSIONS[-1])
    assert "- customer: somebody who buys from us\n- order: a purchase\n" in told("read-1")
    assert "gold or silver" not in told("read-1")
    with pytest.raises(InvalidInput, match="no prompt 'read-0'"):
        told("read-0")


@pytest.mark.parametrize("version", VERSIONS)
def test_an_ontology_that_was_kept_as_json_makes_the_same_prompt(version: str) -> None:
    again = WrittenOntology.model_validate_json(WrittenOntology.model_validate(written(SHOP)).model_dump_json())

    assert told(version, again.to_domain()) == told(version)


def test_the_client_loads_no_pydantic_before_it_is_needed() -> None:
    code = "import sys, graphmem.client; sys.exit('pydantic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_names_are_bounded() -> None:
    names: Mapping[str, EntityType] = {f"t{number}": EntityType() for number in range(101)}
    with pytest.raises(InvalidInput, match="There are 101 entity types; 100 at most"):
        Ontology(entity_types=names)
