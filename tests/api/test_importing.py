"""What Graphiti and mem0 held comes in by commands, and is answered as they held it, on both axes."""

import json
import subprocess
import sys
import venv
from collections import Counter
from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from itertools import islice, product
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from typer.testing import CliRunner

from graphmem.client import GraphmemClient
from graphmem.client.cli import app
from graphmem.client.cli.importing import Handed, tell
from graphmem.client.others import graphiti
from graphmem.client.others.steps import Step
from graphmem.errors import Conflict, NotFound
from graphmem.model.export import text_of
from graphmem.model.graphiti import GraphitiEdge
from graphmem.store.driver import Database
from graphmem.store.graphiti import GraphitiReader
from graphmem.store.queries import read_queries
from tests.api.conftest import Service
from tests.others import Held, day, edge, ended, held
from tests.servers import Servers, servers_of, small_settings, started

TESTS = Path(__file__).parents[1]
QUERIES = {query.name: query for query in read_queries(TESTS / "graphiti.cypher")}
MARCH, APRIL, MAY = (day(month, year=2025) for month in (3, 4, 5))
EDGES = (
    edge("works-1", invalid_at=day(6), expired_at=MARCH),
    edge("works-2", target="Norda", valid_at=day(6), created_at=MARCH),
    edge("uses-1", "USES", target="Atlas", invalid_at=day(5), expired_at=APRIL, fact="Alice uses Atlas for logs."),
    edge("uses-2", "USES", target="Atlas", valid_at=day(4), created_at=APRIL, fact="Alice uses Atlas daily."),
    edge("uses-3", "USES", target="Glyph", valid_at=None, created_at=MAY),
    edge("sells-1", "SELLS", "Vexel", "Glyph", invalid_at=day(8), expired_at=day(1, year=2025)),
    edge("sells-2", "SELLS", "Norda", "Glyph", expired_at=MAY),
    edge("sells-3", "SELLS", "Norda", "Atlas", invalid_at=day(1)),
)
LEFT_OUT = frozenset({"attributes", "source_labels", "target_labels"})
TICK = timedelta(microseconds=1)
KNOWN = [at + by for at in (day(1, year=2025), MARCH, APRIL, MAY) for by in (-TICK, TICK * 0)]
CONTENTS = (("e1", "Alice: I work at Vexel."), ("e2", "Alice: I started at Norda."), ("e3", ""))


@pytest.fixture
async def of(database: Database) -> AsyncGenerator[str]:
    """A group of Graphiti's with these edges, in the Neo4j of the tests."""
    group = f"graphiti-{uuid4().hex[:8]}"
    edges = [{**asdict(one), "uuid": group + one.uuid} for one in EDGES]
    episodes = [
        {"uuid": f"{group}{uuid}", "content": content, "at": text_of(day(number))}
        for number, (uuid, content) in enumerate(CONTENTS, start=1)
    ]
    rows = [{name: _plain(value) for name, value in row.items() if name not in LEFT_OUT} for row in edges]
    await _write(database, "write_graphiti", group=group, episodes=episodes, edges=rows)
    yield group
    await _write(database, "delete_graphiti", group=group)


def _plain(value: object) -> object:
    return text_of(value) if isinstance(value, datetime) else value


async def _write(database: Database, name: str, **params: object) -> None:
    await database.write(lambda transaction: transaction.execute(QUERIES[name], **params))


def run(service: Service, group: str, command: str, *arguments: str, servers: Servers | None = None) -> str:
    """What a command prints that fills a group; with ``servers``, from Graphiti there."""
    there = (servers.uri, "--login", servers.user) if servers else ()
    words = ["admin", command, *there, *arguments, "--group", group, "--url", service.url, "--key", service.token]
    environment = {"COLUMNS": "200", "GRAPHITI_PASSWORD": servers.password if servers else ""}
    done = CliRunner().invoke(app, words, env=environment)
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.output


def believed(service: Service, group: str, valid_at: datetime, known_at: datetime) -> set[Held]:
    at = {"valid_at": text_of(valid_at), "known_at": text_of(known_at)}
    graph = service.get(f"/v1/groups/{group}/graph", **at).json()
    return {(item["subject"]["name"], item["predicate"], item["object"]["name"]) for item in graph["beliefs"]}


def assert_agrees(service: Service, group: str, edges: Sequence[GraphitiEdge], known: Iterable[datetime]) -> None:
    """As known at these instants, at and just before every instant at which an edge begins or ends."""
    begun_or_over = {at for one in edges for at in (one.valid_at, one.invalid_at) if at}
    valid = sorted({at - by for at in begun_or_over for by in (TICK, TICK * 0)})
    for valid_at, known_at in product(valid, known):
        told = believed(service, group, valid_at, known_at)
        assert told == held(edges, valid_at, known_at), (valid_at, known_at)


def test_what_graphiti_held_is_answered_as_it_held_it(service: Service, group: str, servers: Servers, of: str) -> None:
    told = run(service, group, "import-graphiti", "--of", of, servers=servers)
    assert "was told 7 claims; of these 2 were replaced later, and 1 withdrawn." in told
    assert f"Left out: 1 × {graphiti.NEVER_HELD}." in told
    assert all(f"Left out: {what}" in told for what in ("3 × episodes", "1 × summaries", "1 × communities"))
    assert_agrees(service, group, EDGES, KNOWN)
    shown = service.get(f"/v1/groups/{group}").json()
    assert (shown["importing"], shown["imported"]) == (False, True)


