"""Both clients have every call of the service, and understand every answer that it documents."""

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from pydantic import TypeAdapter

from graphmem.api import openapi
from graphmem.api.app import create_app
from graphmem.client import AsyncGraphmemClient, UnknownAnswer
from graphmem.client.problems import ServiceUnavailable, error_of
from graphmem.client.synchronous import GraphmemClient
from graphmem.errors import AnswerTooLarge, CallerError, Conflict, InvalidInput, NotFound, Outdated, UnavailableError
from graphmem.settings import Settings

ID, TIME = "0" * 32, "2025-05-03T10:00:00Z"
MAYA = {"name": "Maya", "type": "person"}
Call = tuple[str, str]
_READ: dict[str, object] = {
    "settled": False,
    "access_changed_at": None,
    "erased_at": None,
    "valid_at": TIME,
    "known_at": TIME,
}
_ENTITY: dict[str, object] = {
    "qualifier": "",
    "protected": False,
    "recorded_at": TIME,
    "valid_from": None,
    "valid_to": None,
    "existed": "unknown",
}

CALLS: Mapping[Call, Callable[[Any], Any]] = {
    ("GET", "/v1/groups"): lambda client: client.groups(),
    ("POST", "/v1/groups"): lambda client: client.make_group("g", importing=True),
    ("GET", "/v1/groups/{group}"): lambda client: client.group("g", user="u"),
    ("PUT", "/v1/groups/{group}/name"): lambda client: client.rename("g", "h"),
    ("PUT", "/v1/groups/{group}/archived"): lambda client: client.archive("g"),
    ("POST", "/v1/groups/{group}/import/end"): lambda client: client.end_import("g"),
    ("GET", "/v1/groups/{group}/export"): lambda client: client.export("g", user="u", vectors=True),
    ("POST", "/v1/groups/{group}/import"): lambda client: client.restore("g", b"{}"),
    ("GET", "/v1/groups/{group}/memory/stats"): lambda client: client.memory_stats("g", valid_at=TIME),
    ("GET", "/v1/groups/{group}/dates"): lambda client: client.dates("g"),
    ("PUT", "/v1/groups/{group}/dates"): lambda client: client.put_dates("g", month_first=True),
    ("GET", "/v1/groups/{group}/retention"): lambda client: client.retention("g", episode_days=90),
    ("PUT", "/v1/groups/{group}/retention"): lambda client: client.put_retention("g", 365, audit_days=3650),
    ("DELETE", "/v1/groups/{group}/retention"): lambda client: client.delete_retention("g"),
    ("GET", "/v1/groups/{group}/ontology"): lambda client: client.ontology("g"),
    ("PUT", "/v1/groups/{group}/ontology"): lambda client: client.put_ontology("g", {"open_types": True}),
    ("DELETE", "/v1/groups/{group}/ontology"): lambda client: client.delete_ontology("g"),
    ("GET", "/v1/groups/{group}/predicates"): lambda client: client.predicates("g"),
    ("GET", "/v1/groups/{group}/predicates/{name}"): lambda client: client.predicate("g", "a/b"),
    ("PUT", "/v1/groups/{group}/predicates/{name}"): lambda client: client.put_predicate("g", "a/b", "one"),
    ("DELETE", "/v1/groups/{group}/predicates/{name}"): lambda client: client.delete_predicate("g", "a/b"),
    ("GET", "/v1/groups/{group}/sources"): lambda client: client.sources("g"),
    ("PUT", "/v1/groups/{group}/sources/{source}"): lambda client: client.put_source("g", "crm", unique=True),
    ("POST", "/v1/groups/{group}/episodes"): lambda client: client.post_episodes("g", {"content": "Hello."}),
    ("PUT", "/v1/groups/{group}/episodes/by-external-id/{external_id}"): lambda client: client.put_episode(
        "g", "m/1", {"content": "Hello."}, idempotency_key="k"
    ),
    ("GET", "/v1/groups/{group}/episodes"): lambda client: client.episodes("g", session="s", known_at=TIME),
    ("GET", "/v1/groups/{group}/episodes/{episode_id}"): lambda client: client.episode("g", ID),
    ("POST", "/v1/groups/{group}/episodes/{episode_id}/retry"): lambda client: client.retry("g", ID, user="u"),
    ("POST", "/v1/groups/{group}/episodes/{episode_id}/reprocess"): lambda client: client.reprocess("g", ID, user="u"),
    ("POST", "/v1/groups/{group}/files"): lambda client: client.post_file("g", Path(__file__), as_="Maya", since=TIME),
    ("POST", "/v1/groups/{group}/extract"): lambda client: client.extract("g", "Hello."),
    ("POST", "/v1/groups/{group}/forget"): lambda client: client.forget("g", session="s", confirm=f"1.{'0' * 64}"),
    ("GET", "/v1/groups/{group}/forget/{receipt_id}"): lambda client: client.receipt("g", ID),
    ("POST", "/v1/groups/{group}/forget/{receipt_id}/verify"): lambda client: client.verify("g", ID, ["4711"]),
    ("GET", "/v1/groups/{group}/sessions"): lambda client: client.sessions("g"),
    ("GET", "/v1/groups/{group}/sessions/{session_id}"): lambda client: client.session("g", ID, window=3),
    ("POST", "/v1/groups/{group}/sessions/{session_id}/close"): lambda client: client.close_session("g", ID),
    ("GET", "/v1/groups/{group}/summaries"): lambda client: client.summaries("g", session_id=ID),
    ("POST", "/v1/groups/{group}/summaries/{summary_id}/regenerate"): lambda client: client.regenerate_summary("g", ID),
    ("GET", "/v1/groups/{group}/reflections"): lambda client: client.reflections("g"),
    ("POST", "/v1/groups/{group}/claims"): lambda client: client.claims("g", [{"predicate": "age"}]),
    ("POST", "/v1/groups/{group}/claims/{claim_id}/retract"): lambda client: client.retract("g", ID, user="u"),
    ("POST", "/v1/groups/{group}/claims/{claim_id}/correct"): lambda client: client.correct("g", ID, {}, user="u"),
    ("GET", "/v1/groups/{group}/facts"): lambda client: client.facts("g", category=["identity"]),
    ("POST", "/v1/groups/{group}/facts"): lambda client: client.remember_fact("g", MAYA, "identity", "age", value=30),
    ("POST", "/v1/groups/{group}/facts/{belief_id}/confirm"): lambda client: client.confirm_fact("g", ID, user="u"),
    ("POST", "/v1/groups/{group}/facts/{belief_id}/correct"): lambda client: client.correct_fact("g", ID, value=31),
    ("POST", "/v1/groups/{group}/facts/{belief_id}/share"): lambda client: client.share_fact("g", ID),
    ("POST", "/v1/groups/{group}/facts/{belief_id}/unshare"): lambda client: client.unshare_fact("g", ID),
    ("DELETE", "/v1/groups/{group}/facts/{belief_id}"): lambda client: client.delete_fact("g", ID, reason="No."),
    ("GET", "/v1/groups/{group}/conflicts"): lambda client: client.conflicts("g"),
    ("POST", "/v1/groups/{group}/conflicts/{belief_id}"): lambda client: client.settle_conflict("g", ID, ID),
    ("GET", "/v1/groups/{group}/entities"): lambda client: client.entities("g", type="person", name="Maya"),
    ("GET", "/v1/groups/{group}/entities/{entity_id}"): lambda client: client.entity("g", ID, open=False),
    ("GET", "/v1/groups/{group}/entities/{entity_id}/profile"): lambda client: client.profile("g", ID),
    ("GET", "/v1/groups/{group}/entities/{entity_id}/history"): lambda client: client.history("g", ID),
    ("PUT", "/v1/groups/{group}/entities/{entity_id}/protected"): lambda client: client.protect("g", ID),
    ("GET", "/v1/groups/{group}/graph"): lambda client: client.graph("g", entity="Maya", predicate=["a", "b"]),
    ("GET", "/v1/groups/{group}/diff"): lambda client: client.diff("g", "valid", TIME, TIME),
    ("GET", "/v1/groups/{group}/answer"): lambda client: client.answer("g", "Maya", "lives_in"),
    ("GET", "/v1/groups/{group}/beliefs"): lambda client: client.beliefs("g", predicate=["a"]),
    ("GET", "/v1/groups/{group}/beliefs/{belief_id}"): lambda client: client.belief("g", ID),
    ("GET", "/v1/groups/{group}/beliefs/{belief_id}/evidence"): lambda client: client.evidence("g", ID),
    ("GET", "/v1/groups/{group}/merges"): lambda client: client.merges("g"),
    ("GET", "/v1/groups/{group}/merges/{merge_id}"): lambda client: client.one_merge("g", ID),
    ("POST", "/v1/groups/{group}/merges"): lambda client: client.merge("g", ID, ID, "One."),
    ("POST", "/v1/groups/{group}/merges/{merge_id}/revert"): lambda client: client.revert_merge("g", ID, "Two."),
    ("GET", "/v1/groups/{group}/reviews"): lambda client: client.reviews("g"),
    ("GET", "/v1/groups/{group}/reviews/{review_id}"): lambda client: client.review("g", ID),
    ("POST", "/v1/groups/{group}/reviews/{review_id}"): lambda client: client.decide("g", ID, "same", "One."),
    ("GET", "/v1/groups/{group}/pairs"): lambda client: client.pair("g", ID, ID),
    ("POST", "/v1/groups/{group}/search"): lambda client: client.search("g", "Where?", filters={"tags": ["t"]}),
    ("POST", "/v1/groups/{group}/context"): lambda client: client.context("g", "Where?", limits={"window": 1}),
    ("GET", "/v1/groups/{group}/jobs"): lambda client: client.jobs("g", kind="dedup"),
    ("GET", "/v1/groups/{group}/jobs/{job_id}"): lambda client: client.one_job("g", ID),
    ("POST", "/v1/groups/{group}/jobs/{kind}"): lambda client: client.job("g", "dedup"),
    ("GET", "/v1/jobs"): lambda client: client.service_jobs(),
    ("GET", "/v1/jobs/{job_id}"): lambda client: client.service_job(ID),
    ("POST", "/v1/groups/{group}/tombstones/lift"): lambda client: client.lift_tombstones("g", [ID], user="u"),
    ("GET", "/v1/groups/{group}/users/{user}/opt_out"): lambda client: client.opted_out("g", "u/1"),
    ("PUT", "/v1/groups/{group}/users/{user}/opt_out"): lambda client: client.opt_out("g", "u/1"),
    ("DELETE", "/v1/groups/{group}/users/{user}/opt_out"): lambda client: client.opt_in("g", "u/1"),
    ("GET", "/v1/groups/{group}/audit"): lambda client: client.audit("g", by_user="u", operation="DELETE"),
    ("GET", "/v1/groups/{group}/audit/chain"): lambda client: client.audit_chain("g"),
    ("GET", "/v1/audit"): lambda client: client.audit(),
    ("GET", "/v1/audit/chain"): lambda client: client.audit_chain(),
    ("GET", "/v1/keys"): lambda client: client.keys(),
    ("GET", "/v1/keys/own"): lambda client: client.own_key(),
    ("POST", "/v1/keys"): lambda client: client.make_key("A bot", ["team-*"], ["read"], users=[], agents=["bot"]),
    ("POST", "/v1/keys/{key_id}/replace"): lambda client: client.replace_key(ID[:12]),
    ("DELETE", "/v1/keys/{key_id}"): lambda client: client.revoke_key(ID[:12]),
}
"""A method for each call."""
LATER = [call for call in CALLS if call[0] == "POST" and re.search(r"/merges$|/revert$|/reviews/", call[1])]
"""Decisions, which a worker may carry out."""
OTHERWISE = {
    ("POST", "/v1/groups/{group}/jobs/{kind}"): "job",
    ("GET", "/v1/groups/{group}/sources"): "sources",
    ("GET", "/v1/groups/{group}/beliefs/{belief_id}"): "belief",
}
"""Of these the method gives a part of the answer."""


