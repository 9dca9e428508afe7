"""Answers as they are made of the model, and read from JSON."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import ValidationError

from graphmem.answers.answer import AnswerContext, Joined
from graphmem.answers.beliefs import BeliefOut, EntityOut
from graphmem.answers.search import HitOut, SearchOut
from graphmem.answers.summaries import SummarySpan
from graphmem.api.openapi import EXAMPLES
from graphmem.model.belief import BeliefRow, Cut
from graphmem.model.hits import NOTHING_FOUND, Contribution, Ranked, SearchHit
from graphmem.model.interval import BEGIN, END
from graphmem.model.projection.existence import Existed, Existence
from graphmem.model.recall import KnownEntity

MAY = datetime(2025, 5, 3, tzinfo=UTC)
MAYA = KnownEntity(
    id="maya",
    type="person",
    key="maya",
    qualifier="",
    name="Maya",
    recorded_at=MAY,
    part_of=None,
    existence=Existence(MAY, END),
    protected=False,
)
LIKES = BeliefRow(
    id="row",
    belief_id="belief",
    kind="fact",
    subject_id="maya",
    predicate="likes",
    object_id=None,
    value="bells",
    target="",
    user="",
    statement="Maya likes bells.",
    attributes='{"much": true}',
    category="",
    confidence=1.0,
    importance=0.5,
    contested=False,
    from_stated=False,
    to_stated=False,
    valid_from=BEGIN,
    valid_to=END,
    recorded_at=MAY,
    superseded_at=END,
    open=False,
    day="2025-05-03",
    event_to=None,
)


def example(call: str) -> Any:
    return EXAMPLES[call].answers["200"]["application/json"]


SEARCH = example("POST /v1/groups/{group}/search")
SUMMARY: dict[str, Any] = {
    name: value
    for name, value in example("GET /v1/groups/{group}/summaries")["summaries"][0].items()
    if name not in {"still_believed", "contradicted"}
}
OF_SESSION = {
    "session_id",
    "session",
    "agent",
    "subject",
    "tier",
    "turns",
    "first_turn",
    "first_at",
    "last_at",
    "covers",
}
ENTITY_SUMMARY: dict[str, Any] = {
    **{name: value for name, value in SUMMARY.items() if name not in OF_SESSION | {"drift", "prompt"}},
    "entity_id": MAYA.id,
    "beliefs": 9,
    "as_of": "2025-05-03T10:00:01Z",
    "sentences": [{"text": "Maya lives in Lisbon.", "belief_id": "0" * 32, "claim_ids": ["1" * 32]}],
}
CONTEXT = AnswerContext(entities=[MAYA], valid_at=MAY)


def test_sentinels_and_empty_texts_are_null_and_ids_are_the_entities_that_they_mean() -> None:
    shown = BeliefOut.of(LIKES, context=CONTEXT)

    assert (shown.valid_from, shown.valid_to, shown.superseded_at) == (None, None, None)
    assert (shown.user, shown.category, shown.event) == (None, None, None)
    assert (shown.subject.name, shown.attributes) == ("Maya", {"much": True})


def test_an_end_that_nobody_stated_has_its_reason_for_who_may_see_it() -> None:
    cut = replace(
        LIKES, valid_to=MAY, to_inferred=True, ended_by=Cut(claim_id="claim", statement="Maya likes drums.", at=MAY)
    )

    for seen, ended_by in (
        (cut, {"claim_id": "claim", "reason": "From 2025-05-03 on: Maya likes drums."}),
        (replace(cut, ended_by=None), None),
    ):
        shown = BeliefOut.of(seen, context=CONTEXT).model_dump(mode="json")
        assert (shown["to_inferred"], shown["ended_by"]) == (True, ended_by)


def test_of_an_event_an_answer_says_when_it_happened() -> None:
    shown = BeliefOut.of(replace(LIKES, valid_from=MAY, event_to=END), context=CONTEXT)

    assert shown.model_dump(mode="json", by_alias=True)["event"] == {
        "day": "2025-05-03",
        "from": "2025-05-03T00:00:00Z",
        "to": "9999-12-31T23:59:59.999999Z",
    }


def test_what_was_made_of_the_model_is_read_from_its_json() -> None:
    for shown in (BeliefOut.of(LIKES, context=CONTEXT), EntityOut.of(MAYA, context=CONTEXT)):
        assert type(shown).model_validate_json(shown.model_dump_json(by_alias=True)) == shown


def test_the_context_says_at_which_instant_something_existed() -> None:
    assert EntityOut.of(MAYA, context=CONTEXT).existed is Existed.TRUE
    assert EntityOut.of(MAYA, context=AnswerContext(valid_at=BEGIN)).existed is Existed.FALSE


@pytest.mark.parametrize("explain", [True, False])
def test_a_hit_carries_what_its_kind_says_and_reasons_if_asked(explain: bool) -> None:  # noqa: FBT001 - parametrised
    reasons = (Contribution(channel="text", rank=1, score=1.0, contribution=1.0),)
    ranked = [Ranked(kind=kind, id="x", score=1.0, contributions=reasons) for kind in ("fact", "entity")]
    found = [SearchHit(ranked=one, thing=thing) for one, thing in zip(ranked, (LIKES, MAYA), strict=True)]

    answer = SearchOut.of(
        settled=False,
        access_changed_at=None,
        erased_at=None,
        valid_at=MAY,
        known_at=MAY,
        answerability=NOTHING_FOUND,
        unknown_names=[],
        hits=found,
        entities=[],
        degraded=[],
        why_not=[],
        context=AnswerContext(entities=[MAYA], valid_at=MAY, explain=explain),
    )

    assert [type(hit.thing) for hit in answer.hits] == [BeliefOut, EntityOut]
    assert [hit.contributions is not None for hit in answer.hits] == [explain] * 2
    assert SearchOut.model_validate_json(answer.model_dump_json(by_alias=True)) == answer


@pytest.mark.parametrize("summary", [SUMMARY, ENTITY_SUMMARY])
def test_a_summary_is_read_as_that_of_a_session_or_of_an_entity(summary: Mapping[str, Any]) -> None:
    (hit,) = SEARCH["hits"]
    hits: list[HitOut] = SearchOut.model_validate(
        {**SEARCH, "hits": [{**hit, "kind": "summary", "thing": summary}]}
    ).hits

    assert hits[0].thing.id == summary["id"]


def test_a_hit_of_one_kind_is_no_thing_of_another() -> None:
    (hit,) = SEARCH["hits"]
    with pytest.raises(ValidationError):
        SearchOut.model_validate({**SEARCH, "hits": [{**hit, "kind": "episode"}]})


def test_of_several_things_the_first_that_has_an_attribute_gives_it_and_fields_go_before_all() -> None:
    first, second = SummarySpan(episode_id="a", start=0, end=1), SummarySpan(episode_id="b", start=2, end=3)
    joined = Joined(first, second, end=9)

    assert SummarySpan.of(joined) == SummarySpan(episode_id="a", start=0, end=9)
    with pytest.raises(AttributeError, match="missing"):
        _ = joined.missing
