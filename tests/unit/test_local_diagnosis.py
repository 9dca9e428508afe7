"""What Neo4j's logs say when it does not start, in words that say what to do."""

from pathlib import Path

from graphmem.local.neo4j.server import diagnose, watched_logs

DATA, LOG = Path("/data"), Path("/data/debug.log")
FAILED = "Failed to start DatabaseId{b1e7ff09[neo4j]}"


def test_known_causes_are_said_with_their_cure() -> None:
    for text, cure in (
        (f"{FAILED} … RuntimeException: Error reading transaction logs, recovery not possible.", "up --recover"),
        (f"{FAILED} … java.io.IOException: No space left on device", "The disk of /data is full. Free space"),
        ("FileLockException: Lock file has been locked by another process: /data/store_lock", "Another Neo4j uses"),
        ("java.net.BindException: Address already in use", "Another program listens on one of its ports."),
        ("java.lang.UnsupportedClassVersionError: org/neo4j/server/Neo4jCommunity", "Set JAVA_HOME"),
        ("Error occurred during initialization of VM\nCould not reserve enough space for 9g", "Lower neo4j.heap"),
        ("Invalid maximum heap size: -Xmx9x", "Lower neo4j.heap"),
        (
            f"{FAILED} … IllegalStateException: of another kind",
            "It cannot open its database; /data/debug.log says why.",
        ),
    ):
        assert cure in (diagnose(text, DATA, LOG) or ""), text


def test_names_of_options_are_no_errors() -> None:
    for text in (
        '{"time":"2026-11-27 04:13:10.608+0000","level":"INFO","message":"VM Arguments: -XX:+ExitOnOutOfMemoryError"}',
        "2026-11-27 04:13:10.608+0000 INFO  Started.",
        '{"level":"WARN","message":"Cannot allocate memory for a cache that is not needed"}',
    ):
        assert diagnose(text, DATA, LOG) is None


def test_what_an_earlier_start_logged_is_not_looked_at(tmp_path: Path) -> None:
    log, other = tmp_path / "debug.log", tmp_path / "neo4j.log"
    log.write_text(FAILED)
    diagnosis = watched_logs(DATA, other, log)
    assert diagnosis() is None
    other.write_text("Address already in use")
    assert "Another program" in (diagnosis() or "")
