"""What `up --sample` prints: three questions about the sample conversations, with their answers."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import urlencode

from rich.console import Console

from graphmem.client.cli.listing import show
from graphmem.client.cli.tables import beliefs_table
from graphmem.client.sample.loading import GROUP, load
from graphmem.client.synchronous import GraphmemClient

BEFORE_CORRECTION = "2025-03-10T00:00:00Z"


@dataclass(frozen=True, slots=True)
class SampleQuestion:
    """A question in words, and as the parameters of ``GET graph``."""

    words: str
    parameters: dict[str, str | list[str]]


def load_and_show(api_url: str, token_file: Path, console: Console) -> None:
    """Load the sample, print each question with its answer and the call that asks it."""
    with GraphmemClient(api_url, token_file.read_text().strip()) as client:
        with console.status("Loading the sample conversations …"):
            corrected = load(client)
        for number, question in enumerate(questions(corrected), start=1):
            answer = client.graph(GROUP, **question.parameters)  # pyright: ignore[reportArgumentType] -- as it takes them
            console.print()
            show(beliefs_table(answer.beliefs, f"{number}. {question.words}"), console)
            console.print(curl(api_url, token_file, question), soft_wrap=True, highlight=False, markup=False)


def questions(corrected: datetime) -> list[SampleQuestion]:
    """Now; back then; and what was believed about then, before the correction came in at ``corrected``."""
    then = (corrected - timedelta(microseconds=1)).isoformat()
    bruno: dict[str, str | list[str]] = {"entity": "Bruno", "predicate": ["lives_in"], "valid_at": BEFORE_CORRECTION}
    return [
        SampleQuestion("Where does Maya live now?", {"entity": "Maya", "predicate": ["lives_in"]}),
        SampleQuestion("Where did Bruno live on 10 March 2025?", bruno),
        SampleQuestion(
            "And where did we believe he lived, before Maya corrected herself?", {**bruno, "known_at": then}
        ),
    ]


def curl(api_url: str, token_file: Path, question: SampleQuestion) -> str:
    url = f"{api_url}/v1/groups/{GROUP}/graph?{urlencode(question.parameters, doseq=True)}"
    return f"curl -s -H \"Authorization: Bearer $(cat '{token_file}')\" '{url}'"
