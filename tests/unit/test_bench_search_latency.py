"""Which beliefs are in which group, and what is right, as the benchmark of searches has it."""

import json
from itertools import islice
from typing import Any

import httpx
import numpy as np
import pytest

from bench.scale.made import BLOCK, queries, vectors
from bench.scale.recall import held
from bench.search_latency import ask, group_numbers, inside, nearest, parts, questions, recall, ways
from graphmem.model.entity import normalise_name

DAY = 3_650


@pytest.mark.parametrize("size", [1_000, 10_000, 50_000, 1_000_000])
def test_every_group_has_about_the_same_number_of_beliefs(size: int) -> None:
    counts = np.bincount(group_numbers(np.arange(size), 100), minlength=100)

    assert len(counts) == 100
    assert max(counts) - min(counts) <= BLOCK


def test_a_block_is_told_group_by_group_with_a_fifth_of_facts() -> None:
    told = [(group, claim) for group, some in parts(0, 100) for claim in some]

    assert [int(claim.external_id or -1) for _, claim in told] == list(range(BLOCK))
    assert [group for group, _ in told[:30:10]] == ["group-0", "group-1", "group-2"]
    assert sum(claim.object is None and claim.value is not None for _, claim in told) == BLOCK // 5
    assert [group for group, _ in parts(7, 1)] == ["group-0"]


def test_a_question_is_about_somebody_of_its_group() -> None:
    subjects = {
        (group, normalise_name(claim.subject.name))
        for block in (0, 1)
        for group, some in parts(block, 100)
        for claim in some
    }

    for group, text in islice(questions(2 * BLOCK, 100, seed=1), 50):
        assert (group, normalise_name(text.split()[2])) in subjects


def test_each_question_is_asked_in_each_way() -> None:
    requests = list[tuple[str, Any]]()

    def service(request: httpx.Request) -> httpx.Response:
        requests.append((request.url.path, json.loads(request.read())))
        return httpx.Response(200, json={"hits": [], "degraded": [{}] if len(requests) == 1 else []})

    with httpx.Client(base_url="http://bench", transport=httpx.MockTransport(service)) as client:
        timed = ask(client, [("g", "Q?")], ways({0.5: 0}))

    assert timed.degraded == 1
    assert [path for path, _ in requests] == ["/v1/groups/g/search"] * 3
    assert [body.get("kinds") for _, body in requests] == [["relationship", "fact"], None, ["relationship", "fact"]]
    assert [body.get("valid_at") for _, body in requests] == [None, None, "2000-01-01T00:00:00+00:00"]
    assert {name: len(seconds) for name, seconds in timed.seconds.items()} == {"beliefs": 1, "all": 1, "0.5": 1}


def test_the_log_of_the_service_says_how_long_requests_took() -> None:
    lines = [
        json.dumps({"event": "request", "request_id": "a", "milliseconds": 12.5}),
        json.dumps({"event": "request", "request_id": "other", "milliseconds": 99.0}),
        "no JSON",
    ]

    assert inside(lines, ["a"]) == [12.5]
    with pytest.raises(SystemExit, match="lacks 1 of 2"):
        inside(lines, ["a", "b"])


def test_the_nearest_are_those_of_the_group_that_held_on_the_day() -> None:
    asked = queries(2)
    group_of = np.asarray([0, 1])

    found = nearest(2, asked, lambda numbers: group_numbers(numbers, 2)[None, :] == group_of[:, None], DAY)

    cosines = np.hstack([asked @ vectors(block).T for block in (0, 1)])
    right = np.hstack([held(block, DAY) for block in (0, 1)])
    for question, numbers in enumerate(found):
        of_group = right & (group_numbers(np.arange(2 * BLOCK), 2) == question)
        order = np.argsort(-np.where(of_group, cosines[question], -2.0))
        assert numbers == set(order[:20].tolist())


def test_no_more_are_near_than_held() -> None:
    found = nearest(1, queries(1), lambda numbers: (numbers < 10)[None, :], DAY)

    assert found == [set(np.flatnonzero(held(0, DAY)[:10]).tolist())]


def test_recall_is_the_share_of_all_that_is_right() -> None:
    assert recall([{1, 2}, {3, 4}], [{1, 9}, {3, 4}]) == 0.75
    assert recall([set()], [{1}]) is None
