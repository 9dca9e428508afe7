"""What a newcomer types, from an empty virtual environment on, and what they see: each door of graphmem once.

`pip install` and `graphmem up` are done once for all walks. LangGraph's agents are installed here alone, in the newest
version of their range; the report of the tests has it as a property.
"""

import json
import os
import re
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from subprocess import run
from typing import Any

import pytest
from fastapi import FastAPI, Request

from graphmem.local import DataDir
from graphmem.local.control import down
from graphmem.local.ports import Ports
from graphmem.local.state import remember_ports
from tests.acceptance.fresh import ROOT, installed
from tests.acceptance.service import environment
from tests.acceptance.shells import SMALL
from tests.acceptance.test_plugins import FILES, LINES, answered, happen
from tests.listening import listening
from tests.servers import QUICK
from tests.written_files import OTHER, USER, Said, chatgpt

pytestmark = [pytest.mark.full, pytest.mark.timeout(1_200)]

EXTRAS = "server,files,mcp,langgraph,claude-memory"
LANGGRAPH = "langgraph>=1,<2"
DOCUMENTED = (ROOT / "docs" / "integrations.md").read_text("utf-8")
CLIENT = """
import os
from graphmem.client import GraphmemClient
client = GraphmemClient(os.environ["GRAPHMEM_URL"], os.environ["GRAPHMEM_TOKEN"])
"""
SCRIPTED = """
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage

class Scripted(GenericFakeChatModel):
    def bind_tools(self, tools, **more):
        return self

def calls(tool, **arguments):
    return AIMessage("", tool_calls=[{"name": tool, "args": arguments, "id": tool}])

def told(agent, said):
    return [message.content for message in agent.invoke({"messages": [("user", said)]})["messages"]]
"""
THEN_AND_NOW = """
before = agent.store.get(ines, "home").updated_at
print(told(agent, "I moved to Graz.")[2])
for found in (agent.store.search(ines), agent.store.search(ines, filter={"valid_at": before})):
    print(*(item.value["text"] for item in found))
"""
VERSION = 'from importlib.metadata import version; print(version("langgraph"))'
TEA = "Ines drinks green tea only."


