"""Logs are JSON in services, and an error in them is where it happened, not what it said."""

import json
import subprocess
import sys

PROGRAM = """
import logging, structlog
from graphmem.process.logs import configure
from graphmem.settings.servers import LogSettings
configure(LogSettings())
try:
    try:
        raise ValueError("secret words")
    except ValueError as error:
        raise RuntimeError("more secret words") from error
except RuntimeError:
    structlog.contextvars.bind_contextvars(request_id="r-1")
    structlog.get_logger("ours").error("it.failed", exc_info=True)
    logging.getLogger("theirs").exception("it failed with %s", "grace")
"""


def test_logs_carry_ids_and_tracebacks_without_words() -> None:
    ended = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, timeout=60)
    ours, theirs = (json.loads(line) for line in ended.stderr.splitlines())
    assert "secret" not in ended.stderr
    assert (ours["event"], ours["request_id"], ours["level"]) == ("it.failed", "r-1", "error")
    assert [line for line in ours["traceback"] if not line.startswith(" ")] == ["RuntimeError", "ValueError"]
    assert (theirs["event"], theirs["logger"], theirs["error"]) == ("it failed with grace", "theirs", "RuntimeError")
