"""What Neo4j Browser may read of the API: with which key, from which origin, and nothing else."""

from collections.abc import AsyncIterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest
from fastapi import FastAPI

from graphmem.api.app import create_app
from graphmem.api.auth import guide_key_file, open_gate
from graphmem.api.middleware import origins_of
from graphmem.local.layout import DataDir
from graphmem.local.ports import Ports
from graphmem.local.programs import guide_url
from graphmem.model.group import Group, Overview
from graphmem.model.interval import BEGIN
from graphmem.private_files import ensure_secret
from graphmem.settings import Settings
from graphmem.settings.servers import ApiSettings
from graphmem.trust.limits import CallerLimits
from graphmem.trust.naming import GroupNames
from tests import guides

BROWSER = "http://127.0.0.1:7474"
ELSEWHERE = "http://elsewhere.example"
SENT = {"baggage", "cache-control", "pragma", "sentry-trace"}
PREFLIGHT = {"Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": ",".join(sorted(SENT))}
PATHS = ("/browser/guide.md", "/browser/team-1/guide.md", "/browser/team-1/guide.adoc", "/browser/team-1/style.grass")


class Groups:
    """A store of groups that all look alike. One that is called otherwise than it was made is ``made:called``."""

    def __init__(self, *ids: str) -> None:
        self._names = {id_: name or id_ for id_, _, name in (given.partition(":") for given in ids)}

    async def groups(self, after: str, limit: int, patterns: tuple[str, ...]) -> list[Group]:
        assert patterns == ("*",)
        return [self._group(id_) for id_, name in self._names.items() if name > after][:limit]

    async def group(self, group: str) -> Group | None:
        return self._group(group) if group in self._names else None

    async def group_called(self, name: str) -> Group | None:
        called = [id_ for id_, one in self._names.items() if one == name]
        return await self.group(called[0] if called else name)

    async def overview_of_group(self, group: str) -> Overview:
        return replace(guides.overview(), group=group, types=("person", "ship"))

    def _group(self, id_: str) -> Group:
        times: dict[str, Any] = {"recorded_at": guides.NOW, "settled_until": BEGIN}
        times |= {"name": self._names[id_], "archived_at": None}
        return Group(id=id_, embedding_model="m", dimensions=3, importing=False, imported=False, **times)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> DataDir:
    data = DataDir(tmp_path_factory.mktemp("data"))
    data.create()
    ensure_secret(data.guide_key)
    return data


def app_of(data: DataDir, *groups: str, require_user: bool = False) -> FastAPI:
    """The service without its servers."""
    settings = Settings(data_dir=data.root, api=ApiSettings(browser_origin=BROWSER, require_user=require_user))
    app = create_app(settings, lambda _settings: nullcontext(cast("Any", None)))
    store: Any = Groups(*groups)
    memory, names = SimpleNamespace(store=store), GroupNames(store, cast("Any", None), lambda: guides.NOW)
    services = SimpleNamespace(memory=memory, names=names, clock=lambda: guides.NOW)
    app.state.backend = SimpleNamespace(services=services, limits=CallerLimits())
    return app


@pytest.fixture(scope="module")
async def browser(data: DataDir) -> AsyncIterator[httpx.AsyncClient]:
    """Neo4j Browser: it knows the key, and says where it comes from."""
    async with client_of(app_of(data, "team-1", "team-2"), data.guide_key.read_text().strip()) as client:
        yield client


def client_of(app: FastAPI, key: str | None) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(app),
        base_url="http://localhost:8464",
        params={"key": key} if key else {},
        headers={"Origin": BROWSER},
    )


@pytest.mark.parametrize("path", PATHS)
async def test_it_reads_guides_and_styles_with_the_key(browser: httpx.AsyncClient, path: str) -> None:
    answer = await browser.get(path)
    assert answer.status_code == 200, answer.text
    assert answer.headers["access-control-allow-origin"] == BROWSER
    assert answer.headers["cache-control"] == "no-store"
    assert answer.text


async def test_a_renamed_group_has_its_guide_under_its_new_name(data: DataDir) -> None:
    async with client_of(app_of(data, "team-1:sales", "team-2"), data.guide_key.read_text().strip()) as client:
        shown = await client.get("/browser/sales/guide.md")
        former = await client.get("/browser/team-1/guide.md")
        listed = await client.get("/browser/guide.md")
    assert (shown.status_code, former.status_code) == (200, 404)
    assert "another name now" in former.json()["detail"]
    assert ("/sales/" in listed.text, "/team-1/" in listed.text) == (True, False)


@pytest.mark.parametrize("path", PATHS)
async def test_nobody_reads_them_without_it_or_with_another(
    browser: httpx.AsyncClient, data: DataDir, path: str
) -> None:
    for key in ("", "wrong", data.guide_key.read_text().strip()[:-1]):
        answer = await browser.get(path, params={"key": key})
        assert answer.status_code == 401
        assert answer.headers["access-control-allow-origin"] == BROWSER  # so that Browser can say what is wrong


@pytest.mark.parametrize("path", [path for path in PATHS if "team-1" in path])
async def test_a_service_that_asks_for_a_user_shows_no_guide_of_a_whole_group(data: DataDir, path: str) -> None:
    app = app_of(data, "team-1", require_user=True)
    async with client_of(app, data.guide_key.read_text().strip()) as client:
        assert (await client.get(path)).status_code == 403
        assert (await client.get("/browser/guide.md")).status_code == 403


