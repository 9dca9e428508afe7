"""``graphmem up`` and its sisters, as a person runs them: real processes, real servers."""

import os
import signal
import socket
import time
from collections.abc import Generator
from contextlib import closing, suppress
from pathlib import Path

import httpx
import psutil
import pytest
from neo4j import GraphDatabase
from neo4j.exceptions import AuthError

from graphmem.local.neo4j.java import TRAINING, Trainer
from graphmem.local.neo4j.server import pinned_jars
from graphmem.local.process import Identity
from graphmem.local.state import LocalState, connection
from graphmem.process.fetch import FetchProgress, default_cache, fetch_jars
from graphmem.settings import Settings
from tests.acceptance.shells import NO_NETWORK, SERVERS, Shell

pytestmark = [pytest.mark.full, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Generator[Shell]:
    shell = Shell(tmp_path_factory.mktemp("up"))
    yield shell
    shell.must("down")


@pytest.fixture
def running(home: Shell) -> Shell:
    """The servers that most tests share; who stopped them leaves it to the next to start them again."""
    state = LocalState.read(home.folder)
    if state is None or not state.is_running():
        home.must(*SERVERS)
    return home


def children(shell: Shell) -> list[psutil.Process]:
    return [psutil.Process(service.process.pid) for service in shell.state.services]


def remember(shell: Shell, key: str) -> None:
    with closing(shell.redis()) as redis:
        redis.set(key, "kept")


def remembers(shell: Shell, key: str) -> bool:
    with closing(shell.redis()) as redis:
        return redis.get(key) == b"kept"


def log_in(shell: Shell, password: str) -> None:
    opened = GraphDatabase.driver(shell.state.neo4j_uri or "", auth=("neo4j", password))  # pyright: ignore[reportUnknownMemberType]
    with opened as driver:
        driver.verify_connectivity()  # pyright: ignore[reportUnknownMemberType]


def password(shell: Shell) -> str:
    found = connection(shell.folder, Settings())
    return found.neo4j_password if found else shell.data.neo4j_password.read_text().strip()


def test_status_shows_what_runs(running: Shell) -> None:
    status = running.status()
    assert status["ready"]
    assert {service["name"] for service in status["services"]} == {"neo4j", "valkey"}
    assert "neo4j_password" not in status
    assert password(running) not in running.must("status")
    assert password(running) in running.must("status", "--show-password")


def test_browser_and_bolt_answer(running: Shell) -> None:
    address = running.must("browser", "--no-open").strip()
    assert httpx.get(address).status_code == 200
    log_in(running, password(running))


def test_nobody_gets_in_without_the_password(running: Shell) -> None:
    with pytest.raises(AuthError):
        log_in(running, "wrong")
    assert running.data.neo4j_password.stat().st_mode & 0o777 == 0o600
    assert {path.stat().st_mode & 0o777 for path in running.folder.iterdir() if path.is_dir()} == {0o700}


def test_everything_listens_on_loopback_only(running: Shell) -> None:
    addresses = {
        connected.laddr.ip.removeprefix("::ffff:")
        for process in children(running)
        for connected in process.net_connections("inet")
        if connected.status in {psutil.CONN_LISTEN, psutil.CONN_NONE}
    }
    assert addresses == {"127.0.0.1"}
    assert running.data.socket().stat().st_mode & 0o777 == 0o700


def test_no_secret_is_on_a_command_line(running: Shell) -> None:
    processes = [psutil.Process(running.state.supervisor.pid), *children(running)]
    assert password(running) not in " ".join(word for process in processes for word in process.cmdline())


def test_a_second_up_says_that_it_runs_and_where(running: Shell) -> None:
    before = running.state
    for arguments in (SERVERS, ("up",)):
        told = running.must(*arguments)
        assert "already runs" in told
        assert before.browser_url
        assert before.browser_url in told
    assert running.state == before


def test_logs_are_shown(running: Shell) -> None:
    assert "Started." in running.must("logs", "neo4j", "--lines", "100")
    assert "supervisor | " in running.must("logs")
    assert "There is no service 'mysql'" in running("logs", "mysql").stderr


def test_a_server_that_is_killed_comes_back(running: Shell) -> None:
    remember(running, "before-crash")
    killed = running.state.service("valkey")
    assert killed
    os.kill(killed.process.pid, signal.SIGKILL)
    while running.state.service("valkey") == killed:
        time.sleep(0.1)
    while not running.status()["ready"]:
        time.sleep(0.1)
    assert remembers(running, "before-crash")


def test_a_server_that_is_frozen_is_said_and_comes_back(running: Shell) -> None:
    frozen = running.state.service("valkey")
    assert frozen
    os.kill(frozen.process.pid, signal.SIGSTOP)
    failed = running("status")
    assert (failed.returncode, "its socket does not answer" in failed.stdout) == (1, True)
    while running("status").returncode:
        time.sleep(0.5)
    thawed = running.state.service("valkey")
    assert thawed
    assert (thawed.process != frozen.process, thawed.restarts) == (True, frozen.restarts + 1)


def aot_file(shell: Shell) -> Path | None:
    """What Neo4j's JVM was told to find its classes in."""
    arguments = (shell.data.neo4j / "conf" / "java.args").read_text().splitlines()
    named = [line.strip('"').removeprefix("-XX:AOTCache=") for line in arguments if "-XX:AOTCache=" in line]
    return Path(named[0]) if named else None


def training_run(shell: Shell) -> list[psutil.Process]:
    """What its supervisor runs besides the services."""
    services = {service.process.pid for service in shell.state.services}
    return [child for child in psutil.Process(shell.state.supervisor.pid).children() if child.pid not in services]


def test_what_a_first_start_records_in_the_background_is_used_by_later_ones(running: Shell) -> None:
    psutil.wait_procs(training_run(running))
    told = running.must("logs", "supervisor")
    running.must("down")
    running.must(*SERVERS)
    if aot_file(running) is None:
        assert "it is recorded how Neo4j starts" not in told, running.data.log("training").read_text()
        pytest.skip("this Java is too old for it, or this machine has no room for it")
    assert "[warning]" not in running.data.log("neo4j").read_text()


def test_data_ports_and_password_survive_a_restart(running: Shell) -> None:
    before, secret = running.state, password(running)
    remember(running, "before-restart")
    processes = children(running)
    assert "Stopped." in running.must("down")
    assert not any(process.is_running() for process in processes)
    assert running("status").returncode == 1
    running.must(*SERVERS)
    assert (running.state.ports, password(running)) == (before.ports, secret)
    log_in(running, secret)
    assert remembers(running, "before-restart")


def test_after_kill_9_of_the_supervisor_the_next_up_cleans_up(running: Shell) -> None:
    remember(running, "before-kill")
    left, ports = children(running), running.state.ports
    psutil.Process(running.state.supervisor.pid).kill()
    assert "stopping what it left running: Valkey, Neo4j" in running.must(*SERVERS)
    assert not any(process.is_running() for process in left)
    assert running.state.ports == ports
    log_in(running, password(running))
    assert remembers(running, "before-kill")


def test_when_the_terminal_goes_away_everything_stops(shell: Shell) -> None:
    with shell.foreground() as foreground:
        while not ((state := LocalState.read(shell.folder)) and state.services):
            time.sleep(0.1)
        supervisor, processes = psutil.Process(state.supervisor.pid), children(shell)
        foreground.kill()
    with suppress(psutil.NoSuchProcess):
        supervisor.wait(60)
    assert not any(process.is_running() for process in processes)


def test_a_long_path_with_spaces_and_umlauts_and_a_taken_port(tmp_path: Path) -> None:
    shell = Shell(tmp_path / ("ein sehr langer Pfad für Gedächtnisse " * 4))
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        taken = listener.getsockname()[1]
        told = shell.must(*SERVERS, "--api-port", str(taken))
    try:
        assert f"Port {taken} (api) is taken; using {shell.state.ports.api}." in told
        log_in(shell, password(shell))
        remember(shell, "here")
        assert remembers(shell, "here")
    finally:
        shell.must("down")


def linked_cache(folder: Path) -> Path:
    """A cache of one's own made of links to the jars that are there."""
    cache = folder / "graphmem" / "jars"
    for jar in pinned_jars():
        (cache / jar.path).parent.mkdir(parents=True, exist_ok=True)
        os.link(default_cache() / jar.path, cache / jar.path)
    return cache


def damaged(cache: Path) -> Path:
    jar = cache / min(pinned_jars(), key=lambda jar: jar.size).path
    content = bytearray(jar.read_bytes())
    content[0] ^= 1
    jar.unlink()
    jar.write_bytes(content)
    return jar


@pytest.mark.usefixtures("running")
def test_a_corrupt_jar_is_noticed_and_without_network_named(shell: Shell, tmp_path: Path) -> None:
    jar = damaged(linked_cache(tmp_path))
    failed = shell(*SERVERS, **NO_NETWORK, XDG_CACHE_HOME=str(tmp_path))
    assert failed.returncode == 1
    assert f"{jar.name} cannot be fetched" in failed.stderr


@pytest.mark.usefixtures("running")
def test_a_corrupt_jar_is_fetched_again(tmp_path: Path) -> None:
    cache = linked_cache(tmp_path)
    jar, reports = damaged(cache), list[FetchProgress]()
    assert jar in fetch_jars(pinned_jars(), cache, reports.append)
    assert (reports[-1].files, reports[-1].bytes) == (1, jar.stat().st_size)


@pytest.mark.usefixtures("running")
def test_a_training_run_that_is_stopped_leaves_nothing(tmp_path: Path) -> None:
    linked_cache(tmp_path)
    environ = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}  # noqa: TID251
    trainer, draft = Trainer(environ, tmp_path / "log", TRAINING), tmp_path / "graphmem" / "aot" / "draft"
    while not (draft / "neo4j.json").exists() and not trainer.is_over():
        time.sleep(0.1)
    started = Identity.model_validate_json((draft / "neo4j.json").read_bytes()) if draft.exists() else None
    trainer.stop()
    assert started is None or not started.is_alive()
    assert not draft.exists()


