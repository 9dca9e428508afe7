"""Whether the turns that answer a question about a long conversation are found, through the API.

    python -m bench.locomo --data FILE --json [--dump FILE]

Reads conversations in the form of LoCoMo: dated sessions of turns, and questions with their evidence, the ids of turns.
Every turn is handed in as an episode (its text, and the caption of what it shares), read offline: into a group for each
conversation (`recall`), and all into one group (`one_group`). Then every question is asked as it is, for episodes.
Recall is the mean over questions of the share of their evidence among the first 5, 10, 20 and 50; `by_category` says
it of each kind of question: 1 multi-hop, 2 temporal, 3 open-domain, 4 single-hop, 5 about what was never said.

Evidence that names no turn is dropped and counted; a question that has none left is not asked. `p50_ms` and `p95_ms`
are of the requests of `recall`, one after the other.

`context_recall` is of contexts (`POST context`) for each question in the group of its conversation, of 1,000, 2,000 and
4,000 tokens: the mean over questions of the share of their evidence whose full text (`text`), or a belief citing it
(`belief`), is in the parts. It asks for nothing but a budget; `context_recall_filled` asks for as many turns as fit
(`passages` 100, `least_score` 0).

`without_graph` is what the same questions find by weights that do not know of beliefs, fitted to the other
conversations, and `held_out` what they find by weights that do, fitted likewise; `difference` is of the recall at 10,
and `interval` has its mean in 95 of 100 samples of the questions (`bench.without_graph`).

`degraded` counts searches that went without a channel, for example because the question was not embedded in time; the
exit status is 1 if there is any.

`--dump` writes a line a question: the ids found, best first.
"""

import json
import re
from argparse import Namespace
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from statistics import mean
from time import perf_counter
from typing import Any

import httpx

from bench import context_recall, without_graph
from bench.common import milliseconds, parser, say, service, tell, wait_until_digested
from bench.rank.judged import Example
from bench.rank.labelled import Labelled
from bench.rank.ranking import example
from graphmem.client.synchronous import GraphmemClient
from graphmem.files.locomo import locomo_time
from graphmem.retrieve.weights import packaged

RANKS = (5, 10, 20, 50)
BATCH = 50
ALL = "locomo"

_SESSION = re.compile(r"session_(\d+)")
_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")

Body = dict[str, Any]


# the conversations ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the external ids of the turns that answer it."""

    text: str
    category: int
    evidence: frozenset[str]


@dataclass(frozen=True, slots=True)
class Conversation:
    name: str
    turns: tuple[Body, ...]
    questions: tuple[Question, ...]
    dropped: int


def read(path: Path) -> list[Conversation]:
    return [_conversation(told) for told in json.loads(path.read_text("utf-8"))]


def _conversation(told: Mapping[str, Any]) -> Conversation:
    name = told["sample_id"]
    turns = tuple(_turns(name, told["conversation"]))
    known = {turn["external_id"] for turn in turns}
    asked, dropped = list[Question](), 0
    for item in told["qa"]:
        named = {f"{name}/{turn}" for turn in evidence(item["evidence"])}
        dropped += len(named - known)
        if found := frozenset(named & known):
            asked.append(Question(item["question"], item["category"], found))
    return Conversation(name, turns, tuple(asked), dropped)


def evidence(named: Iterable[str]) -> frozenset[str]:
    """The turns that a question names as its evidence, such as D1:3; leading zeros are dropped."""
    return frozenset(f"D{int(session)}:{int(turn)}" for text in named for session, turn in _EVIDENCE.findall(text))


def _turns(name: str, told: Mapping[str, Any]) -> Iterator[Body]:
    """Turns of one conversation, a second after each other from the time of their session."""
    for number in sorted(int(match[1]) for key in told if (match := _SESSION.fullmatch(key))):
        began = locomo_time(told[f"session_{number}_date_time"])
        for place, turn in enumerate(told[f"session_{number}"]):
            caption = turn.get("blip_caption")
            yield {
                "content": f"{turn['text']}\n[image: {caption}]" if caption else turn["text"],
                "occurred_at": (began + timedelta(seconds=place)).isoformat(),
                "speaker": turn["speaker"],
                "session": f"{name}/{number}",
                "sequence": place,
                "external_id": f"{name}/{turn['dia_id']}",
            }


# through the API ------------------------------------------------------------------------------------------------------


def ingest(client: httpx.Client, group: str, turns: Sequence[Body]) -> None:
    """Hand in, and wait until all is digested.

    Raises:
        SystemExit: a turn was not digested.
    """
    say(f"{group}: {len(turns)} turns")
    for at in range(0, len(turns), BATCH):
        client.post(f"/v1/groups/{group}/episodes", json=turns[at : at + BATCH]).raise_for_status()
    if failed := wait_until_digested(client, group)["failed"]:
        raise SystemExit(f"{group}: {failed} turns failed.")


