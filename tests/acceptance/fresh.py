"""New virtual environments, in which pip alone installs graphmem's wheel, from nothing but the registry."""

import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).parents[2]
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]


def built_wheel(folder: Path) -> Path:
    subprocess.run([*PIP, "wheel", "--no-deps", "--no-build-isolation", "-w", folder, ROOT], check=True)
    return next(folder.glob("*.whl"))


def installed(wheel: Path, extras: str, into: Path, *more: str) -> Path:
    """The Python of a new environment with nothing but the wheel, what extras of it bring, and ``more`` packages."""
    venv.create(into)
    python = into / "bin" / "python"
    subprocess.run([*PIP, "--python", python, "install", f"{wheel}[{extras}]", *more], check=True)
    return python