def test_edges_come_into_a_new_group_only_and_a_group_that_is_not_there_is_said(
    service: Service, group: str, servers: Servers, of: str
) -> None:
    service.post("/v1/groups", {"id": group})
    with pytest.raises(Conflict, match="does not import"):
        run(service, group, "import-graphiti", "--of", of, servers=servers)
    with pytest.raises(NotFound, match=of):
        run(service, group, "import-graphiti", "--of", f"{of}-none", servers=servers)


def test_an_import_that_was_cut_off_goes_on(service: Service, group: str, servers: Servers, of: str) -> None:
    def cut_off(steps: Iterator[Step], after: int) -> Iterator[Step]:
        yield from islice(steps, after)
        raise KeyboardInterrupt

    with (
        GraphitiReader(servers.uri, user=servers.user, password=servers.password, database="neo4j") as there,
        GraphmemClient(service.url, service.token) as client,
    ):
        for after in range(1, 9):
            edges = there.graphiti_edges(of), there.graphiti_edges(of, ended=True)
            with pytest.raises(KeyboardInterrupt):
                tell(client, group, cut_off(graphiti.steps(*edges, None, Counter()), after), 10, Handed())
    run(service, group, "import-graphiti", "--of", of, servers=servers)
    assert_agrees(service, group, EDGES, KNOWN)


def test_episodes_are_read_instead_verbatim_and_once(service: Service, group: str, servers: Servers, of: str) -> None:
    for _ in range(2):
        told = run(service, group, "import-graphiti", "--of", of, "--read", servers=servers)
        assert f"Left out: 1 × {graphiti.WITHOUT_CONTENT}." in told
    with GraphmemClient(service.url, service.token) as client:
        said = [(one.external_id, one.content, one.occurred_at) for one in client.episodes(group)]
    assert said == [
        (f"{of}{uuid}", content, day(number)) for number, (uuid, content) in enumerate(CONTENTS[:2], start=1)
    ]


def test_what_mem0_held_is_answered_as_it_held_it(service: Service, group: str, tmp_path: Path) -> None:
    def row(at: datetime, text: str | None, event: str) -> dict[str, Any]:
        dated = {"created_at": MARCH.isoformat(), "updated_at": None if event == "ADD" else at.isoformat()}
        return {"memory_id": "m1", "new_memory": text, "event": event, **dated}

    memories, history = tmp_path / "all.json", tmp_path / "history.json"
    chess = {"id": "m2", "memory": "Plays chess", "user_id": "bo", "created_at": text_of(APRIL)}
    memories.write_text(json.dumps({"results": [chess]}), encoding="utf-8")
    rows = [row(MARCH, "Likes coffee", "ADD"), row(APRIL, "Likes tea", "UPDATE"), row(MAY, None, "DELETE")]
    history.write_text(json.dumps(rows), encoding="utf-8")
    told = run(service, group, "import-mem0", str(memories), "--history", str(history), "--user", "maya")
    assert "was told 2 claims; of these 1 were replaced later, and 1 withdrawn." in told

    def remembered(user: str) -> list[list[str]]:
        """As known, and as true, a second after each change."""
        graphs = list[list[str]]()
        for at in (MARCH, APRIL, MAY):
            then = text_of(at + timedelta(seconds=1))
            graph = service.get(f"/v1/groups/{group}/graph", known_at=then, valid_at=then, user=user).json()
            graphs.append([item["value"] for item in graph["beliefs"]])
        return graphs

    assert remembered("maya") == [["Likes coffee"], ["Likes tea"], []]
    assert remembered("bo") == [[], ["Plays chess"], ["Plays chess"]]


@pytest.mark.full
@pytest.mark.timeout(900)
def test_a_graph_that_graphiti_wrote_is_answered_as_it_held_it(service: Service, group: str, tmp_path: Path) -> None:
    """Graphiti itself, in an environment and on a Neo4j of its own, with a stand-in for its language model."""
    home = tmp_path / "graphiti"
    venv.create(home, with_pip=False)
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--disable-pip-version-check",
        "--quiet",
        "--python",
        str(home / "bin" / "python"),
    ]
    subprocess.run([*pip, "install", "graphiti-core==0.31.1", "httpx"], check=True)
    with started(tmp_path / "servers", small_settings()) as managed:
        there = servers_of(managed)
        writer = [str(home / "bin" / "python"), str(TESTS / "graphiti_writer.py"), there.uri, there.user]
        done = subprocess.run(writer, input=there.password, stdout=subprocess.PIPE, text=True, check=True)
        with GraphitiReader(there.uri, user=there.user, password=there.password, database="neo4j") as reader:
            edges = list(reader.graphiti_edges("team"))
        assert (len(edges), len(ended(edges)) >= 2) == (7, True)
        run(service, group, "import-graphiti", "--of", "team", servers=there)
    assert_agrees(service, group, edges, map(datetime.fromisoformat, done.stdout.split()))
