"""A memory that is backed up, deleted and restored: real servers, Neo4j's own dump, the command line."""

import re
import shutil
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import cast

import pytest

from graphmem.client import GraphmemClient
from graphmem.clock import utc_now
from graphmem.errors import Forgotten
from graphmem.local.traces import traces
from tests.acceptance.shells import Shell

pytestmark = [pytest.mark.full, pytest.mark.timeout(900)]
GROUP = "sample"
SECRET = {"content": "I hid the key under the mat.", "role": "user", "speaker": "Maya", "external_id": "secret"}


def client(shell: Shell, key: str | None = None) -> GraphmemClient:
    return GraphmemClient(shell.state.api_url or "", key or shell.data.api_token.read_text().strip())


def answers(shell: Shell, key: str, known_at: datetime) -> list[object]:
    """What is believed, was believed before the sample's correction, and is found; with the ids of versions."""
    with client(shell, key) as reader:
        found = reader.search(GROUP, "Where does Maya live?", known_at=known_at)
        beliefs = [
            (
                one.id,
                one.statement,
                one.valid_from,
                one.valid_to,
                one.recorded_at,
                [part.quote for part in one.evidence],
            )
            for one in reader.graph(GROUP, known_at=known_at).beliefs
        ]
        versions = [
            (one.id, one.statement, one.recorded_at, one.superseded_at)
            for one in reader.history(GROUP, reader.entity_id(GROUP, "Bruno"), known_at=known_at)
        ]
    assert beliefs
    assert versions
    return [beliefs, versions, found.hits[0].id]


def left_in_queue(shell: Shell, words: str) -> list[bytes]:
    """The keys of the queue that have the words, in their names or values."""
    with closing(shell.redis()) as queue:
        keys = cast("list[bytes]", queue.keys())  # pyright: ignore[reportUnknownMemberType]
        return [key for key in keys if words.encode() in key + cast("bytes", queue.dump(key) or b"")]


def test_a_memory_comes_back_from_a_backup_with_its_answers_its_keys_and_what_it_forgot(
    shell: Shell, tmp_path: Path
) -> None:
    folder = tmp_path / "backup"
    shell.must("up", "--detach", "--sample")
    with client(shell) as owner:
        key = owner.make_key("reader", [GROUP], ["read"]).secret
        owner.post_episodes(GROUP, SECRET, wait=60)
    told = shell.must("forget", "--group", GROUP, "--external-id", "secret", "--yes")
    (receipt,) = re.findall("Receipt ([0-9a-f]{32}):", told)
    (words := tmp_path / "words").write_text(SECRET["content"], encoding="utf-8")
    proof = shell.must("forget", "--group", GROUP, "--verify", receipt, "--canaries", str(words))
    assert "nothing is left in the group" in proof
    assert left_in_queue(shell, SECRET["content"]) == []
    known_at = utc_now()
    before = answers(shell, key, known_at)
    refused = shell("backup", str(folder))
    assert (refused.returncode, "graphmem down" in refused.stderr, folder.exists()) == (1, True, False)

    shell.must("down")
    # Neo4j wrote its files as it stopped; what it still has of the words is its own business: docs/forgetting.md
    assert {Path(path).parts[0] for path in traces(shell.folder, [SECRET["content"]])} <= {shell.data.neo4j.name}
    assert str(folder) in shell.must("backup", str(folder))
    assert {path.stat().st_mode & 0o077 for path in (folder, *folder.rglob("*"))} == {0}
    assert key.encode() not in b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    shutil.rmtree(shell.folder)
    shell.must("restore", str(folder))
    assert "not empty" in shell("restore", str(folder)).stderr

    shell.must("up", "--detach")
    assert answers(shell, key, known_at) == before
    with client(shell) as owner, pytest.raises(Forgotten):
        owner.post_episodes(GROUP, SECRET)
