"""Who gets in: tokens, and on loopback no web page of anybody else's."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from graphmem.api.auth import open_gate, token_file
from graphmem.errors import ConfigurationError
from graphmem.settings import Settings
from graphmem.settings.servers import ApiSettings
from tests.api.conftest import OpenService, Service

OPEN = ("/health/live", "/health/ready", "/docs", "/openapi.json")
CLOSED = ("/metrics", "/v1/groups", "/v1/groups/g/graph", "/no/such/path")


@pytest.mark.parametrize("path", OPEN)
def test_health_and_documentation_need_no_token(service: Service, path: str) -> None:
    assert httpx.get(service.url + path, trust_env=False).status_code == 200


@pytest.mark.parametrize("path", CLOSED)
@pytest.mark.parametrize(
    "headers", [{}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic x"}, {"X-API-Key": "é"}]
)
def test_everything_else_needs_one(service: Service, path: str, headers: dict[str, str]) -> None:
    encoded = [(name.encode(), value.encode()) for name, value in headers.items()]
    answer = httpx.get(service.url + path, headers=encoded, trust_env=False)
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
    assert answer.json()["type"] == "urn:graphmem:problem:unauthenticated"


def test_a_token_may_come_as_api_key(service: Service) -> None:
    answer = httpx.get(service.url + "/v1/groups", headers={"X-API-Key": service.token}, trust_env=False)
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("LOCALHOST:1", 200),
        ("127.0.0.1:8464", 200),
        ("[::1]:80", 200),
        ("evil.example", 403),
        ("localhost.evil.example", 403),
        ("127.0.0.1@evil.example", 403),
        ("192.168.0.7", 403),
        ("", 403),
    ],
)
def test_on_loopback_the_host_must_be_this_machine(service: Service, host: str, status: int) -> None:
    assert service.http.get("/v1/groups", headers={"Host": host}).status_code == status


@pytest.mark.parametrize("path", ["/v1/groups", "/browser/guide.md", "/docs"])
def test_more_parameters_than_any_call_takes_are_refused_unread(service: Service, path: str) -> None:
    answer = httpx.get(f"{service.url}{path}?{'a=b&' * 256}", trust_env=False)
    assert (answer.status_code, answer.json()["type"]) == (422, "urn:graphmem:problem:invalid-input")


@pytest.mark.parametrize(
    ("origin", "status"),
    [(None, 201), ("own", 201), ("https://evil.example", 403), ("null", 403), ("http://localhost:1", 403)],
)
def test_writes_come_from_no_other_web_page(service: Service, group: str, origin: str | None, status: int) -> None:
    headers = {} if origin is None else {"Origin": service.url if origin == "own" else origin}
    answer = service.http.post("/v1/groups", json={"id": group}, headers=headers)
    assert answer.status_code == status


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_writes_are_json(service: Service, group: str, content_type: str) -> None:
    headers = {"Content-Type": content_type}
    answer = service.http.post("/v1/groups", content=f'{{"id": "{group}"}}', headers=headers)
    assert (answer.status_code, answer.json()["type"]) == (415, "urn:graphmem:problem:unsupported-media-type")


def test_a_configured_key_opens_and_a_token_file_is_not_made(open_service: OpenService) -> None:
    with open_service(key="our-key") as service:
        assert service.get("/v1/groups").status_code == 200


def test_the_token_file_is_private_and_kept(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "new")
    first = open_gate(settings)
    path = token_file(settings.data_dir)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert open_gate(settings) == first


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.0.0.1", "graphmem.example"])  # noqa: S104 - what is refused
def test_beyond_loopback_a_key_is_needed(tmp_path: Path, host: str) -> None:
    with pytest.raises(ConfigurationError, match="GRAPHMEM_API_KEY"):
        open_gate(Settings(data_dir=tmp_path, api=ApiSettings(host=host)))
    assert not token_file(tmp_path).exists()


@pytest.mark.parametrize(
    ("environment", "words", "code"),
    [
        ({}, "No Neo4j is configured", 1),
        (
            {"NEO4J_URI": "bolt://127.0.0.1:1", "NEO4J_STARTUP_TIMEOUT": "0"},
            "Neo4j at bolt://127.0.0.1:1 does not answer",
            os.EX_TEMPFAIL,
        ),
    ],
)
def test_a_service_that_cannot_start_says_why(
    tmp_path: Path, environment: dict[str, str], words: str, code: int
) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "graphmem.api"],
        env={"GRAPHMEM_DATA_DIR": str(tmp_path), "GRAPHMEM_NEO4J_CONNECTION_TIMEOUT": "1", **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert ended.returncode == code
    assert ended.stderr.splitlines()[-1].startswith("Error: ")
    assert words in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("path", [*OPEN, *CLOSED])
def test_nobody_keeps_or_frames_an_answer_or_takes_it_for_another_type(service: Service, path: str) -> None:
    for headers in ({}, {"Authorization": f"Bearer {service.token}"}):
        answer = httpx.get(service.url + path, headers=headers, trust_env=False)
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
