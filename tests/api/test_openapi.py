"""The description: every call has a summary, a worked example that fits its schema, and its problems."""

import re
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from typing import Any, cast

import pytest
from jsonschema_rs import validator_for

from graphmem.api import openapi
from graphmem.api.app import create_app
from graphmem.api.documentation import SECURITY, DocumentationPage, sections
from graphmem.api.headings import CORE
from graphmem.api.openapi import EXAMPLES
from graphmem.settings import Settings
from tests.api.conftest import Service


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return create_app(Settings(data_dir=tmp_path_factory.mktemp("openapi"))).openapi()


def fits(document: dict[str, Any], schema: dict[str, Any], example: Any) -> bool:
    return validator_for({**schema, "components": document["components"]}, validate_formats=True).is_valid(example)


def test_every_call_has_a_summary_and_an_example_that_fits(document: dict[str, Any]) -> None:
    for method, path, operation in openapi.operations(document):
        assert operation["summary"], path
        answers = [answer for status, answer in operation["responses"].items() if status.startswith("2")]
        contents = [content for answer in answers for content in answer.get("content", {}).values()]
        assert any("example" in content for content in contents), (method, path)
        for content in contents:
            if "example" in content:
                assert fits(document, content.get("schema", {}), content["example"]), (method, path)


def test_examples_are_of_calls_that_there_are(document: dict[str, Any]) -> None:
    assert set(EXAMPLES) == {f"{method} {path}" for method, path, _ in openapi.operations(document)}


def test_every_body_has_an_example_that_fits(document: dict[str, Any]) -> None:
    bodies = [
        operation["requestBody"] for _, _, operation in openapi.operations(document) if "requestBody" in operation
    ]
    assert len(bodies) == 35
    for body in bodies:
        for content in body["content"].values():
            assert fits(document, content["schema"], content["example"])


def test_every_call_describes_its_problems(document: dict[str, Any]) -> None:
    for _, path, operation in openapi.operations(document):
        problems = {status: answer for status, answer in operation["responses"].items() if status >= "4"}
        assert any(status < "5" for status in problems), path
        for answer in problems.values():
            content = answer["content"]["application/problem+json"]
            assert fits(document, content["schema"], content["example"])


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    names = set(re.findall(r"'#/components/schemas/([^']+)'", str(document)))
    assert names <= set(document["components"]["schemas"])


def lists(part: Any, schemas: dict[str, Any], seen: frozenset[str] = frozenset()) -> Iterator[dict[str, Any]]:
    """The schemas of lists that what a call takes may hold, however deep."""
    if isinstance(part, list):
        for inner in cast("list[Any]", part):
            yield from lists(inner, schemas, seen)
    if isinstance(part, dict):
        schema = cast("dict[str, Any]", part)
        name = str(schema.get("$ref", "")).rpartition("/")[2]
        if schema.get("type") == "array":
            yield schema
        if name and name not in seen:
            yield from lists(schemas[name], schemas, seen | {name})
        for key, inner in schema.items():
            yield from lists(inner if key != "example" else None, schemas, seen)


def test_every_list_that_a_call_takes_is_bounded(document: dict[str, Any]) -> None:
    endless = {
        (method, path)
        for method, path, operation in openapi.operations(document)
        for part in (operation.get("parameters"), operation.get("requestBody"))
        for schema in lists(part, document["components"]["schemas"])
        if "maxItems" not in schema
    }
    assert endless == {("PUT", "/v1/groups/{group}/ontology")}  # whose words are counted as a whole


def test_every_call_stands_under_one_heading_and_core_calls_come_first(document: dict[str, Any]) -> None:
    names = [tag["name"] for tag in document["tags"]]
    under = {f"{method} {path}": operation["tags"] for method, path, operation in openapi.operations(document)}
    assert (names[0], names[-4:]) == ("core", ["jobs", "keys", "audit", "service"])
    assert {call: tags for call, tags in under.items() if len(tags) != 1 or tags[0] not in names} == {}
    assert {tag for tags in under.values() for tag in tags} == set(names)
    assert [call for call, tags in under.items() if tags == ["core"]] == sorted(CORE, key=list(under).index)


def test_the_page_shows_every_call_as_html_under_its_heading(document: dict[str, Any]) -> None:
    page = DocumentationPage(lambda: document).at("http://memory.example")
    headings = page.split('<section id="')
    for section, text in zip(sections(document), headings[1:], strict=True):
        shown = [f"{method} {path}" for method, path in re.findall(r'"m">(\w+)</span> <code>([^<]+)</code>', text)]
        assert shown == [f"{call.method} {call.path}" for call in section.calls], section.name
        assert section.name != "core" or tuple(shown) == CORE
    words = re.sub(r"<(code|pre|script|style).*?</\1>", "", page, flags=re.DOTALL)
    assert not re.search(r"`|\*\*|\| ---", words)
    assert not re.search(r"<link|src=|@import|url\(", page)


def test_the_page_loads_nothing_and_runs_its_own_script_alone(service: Service, document: dict[str, Any]) -> None:
    answer = service.get("/docs")
    (script,) = re.findall(r"<script>(.*?)</script>", answer.text, re.DOTALL)
    digest = b64encode(sha256(script.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}';" in SECURITY
    assert answer.headers["content-security-policy"] == SECURITY
    assert answer.text == DocumentationPage(lambda: document).at(service.url)
    assert service.get("/openapi.json").json() == document


def test_numbers_are_for_prometheus(service: Service) -> None:
    service.get("/health/live")
    text = service.get("/metrics").text
    assert re.search(r'graphmem_http_requests_total\{method="GET",route="/health/live",status="200"\} \d', text)
    assert 'graphmem_http_request_seconds_bucket{le="0.05",method="GET",route="/health/live"}' in text
