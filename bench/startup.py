"""How long `graphmem up` takes on a new data directory, and how long on one that was there before.

python -m bench.startup --json
"""

import tempfile
from pathlib import Path

from bench.common import down, parser, say, tell, up


def main() -> None:
    arguments = parser(__doc__ or "")
    arguments.add_argument("--runs", type=int, default=3, help="later starts to time")
    options = arguments.parse_args()
    if options.url:
        raise SystemExit("This one starts services itself; it takes no --url.")
    with tempfile.TemporaryDirectory(prefix="graphmem-bench-") as folder:
        data_dir = Path(folder)
        first, later, stops = up(data_dir), list[float](), list[float]()
        say(f"first start {first:.1f} s")
        for _ in range(options.runs):
            stops.append(down(data_dir))
            later.append(up(data_dir))
            say(f"later start {later[-1]:.1f} s")
        stops.append(down(data_dir))
    figures: dict[str, object] = {
        "first_start_s": round(first, 1),
        "later_starts_s": [round(seconds, 1) for seconds in later],
        "stops_s": [round(seconds, 1) for seconds in stops],
    }
    tell(figures, as_json=options.json)


if __name__ == "__main__":
    main()
