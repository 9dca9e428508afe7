"""Whether messages that answer a question are found in long chats with an assistant, and the newest before the stale.

    python -m bench.beam --data FILE --json [--dump FILE]

FILE is in the form of BEAM, `.json` or `.json.xz`: a list of chats, each with `messages` (id, role, date, batch, text)
and `questions`. Each message becomes one episode of its chat's group, read offline; its role is the message's role,
its session the message's batch. A message without a date has the date of the one before it. Each question is asked
over HTTP as it is written, for 50 episodes, as `bench.locomo` does; no filter and no parameter depends on a question.

`recall`: the mean, over the `n` questions with evidence, of the share of evidence messages among the first 5, 10 and 20
hits. `by_category` has the same for each category of question. Ids in `evidence` that no message has are dropped and
counted in `evidence_dropped`.

`newest_above_stale`: a question of the category `knowledge_update` asks for a value that the user stated and later
changed. Its `source_chat_ids` has two lists of message ids: in `original_info` the user states the old value, in
`updated_info` the new one, which is later by (occurred_at, sequence). The figure is the share, of the `n_updates`
questions whose two lists differ, that have an updated id among the first 20 hits and no original id above it. An id
that is in both lists is an updated one. It is null if there is no such question.

`degraded` counts searches that went without a channel, for example because the machine was too busy to embed the
question in time. Their figures are not comparable, so the exit status is 1 if there is any.

`--dump` writes one JSON object a question: its chat, category, text, evidence, original and updated ids, and the ids
found, best first.
"""

import json
import lzma
from argparse import Namespace
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import mean
from typing import Any

import httpx

from bench.common import parser, say, service, tell
from bench.locomo import Body, ingest

RANKS = (5, 10, 20)
LIMIT = 50
UPDATE = "knowledge_update"

_DATE = "%B-%d-%Y"


# the chats ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Question:
    """All ids are external ids of episodes; ``original`` and ``updated`` are empty unless it asks for an update."""

    text: str
    category: str
    evidence: frozenset[str]
    original: frozenset[str]
    updated: frozenset[str]

    @property
    def is_update(self) -> bool:
        return self.original != self.updated


@dataclass(frozen=True, slots=True)
class Chat:
    name: str
    messages: tuple[Body, ...]
    questions: tuple[Question, ...]
    dropped: int


@dataclass(frozen=True, slots=True)
class Answered:
    """A question with the external ids found, best first."""

    chat: str
    question: Question
    found: tuple[str, ...]
    degraded: bool


def read(path: Path) -> list[Chat]:
    with lzma.open(path, "rt", encoding="utf-8") if path.suffix == ".xz" else path.open(encoding="utf-8") as file:
        return [_chat(chat) for chat in json.load(file)]


def _chat(chat: Mapping[str, Any]) -> Chat:
    name = str(chat["id"])
    messages = tuple(_messages(name, chat["messages"]))
    known = frozenset(message["external_id"] for message in messages)
    named = [_question(name, question) for question in chat["questions"]]
    dropped = sum(len(question.evidence - known) for question in named)
    return Chat(name, messages, tuple(_only(question, known) for question in named), dropped)


def _messages(name: str, messages: Sequence[Mapping[str, Any]]) -> Iterator[Body]:
    """Each one occurs on its date, as many seconds after midnight as messages come before it in the chat."""
    date = next((message["date"] for message in messages if message["date"]), None)
    if date is None:
        raise SystemExit(f"No message of {name} has a date.")
    for place, message in enumerate(messages):
        date = message["date"] or date
        midnight = datetime.strptime(date, _DATE).replace(tzinfo=UTC)
        yield {
            "content": message["text"],
            "occurred_at": (midnight + timedelta(seconds=place)).isoformat(),
            "role": message["role"],
            "session": f"{name}/{message['batch']}",
            "sequence": place,
            "external_id": f"{name}/{message['id']}",
        }


def _question(name: str, question: Mapping[str, Any]) -> Question:
    sources: Mapping[str, Sequence[int]] = question["source_chat_ids"] if question["category"] == UPDATE else {}
    return Question(
        text=question["question"],
        category=question["category"],
        evidence=_ids(name, question["evidence"]),
        original=_ids(name, sources.get("original_info", ())),
        updated=_ids(name, sources.get("updated_info", ())),
    )


