"""Who is who: how many of those that are the same are merged, how many that are not, and what that costs.

    python -m bench.resolution --data FOLDER --json [--dump FILE]

The folder holds a folder for each set: `records.jsonl` (id, source, type, name, attributes), `pairs.jsonl` (a, b: every
pair that is the same), and perhaps `sources.json` ({"a": {"unique": true}}: no two of that source are one; then only
pairs between sources count). Records are told as structured claims with their ids, in an order shuffled by `--seed`,
each set into a group of its own; then the dedup job runs once. Nothing is configured for a set.

`precision`, `recall` and `f1` are of pairs that are in one cluster, without anybody's help; 1 where nothing was merged.
`false_merge_rate` is the share of wrong ones among them. `recall_with_reviews` counts pairs too that somebody is asked
about, `reviews_per_entity` how often that is. `blocker_recall` is the share of true pairs that were compared at all,
`ms_per_entity` the time of claims and job. `calibration` has the pairs that were merged or asked about by the tenth of
the probability that was computed for them: how many, that probability on average, and the share of those that are true.
"""

import json
import random
import time
from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice
from pathlib import Path
from time import perf_counter
from typing import Any
from uuid import uuid4

import httpx

from bench.common import NO_KEYS, Service, parser, running, say, service, started, tell

BATCH = 250
PAGE = 500
LOOK = 0.2
"""Seconds between looks at the job."""
SAID_AT = "2025-01-01T00:00:00Z"
Record = Mapping[str, Any]
Pair = frozenset[str]


@dataclass(slots=True)
class Set:
    """A set of records, and the pairs of them that are the same."""

    name: str
    records: list[Record]
    pairs: set[Pair]
    unique: list[str]

    @property
    def sources(self) -> Mapping[str, str]:
        return {record["id"]: record["source"] for record in self.records}


@dataclass(slots=True)
class Found:
    """Clusters and reviews by ids of records, with seconds of the claims and of the job."""

    clusters: list[list[str]] = field(default_factory=list[list[str]])
    reviews: set[Pair] = field(default_factory=set[Pair])
    probabilities: dict[Pair, float] = field(default_factory=dict[Pair, float])
    entities: Mapping[str, str] = field(default_factory=dict[str, str])
    seconds: float = 0.0


def read(folder: Path) -> Set:
    sources = folder / "sources.json"
    told: Mapping[str, Any] = json.loads(sources.read_text("utf-8")) if sources.is_file() else {}
    return Set(
        name=folder.name,
        records=list(_lines(folder / "records.jsonl")),
        pairs={frozenset((pair["a"], pair["b"])) for pair in _lines(folder / "pairs.jsonl")},
        unique=sorted(name for name, one in told.items() if one.get("unique")),
    )


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text("utf-8").splitlines():
        if line.strip():
            yield json.loads(line)


def claims(records: Iterable[Record]) -> Iterator[dict[str, Any]]:
    for record in records:
        subject = {"name": record["name"], "type": record["type"], "id": record["id"]}
        said = {key: value for key, value in record["attributes"].items() if str(value).strip()}
        for predicate, value in (said or {"is_a": record["type"]}).items():
            yield {
                "subject": subject,
                "predicate": predicate,
                "value": value,
                "source": record["source"],
                "occurred_at": SAID_AT,
            }


def measured(client: httpx.Client, one: Set, seed: int) -> Found:
    group = f"resolution-{one.name}-{uuid4().hex[:8]}"
    shuffled = list(one.records)
    random.Random(seed).shuffle(shuffled)  # noqa: S311 - reproducible on purpose
    began = perf_counter()
    _ask(client, "POST", "/v1/groups", {"id": group})
    for source in one.unique:
        _ask(client, "PUT", f"/v1/groups/{group}/sources/{source}", {"unique": True})
    told, number = claims(shuffled), 0
    while batch := list(islice(told, BATCH)):
        _ask(client, "POST", f"/v1/groups/{group}/claims", batch)
        number += 1
        if number % 20 == 0:
            say(f"  {one.name}: about {number * BATCH} claims told after {perf_counter() - began:.0f} s")
    _job(client, one.name, group)
    found = Found(seconds=perf_counter() - began)
    by_root: dict[str, list[str]] = {}
    entities: dict[str, str] = {}
    for entity in _pages(client, f"/v1/groups/{group}/entities", "entities"):
        record = entity["qualifier"].partition(":")[2]
        entities[record] = entity["id"]
        by_root.setdefault(entity["part_of"] or entity["id"], []).append(record)
    record_of = {id_: record for record, id_ in entities.items()}
    found.entities = {record: f"{group}/{id_}" for record, id_ in entities.items()}
    found.clusters = [some for some in by_root.values() if len(some) > 1]
    for review in _pages(client, f"/v1/groups/{group}/reviews", "reviews"):
        pair = frozenset(record_of[review[end]["id"]] for end in ("first", "second"))
        found.reviews.add(pair)
        found.probabilities[pair] = review["probability"]
    for merge in _pages(client, f"/v1/groups/{group}/merges", "merges"):
        pair = frozenset(record_of[end["id"]] for end in merge["pair"])
        found.probabilities[pair] = 1 / (1 + 2 ** -max(-1000.0, min(1000.0, merge["score"])))
    return found


