"""What tools for agents say of themselves, and how they answer where no service does."""

import json
import re
from datetime import datetime
from typing import Any, get_args

import httpx
import jsonschema
import pytest
from mcp import Client
from mcp.server.mcpserver.exceptions import ToolError
from mcp.shared.exceptions import MCPDeprecationWarning, MCPError
from mcp.types import PromptReference, Tool

from graphmem.answers.search import ContextOut, HitKind, LeftOutOut, WhyNotOut
from graphmem.client.problems import ServiceUnavailable
from graphmem.errors import AnswerTooLarge, NotFound
from graphmem.mcp.budget import estimate, page_of
from graphmem.mcp.expected import place_in, says
from graphmem.mcp.memory import AgentMemory, address_of, rest
from graphmem.mcp.server import TOOLSETS, as_tool_errors, server_of
from graphmem.mcp.shown import Presenter, time_text
from graphmem.model.composed import Because, LineKind
from graphmem.model.interval import LATEST
from graphmem.model.scope import Scope
from graphmem.settings import Settings
from graphmem.settings.servers import McpSettings, McpToolset
from tests.agents import connected, refusal

ELSEWHERE = "http://graphmem.test"
NEVER_ARGUMENTS = {"group", "user", "agent", "max_beliefs", "token", "url"}
HINTS = {"create": (False, False, False), "delete": (False, True, True), "read": (True, False, True)}
"""Whether a tool reads, destroys, and may be called again."""
DOES = {"add": "create", "search": "read", "open": "read"}
TAKES = {
    "create_entities": {"entities"},
    "create_relations": {"relations"},
    "add_observations": {"observations"},
    "delete_entities": {"entityNames"},
    "delete_observations": {"deletions"},
    "delete_relations": {"relations"},
    "read_graph": set[str](),
    "search_nodes": {"query"},
    "open_nodes": {"names"},
}
DONE, GRAPH = {"success", "message"}, {"entities", "relations"}
GIVES = {
    "create_entities": {"entities"},
    "create_relations": {"relations"},
    "add_observations": {"results"},
    "delete_entities": DONE,
    "delete_observations": DONE,
    "delete_relations": DONE,
    "read_graph": GRAPH,
    "search_nodes": GRAPH,
    "open_nodes": GRAPH,
}


async def tools_of(toolset: McpToolset) -> list[Tool]:
    async with connected(ELSEWHERE, "", toolset) as client:
        return (await client.list_tools()).tools


@pytest.mark.parametrize("toolset", get_args(McpToolset))
async def test_every_tool_says_what_it_takes_gives_and_does(toolset: McpToolset) -> None:
    tools = await tools_of(toolset)
    assert [tool.name for tool in tools] == list(TOOLSETS[toolset].hints)
    for tool in tools:
        assert tool.description
        assert tool.output_schema is not None
        for schema in (tool.input_schema, tool.output_schema):
            jsonschema.Draft202012Validator.check_schema(schema)
        hints = tool.annotations
        assert hints is not None
        assert None not in {hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint, hints.open_world_hint}
        assert not (hints.read_only_hint and hints.destructive_hint)
        assert hints.open_world_hint is False


@pytest.mark.parametrize("toolset", get_args(McpToolset))
async def test_no_tool_takes_a_group_or_a_user(toolset: McpToolset) -> None:
    for tool in await tools_of(toolset):
        assert not NEVER_ARGUMENTS & set(re.findall(r'"(\w+)":', json.dumps(tool.input_schema["properties"])))


@pytest.mark.parametrize("toolset", get_args(McpToolset))
async def test_what_a_model_reads_of_all_tools_is_short(toolset: McpToolset) -> None:
    told = [(tool.name, tool.description, tool.input_schema) for tool in await tools_of(toolset)]
    assert estimate(json.dumps(told)) < 3_000


@pytest.mark.parametrize("toolset", ["graphmem", "common"])
async def test_every_tool_of_ours_has_an_example_that_it_takes(toolset: McpToolset) -> None:
    for tool in await tools_of(toolset):
        _, example = (tool.description or "").split("Example: ")
        arguments = json.loads(example.replace("…", "0" * 32))
        jsonschema.validate(arguments, tool.input_schema)


