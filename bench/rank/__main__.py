"""Fit what each reason to show a turn counts to questions whose answers you know, and write a file of weights.

Asks a running service: the one of this machine, or the one at ``--url``. The searches write nothing.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from bench.common import Service, running, say
from bench.rank.labelled import read_questions
from bench.rank.ranking import fit_to, written
from graphmem.client.synchronous import GraphmemClient
from graphmem.clock import utc_now
from graphmem.errors import GraphmemError
from graphmem.retrieve.weights import weights_of
from graphmem.settings import load_settings


def arguments() -> ArgumentParser:
    parser = ArgumentParser(prog="python -m bench.rank", description=__doc__)
    parser.add_argument(
        "file", type=Path, help="JSON Lines: question, group, and ids or external_ids of episodes that answer it"
    )
    parser.add_argument("--out", type=Path, default=Path("weights.toml"), help="the file of weights to write")
    parser.add_argument("--force", action="store_true", help="write it over one that is there")
    parser.add_argument(
        "--weights", type=Path, help="the file of weights that the service has; default: search.weights here"
    )
    parser.add_argument("--url", help="a service elsewhere; default: the one that runs here")
    parser.add_argument("--token", default="", help="its key or token")
    parser.add_argument("--data-dir", type=Path, help="where the service that runs here keeps everything")
    return parser


def main(argv: Sequence[str]) -> None:
    """Raises SystemExit with words for whoever called if there are no weights to write."""
    options = arguments().parse_args(argv)
    out: Path = options.out
    if not out.absolute().parent.is_dir():
        raise SystemExit(f"There is no folder for {out}. Make it, or give another --out.")
    if out.exists() and not options.force:
        raise SystemExit(f"{out} is there already. Give another --out, or --force to write over it.")
    settings = load_settings(data_dir=options.data_dir)
    start: Path | None = options.weights or settings.search.weights
    try:
        current, questions = weights_of(start), read_questions(options.file)
        service = Service(options.url, options.token) if options.url else running(settings.data_dir)
        with GraphmemClient(service.url, service.token) as client:
            fitted, report = fit_to(client, questions, current, Console(stderr=True))
    except GraphmemError as error:
        raise SystemExit(str(error)) from error
    out.write_text(written(fitted, report, start=start.name if start else "the packaged ones", now=utc_now()), "utf-8")
    print(report)
    say(f"Written to {out}. Set search.weights to it, and start the service anew.")


if __name__ == "__main__":
    main(sys.argv[1:])
