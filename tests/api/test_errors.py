"""Wrong and odd input: a clear problem document or correct storage, never a 500, never half of it."""

import json
from typing import Any

import pytest

from tests.api.conftest import MAX_BODY, MAX_CONTENT, Service

EPISODE: dict[str, Any] = {"content": "Hello.", "occurred_at": "2025-05-03T10:00:00Z"}
CLAIM: dict[str, Any] = {
    "subject": {"name": "Maya", "type": "person"},
    "predicate": "knows",
    "object": {"name": "Ann", "type": "person"},
    "occurred_at": "2025-05-03T10:00:00Z",
}
MEMBERS = {"type", "title", "status", "detail", "instance", "request_id"}

BAD_EPISODES: list[tuple[str, Any, str]] = [
    ("naive datetime", EPISODE | {"occurred_at": "2025-05-03T10:00:00"}, "/occurred_at"),
    ("date only", EPISODE | {"occurred_at": "2025-05-03"}, "/occurred_at"),
    ("a number as time", EPISODE | {"occurred_at": 1_746_266_400}, "/occurred_at"),
    ("a number in quotes as time", EPISODE | {"occurred_at": "1746266400"}, "/occurred_at"),
    ("year 0", EPISODE | {"occurred_at": "0000-01-01T00:00:00Z"}, "/occurred_at"),
    ("the first day", EPISODE | {"occurred_at": "0001-01-01T00:00:00Z"}, "/occurred_at"),
    ("before the first day", EPISODE | {"occurred_at": "0001-01-01T00:00:00+14:00"}, "/occurred_at"),
    ("the last day", EPISODE | {"occurred_at": "9999-12-31T23:59:59.999999Z"}, "/occurred_at"),
    ("31 February", EPISODE | {"occurred_at": "2025-02-31T00:00:00Z"}, "/occurred_at"),
    ("no content", {"occurred_at": EPISODE["occurred_at"]}, "/content"),
    ("content null", EPISODE | {"content": None}, "/content"),
    ("content a number", EPISODE | {"content": 7}, "/content"),
    ("blank content", EPISODE | {"content": " \n\t"}, "/content"),
    ("NUL in content", EPISODE | {"content": "a\x00b"}, "/content"),
    ("C1 control in content", EPISODE | {"content": "a\x85b"}, "/content"),
    ("line break in a name", EPISODE | {"speaker": "Ma\nya"}, "/speaker"),
    ("blank session", EPISODE | {"session": "  "}, "/session"),
    ("name of 10 kB", EPISODE | {"speaker": "x" * 10_000}, "/speaker"),
    ("name that grows as a key", EPISODE | {"session": "\ufdfa" * 512}, "/session"),
    ("unknown field", EPISODE | {"contents": "x"}, "/contents"),
    ("unknown role", EPISODE | {"role": "king"}, "/role"),
    ("too many tags", EPISODE | {"tags": ["t"] * 65}, "/tags"),
    ("a tag that is none", EPISODE | {"tags": [1]}, "/tags/0"),
    ("metadata of 70 kB", EPISODE | {"metadata": {"x": "y" * 70_000}}, "/metadata"),
    ("metadata a list", EPISODE | {"metadata": []}, "/metadata"),
    ("sequence beyond int64", EPISODE | {"sequence": 2**63}, "/sequence"),
    ("sequence a text", EPISODE | {"sequence": "1"}, "/sequence"),
    ("sequence a Boolean", EPISODE | {"sequence": True}, "/sequence"),
    ("an empty list", [], ""),
    ("too many", [EPISODE] * 1_001, ""),
    ("a text", "hello", ""),
    ("null", None, ""),
    ("second of a list", [EPISODE, EPISODE | {"content": 1}], "/1/content"),
]
BAD_CLAIMS: list[tuple[str, Any, str | None]] = [
    (
        "ends before it starts",
        [CLAIM, CLAIM | {"valid_from": "2025-06-01T00:00:00Z", "valid_to": "2025-05-01T00:00:00Z"}],
        "/1",
    ),
    (
        "ends as it starts",
        CLAIM | {"valid_from": "2025-05-01T00:00:00Z", "valid_to": "2025-05-01T02:00:00+02:00"},
        "/0",
    ),
    ("naive", CLAIM | {"valid_from": "2025-05-01T00:00:00"}, "/valid_from"),
    ("neither object nor value", {**CLAIM, "object": None}, ""),
    ("both object and value", CLAIM | {"value": 1}, ""),
    ("of itself", CLAIM | {"predicate": "reports_to", "object": {"name": "MAYA", "type": "person"}}, None),
    ("ends with an end", CLAIM | {"kind": "ends", "valid_to": "2026-01-01T00:00:00Z"}, ""),
    ("ends at an unknown time", CLAIM | {"kind": "ends", "valid_from": None}, ""),
    ("confidence over one", CLAIM | {"confidence": 1.1}, "/confidence"),
    ("importance a text", CLAIM | {"importance": "high"}, "/importance"),
    ("value beyond int64", {**CLAIM, "object": None, "value": 2**63}, "/value"),
    ("value a list", {**CLAIM, "object": None, "value": [1]}, "/value"),
    ("attribute not flat", CLAIM | {"attributes": {"a": {"b": 1}}}, "/attributes/a"),
    ("too many attributes", CLAIM | {"attributes": {str(n): n for n in range(65)}}, "/attributes"),
    ("subject without a type", CLAIM | {"subject": {"name": "Maya"}}, "/subject/type"),
    ("type that is no word", CLAIM | {"subject": {"name": "Maya", "type": "a`) DETACH DELETE (b"}}, "/subject/type"),
    ("name of 10 kB", CLAIM | {"subject": {"name": "x" * 10_000, "type": "person"}}, "/subject/name"),
    ("in a list of claims", {"claims": [CLAIM, CLAIM | {"predicate": ""}]}, "/claims/1/predicate"),
    ("no claims", {"claims": []}, "/claims"),
]
BAD_JSON: list[tuple[str, bytes]] = [
    ("empty", b""),
    ("no JSON", b"hello"),
    ("cut off", b'{"content": "x"'),
    ("lone surrogate", rb'{"content": "\ud800"}'),
    ("lone surrogate in a key", rb'{"content": "x", "metadata": {"\udfff": 1}}'),
    ("not UTF-8", b'{"content": "\xff"}'),
    ("encoded surrogate", b'{"content": "\xed\xa0\x80"}'),
    ("NaN", b'{"content": "x", "metadata": {"a": NaN}}'),
    ("Infinity", b'{"content": "x", "metadata": {"a": 1e999}}'),
    ("a number of 5,000 digits", b'{"content": "x", "metadata": {"a": ' + b"9" * 5_000 + b"}}"),
    ("deeply nested", b'{"content": "x", "metadata": ' + b'{"a":' * 5_000),
]
ODD = [
    "👩‍👩‍👧‍👦 🏳️‍🌈",
    "שלום עולם \u202eabc",
    "مرحبا",
    'O\'Brien "Bob" `x` \\',
    "'}) DETACH DELETE n //",
    "$group {x: 1} ${y}",
    "<script>alert(1)</script>",
    "\u200b\ufeff\ufffe",
    "é" * 512,
    "__proto__",
    "id",
]