class Documented:
    """Answers each call with the example of its description, the one of ``status`` where there are several."""

    def __init__(self, document: dict[str, Any], status: str = "20[01]|202") -> None:
        self.asked: list[Call] = []
        self._operations = {(method.upper(), path): one for method, path, one in openapi.operations(document)}
        self._status = status

    def example(self, call: Call) -> Any:
        found = [
            example["example"]
            for status, answer in sorted(self._operations[call]["responses"].items())
            for example in answer["content"].values()
            if re.fullmatch(self._status, status) and "example" in example
        ]
        if isinstance(found[0], str):
            return found[0]
        return {**found[0], **({"next_cursor": None} if "next_cursor" in found[0] else {})}

    def __call__(self, request: httpx.Request) -> httpx.Response:
        path = request.url.raw_path.decode().partition("?")[0]
        (call,) = [
            (method, template)
            for method, template in CALLS
            if method == request.method and re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path)
        ]
        taken = {one["name"] for one in self._operations[call].get("parameters", ()) if one["in"] == "query"}
        assert request.url.params.keys() <= taken, "the service refuses what a call does not take"
        self.asked.append(call)
        example = self.example(call)
        if isinstance(example, str):
            return httpx.Response(200, text=example)
        return httpx.Response(202 if self._status == "202" else 200, json=example)


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return create_app(Settings(data_dir=tmp_path_factory.mktemp("openapi"))).openapi()


