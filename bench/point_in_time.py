"""Whether answers are right about time: facts with validity, and a ledger of what was recorded when.

    python -m bench.point_in_time --data FOLDER --json

The folder holds, one JSON object a line: `facts.jsonl` (s, r, o, valid_from, valid_to), `rejects.jsonl` (facts that end
before they start) and `bc_years.jsonl` (years that RFC 3339 cannot write), mixed into the facts and to be refused one
by one; `queries.jsonl` (as of a day), `live_counts.jsonl`, `ledger.jsonl` (assert, set_valid_to, retract, day by day),
and `bitemporal_queries.jsonl`. Everything goes over HTTP. Answers are compared as sets of (s, r, o), for facts of one
triple with overlapping times are one belief. A day is its first instant; what was recorded on a day is known on it.
A day that no calendar has (`1963-64-65`) is sent as the first of its year: the expected answers count such facts.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import groupby, islice
from pathlib import Path
from time import perf_counter
from typing import Any
from uuid import uuid4

import httpx

from bench.common import milliseconds, parser, say, service, tell

Fact = Mapping[str, Any]
Triple = tuple[str, str, str]

BATCH = 500
MOST = 5_000
"""Beliefs that one answer holds."""
SHOWN = 10
TYPE = "thing"


@dataclass(slots=True)
class Score:
    """How many answers were right, out of how many; the first wrong ones are said."""

    what: str
    right: int = 0
    total: int = 0

    def add(self, question: object, expected: object, got: object) -> None:
        self.total += 1
        self.right += expected == got
        if expected != got and self.total - self.right <= SHOWN:
            say(f"{self.what}: wrong: {question}\n  expected {expected}\n  got      {got}")
        if self.total % 250 == 0:
            say(f"  {self.what}: {self.right} of {self.total} right")

    def figures(self) -> dict[str, int]:
        return {"right": self.right, "total": self.total}


@dataclass(slots=True)
class Loaded:
    """What became of the facts, and of what should be refused."""

    claims: int = 0
    seconds: float = 0.0
    refused_right: int = 0
    refused_wrong: int = 0


@dataclass(frozen=True, slots=True)
class Data:
    """The lines of each file; what is missing is named."""

    folder: Path
    missing: list[str] = field(default_factory=list[str])

    def lines(self, name: str) -> list[dict[str, Any]]:
        path = self.folder / f"{name}.jsonl"
        if not path.is_file():
            self.missing.append(path.name)
            say(f"{path.name} is missing: skipped")
            return []
        return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


# over HTTP ------------------------------------------------------------------------------------------------------------


def send(client: httpx.Client, path: str, body: object) -> Any:
    answer = client.post(path, json=body)
    if not answer.is_success:
        raise SystemExit(f"POST {path} answered {answer.status_code}: {answer.text}")
    return answer.json()


def beliefs(client: httpx.Client, group: str, params: Mapping[str, Any]) -> tuple[set[Triple], bool]:
    """What was believed, and whether that is all of it. An entity that was not known then has no beliefs."""
    answer = client.get(f"/v1/groups/{group}/graph", params={"limit": MOST, **params})
    if answer.status_code == 404:
        return set(), True
    if not answer.is_success:
        raise SystemExit(f"GET graph {params} answered {answer.status_code}: {answer.text}")
    found = answer.json()
    return {
        (belief["subject"]["name"], belief["predicate"], belief["object"]["name"]) for belief in found["beliefs"]
    }, found["complete"]


def instant(text: str) -> str:
    """A day as its first instant, a day that no calendar has as the first of its year; an instant as it is."""
    if "T" in text:
        return text
    return f"{text if is_day(text) else f'{text[:4]}-01-01'}T00:00:00Z"


def is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def is_repaired(fact: Fact) -> bool:
    """Whether a day of it is none (`1963-64-65`), and stands for its year."""
    days = [day for day in (fact["valid_from"], fact["valid_to"]) if day is not None]
    return not all("T" in day or is_day(day) for day in days)


def claim(fact: Fact) -> dict[str, Any]:
    return {
        "subject": {"name": fact["s"], "type": TYPE},
        "predicate": fact["r"],
        "object": {"name": fact["o"], "type": TYPE},
        "valid_from": _or_none(fact["valid_from"]),
        "valid_to": _or_none(fact["valid_to"]),
    }


def _or_none(day: str | None) -> str | None:
    return None if day is None else instant(day)


def bc_fact(fact: Fact) -> Fact:
    """The year as it is given, with the first day where there is none."""
    start, end = (None if year.startswith("####") else f"{year.replace('##', '01')}" for year in fact["raw"])
    return {**fact, "valid_from": start and f"{start}T00:00:00Z", "valid_to": end and f"{end}T00:00:00Z"}


# facts ----------------------------------------------------------------------------------------------------------------


def load_facts(client: httpx.Client, group: str, data: Data) -> Loaded:
    """Every fact and, spread among them, everything that is to be refused."""
    facts = data.lines("facts")
    bad = [*data.lines("rejects"), *map(bc_fact, data.lines("bc_years"))]
    for fact in filter(is_repaired, facts):
        say(f"  the first day of the year, for a day that no calendar has: {fact}")
    wrong, loaded = {fact["id"] for fact in bad}, Loaded()
    for batch in batches(spread(facts, bad), BATCH):
        lines = [json.dumps({**claim(fact), "external_id": fact["id"]}) for fact in batch]
        began = perf_counter()
        answer = client.post(
            f"/v1/groups/{group}/claims",
            content="\n".join(lines).encode(),
            headers={"Content-Type": "application/x-ndjson"},
        )
        loaded.seconds += perf_counter() - began
        if not answer.is_success:
            raise SystemExit(f"POST claims answered {answer.status_code}: {answer.text}")
        _judge(loaded, batch, answer.json(), wrong)
        say(f"  {loaded.claims:,} claims, {loaded.refused_right} refused")
    return loaded


def _judge(loaded: Loaded, batch: Sequence[Fact], answer: Mapping[str, Any], wrong: set[str]) -> None:
    loaded.claims += len(answer["claims"])
    for refused in answer["refused"]:
        fact: Fact = batch[int(refused["line"]) - 1]
        loaded.refused_right += fact["id"] in wrong
        loaded.refused_wrong += fact["id"] not in wrong
        if fact["id"] not in wrong:
            say(f"refused, and should not be: {fact}: {refused['problem']}")


def spread(facts: Sequence[Fact], among: Sequence[Fact]) -> Iterator[Fact]:
    """The facts with others at even distances between them."""
    distance = len(facts) // (len(among) + 1) + 1
    for start in range(0, len(facts), distance):
        yield from facts[start : start + distance]
        yield from among[start // distance : start // distance + 1]
    yield from among[-(-len(facts) // distance) :]


def batches(items: Iterable[Fact], size: int) -> Iterator[list[Fact]]:
    left = iter(items)
    while batch := list(islice(left, size)):
        yield batch


# as of then -----------------------------------------------------------------------------------------------------------


def as_of(client: httpx.Client, group: str, data: Data, facts: Mapping[str, Fact]) -> tuple[Score, list[float]]:
    """What was true on a day: of a subject and predicate, of a predicate and object, around an entity."""
    score, seconds = Score("as of"), list[float]()
    for query in data.lines("queries"):
        began = perf_counter()
        found, _ = beliefs(client, group, params_of(query))
        seconds.append(perf_counter() - began)
        score.add(query, expected(query, facts), {triple for triple in found if asked_for(query, triple)})
    return score, seconds


def params_of(query: Mapping[str, Any]) -> dict[str, Any]:
    """The question as the API takes it: around the entity that it names."""
    params = {"entity": query.get("s") or query.get("o") or query["e"], "depth": 1}
    times = {key: instant(query[key]) for key in ("valid_at", "known_at") if key in query}
    return {**params, **times, **({"predicate": query["r"]} if "r" in query else {})}


def asked_for(query: Mapping[str, Any], triple: Triple) -> bool:
    """Whether it is what was asked: the entity's neighbourhood also holds what comes from the other side."""
    subject, predicate, target = triple
    wanted = {"s": subject, "r": predicate, "o": target}
    return all(query.get(key, value) == value for key, value in wanted.items())