MANY_VALUES = (b"[" + b"1," * 120_000 + b"1]", b'{"content": "x", "metadata": {"a": [' + b"[]," * 70_000 + b"1]}}")


def cases(rows: list[tuple[Any, ...]]) -> Any:
    return [pytest.param(*row[1:], id=row[0]) for row in rows]


def check(answer: Any, status: int, pointer: str | None = None) -> None:
    problem = answer.json()
    assert (answer.status_code, problem["status"]) == (status, status), answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert set(problem) >= MEMBERS
    assert problem["request_id"] == answer.headers["x-request-id"]
    assert len(answer.content) < 8_000
    if pointer is not None:
        assert pointer in {error["pointer"] for error in problem["errors"]}, answer.text


@pytest.mark.parametrize(("body", "pointer"), cases(BAD_EPISODES))
def test_a_wrong_episode_is_refused_and_nothing_is_stored(
    service: Service, group: str, body: Any, pointer: str
) -> None:
    check(service.post(f"/v1/groups/{group}/episodes", body), 422, pointer)
    assert service.get(f"/v1/groups/{group}").status_code == 404


@pytest.mark.parametrize(("body", "pointer"), cases(BAD_CLAIMS))
def test_a_wrong_claim_is_refused_and_nothing_is_stored(
    service: Service, group: str, body: Any, pointer: str | None
) -> None:
    check(service.post(f"/v1/groups/{group}/claims", body), 422, pointer)
    assert service.get(f"/v1/groups/{group}").status_code == 404