def synchronous(answers: Callable[[httpx.Request], httpx.Response]) -> GraphmemClient:
    return GraphmemClient("http://graphmem.test", "token", transport=httpx.MockTransport(answers))


def asynchronous(answers: Callable[[httpx.Request], httpx.Response]) -> AsyncGraphmemClient:
    return AsyncGraphmemClient("http://graphmem.test", "token", transport=httpx.MockTransport(answers))


def as_json(found: object) -> Any:
    shown = list(cast("Iterator[object]", found)) if isinstance(found, Iterator) else found
    return json.loads(TypeAdapter[Any](Any).dump_json(shown, by_alias=True, exclude_unset=True))


def expected(call: Call, example: dict[str, Any] | str, found: object) -> Any:
    """What a method gives of an example: the items of a page, which are its last list, or all."""
    if isinstance(example, str):
        return [example]
    if call in OTHERWISE:
        return example[OTHERWISE[call]]
    if isinstance(found, list | Iterator):
        return [cast("list[object]", value) for value in example.values() if isinstance(value, list)][-1]
    return example


async def awaited(found: object) -> object:
    if isinstance(found, AsyncIterator):
        return [one async for one in cast("AsyncIterator[object]", found)]
    return await cast("Awaitable[object]", found)


def test_every_call_has_a_method(document: dict[str, Any]) -> None:
    there = {(method.upper(), path) for method, path, _ in openapi.operations(document)}
    assert set(CALLS) == {(method, path) for method, path in there if path.startswith("/v1/")}


