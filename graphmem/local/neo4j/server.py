"""The managed Neo4j: Community Edition with Neo4j Browser, on the loopback interface, with a generated password."""

import asyncio
import hashlib
import http.client
import re
import secrets
import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from graphmem.errors import ConfigurationError, GraphmemError, LocalServerError
from graphmem.local.layout import DataDir, quoted
from graphmem.local.neo4j.java import Java
from graphmem.local.ports import LOOPBACK, Ports, listens
from graphmem.local.process import Service
from graphmem.private_files import ensure_secret, read_secret, write_private
from graphmem.process.fetch import Jar, read_lock
from graphmem.settings.servers import Neo4jSettings

_DAMAGED = (
    "Its transaction logs are damaged, as after a full disk or a failing one. Restore a backup of {data}; without one, "
    "`graphmem up --recover` starts with what can be read, and the last writes may be lost."
)
_FULL = "The disk of {data} is full. Free space there, and start again."
_LOCKED = "Another Neo4j uses {data}. Stop it, or choose another data directory (--data-dir)."
_TAKEN = "Another program listens on one of its ports. Start again: ports that are taken are passed over at each start."
_OLD_JAVA = "Its Java is too old. Set JAVA_HOME to a Java of version 21 or newer, or unset it to use the packaged one."
_MEMORY = "It does not get the memory that it asks for. Lower neo4j.heap and neo4j.page_cache, or close other programs."
_UNKNOWN = "It cannot open its database; {log} says why."
_KNOWN: Mapping[str, str] = {
    r"Error reading transaction logs, recovery not possible": _DAMAGED,
    r"No space left on device|Disk quota exceeded|out of disk space": _FULL,
    r"[Ll]ock file has been locked by another process": _LOCKED,
    r"Address already in use": _TAKEN,
    r"UnsupportedClassVersionError|more recent version of the Java Runtime": _OLD_JAVA,
    r"OutOfMemoryError|Could not reserve enough space|insufficient memory for the Java|Cannot allocate memory|"
    r"Invalid (?:maximum|initial) heap size|exceeds the maximum representable size": _MEMORY,
    r"Failed to start DatabaseId\{[0-9a-f]+\[(?!system)": _UNKNOWN,
}
"""What logs say, and cause and cure in words; the more certain first."""


_HARMLESS = re.compile(r'"level":"(?:DEBUG|INFO|WARN)"|^\S+ \S+ (?:DEBUG|INFO|WARN) ')
"""Lines of no error. They name options and settings, whose names sound like errors."""
_LARGEST_PART = 1024 * 1024

USER = "neo4j"

_MAIN_CLASS = "org.neo4j.server.Neo4jCommunity"
_HASH_ROUNDS = 1024
_ANSWER_SECONDS = 8.0
_LEAST_SPACE = 64 * 1024 * 1024  # two transaction logs: with less, to start it anew would not mend it
_BOLT_PREAMBLE = b"\x60\x60\xb0\x17" + b"\x00\x08\x08\x05" + b"\x00\x00\x00\x06" + bytes(8)
_JVM_OPTIONS = (
    "-XX:+UseG1GC",
    "-XX:-OmitStackTraceInFastThrow",
    "-XX:+ExitOnOutOfMemoryError",
    "-XX:+DisableExplicitGC",
    "-Djdk.nio.maxCachedBufferSize=1024",
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Dlog4j2.disable.jmx=true",
    "-Dfile.encoding=UTF-8",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "--enable-native-access=ALL-UNNAMED",
)
_FIRST_JAVA_WITH_MEMORY_OPTION = 23


def diagnose(text: str, data: Path, log: Path) -> str | None:
    """Cause and cure of what Neo4j does not survive, where its logs say such a thing."""
    errors = "\n".join(line for line in text.splitlines() if not _HARMLESS.search(line))
    return next((cure.format(data=data, log=log) for sign, cure in _KNOWN.items() if re.search(sign, errors)), None)


def watched_logs(data: Path, *logs: Path) -> Callable[[], str | None]:
    """A diagnosis of what these logs say from now on; the last one is named for what is not known."""
    begun = {log: _size(log) for log in logs}
    return lambda: diagnose("\n".join(_since(log, position) for log, position in begun.items()), data, logs[-1])


def _size(log: Path) -> int:
    return log.stat().st_size if log.exists() else 0


