"""The record of what runs, the ports, and processes that are not mistaken for others."""

import os
import socket
import subprocess
import sys
from collections.abc import Generator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from graphmem.errors import LocalServerError
from graphmem.local.events import Event
from graphmem.local.layout import DataDir
from graphmem.local.ports import Ports, Reservations, choose_port, choose_ports, is_free, listens
from graphmem.local.process import Identity, describe_exit, kill, rotate, stop, tail, wait_gone
from graphmem.local.servers import find_ports
from graphmem.local.state import LocalState, connection, remember_ports, state_file
from graphmem.settings import Settings
from graphmem.settings.servers import ApiSettings, Neo4jSettings


@pytest.fixture
def data(tmp_path: Path) -> DataDir:
    data = DataDir(tmp_path)
    data.create()
    return data


@pytest.fixture
def taken() -> Generator[int]:
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        yield listener.getsockname()[1]


@pytest.fixture
def reservations() -> Generator[Reservations]:
    with Reservations() as reservations:
        yield reservations


@pytest.fixture
def sleeper() -> Generator[Identity]:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True) as child:
        yield Identity.of(child.pid)
        child.kill()


def state(data: DataDir, supervisor: Identity) -> LocalState:
    return LocalState(
        graphmem_version="1",
        neo4j_version="2026.09.0",
        data_dir=data.root,
        started_at=datetime(2026, 5, 3, tzinfo=UTC),
        ready=True,
        supervisor=supervisor,
        services=(),
        ports=Ports(),
        neo4j_uri="bolt://127.0.0.1:7687",
        redis_url="unix:///s",
        api_url="http://127.0.0.1:8464",
        browser_url=None,
    )


def test_state_is_read_as_it_was_written_by_its_owner_only(data: DataDir) -> None:
    written = state(data, Identity.of(os.getpid()))
    written.write()
    assert LocalState.read(data.root) == written
    assert state_file(data).stat().st_mode & 0o777 == 0o600


def test_without_a_state_nothing_runs(data: DataDir) -> None:
    assert LocalState.read(data.root) is None
    assert connection(data.root, Settings()) is None


def test_a_damaged_state_is_an_error_in_words(data: DataDir) -> None:
    state_file(data).write_text('{"ports": 1}')
    with pytest.raises(LocalServerError, match="is damaged"):
        LocalState.read(data.root)


def test_connection_has_the_secrets_of_the_data_dir(data: DataDir) -> None:
    state(data, Identity.of(os.getpid())).write()
    data.neo4j_password.write_text("secret\n")
    data.api_token.write_text("token\n")
    found = connection(data.root, Settings())
    assert found
    assert (found.neo4j_password, found.api_token, found.redis_url) == ("secret", "token", "unix:///s")


def test_a_recycled_process_number_is_another_process(sleeper: Identity) -> None:
    earlier = Identity(pid=sleeper.pid, create_time=sleeper.create_time - 100)
    assert sleeper.is_alive()
    assert not earlier.is_alive()
    kill(earlier)
    stop(earlier, timeout=0)
    assert sleeper.is_alive()


def test_a_killed_process_is_gone_even_as_a_zombie(sleeper: Identity) -> None:
    kill(sleeper)
    assert wait_gone(sleeper, 10)


def test_a_process_that_ignores_the_request_is_killed() -> None:
    deaf = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); input()"
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", deaf], stdin=pipe, stdout=pipe, start_new_session=True) as child:
        assert child.stdout
        child.stdout.readline()
        stop(Identity.of(child.pid), timeout=0.1)
        assert describe_exit(child.wait()) == "killed by SIGKILL"
    assert describe_exit(-40) == "killed by signal 40"  # of the real-time ones, which have no names


def test_a_taken_port_is_passed_over(taken: int) -> None:
    assert not is_free(taken)
    chosen = choose_port(taken)
    assert chosen != taken
    assert is_free(chosen)
    assert choose_port(chosen) == chosen


def test_three_different_ports(taken: int) -> None:
    with Reservations() as reservations:
        ports = choose_ports(Ports(api=taken, bolt=taken, http=taken), reservations.take)
    assert len({taken, ports.api, ports.bolt, ports.http}) == 4


def test_two_who_start_together_choose_different_ports() -> None:
    wanted = choose_port(0)
    with Reservations() as one, Reservations() as other:
        assert choose_port(wanted, one.take) == wanted
        assert choose_port(wanted, other.take) != wanted
    with Reservations() as later:
        assert choose_port(wanted, later.take) == wanted


def test_a_port_on_which_somebody_else_listens_is_not_ours(taken: int, sleeper: Identity) -> None:
    assert listens(os.getpid(), taken)
    assert not listens(sleeper.pid, taken)


def test_a_taken_port_is_said(data: DataDir, taken: int, reservations: Reservations) -> None:
    told: list[Event] = []
    ports = find_ports(data, Settings(api=ApiSettings(port=taken)), told.append, reservations)
    assert f"Port {taken} (api) is taken; using {ports.api}." in {event.text for event in told}


NOBODYS = Ports(api=21_000, bolt=22_000, http=23_000)
"""Below those that connections get, so that no other process takes one meanwhile."""


def test_the_ports_of_last_time_are_preferred(data: DataDir, reservations: Reservations) -> None:
    before = choose_ports(NOBODYS, is_free)
    remember_ports(data, before)
    assert find_ports(data, Settings(), lambda _event: None, reservations) == before


def test_a_port_that_is_asked_for_is_preferred_to_that_of_last_time(data: DataDir, reservations: Reservations) -> None:
    remember_ports(data, choose_ports(NOBODYS, is_free))
    asked = choose_port(24_000)
    assert find_ports(data, Settings(api=ApiSettings(port=asked)), lambda _event: None, reservations).api == asked


def test_ports_of_a_neo4j_that_is_not_ours_do_not_matter(data: DataDir, taken: int, reservations: Reservations) -> None:
    told: list[Event] = []
    remember_ports(data, Ports(api=choose_port(0), bolt=taken, http=taken))
    own = Settings(neo4j=Neo4jSettings(uri=f"bolt://127.0.0.1:{taken}"))
    find_ports(data, own, told.append, reservations)
    assert told == []


def test_a_large_log_is_put_aside(data: DataDir) -> None:
    log = data.log("neo4j")
    log.write_bytes(b"x" * (10 * 1024 * 1024 + 1))
    rotate(log)
    assert not log.exists()
    assert log.with_suffix(".log.1").exists()
    assert tail(log) == ""


def test_the_tail_of_a_log(data: DataDir) -> None:
    data.log("api").write_text("one\ntwo\nthree\n")
    assert tail(data.log("api"), lines=2) == "two\nthree"
