"""Frames and pictures of answers, asked as of the times that were given."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from itertools import combinations
from typing import Any

import httpx
import pytest

from graphmem import notebook
from graphmem.answers.beliefs import BeliefOut
from graphmem.api.openapi import EXAMPLES
from graphmem.client import GraphmemClient
from graphmem.errors import InvalidInput
from graphmem.notebook.asked import COLUMNS, TIMES
from graphmem.notebook.layout import placed
from graphmem.notebook.pictures import Png, answers_picture, timeline_picture, topics_picture

MARCH, JUNE = datetime(2025, 3, 1, tzinfo=UTC), datetime(2025, 6, 1, tzinfo=UTC)


def example(path: str) -> Any:
    return EXAMPLES[f"GET /v1/groups/{{group}}/{path}"].answers["200"]["application/json"]


GRAPH, HISTORY = example("graph"), example("entities/{entity_id}/history")
DIFF, ENTITY_PAGE = example("diff"), example("entities")
MAYA_ID, EVIDENCE = ENTITY_PAGE["entities"][0]["id"], GRAPH["beliefs"][0]["evidence"][0]
CHANGED = {"fields": ["confidence", "contested"], "before": GRAPH["beliefs"][0], "after": GRAPH["beliefs"][0]}
ANSWERS: dict[str, Any] = {
    "graph": GRAPH,
    "history": {**HISTORY, "next_cursor": None},
    "diff": {**DIFF, "began": GRAPH["beliefs"], "ended": GRAPH["beliefs"], "changed": [CHANGED]},
    "entities": {**ENTITY_PAGE, "next_cursor": None},
}
Shown = Callable[[GraphmemClient], Any]


def params_by_path(call: Shown) -> dict[str, httpx.QueryParams]:
    """The parameters that a call asks with, by the last step of the path."""
    seen: dict[str, httpx.QueryParams] = {}

    def answer(request: httpx.Request) -> httpx.Response:
        last = request.url.path.rpartition("/")[2]
        seen[last] = request.url.params
        one = {"entities": ENTITY_PAGE["entities"][:1]} if last == "entities" else {}
        return httpx.Response(200, json={**ANSWERS[last], **one})

    with GraphmemClient("http://graphmem.test", transport=httpx.MockTransport(answer)) as client:
        call(client)
    return seen


def asked(call: Shown, **instead: Any) -> tuple[Any, httpx.QueryParams]:
    """What a call shows of the documented answers, and the parameters that it asked the last one with."""
    seen: list[httpx.QueryParams] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request.url.params)
        return httpx.Response(200, json={**ANSWERS, **instead}[request.url.path.rpartition("/")[2]])

    with GraphmemClient("http://graphmem.test", transport=httpx.MockTransport(answer)) as client:
        return call(client), seen[-1]


def test_beliefs_are_rows_with_times() -> None:
    frame, params = asked(lambda client: notebook.beliefs(client, "g", entity="Maya", valid_at=MARCH, known_at=JUNE))
    assert (params["valid_at"], params["known_at"], params["entity"]) == (
        "2025-03-01T00:00:00Z",
        "2025-06-01T00:00:00Z",
        "Maya",
    )
    assert tuple(frame.columns) == COLUMNS
    assert frame["statement"].tolist() == ["Maya lives in Lisbon."]
    assert frame["object"].tolist() == ["Lisbon"]
    assert frame["valid_from"].tolist() == [datetime(2025, 5, 1, tzinfo=UTC)]
    assert frame["valid_to"].isna().tolist() == [True]
    assert frame["quote"].tolist() == ["I moved to Lisbon on 1 May."]


def test_a_value_stands_where_an_object_would() -> None:
    (belief,) = GRAPH["beliefs"]
    graph = {**GRAPH, "beliefs": [{**belief, "object": None, "value": 30}]}
    frame, _ = asked(lambda client: notebook.beliefs(client, "g"), graph=graph)
    assert (frame["object"].tolist(), frame["object_id"].isna().tolist()) == ([30], [True])


def test_no_beliefs_have_the_same_columns() -> None:
    graph: dict[str, object] = {**GRAPH, "entities": [], "beliefs": []}
    frame, _ = asked(lambda client: notebook.beliefs(client, "g"), graph=graph)
    assert (tuple(frame.columns), len(frame)) == (COLUMNS, 0)
    assert {"UTC" in str(frame[name].dtype) for name in TIMES} == {True}


def test_instants_of_any_year_fit_into_a_frame() -> None:
    (belief,) = GRAPH["beliefs"]
    early, late = "0001-01-02T00:00:00Z", "9999-12-30T00:00:00Z"
    graph = {**GRAPH, "beliefs": [{**belief, "valid_from": early, "valid_to": late}]}
    frame, _ = asked(lambda client: notebook.beliefs(client, "g"), graph=graph)
    assert [frame[name].tolist()[0].year for name in ("valid_from", "valid_to")] == [1, 9999]


def test_a_history_is_of_an_entity_by_name_and_has_what_is_no_longer_believed() -> None:
    frame, params = asked(
        lambda client: notebook.history(client, "g", "Maya", predicate=["lives_in"], known_at=JUNE),
        entities={**ANSWERS["entities"], "entities": ENTITY_PAGE["entities"][:1]},
    )
    assert (params["predicate"], params["known_at"]) == ("lives_in", "2025-06-01T00:00:00Z")
    assert frame["superseded_at"].isna().tolist().count(False) == 3


def test_a_frame_says_for_whom_a_short_name_was_taken() -> None:
    taken = {"Nora": "Nora Lindqvist"}
    entities = {**ANSWERS["entities"], "entities": ENTITY_PAGE["entities"][:1], "taken_for": taken}
    history, _ = asked(lambda client: notebook.history(client, "g", "Nora"), entities=entities)
    graph, _ = asked(lambda client: notebook.beliefs(client, "g", entity="Nora"), graph={**GRAPH, "taken_for": taken})
    diff, _ = asked(lambda client: notebook.diff(client, "g", "valid", MARCH, JUNE))
    assert [frame.attrs["taken_for"] for frame in (history, graph, diff)] == [taken, taken, {}]


NAMED: dict[str, Shown] = {
    "history": lambda client: notebook.history(
        client, "g", "Maya", user="maya", valid_at=MARCH, known_at=JUNE, open=False
    ),
    "timeline": lambda client: notebook.timeline(
        client, "g", "Maya", MARCH, JUNE, user="maya", valid_at=MARCH, known_at=JUNE, open=False
    ),
}


@pytest.mark.parametrize("call", NAMED.values(), ids=NAMED)
def test_a_name_is_looked_up_as_the_user_and_at_the_times_of_the_call(call: Shown) -> None:
    seen = params_by_path(call)
    times = {"user": "maya", "valid_at": "2025-03-01T00:00:00Z", "known_at": "2025-06-01T00:00:00Z"}
    for last in ("entities", "history"):
        assert times.items() <= dict(seen[last]).items()
    assert ("open" in seen["entities"], seen["history"]["open"]) == (False, "false")


def test_a_diff_says_what_changed() -> None:
    frame, params = asked(lambda client: notebook.diff(client, "g", "valid", MARCH, JUNE, known_at=JUNE))
    assert (params["axis"], params["from"], params["to"]) == ("valid", "2025-03-01T00:00:00Z", "2025-06-01T00:00:00Z")
    assert params["known_at"] == params["to"]
    assert frame["change"].tolist() == ["began", "ended", "was", "is"]
    assert frame["fields"].tolist() == ["", "", *["confidence, contested"] * 2]


@pytest.mark.parametrize("since", [MARCH, JUNE])
def test_a_timeline_is_a_picture_as_known_at_a_time(since: datetime) -> None:
    until, maya = datetime(2026, 1, 1, tzinfo=UTC), MAYA_ID
    picture, params = asked(lambda client: notebook.timeline(client, "g", maya, since, until, known_at=JUNE))
    assert params["known_at"] == "2025-06-01T00:00:00Z"
    assert picture._repr_png_().startswith(b"\x89PNG")


def test_a_graph_is_a_picture_as_of_two_times() -> None:
    picture, params = asked(lambda client: notebook.graph(client, "g", valid_at=MARCH, known_at=JUNE))
    assert (params["valid_at"], params["known_at"]) == ("2025-03-01T00:00:00Z", "2025-06-01T00:00:00Z")
    drawn = picture._repr_svg_()
    for words in ("Maya", "Lisbon", "lives_in"):
        assert f">{words}<" in drawn
    assert "<script" not in drawn


def test_names_in_a_picture_are_text_and_cover_nothing() -> None:
    entities = [{**one, "name": f"<b>{one['name']}"} for one in GRAPH["entities"]]
    picture, _ = asked(lambda client: notebook.graph(client, "g"), graph={**GRAPH, "entities": entities})
    assert "<b>" not in picture.text
    boxes = [(80.0 + 20 * (number % 4), 28.0) for number in range(12)]
    arrows = [(0, number) for number in range(1, 9)] + [(9, 10)]
    middles = placed(boxes, arrows)
    for one, other in combinations(range(len(boxes)), 2):
        apart = [abs(middles[one][axis] - middles[other][axis]) for axis in (0, 1)]
        least = [(boxes[one][axis] + boxes[other][axis]) / 2 for axis in (0, 1)]
        assert apart[0] >= least[0] or apart[1] >= least[1]


def shapes(picture: Png) -> bytes:
    return picture.content


def test_a_timeline_takes_texts_and_days_as_its_siblings_do_and_only_instants() -> None:
    spans = (("2025-03-01T00:00:00Z", "2025-06-01T00:00:00Z"), ("2025-03-01", date(2025, 6, 1)), (MARCH, JUNE))
    drawn = {
        shapes(asked(lambda client, span=span: notebook.timeline(client, "g", MAYA_ID, *span))[0]) for span in spans
    }
    assert len(drawn) == 1
    for wrong in ("March", "2025-03-01T00:00:00", datetime(2025, 3, 1)):  # noqa: DTZ001 - without an offset on purpose
        with pytest.raises(InvalidInput):
            asked(lambda client, wrong=wrong: notebook.timeline(client, "g", MAYA_ID, wrong, JUNE))


def test_events_and_open_claims_are_drawn_otherwise() -> None:
    (belief,) = GRAPH["beliefs"]
    event = {"day": "2025-05-03", "from": "2025-05-03T00:00:00Z", "to": "2025-05-04T00:00:00Z"}
    others: list[dict[str, Any]] = [
        {},
        {"event": event},
        {"open": True},
        {"open": True, "predicate": "plans", "status": "planned"},
    ]
    pictures = {
        shapes(
            notebook.timeline_picture(
                [BeliefOut.model_validate({**belief, **other})], [], MARCH, "2026-01-01T00:00:00Z"
            )
        )
        for other in others[:3]
    }
    assert len(pictures) == 3
    pale = [
        notebook.timeline_picture([BeliefOut.model_validate({**belief, **one})], [], MARCH, JUNE) for one in others[2:]
    ]
    assert shapes(pale[0]) == shapes(pale[1])


HOSTILE = "<img src=x onerror=alert(1)> pays $\\frac{ for $x"


def hostile_belief() -> BeliefOut:
    words = {"statement": HOSTILE, "predicate": HOSTILE, "evidence": [{**EVIDENCE, "quote": HOSTILE}]}
    return BeliefOut.model_validate({**GRAPH["beliefs"][0], **words})


def test_stored_text_is_no_markup_of_a_page() -> None:
    belief = hostile_belief()
    graph = {**GRAPH, "beliefs": [belief.model_dump(mode="json")]}
    frame, _ = asked(lambda client: notebook.beliefs(client, "g"), graph=graph)
    table: Any = notebook.beliefs_html([belief], HOSTILE)
    for page in (table._repr_html_(), frame.to_html()):
        assert "<img" not in page
        assert "&lt;img src=x" in page


def test_stored_text_is_no_formula_of_a_picture() -> None:
    belief, since = hostile_belief(), datetime(2025, 1, 1, tzinfo=UTC)
    pictures = [
        timeline_picture([belief], [belief], since, JUNE, HOSTILE),
        topics_picture({since: [belief]}, HOSTILE),
        answers_picture({(since, since): HOSTILE}, HOSTILE),
    ]
    assert all(picture.content.startswith(b"\x89PNG") for picture in pictures)