def _since(log: Path, position: int) -> str:
    """The end of what a log says after a position, or of all, where it was begun anew."""
    size = _size(log)
    if not size:
        return ""
    with log.open("rb") as file:
        file.seek(max(position if position <= size else 0, size - _LARGEST_PART))
        return file.read().decode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class Neo4jServer:
    """One managed Neo4j of one data directory; ``guide`` is what its Browser opens for who connects by hand."""

    data: DataDir
    ports: Ports
    settings: Neo4jSettings
    guide: str | None = None

    @property
    def uri(self) -> str:
        return f"bolt://{LOOPBACK}:{self.ports.bolt}"

    @property
    def browser_origin(self) -> str:
        return f"http://{LOOPBACK}:{self.ports.http}"

    @property
    def browser_url(self) -> str:
        return f"{self.browser_origin}/browser/"

    def configure(self, *, recover: bool = False) -> None:
        """Write ``neo4j.conf``, which Neo4j reads when it starts; ``recover``: see ``config_text``."""
        text = config_text(self.ports, self.settings, self.guide, recover=recover)
        (self._conf / "neo4j.conf").write_text(text, encoding="utf-8")

    @property
    def _conf(self) -> Path:
        return self.data.neo4j / "conf"

    def prepare(
        self, java: Java, jars: Sequence[Path], more_options: Sequence[str] = (), *, recover: bool = False
    ) -> str:
        """Write configuration and, before the first start, the credentials; returns the password."""
        self._conf.mkdir(mode=0o700, exist_ok=True)
        self.configure(recover=recover)
        options = (*memory_options(self.settings), *jvm_options(java), *more_options)
        logs = files("graphmem.local.neo4j").joinpath("server-logs.xml")
        (self._conf / "server-logs.xml").write_bytes(logs.read_bytes())
        (self._conf / "java.args").write_text(java_arguments(options, jars), encoding="utf-8")
        return self._credentials()

    def service(self, java: Java, environ: Mapping[str, str]) -> Service:
        home, password = self.data.neo4j, read_secret(self.data.neo4j_password) or ""
        options = (f"--home-dir={home}", f"--config-dir={home / 'conf'}", "--console-mode")
        return Service(
            name="neo4j",
            title="Neo4j",
            command=(str(java.executable), f"@{home / 'conf' / 'java.args'}", _MAIN_CLASS, *options),
            # Java reads and writes file names in the encoding of the locale, and fails on others.
            environ={**environ, "LC_ALL": "C.UTF-8"},
            log=self.data.log("neo4j"),
            probe=lambda pid: probe(pid, self.ports) or refusal(self.uri, password),
            answers=lambda pid: probe(pid, self.ports) or silence(self.uri, password),
            watch_logs=lambda: watched_logs(self.data.root, self.data.log("neo4j"), home / "logs" / "debug.log"),
            least_space=_LEAST_SPACE,
            folder=home,  # where Java writes when it crashes, and looks for files that change what it does
            start_timeout=600.0,
            stop_timeout=60.0,
        )

    def _credentials(self) -> str:
        """The password, given to the database before its first start.

        Raises:
            LocalServerError: the database has a password, but the file that holds it is gone.
        """
        initial = self.data.neo4j / "data" / "dbms" / "auth.ini"
        if (self.data.neo4j / "data" / "databases" / "system").exists():
            password = read_secret(self.data.neo4j_password)
            if password is None:
                raise LocalServerError(
                    f"{self.data.neo4j_password} is missing, and the database in {self.data.neo4j} has its own "
                    "password. Write that password into the file (mode 0600), or use another data directory."
                )
            return password
        password = ensure_secret(self.data.neo4j_password)
        initial.parent.mkdir(parents=True, exist_ok=True)
        write_private(initial, auth_entry(password, secrets.token_bytes(32)))
        return password


def config_text(ports: Ports, settings: Neo4jSettings, guide: str | None = None, *, recover: bool = False) -> str:
    """The text of ``neo4j.conf``; Neo4j Browser opens ``guide``, a URL, when somebody has connected.

    ``recover``: what cannot be read of damaged transaction logs is cut off, and the database starts without it.
    """
    lines = {
        "server.default_listen_address": LOOPBACK,
        "server.bolt.enabled": "true",
        "server.bolt.listen_address": f"{LOOPBACK}:{ports.bolt}",
        "server.bolt.advertised_address": f"{LOOPBACK}:{ports.bolt}",
        "server.http.enabled": "true",
        "server.http.listen_address": f"{LOOPBACK}:{ports.http}",
        "server.http.advertised_address": f"{LOOPBACK}:{ports.http}",
        "server.http.x_forward.enabled": "false",
        "server.https.enabled": "false",
        "server.fleet_discovery.enabled": "false",  # broadcasts on the network
        "dbms.fleet_manager.enabled": "false",
        "dbms.usage_report.enabled": "false",
        "client.allow_telemetry": "false",
        # Not misspelt: Neo4j Browser fetches guides from no other hosts. The last is what it allows by itself.
        "browser.remote_content_hostname_whitelist": f"{LOOPBACK},localhost,guides.neo4j.com",
        **({"browser.post_connect_cmd": f"guide {guide}"} if guide else {}),
        "dbms.security.auth_enabled": "true",
        "server.memory.heap.initial_size": settings.heap,
        "server.memory.heap.max_size": settings.heap,
        "server.memory.pagecache.size": settings.page_cache,
        "server.config.strict_validation.enabled": "false",
        "db.transaction.timeout": _milliseconds(settings.transaction_timeout),
        "db.lock.acquisition.timeout": _milliseconds(settings.transaction_timeout / 2),
        "db.logs.query.enabled": "INFO",  # slow ones only, and never their parameters: those are content
        "db.logs.query.threshold": "1s",
        "db.logs.query.parameter_logging_enabled": "false",
        "dbms.cypher.min_replan_interval": _milliseconds(settings.replan_interval),
        # Otherwise each order of magnitude of a list, or of a string, has a plan of its own, which takes up to seconds.
        "internal.cypher.use_parameter_size": "false",
        # Without room set aside a full disk cuts an entry in two, and no later start can read the log.
        "db.tx_log.preallocate": "true",
        "db.tx_log.rotation.size": "32m",  # so much is set aside for each of the two databases
        **({"internal.dbms.tx_log.fail_on_corrupted_log_files": "false"} if recover else {}),
        "db.tx_log.rotation.retention_policy": "1 days 512M",
        # Bolt waits ten seconds at shutdown for connections that cannot come on loopback any more.
        "internal.dbms.bolt.netty_server_shutdown_quiet_period_duration": "0s",
    }
    return "".join(f"{key}={value}\n" for key, value in lines.items())


