"""Commands against the service: the past in tables."""

import re

import pytest
from typer.testing import CliRunner

from graphmem.answers.outcomes import IN_OWN_WORDS, NOT_READ
from graphmem.client.cli import app
from graphmem.errors import Conflict, InvalidInput
from graphmem.store.driver import Database
from tests.api.claiming import ABSENT, compare, lives, post
from tests.api.conftest import Service

JANUARY, MAY, JULY = "2025-01-01T00:00:00Z", "2025-05-01T00:00:00Z", "2025-07-01T00:00:00Z"


@pytest.fixture
def moved(service: Service, group: str) -> str:
    post(service, group, lives("Porto", JANUARY))
    post(service, group, lives("Lisbon", MAY))
    return group


def where(service: Service, group: str) -> tuple[str, ...]:
    return ("--group", group, "--url", service.url, "--key", service.token)


def run(service: Service, group: str, *arguments: str, typed: str = "") -> str:
    result = CliRunner().invoke(app, [*arguments, *where(service, group)], input=typed, env={"COLUMNS": "200"})
    assert result.exit_code == 0, result.output
    return result.output


def test_history_shows_every_version(service: Service, moved: str) -> None:
    rows = [line for line in run(service, moved, "history", "Maya").splitlines() if "Maya lives in" in line]
    assert sorted(("Lisbon" in row, "…" in row.split("│")[3]) for row in rows) == [
        (False, False),
        (False, True),
        (True, True),
    ]


def test_commands_say_for_whom_a_short_name_is_taken_and_who_is_called_so(service: Service, group: str) -> None:
    nora, vik = ({"name": f"Nora {name}", "type": "person"} for name in ("Lindqvist", "Vik"))
    post(service, group, lives("Porto", JANUARY, subject=nora, category="identity", importance=1.0))
    for command in (("history", "Nora"), ("fact", "list", "--about", "Nora", "--user", "ann")):
        text = run(service, group, *command)
        assert "Nora is taken for Nora Lindqvist." in text
        assert "Nora Lindqvist lives in Porto." in text

    of_nora = ("fact", "list", "--about", "Nora")
    post(service, group, lives("Rome", MAY, subject=vik, user="bo"))
    assert "Nora is taken for Nora Lindqvist." in run(service, group, *of_nora, "--user", "ann")
    with pytest.raises(Conflict) as several:
        CliRunner().invoke(app, [*of_nora, *where(service, group)], catch_exceptions=False)
    assert {"(Nora Lindqvist, person)", "(Nora Vik, person)"} == set(re.findall(r"\(.*?\)", str(several.value)))


def test_diff_shows_what_began_and_ended(service: Service, moved: str) -> None:
    text = run(service, moved, "diff", "--from", JANUARY, "--to", JULY, "--entity", "Maya")
    kinds = {line.split("│")[1].strip() for line in text.splitlines() if "Maya lives in" in line}
    assert kinds == {"began", "ended"}


def test_diff_along_what_we_knew_shows_nothing_of_long_ago(service: Service, moved: str) -> None:
    text = run(service, moved, "diff", "--from", JANUARY, "--to", MAY, "--axis", "known")
    assert "Maya" not in text


def test_ask_narrows_down_shows_what_was_and_says_what_is_missing(service: Service, moved: str) -> None:
    asked = ("ask", "Where does Maya live?", "--predicate", "lives_in", "--entity", "Maya", "--type", "place")
    now = run(service, moved, *asked)
    ever = run(service, moved, *asked, "--history", "--least-confidence", "0.1", "--why-not", ABSENT)
    assert ("Maya lives in Lisbon" in now, "Maya lives in Porto" in now) == (True, False)
    assert 0 < ever.index("Lisbon") < ever.index("was: Maya lives in Porto")
    assert f"{ABSENT}: There is no such belief or episode that this reader may see." in ever
    assert "Lisbon" not in run(service, moved, *asked, "--until", JANUARY)
    preferences = ("--diversity", "0.5", "--recency", "1", "--half-life-days", "7", "--confidence", "0.5")
    assert "Maya lives in Lisbon" in run(service, moved, *asked, *preferences)


