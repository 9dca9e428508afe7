"""The client against the service: answers as they are, problems as errors."""

from collections.abc import Generator
from datetime import UTC, datetime

import pytest

from graphmem.client import GraphmemClient, Retries, ServiceUnavailable
from graphmem.errors import Conflict, InvalidInput, NotFound, TooLarge, Unauthenticated
from tests.api.conftest import MAX_CONTENT, Service

SAID = datetime(2025, 5, 3, 10, tzinfo=UTC)
EPISODES = [{"content": f"Maya lives_in {place}.", "occurred_at": SAID} for place in ("Lisbon", "Porto")]


@pytest.fixture
def client(service: Service) -> Generator[GraphmemClient]:
    with GraphmemClient(service.url, service.token) as opened:
        yield opened


def test_a_conversation_goes_in_and_answers_come_out(client: GraphmemClient, group: str) -> None:
    posted = client.post_episodes(group, EPISODES, wait=30)
    waited = client.wait(group, [item.id for item in posted.episodes])
    (maya,) = client.entities(group, name="maya")
    assert [item.status for item in waited] == ["digested", "digested"]
    assert client.entity(group, maya.id).entity.name == "Maya"
    assert client.graph(group, entity="Maya", depth=1, valid_at=SAID).valid_at == SAID
    assert client.graph(group, predicate=["likes"]).beliefs == []
    assert client.search(group, "Lisbon", kinds=["episode"], valid_at=SAID).hits
    assert client.search(group, "Lisbon", filters={"sources": ["nobody"]}, include_history=True).hits == []
    (missed,) = client.search(group, "Lisbon", limit=1, why_not=["f" * 32]).why_not
    assert missed.lost == "unknown"
    assert {item.id for item in client.episodes(group)} == {item.id for item in waited}
    assert group in {item.id for item in client.groups()}
    assert client.group(group).work.digested == 2
    assert client.ready()


def test_a_context_is_for_the_next_prompt(client: GraphmemClient, group: str) -> None:
    client.post_episodes(group, [{**episode, "session": "s"} for episode in EPISODES], wait=30)
    found = client.context(group, "Lisbon", session="s", max_tokens=500, valid_at=SAID, limits={"window": 1})
    assert [part.heading for part in found.parts][-1] == "Recent conversation"
    assert found.tokens <= 500
    with pytest.raises(InvalidInput, match="neither a query nor a session"):
        client.context(group)


def test_claims_go_in(client: GraphmemClient, group: str) -> None:
    claim = {"subject": {"name": "Maya", "type": "person"}, "predicate": "age", "value": 30, "occurred_at": SAID}
    assert client.claims(group, claim).recorded == 1
    assert client.claims(group, [claim]).recorded == 0


def test_problems_are_errors(client: GraphmemClient, service: Service, group: str) -> None:
    episode = {"content": "x", "occurred_at": SAID, "external_id": "x"}
    client.post_episodes(group, episode)
    with pytest.raises(NotFound, match="no group"):
        client.group("nobody")
    with pytest.raises(InvalidInput, match="offset"):
        client.graph(group, valid_at="2025-05-03T10:00:00")
    with pytest.raises(Conflict):
        client.post_episodes(group, episode | {"content": "y"})
    with pytest.raises(TooLarge):
        client.post_episodes(group, episode | {"content": "y" * (MAX_CONTENT + 1)})
    with GraphmemClient(service.url, "wrong") as stranger, pytest.raises(Unauthenticated):
        list(stranger.groups())
    with (
        GraphmemClient("http://127.0.0.1:1", retries=Retries(most=0)) as nowhere,
        pytest.raises(ServiceUnavailable, match="graphmem up"),
    ):
        nowhere.group(group)


def test_the_past_is_asked_for(client: GraphmemClient, group: str) -> None:
    maya = {"name": "Maya", "type": "person"}
    client.claims(group, {"subject": maya, "predicate": "age", "value": 30, "valid_from": SAID, "occurred_at": SAID})
    maya_id = client.entity_id(group, "maya")
    (version,) = client.history(group, maya_id, predicate=["age"], valid_at=SAID)
    found = client.diff(group, "valid", "2025-01-01T00:00:00Z", SAID, entity=maya_id)
    grounds = client.evidence(group, version.id)
    assert (found.began, grounds.belief, maya_id) == ([version], version, client.entity_id(group, maya_id))
    with pytest.raises(NotFound, match="nobody and nothing of the name"):
        client.entity_id(group, "Nobody")
    with pytest.raises(InvalidInput, match="not before"):
        client.diff(group, "valid", SAID, SAID)


def test_a_name_of_several_is_refused_with_their_ids(client: GraphmemClient, group: str) -> None:
    for kind, id_ in (("person", None), ("place", "7")):
        subject = {"name": "Maya", "type": kind, "id": id_}
        claim = {"subject": subject, "predicate": "age", "value": 30, "occurred_at": SAID, "source": "maps"}
        client.claims(group, claim)
    with pytest.raises(Conflict, match=r"\(Maya, person"):
        client.entity_id(group, "Maya")

    with pytest.raises(Conflict, match=r"Candidates: [0-9a-f]{32} \(Maya, p(erson|lace, maps:7)\), [0-9a-f]{32} \("):
        client.graph(group, entity="Maya")


def test_a_name_of_one_merged_thing_means_it(client: GraphmemClient, group: str) -> None:
    maya = {"name": "Maya", "type": "person"}
    claim = {"subject": maya, "predicate": "age", "value": 30, "occurred_at": SAID}
    client.claims(group, [claim, {**claim, "subject": {**maya, "id": "7"}, "source": "crm"}])
    first, second = (entity.id for entity in client.entities(group, name="Maya"))
    with pytest.raises(Conflict, match=r"\(Maya, person"):
        client.entity_id(group, "Maya")
    client.merge(group, first, second, "One and the same.")
    assert client.entity_id(group, "Maya") in {first, second}


def test_an_undated_episode_that_comes_again_with_its_key_is_the_same(client: GraphmemClient, group: str) -> None:
    undated = {"content": "I like tea.", "speaker": "Maya"}
    (first,) = client.post_episodes(group, undated, idempotency_key="k").episodes
    (again,) = client.post_episodes(group, undated, idempotency_key="k").episodes
    (other,) = client.post_episodes(group, undated).episodes
    assert (again.id, again.new, other.new) == (first.id, False, True)


def test_a_predicate_and_a_source_have_names_with_slashes(client: GraphmemClient, group: str) -> None:
    client.make_group(group)
    assert client.put_predicate(group, "a/b", "one").name == client.predicate(group, "a/b").name == "a/b"
    assert client.put_source(group, "crm/eu", unique=True).name == "crm/eu"
    assert [source.name for source in client.sources(group)] == ["crm/eu"]
    assert client.delete_predicate(group, "a/b").source == "default"
