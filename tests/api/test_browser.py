"""The guide of Neo4j Browser, of a real group: what it tells is so, and what it runs finds it."""

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any, LiteralString, cast

import pytest
from neo4j import AsyncSession

from graphmem.store.driver import Database
from tests import guides
from tests.api.claiming import JANUARY, JULY, MARCH, MAY, MAYA, lives, moves, post
from tests.api.conftest import Service

BRUNO = {"name": "Bruno", "type": "person"}
HOSTILE = "<img src=x onerror=alert(1)> **Mara**\n---\n# Mine ```cypher' OR 1=1"


def guide_of(service: Service, group: str, form: str = "md") -> str:
    answer = service.get(f"/browser/{group}/guide.{form}")
    assert answer.status_code == 200, answer.text
    return answer.text


def days(guide: str) -> dict[str, list[datetime]]:
    """The parameters that the guide sets, each in the order of its slides."""
    found: dict[str, list[datetime]] = {}
    for name, instant in re.findall(r"^:param (\w+) => datetime\('(.+?)'\)", guide, re.MULTILINE):
        found.setdefault(name, []).append(datetime.fromisoformat(instant))
    return found


async def answers(database: Database, guide: str) -> dict[str, list[dict[str, Any]]]:
    """What each query of the guide finds with the days of its slide, by its first line of RETURN."""
    found: dict[str, list[dict[str, Any]]] = {}
    open_session = cast("Callable[..., AsyncSession]", database.driver.session)
    for slide in guides.slides(guide):
        params = {name: instants[-1] for name, instants in days(slide).items()}
        for command in (command for command in guides.commands(slide) if not command.startswith(":")):
            async with open_session() as session:
                result = await session.run(cast("LiteralString", command), params)
                found[command] = await result.data()
    return found


def table(found: dict[str, list[dict[str, Any]]], group: str, name: str) -> list[tuple[str, str, Any]]:
    """Subject, predicate and object of each row that a saved query found."""
    rows = found[guides.SAVED[name].typed({"group": f"'{group}'"})]
    return [(row["subject"], row["predicate"], row["object"]) for row in rows]


def ages(age: int, since: str, **more: Any) -> dict[str, Any]:
    return {"subject": MAYA, "predicate": "age", "value": age, "valid_from": since, "occurred_at": since} | more


async def test_it_tells_of_the_group_and_finds_what_it_tells(service: Service, group: str, database: Database) -> None:
    guide = guide_of(service, moves(service, group))
    told = guides.words(guide)
    assert all(word in told for word in ("Maya", "place, person", "1 May 2025", "lives_in"))
    assert days(guide)["valid_at"][0].isoformat() == "2025-04-30T00:00:00+00:00"
    assert days(guide)["known_at"][0] < datetime.fromisoformat(JULY)

    found = await answers(database, guide)

    assert len(found) == len(guides.SAVED)
    (then,) = [rows for command, rows in found.items() if "AS believed_from" in command]
    assert [(row["subject"], row["predicate"], row["object"]) for row in then] == [("Maya", "lives_in", "Porto")]
    (changed,) = [rows for command, rows in found.items() if "AS change" in command]
    assert {(row["change"], row["object"]) for row in changed} == {("began", "Lisbon"), ("ended", "Porto")}
    (sentences,) = [rows for command, rows in found.items() if "AS said_at" in command]
    assert len(sentences) == 2
    (indexes,) = [rows for command, rows in found.items() if command.startswith("SHOW")]
    assert "relationship_vectors" in {row["name"] for row in indexes}


async def test_the_table_of_a_day_leaves_out_what_the_picture_shows(
    service: Service, group: str, database: Database
) -> None:
    post(service, group, lives("Lisbon", JANUARY), lives("Valencia", MARCH, subject=BRUNO))
    post(service, group, lives("Porto", MAY), lives("Porto", JULY, subject=BRUNO))
    guide = guide_of(service, group)
    assert days(guide)["valid_at"][0].isoformat() == "2025-06-30T00:00:00+00:00"

    found = await answers(database, guide)

    drawn = found[guides.SAVED["true_at"].typed({"group": f"'{group}'"})]
    assert {row[end]["name"] for row in drawn for end in "ab"} == {"Maya", "Bruno", "Porto", "Valencia"}
    then, now = (table(found, group, name) for name in ("exactly_at", "exactly_now"))
    assert then == [("Bruno", "lives_in", "Valencia"), ("Maya", "lives_in", "Porto")]
    assert now == [("Bruno", "lives_in", "Porto"), ("Maya", "lives_in", "Porto")]


async def test_tables_have_facts_and_those_that_were_corrected(
    service: Service, group: str, database: Database
) -> None:
    service.post("/v1/groups", {"id": group, "importing": True})
    post(service, group, lives("Porto", JANUARY, recorded_at=JANUARY), ages(30, JANUARY, recorded_at=JANUARY))
    post(service, group, lives("Lisbon", MAY, recorded_at=JULY), ages(31, MAY, recorded_at=JULY))

    found = await answers(database, guide_of(service, group))

    young, porto = ("Maya", "age", 30), ("Maya", "lives_in", "Porto")
    old, lisbon = ("Maya", "age", 31), ("Maya", "lives_in", "Lisbon")
    assert table(found, group, "exactly_now") == [old, lisbon]
    assert table(found, group, "exactly_at") == [young, porto]
    assert table(found, group, "known_then") == [young, porto]
    assert table(found, group, "changed_between") == [young, old, lisbon, porto]  # all of them on 1 May
    given_up = found[guides.SAVED["no_longer_believed"].typed({"group": f"'{group}'"})]
    assert {row["b"].get("value", row["b"].get("name")) for row in given_up} == {30, "Porto"}


async def test_hostile_names_stay_text(service: Service, group: str, database: Database) -> None:
    post(service, group, lives("Porto", MAY, subject=MAYA | {"name": HOSTILE.replace("\n", " ")}))
    guide = guide_of(service, group)
    assert guides.tags(guide) == ["title"]
    assert len(guides.slides(guide)) == 9
    assert "Mara" in guides.words(guide)
    assert len(await answers(database, guide)) == len(guides.SAVED)


@pytest.mark.parametrize("form", ["md", "adoc"])
def test_an_empty_group_has_a_guide(service: Service, group: str, form: str) -> None:
    assert service.post("/v1/groups", {"id": group}).is_success
    assert "nobody yet" in guide_of(service, group, form)


def test_types_of_the_group_have_colours(service: Service, group: str) -> None:
    post(service, group, lives("Porto", MAY, object={"name": "Calypso", "type": "sailing_ship"}))
    style = service.get(f"/browser/{group}/style.grass").text
    assert "node.SailingShip {" in style
    assert style.startswith(guides.STYLE)


def test_a_group_that_is_not_there_has_none(service: Service) -> None:
    assert service.get("/browser/no-such-group/guide.md").status_code == 404
