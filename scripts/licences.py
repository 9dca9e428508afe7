"""Holds the licence of every pinned package against the list in pyproject.toml; says what does not fit, then fails.

    .venv/bin/python scripts/licences.py

What packages say of themselves is read where they are installed: an SPDX expression, else the words of their field
``License``, else their classifier, both by the tables of ``[tool.licences]``. Tools that do this compare words, not
expressions, and trust a classifier more than an expression.
"""

import fnmatch
import re
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, metadata
from itertools import chain
from pathlib import Path
from typing import Any

from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

ROOT = Path(__file__).resolve().parent.parent
PINNED = ("uv", "run", "dev", "all")
"""What graphmem and its extras bring, and what it is developed with; ``all`` is looked at where it is installed."""


def main() -> None:
    rules = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["licences"]
    of = {file: pinned((ROOT / "requirements" / f"{file}.txt").read_text()) for file in PINNED}
    stale = [name for name in rules["exceptions"] if not fnmatch.filter(chain(*of.values()), name)]
    if not (ROOT / ".venv" / ".installed-all").exists():
        del of["all"]
    names = sorted(set(chain(*of.values())))
    wrong = [line for name in names if (line := fault(name, rules))]
    wrong += [f"{name}: excepted, and pinned no more" for name in stale]
    for line in wrong:
        print(line)
    if wrong:
        sys.exit(
            "Licences: add what fits to [tool.licences] in pyproject.toml, with its reason, or take another package."
        )
    print(f"The licences of {len(names)} packages fit.")


def pinned(requirements: str) -> list[str]:
    return re.findall(r"^([a-z0-9-]+)==", requirements, re.MULTILINE)


def fault(name: str, rules: dict[str, Any]) -> str | None:
    """What is wrong with the licence of a package, or None."""
    if any(fnmatch.fnmatch(name, excepted) for excepted in rules["exceptions"]):
        return None
    said = rules["elsewhere"].get(name) or stated(name, rules)
    if said is None:
        return f"{name}: it says nothing that is known, or is not installed here"
    return None if fits(said, set(rules["allowed"])) else f"{name}: {said}"


def stated(name: str, rules: dict[str, Any]) -> str | None:
    """What a package says of itself, as an SPDX expression; None where it is nothing known or not installed."""
    try:
        fields = metadata(name)
    except PackageNotFoundError:
        return None
    kinds = [
        one.removeprefix("License :: ") for one in fields.get_all("Classifier") or [] if one.startswith("License ::")
    ]
    given = [text for name in ("License-Expression", "License") for text in fields.get_all(name) or []]
    words = [*given, *(kind.rpartition(" :: ")[2] for kind in kinds)]
    for text in filter(str.strip, words):
        expression = rules["words"].get(text.strip().splitlines()[0], text)
        try:
            return canonicalize_license_expression(expression)
        except InvalidLicenseExpression:
            continue
    return None


def fits(expression: str, allowed: set[str]) -> bool:
    """Whether one side of an OR is allowed, or both of an AND, which binds tighter; AND beside parentheses never."""
    if "(" in expression and " AND " in expression:
        return False
    flat = expression.replace("(", "").replace(")", "")
    return any(all(one.strip() in allowed for one in side.split(" AND ")) for side in flat.split(" OR "))


if __name__ == "__main__":
    main()
