"""Loads the sample conversations into a running service and asks it three questions."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import urlencode

from rich.console import Console

from graphmem.client.listing import show
from graphmem.client.sample import Turn, trip, turns
from graphmem.client.synchronous import GraphmemClient
from graphmem.client.terminal import beliefs_table
from graphmem.errors import OurError

GROUP = "sample"
SECONDS = 120.0
BEFORE_CORRECTION = "2025-03-10T00:00:00Z"


@dataclass(frozen=True, slots=True)
class Question:
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


def load(client: GraphmemClient) -> datetime:
    """Load part 1 and part 2 of Maya's year and of the trip, and have them summarised.

    Returns the instant at which part 2, with its correction, became known.
    Loading it again changes nothing.
    """
    second = _tell(client, turns())
    _tell(client, trip())
    client.job(GROUP, "summarise", wait=SECONDS)
    return min(client.episode(GROUP, id_).recorded_at for id_ in second)


def questions(corrected: datetime) -> list[Question]:
    """Now; back then; and what was believed about then, before the correction came in at ``corrected``."""
    then = (corrected - timedelta(microseconds=1)).isoformat()
    bruno: dict[str, str | list[str]] = {"entity": "Bruno", "predicate": ["lives_in"], "valid_at": BEFORE_CORRECTION}
    return [
        Question("Where does Maya live now?", {"entity": "Maya", "predicate": ["lives_in"]}),
        Question("Where did Bruno live on 10 March 2025?", bruno),
        Question("And where did we believe he lived, before Maya corrected herself?", {**bruno, "known_at": then}),
    ]


def curl(api_url: str, token_file: Path, question: Question) -> str:
    url = f"{api_url}/v1/groups/{GROUP}/graph?{urlencode(question.parameters, doseq=True)}"
    return f"curl -s -H \"Authorization: Bearer $(cat '{token_file}')\" '{url}'"


def _tell(client: GraphmemClient, conversation: Sequence[Turn]) -> list[str]:
    """Have part 1 of a conversation read, then part 2; the ids of the episodes of part 2."""
    _digest(client, (turn for turn in conversation if turn.part == 1))
    return _digest(client, (turn for turn in conversation if turn.part != 1))


def _digest(client: GraphmemClient, part: Iterable[Turn]) -> list[str]:
    bodies = [
        {
            "external_id": f"sample-{turn.time.isoformat()}",
            "content": turn.content,
            "role": turn.role,
            "speaker": turn.speaker,
            "session": turn.session,
            "user": turn.user,
            "agent": turn.agent,
            "occurred_at": turn.time.isoformat(),
            "source": "sample",
        }
        for turn in part
    ]
    accepted = client.post_episodes(GROUP, bodies)
    ids = [episode.id for episode in accepted.episodes]
    for episode in client.wait(GROUP, ids, seconds=SECONDS):
        if episode.status != "digested":
            raise OurError(f"An episode of the sample is {episode.status}: {episode.error or 'no worker?'}.")
    return ids
