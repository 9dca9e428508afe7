"""Who reads: built from the settings, and loaded where it is asked."""

import os
import subprocess
import sys

_ASKED = """
import sys
from graphmem.extractors import Extractors
from graphmem.settings import load_settings
reader = Extractors(load_settings()).of()
print(type(reader).__name__, "instructor" in sys.modules)
reader.warm()
print("instructor" in sys.modules)
"""


def test_the_libraries_of_language_models_are_loaded_by_who_warms_them() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _ASKED],
        env={**os.environ, "ANTHROPIC_API_KEY": "key"},  # noqa: TID251 - with more, for a process of its own
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.split() == ["LanguageModelExtractor", "False", "True"]