def test_ask_without_a_question_says_what_holds(service: Service, moved: str) -> None:
    asked = ("ask", "--entity", "Maya", "--predicate", "lives_in")
    (row,) = [line for line in run(service, moved, *asked).splitlines() if "Maya lives in Lisbon" in line]
    assert "Maya lives in Porto" in row.split("│")[5]
    assert "Nothing was ever known" in run(service, moved, *asked[:3], "--predicate", "boss")
    with pytest.raises(InvalidInput, match="--session, --tag, --limit: without a question there is no search"):
        CliRunner().invoke(
            app, [*asked, "--group", moved, "--session", "s", "--tag", "a", "--limit", "3"], catch_exceptions=False
        )
    with pytest.raises(InvalidInput, match="--entity and one --predicate"):
        CliRunner().invoke(app, ["ask", "--group", moved], catch_exceptions=False)


def test_context_prints_what_goes_into_a_prompt_and_tells_what_does_not(service: Service, moved: str) -> None:
    asked = ("context", "Where does Maya live?", "--valid-at", JULY)
    text = run(service, moved, *asked, "--max-tokens", "200")
    assert "\n## What is known about Maya\n" in text
    assert '\n- "Maya lives in Lisbon." (shared), since 2025-05-01\n' in text
    assert "of 200 tokens by all-MiniLM-L6-v2." in text
    small = run(service, moved, *asked, "--max-tokens", "5")
    assert "Left out: 1 × profile (limit)." in small
    answer = run(service, moved, "context", "--session", "s", "--json")
    assert '"markdown": ""' in answer


@pytest.fixture
def two_names(service: Service, group: str) -> str:
    for name in ("Thomas Okafor", "Tom Okafor"):
        post(service, group, {**lives("Porto", JANUARY), "subject": {"name": name, "type": "person"}})
    return group


def test_who_is_who_is_explained_decided_and_taken_back(service: Service, two_names: str) -> None:
    names = ("Tom Okafor", "Thomas Okafor")
    told = run(service, two_names, "identity", "why", *names)
    assert "okafor" in told
    assert "score" in told

    done = run(service, two_names, "identity", "merge", *names, "--reason", "He says so.")
    assert "is part of" in done
    assert "1 claims moved" in done
    listed = run(service, two_names, "identity", "merges")
    (row,) = (line for line in listed.splitlines() if "He says so." in line)
    merge_id = row.split("│")[-2].strip()

    assert "is no longer part of" in run(service, two_names, "identity", "revert", merge_id, "--reason", "Two.")
    assert "He says so." not in run(service, two_names, "identity", "merges")
    run(service, two_names, "identity", "merge", *names, "--reason", "He says so again.")
    assert "is no longer part of" in run(service, two_names, "identity", "revert", "Tom Okafor", "--reason", "Two.")
    assert "To review" in run(service, two_names, "identity", "reviews")
    run(service, two_names, "identity", "reviews", "--walk")


def test_a_large_merge_says_which_job_it_is(service: Service, two_names: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphmem.identity.merging.MOST_AT_ONCE", 0)
    told = run(service, two_names, "identity", "merge", "Tom Okafor", "Thomas Okafor", "--reason", "He says so.")
    (job,) = service.get(f"/v1/groups/{two_names}/jobs", kind="merge").json()["jobs"]
    assert f"a worker carries it out: job {job['id']}." in told


async def test_a_walk_shows_two_side_by_side_before_it_asks(service: Service, database: Database, group: str) -> None:
    thomas, tom = ({"subject": {"name": name, "type": "person"}} for name in ("Thomas Okafor", "Tom Okafor"))
    likes = [lives(city, JANUARY) | tom | {"predicate": "likes"} for city in ("Porto", "Rome")]
    post(service, group, lives("Porto", JANUARY) | thomas, *likes)
    await compare(database, group)

    shown = run(service, group, "identity", "reviews", "--walk", typed="s\nas he says\n")

    before, _, after = shown.partition("[s]ame")
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in before.splitlines() if "│" in line]
    assert [sorted(row[1:]) for row in rows if row[0] == "Porto"] == [["likes", "lives_in"]]
    assert "likes Rome" in before
    assert "first seen" in before
    assert "score" in before
    assert "claims moved" in after
    assert "as he says" in run(service, group, "identity", "merges")