def _ids(name: str, ids: Iterable[int]) -> frozenset[str]:
    return frozenset(f"{name}/{id_}" for id_ in ids)


def _only(question: Question, known: frozenset[str]) -> Question:
    return replace(
        question,
        evidence=question.evidence & known,
        original=question.original & known,
        updated=question.updated & known,
    )


# figures --------------------------------------------------------------------------------------------------------------


def recall(answers: Iterable[Answered]) -> dict[str, float]:
    """The mean share of evidence among the first hits, by how many of them; of questions with evidence."""
    asked = [answer for answer in answers if answer.question.evidence]
    return {str(rank): round(mean(_share(answer, rank) for answer in asked), 4) for rank in RANKS}


def _share(answer: Answered, rank: int) -> float:
    evidence = answer.question.evidence
    return len(evidence & set(answer.found[:rank])) / len(evidence)


def by_category(answers: Iterable[Answered]) -> dict[str, dict[str, float]]:
    categories = defaultdict[str, list[Answered]](list)
    for answer in answers:
        if answer.question.evidence:
            categories[answer.question.category].append(answer)
    return {name: {**recall(categories[name]), "n": len(categories[name])} for name in sorted(categories)}


def is_newest_above_stale(question: Question, found: Sequence[str]) -> bool:
    """Whether the first hit of the first 20 that states the old or the new value states the new one."""
    values = (id_ for id_ in found[: max(RANKS)] if id_ in question.original | question.updated)
    return next(values, None) in question.updated


def newest_above_stale(answers: Iterable[Answered]) -> float | None:
    right = [is_newest_above_stale(one.question, one.found) for one in answers if one.question.is_update]
    return round(mean(right), 4) if right else None


def figures(answers: Sequence[Answered], dropped: int) -> dict[str, object]:
    return {
        "recall": recall(answers),
        "by_category": by_category(answers),
        "newest_above_stale": newest_above_stale(answers),
        "n_updates": sum(answer.question.is_update for answer in answers),
        "n": sum(bool(answer.question.evidence) for answer in answers),
        "evidence_dropped": dropped,
        "degraded": sum(answer.degraded for answer in answers),
    }


# through the API ------------------------------------------------------------------------------------------------------


def group_of(chat: Chat) -> str:
    return f"beam-{chat.name}"


def ask(client: httpx.Client, chat: Chat, question: Question) -> Answered:
    asked = {"query": question.text, "kinds": ["episode"], "limit": LIMIT}
    answer = client.post(f"/v1/groups/{group_of(chat)}/search", json=asked).raise_for_status().json()
    found = tuple(hit["thing"]["external_id"] for hit in answer["hits"])
    return Answered(chat.name, question, found, bool(answer["degraded"]))


def measure(client: httpx.Client, chats: Sequence[Chat]) -> list[Answered]:
    for chat in chats:
        ingest(client, group_of(chat), chat.messages)
    say(f"{sum(len(chat.questions) for chat in chats)} questions")
    return [ask(client, chat, question) for chat in chats for question in chat.questions]


def dump_line(answer: Answered) -> str:
    question = answer.question
    return json.dumps(
        {
            "chat": answer.chat,
            "category": question.category,
            "question": question.text,
            "evidence": sorted(question.evidence),
            "original": sorted(question.original),
            "updated": sorted(question.updated),
            "found": answer.found,
        }
    )


def main(arguments: Namespace) -> None:
    if not arguments.data.is_file():
        raise SystemExit(f"{arguments.data} is absent: nothing was measured.")
    chats = read(arguments.data)
    with service(arguments) as running, running.client() as client:
        answers = measure(client, chats)
    if arguments.dump:
        arguments.dump.write_text("".join(f"{dump_line(answer)}\n" for answer in answers), "utf-8")
    measured = figures(answers, sum(chat.dropped for chat in chats))
    tell(measured, as_json=arguments.json)
    if measured["degraded"]:
        raise SystemExit(1)


if __name__ == "__main__":
    options = parser(__doc__ or "")
    options.add_argument("--data", type=Path, required=True, help="a file in the form of BEAM, .json or .json.xz")
    options.add_argument("--dump", type=Path, help="where to write what was found, a line a question")
    main(options.parse_args())
