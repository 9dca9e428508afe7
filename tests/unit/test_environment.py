"""What tests see of the environment that they are run in."""

import os
import subprocess
import sys
from pathlib import Path

FOREIGN = {"ANTHROPIC_API_KEY": "real", "OPENAI_BASE_URL": "real", "NEO4J_URI": "real", "GRAPHMEM_API_KEY": "real"}


def test_no_test_sees_a_key_or_a_server_of_whoever_runs_it() -> None:
    left = "import os, tests.conftest; print([name for name in sorted(os.environ) if os.environ[name] == 'real'])"

    done = subprocess.run(
        [sys.executable, "-c", left],
        cwd=Path(__file__).parents[2],
        env={**os.environ, **FOREIGN},  # noqa: TID251 - with more, for a process of its own
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.strip() == "[]"