def expected(query: Mapping[str, Any], facts: Mapping[str, Fact]) -> set[Triple]:
    return {triple_of(facts[id_]) for id_ in query["expected"]}


def triple_of(fact: Fact) -> Triple:
    return fact["s"], fact["r"], fact["o"]


def live_counts(client: httpx.Client, group: str, data: Data, facts: Mapping[str, Fact]) -> Score:
    """How many triples hold on a day, over the whole group."""
    score = Score("live count")
    subjects = {
        predicate: sorted({fact["s"] for fact in of_it})
        for predicate, of_it in groupby(sorted(facts.values(), key=_predicate), key=_predicate)
    }
    for count in data.lines("live_counts"):
        when = {"valid_at": instant(count["valid_at"])}
        live = {triple for predicate in subjects for triple in _live(client, group, predicate, subjects, when)}
        score.add(count["valid_at"], count["live_facts"], len(live))
    return score


def _predicate(fact: Fact) -> str:
    return fact["r"]


def _live(
    client: httpx.Client, group: str, predicate: str, subjects: Mapping[str, Sequence[str]], when: Mapping[str, str]
) -> set[Triple]:
    """What holds of a predicate: in one answer, or subject by subject where it is more than one answer holds."""
    params = {"predicate": predicate, **when}
    found, complete = beliefs(client, group, params)
    if complete:
        return found
    say(f"  more than {MOST} beliefs of {predicate} on {when['valid_at']}: asking subject by subject")
    each = (beliefs(client, group, {**params, "entity": subject, "depth": 1})[0] for subject in subjects[predicate])
    return {triple for some in each for triple in some}


