"""Resources, the prompt, completions and “why not” over the recorded answers of the service, and as whom they ask."""

import json
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field

import httpx
import pytest
from mcp import Client
from mcp.types import PromptReference, ResourceTemplateReference, TextResourceContents

from graphmem.api.openapi import EXAMPLES
from tests.agents import Json, call, connected

GROUP = "/v1/groups/{group}"
OF_PROMPT = PromptReference(type="ref/prompt", name="what_do_you_remember")
OF_PROFILE = ResourceTemplateReference(type="ref/resource", uri="memory://profile/{name}")


def example(call_: str) -> Json:
    return json.loads(json.dumps(EXAMPLES[call_].answers["200"]["application/json"]))


FACTS = example(f"GET {GROUP}/facts")["facts"]
LIVES = next(fact for fact in FACTS if fact["statement"] == "Maya lives in Lisbon.")
SEARCHED, COMPOSED = example(f"POST {GROUP}/search"), example(f"POST {GROUP}/context")
LOST: Json = {"kind": "fact", "filters": [], "score": None, "contributions": [], "instead": None, "rank": None}
ENDED = "It had ended by valid_at, at 2025-05-01T00:00:00+00:00; include_history finds it."


@dataclass
class Recorded:
    """A service that answers each call as it did when its examples were recorded, and keeps for whom it was asked.

    ``why_not`` stands in the answers of searches, ``left_out`` in those of contexts, which have no lines then.
    """

    why_not: Json = field(default_factory=dict[str, object])
    left_out: Sequence[Json] = ()
    users: list[object] = field(default_factory=list[object])

    def __call__(self, request: httpx.Request) -> httpx.Response:
        body = json.loads(request.content) if request.content else dict(request.url.params)
        self.users.append(body.get("user"))
        return httpx.Response(200, json=self._answer(request.url.path.removeprefix("/v1/groups/default"), body))

    def _answer(self, path: str, body: Json) -> Json:
        match path.strip("/").split("/"):
            case ["search"]:
                asked = [{**LOST, "id": id_, **self.why_not} for id_ in body.get("why_not", ())]
                return {**SEARCHED, "why_not": asked}
            case ["context"]:
                return {**COMPOSED, "parts": [], "left_out": list(self.left_out)} if self.left_out else COMPOSED
            case ["entities", _, "profile"]:
                return example(f"GET {GROUP}/entities/{{entity_id}}/profile")
            case ["beliefs", _, "evidence"]:
                return example(f"GET {GROUP}/beliefs/{{belief_id}}/evidence")
            case ["entities"]:
                listed, name = example(f"GET {GROUP}/entities"), body.get("name")
                called = [one for one in listed["entities"] if name in (None, one["name"], one["name"].casefold())]
                return {**listed, "entities": called, "next_cursor": None}
            case [listed]:
                return example(f"GET {GROUP}/{listed}") | ({"next_cursor": None} if listed == "facts" else {})
            case _:
                raise AssertionError(path)

    def opened(self) -> AbstractAsyncContextManager[Client]:
        return connected("http://graphmem.test", "", transport=httpx.MockTransport(self), user="maya")


async def test_resources_the_prompt_and_completions_ask_as_the_user() -> None:
    service = Recorded()
    async with service.opened() as client:
        addresses = ("memory://profile", "memory://profile/Maya%20Kessler", f"memory://belief/{LIVES['belief_id']}")
        for address in addresses:
            (read,) = (await client.read_resource(address)).contents
            assert isinstance(read, TextResourceContents)
            assert read.mime_type == "application/json"
            assert "Maya lives in Lisbon." in json.dumps(json.loads(read.text))
        said = await client.get_prompt(OF_PROMPT.name, {"about": "Maya"})
        known, asked = (message.content for message in said.messages)
        names = (await client.complete(OF_PROFILE, {"name": "name", "value": "kess"})).completion.values
        assert (await client.complete(OF_PROMPT, {"name": "about", "value": ""})).completion.values
    assert known.type == "resource"
    assert known.resource.uri == "memory://profile/Maya"
    assert asked.type == "text"
    assert "What do you remember about Maya?" in asked.text
    assert "Maya Kessler" in names
    assert set(service.users) == {"maya"}


async def test_a_profile_lists_each_belief_once() -> None:
    async with Recorded().opened() as client:
        (read,) = (await client.read_resource("memory://profile")).contents
        entity = await call(client, "entity", name="Maya")
    assert isinstance(read, TextResourceContents)
    for beliefs in (json.loads(read.text)["beliefs"], entity["beliefs"]):
        ids = [belief["id"] for belief in beliefs]
        assert len(ids) == len(set(ids)) > 0


OF_BELIEFS: Json = {"kind": "belief", "count": 2, "guaranteed": []}
WHY_NOT: dict[str, tuple[Json, list[Json], str | None, str]] = {
    "ended": ({"lost": "time", "detail": ENDED}, [], "time", "It had ended by valid_at, at 2025-05-01T00:00:00+00:00."),
    "not relevant": ({"lost": "not_found", "detail": "None of them found it."}, [], "not_found", "None of them found"),
    "no room": (
        {"lost": "rank", "rank": 14, "detail": "It has rank 14, and limit is 10."},
        [OF_BELIEFS | {"because": "max_tokens"}],
        "max_tokens",
        "It has rank 14, and limit is 10. A recall left out 2 belief (max_tokens)",
    ),
    "below": (
        {"lost": None, "rank": 3, "detail": "It is among the hits."},
        [OF_BELIEFS | {"because": "score"}],
        "score",
        "2 belief (score)",
    ),
}


async def test_why_something_was_not_recalled_is_told_without_an_id(subtests: pytest.Subtests) -> None:
    asked = {"query": "Where does Maya live?", "expected": "Maya lived in Lisbon"}
    for name, (missed, left_out, lost, why) in WHY_NOT.items():
        service = Recorded(why_not=missed, left_out=left_out)
        with subtests.test(name):
            async with service.opened() as client:
                told = await call(client, "why", **asked)
            assert told["belief"]["id"] == LIVES["belief_id"]
            assert told["not_recalled"].get("lost") == lost
            assert told["not_recalled"].get("rank") == missed.get("rank")
            assert why in told["not_recalled"]["why"]
            assert set(service.users) == {"maya"}


async def test_what_nobody_said_here_is_not_known() -> None:
    service = Recorded()
    async with service.opened() as client:
        told = await call(client, "why", query="Where does Maya live?", expected="Maya lives in Reykjavik")
    assert told.keys() == {"notice", "not_recalled"}
    assert told["not_recalled"]["lost"] == "unknown"
    assert "Nothing that is known here says this" in told["not_recalled"]["why"]
    assert service.users == ["maya"]
