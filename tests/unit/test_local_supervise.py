"""The supervisor, with small stand-ins for the programs that it runs."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic import SecretStr

from graphmem.errors import ConfigurationError, LocalServerError
from graphmem.local import control
from graphmem.local.layout import DataDir
from graphmem.local.ports import Ports
from graphmem.local.process import Child, Identity, Service, start, wait_ready
from graphmem.local.programs import Programs
from graphmem.local.state import AlreadyRunning, Event, LocalState, ServiceState, clean_up, hold
from graphmem.local.supervise import Restarts, RunningCheck, Supervisor
from graphmem.settings import Settings
from graphmem.settings.servers import Neo4jSettings, RedisSettings, SupervisorSettings

OWN_SERVERS = Settings(
    neo4j=Neo4jSettings(uri="bolt://127.0.0.1:1", password=SecretStr("x")),
    redis=RedisSettings(url=SecretStr("redis://")),
)


def supervised(**changes: float) -> Settings:
    """Settings with another way of watching."""
    return OWN_SERVERS.model_copy(update={"supervisor": SupervisorSettings.model_validate(changes)})


SLEEP = "import time; print('started', flush=True); time.sleep(600)"
SILENT = "import time; time.sleep(600)"


@pytest.fixture(autouse=True)
def own_server_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    async def check_server(*_arguments: object) -> str:
        return "2026.09.0"

    monkeypatch.setattr("graphmem.store.driver.check_server", check_server)


@pytest.fixture
def data(tmp_path: Path) -> DataDir:
    data = DataDir(tmp_path)
    data.create()
    return data


def stand_in(data: DataDir, name: str, code: str = SLEEP) -> Service:
    log = data.log(name)

    def probe(_pid: int) -> str | None:
        return None if log.exists() and "started" in log.read_text() else "it is silent"

    return Service(name, name.title(), (sys.executable, "-c", code), dict(os.environ), log, probe)  # noqa: TID251


@dataclass
class Stage:
    """Runs a supervisor until a condition on its state and events holds."""

    data: DataDir
    code: dict[str, str]
    until: Callable[["Stage"], bool]
    settings: Settings = OWN_SERVERS
    programs: Programs | None = None
    events: list[Event] = field(default_factory=list[Event])
    seen: set[int] = field(default_factory=set[int])

    def stand_ins(self, data: DataDir, ports: Ports, environ: Mapping[str, str]) -> tuple[Service, ...]:
        del ports, environ
        return tuple(stand_in(data, name, code) for name, code in self.code.items())

    @property
    def state(self) -> LocalState | None:
        return LocalState.read(self.data.root)

    def pids(self, name: str) -> set[int]:
        service = self.state.service(name) if self.state else None
        self.seen |= {service.process.pid} if service else set()
        return self.seen

    def has_told(self, kind: str) -> bool:
        return any(event.kind == kind for event in self.events)

    def has_noted(self, words: str) -> bool:
        """Not any note: that a port is taken is one, too."""
        return any(event.kind == "note" and words in event.text for event in self.events)

    def asked(self) -> bool:
        return self.until(self)

    def run(self) -> "Stage":
        programs = self.programs or self.stand_ins
        Supervisor(self.data, self.settings, {}, self.events.append, self.asked, programs).run()
        return self


def test_everything_starts_and_stops_in_order(data: DataDir) -> None:
    stage = Stage(data, {"worker": SLEEP, "api": SLEEP}, lambda stage: stage.has_told("ready")).run()
    told = [(event.kind, event.text) for event in stage.events if event.kind in {"starting", "stopping"}]
    assert told == [("starting", "Worker"), ("starting", "Api"), ("stopping", "Api"), ("stopping", "Worker")]
    assert stage.events[-1].kind == "stopped"
    assert stage.state is None


def test_while_it_runs_the_state_says_where(data: DataDir) -> None:
    def look(stage: Stage) -> bool:
        state = stage.state
        assert state
        assert state.ready == stage.has_told("ready")
        return state.ready and state.is_running() and state.api_url == f"http://127.0.0.1:{state.ports.api}"

    assert Stage(data, {"api": SLEEP}, look).run().has_told("stopped")


def test_who_ends_unexpectedly_is_started_again(data: DataDir) -> None:
    def killed_once(stage: Stage) -> bool:
        if stage.has_told("ready") and len(stage.pids("api")) == 1 and not stage.has_noted("ended unexpectedly"):
            os.kill(next(iter(stage.seen)), signal.SIGKILL)
        return len(stage.pids("api")) == 2

    stage = Stage(data, {"api": SLEEP}, killed_once).run()
    notes = [event.text for event in stage.events if event.kind == "note"]
    assert "Api ended unexpectedly (killed by SIGKILL); it is started again." in notes


def test_who_does_not_start_ends_the_start_with_the_end_of_its_log(data: DataDir) -> None:
    stage = Stage(data, {"worker": SLEEP, "api": "raise SystemExit('no such model')"}, lambda _stage: False)
    with pytest.raises(LocalServerError, match=r"Api ended at start \(exit code 1\)(.|\n)*no such model"):
        stage.run()
    assert ("stopping", "Worker") in {(event.kind, event.text) for event in stage.events}
    assert stage.state is None


def test_who_is_not_ready_in_time_ends_the_start(data: DataDir) -> None:
    def programs(*_arguments: object) -> tuple[Service, ...]:
        return (replace(stand_in(data, "api", SILENT), start_timeout=0.2),)

    events: list[Event] = []
    with pytest.raises(LocalServerError, match="Api is not ready after 0 seconds: it is silent"):
        Supervisor(data, OWN_SERVERS, {}, events.append, lambda: False, programs).run()
    assert events[-1].kind == "stopped"


def test_of_two_that_end_the_one_that_the_other_needs_is_told(data: DataDir) -> None:
    code = {"neo4j": "raise SystemExit('no memory')", "api": "raise SystemExit('no server')"}
    children = [start(stand_in(data, name, code)) for name, code in code.items()]
    for child in reversed(children):
        child.handle.wait()
    with pytest.raises(LocalServerError, match=r"^Neo4J ended at start(.|\n)*no memory"):
        wait_ready(children, lambda: None, lambda _child: None)


def test_who_ends_after_it_was_ready_and_before_the_others_are_ends_the_start(data: DataDir) -> None:
    stage = Stage(data, {"worker": "print('started')", "api": SILENT}, lambda _stage: False)
    with pytest.raises(LocalServerError, match=r"^Worker ended at start \(exit code 0\)"):
        stage.run()


def test_asking_to_stop_while_things_start_stops_them(data: DataDir) -> None:
    stage = Stage(data, {"api": SILENT}, lambda stage: bool(stage.pids("api"))).run()
    assert not stage.has_told("ready")
    assert stage.events[-1].kind == "stopped"


def test_pauses_double_up_to_the_longest_and_a_long_life_ends_that() -> None:
    restarts, pauses = Restarts(), list[float]()
    for _ in range(2000):
        restarts = restarts.ended(lived=1.0)
        pauses.append(restarts.pause(longest=60.0))
        restarts = restarts.started()
    assert pauses[:9] == [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0]
    assert (pauses[-1], restarts.count) == (60.0, 2000)
    assert restarts.ended(lived=3600.0).pause(longest=60.0) == 0.5


def test_checks_are_counted_until_one_is_answered() -> None:
    restarts = Restarts().checked(answered=False).checked(answered=False)
    assert restarts.unanswered == 2
    assert restarts.checked(answered=True).unanswered == restarts.started().unanswered == 0


def test_who_ends_again_and_again_is_tried_again_and_the_others_go_on_and_status_says_so(data: DataDir) -> None:
    def killed_five_times(stage: Stage) -> bool:
        state = stage.state
        service = state.service("api") if state else None
        if state and state.ready and service and not service.next_try_at and service.restarts < 5:
            with suppress(ProcessLookupError):
                os.kill(service.process.pid, signal.SIGKILL)
        return bool(service and service.restarts == 5)

    seen = list[control.ServiceStatus]()

    def looks(stage: Stage) -> bool:
        over = killed_five_times(stage)
        seen.extend(control.status(stage.data.root).services)
        return over

    stage = Stage(data, {"worker": SLEEP, "api": SLEEP}, looks, supervised(longest_pause=0.6)).run()
    assert {service.pid for service in seen if service.name == "worker"} == {seen[0].pid}
    waiting = [service for service in seen if service.next_try_at]
    assert (waiting[0].name, waiting[0].missing) == ("api", "it is not running")
    assert waiting[0].last_error == "killed by SIGKILL: started"
    assert stage.events[-1].kind == "stopped"


def test_who_is_frozen_is_killed_and_started_again(data: DataDir) -> None:
    """A process that is stopped takes no other signal."""
    frozen = set[int]()

    def freezes(stage: Stage) -> bool:
        service = stage.state.service("api") if stage.state else None
        if service and stage.has_told("ready") and not frozen:
            os.kill(service.process.pid, signal.SIGSTOP)
            frozen.add(service.process.pid)
        return bool(frozen and service and service.process.pid not in frozen)

    def silent(pid: int) -> str | None:
        return "it is silent" if pid in frozen else None

    def programs(data: DataDir, *_arguments: object) -> tuple[Service, ...]:
        service = stand_in(data, "api")
        return (replace(service, answers=silent),)

    stage = Stage(data, {}, freezes, supervised(check_seconds=0.05, check_failures=3), programs).run()
    assert stage.has_noted("Api has not answered 3 times in a row (it is silent); it is killed.")


def test_who_does_not_even_end_a_check_does_not_answer() -> None:
    check = RunningCheck(lambda _pid: time.sleep(600), 1)
    while not check.is_over(limit=0.1):
        time.sleep(0.01)
    assert (check.missing or "").startswith("it has not answered for")


def test_who_lacks_what_may_be_there_later_is_tried_again_at_the_first_start(data: DataDir) -> None:
    code = f"""import os, pathlib, time
