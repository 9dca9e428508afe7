"""README's first command ends with a service that answers the sample's three questions, then and now."""

import json
import re
import subprocess

import pytest

from tests.acceptance.service import START, Service

ANSWERS = {
    "Where does Maya live now?": "Maya lives in Porto.",
    "Where did Bruno live on 10 March 2025?": "Bruno lives in Valencia.",
    "And where did we believe he lived, before Maya corrected herself?": "Bruno lives in Madrid.",
}

pytestmark = pytest.mark.timeout(START)


def printed_calls(service: Service) -> list[str]:
    return [line for line in service.told.splitlines() if line.startswith("curl ")]


def statements(call: str) -> list[str]:
    """What a printed call answers when a shell runs it."""
    done = subprocess.run(["bash", "-c", call], capture_output=True, text=True, check=True)  # noqa: S607
    return [belief["statement"] for belief in json.loads(done.stdout)["beliefs"]]


@pytest.mark.parametrize(("question", "answer"), ANSWERS.items())
def test_up_shows_each_question_with_its_answer(service: Service, question: str, answer: str) -> None:
    _, _, shown = service.told.partition(question)
    table, _, _ = shown.partition("curl ")
    assert re.findall(r"\w+ lives in \w+\.", table.partition("“")[0]) == [answer]


def test_the_printed_calls_give_these_answers(service: Service) -> None:
    assert [statements(call) for call in printed_calls(service)] == [[answer] for answer in ANSWERS.values()]


def test_the_same_address_answers_for_another_time(service: Service) -> None:
    now = printed_calls(service)[0]
    then = now.removesuffix("'") + "&valid_at=2025-03-01T00:00:00Z'"
    assert [statements(now), statements(then)] == [["Maya lives in Porto."], ["Maya lives in Lisbon."]]


def test_the_same_address_answers_as_known_at_another_time(service: Service) -> None:
    before = printed_calls(service)[2]
    now = re.sub(r"&known_at=[^'&]+", "", before)
    assert [statements(before), statements(now)] == [["Bruno lives in Madrid."], ["Bruno lives in Valencia."]]


def test_every_answer_names_the_sentence_that_says_so(service: Service) -> None:
    with service.client() as client:
        beliefs = client.graph("sample").beliefs
        evidence = [part for belief in beliefs for part in belief.evidence]
        episodes = {part.episode_id: client.episode("sample", part.episode_id) for part in evidence}
    assert all(belief.evidence for belief in beliefs)
    for part in evidence:
        assert episodes[part.episode_id].content[part.start : part.end] == part.quote