def test_a_group_is_embedded_again(service: Service, two_names: str) -> None:
    assert "to hash: pending" in run(service, two_names, "admin", "reembed")


def test_an_entity_is_protected_by_name(service: Service, two_names: str) -> None:
    def protected() -> dict[str, bool]:
        entities = service.get(f"/v1/groups/{two_names}/entities", type="person").json()["entities"]
        return {one["name"]: one["protected"] for one in entities}

    assert "is protected" in run(service, two_names, "identity", "protect", "Tom Okafor")
    assert protected() == {"Tom Okafor": True, "Thomas Okafor": False}
    assert "no longer protected" in run(service, two_names, "identity", "protect", "Tom Okafor", "--off")
    assert not any(protected().values())


def test_facts_are_remembered_corrected_confirmed_and_rejected(service: Service, group: str) -> None:
    told = run(service, group, "remember", "Maya:person", "preference", "colour", "--value", "green", "--user", "ana")
    assert "Remembered as preference.colour (claim " in told
    assert "  Maya: colour green. (preference.colour, belief " in told

    def fact() -> str:
        (row,) = [line for line in run(service, group, "fact", "list", "--user", "ana").splitlines() if "Maya" in line]
        return row

    def act(*arguments: str) -> str:
        *_, id_, _ = (cell.strip() for cell in fact().split("│"))
        return run(service, group, *arguments, id_, "--user", "ana")

    assert "1 recorded, 1 superseded" in act("fact", "confirm")
    assert "1.00 (confirmed)" in fact()
    act("fact", "correct", "--value", "blue")
    assert "Maya: colour blue." in fact()
    assert "Rejected: 0 recorded, 1 superseded" in act("fact", "reject", "--reason", "No.")
    assert "Maya" not in run(service, group, "fact", "list")


def test_a_sentence_is_remembered_in_its_own_words(service: Service, group: str) -> None:
    text = "Turquoise, Thursdays."
    told = run(service, group, "remember", text, "--user", "ana")
    assert "Remembered as episode " in told
    assert f"  {text} (remembered, belief " in told
    assert ", of user ana)" in told
    assert IN_OWN_WORDS in told
    (row,) = [line for line in run(service, group, "fact", "list", "--user", "ana").splitlines() if text in line]
    assert "ana" in row
    assert text not in run(service, group, "fact", "list", "--user", "bo")


def test_a_sentence_of_which_nobody_knows_whom_it_is_about_is_said_to_be_no_fact(service: Service, group: str) -> None:
    told = run(service, group, "remember", "Turquoise, Thursdays.")
    assert ("became no fact" in told, "belief" in told, "set `user`" in told) == (True, False, True)
    assert NOT_READ in told


def test_conflicts_are_listed_and_settled(service: Service, group: str) -> None:
    colour = {"subject": {"name": "Maya", "type": "person"}, "predicate": "preference.colour"}
    _, newer = post(
        service,
        group,
        colour | {"value": "green", "confidence": 0.9, "occurred_at": JANUARY},
        colour | {"value": "blue", "confidence": 0.5, "occurred_at": MAY},
    )
    (conflict,) = service.get(f"/v1/groups/{group}/conflicts").json()["conflicts"]

    rows = run(service, group, "fact", "conflicts").splitlines()
    assert [row.split("│")[1].strip() for row in rows if "Maya" in row] == ["believed", "for it", "against"]
    assert "Settled: " in run(service, group, "fact", "settle", conflict["belief"]["id"], "--keep", newer)

    assert "Maya" not in run(service, group, "fact", "conflicts")


def test_a_thing_without_a_type_is_refused(service: Service, group: str) -> None:
    where = ("--group", group, "--url", service.url, "--key", service.token)
    result = CliRunner().invoke(app, ["remember", "Maya", "preference", "colour", "--value", "green", *where])

    assert (result.exit_code, "such as Maya:person" in str(result.exception)) == (1, True)