async def test_methods_ask_their_calls_and_understand_the_answers(
    document: dict[str, Any], subtests: pytest.Subtests
) -> None:
    service = Documented(document)
    async with asynchronous(service) as client:
        for call, method in CALLS.items():
            with subtests.test(" ".join(call)):
                answer = await awaited(method(client))
                assert as_json(answer) == expected(call, service.example(call), answer)
                assert service.asked[-1] == call


def test_decisions_that_a_worker_carries_out_are_jobs(document: dict[str, Any]) -> None:
    service = Documented(document, status="202")
    with synchronous(service) as client:
        assert [as_json(CALLS[call](client)) for call in LATER] == [service.example(call) for call in LATER]


def test_pages_are_turned_when_they_are_read() -> None:
    asked: list[str | None] = []

    def page(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.params.get("cursor"))
        return httpx.Response(200, json={"groups": [group(f"g{len(asked)}")], "next_cursor": f"c{len(asked)}"})

    with synchronous(page) as client:
        groups = client.groups()
        assert asked == []
        assert [next(groups).id, next(groups).id] == ["g1", "g2"]
    assert asked == [None, "c1"]


async def test_pages_are_asynchronous_iterators() -> None:
    def page(request: httpx.Request) -> httpx.Response:
        more = "c" if "cursor" not in request.url.params else None
        return httpx.Response(200, json={"groups": [group("g")], "next_cursor": more})

    async with asynchronous(page) as client:
        assert [one.id async for one in client.groups()] == ["g", "g"]


def test_a_newer_service_may_say_more() -> None:
    with synchronous(lambda _: httpx.Response(200, json={**group("g"), "colour": "green"})) as client:
        assert client.make_group("g").id == "g"


