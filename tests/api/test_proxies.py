"""Who stands in front: forwarded headers are believed of proxies that are named, and of nobody else."""

import re
import time
from collections.abc import Iterator

import pytest
from structlog.testing import capture_logs

from tests.api.conftest import OpenService, Service

FORGED = {
    "X-Forwarded-For": "192.0.2.7",
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Host": "evil.example",
    "X-Real-IP": "192.0.2.7",
    "Forwarded": 'for=192.0.2.7;proto=https;host="evil.example"',
}


@pytest.fixture(scope="module")
def proxied(open_service: OpenService) -> Iterator[Service]:
    """Called by a proxy on this machine, which has another one in front."""
    proxies = ["127.0.0.1", "198.51.100.0/24"]
    with open_service(trusted_proxies=proxies, hosts=["Memory.example"]) as opened:
        yield opened


def logged_address(service: Service, headers: dict[str, str]) -> str:
    with capture_logs() as lines:
        service.http.get("/v1/groups", headers=headers)
        while not (addresses := [line["address"] for line in lines if line["event"] == "request"]):
            time.sleep(0.01)  # the line comes after the answer
    return addresses[0]


def shown_address(service: Service, headers: dict[str, str]) -> str:
    """The one address that examples of calls begin with."""
    (address,) = set(re.findall(r"GRAPHMEM_URL=.(https?://[^'&]+)", service.http.get("/docs", headers=headers).text))
    return address


def test_nobody_is_believed_who_is_not_named(service: Service) -> None:
    assert logged_address(service, FORGED) == "127.0.0.1"
    assert shown_address(service, FORGED) == service.url


def test_where_others_are_named_this_machine_is_not_believed(open_service: OpenService) -> None:
    with open_service(trusted_proxies=["192.0.2.0/24"]) as opened:
        assert logged_address(opened, FORGED) == "127.0.0.1"
        assert shown_address(opened, FORGED) == opened.url


@pytest.mark.parametrize(
    ("forwarded", "address"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("10.0.0.1, 192.0.2.7", "192.0.2.7"),
        ("10.0.0.1, 192.0.2.7, 198.51.100.9", "192.0.2.7"),
        ("10.0.0.1, [2001:db8::7]:1234, 198.51.100.9", "2001:db8::7"),
    ],
    ids=["by the proxy", "forged in front of it", "by two proxies", "IPv6 with a port"],
)
def test_a_named_proxy_says_who_calls_and_nothing_that_came_to_it_does(
    proxied: Service, forwarded: str, address: str
) -> None:
    assert logged_address(proxied, {"X-Forwarded-For": forwarded}) == address


def test_addresses_in_answers_are_those_by_which_the_proxy_is_called(proxied: Service) -> None:
    headers = {"Host": "memory.example", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "evil.example"}
    assert shown_address(proxied, headers) == "https://memory.example"


@pytest.mark.parametrize(
    ("host", "status"),
    [("memory.example", 200), ("MEMORY.EXAMPLE:443", 200), ("localhost", 200), ("evil.example", 403), ("", 403)],
)
def test_it_is_called_by_names_that_are_set(proxied: Service, host: str, status: int) -> None:
    headers = {"Host": host, "X-Forwarded-Host": "memory.example"}
    assert proxied.http.get("/v1/groups", headers=headers).status_code == status


def test_pages_of_its_public_name_may_write_and_no_others(proxied: Service, group: str) -> None:
    for origin, status in (("https://evil.example", 403), ("https://memory.example", 201)):
        headers = {"Host": "memory.example", "Origin": origin}
        assert proxied.http.post("/v1/groups", json={"id": group}, headers=headers).status_code == status
