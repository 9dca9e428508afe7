"""What would be read of a text, and why not more: over HTTP and from the command line. Nothing is stored."""

from typer.testing import CliRunner

from graphmem.client.cli import app
from tests.api.conftest import Service

TEXT = "Hi! I repaired my bike yesterday. Maybe I lost a key of the shed. If I sleep well, I will win."
SAID = {"content": TEXT, "speaker": "Maya", "occurred_at": "2025-05-20T10:00:00Z"}


def test_it_says_what_is_read_and_why_not_more(service: Service, group: str) -> None:
    read = service.post(f"/v1/groups/{group}/extract", SAID).json()

    assert next(segment["text"] for segment in read["segments"]) == "I repaired my bike yesterday."
    (first, *others) = read["clauses"]
    assert (first["text"], first["status"], first["dropped"]) == ("I repaired my bike yesterday", "asserted", None)
    assert first["statement"] == "Maya repaired their bike on 19 May 2025."
    assert "hedged" in {clause["dropped"] for clause in others}
    assert all(clause["status"] is None or clause["dropped"] for clause in others)
    (claim,) = [claim for claim in read["claims"] if claim["predicate"] == "repaired"]
    assert (claim["open"], claim["status"], claim["text"]) == (True, "asserted", "I repaired my bike yesterday")
    assert claim["event"] == ["2025-05-19T00:00:00Z", "2025-05-20T00:00:00Z"]
    assert all(TEXT[part["start"] : part["end"]] == part["text"] for part in (*read["clauses"], *read["mentions"]))


def test_a_group_is_read_by_its_own_open_predicates(service: Service, group: str) -> None:
    own = {"open_predicates": {"mended": ["repair"]}}
    assert service.http.put(f"/v1/groups/{group}/ontology", json=own).is_success

    for name, predicate in ((group, "mended"), (f"{group}-other", "repaired")):
        read = service.post(f"/v1/groups/{name}/extract", SAID).json()
        assert predicate in {claim["predicate"] for claim in read["claims"]}


def test_a_group_says_what_a_predicate_of_the_reader_means(service: Service, group: str) -> None:
    works = {"objects": ["company"], "wording": ["{subject} is employed by {object}"], "category": "identity"}
    own = {"entity_types": {"company": ""}, "relation_types": {"works_at": works}}
    assert service.http.put(f"/v1/groups/{group}/ontology", json=own).is_success

    for strategy in ("fast", "accurate"):
        said = SAID | {"content": "I work at Initech.", "strategy": strategy}
        (claim,) = service.post(f"/v1/groups/{group}/extract", said).json()["claims"]
        assert (claim["object"]["type"], claim["category"]) == ("company", "identity")
        assert claim["statement"] == "Maya is employed by Initech."


def test_nothing_is_stored(service: Service, group: str) -> None:
    assert service.post(f"/v1/groups/{group}/extract", SAID).is_success
    assert service.get(f"/v1/groups/{group}/episodes").status_code == 404


def test_another_strategy_reads_otherwise_and_an_unknown_one_is_refused(service: Service, group: str) -> None:
    fast = service.post(f"/v1/groups/{group}/extract", SAID | {"strategy": "fast"}).json()
    assert (fast["clauses"], fast["version"].endswith("-fast")) == ([], True)
    refused = service.post(f"/v1/groups/{group}/extract", SAID | {"strategy": "guess"})
    assert (refused.status_code, "There is no strategy 'guess'" in refused.json()["detail"]) == (422, True)
    long = service.post(f"/v1/groups/{group}/extract", SAID | {"content": "x" * 20_001})
    assert (long.status_code, "Shorten the text" in long.json()["detail"]) == (413, True)


def test_the_command_shows_clauses_and_claims(service: Service, group: str) -> None:
    where = ("--group", group, "--url", service.url, "--key", service.token)
    arguments = ("extract", TEXT, "--speaker", "Maya", "--at", "2025-05-20T10:00:00Z")
    result = CliRunner().invoke(app, [*arguments, *where], env={"COLUMNS": "200"})
    assert result.exit_code == 0, result.output
    assert "Maya repaired their bike on 19 May 2025." in result.output
    assert "hedged" in result.output


def test_it_says_whose_which_words_are(service: Service, group: str) -> None:
    content = "Look! Remi wrote: I live in Oslo."
    read = service.post(f"/v1/groups/{group}/extract", SAID | {"content": content}).json()

    assert [(span["text"], span["owner"], span["form"]) for span in read["owned"]] == [
        ("Look! Remi wrote:", {"voice": "speaker", "name": None}, None),
        (" I live in Oslo.", {"voice": "named", "name": "Remi"}, "reporting verb"),
    ]
    assert [(claim["subject"]["name"], claim["predicate"]) for claim in read["claims"]] == [("Remi", "lives_in")]


def test_the_command_shows_whose_which_words_are(service: Service, group: str) -> None:
    arguments = ("extract", "Remi: I live in Oslo.", "--group", group, "--url", service.url, "--key", service.token)
    result = CliRunner().invoke(app, arguments, env={"COLUMNS": "200"})
    assert ("Remi" in result.output, "transcript" in result.output) == (True, True)