WRONG: dict[str, tuple[str, dict[str, Any], str]] = {
    "missing": ("remember", {}, "`content` is missing. It is: What was said or happened, in its own words."),
    "not taken": ("remember", {"text": "Hi."}, "There is no argument `text`. It takes `content`, `occurred_at`, "),
    "takes none": ("stats", {"user": "maya"}, "There is no argument `user`. It takes none."),
    "type": ("recall", {"query": 7}, "`query` has to be a text. It is: A question"),
    "range": ("recall", {"query": "tea", "max_tokens": 3}, "`max_tokens` has to be 500 or more."),
    "choice": ("diff", {"from": "2025-01-01", "to": "2025-02-01", "axis": "x"}, "has to be 'valid' or 'known'"),
    "time": ("facts", {"valid_at": "2025-05-03T10:00:00"}, "add +HH:MM"),
    "id": ("confirm", {"id": "Maya"}, "`id` is no id, which has 32 characters from 0-9 and a-f. It is: A belief's id"),
    "types": ("correct", {"id": "0" * 32, "value": []}, "`value` does not fit. It is: What is so instead"),
    "neither": ("why", {"query": "Where does Maya live?"}, "Give the `id` of a belief or an episode, or say"),
}


async def test_arguments_that_do_not_fit_are_told_in_our_words(subtests: pytest.Subtests) -> None:
    async with connected(ELSEWHERE, "") as client:
        for name, (tool, arguments, said) in WRONG.items():
            with subtests.test(name):
                told = await refusal(client, tool, **arguments)
                assert said in told
                assert "validation error" not in told
    wrong: list[dict[str, Any]] = [{"name": "Maya", "entityType": 7, "observations": [], "more": 1}]
    async with connected(ELSEWHERE, "", "memory-server") as client:
        told = await refusal(client, "create_entities", entities=wrong)
    assert told == "`entities.0.entityType` has to be a text. `entities.0.more` is not taken."


async def test_what_is_offered_besides_tools(subtests: pytest.Subtests) -> None:
    for toolset in get_args(McpToolset):
        async with connected(ELSEWHERE, "", toolset) as client:
            with subtests.test(toolset):
                (profile,) = (await client.list_resources()).resources
                templates = (await client.list_resource_templates()).resource_templates
                (prompt,) = (await client.list_prompts()).prompts
                assert profile.uri == "memory://profile"
                assert [one.uri_template for one in templates] == ["memory://profile/{name}", "memory://belief/{id}"]
                assert [argument.name for argument in prompt.arguments or ()] == ["about"]
                assert None not in {one.description for one in (profile, prompt, *templates)}
                other = PromptReference(type="ref/prompt", name="of_nobody")
                assert (await client.complete(other, {"name": "arg1", "value": "x"})).completion.values == []


async def test_a_level_of_log_messages_is_taken() -> None:
    async with connected(ELSEWHERE, "") as client:
        assert client.server_capabilities.logging is not None
        with pytest.warns(MCPDeprecationWarning):
            await client.set_logging_level("info")  # pyright: ignore[reportDeprecated] - clients of before 2026 do


async def test_resources_and_the_prompt_say_the_next_step_where_nothing_runs(tmp_path: Any) -> None:
    configured = Settings(data_dir=tmp_path)
    async with Client(server_of(AgentMemory(lambda: address_of(configured), McpSettings()))) as client:
        for asked in (client.read_resource("memory://profile"), client.get_prompt("what_do_you_remember", {})):
            with pytest.raises(MCPError, match="`graphmem up`"):
                await asked


@pytest.mark.parametrize(
    ("text", "expected", "said"),
    [
        ("Maya lives_in Lisbon.", "Maya lives in Lisbon", True),
        ("Maya lives_in Lisbon.", "maya lived in LISBON!", True),
        ("Maya lives_in Lisbon.", "Lisbon", True),
        ("Maya lives_in Lisbon.", "Maya lives in Rome", False),
        ("The mayor likes tea.", "Maya likes tea", False),
        ("Maya is 30.", "Maya is 31", False),
        ("マヤはリスボンに住んでいる。", "リスボン", True),
        ("マヤはリスボンに住んでいる。", "ローマ", False),
        ("She is 5.", "is", True),
        ("", "Maya", False),
    ],
)
def test_what_is_expected_is_found_by_its_words(text: str, expected: str, said: bool) -> None:  # noqa: FBT001
    assert says(text, expected) is said


def test_where_a_recall_left_something_is_told_of_its_kind() -> None:
    def left(kind: LineKind, because: Because, *guaranteed: str) -> LeftOutOut:
        return LeftOutOut(kind=kind, count=3, because=because, guaranteed=list(guaranteed))

    of_turns = [left(LineKind.TURN, because) for because in (Because.REPEATED, Because.SCORE)]
    left_out = [*of_turns, left(LineKind.BELIEF, Because.MAX_TOKENS)]
    must = left(LineKind.PROFILE, Because.TOO_LONG, "a")
    told = {
        "a": place_in(_context(left_out=[*left_out, must]), _missed("a", "fact")),
        "b": place_in(_context(left_out=left_out), _missed("b", "fact")),
        "c": place_in(_context(left_out=left_out), _missed("c", "episode")),
        "d": place_in(_context(left_out=[]), _missed("d", "fact")),
    }
    assert {name: lost for name, (lost, _) in told.items()} == {
        "a": "too_long",
        "b": "max_tokens",
        "c": "score",
        "d": "limit",
    }
    assert "3 belief (max_tokens)" in told["b"][1]


