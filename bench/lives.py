"""Whether a life that is told over months is believed as it was: at each instant the right values, and no wrong ones.

    python -m bench.lives --data FILE --json [--users] [--model] [--dump FILE]

FILE has a life a line: `messages` (session, role, speaker, time, content) and `checks` (subject, state, valid_at,
known_at, expect, not, kind). Each life is a group, each of its sessions one request, in the order of its messages;
messages of one time keep their place in the list. `known_at` of a check is null, or `before:SESSION`: the instant
before that session was posted.

Each check is one `GET graph` of its subject; where nothing is believed of that name, the beliefs count that have an end
whose name has all words of the subject's, or the other way round. A belief counts for a state if one of the state's
patterns (`lives.toml`) is in its predicate or statement. A check is right if

* each text of `expect` is in the statement, names or value of such a belief that is asserted (of a state of the future:
  that is not denied), and
* no text of `not` is in the object, value or attributes of such a belief that is asserted and, but for the state
  `event`, no event.

Case is ignored. `forbidden_believed` counts the checks that believe what they forbid, of those that forbid something;
`expected_missing` those that lack what they expect, of those that expect something. `ms_per_turn` is the time of the
requests, until all is digested, without the pauses around the instants that are noted.

With `--users` each life is the memory of its first speaker, who is its `user`; other speakers are participants. With
`--model` the language model reads that is configured (your `graphmem.toml`, `ANTHROPIC_API_KEY` …); without it, all is
read offline. A service that `--url` names reads as it is configured. `--dump` writes a line for each check with its
verdict and what was found, and a line for each belief at any instant that a check asks for.
"""

import json
import re
import tomllib
from argparse import Namespace
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter, sleep
from typing import Any
from uuid import uuid4

import httpx

from bench.common import parser, say, service, tell
from bench.locomo import Body
from graphmem.clock import utc_now
from graphmem.extract.providers import Extractors
from graphmem.model.episode import EpisodeRole
from graphmem.settings import load_settings

MOST = 1_000, 5_000
"""Beliefs of one entity, and of a whole group, that one answer holds."""
PAUSES = 0.4, 0.1
"""Seconds before and after an instant is noted, so that it lies between what was written before and after."""
WAIT = 60
PARTICIPANT = "participant" if "participant" in {str(role) for role in EpisodeRole} else str(EpisodeRole.USER)
"""The role of people who are not the user, of a service that has it; else a user's, told apart by name."""

Belief = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class States:
    """``lives.toml``: the pattern of each state, and the states of the future."""

    patterns: Mapping[str, re.Pattern[str]]
    of_any_status: frozenset[str]

    @classmethod
    def read(cls) -> "States":
        table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
        patterns = {state: re.compile("|".join(each)) for state, each in table["states"].items()}
        return cls(patterns, frozenset(table["of_any_status"]))

    def matching(self, beliefs: Iterable[Belief], state: str) -> list[Belief]:
        return [belief for belief in beliefs if self.patterns[state].search(_about(belief))]

    def expected(self, belief: Belief, text: str, state: str) -> bool:
        """Whether the belief says what a check expects."""
        counts = _status(belief) == "asserted" or (state in self.of_any_status and _status(belief) != "negated")
        return counts and text.casefold() in _whole(belief).casefold()

    def forbidden(self, belief: Belief, text: str, state: str) -> bool:
        """Whether the belief holds what a check forbids."""
        counts = _status(belief) == "asserted" and (not belief.get("event") or state == "event")
        return counts and text.casefold() in _target(belief).casefold()


def _status(belief: Belief) -> str:
    return belief.get("status") or "asserted"


def _about(belief: Belief) -> str:
    predicate = belief["predicate"]
    return f"{predicate.replace('_', ' ')} {predicate} {belief['statement']}".casefold()


def _object(belief: Belief) -> str:
    return belief["object"]["name"] if belief["object"] else ""


def _whole(belief: Belief) -> str:
    values = (belief["statement"], _object(belief), belief["value"] or "", belief["attributes"])
    return " ".join(map(str, (*values, belief.get("event") or "")))


def _target(belief: Belief) -> str:
    return f"{_object(belief)} {belief['value'] or ''} {belief['attributes'] or ''}"