@pytest.mark.parametrize("content", cases(BAD_JSON))
def test_a_body_that_is_no_json_is_refused(service: Service, group: str, content: bytes) -> None:
    headers = {"content-type": "application/json"}
    check(service.http.post(f"/v1/groups/{group}/episodes", content=content, headers=headers), 422)
    check(service.http.post(f"/v1/groups/{group}/search", content=content, headers=headers), 422)


def test_a_body_that_takes_long_to_understand_is_refused_unread(service: Service, group: str) -> None:
    for media_type in ("json", "x-ndjson"):
        for content in MANY_VALUES:
            headers = {"content-type": f"application/{media_type}"}
            check(service.http.post(f"/v1/groups/{group}/episodes", content=content, headers=headers), 413)
    headers = {"content-type": "application/x-ndjson"}
    check(service.http.post(f"/v1/groups/{group}/claims", content=b"\n" * 200_000, headers=headers), 422)
    wrong = [{"contents": "x", "roles": "y"}] * 1_000
    check(service.post(f"/v1/groups/{group}/episodes", wrong), 422)


def test_commas_and_brackets_in_a_text_are_no_values(service: Service, group: str) -> None:
    body = [EPISODE | {"content": '"\\' + "[{," * 30_000 + '\\"'}] * 3
    assert service.post(f"/v1/groups/{group}/episodes", body).status_code == 202


@pytest.mark.parametrize(
    ("path", "params"),
    [
        ("graph", {"valid_at": "2025-05-03T10:00:00"}),
        ("graph", {"valid_at": "2025-05-03T10:00:00 02:00"}),
        ("graph", {"known_at": "now"}),
        ("graph", {"depth": 99}),
        ("graph", {"limit": 0}),
        ("graph", {"format": "xml"}),
        ("graph", {"predicate": "a\x00"}),
        ("entities", {"cursor": "!"}),
        ("entities", {"cursor": "W10"}),
        ("entities", {"limit": 501}),
        ("entities", {"limit": "many"}),
        ("entities", {"name": "x" * 513}),
        ("episodes", {"cursor": "Im5vdCBhIHBhaXIi"}),
        ("episodes", {"status": "lost"}),
        ("episodes/xyz", {}),
        ("entities/0", {}),
    ],
)
def test_a_wrong_question_is_refused(service: Service, group: str, path: str, params: dict[str, Any]) -> None:
    service.post("/v1/groups", {"id": group})
    check(service.http.get(f"/v1/groups/{group}/{path}", params=params), 422)


@pytest.mark.parametrize(
    "path",
    ["", "/graph", "/entities", "/episodes", f"/entities/{'0' * 32}", f"/episodes/{'0' * 32}"],
)
def test_an_unknown_group_is_not_found(service: Service, group: str, path: str) -> None:
    check(service.get(f"/v1/groups/{group}{path}"), 404)


def test_an_unknown_group_is_not_searched(service: Service, group: str) -> None:
    check(service.post(f"/v1/groups/{group}/search", {"query": "x"}), 404)


@pytest.mark.parametrize("name", ["-a", ".a", "a b", "ä", "x" * 129, "a%00", "a%0A"])
def test_a_group_must_have_a_plain_name(service: Service, name: str) -> None:
    check(service.post(f"/v1/groups/{name}/episodes", EPISODE), 422)