def _context(left_out: list[LeftOutOut]) -> ContextOut:
    return ContextOut.model_construct(parts=[], left_out=left_out)


def _missed(id_: str, kind: HitKind) -> WhyNotOut:
    return WhyNotOut.model_construct(id=id_, kind=kind, lost=None)


@pytest.mark.parametrize(("toolset", "name"), [("graphmem", "correct"), ("common", "correct_fact")])
async def test_a_correction_tells_what_was_wrong_from_what_has_changed(toolset: McpToolset, name: str) -> None:
    (tool,) = [tool for tool in await tools_of(toolset) if tool.name == name]
    wrong, changed, _ = " ".join((tool.description or "").split()).split(". ")
    assert "wrong all along" in wrong
    assert "give `changed_at`" in changed
    assert "changed_at" in tool.input_schema["properties"]


async def test_tools_have_the_names_arguments_answers_and_hints_of_the_official_server() -> None:
    tools = {tool.name: tool for tool in await tools_of("memory-server")}
    assert tools.keys() == TAKES.keys()
    for name, tool in tools.items():
        assert set(tool.input_schema.get("required", ())) == TAKES[name]
        assert set(tool.input_schema["properties"]) - TAKES[name] <= {"cursor"}
        assert tool.output_schema is not None
        assert set(tool.output_schema["required"]) == GIVES[name]
        hints = tool.annotations
        assert hints is not None
        verb = name.partition("_")[0]
        found = (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint)
        assert (*found, hints.open_world_hint) == (*HINTS[DOES.get(verb, verb)], False)


def test_names_that_are_not_shown_are_counted() -> None:
    show = Presenter(4_000)
    assert show.names(["a", "b", "c"]) == ["a", "b", "c"]
    assert show.names(map(str, range(10))) == ["0", "1", "2", "… and 7 more"]
    assert show.names([]) is None


@pytest.mark.parametrize(
    ("instant", "shown"),
    [
        ("2025-05-03T00:00:00+00:00", "2025-05-03"),
        ("2025-05-03T10:00:00+00:00", "2025-05-03T10:00:00Z"),
        ("2025-05-03T00:00:00.25+00:00", "2025-05-03T00:00:00.250000Z"),
        ("2025-05-03T10:00:07+02:00", "2025-05-03T08:00:07Z"),
    ],
)
def test_times_are_shown_in_utc_and_as_short_as_they_are(instant: str, shown: str) -> None:
    assert time_text(datetime.fromisoformat(instant)) == shown


def test_a_list_that_changes_between_pages_says_so() -> None:
    page = page_of(page_of(None, "facts").cursor(2, None, None, "as it was"), "facts")
    assert "not that" not in str(rest(page, 1, 3, Scope("g", LATEST), "as it was", ""))
    assert "not that of the first page" in str(rest(page, 1, 3, Scope("g", LATEST), "changed", ""))


def test_a_long_error_is_cut_and_keeps_the_next_step() -> None:
    with pytest.raises(ToolError) as raised, as_tool_errors("confirm", "Look it up.", elsewhere=False):
        raise NotFound("There is no such thing. " * 2_000)
    told = str(raised.value)
    assert estimate(told) < 900
    assert told.endswith("more cut] Look it up.")


@pytest.mark.parametrize(
    ("tool", "step"), [("diff", "ask for a shorter time"), ("facts", "Name an entity or a predicate")]
)
def test_an_answer_that_is_too_large_is_asked_for_in_words_of_the_tool(tool: str, step: str) -> None:
    with pytest.raises(ToolError, match=step), as_tool_errors(tool, "", elsewhere=False):
        raise AnswerTooLarge("There are more than 5000 beliefs to show.")


async def test_a_service_elsewhere_that_does_not_answer_is_not_to_be_started_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("asyncio.sleep", _at_once)
    async with connected(ELSEWHERE, "", transport=httpx.MockTransport(_refuse), url=ELSEWHERE) as client:
        told = await refusal(client, "facts")
    assert "graphmem up" not in told
    assert "The service at http://graphmem.test does not answer" in told
    assert "Tell the user" in told


def _refuse(_: httpx.Request) -> httpx.Response:
    raise httpx.ConnectError("refused")


async def _at_once(_: float) -> None:
    """The pauses between calls that are sent again."""


async def test_where_nothing_runs_the_session_begins_and_tools_say_what_to_type(tmp_path: Any) -> None:
    configured = Settings(data_dir=tmp_path)
    with pytest.raises(ServiceUnavailable):
        address_of(configured)
    async with Client(server_of(AgentMemory(lambda: address_of(configured), McpSettings()))) as client:
        assert "`graphmem up`" in await refusal(client, "stats")