# the lives ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Life:
    name: str
    messages: Sequence[Mapping[str, Any]]
    checks: Sequence[Mapping[str, Any]]

    @property
    def sessions(self) -> list[str]:
        return list(dict.fromkeys(message["session"] for message in self.messages))

    @property
    def first_speaker(self) -> str:
        return next(message["speaker"] for message in self.messages if message.get("speaker"))

    def posted(self, session: str, user: str | None) -> list[Body]:
        """The bodies of one session's messages, in the memory of a user or in everybody's."""
        return [_body(message, user) for message in self.messages if message["session"] == session]


def _body(message: Mapping[str, Any], user: str | None) -> Body:
    body = {"content": message["content"], "session": message["session"], "occurred_at": message["time"]}
    speaker, role = message.get("speaker"), message["role"]
    named = {"speaker": speaker} if speaker else {}
    if user is None:
        return {**body, **named, "role": role}
    is_other = role == EpisodeRole.USER and speaker != user
    return {**body, **named, "role": PARTICIPANT if is_other else role, "user": user}


def read(path: Path) -> list[Life]:
    lives = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    return [Life(life["id"], life["messages"], life["checks"]) for life in lives]


# through the API ------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Memory:
    """A group that is told a life. ``marks``: the instant before each session was posted."""

    client: httpx.Client
    group: str
    user: str | None = None
    marks: dict[str, str] = field(default_factory=dict[str, str])
    seconds: float = 0.0

    def hear(self, life: Life) -> None:
        for session in life.sessions:
            sleep(PAUSES[0])
            self.marks[f"before:{session}"] = utc_now().isoformat()
            sleep(PAUSES[1])
            began = perf_counter()
            self._post(life.posted(session, self.user))
            self.seconds += perf_counter() - began

    def _post(self, bodies: Sequence[Body]) -> None:
        """Post in one request, and wait until all is digested.

        Raises:
            SystemExit: an episode was not digested.
        """
        path = f"/v1/groups/{self.group}"
        self.client.post(f"{path}/episodes", json=bodies, params={"wait": WAIT}).raise_for_status()
        while (work := self.client.get(path).raise_for_status().json()["work"])["pending"]:
            sleep(0.5)
        if work["failed"]:
            raise SystemExit(f"{self.group}: {work['failed']} turns failed.")

    def asked(self, check: Mapping[str, Any]) -> list[Belief]:
        """What is believed of the subject of a check; where that is nothing, of whoever goes by a part of the name."""
        if beliefs := self._graph(check, limit=MOST[0], entity=check["subject"]):
            return beliefs
        return [belief for belief in self.everything(check) if is_named(belief, check["subject"])]

    def everything(self, check: Mapping[str, Any]) -> list[Belief]:
        """What is believed at the instants of a check."""
        return self._graph(check, limit=MOST[1])

    def _graph(self, check: Mapping[str, Any], **asked: Any) -> list[Belief]:
        times = {"valid_at": check["valid_at"], "known_at": self.marks.get(check["known_at"] or ""), "user": self.user}
        params = {**asked, **{name: value for name, value in times.items() if value}}
        answer = self.client.get(f"/v1/groups/{self.group}/graph", params=params)
        if answer.status_code in {404, 409}:  # nobody has the name, or several have
            return []
        return answer.raise_for_status().json()["beliefs"]


def is_named(belief: Belief, name: str) -> bool:
    """Whether an end of the belief has a name that has all words of this name, or whose words are all in it."""
    words = set(name.casefold().split())
    ends = (set(end.casefold().split()) for end in (belief["subject"]["name"], _object(belief)))
    return any(words & end and (words <= end or end <= words) for end in ends)


# figures --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Verdict:
    """A check with the beliefs that count for it, what it expects and lacks, and what it forbids and is believed."""

    life: str
    check: Mapping[str, Any]
    counted: tuple[Belief, ...]
    missing: tuple[str, ...]
    wrong: tuple[str, ...]

    @property
    def right(self) -> bool:
        return not self.missing and not self.wrong

    def line(self) -> str:
        got = [f"{belief['statement']} [{belief['predicate']} {_status(belief)}]" for belief in self.counted]
        verdict = {"right": self.right, "missing": self.missing, "wrong": self.wrong, "got": got}
        return json.dumps({"life": self.life, **self.check, **verdict}, ensure_ascii=False)