@pytest.mark.parametrize("answer", [b"{}", b"[]", b"<html>", b""])
def test_an_answer_of_something_else_is_said(answer: bytes) -> None:
    with (
        synchronous(lambda _: httpx.Response(200, content=answer)) as client,
        pytest.raises(UnknownAnswer, match="GroupOut"),
    ):
        client.make_group("g")


@pytest.mark.parametrize(
    ("status", "slug", "kind"),
    [
        (404, "not-found", NotFound),
        (409, "ambiguous-name", Conflict),
        (412, "precondition-failed", Outdated),
        (422, "answer-too-large", AnswerTooLarge),
        (422, "of-another-release", InvalidInput),
    ],
)
def test_a_problem_is_the_error_of_its_slug_else_of_its_status(status: int, slug: str, kind: type[Exception]) -> None:
    problem = {"type": f"urn:graphmem:problem:{slug}", "detail": "Because."}
    answer = httpx.Response(status, json=problem, headers={"content-type": "application/problem+json"})
    with synchronous(lambda _: answer) as client, pytest.raises(kind, match=r"^Because\.$") as raised:
        client.ontology("g")
    assert type(raised.value) is kind


@pytest.mark.parametrize(
    ("status", "problem", "kind", "message"),
    [
        (502, {"status": 502, "title": "Bad Gateway"}, ServiceUnavailable, "Bad Gateway"),
        (504, {}, ServiceUnavailable, "The service answered 504."),
        (503, {"title": "Busy"}, UnavailableError, "Busy"),
        (404, {"detail": "None here."}, NotFound, "None here."),
        (418, {"type": "about:blank", "title": "Teapot"}, CallerError, "Teapot"),
    ],
)
def test_a_problem_may_leave_out_every_member(
    status: int, problem: dict[str, object], kind: type[Exception], message: str
) -> None:
    error = error_of(problem_response(status, json.dumps(problem)))
    assert (type(error), str(error)) == (kind, message)


@pytest.mark.parametrize("body", ["", '{"type": "urn:graphmem:problem:not-fo', "[]", '{"detail": 5}', "\ud800"])
def test_a_problem_that_cannot_be_read_is_no_answer_of_the_service(body: str) -> None:
    error = error_of(problem_response(404, body))
    assert type(error) is ServiceUnavailable
    assert "answered 404; is it graphmem?" in str(error)


@pytest.mark.parametrize(("base", "hint"), [("http://127.0.0.1:8464", True), ("https://memory.example/v", False)])
def test_what_runs_here_is_asked_for_where_nothing_answers_here(base: str, hint: bool) -> None:  # noqa: FBT001 - the expectation
    error = error_of(httpx.ConnectError("Refused.", request=httpx.Request("GET", f"{base}/x?query=secret")))
    origin = base.removesuffix("/v")
    assert str(error).startswith(f"The service at {origin} does not answer (ConnectError).")
    assert ("graphmem up" in str(error)) is hint


def test_a_name_of_several_lists_the_candidates_that_the_service_names() -> None:
    candidates = [{"id": f"{number:032x}", "type": "person", "name": "Maya", "qualifier": ""} for number in range(2)]
    detail = "Several entities have this name. Ask with the id of one of the candidates."
    problem = {"type": "urn:graphmem:problem:ambiguous-name", "detail": detail, "candidates": candidates}
    error = error_of(problem_response(409, json.dumps(problem)))
    assert type(error) is Conflict
    assert str(error) == f"{detail} Candidates: {0:032x} (Maya, person), {1:032x} (Maya, person)."


def named(*part_of: str | None) -> Callable[[httpx.Request], httpx.Response]:
    """A service with an entity named Maya for each: the one it is part of, if any."""
    entities = [
        {**MAYA, **_ENTITY, "id": f"{number:032x}", "part_of": whole} for number, whole in enumerate(part_of, start=1)
    ]

    def answer(request: httpx.Request) -> httpx.Response:
        limit, start = int(request.url.params["limit"]), int(request.url.params.get("cursor", 0))
        end = start + limit
        page = {"entities": entities[start:end], "next_cursor": str(end) if end < len(entities) else None}
        return httpx.Response(200, json={**_READ, **page})

    return answer


