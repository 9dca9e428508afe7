"""What Neo4j's JVM finds ready at its start: which file fits, when it is made, and what becomes of a damaged one."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from graphmem.local.neo4j.java import AotCache, Java, Trainer, aot_cache
from graphmem.local.neo4j.training import drafting
from graphmem.local.process import Identity
from graphmem.private_files import write_private

GIGABYTE = 1024**3
MONTH = 30 * 24 * 3600


@pytest.fixture
def jar(tmp_path: Path) -> Path:
    jar = tmp_path / "a.jar"
    jar.write_bytes(b"a jar")
    return jar


@pytest.fixture
def cache(tmp_path: Path) -> AotCache:
    (tmp_path / "aot").mkdir(mode=0o700)
    return AotCache(tmp_path / "aot", "key")


def made(cache: AotCache) -> Path:
    draft = cache.folder / "made"
    draft.write_bytes(b"classes")
    cache.publish(draft)
    found = cache.find()
    assert found
    return found


def age(path: Path) -> None:
    os.utime(path, (time.time() - MONTH, time.time() - MONTH))


def test_a_java_that_is_too_old_has_none(jar: Path) -> None:
    assert aot_cache(Java(Path("/java"), 24, has_vector_module=False), [jar], []) is None


def test_another_java_jar_or_option_has_another(jar: Path, tmp_path: Path) -> None:
    java = Java(tmp_path / "bin" / "java", 25, has_vector_module=False, build="25.0.2+10")
    keys = [aot_cache(java, [jar], [], tmp_path), aot_cache(java, [jar], [], tmp_path)]
    keys += [aot_cache(replace(java, build="25.0.3+1"), [jar], [], tmp_path), aot_cache(java, [jar], ["-X"], tmp_path)]
    jar.write_bytes(b"another jar")
    keys.append(aot_cache(java, [jar], [], tmp_path))
    assert len({cache.key for cache in keys if cache}) == 4


def test_what_was_made_is_found(cache: AotCache) -> None:
    assert cache.find() is None
    assert made(cache).read_bytes() == b"classes"


@pytest.mark.parametrize("content", [b"", b"clas", b"clasess"])
def test_what_is_damaged_is_removed_and_made_again(cache: AotCache, content: bytes) -> None:
    made(cache).write_bytes(content)
    assert not cache.is_wanted()
    assert cache.find() is None
    assert cache.is_wanted()


def test_what_cannot_be_read_is_not_used(cache: AotCache) -> None:
    (cache.folder / "key-0.aot").mkdir()
    assert cache.find() is None


def test_after_a_failure_it_is_not_tried_for_a_while(cache: AotCache) -> None:
    cache.failed.touch()
    cache.tidy()
    assert not cache.is_wanted()
    age(cache.failed)
    cache.tidy()
    assert cache.is_wanted()


def test_without_room_on_the_disk_or_in_memory_it_is_not_made(cache: AotCache, monkeypatch: pytest.MonkeyPatch) -> None:
    def nearly_full(_path: Path) -> SimpleNamespace:
        return SimpleNamespace(free=GIGABYTE - 1)

    def little_memory() -> SimpleNamespace:
        return SimpleNamespace(available=2 * GIGABYTE - 1)

    with monkeypatch.context() as patched:
        patched.setattr(shutil, "disk_usage", nearly_full)
        assert not cache.is_wanted()
    monkeypatch.setattr(psutil, "virtual_memory", little_memory)
    assert not cache.is_wanted()


def test_what_nobody_used_for_long_is_removed(cache: AotCache) -> None:
    mine, other, recent = made(cache), made(replace(cache, key="other")), made(replace(cache, key="recent"))
    age(mine)
    age(other)
    assert cache.find() == mine
    cache.tidy()
    assert {path.name for path in cache.folder.iterdir()} == {mine.name, recent.name}


def test_a_trainer_that_is_stopped_ends(tmp_path: Path) -> None:
    code = "import sys; print('here', flush=True); sys.stdin.read(); print('closed')"
    trainer = Trainer({}, tmp_path / "log", (sys.executable, "-c", code))
    assert not trainer.is_over()
    trainer.stop()
    assert trainer.is_over()
    assert (tmp_path / "log").read_text() == "here\nclosed\n"


def test_one_trains_at_a_time(cache: AotCache) -> None:
    with drafting(cache.folder) as draft:
        assert draft
        assert draft.is_dir()
        with drafting(cache.folder) as other:
            assert other is None
        assert draft.is_dir()
    assert not draft.exists()


@pytest.fixture
def left(cache: AotCache) -> Generator[Identity]:
    """A process of a training run that was killed; not a child of ours."""
    code = "import subprocess, sys; print(subprocess.Popen(['sleep', '600'], stdout=subprocess.DEVNULL).pid)"
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], stdout=subprocess.PIPE, check=True)
    left = Identity.of(int(done.stdout.split()[0]))
    (cache.folder / "draft").mkdir()
    write_private(cache.folder / "draft" / "neo4j.json", left.model_dump_json())
    yield left
    if process := left.process():
        process.kill()


def test_what_a_killed_run_left_is_removed(cache: AotCache, left: Identity) -> None:
    with drafting(cache.folder) as draft:
        assert draft
        assert list(draft.iterdir()) == []
        assert not left.is_alive()


def test_what_a_run_started_ends_with_it(cache: AotCache) -> None:
    with subprocess.Popen(["sleep", "600"]) as child:  # noqa: S607
        with drafting(cache.folder) as draft:
            assert draft
            write_private(draft / "neo4j.json", Identity.of(child.pid).model_dump_json())
        assert child.wait() == -signal.SIGKILL