def judged(states: States, life: str, check: Mapping[str, Any], beliefs: Iterable[Belief]) -> Verdict:
    state = check["state"]
    counted = tuple(states.matching(beliefs, state))
    missing = (text for text in check["expect"] if not any(states.expected(each, text, state) for each in counted))
    wrong = (text for text in check["not"] if any(states.forbidden(each, text, state) for each in counted))
    return Verdict(life, check, counted, tuple(missing), tuple(wrong))


def figures(verdicts: Sequence[Verdict]) -> dict[str, object]:
    forbidding = [verdict for verdict in verdicts if verdict.check["not"]]
    expecting = [verdict for verdict in verdicts if verdict.check["expect"]]
    return {
        "right": sum(verdict.right for verdict in verdicts),
        "total": len(verdicts),
        "by_kind": _by(verdicts, "kind"),
        "by_state": _by(verdicts, "state"),
        "forbidden_believed": [sum(bool(verdict.wrong) for verdict in forbidding), len(forbidding)],
        "expected_missing": [sum(bool(verdict.missing) for verdict in expecting), len(expecting)],
    }


def _by(verdicts: Iterable[Verdict], key: str) -> dict[str, list[int]]:
    counts = defaultdict[str, Counter[bool]](Counter)
    for verdict in verdicts:
        counts[verdict.check[key]][verdict.right] += 1
    return {name: [count[True], count.total()] for name, count in sorted(counts.items())}


def believed(memory: Memory, life: Life) -> Iterator[str]:
    """A line for each belief at any instant that a check of the life asks for."""
    instants = {(check["valid_at"], check["known_at"]): check for check in life.checks}
    each = {belief["id"]: belief for check in instants.values() for belief in memory.everything(check)}
    for belief in each.values():
        yield json.dumps({"life": life.name, "belief": belief}, ensure_ascii=False)


def measure(client: httpx.Client, lives: Sequence[Life], *, users: bool, dump: Path | None) -> dict[str, object]:
    run, states = f"lives-{uuid4().hex[:8]}", States.read()
    verdicts, lines, seconds = list[Verdict](), list[str](), 0.0
    for life in lives:
        memory = Memory(client, f"{run}-{life.name}", life.first_speaker if users else None)
        memory.hear(life)
        seconds += memory.seconds
        told = [judged(states, life.name, check, memory.asked(check)) for check in life.checks]
        say(f"{life.name}: {sum(verdict.right for verdict in told)} of {len(told)} right")
        verdicts += told
        if dump:
            lines += [*(verdict.line() for verdict in told), *believed(memory, life)]
    if dump:
        dump.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    turns = sum(len(life.messages) for life in lives)
    return {**figures(verdicts), "lives": len(lives), "ms_per_turn": round(1000 * seconds / max(turns, 1), 1)}


def is_model_configured() -> bool:
    reader = Extractors(load_settings()).closer
    return reader is not None and reader.is_model


def main(arguments: Namespace) -> None:
    if not arguments.data.is_file():
        raise SystemExit(f"{arguments.data} is absent: nothing was measured.")
    if arguments.model and not arguments.url and not is_model_configured():
        raise SystemExit("No language model is configured: nothing was measured. Set ANTHROPIC_API_KEY or the like.")
    lives = read(arguments.data)
    with service(arguments, offline=not arguments.model) as running, running.client() as client:
        measured = measure(client, lives, users=arguments.users, dump=arguments.dump)
    tell(measured, as_json=arguments.json)


if __name__ == "__main__":
    options = parser(__doc__ or "")
    options.add_argument("--data", type=Path, required=True, help="lives, one JSON object a line")
    options.add_argument("--users", action="store_true", help="each life is the memory of its first speaker")
    options.add_argument("--model", action="store_true", help="read by the language model that is configured")
    options.add_argument("--dump", type=Path, help="where to write each check with its verdict, and each belief")
    main(options.parse_args())
