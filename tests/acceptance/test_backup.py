"""A memory that is backed up, deleted and restored: real servers, Neo4j's own dump, the command line."""

import shutil
from pathlib import Path

import pytest

from graphmem.client import GraphmemClient
from graphmem.clock import utc_now
from graphmem.errors import Forgotten
from tests.acceptance.shells import Shell

pytestmark = [pytest.mark.full, pytest.mark.timeout(900)]
GROUP = "sample"
SECRET = {"content": "I hid the key under the mat.", "role": "user", "speaker": "Maya", "external_id": "secret"}


def client(shell: Shell, key: str | None = None) -> GraphmemClient:
    return GraphmemClient(shell.state.api_url or "", key or shell.data.api_token.read_text().strip())


def test_a_memory_comes_back_from_a_backup_with_its_answers_its_keys_and_what_it_forgot(
    shell: Shell, tmp_path: Path
) -> None:
    folder, known_at = tmp_path / "backup", ""

    def all_of_it(key: str) -> bytes:
        with client(shell, key) as reader:
            return b"".join(reader.export(GROUP, known_at=known_at))

    shell.must("up", "--detach", "--sample")
    with client(shell) as owner:
        key = owner.make_key("reader", [GROUP], ["read"]).secret
        owner.post_episodes(GROUP, SECRET, wait=60)
    shell.must("forget", "--group", GROUP, "--external-id", "secret", "--yes")
    known_at = utc_now().isoformat()
    before = all_of_it(key)
    refused = shell("backup", str(folder))
    assert (refused.returncode, "graphmem down" in refused.stderr, folder.exists()) == (1, True, False)

    shell.must("down")
    assert str(folder) in shell.must("backup", str(folder))
    assert {path.stat().st_mode & 0o077 for path in (folder, *folder.rglob("*"))} == {0}
    assert key.encode() not in b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    shutil.rmtree(shell.folder)
    shell.must("restore", str(folder))
    assert "not empty" in shell("restore", str(folder)).stderr

    shell.must("up", "--detach")
    assert all_of_it(key) == before
    with client(shell) as owner, pytest.raises(Forgotten):
        owner.post_episodes(GROUP, SECRET)