def memory_options(settings: Neo4jSettings) -> tuple[str, ...]:
    return (f"-Xms{settings.heap}", f"-Xmx{settings.heap}")


def jvm_options(java: Java) -> tuple[str, ...]:
    """What this Java is told whatever the settings are."""
    options: list[str] = [*_JVM_OPTIONS]
    if java.version >= _FIRST_JAVA_WITH_MEMORY_OPTION:
        options.append("--sun-misc-unsafe-memory-access=allow")
    if java.has_vector_module:
        options.append("--add-modules=jdk.incubator.vector")
    return tuple(options)


def java_arguments(options: Sequence[str], jars: Sequence[Path]) -> str:
    """The argument file of Java: the class path of all jars is too long for a command line."""
    lines = [*options, "-cp", ":".join(map(str, jars))]
    return "".join(f"{quoted(line)}\n" for line in lines)


def auth_entry(password: str, salt: bytes) -> str:
    """The line with which ``neo4j-admin dbms set-initial-password`` hands a password to a database not yet started.

    Running that program would put the password on a command line, for everybody on the machine to read.
    """
    digest = hashlib.sha256(salt + password.encode()).digest()
    for _ in range(_HASH_ROUNDS - 1):
        digest = hashlib.sha256(digest).digest()
    return f"{USER}:SHA-256,{digest.hex()},{salt.hex()},{_HASH_ROUNDS}:\n"


def probe(pid: int, ports: Ports) -> str | None:
    """What is missing for Neo4j to be ready: it must shake hands over Bolt and answer over HTTP."""
    if not listens(pid, ports.bolt) or not listens(pid, ports.http):
        return "it does not listen yet"
    try:
        with socket.create_connection((LOOPBACK, ports.bolt), timeout=2.0) as bolt:
            bolt.sendall(_BOLT_PREAMBLE)
            if not any(bolt.recv(4)):
                return "Bolt does not agree on a protocol version"
        return _http_status(ports.http)
    except OSError as error:
        return f"it does not accept connections ({error})"


def refusal(uri: str, password: str, seconds: float = _ANSWER_SECONDS) -> str | None:
    """Why a Neo4j that shakes hands does not read or not write within so many seconds; None where it does both."""
    error = _error(uri, password, seconds)
    return str(error) if error else None


def silence(uri: str, password: str, seconds: float = _ANSWER_SECONDS) -> str | None:
    """Why Neo4j does not answer within so many seconds; None where it answers, if only that it does not let us in.

    To start it again does not change whom it lets in.
    """
    error = _error(uri, password, seconds)
    return str(error) if error and not isinstance(error, ConfigurationError) else None


def _error(uri: str, password: str, seconds: float) -> GraphmemError | None:
    from graphmem.store.readiness import check_works  # noqa: PLC0415 - slow to import

    try:
        asyncio.run(check_works(uri, USER, password, seconds))
    except GraphmemError as error:
        return error
    return None


def _http_status(port: int) -> str | None:
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=2.0)
    try:
        connection.request("GET", "/")
        status = connection.getresponse().status
    except http.client.HTTPException as error:
        return f"HTTP does not answer ({error!r})"
    finally:
        connection.close()
    return None if status == http.HTTPStatus.OK else f"HTTP answers {status}"


def pinned_jars() -> tuple[Jar, ...]:
    """Neo4j, Neo4j Browser and everything they need, each with its checksum."""
    return read_lock(files("graphmem.local.neo4j").joinpath("neo4j.lock").read_text("utf-8"))


def pinned_version(artifact: str = "neo4j") -> str:
    """The version of a pinned artifact of Neo4j's own."""
    return next(jar.version for jar in pinned_jars() if jar.artifact == artifact and jar.group.startswith("org.neo4j"))


def _milliseconds(seconds: float) -> str:
    return f"{round(seconds * 1000)}ms"
