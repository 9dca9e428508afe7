"""Whether small lives that are told in chat are believed right at every date, through the API.

    python -m bench.lives --data FILE --json [--users] [--model] [--dump FILE]

Reads lives, a line each: `messages` of several sessions, and `checks`, each a state of a subject at an instant with
what is to be believed of it (`expect`) and what is not (`not`). Each life has a group of its own, and each session is
posted as one request, in the order of the file; messages at one instant stay so. A check that names `before:SESSION`
asks as known just before that session.

A belief says something of a state if the words for the state (`lives.toml`) are in its predicate or statement. A
check is right if each text of `expect` is in the statement, object, value, attributes or event of such a belief that
is asserted (of the states `later` in `lives.toml`: of one that is not denied), and no text of `not` is in the object,
value or attributes of such a belief that is asserted and, unless the state is `event`, no event. Case is ignored.
Where nobody has the name of the subject, beliefs count at whose ends a name has all its words, or has no others.

`by_kind` and `by_state` are right and total; `forbidden_believed` counts the checks with `not` in which some of it is
believed, `expected_missing` those with `expect` of which some is not; `ms_per_turn` is the time from the request
until all is digested.

`--users`: the first speaker of each life is the user `user`, and others take part under their names. `--model` reads
with the language model that is configured, and needs its key; where it gives no answer, the run ends. `--dump` writes a
line a check, with what is believed.
"""

import json
import os
import re
import tomllib
from argparse import Namespace
from collections import Counter, defaultdict
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

import httpx

from bench.common import NO_KEYS, Service, parser, running, say, service, started, tell, wait_until_digested
from graphmem.clock import utc_now

Body = dict[str, Any]

_TABLE = tomllib.loads((Path(__file__).parent / "lives.toml").read_text("utf-8"))
STATES = {state: re.compile(words) for state, words in _TABLE["words"].items()}
LATER = frozenset(_TABLE["later"])
USER = "user"
_APART = 0.1
"""Seconds between what is recorded, the mark, and what is recorded then."""
_EXTRACTION = "GRAPHMEM_PIPELINE_ENTITY_EXTRACTION"
OTHERS = "participant"
"""The role of who takes part and is not the user."""


