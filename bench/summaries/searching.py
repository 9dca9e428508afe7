"""Whether a search of the service finds the summary of the turns that answer a question."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx

from bench.common import say
from bench.locomo import Conversation, ingest, read
from bench.summaries.judging import TOP, share
from graphmem.client.synchronous import GraphmemClient

_SECONDS = 600.0
_TIMES = 5


def of_service(client: httpx.Client, memory: GraphmemClient, data: Path) -> dict[str, object]:
    """Each conversation in a group of its own, every session closed and summarised; each question asked as it is."""
    found, asked, degraded = 0, 0, 0
    for told in read(data):
        group = f"summaries-{told.name}"
        ingest(client, group, told.turns)
        for session in memory.sessions(group):
            memory.close_session(group, session.id)
        done = memory.job(group, "summarise", wait=_SECONDS)
        if done.status != "done":
            raise SystemExit(f"{group}: summaries are {done.status}: {done.error}")
        say(f"{group}: {len(told.questions)} questions")
        hits, count, lacking = _ask(client, group, told, _covered(memory, group))
        found, asked, degraded = found + hits, asked + count, degraded + lacking
    if degraded:
        raise SystemExit(f"{degraded} searches went without a channel.")
    return {"summary_in_top5": share(found, asked), "questions": asked}


def _covered(memory: GraphmemClient, group: str) -> Mapping[str, frozenset[str]]:
    """The external ids of the turns that each summary covers, itself or through others."""
    external = {one.id: one.external_id or "" for one in memory.episodes(group)}
    below = {one.summary_id: one.covers for one in memory.summaries(group)}

    def turns(covers: Sequence[str]) -> frozenset[str]:
        parts = [turns(below[id_]) if id_ in below else frozenset({external[id_]}) for id_ in covers]
        return frozenset[str]().union(*parts)

    return {id_: turns(covers) for id_, covers in below.items()}


def _ask(
    client: httpx.Client, group: str, told: Conversation, covered: Mapping[str, frozenset[str]]
) -> tuple[int, int, int]:
    """Of how many questions a right summary is among the first, of how many there is one, and searches that lacked."""
    hits, count, degraded = 0, 0, 0
    for question in told.questions:
        if not any(question.evidence & turns for turns in covered.values()):
            continue
        answer = _search(client, group, question.text)
        found = [hit["thing"]["summary_id"] for hit in answer["hits"] if hit["kind"] == "summary"]
        hits += any(question.evidence & covered[id_] for id_ in found)
        count, degraded = count + 1, degraded + bool(answer["degraded"])
    return hits, count, degraded


def _search(client: httpx.Client, group: str, query: str, times: int = _TIMES) -> dict[str, Any]:
    """Asked again where it went without a channel: on a busy machine a vector may come late."""
    body = {"query": query, "kinds": ["summary"], "limit": TOP}
    answer: dict[str, Any] = client.post(f"/v1/groups/{group}/search", json=body).raise_for_status().json()
    return _search(client, group, query, times - 1) if answer["degraded"] and times > 1 else answer
