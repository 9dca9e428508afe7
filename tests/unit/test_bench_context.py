"""How much of the evidence a context has, as the benchmark counts it."""

from typing import Any

import httpx

from bench.context_recall import BUDGETS, Shares, in_context, means, said, shares


def line(text: str, *episodes: str, belief: bool = False) -> dict[str, Any]:
    things = {"belief": {"open": True}, "episode": None} if belief else {"belief": None, "episode": {"speaker": "Maya"}}
    return {"text": text, "episode_ids": list(episodes), **things}


def answer(*lines: dict[str, Any], because: str = "score") -> dict[str, Any]:
    return {"parts": [{"lines": list(lines)}], "left_out": [{"because": because}]}


def test_evidence_is_there_in_full_or_cited_by_a_belief() -> None:
    evidence = {"a": "Hi.", "b": "I live in Porto.", "c": "Bye.", "d": "No."}
    found = answer(line("Hi.", "a"), line("I live", "b"), line("She does.", "b", "x", belief=True), line("Hm.", "x"))
    assert in_context(found, evidence) == Shares(text=0.25, belief=0.25, either=0.5)
    assert in_context(answer(), evidence) == Shares(text=0, belief=0, either=0)


def test_a_larger_budget_is_asked_for_only_if_it_matters() -> None:
    asked = list[bytes]()

    def service(request: httpx.Request) -> httpx.Response:
        asked.append(request.read())
        budget = 1_000 * len(asked)
        return httpx.Response(200, json=answer(line("Hi.", "a"), because="max_tokens" if budget < 2_000 else "limit"))

    with httpx.Client(base_url="http://bench", transport=httpx.MockTransport(service)) as client:
        found = shares(client, "g", "Who?", {"a": "Hi.", "b": "Bye."}, {"passages": 100})
    assert found == dict.fromkeys(BUDGETS, Shares(text=0.5, belief=0, either=0.5))
    assert [b'"max_tokens":1000' in asked[0], b'"max_tokens":2000' in asked[1], len(asked)] == [True, True, 2]


def test_figures_are_means_over_questions() -> None:
    one, none = Shares(text=1, belief=0, either=1), Shares(text=0, belief=0, either=0)
    figures = means([dict.fromkeys(BUDGETS, one), dict.fromkeys(BUDGETS, none)])
    assert figures == {str(budget): {"text": 0.5, "belief": 0.0, "either": 0.5} for budget in BUDGETS}


def test_turns_are_found_page_by_page() -> None:
    def service(request: httpx.Request) -> httpx.Response:
        last = "cursor" in request.url.params
        episode = {"external_id": f"c/{last}", "id": str(last), "content": "Hi."}
        return httpx.Response(200, json={"episodes": [episode], "next_cursor": None if last else "next"})

    with httpx.Client(base_url="http://bench", transport=httpx.MockTransport(service)) as client:
        assert said(client, "g") == {"c/False": ("False", "Hi."), "c/True": ("True", "Hi.")}