@dataclass(frozen=True, slots=True)
class Check:
    """What is to be believed of a state of a subject, as of an instant and as known at a mark (None: now)."""

    subject: str
    state: str
    kind: str
    valid_at: str | None
    known_at: str | None
    expect: tuple[str, ...]
    forbidden: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Life:
    name: str
    messages: tuple[Body, ...]
    checks: tuple[Check, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check expects and is ``missing``, what it forbids and is believed (``wrong``), among these statements."""

    life: str
    check: Check
    missing: tuple[str, ...]
    wrong: tuple[str, ...]
    believed: tuple[str, ...]

    @property
    def right(self) -> bool:
        return not self.missing and not self.wrong


def read(path: Path) -> list[Life]:
    return [_life(json.loads(line)) for line in path.read_text("utf-8").splitlines() if line.strip()]


def _life(told: Mapping[str, Any]) -> Life:
    return Life(told["id"], tuple(told["messages"]), tuple(map(_check, told["checks"])))


def _check(told: Mapping[str, Any]) -> Check:
    times = told["valid_at"], told["known_at"]
    return Check(told["subject"], told["state"], told["kind"], *times, tuple(told["expect"]), tuple(told["not"]))


# telling --------------------------------------------------------------------------------------------------------------


def episodes(life: Life, session: str, *, users: bool) -> list[Body]:
    """The messages of a session as they are posted."""
    first = next(message["speaker"] for message in life.messages if message.get("speaker"))
    return [_episode(message, first if users else None) for message in life.messages if message["session"] == session]


def _episode(message: Mapping[str, Any], user: str | None) -> Body:
    told = {name: message[name] for name in ("content", "role", "session", "speaker") if message.get(name)}
    told["occurred_at"] = message["time"]
    if user is None or message["role"] != "user":
        return told
    return {**told, "user": USER} if message.get("speaker") == user else {**told, "role": OTHERS}


def tell_life(client: httpx.Client, group: str, life: Life, *, users: bool) -> tuple[dict[str, str], float]:
    """Post session by session; the instants before each, by its mark, and the seconds until all was digested."""
    marks, seconds = dict[str, str](), 0.0
    for session in dict.fromkeys(message["session"] for message in life.messages):
        sleep(_APART)
        marks[f"before:{session}"] = utc_now().isoformat()
        sleep(_APART)
        began = perf_counter()
        url, body = f"/v1/groups/{group}/episodes", episodes(life, session, users=users)
        client.post(url, json=body, params={"wait": 60}).raise_for_status()
        if failed := wait_until_digested(client, group)["failed"]:
            raise SystemExit(f"{group}: {failed} messages were not read.")
        seconds += perf_counter() - began
    return marks, seconds


# asking ---------------------------------------------------------------------------------------------------------------


def judged(client: httpx.Client, group: str, life: Life, marks: Mapping[str, str], *, users: bool) -> Iterator[Verdict]:
    for check in life.checks:
        times = {"valid_at": check.valid_at, "known_at": marks[check.known_at] if check.known_at else None}
        asked = {name: value for name, value in times.items() if value} | ({"user": USER} if users else {})
        yield verdict(life.name, check, _beliefs(client, group, check.subject, asked))


def _beliefs(client: httpx.Client, group: str, subject: str, asked: Mapping[str, str]) -> list[Body]:
    """All beliefs at the subject; else those at whose ends a name has all its words, or no others."""
    url = f"/v1/groups/{group}/graph"
    answer = client.get(url, params={"entity": subject, "limit": 1000, **asked})
    named: list[Body] = answer.json()["beliefs"] if answer.is_success else []
    if named:
        return named
    everything = client.get(url, params={"limit": 5000, **asked}).raise_for_status().json()["beliefs"]
    return [belief for belief in everything if any(_may_be(subject, end) for end in _ends(belief))]


def _may_be(subject: str, end: str) -> bool:
    words, others = set(subject.casefold().split()), set(end.casefold().split())
    return bool(words & others) and (words <= others or others <= words)


def _ends(belief: Body) -> tuple[str, str]:
    thing: Body = belief["object"] or {}
    return str(belief["subject"]["name"]), str(thing.get("name", ""))


def verdict(life: str, check: Check, beliefs: Sequence[Body]) -> Verdict:
    """What these beliefs, at the subject of a check, say of its state."""
    of_state = [belief for belief in beliefs if _speaks_of(belief, check.state)]
    return Verdict(
        life=life,
        check=check,
        missing=tuple(text for text in check.expect if not any(_says(one, text, check.state) for one in of_state)),
        wrong=tuple(text for text in check.forbidden if any(_holds(one, text, check.state) for one in of_state)),
        believed=tuple(f"{one['statement']} [{one['predicate']} {_status(one)}]" for one in of_state),
    )


def _speaks_of(belief: Body, state: str) -> bool:
    predicate = belief["predicate"]
    text = f"{predicate.replace('_', ' ')} {predicate} {belief['statement']}".casefold()
    return STATES[state].search(text) is not None


def _status(belief: Body) -> str:
    return belief.get("status") or "asserted"


def _says(belief: Body, text: str, state: str) -> bool:
    counts = _status(belief) == "asserted" or (state in LATER and _status(belief) != "negated")
    said = f"{belief['statement']} {_target(belief)} {belief.get('event') or ''}"
    return counts and text.casefold() in said.casefold()


def _holds(belief: Body, text: str, state: str) -> bool:
    counts = _status(belief) == "asserted" and not (belief.get("event") and state != "event")
    return counts and text.casefold() in _target(belief).casefold()


def _target(belief: Body) -> str:
    return f"{_ends(belief)[1]} {belief['value'] or ''} {belief['attributes'] or ''}"


# figures --------------------------------------------------------------------------------------------------------------


def figures(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    forbidding = [one for one in verdicts if one.check.forbidden]
    expecting = [one for one in verdicts if one.check.expect]
    return {
        "right": sum(one.right for one in verdicts),
        "total": len(verdicts),
        "by_kind": _shares((one.check.kind, one.right) for one in verdicts),
        "by_state": _shares((one.check.state, one.right) for one in verdicts),
        "forbidden_believed": [sum(bool(one.wrong) for one in forbidding), len(forbidding)],
        "expected_missing": [sum(bool(one.missing) for one in expecting), len(expecting)],
    }


def _shares(judged: Iterable[tuple[str, bool]]) -> dict[str, list[int]]:
    right, total = Counter[str](), defaultdict[str, int](int)
    for name, is_right in judged:
        right[name] += is_right
        total[name] += 1
    return {name: [right[name], total[name]] for name in sorted(total)}


def _line(one: Verdict) -> str:
    return json.dumps({**asdict(one), "right": one.right}, ensure_ascii=False)


# command line ---------------------------------------------------------------------------------------------------------


@contextmanager
def _service(arguments: Namespace) -> Generator[Service]:
    """The service that is named, else one that reads offline, or with the language model that is configured."""
    if arguments.url or not arguments.model:
        with service(arguments) as named:
            yield named
        return
    keys = {name: os.environ[name] for name in NO_KEYS if os.environ.get(name)}  # noqa: TID251 - of whoever pays
    if not keys:
        raise SystemExit(f"--model needs a key: set one of {', '.join(NO_KEYS)}.")
    chosen = json.loads(os.environ.get(_EXTRACTION, "{}"))  # noqa: TID251 - which model, and how
    with started({**keys, _EXTRACTION: json.dumps({**chosen, "fallback": "fail"})}) as data_dir:
        yield running(data_dir)


def main() -> None:
    arguments = parser(__doc__ or "")
    arguments.add_argument("--data", type=Path, required=True, help="lives, a line each")
    arguments.add_argument("--users", action="store_true", help="the first speaker is a user, others take part")
    arguments.add_argument("--model", action="store_true", help="read with the language model that is configured")
    arguments.add_argument("--dump", type=Path, help="a line a check, with what is believed")
    asked = arguments.parse_args()
    lives = read(asked.data)
    verdicts, seconds, turns = list[Verdict](), 0.0, 0
    with _service(asked) as running_service, running_service.client() as client:
        for life in lives:
            say(life.name)
            group = f"lives-{life.name}-{os.getpid()}"
            marks, took = tell_life(client, group, life, users=asked.users)
            seconds, turns = seconds + took, turns + len(life.messages)
            verdicts += judged(client, group, life, marks, users=asked.users)
    if asked.dump:
        asked.dump.write_text("".join(f"{_line(one)}\n" for one in verdicts), "utf-8")
    measured = {"lives": len(lives), "ms_per_turn": round(1000 * seconds / max(turns, 1), 1)}
    tell({**figures(verdicts), **measured}, as_json=asked.json)


if __name__ == "__main__":
    main()