def test_wrong_credentials_of_a_neo4j_of_ones_own_are_said_in_words(shell: Shell, running: Shell) -> None:
    failed = shell("up", "--detach", NEO4J_URI=running.state.neo4j_uri or "", NEO4J_PASSWORD="wrong")
    assert failed.returncode == 1
    assert "Check NEO4J_USER and NEO4J_PASSWORD." in failed.stderr


def test_ctrl_c_stops_everything(home: Shell) -> None:
    home.must("down")
    with home.foreground() as foreground:
        assert foreground.stdout
        for line in foreground.stdout:
            if "Ctrl-C" in line:
                break
        processes = children(home)
        foreground.send_signal(signal.SIGINT)
        assert "Stopped." in foreground.stdout.read()
        assert foreground.wait() == 0
    assert not any(process.is_running() for process in processes)


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A working directory with modules that leave a mark when somebody imports them."""
    folder = tmp_path / "hostile"
    folder.mkdir()
    for name in ("types", "json", "psutil", "graphmem", "neo4j", "spacy", "sitecustomize", "usercustomize"):
        (folder / f"{name}.py").write_text(f"open({str(folder / 'executed')!r}, 'a').write('{name} ')\n")
    return folder


def test_everything_starts_answers_and_stops_and_nothing_of_the_working_directory_is_executed(
    shell: Shell, hostile: Path
) -> None:
    shell.working_directory = hostile
    told = shell.must("up", "--detach")
    state = shell.state
    assert state.api_url
    assert state.api_url in told
    assert httpx.get(f"{state.api_url}/health/ready").status_code == 200
    assert [service["missing"] for service in shell.status()["services"]] == [None] * 4
    processes = children(shell)
    shell.must("down")
    assert not any(process.is_running() for process in processes)
    assert {path.name for path in hostile.iterdir() if path.suffix != ".py"} == set()
