"""How much of what answers a question is in a context for it, at several budgets of tokens."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import mean
from typing import Any

import httpx

BUDGETS = (1_000, 2_000, 4_000)
FILLED: Mapping[str, float] = {"passages": 100, "least_score": 0}
"""As many turns as a budget has room for, however far they are from the question."""

_PAGE = 500
_MATTERS = frozenset({"max_tokens", "too_long"})
"""Reasons to leave out what a larger budget brings back."""


@dataclass(frozen=True, slots=True)
class Shares:
    """Of the turns that answer a question, those whose full text, or a belief citing them, is in a context."""

    text: float
    belief: float
    either: float


def said(client: httpx.Client, group: str) -> dict[str, tuple[str, str]]:
    """Id and content of each episode, by its external id."""
    found = dict[str, tuple[str, str]]()
    params: dict[str, str | int] = {"limit": _PAGE}
    while True:
        page = client.get(f"/v1/groups/{group}/episodes", params=params).raise_for_status().json()
        found |= {episode["external_id"]: (episode["id"], episode["content"]) for episode in page["episodes"]}
        if page["next_cursor"] is None:
            return found
        params["cursor"] = page["next_cursor"]


def shares(
    client: httpx.Client, group: str, query: str, evidence: Mapping[str, str], limits: Mapping[str, float]
) -> dict[int, Shares]:
    """By budget; ``evidence`` are ids and contents of the turns that answer. Asked for as long as more room matters."""
    found, answer = dict[int, Shares](), dict[str, Any]()
    for budget in BUDGETS:
        if not answer or _MATTERS & {one["because"] for one in answer["left_out"]}:
            asked = {"query": query, "max_tokens": budget, **limits}
            answer = client.post(f"/v1/groups/{group}/context", json=asked).raise_for_status().json()
        found[budget] = in_context(answer, evidence)
    return found


def in_context(answer: Mapping[str, Any], evidence: Mapping[str, str]) -> Shares:
    lines = [line for part in answer["parts"] for line in part["lines"]]
    verbatim = {
        id_ for line in lines if line["episode"] for id_ in line["episode_ids"] if line["text"] == evidence.get(id_)
    }
    cited = {id_ for line in lines if line["belief"] for id_ in line["episode_ids"]} & evidence.keys()
    return Shares(
        text=len(verbatim) / len(evidence),
        belief=len(cited) / len(evidence),
        either=len(verbatim | cited) / len(evidence),
    )


def means(questions: Iterable[Mapping[int, Shares]]) -> dict[str, dict[str, float]]:
    """The means over questions, by budget."""
    asked = list(questions)
    return {
        str(budget): {
            name: round(mean(getattr(one[budget], name) for one in asked), 4) for name in ("text", "belief", "either")
        }
        for budget in BUDGETS
    }