@dataclass(frozen=True, slots=True)
class Newcomer:
    """Somebody in a folder of their own, whose shell has the virtual environment in it."""

    folder: Path

    @property
    def data_dir(self) -> Path:
        return self.folder / "data"

    def environ(self, extra: Mapping[str, str]) -> dict[str, str]:
        path = f"{self.folder / 'venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"  # noqa: TID251 - of the tests' own shell
        others = {"PYTHONPATH", "VIRTUAL_ENV", "CLAUDE_CONFIG_DIR", "CLAUDE_PROJECT_DIR"}
        whole = environment({**SMALL, **QUICK, "PATH": path, "GRAPHMEM_DATA_DIR": str(self.data_dir), **extra})
        return {name: value for name, value in whole.items() if name not in others}

    def types(self, line: str, **extra: str) -> str:
        """What a line typed into the shell prints."""
        command = ["/bin/bash", "-ec", line]
        environ = self.environ(extra)
        done = run(command, cwd=self.folder, env=environ, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def writes(self, program: str, **extra: str) -> str:
        """What a program prints that knows where the service is."""
        return self.types(f"eval \"$(graphmem env)\"\npython - <<'END'\n{CLIENT}{program}\nEND", **extra)


@pytest.fixture(scope="module")
def newcomer(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Generator[Newcomer]:
    somebody = Newcomer(tmp_path_factory.mktemp("newcomer"))
    installed(wheel, EXTRAS, somebody.folder / "venv", LANGGRAPH)
    kept = DataDir(somebody.data_dir)
    kept.create()
    remember_ports(kept, Ports(api=0, bolt=0, http=0))
    try:
        somebody.types("graphmem up --detach --api-port 0")
        yield somebody
    finally:
        down(somebody.data_dir)


def documented(heading: str) -> str:
    """The code that stands first under a heading."""
    found = re.search(rf"^#+ {heading}\n\n```python\n(.*?)^```$", DOCUMENTED, re.MULTILINE | re.DOTALL)
    assert found
    return found[1]


def test_an_export_goes_in_and_is_asked_as_of_a_day(newcomer: Newcomer) -> None:
    said = [
        Said(USER, datetime(2025, 1, 7, 9, tzinfo=UTC), "I live in Ghent."),
        Said(OTHER, datetime(2025, 1, 7, 9, 1, tzinfo=UTC), "Noted."),
        Said(USER, datetime(2025, 6, 2, 9, tzinfo=UTC), "I moved to Oslo yesterday."),
    ]
    chatgpt(said, newcomer.folder)

    shown = newcomer.types("graphmem ingest conversations.json --group me --as Ines --dry-run")
    assert shown.startswith("ChatGPT export: 1 conversation, 3 messages, 2025-01 to 2025-06\n")
    assert "I live in Ghent." in shown
    assert "3 episodes (3 new)" in newcomer.types("graphmem ingest conversations.json --group me --as Ines")
    for day, city in (("2025-02-01", "Ghent"), ("2025-06-03", "Oslo")):
        for asked in ('ask "Where does Ines live?"', "graph --entity Ines --predicate lives_in"):
            answer = newcomer.types(f"graphmem {asked} --group me --valid-at {day}")
            assert set(re.findall(r"Ines lives in \w+\.", answer)) == {f"Ines lives in {city}."}


def test_the_plugin_in_an_empty_home_gives_context_at_a_start_and_at_a_prompt(
    newcomer: Newcomer, tmp_path: Path
) -> None:
    home, project = tmp_path / "home", tmp_path / "home" / "shop"
    (project / ".git").mkdir(parents=True)
    own = {"HOME": str(home), "XDG_STATE_HOME": str(home / "state")}
    assert "The memory is in claude" in newcomer.types("graphmem plugin install claude", **own)
    assert "claude: installed" in newcomer.types("graphmem plugin status", **own)

    log, settings, environ = home / "log.jsonl", home / FILES["claude"], newcomer.environ(own)
    log.write_text("".join(json.dumps(line) + "\n" for line in LINES["claude"]), "utf-8")
    first: dict[str, object] = {"session_id": "first", "cwd": str(project), "transcript_path": str(log)}
    assert happen(environ, settings, "SessionEnd", **first) == ""
    later = first | {"session_id": "second"}

    def about_tabs(event: str, **more: str) -> str:
        said = happen(environ, settings, event, **later, **more)
        return said if "tabs" in said else ""

    at_start = answered(lambda: about_tabs("SessionStart", source="startup"))
    at_prompt = answered(lambda: about_tabs("UserPromptSubmit", prompt="Tabs or spaces?"))
    assert (at_start["hookEventName"], at_prompt["hookEventName"]) == ("SessionStart", "UserPromptSubmit")


def test_an_agent_of_langgraph_remembers_in_another_process_and_as_of_then(
    newcomer: Newcomer, record_property: Callable[[str, object], None]
) -> None:
    agent = SCRIPTED + documented("An agent of LangGraph")
    version = newcomer.types(f"python -c '{VERSION}'").strip()
    record_property("langgraph", version)

    vienna = 'calls("remember", key="home", text="Ines lives in Vienna."), "Noted."'
    told = newcomer.writes(f"{agent}{model(vienna)}print(told(agent, 'I live in Vienna.'))")
    assert told == "['I live in Vienna.', '', 'kept', 'Noted.']\n", version
    graz = 'calls("recall", query="Home?"), calls("remember", key="home", text="Ines lives in Graz."), "Noted."'
    told = newcomer.writes(f"{agent}{model(graz)}{THEN_AND_NOW}")
    assert told.splitlines() == ["Ines lives in Vienna.", "Ines lives in Graz.", "Ines lives in Vienna."], version


def model(script: str) -> str:
    return f"model = Scripted(messages=iter([{script}]))\n"


@contextmanager
def scripted_claude(*answers: dict[str, Any]) -> Generator[tuple[dict[str, str], list[Any]]]:
    """A server that gives these answers as Claude would: the environment that leads there, and what it was asked."""
    left, asked = list(answers), list[Any]()

    async def answer(request: Request) -> dict[str, Any]:
        asked.append(await request.json())
        content = left.pop(0)
        stop = "tool_use" if content["type"] == "tool_use" else "end_turn"
        whole = {"id": "msg_1", "type": "message", "role": "assistant", "model": "scripted", "content": [content]}
        used = {"input_tokens": 1, "output_tokens": 1}
        return whole | {"stop_reason": stop, "stop_sequence": None, "usage": used}

    app = FastAPI()
    app.add_api_route("/v1/messages", answer, methods=["POST"])
    with listening(app) as url:
        yield {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "none"}, asked


def uses_memory(**command: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": "toolu_1", "name": "memory", "input": command}


def says(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def test_what_claude_writes_it_reads_in_another_process(newcomer: Newcomer) -> None:
    example = "from anthropic import Anthropic\nclaude = Anthropic()\n" + documented("Claude's memory tool")
    path = "/memories/tea.md"

    writes = uses_memory(command="create", path=path, file_text=f"{TEA}\n")
    with scripted_claude(writes, says("I noted it.")) as (environ, _):
        told = newcomer.writes(example, **environ)
    assert told.startswith("I noted it.\n")
    assert TEA in told
    question = "I drink green tea only. Remember it."
    assert question in example
    with scripted_claude(uses_memory(command="view", path=path), says("Green tea.")) as (environ, asked):
        told = newcomer.writes(example.replace(question, "What do I drink?"), **environ)
    assert told.startswith("Green tea.\n")
    *_, result = asked[-1]["messages"]
    assert TEA in json.dumps(result)