def ask(client: httpx.Client, group: str, question: Question) -> tuple[list[str], bool]:
    """The external ids of what is found, best first; and whether the search went without a channel."""
    asked = {"query": question.text, "kinds": ["episode"], "limit": max(RANKS)}
    answer = client.post(f"/v1/groups/{group}/search", json=asked).raise_for_status().json()
    return [hit["thing"]["external_id"] for hit in answer["hits"]], bool(answer["degraded"])


def judged(client: GraphmemClient, conversations: Sequence[Conversation]) -> list[Example]:
    """The long lists of all questions, with the reasons for each turn."""
    found = list[Example]()
    for told in conversations:
        say(f"{told.name}: reasons")
        found += [example(client, _labelled(told.name, question), packaged()) for question in told.questions]
    return found


def _labelled(name: str, question: Question) -> Labelled:
    return Labelled(
        where=name,
        question=question.text,
        group=f"{ALL}-{name}",
        ids=frozenset(),
        external_ids=question.evidence,
        asked={},
    )


# figures --------------------------------------------------------------------------------------------------------------


def share(question: Question, found: Sequence[str], rank: int) -> float:
    return len(question.evidence & set(found[:rank])) / len(question.evidence)


def recall(asked: Iterable[tuple[Question, Sequence[str]]], ranks: Sequence[int] = RANKS) -> dict[str, float]:
    answers = list(asked)
    return {str(rank): round(mean(share(question, found, rank) for question, found in answers), 4) for rank in ranks}


def by_category(asked: Sequence[tuple[Question, Sequence[str]]]) -> dict[str, dict[str, float]]:
    kinds = defaultdict[int, list[tuple[Question, Sequence[str]]]](list)
    for question, found in asked:
        kinds[question.category].append((question, found))
    return {str(kind): {**recall(kinds[kind]), "n": len(kinds[kind])} for kind in sorted(kinds)}


def contexts(
    client: httpx.Client, conversations: Sequence[Conversation], limits: Mapping[str, float]
) -> dict[str, dict[str, float]]:
    """How much of the evidence is in contexts for the questions, by budget."""
    found = list[dict[int, context_recall.Shares]]()
    for told in conversations:
        say(f"{told.name}: contexts {dict(limits) or 'by default'}")
        group = f"{ALL}-{told.name}"
        turns = context_recall.said(client, group)
        for question in told.questions:
            evidence = dict(turns[turn] for turn in question.evidence)
            found.append(context_recall.shares(client, group, question.text, evidence, limits))
    return context_recall.means(found)


def measure(
    client: httpx.Client,
    conversations: Sequence[Conversation],
    examples: Callable[[], list[Example]],
    dump: Path | None,
) -> dict[str, object]:
    for told in conversations:
        ingest(client, f"{ALL}-{told.name}", told.turns)
    ingest(client, ALL, [turn for told in conversations for turn in told.turns])
    alone, together, seconds = list[tuple[Question, list[str]]](), list[tuple[Question, list[str]]](), list[float]()
    degraded = 0
    for told in conversations:
        say(f"{told.name}: {len(told.questions)} questions")
        for question in told.questions:
            began = perf_counter()
            found, lacking = ask(client, f"{ALL}-{told.name}", question)
            seconds.append(perf_counter() - began)
            alone.append((question, found))
            of_all, lacking_too = ask(client, ALL, question)
            together.append((question, of_all))
            degraded += lacking + lacking_too
    if dump:
        lines = (json.dumps({"question": question.text, "found": found}) for question, found in alone)
        dump.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    took = milliseconds(seconds)
    return {
        "recall": recall(alone),
        "by_category": by_category(alone),
        "one_group": recall(together, RANKS[:3]),
        **without_graph.figures(examples(), packaged().turns),
        "context_recall": contexts(client, conversations, {}),
        "context_recall_filled": contexts(client, conversations, context_recall.FILLED),
        "p50_ms": took["p50"],
        "p95_ms": took["p95"],
        "n": len(alone),
        "evidence_dropped": sum(told.dropped for told in conversations),
        "degraded": degraded,
    }


def main(arguments: Namespace) -> None:
    if not arguments.data.is_file():
        raise SystemExit(f"{arguments.data} is absent: nothing was measured.")
    conversations = read(arguments.data)
    with service(arguments) as running, running.client() as client:
        asking = GraphmemClient(running.url, running.token)
        figures = measure(client, conversations, lambda: judged(asking, conversations), arguments.dump)
    tell(figures, as_json=arguments.json)
    if figures["degraded"]:
        raise SystemExit(1)


if __name__ == "__main__":
    options = parser(__doc__ or "")
    options.add_argument("--data", type=Path, required=True, help="a file in the form of LoCoMo")
    options.add_argument("--dump", type=Path, help="where to write what was found, a line a question")
    main(options.parse_args())