# as known then --------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Ledger:
    """A group that is told, in order, what was recorded when. ``standing``: the claim behind each fact."""

    client: httpx.Client
    group: str
    facts: Mapping[str, Fact]
    standing: dict[str, str] = field(default_factory=dict[str, str])
    since: dict[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])

    def replay(self, entries: Sequence[Mapping[str, Any]]) -> None:
        """Runs of assertions go in lists, everything else one by one."""
        send(self.client, "/v1/groups", {"id": self.group, "importing": True})
        one_by_one: dict[str, Callable[[Mapping[str, Any]], None]] = {
            "set_valid_to": self._set_valid_to,
            "retract": self._retract,
        }
        for op, run in groupby(enumerate(entries), key=lambda numbered: numbered[1]["op"]):
            if op == "assert":
                for batch in batches(({**entry, "number": number} for number, entry in run), BATCH):
                    self._assert(batch)
                continue
            for _, entry in run:
                one_by_one[op](entry)
        send(self.client, f"/v1/groups/{self.group}/import/end", {})

    def _assert(self, entries: Sequence[Mapping[str, Any]]) -> None:
        bodies = [{**self._claim(entry), "external_id": f"{entry['number']}"} for entry in entries]
        receipts = send(self.client, f"/v1/groups/{self.group}/claims", bodies)["claims"]
        for entry, receipt in zip(entries, receipts, strict=True):
            self.standing[entry["fact"]] = receipt["claim_id"]
            self.since[entry["fact"]] = entry

    def _set_valid_to(self, entry: Mapping[str, Any]) -> None:
        fact = entry["fact"]
        self.since[fact] = {**self.since[fact], **entry}
        body = {"claim": self._claim(self.since[fact])}
        self.standing[fact] = send(self.client, f"{self._path(fact)}/correct", body)["claim"]["claim_id"]

    def _retract(self, entry: Mapping[str, Any]) -> None:
        send(self.client, f"{self._path(entry['fact'])}/retract", {"recorded_at": instant(entry["tx"])})

    def _path(self, fact: str) -> str:
        return f"/v1/groups/{self.group}/claims/{self.standing[fact]}"

    def _claim(self, entry: Mapping[str, Any]) -> dict[str, Any]:
        """The fact as the entry says it, recorded and said on its day."""
        times = {"valid_from": entry["valid_from"], "valid_to": entry["valid_to"]}
        day = instant(entry["tx"])
        return {**claim({**self.facts[entry["fact"]], **times}), "recorded_at": day, "occurred_at": day}


def bitemporal(client: httpx.Client, group: str, data: Data, facts: Mapping[str, Fact]) -> Score:
    """What was known on one day to be true on another."""
    score, entries = Score("bitemporal"), data.lines("ledger")
    queries = data.lines("bitemporal_queries")
    if not entries:
        return score
    Ledger(client, group, facts).replay(entries)
    for query in queries:
        found, _ = beliefs(client, group, params_of(query))
        score.add(query, expected(query, facts), {triple for triple in found if asked_for(query, triple)})
    return score


def measured(client: httpx.Client, data: Data) -> dict[str, object]:
    group = f"bench-{uuid4().hex[:8]}"
    say("loading facts, with some that are to be refused among them")
    loaded = load_facts(client, group, data)
    facts = {fact["id"]: fact for fact in data.lines("facts")}
    say("as-of queries")
    right, seconds = as_of(client, group, data, facts)
    say("live counts")
    live = live_counts(client, group, data, facts)
    say("the ledger, and bitemporal queries")
    known = bitemporal(client, f"{group}-ledger", data, facts)
    times = milliseconds(seconds) if len(seconds) > 1 else {"p50": None, "p95": None}
    return {
        "as_of": right.figures(),
        "bitemporal": known.figures(),
        "live_counts": live.figures(),
        "rejected_right": loaded.refused_right,
        "rejected_wrong": loaded.refused_wrong,
        "repaired": sum(map(is_repaired, facts.values())),
        "load_claims_per_s": round(loaded.claims / loaded.seconds, 1) if loaded.seconds else None,
        "p50_ms": times["p50"],
        "p95_ms": times["p95"],
        "skipped": sorted(set(data.missing)),
    }


def main() -> None:
    arguments = parser(__doc__ or "")
    arguments.add_argument("--data", type=Path, required=True, help="the folder of facts and questions")
    options = arguments.parse_args()
    data = Data(options.data)
    with service(options) as running, running.client() as client:
        figures = measured(client, data)
    tell(figures, as_json=options.json)
    if data.missing:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
