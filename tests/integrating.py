"""What tests do with integrations and with their frameworks' own: the same operations, which both answer alike."""

import re
from collections.abc import Awaitable, Callable, Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, cast

from agents.memory import SQLiteSession
from anthropic.lib.tools import ToolError
from anthropic.tools.memory import BetaAbstractMemoryTool, BetaLocalFilesystemMemoryTool
from hypothesis import strategies as st
from langgraph.store.base import GetOp, Item, ListNamespacesOp, MatchCondition, NamespaceMatchType, Op, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore

from graphmem.client import AsyncGraphmemClient, GraphmemClient
from graphmem.integrations.claude_memory import GraphmemMemoryTool
from graphmem.integrations.langgraph import GraphmemStore
from graphmem.integrations.openai_agents import GraphmemSession
from tests.scripted_agents import agent, claude, model

Json = dict[str, Any]
TEXTS = st.text(max_size=12) | st.sampled_from(
    ["", "  two  spaces ", "\x00\x85\u2028\u200d", "naïve ✓ 你好 😀", "\ud800"]
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3))
NAMESPACES = [("a",), ("a", "b"), ("a", "b", "c"), ("b", "b"), ("A",)]
KEYS = ["k", "K", "k/2", "ключ "]

# ------------------------------------------------------------------------------------ LangGraph

items = st.fixed_dictionaries(
    {"n": st.integers(0, 3), "color": st.sampled_from(["red", "blue"])}, optional={"more": VALUES}
)
filters = st.sampled_from(
    [
        None,
        {"n": 1},
        {"n": {"$gt": 0}},
        {"n": {"$gte": 1, "$lt": 3}},
        {"n": {"$lte": 1}, "color": "red"},
        {"color": {"$ne": "red"}},
        {"color": {"$eq": "red"}},
        {"more": None},
        {"more": {"x": 1}},
        {"more": [1, "x"]},
    ]
)
kinds: st.SearchStrategy[NamespaceMatchType] = st.sampled_from(["prefix", "suffix"])
conditions = st.tuples(
    kinds,
    st.lists(st.sampled_from(["a", "b", "*"]), min_size=1, max_size=2).map(tuple),
).map(lambda like: MatchCondition(*like))
indexes: st.SearchStrategy[Literal[False] | list[str] | None] = st.sampled_from([None, False, ["color"]])
namespaces, keys = st.sampled_from(NAMESPACES), st.sampled_from(KEYS)
operations = st.one_of(
    st.tuples(namespaces, keys, items, indexes).map(lambda put: PutOp(*put)),
    st.tuples(namespaces, keys, st.none()).map(lambda put: PutOp(*put)),
    st.tuples(namespaces, keys).map(lambda got: GetOp(*got)),
    st.tuples(namespaces | st.just(()), filters, st.integers(0, 4), st.integers(0, 3)).map(lambda one: SearchOp(*one)),
    st.tuples(
        st.none() | st.lists(conditions, max_size=2).map(tuple),
        st.none() | st.integers(1, 3),
        st.integers(0, 4),
        st.integers(0, 2),
    ).map(lambda listed: ListNamespacesOp(*listed)),
)
batches = st.lists(st.lists(operations, min_size=1, max_size=4), min_size=1, max_size=10)


def stores_agree(store: GraphmemStore, asked: Sequence[Sequence[Op]]) -> None:
    """Have LangGraph's own store and ours answer the same batches."""
    own = InMemoryStore()
    for batch in asked:
        # Its own store lists a namespace as soon as somebody looks for a key in it, and ours once it has an item.
        known = own._data.keys()  # pyright: ignore[reportPrivateUsage]  # noqa: SLF001 - the only way to know
        ops = [
            op for op in batch if not (isinstance(op, GetOp | PutOp) and _only_looks(op) and op.namespace not in known)
        ]
        assert [_plain(result) for result in store.batch(ops)] == [_plain(result) for result in own.batch(ops)], ops


def _only_looks(op: GetOp | PutOp) -> bool:
    return isinstance(op, GetOp) or op.value is None


def _plain(result: Any) -> Any:
    """What is to be equal: not the times, for the framework's own store forgets when something was made."""
    if isinstance(result, Item):
        return result.namespace, result.key, result.value
    return [_plain(item) for item in cast("list[Any]", result)] if isinstance(result, list) else result


# -------------------------------------------------------------------------------- Claude's memory tool