@pytest.mark.parametrize(("method", "path", "status"), [("GET", "/nothing", 404), ("DELETE", "/v1/groups", 405)])
def test_what_there_is_not_is_a_problem_too(service: Service, method: str, path: str, status: int) -> None:
    check(service.http.request(method, path), status)


def test_too_large_a_body_is_refused_however_it_comes(service: Service, group: str) -> None:
    path, headers = f"/v1/groups/{group}/episodes", {"content-type": "application/json"}
    body = json.dumps(EPISODE | {"content": "x" * MAX_BODY}).encode()
    check(service.http.post(path, content=body, headers=headers), 413)
    check(service.http.post(path, content=iter([body[:1000], body[1000:]]), headers=headers), 413)


def test_too_long_a_content_is_refused_and_a_long_one_is_kept(service: Service, group: str) -> None:
    path = f"/v1/groups/{group}/episodes"
    check(service.post(path, EPISODE | {"content": "x" * (MAX_CONTENT + 1)}), 413)
    kept = service.post(path, EPISODE | {"content": "words, " * (MAX_CONTENT // 7)}, wait=30).json()["episodes"][0]
    assert kept["status"] == "digested"


@pytest.mark.parametrize("odd", ODD)
def test_odd_words_are_stored_as_they_are(service: Service, group: str, odd: str) -> None:
    stripped = odd.strip()
    name = {"name": odd, "type": "concept"}
    claim = {
        **CLAIM,
        "subject": name,
        "predicate": odd,
        "object": CLAIM["object"],
        "statement": odd,
        "attributes": {odd: odd},
    }
    claim |= {"user": odd, "source": odd, "external_id": odd}
    fact = {**CLAIM, "subject": name, "object": None, "value": odd}
    done = service.post(f"/v1/groups/{group}/claims", [claim, fact])
    episode = EPISODE | {"content": odd, "speaker": odd, "session": odd, "tags": [odd], "metadata": {odd: odd}}
    posted = service.post(f"/v1/groups/{group}/episodes", episode, wait=30).json()["episodes"][0]
    assert done.status_code == 201, done.text

    shown = service.get(f"/v1/groups/{group}/episodes/{posted['id']}").json()
    graph = service.get(f"/v1/groups/{group}/graph", entity=odd)
    assert graph.status_code == 200, graph.text
    beliefs = {item["kind"]: item for item in graph.json()["beliefs"]}
    relationship = beliefs["relationship"]
    assert (shown["content"], shown["session"], shown["metadata"]) == (odd, stripped, {odd: odd})
    assert (relationship["subject"]["name"], relationship["predicate"]) == (stripped, stripped)
    assert (relationship["attributes"], beliefs["fact"]["value"]) == ({stripped: odd}, odd)
    for form in ("graphml", "csv"):
        assert service.get(f"/v1/groups/{group}/graph", format=form).status_code == 200
    assert service.post(f"/v1/groups/{group}/search", {"query": odd}).status_code == 200


def test_no_type_poses_as_a_label_of_ours_and_no_attribute_as_a_property(service: Service, group: str) -> None:
    claim = CLAIM | {
        "subject": {"name": "key", "type": "ApiKey"},
        "attributes": {"id": "x", "group_id": "y", "valid_from": 1, "embedding": None},
    }
    assert service.post(f"/v1/groups/{group}/claims", claim).status_code == 201
    (belief,) = service.get(f"/v1/groups/{group}/graph").json()["beliefs"]
    assert belief["attributes"] == claim["attributes"]
    assert belief["subject"]["type"] == "apikey"


def test_a_sane_request_id_is_kept_and_another_is_replaced(service: Service) -> None:
    sane = service.http.get("/v1/groups", headers={"X-Request-ID": "abc-1"})
    odd = service.http.get("/v1/groups", headers={"X-Request-ID": "a b\tc"})
    assert sane.headers["x-request-id"] == "abc-1"
    assert len(odd.headers["x-request-id"]) == 32