def test_an_error_of_a_name_of_many_lists_the_first() -> None:
    with synchronous(named(*[None] * 300)) as client, pytest.raises(Conflict) as raised:
        client.entity_id("g", "Maya")
    assert str(raised.value).count(", person)") == 20
    assert str(raised.value).endswith(" and more.")
    with synchronous(named(None, None)) as client, pytest.raises(Conflict, match=r"2 \(Maya, person\)\.$"):
        client.entity_id("g", "Maya")


@pytest.mark.parametrize("part_of", [[None, f"{1:032x}"], [f"{9:032x}", f"{9:032x}"], [f"{2:032x}", None]])
async def test_the_names_of_one_merged_thing_mean_it(part_of: list[str | None]) -> None:
    async with asynchronous(named(*part_of)) as client:
        assert await client.entity_id("g", "Maya") == f"{1:032x}"


async def test_all_evidence_is_read_page_by_page(document: dict[str, Any]) -> None:
    call = ("GET", "/v1/groups/{group}/beliefs/{belief_id}/evidence")
    example = Documented(document).example(call)
    asked: list[tuple[str | None, str]] = []

    def page(request: httpx.Request) -> httpx.Response:
        cursor = request.url.params.get("cursor")
        asked.append((cursor, request.url.params["limit"]))
        return httpx.Response(200, json={**example, "next_cursor": "c" if cursor is None else None})

    with synchronous(page) as client:
        assert [one.next_cursor for one in client.all_evidence("g", ID)] == ["c", None]
        assert client.evidence("g", ID, cursor="c", limit=7).next_cursor is None
    async with asynchronous(page) as client:
        assert [one.next_cursor async for one in client.all_evidence("g", ID)] == ["c", None]
    assert asked == [(None, "500"), ("c", "500"), ("c", "7"), (None, "500"), ("c", "500")]


def problem_response(status: int, body: str) -> httpx.Response:
    return httpx.Response(
        status,
        content=body.encode("utf-8", "surrogatepass"),
        headers={"content-type": "application/problem+json"},
        request=httpx.Request("GET", "http://graphmem.test/v1/groups"),
    )


def test_names_are_quoted_in_paths_and_lists_repeated_in_queries() -> None:
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.raw_path.decode())
        return httpx.Response(404)

    with synchronous(answer) as client:
        for call in (lambda: client.predicate("g", "a/b?"), lambda: client.graph("g", predicate=["a", "b"], open=True)):
            with pytest.raises(Exception, match="is it graphmem"):
                call()
    assert asked == ["/v1/groups/g/predicates/a%2Fb%3F", "/v1/groups/g/graph?predicate=a&predicate=b&open=true"]


def test_columns_of_a_file_that_would_be_read_as_others_are_not_sent() -> None:
    def answer(_: httpx.Request) -> httpx.Response:
        raise AssertionError("Nothing is sent.")

    with synchronous(answer) as client, pytest.raises(InvalidInput, match="comma"):
        client.post_file("g", Path(__file__), columns={"content": "said, in short"})


def group(name: str) -> dict[str, object]:
    return {
        "id": name,
        "made_as": name,
        "archived_at": None,
        "embedding_model": "m",
        "dimensions": 3,
        "recorded_at": TIME,
        "importing": False,
        "imported": False,
        "settled_until": None,
    }


async def test_all_pages_are_as_of_the_instants_of_the_first(document: dict[str, Any]) -> None:
    example = Documented(document).example(("GET", "/v1/groups/{group}/beliefs"))
    asked: list[tuple[str | None, str | None]] = []

    def page(request: httpx.Request) -> httpx.Response:
        params = request.url.params
        asked.append((params.get("valid_at"), params.get("known_at")))
        return httpx.Response(200, json={**example, "next_cursor": None if "cursor" in params else "c"})

    async with asynchronous(page) as client:
        assert [belief async for belief in client.beliefs("g")]
    first, second = asked
    assert first == (None, None)
    assert [datetime.fromisoformat(instant or "") for instant in second] == [
        datetime.fromisoformat(example[name]) for name in ("valid_at", "known_at")
    ]