PATHS = ["/memories", "/memories/a.md", "/memories/b.md", "/memories/d", "/memories/d/c.md", "/memories/d/e/f.md"]
WRONG = ["/etc/passwd", "/memories/../x", "/memories/d/../a.md", "/memoriesx"]
LINES = ["", "tea", "tea\n", "tea\ncoffee\n", "one\ntwo\r\nthree", "\n\n", "tea tea", "naïve ✓"]
paths, lines = st.sampled_from([*PATHS, *PATHS, *WRONG]), st.sampled_from(LINES)
commands = st.one_of(
    st.fixed_dictionaries(
        {"command": st.just("view"), "path": paths},
        optional={"view_range": st.lists(st.integers(-1, 4), min_size=2, max_size=2)},
    ),
    st.fixed_dictionaries({"command": st.just("create"), "path": paths, "file_text": lines}),
    st.fixed_dictionaries(
        {
            "command": st.just("str_replace"),
            "path": paths,
            "old_str": st.sampled_from(["tea", "t", "zz"]),
            "new_str": lines,
        }
    ),
    st.fixed_dictionaries(
        {"command": st.just("insert"), "path": paths, "insert_line": st.integers(-1, 4), "insert_text": lines}
    ),
    st.fixed_dictionaries({"command": st.just("delete"), "path": paths}),
    st.fixed_dictionaries({"command": st.just("rename"), "old_path": paths, "new_path": paths}),
)


def tools_agree(tool: GraphmemMemoryTool, asked: Sequence[Json]) -> None:
    """Have the SDK's tool and ours do the same, and say the same."""
    with TemporaryDirectory() as folder:
        own = BetaLocalFilesystemMemoryTool(folder)
        for command in asked:
            assert _said(tool, command) == _said(own, command), command


def _said(tool: BetaAbstractMemoryTool, command: Json) -> str:
    try:
        return str(tool.call(command))
    except ToolError as error:
        return f"ToolError: {error}"
    except OSError as error:
        return type(error).__name__


# -------------------------------------------------------------------------------- OpenAI's agents

turns = st.one_of(
    st.fixed_dictionaries({"role": st.sampled_from(["user", "assistant"]), "content": TEXTS}),
    st.fixed_dictionaries(
        {
            "type": st.just("message"),
            "role": st.just("assistant"),
            "content": st.fixed_dictionaries({"type": st.just("output_text"), "text": TEXTS}).map(lambda part: [part]),
        }
    ),
    st.fixed_dictionaries({"type": st.just("function_call"), "name": st.just("f"), "arguments": VALUES}),
)
session_calls = st.lists(
    st.one_of(
        st.tuples(st.just("add_items"), st.lists(turns, max_size=3)),
        st.tuples(st.just("get_items"), st.none() | st.integers(-1, 4)),
        st.tuples(st.just("pop_item")),
        st.tuples(st.just("clear_session")),
    ),
    max_size=12,
)


async def sessions_agree(session: GraphmemSession, asked: Sequence[tuple[Any, ...]]) -> None:
    """Have the SDK's session and ours answer the same calls."""
    own = SQLiteSession("s")
    for name, *arguments in [*asked, ("get_items",)]:
        answers = [await _call(each, name)(*arguments) for each in (session, own)]
        assert answers[0] == answers[1], (name, arguments)
    own.close()


def _call(session: Any, name: str) -> Callable[..., Awaitable[Any]]:
    return getattr(session, name)


# --------------------------------------------------------------------------------------- The examples of documentation

_DOCUMENTED = (Path(__file__).parents[1] / "docs" / "integrations.md").read_text("utf-8")
EXAMPLES = dict(re.findall(r"^## ([^\n]+)\n\n```python\n(.*?)^```$", _DOCUMENTED, re.MULTILINE | re.DOTALL))
"""The code of each framework, by its heading."""
PRINTED = {
    "LangGraph": ["{'city': 'Graz', 'rooms': 3}", "Graz", "home", "Vienna", "[('memories', 'ines')]"],
    "Claude's memory tool": ["I noted that you drink green tea only.", "Ines drinks green tea only."],
    "OpenAI's Agents SDK": ["user I am allergic to peanuts.", "Noted: no peanuts."],
    "pydantic-ai": ["Vienna"],
}
"""What stands, line by line, in what they print."""


def run_example(heading: str, client: GraphmemClient, async_client: AsyncGraphmemClient, group: str = "demo") -> str:
    """What an example prints, in a group of its own, with models that are scripted."""
    given = {"client": client, "async_client": async_client, "claude": claude(), "agent": agent(), "model": model()}
    with redirect_stdout(StringIO()) as printed:
        exec(compile(EXAMPLES[heading].replace('"demo"', repr(group)), heading, "exec"), given)  # noqa: S102 - what the documentation has people run
    return printed.getvalue()


def assert_printed(heading: str, printed: str) -> None:
    lines = iter(printed.splitlines())
    assert [wanted for wanted in PRINTED[heading] if not any(wanted in line for line in lines)] == []
