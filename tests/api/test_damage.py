"""What somebody damaged in Neo4j spoils nothing else: every read answers, says what it left out, and pages go on."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

import pytest

from graphmem.clock import utc_now
from graphmem.store.driver import Database
from tests.api.asking import EXPORT
from tests.api.claiming import compare
from tests.api.conftest import Service
from tests.damaging import ThingRow, claim_said, damage, put, things_of

SINCE, LATER = "2025-01-01T00:00:00Z", "2030-01-01T00:00:00Z"
OF_NO_GROUP = re.compile(r"/v1/(?!groups/\{group\})|/health|/metrics|/docs")
READING_POSTS = {"search", "context"}
NOT_JSON = {"/v1/groups/{group}/browser.md", "/v1/groups/{group}/style.grass"}
RELATIONSHIP, FACT, CLAIM, EPISODE, ENTITY = "relationship", "fact", "claim", "episode", "entity"
DAMAGE: tuple[tuple[str, Mapping[str, object]], ...] = (
    (CLAIM, {"confidence": "much"}),
    (CLAIM, {"quote": None}),
    (CLAIM, {"valid_from": "in spring"}),
    (CLAIM, {"said_at": "2025-01-01T00:00:00Z"}),
    (CLAIM, {"kind": "perhaps", "attributes": "{"}),
    (RELATIONSHIP, {"confidence": "much"}),
    (RELATIONSHIP, {"attributes": "{not JSON"}),
    (RELATIONSHIP, {"valid_from": "in spring"}),
    (RELATIONSHIP, {"recorded_at": "2025-01-01T00:00:00Z", "statement": None}),
    (FACT, {"confidence": [1.0]}),
    (FACT, {"importance": "high", "valid_to": "in autumn"}),
    (EPISODE, {"metadata": "{not JSON"}),
    (EPISODE, {"outcome": '{"claims": "many"}', "tags": 5}),
    (ENTITY, {"names": ["a", "b"]}),
    (ENTITY, {"recorded_at": 5}),
    (ENTITY, {"types_at": ["in spring"]}),
    (CLAIM, {"attribute_keys": 5}),
    (CLAIM, {"attribute_values": [5.0]}),
)
WARNED: Mapping[str, tuple[str, ...]] = {
    RELATIONSHIP: ("graph", "history", "diff", "entity"),
    FACT: ("graph", "history", "facts", "diff", "entity"),
    EPISODE: ("episodes",),
    ENTITY: ("graph", "entities"),
    CLAIM: ("graph", "history"),
}
"""Reads that come to a damaged thing of each kind, and say so."""
UNREAD = ((CLAIM, {"valid_from": "in spring"}),)
"""What these reads do not need of a thing: they answer as before."""


def told(service: Service, group: str) -> dict[str, str]:
    """Maya lives in Porto, knows Bo, and likes tea; ids of one thing of each kind."""
    service.post("/v1/groups", {"id": group})
    service.http.put(f"/v1/groups/{group}/predicates/likes", json={"cardinality": "one"})
    for number, words in enumerate(("Maya lives_in Porto.", "Maya knows Bo.", "Bo lives_in Rome.", "MAYA knows Bo.")):
        body = {"content": words, "occurred_at": f"2025-02-0{number + 1}T00:00:00Z", "session": "s", "user": "ann"}
        assert service.post(f"/v1/groups/{group}/episodes", body, wait=10).is_success
    for value, category, statement in (("tea", "preference", "Maya likes tea."), ("red", "habit", "Maya wears red.")):
        subject = {"name": "Maya", "type": "person"}
        fact = {"subject": subject, "predicate": "likes", "value": value, "category": category, "statement": statement}
        body = {**fact, "valid_from": SINCE, "occurred_at": SINCE, "confidence": 0.9, "attributes": {"hour": "noon"}}
        assert service.post(f"/v1/groups/{group}/claims", body).is_success
    beliefs = service.get(f"/v1/groups/{group}/graph").json()["beliefs"]
    lives = next(one for one in beliefs if one["object"] and one["object"]["name"].lower() == "porto")
    fact = next(one for one in beliefs if one["object"] is None)
    return {
        RELATIONSHIP: lives["id"],
        FACT: fact["id"],
        CLAIM: lives["evidence"][0]["claim_id"],
        EPISODE: lives["evidence"][0]["episode_id"],
        ENTITY: lives["object"]["id"],
        "subject": lives["subject"]["id"],
        "belief": fact["belief_id"],
        "other": next(one for one in beliefs if one["subject"]["id"] != lives["subject"]["id"])["subject"]["id"],
    }


def reads(service: Service) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """(method, path, operation) of every read of a group in the OpenAPI document; an export has what is stored."""
    for path, methods in service.get("/openapi.json").json()["paths"].items():
        operations = ["get", "post"] if path.rsplit("/", 1)[-1] in READING_POSTS else ["get"]
        for method in operations:
            if method in methods and not OF_NO_GROUP.match(path) and path != EXPORT:
                yield method, path, methods[method]


def asked(service: Service, group: str, ids: Mapping[str, str], user: str | None = None) -> Iterator[tuple[str, Any]]:
    """Every read, of everybody or as a user, with what it answers, by a short name."""
    reader = {} if user is None else {"user": user}
    known = {
        **ids,
        "user": user or "bo",
        "entity_id": ids["subject"],
        "episode_id": ids[EPISODE],
        "belief_id": ids["belief"],
        "id": ids["subject"],
        "name": "likes",
        "predicate": "likes",
        "first": ids["subject"],
        "second": ids["other"],
        "receipt_id": "f" * 32,
        "axis": "known",
        "from": SINCE,
        "to": LATER,
    }
    for method, path, operation in reads(service):
        parameters = operation.get("parameters", ())
        names = {one["name"]: one for one in parameters if one["required"]}
        filled = path.replace("{group}", group)
        for name in re.findall(r"\{(\w+)\}", filled):
            filled = filled.replace(f"{{{name}}}", str(known[name]))
        query = {name: known[name] for name, one in names.items() if one["in"] == "query"}
        if method == "post":
            yield path, service.post(filled, {"query": "Where does Maya live, and what does she like?", **reader})
        else:
            as_reader = reader if any((one["name"], one["in"]) == ("user", "query") for one in parameters) else {}
            yield path, service.get(filled, **query, **as_reader)
    for form in ("csv", "graphml"):
        yield f"graph.{form}", service.get(f"/v1/groups/{group}/graph", format=form, **reader)
    yield "graph.entity", service.get(f"/v1/groups/{group}/graph", entity=ids["subject"], depth=2, **reader)
    yield "entities.name", service.get(f"/v1/groups/{group}/entities", name="maya", **reader)


def listed(service: Service, group: str) -> dict[str, str]:
    """By its name in the paths of the API, the id of one thing of each kind that is listed, or of nothing."""
    found = dict[str, str]()
    for name in ("sessions", "merges", "reviews", "jobs"):
        every = service.get(f"/v1/groups/{group}/{name}").json()[name]
        found[f"{name.removesuffix('s')}_id"] = next((one["id"] for one in every), "f" * 32)
    return found


def short(path: str) -> str:
    *_, last = path.rsplit("/", 1)
    return "entity" if path.endswith("/{entity_id}") else last


@pytest.mark.full
async def test_every_read_answers_and_says_what_it_left_out(service: Service, group: str, database: Database) -> None:
    ids = told(service, group)
    await compare(database, group)
    ids |= listed(service, group)
    before = dict(asked(service, group, ids))
    assert all(answer.status_code in (200, 404) for answer in before.values()), before
    assert not [path for path, answer in before.items() if warnings_of(answer)]
    for kind, properties in DAMAGE:
        sound = await damage(database, ids[kind], properties, relationship=kind == RELATIONSHIP)

        after = dict(asked(service, group, ids))

        await damage(database, ids[kind], sound, relationship=kind == RELATIONSHIP)
        case = (kind, properties)
        faults = {path: fault for path, one in after.items() if (fault := fault_of(one, before[path], ids[kind]))}
        assert faults == {}, case
        warned = {short(path) for path, answer in after.items() if any(ids[kind] in one for one in warnings_of(answer))}
        assert case in UNREAD or set(WARNED[kind]) <= warned, (case, warned)
        graph = {path: answer for path, answer in after.items() if path.endswith("/graph")}
        for path, answer in graph.items():
            rows = {row["id"] for row in answer.json()["beliefs"]}
            assert rows >= {row["id"] for row in before[path].json()["beliefs"] if ids[kind] not in str(row)}, case
    metrics = service.http.get("/metrics").text
    assert re.search(r'graphmem_unreadable_rows_total\{kind="\w+",query="beliefs_of_group"\} [1-9]', metrics)


WHERE_IT_BELONGS = frozenset({
    *("id", "group_id", "user", "subject_id", "object_id", "predicate", "target", "open", "day", "audience"),
    *("session", "session_id", "own_session_id", "belief_id", "episode_id", "entity_id", "type", "key", "name", "kind"),
    *("group_token", "audience_token", "session_token", "embedding_model", "claim_id"),
})  # fmt: skip
"""Properties by which a thing is found: another value makes another thing, and nobody can tell that it is none."""

LOOKED_UP = frozenset({
    *((kind, name) for kind in ("RELATES_TO", "Fact") for name in ("fades_at", "category")),
    *((kind, "recorded_at") for kind in ("AuditRow", "Unchained")),
    *(("Episode", name) for name in ("occurred_at", "recorded_at", "content")),
    *(("Session", "opened_at"), ("SAME_AS", "recorded_at")),
})  # fmt: skip
"""Properties that an index compares: where another type stands, the thing is not found, and nobody is warned of it."""
SILENT = "differs, without a warning"


@pytest.mark.full
@pytest.mark.timeout(3600)
async def test_whatever_property_is_of_another_type_every_read_answers(
    service: Service, group: str, database: Database
) -> None:
    ids = told(service, group)
    await used_and_merged(service, group, database, ids)
    await compare(database, group)
    ids |= listed(service, group)
    before = dict(asked(service, group, ids, "ann"))
    faults = list[str]()
    for thing, name, value in each_property(await things_of(database, group)):
        other = of_another_type(name, value)
        await put(database, thing, {name: other})
        after = asked(service, group, ids, "ann")
        faults += [
            f"{thing.kind}.{name} = {other!r}: {path}: {fault}"
            for path, answer in after
            if (fault := fault_of(answer, before[path], str(thing.id)))
            if fault != SILENT or (thing.kind, name) not in LOOKED_UP
        ]
        await put(database, thing, {name: value})
    assert not faults, "\n".join(faults)


async def used_and_merged(service: Service, group: str, database: Database, ids: Mapping[str, str]) -> None:
    """What a group may have beside what it was told: uses, what is confirmed, a merge, what is no longer believed."""
    for id_, relationship in ((ids[FACT], False), (ids[RELATIONSHIP], True)):
        used = {"access_count": 3, "last_accessed": utc_now(), "protected": True}
        await damage(database, id_, used, relationship=relationship)
    root = f"/v1/groups/{group}"
    merged = {"entities": [ids["subject"], ids["other"]], "reason": "one person", "user": "ann"}
    assert service.post(f"{root}/merges", merged).is_success
    moved = {"content": "Bo lives_in Oslo.", "occurred_at": "2025-03-01T00:00:00Z", "session": "s", "user": "ann"}
    assert service.post(f"{root}/episodes", moved, wait=10).is_success


def each_property(things: Iterable[ThingRow]) -> Iterator[tuple[ThingRow, str, object]]:
    """One thing of each kind that has a property, for each property."""
    seen = set[tuple[str, str]]()
    for thing in things:
        for name, value in thing.properties.items():
            if thing.id and value is not None and name not in WHERE_IT_BELONGS and (thing.kind, name) not in seen:
                seen.add((thing.kind, name))
                yield thing, name, value


def of_another_type(name: str, value: object) -> object:
    """A list where a text stood, or a value of any type; else a text."""
    return [True] if isinstance(value, str) or name == "value" else "in spring"


def fault_of(answer: Any, before: Any, id_: str) -> str:
    """What is wrong with the answer to a read, or ``""``: it is as before, or it names the damaged thing."""
    if names_it(answer, id_) or any(id_ in warning for warning in warnings_of(answer)):
        return ""
    if answer.status_code >= 500:
        return f"{answer.status_code} {answer.text[:300]}"
    return "" if without_clock(answer) == without_clock(before) else SILENT


def without_clock(answer: Any) -> list[str]:
    """What an answer says, in any order, but for when and how it was asked.

    The words of other groups, which others write meanwhile, decide how rare a word is: scores, and what comes first.
    """
    asked, words = "took_ms|tokens|request_id", "score|rank|contribution|raw|relevance|answerable|answer_probability"
    said = re.sub(rf'\d{{4}}-\d\d-\d\dT[\d:.]+Z|"({asked}|{words})":[^,}}]+', "", answer.text)
    return sorted(re.split(r"[{}\[\]]|\\n", said))


def names_it(answer: Any, id_: str) -> bool:
    """Whether an answer is the one that a thing cannot be read which was asked for by its id."""
    if answer.status_code != 500:
        return False
    problem = answer.json()
    return problem.get("type") == "urn:graphmem:problem:unreadable" and id_ in problem["detail"]


def warnings_of(answer: Any) -> list[str]:
    if "json" not in answer.headers["content-type"]:
        return cast("list[str]", answer.headers.get_list("graphmem-warning"))
    return cast("list[str]", answer.json().get("warnings", []))


@pytest.mark.parametrize("properties", [{"value": [True]}, {"open": "perhaps"}, {"embedding": [1.0, 2.0]}], ids=str)
async def test_whoever_asks_for_a_name_is_answered_though_what_tells_it_is_damaged(
    service: Service, group: str, database: Database, properties: Mapping[str, object]
) -> None:
    ids, root = told(service, group), f"/v1/groups/{group}"
    names = {"subject": {"name": "Maya", "type": "person"}, "predicate": "named", "value": "Maya Silva", "user": "ann"}
    fact = {**names, "statement": "Maya's name is Maya Silva.", "category": "identity", "occurred_at": SINCE}
    assert service.post(f"{root}/claims", fact).is_success
    believed = service.get(f"{root}/graph", user="ann").json()["beliefs"]
    (named,) = (belief["id"] for belief in believed if belief["predicate"] == "named")
    ids |= listed(service, group)
    await damage(database, named, properties)
    answers = dict(asked(service, group, ids, "ann"))
    for path in ("search", "context"):
        asking = {"query": "Where does Maya Silva live?", "user": "ann"}
        answers[f"{path} of the name"] = service.post(f"{root}/{path}", asking)
    assert {path: one.text for path, one in answers.items() if one.status_code not in (200, 404)} == {}


PAGED = (
    ("episodes", "episodes", EPISODE, {"metadata": "{"}),
    ("entities", "entities", ENTITY, {"recorded_at": 5}),
    ("facts", "facts", FACT, {"attributes": "{"}),
)


@pytest.mark.parametrize("size", [1, 2])
async def test_pages_go_on_past_damage_and_end(service: Service, group: str, database: Database, size: int) -> None:
    ids = told(service, group)
    for path, name, kind, properties in PAGED:
        whole = [one["id"] for one in service.get(f"/v1/groups/{group}/{path}").json()[name]]
        lost = {ids[kind], whole[0], whole[-2]} if len(whole) > 3 else {ids[kind]}
        for id_ in lost:
            await damage(database, id_, properties)
        found, cursor = list[str](), None
        for _ in range(len(whole) + 2):
            given = {"cursor": cursor} if cursor else {}
            page = service.get(f"/v1/groups/{group}/{path}", limit=size, **given).json()
            found += [one["id"] for one in page[name]]
            cursor = page["next_cursor"]
            if cursor is None:
                break
            assert page[name], "a page is empty, and there is more"
        assert cursor is None, path
        assert found == [one for one in whole if one not in lost], path


def test_every_answer_to_a_read_has_room_for_warnings(service: Service) -> None:
    document = service.get("/openapi.json").json()
    lacking = set[str]()
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            schemas = [
                content.get("schema", {}).get("$ref", "").rsplit("/", 1)[-1]
                for status, answer in operation["responses"].items()
                if status.startswith("2")
                for content in answer.get("content", {}).values()
            ]
            found = [document["components"]["schemas"].get(name, {}).get("properties", {}) for name in schemas if name]
            if method == "get" and path.startswith("/v1/") and found and not all("warnings" in one for one in found):
                lacking.add(path)
    assert lacking == set()


async def test_whoever_asks_for_the_damaged_thing_itself_is_told_what_to_repair(
    service: Service, group: str, database: Database
) -> None:
    ids = told(service, group)
    await damage(database, ids[EPISODE], {"metadata": "{"})
    answer = service.get(f"/v1/groups/{group}/episodes/{ids[EPISODE]}")
    assert answer.json()["type"] == "urn:graphmem:problem:unreadable"
    assert "metadata" in answer.json()["detail"]
    assert ids[EPISODE] in answer.json()["detail"]


DAMAGED_SESSIONS: tuple[Mapping[str, object], ...] = (
    {"closers": ["nobody"]},
    {"agent": 5},
    {"openings": None},
    {"openings": 5},
    {"closings": [utc_now(), utc_now()], "closers": ["call", "call"]},
    {"closes_at": None},
    {"closes_at": [True]},
    {"unsummarised": True},
)


@pytest.mark.parametrize("properties", DAMAGED_SESSIONS)
async def test_what_is_said_in_a_damaged_session_is_stored(
    service: Service, group: str, database: Database, properties: Mapping[str, object]
) -> None:
    root = f"/v1/groups/{group}"
    for name in ("s", "sound"):
        first = {"content": "Maya knows Bo.", "occurred_at": SINCE, "session": name, "user": name}
        assert service.post(f"{root}/episodes", first).is_success
    session = service.get(f"{root}/sessions", name="s").json()["sessions"][0]["id"]
    await damage(database, session, properties)

    said = {"content": "Bo knows Maya.", "occurred_at": "2025-02-01T00:00:00Z", "session": "s", "user": "s"}
    answer = service.post(f"{root}/episodes", said)

    assert answer.is_success, answer.text
    assert len(service.get(f"{root}/episodes", session="s").json()["episodes"]) == 2
    shown = service.get(f"{root}/sessions").json()
    if "unsummarised" not in properties:
        assert [session in one for one in answer.json()["warnings"]] == [True]
        assert [session in one for one in shown["warnings"]] == [True]
        assert [one["session"] for one in shown["sessions"]] == ["sound"]


async def test_whoever_asks_for_a_job_whose_record_is_damaged_is_told_what_to_repair(
    service: Service, group: str, database: Database
) -> None:
    service.post("/v1/groups", {"id": group})
    path = f"/v1/groups/{group}/jobs/dedup"
    job = service.post(path, {}).json()["job"]["id"]
    await damage(database, job, {"target": 5})
    answer = service.post(path, {})
    assert answer.json()["type"] == "urn:graphmem:problem:unreadable"
    assert f"Work {job}" in answer.json()["detail"]


async def test_a_claim_that_joins_a_damaged_one_is_kept_and_the_answer_says_what_waits(
    service: Service, group: str, database: Database
) -> None:
    told(service, group)
    await damage(database, await claim_said(database, group, "Maya likes tea."), {"confidence": "much"})
    fact = {"subject": {"name": "Maya", "type": "person"}, "predicate": "likes", "value": "rain"}
    answer = service.post(f"/v1/groups/{group}/claims", {**fact, "occurred_at": "2025-03-01T00:00:00Z"})
    assert answer.status_code == 201
    assert len(answer.json()["warnings"]) == 1
    (slot,) = service.get(f"/v1/groups/{group}/memory/stats").json()["unprojected"]
    assert slot["predicate"] == "likes"
    waiting = service.get("/health/ready").json()["parts"]["slots"]
    assert (waiting["status"], "memory/stats" in waiting["reason"]) == ("degraded", True)
    (job,) = service.get(f"/v1/groups/{group}/jobs", kind="repair").json()["jobs"]
    assert job["id"] == slot["job_id"]


async def test_a_damaged_group_promises_nothing_and_is_read_all_the_same(
    service: Service, group: str, database: Database
) -> None:
    told(service, group)
    then = service.get(f"/v1/groups/{group}/graph").json()["known_at"]
    long_ago = "2020-01-01T00:00:00Z"
    for properties in ({"promised_until": 5}, {"settled_until": "x"}, {"access_changed_at": "soon"}):
        sound = await damage(database, group, properties)
        answer, before = (service.get(f"/v1/groups/{group}/graph", known_at=at) for at in (then, long_ago))
        await damage(database, group, sound)
        assert answer.status_code == 200, answer.text
        assert len(answer.json()["beliefs"]) == 4
        assert (answer.json()["settled"], before.json()["settled"]) == (False, False)
    assert service.get(f"/v1/groups/{group}/graph", known_at=long_ago).json()["settled"]


async def test_merges_and_reviews_of_a_damaged_entity_are_left_out_of_lists(
    service: Service, group: str, database: Database
) -> None:
    ids, root = told(service, group), f"/v1/groups/{group}"
    body = {"entities": [ids["subject"], ids["other"]], "reason": "one person", "user": "ann"}
    merge = service.post(f"{root}/merges", body).json()["merge"]
    await damage(database, ids["other"], {"names": ["a", "b"]})
    page = service.get(f"{root}/merges", user="ann")
    assert (page.status_code, page.json()["merges"]) == (200, [])
    assert any(ids["other"] in warning for warning in page.json()["warnings"])
    for path, asked_for in (
        ("pairs", {"first": ids["subject"], "second": ids["other"]}),
        (f"merges/{merge['id']}", {}),
    ):
        one = service.get(f"{root}/{path}", user="ann", **asked_for)
        assert (one.json()["type"], ids["other"] in one.json()["detail"]) == ("urn:graphmem:problem:unreadable", True)


async def test_an_episode_is_read_though_a_name_in_it_is_damaged(
    service: Service, group: str, database: Database
) -> None:
    ids, root = told(service, group), f"/v1/groups/{group}"
    for properties in ({"said_at": 5}, {"names": 5}, {"names_at": "x"}, {"types": 5}, {"types_at": "x"}):
        sound = await damage(database, f"{ids['subject']}/ann", properties)
        said = {"content": f"Maya knows {min(properties)}.", "occurred_at": "2025-03-01T00:00:00Z", "user": "ann"}
        (episode,) = service.post(f"{root}/episodes", said, wait=10).json()["episodes"]
        pair = service.get(f"{root}/pairs", first=ids["subject"], second=ids["other"], user="ann")
        await damage(database, f"{ids['subject']}/ann", sound)
        assert episode["status"] == "digested", episode
        assert pair.status_code == 200 or names_it(pair, ids["subject"]), pair.text
