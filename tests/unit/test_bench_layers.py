"""What the benchmark of the layers tells over HTTP, and what it says where it cannot measure all."""

import json
from argparse import Namespace
from typing import Any

import pytest

from bench import layers
from graphmem.api.schemas.claims import ClaimIn


def test_a_fact_is_told_over_http_as_in_this_process() -> None:
    for told in layers.facts(layers.PER_PERSON):
        claim = ClaimIn.model_validate(layers.in_json(told))
        assert (claim.subject.name, claim.predicate, claim.value, claim.user) == (
            told.subject.name,
            told.predicate,
            told.value,
            told.user,
        )
        assert (claim.category, claim.valid_from, claim.occurred_at) == (
            told.category,
            told.valid_from,
            told.occurred_at,
        )


def test_of_a_service_elsewhere_all_but_the_nights_is_measured_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = dict[str, str]()

    def contexts(client: Any, count: int, tokens: Any, prefix: str) -> dict[str, object]:
        del tokens
        seen["url"], seen["prefix"] = str(client.base_url), prefix
        return {"n": count}

    def told(client: Any, group: str, count: int) -> None:
        del client
        seen["told"] = f"{group} {count}"

    def posts(client: Any, group: str, prefix: str) -> dict[str, object]:
        del client, prefix
        return {"group": group}

    monkeypatch.setattr(layers, "of_contexts", contexts)
    monkeypatch.setattr(layers, "told_over_http", told)
    monkeypatch.setattr(layers, "of_posts", posts)

    options = Namespace(url="http://memory.example", token="key", json=True, turns=[10], facts=[20, 50])
    with pytest.raises(SystemExit, match="nights are skipped"):
        layers.main(options)

    group = f"{seen['prefix']}posts"
    assert json.loads(capsys.readouterr().out.splitlines()[-1]) == {
        "contexts": {"10": {"n": 10}},
        "posts": {"group": group},
        "skipped": ["nights"],
    }
    assert (seen["url"], seen["told"]) == ("http://memory.example", f"{group} 50")