mark = pathlib.Path({str(data.root / "tried")!r})
if not mark.exists():
    mark.touch()
    raise SystemExit(os.EX_TEMPFAIL)
print('started', flush=True); time.sleep(600)"""
    stage = Stage(data, {"api": code}, lambda stage: stage.has_told("ready")).run()
    assert stage.has_noted("Api ended unexpectedly (exit code 75); it is started again.")


def test_who_cannot_survive_what_its_log_says_ends_the_start_at_once(data: DataDir) -> None:
    def programs(data: DataDir, *_arguments: object) -> tuple[Service, ...]:
        return (replace(stand_in(data, "neo4j", SILENT), watch_logs=lambda: lambda: "Free space there."),)

    with pytest.raises(LocalServerError, match=r"^Neo4J cannot start\. Free space there\.$"):
        Stage(data, {}, lambda _stage: False, programs=programs).run()


def test_a_start_that_succeeds_forgets_how_the_last_one_ended(data: DataDir) -> None:
    stage = Stage(data, {"api": "raise SystemExit('no such model')"}, lambda _stage: False)
    with pytest.raises(LocalServerError):
        stage.run()
    ended = control.status(data.root).ended
    assert ended is not None
    assert "no such model" in ended.text
    Stage(data, {"api": SLEEP}, lambda stage: stage.has_told("ready")).run()
    assert control.status(data.root).ended is None


def test_one_supervisor_holds_a_data_dir(data: DataDir) -> None:
    with hold(data), pytest.raises(AlreadyRunning), hold(data):
        pass
    with hold(data):
        pass


DEAD = Identity(pid=2**22 - 1, create_time=0.0)


def recorded(data: DataDir, supervisor: Identity, child: Child) -> LocalState:
    return LocalState(
        graphmem_version="1",
        neo4j_version=None,
        data_dir=data.root,
        started_at=datetime(2026, 5, 3, tzinfo=UTC),
        ready=True,
        supervisor=supervisor,
        services=(ServiceState(name="api", title="API", process=child.identity),),
        ports=Ports(api=1),
        neo4j_uri=None,
        redis_url=None,
        api_url=None,
        browser_url=None,
    )


@pytest.fixture
def left(data: DataDir) -> Generator[Child]:
    """What a killed supervisor leaves."""
    child = start(stand_in(data, "api"))
    recorded(data, DEAD, child).write()
    (data.run / "worker-1.ready").touch()
    yield child
    child.handle.kill()
    child.handle.wait()


def test_what_a_killed_supervisor_left_is_stopped_and_removed(data: DataDir, left: Child) -> None:
    told: list[Event] = []
    clean_up(data, told.append)
    assert not left.identity.is_alive()
    assert list(data.run.iterdir()) == []
    assert "stopping what it left running: API" in told[0].text


def test_down_stops_what_a_killed_supervisor_left(data: DataDir, left: Child) -> None:
    assert control.down(data.root)
    assert not left.identity.is_alive()
    assert not data.state.exists()
    assert not control.down(data.root)


def test_status_tells_what_is_missing(data: DataDir, left: Child) -> None:
    recorded(data, Identity.of(os.getpid()), left).write()
    status = control.status(data.root)
    assert (status.running, status.ready, status.services[0].alive) == (True, False, True)
    assert "does not listen" in (status.services[0].missing or "")


def test_the_error_of_a_supervisor_is_raised_again_as_what_it_was() -> None:
    code = """print('{"kind":"failed","error":"configuration","text":"too old"}')"""
    handle = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    with handle, pytest.raises(ConfigurationError, match=r"^too old$"):
        list(control.Launched(handle, Path("log")).events())


def test_ctrl_c_just_before_a_long_wait_does_not_wait_too() -> None:
    """A signal that another thread takes reaches a read as little as one that comes right before it."""

    def interrupt() -> None:
        time.sleep(0.2)
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)

    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(20)"], stdout=subprocess.PIPE) as silent:
        threading.Thread(target=interrupt).start()
        with pytest.raises(KeyboardInterrupt):
            list(control.Launched(silent, Path("log")).events())
        assert silent.poll() is None
        silent.kill()


def test_what_a_supervisor_says_is_heard_line_by_line_to_its_end() -> None:
    code = """import sys, time
for part in ('{"kind":"no', 'te","text":"one"}\\n{"kind":"note","text":"two"}\\n{"kind":', '"ready"}\\n', 'broken'):
    sys.stdout.write(part); sys.stdout.flush(); time.sleep(0.05)"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as handle:
        heard = [(event.kind, event.text) for event in control.Launched(handle, Path("log")).events()]
    assert heard == [("note", "one"), ("note", "two"), ("ready", ""), ("note", "broken")]
