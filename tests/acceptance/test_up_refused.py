"""What ``graphmem up`` says where it cannot start, and its sisters where nothing runs."""

import subprocess
import sys
from pathlib import Path

import pytest

from graphmem.local.ports import choose_port
from graphmem.local.state import LocalState
from tests.acceptance.shells import NO_NETWORK, SERVERS, Shell

pytestmark = pytest.mark.timeout(600)


def test_no_network_and_no_jars_says_what_to_do(shell: Shell, tmp_path: Path) -> None:
    failed = shell(*SERVERS, **NO_NETWORK, XDG_CACHE_HOME=str(tmp_path / "empty"))
    assert failed.returncode == 1
    assert "cannot be fetched. The first start needs the network once" in failed.stderr
    assert "NEO4J_URI" in failed.stderr
    assert "Traceback" not in failed.stderr
    assert LocalState.read(shell.folder) is None


def test_a_full_disk_is_said_in_words(tmp_path: Path) -> None:
    folder = tmp_path / "tiny"
    folder.mkdir()
    mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=5m", "tmpfs", str(folder)], check=False)  # noqa: S607
    if mount.returncode:
        pytest.skip("only root can mount a small file system")
    try:
        failed = Shell(folder)(*SERVERS)
        assert failed.returncode == 1
        assert "is full: 4 MB are free, 100 MB are needed. Make room" in failed.stderr
    finally:
        subprocess.run(["umount", str(folder)], check=True)  # noqa: S607


def test_a_data_dir_that_cannot_be_made_is_said_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    failed = Shell(tmp_path / "file" / "data")(*SERVERS)
    assert failed.returncode == 1
    assert "cannot be used: Not a directory" in failed.stderr


def test_a_neo4j_of_ones_own_that_does_not_answer_is_said_in_words(shell: Shell) -> None:
    failed = shell("up", "--detach", NEO4J_URI=f"bolt://127.0.0.1:{choose_port(0)}", NEO4J_PASSWORD="x")
    assert failed.returncode == 1
    assert "Neo4j did not answer" in failed.stderr
    assert "Traceback" not in failed.stderr


def test_commands_without_servers(shell: Shell) -> None:
    assert "Nothing runs for" in shell.must("down")
    assert shell("status").returncode == 1
    assert not shell.status()["running"]
    assert "Start it with `graphmem up`" in shell("browser", "--no-open").stderr


def test_commands_that_need_no_model_import_none() -> None:
    code = (
        "import sys; from graphmem.client.cli import app\n"
        "try: app(['status', '--data-dir', '/nonexistent'])\n"
        "except SystemExit: print(sorted({'torch', 'spacy', 'neo4j', 'fastapi', 'jgo'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