def _job(client: httpx.Client, name: str, group: str) -> None:
    job = _ask(client, "POST", f"/v1/groups/{group}/jobs/dedup", {})["job"]
    shown: object = None
    while job["status"] == "pending":
        time.sleep(LOOK)
        job = _ask(client, "GET", f"/v1/groups/{group}/jobs/{job['id']}")
        if job["progress"] != shown and (compared := job["progress"].get("compared", 0)) % 500 == 0:
            say(f"  {name}: {compared} entities compared, {job['progress'].get('merged', 0)} merged")
        shown = job["progress"]
    if job["status"] != "done":
        raise SystemExit(f"{name}: the job failed: {job['error']}")


def _ask(client: httpx.Client, method: str, path: str, body: object = None) -> Any:
    answer = client.request(method, path, json=body)
    if answer.is_error:
        raise SystemExit(f"{method} {path}: {answer.status_code} {answer.text}")
    return answer.json()


def _pages(client: httpx.Client, path: str, name: str) -> Iterator[dict[str, Any]]:
    cursor = ""
    while cursor is not None:
        page = _ask(client, "GET", f"{path}?limit={PAGE}{f'&cursor={cursor}' if cursor else ''}")
        yield from page[name]
        cursor = page["next_cursor"]


def figures(client: httpx.Client, one: Set, found: Found) -> dict[str, Any]:
    merged = {pair for some in found.clusters for pair in _counted(map(frozenset, combinations(some, 2)), one)}
    true = set(_counted(one.pairs, one))
    right, asked = len(merged & true), len((merged | found.reviews) & true)
    precision = right / len(merged) if merged else 1.0
    recall = right / len(true) if true else 1.0
    compared = asked + sum(_proposed(client, found, pair) for pair in true - merged - found.reviews)
    return {
        "precision": round(precision, 4),
        "recall": round(recall, 4),
        "f1": round(2 * precision * recall / (precision + recall), 4) if right else 0.0,
        "false_merge_rate": round(1 - precision, 4),
        "merged_pairs": len(merged),
        "false_pairs": len(merged) - right,
        "true_pairs": len(true),
        "recall_with_reviews": round(asked / len(true), 4) if true else 1.0,
        "reviews_per_entity": round(len(found.reviews) / len(one.records), 3),
        "ms_per_entity": round(1000 * found.seconds / len(one.records), 2),
        "blocker_recall": round(compared / len(true), 4) if true else 1.0,
        "calibration": _calibration(found.probabilities, true, one),
    }


def _calibration(probabilities: Mapping[Pair, float], true: set[Pair], one: Set) -> list[dict[str, float]]:
    tenths: dict[int, list[Pair]] = {}
    for pair in _counted(probabilities, one):
        tenths.setdefault(min(9, int(10 * probabilities[pair])), []).append(pair)
    return [
        {
            "from": tenth / 10,
            "pairs": len(pairs),
            "predicted": round(sum(probabilities[pair] for pair in pairs) / len(pairs), 3),
            "true": round(len(true.intersection(pairs)) / len(pairs), 3),
        }
        for tenth, pairs in sorted(tenths.items())
    ]


def _counted(pairs: Iterable[Pair], one: Set) -> Iterator[Pair]:
    """With sources that tell of each thing once, pairs between sources only."""
    for pair in pairs:
        a, b = pair
        if not one.unique or one.sources[a] != one.sources[b]:
            yield pair


def _proposed(client: httpx.Client, found: Found, pair: Pair) -> bool:
    (group, first), (_, second) = (found.entities[record].split("/") for record in sorted(pair))
    return bool(_ask(client, "GET", f"/v1/groups/{group}/pairs?first={first}&second={second}")["proposed"])


def dumped(one: Set, found: Found) -> dict[str, Any]:
    """Record by cluster, and the pairs in review."""
    cluster = {record: number for number, some in enumerate(found.clusters) for record in some}
    return {
        "clusters": {record["id"]: cluster.get(record["id"], f"alone {record['id']}") for record in one.records},
        "reviews": sorted(sorted(pair) for pair in found.reviews),
    }


def run(options: Namespace, running_service: Service, folders: Sequence[Path]) -> dict[str, Any]:
    sets: dict[str, Any] = {}
    dump: dict[str, Any] = {}
    with running_service.client() as client:
        for folder in folders:
            one = read(folder)
            say(f"{one.name}: {len(one.records)} records, {len(one.pairs)} pairs")
            found = measured(client, one, options.seed)
            sets[one.name] = figures(client, one, found)
            dump[one.name] = dumped(one, found)
            say(f"  {json.dumps(sets[one.name])}")
    if options.dump:
        Path(options.dump).write_text(json.dumps(dump), "utf-8")
    return {"seed": options.seed, "sets": sets}


def main() -> None:
    arguments = parser(__doc__ or "")
    arguments.add_argument("--data", type=Path, required=True, help="a folder with a folder for each set")
    arguments.add_argument("--set", action="append", default=[], help="only sets of these names")
    arguments.add_argument("--seed", type=int, default=0, help="shuffles the records")
    arguments.add_argument("--dump", help="a file for the clusters and reviews of each set, as JSON")
    options = arguments.parse_args()
    folders = sorted(path.parent for path in options.data.glob("*/records.jsonl"))
    folders = [path for path in folders if not options.set or path.name in options.set]
    if not folders:
        raise SystemExit(f"There is no set in {options.data}: a folder with records.jsonl and pairs.jsonl each.")
    if options.url:
        with service(options) as asked:
            return tell(run(options, asked, folders), as_json=options.json)
    with started({**NO_KEYS, "GRAPHMEM_JOBS_DEDUP_SECONDS": "0"}) as data_dir:
        return tell(run(options, running(data_dir), folders), as_json=options.json)


if __name__ == "__main__":
    main()
