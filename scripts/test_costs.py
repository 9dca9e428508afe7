"""What the tests of each directory cost, as the table in CONTRIBUTING.md: of the last whole run of ``scripts/test``.

.venv/bin/python scripts/test_costs.py [REPORT.xml]
"""

import sys
from collections import Counter, defaultdict
from operator import itemgetter
from pathlib import Path
from xml.etree import ElementTree as ET

REPORT = Path(__file__).parents[1] / ".pytest_cache" / "tests.xml"


def table(report: Path) -> str:
    """Items and seconds by directory; seconds are those of both processes together."""
    items, seconds, slow = Counter[str](), defaultdict[str, float](float), 0
    for case in ET.parse(report).iter("testcase"):  # noqa: S314 - written by pytest on this machine
        directory = "/".join(case.attrib["classname"].split(".")[:2])
        took = float(case.attrib["time"])
        items[directory] += 1
        seconds[directory] += took
        slow += took > 1
    by_cost = sorted(seconds.items(), key=itemgetter(1), reverse=True)
    lines = [f"| `{name}` | {items[name]:,} | {took:,.0f} |" for name, took in by_cost]
    total = f"| all, {slow} of them slower than a second | {items.total():,} | {sum(seconds.values()):,.0f} |"
    return "\n".join(["| directory | tests | seconds |", "|---|---:|---:|", *lines, total])


if __name__ == "__main__":
    sys.stdout.write(table(Path(sys.argv[1]) if sys.argv[1:] else REPORT) + "\n")