async def test_the_key_opens_nothing_else(browser: httpx.AsyncClient) -> None:
    for path in ("/v1/groups", "/v1/groups/team-1", "/metrics", "/v1/groups/team-1/graph"):
        answer = await browser.get(path)
        assert answer.status_code == 401
        assert "access-control-allow-origin" not in answer.headers
    assert (await browser.post("/browser/team-1/guide.md", headers={"Origin": ""})).status_code == 403


async def test_the_token_opens_them_too(data: DataDir) -> None:
    app = app_of(data, "team-1")
    token = data.api_token.read_text().strip()
    async with client_of(app, None) as client:
        answer = await client.get("/browser/team-1/guide.md", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 200
    assert "style.grass\n" in answer.text


@pytest.mark.parametrize("origin", [BROWSER, "http://localhost:7474"])
async def test_browser_may_send_what_it_sends(browser: httpx.AsyncClient, origin: str) -> None:
    answer = await browser.options("/browser/team-1/guide.md", headers={"Origin": origin, **PREFLIGHT}, params={})
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == origin
    assert set(answer.headers["access-control-allow-headers"].lower().split(",")) >= SENT
    assert answer.headers["access-control-allow-methods"] == "GET"


@pytest.mark.parametrize("origin", [ELSEWHERE, "http://127.0.0.1:7475", "https://127.0.0.1:7474", "null"])
async def test_no_other_origin_may_read(browser: httpx.AsyncClient, origin: str) -> None:
    asked = await browser.options("/browser/team-1/guide.md", headers={"Origin": origin, **PREFLIGHT})
    assert asked.status_code == 400
    read = await browser.get("/browser/team-1/guide.md", headers={"Origin": origin})
    assert not any("access-control-allow-origin" in answer.headers for answer in (asked, read))


async def test_browser_may_only_get(browser: httpx.AsyncClient) -> None:
    for method in ("DELETE", "POST", "PUT"):
        asked = {**PREFLIGHT, "Access-Control-Request-Method": method}
        assert (await browser.options("/browser/team-1/guide.md", headers=asked)).status_code == 400
        assert (await browser.request(method, "/browser/team-1/guide.md")).status_code == 403


async def test_no_other_path_answers_a_preflight(browser: httpx.AsyncClient) -> None:
    answer = await browser.options("/v1/groups", headers=PREFLIGHT)
    assert answer.status_code == 401
    assert "access-control-allow-origin" not in answer.headers


async def test_links_go_to_where_it_was_asked_and_bring_the_key(browser: httpx.AsyncClient, data: DataDir) -> None:
    key = data.guide_key.read_text().strip()
    assert f":style http://localhost:8464/browser/team-1/style.grass?key={key}\n" in (
        (await browser.get("/browser/team-1/guide.md")).text
    )
    listed = (await browser.get("/browser/guide.md")).text
    assert guides.commands(listed) == [
        f":guide http://localhost:8464/browser/{group}/guide.md?key={key}" for group in ("team-1", "team-2")
    ]


async def test_the_only_group_needs_no_list(data: DataDir) -> None:
    async with client_of(app_of(data, "team-9"), data.guide_key.read_text().strip()) as client:
        assert "What team-9 remembers" in (await client.get("/browser/guide.md")).text


async def test_types_of_the_group_have_colours(browser: httpx.AsyncClient) -> None:
    assert "node.Ship {" in (await browser.get("/browser/team-1/style.grass")).text


async def test_a_group_that_is_not_there_is_not_found(browser: httpx.AsyncClient) -> None:
    for path in ("/browser/team-3/guide.md", "/browser/team-3/style.grass"):
        assert (await browser.get(path)).status_code == 404
    for path in ("/browser/team%22/guide.md", "/browser/team-1/guide.html"):
        assert (await browser.get(path)).status_code == 422


async def test_every_name_of_this_machine_leads_back_to_it(browser: httpx.AsyncClient) -> None:
    for host in ("127.0.0.1:8464", "LOCALHOST:8464", "[::1]:8464"):
        answer = await browser.get("/browser/team-1/guide.md", headers={"Host": host})
        assert f":style http://{host}/browser/team-1/style.grass?key=" in answer.text


async def test_another_name_of_this_machine_is_refused(browser: httpx.AsyncClient) -> None:
    answer = await browser.get("/browser/team-1/guide.md", headers={"Host": "elsewhere.example"})
    assert answer.status_code == 403


def test_beyond_loopback_there_is_no_key_of_guides(data: DataDir) -> None:
    settings = Settings(data_dir=data.root, api=ApiSettings(host="10.0.0.1", key=cast("Any", "our-key")))
    assert open_gate(settings).guide is None
    assert open_gate(Settings(data_dir=data.root)).guide is not None


def test_the_api_does_not_make_the_key(tmp_path: Path) -> None:
    assert open_gate(Settings(data_dir=tmp_path)).guide is None
    assert not guide_key_file(tmp_path).exists()


def test_both_rooms_mean_the_same_file_and_the_same_path(data: DataDir) -> None:
    assert guide_key_file(data.root) == data.guide_key
    assert data.guide_key.stat().st_mode & 0o777 == 0o600
    url = guide_url(Ports(api=8464), guides.ADDRESS.key, "team-1", "localhost")
    assert url == guides.ADDRESS.guide("team-1")


@pytest.mark.parametrize(("origin", "origins"), [
    (None, ()),
    ("http://127.0.0.1:7474", ("http://127.0.0.1:7474", "http://localhost:7474")),
    ("http://localhost:7474/", ("http://localhost:7474", "http://127.0.0.1:7474")),
    ("https://browser.example", ("https://browser.example",)),
])  # fmt: skip
def test_this_machine_has_two_names(origin: str | None, origins: tuple[str, ...]) -> None:
    assert origins_of(origin) == origins
