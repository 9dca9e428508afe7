"""Reflections over HTTP, from the client and in a terminal: made when asked for, listed, and put into contexts."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from typer.testing import CliRunner

from graphmem.client import GraphmemClient
from graphmem.client.cli import app
from graphmem.derived.reflections import Reflections
from graphmem.embed.tokens import FileTokenizer
from graphmem.jobs.steps import Stepper
from graphmem.jobs.summariser import Reflector
from graphmem.settings.jobs import JobSettings
from graphmem.settings.recall import EmbeddingSettings
from graphmem.store.driver import Database
from tests.api.conftest import Service
from tests.models import memory_on

MONDAY = datetime(2025, 4, 28, 12, tzinfo=UTC)
DAY = "2025-05-04"


def claim(target: str, hours: int, **more: Any) -> dict[str, Any]:
    at = (MONDAY + timedelta(hours=hours)).isoformat()
    return {
        "subject": {"name": "Maya", "type": "person"},
        "predicate": "likes",
        "object": {"name": target, "type": "topic"},
        "valid_from": at,
        "occurred_at": at,
        "recorded_at": at,
        **more,
    }


def past(service: Service, group: str, *claims: dict[str, Any]) -> None:
    """What was recorded in the week before 4 May 2025, and for a user alone the last."""
    service.post("/v1/groups", {"id": group, "importing": True})
    assert service.post(f"/v1/groups/{group}/claims", list(claims)).status_code in (200, 201)
    assert service.post(f"/v1/groups/{group}/import/end", {}).status_code == 200


async def work(database: Database, group: str, job: dict[str, Any]) -> None:
    memory = memory_on(database)
    tokens = FileTokenizer(None, EmbeddingSettings())
    made = Reflections(memory.store, memory.reader, memory.late_vectors, tokens)
    taken = await memory.works.lease_work(group, job["id"], uuid4().hex, 60)
    assert taken is not None
    await Stepper(Reflector(made), memory.works, JobSettings()).do(taken)


async def test_they_are_asked_for_made_listed_and_shown(service: Service, group: str, database: Database) -> None:
    things = ("chess", "opera", "rugby")
    past(service, group, *(claim(one, at) for at, one in enumerate(things)), claim("judo", 5, user="maya"))
    path = f"/v1/groups/{group}"
    asked = service.post(f"{path}/jobs/reflect", {"target": DAY})
    job = asked.json()["job"]
    assert (asked.status_code, job["kind"], job["period"], job["target"]) == (202, "reflect", DAY, None)
    assert job["arguments"] == {"until": "2025-05-04T03:00:00+00:00"}
    await work(database, group, job)
    done = service.get(f"{path}/jobs/{job['id']}").json()
    assert (done["status"], done["progress"]["reflections"]) == ("done", 2)

    first = service.get(f"{path}/reflections", limit=1).json()
    second = service.get(f"{path}/reflections", limit=1, cursor=first["next_cursor"]).json()
    found = {one["user"]: one for page in (first, second) for one in page["reflections"]}
    assert second["next_cursor"] is None
    assert (set(found), found["maya"]["day"], found["maya"]["tags"]) == ({None, "maya"}, DAY, ["weekly"])
    assert "judo" in found["maya"]["content"]
    assert all(one["claim_ids"] for one in found["maya"]["sentences"])

    hits = service.post(f"{path}/search", {"query": "judo", "kinds": ["reflection"]}).json()["hits"]
    assert ("reflection", found["maya"]["id"]) in [(hit["kind"], hit["thing"]["id"]) for hit in hits]
    asked_for = {"query": "What does Maya like?", "user": "maya"}
    context = service.post(f"{path}/context", asked_for).json()
    (insight,) = (part for part in context["parts"] if part["heading"] == "Weekly insight")
    (line,) = insight["lines"]
    assert (line["kind"], line["reflection"]["day"], "judo" in line["text"]) == ("reflection", DAY, True)
    assert "\n## Weekly insight\n" in context["markdown"]
    without = service.post(f"{path}/context", {**asked_for, "weekly_insight": False}).json()
    assert "Weekly insight" not in without["markdown"]


async def test_the_client_and_a_terminal_show_them(service: Service, group: str, database: Database) -> None:
    past(service, group, *(claim(one, at) for at, one in enumerate(("chess", "opera", "rugby"))))
    with GraphmemClient(service.url, service.token) as client:
        await work(database, group, client.job(group, "reflect", target=DAY).model_dump(mode="json"))
        (found,) = client.reflections(group, user="maya")
    ran = CliRunner().invoke(
        app, ["session", "reflections", "--group", group, "--url", service.url, "--key", service.token]
    )
    assert ran.exit_code == 0, ran.output
    assert f"{DAY}, everybody ({found.reflection_id})\nWeek to 4 May 2025:" in ran.output


def test_a_day_that_is_none_or_has_not_come_is_refused(service: Service, group: str) -> None:
    service.post("/v1/groups", {"id": group})
    for target in ("soon", "2999-01-01", "0001-01-01"):
        answer = service.post(f"/v1/groups/{group}/jobs/reflect", {"target": target})
        assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/target"), target


def test_without_a_day_it_is_the_days_until_now_and_trying_it_is_another_job(service: Service, group: str) -> None:
    service.post("/v1/groups", {"id": group})
    asked = service.http.post(f"/v1/groups/{group}/jobs/reflect").json()["job"]
    tried = service.post(f"/v1/groups/{group}/jobs/reflect", {"dry_run": True}).json()["job"]
    until = datetime.fromisoformat(asked["arguments"]["until"])
    assert timedelta() < datetime.now(UTC) - until < timedelta(minutes=1)  # noqa: TID251 - the clock of the service
    assert (asked["period"], asked["dry_run"], tried["dry_run"]) == (until.date().isoformat(), False, True)
    assert asked["id"] != tried["id"]


def test_a_group_without_reflections_has_an_empty_page_and_no_group_none(service: Service, group: str) -> None:
    service.post("/v1/groups", {"id": group})
    assert service.get(f"/v1/groups/{group}/reflections").json()["reflections"] == []
    assert service.get(f"/v1/groups/{group}-none/reflections").status_code == 404
