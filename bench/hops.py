"""Whether questions that need several beliefs are answered by the right path, through the API.

    python -m bench.hops --json [--beliefs 10000] [--questions 100] [--seed 1]

Tells at least so many beliefs about made-up people, firms, teams, projects, cities: structured claims, of which some
changed on 1 June 2025. Then asks questions that one, two or three of them answer, in words of their own, half of them
of before that day (`valid_at`). `first` is the share of questions of which the first hit is the belief, or the path of
beliefs, that answers them, `first_ten` of which one of the first ten is.
"""

from argparse import Namespace
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from random import Random
from statistics import mean
from time import perf_counter
from typing import Any

import httpx

from bench.common import milliseconds, parser, say, service, tell

GROUP = "hops"
_PORTION = 500
BEGAN, CHANGED, BEFORE, AFTER = (f"2025-{month:02}-01T00:00:00Z" for month in (1, 6, 3, 9))

_GIVEN = (
    "Ada", "Bo", "Cleo", "Dan", "Edda", "Finn", "Gita", "Hugo", "Ines", "Jon", "Kira", "Lars", "Mina", "Nils", "Orla",
)  # fmt: skip
_FAMILY = (
    "Abara", "Brandt", "Castro", "Duarte", "Ekman", "Ferri", "Gruber", "Haddad", "Ivanov", "Jansen", "Kowal", "Lind",
)  # fmt: skip
_SOUNDS = ("ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "ne", "pi", "ra", "so", "tu", "ve", "wi", "zu")

Triple = tuple[str, str, str]

PREDICATES: Mapping[str, tuple[str, str, bool]] = {
    "works_on": ("person", "project", True),
    "works_at": ("person", "organization", False),
    "boss": ("person", "person", True),
    "partner": ("person", "person", False),
    "lives_in": ("person", "city", True),
    "owns": ("person", "product", False),
    "plays": ("person", "instrument", False),
    "deployed_to": ("project", "region", True),
    "owned_by": ("project", "team", False),
    "led_by": ("team", "person", True),
    "based_in": ("organization", "city", False),
    "located_in": ("city", "country", False),
}
"""By predicate of what it is said, what it leads to, and whether it changed."""
QUESTIONS: Sequence[tuple[tuple[str, ...], str]] = (
    (("lives_in",), "Where does {} live?"),
    (("works_on",), "Which project does {} work on?"),
    (("boss",), "Who is the boss of {}?"),
    (("works_at",), "Who employs {}? Which company is it?"),
    (("deployed_to",), "Which region is {} deployed to?"),
    (("works_on", "deployed_to"), "Which region is the project {} works on deployed to?"),
    (("boss", "lives_in"), "Where does {}'s boss live?"),
    (("lives_in", "located_in"), "Which country is the city in which {} lives located in?"),
    (("works_at", "based_in"), "In which city is the company that employs {} based?"),
    (("partner", "works_at"), "Which firm does {}'s husband or wife work for?"),
    (("works_on", "owned_by"), "Which team owns the project on which {} is working?"),
    (("owned_by", "led_by"), "Who leads the team by which {} is owned?"),
    (("boss", "plays"), "What instrument does the manager of {} play?"),
    (("boss", "works_on", "deployed_to"), "Which region is the project that {}'s boss works on deployed to?"),
    (("partner", "lives_in", "located_in"), "In which country is the city located where {}'s partner lives?"),
    (("works_on", "owned_by", "led_by"), "Who leads the team that owns the project {} works on?"),
    (("boss", "works_at", "based_in"), "In which city is the company based for which the boss of {} works?"),
)


@dataclass(slots=True)
class World:
    """What is so before the change, and after it: objects by subject and predicate."""

    before: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    after: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    names: dict[str, list[str]] = field(default_factory=lambda: defaultdict[str, list[str]](list))


def made(random: Random, beliefs: int) -> World:
    world, used = World(), set[str]()
    people = next(people for people in count(1) if _beliefs_of(_counts(people)) >= beliefs)
    for kind, wanted in _counts(people).items():
        while len(world.names[kind]) < wanted:
            name = _name(random, kind)
            if name not in used:
                used.add(name)
                world.names[kind].append(name)
    for predicate, (of, to, changes) in PREDICATES.items():
        for subject in world.names[of]:
            first, then = (random.choice([one for one in world.names[to] if one != subject]) for _ in range(2))
            world.before[subject, predicate] = first
            world.after[subject, predicate] = then if changes and random.random() < 0.3 else first
    return world


def _counts(people: int) -> dict[str, int]:
    counts = {"person": people, "project": people // 4, "organization": people // 8, "team": people // 10}
    return counts | {"city": people // 10, "country": 40, "region": 40, "product": people // 3, "instrument": 60}


def _beliefs_of(counts: Mapping[str, int]) -> int:
    """How many beliefs are told at a time: one of each predicate of everything that it is said of."""
    return sum(counts[of] for of, _, _ in PREDICATES.values())


def _name(random: Random, kind: str) -> str:
    if kind == "person":
        middle = "".join(random.choice(_SOUNDS) for _ in range(2)).title()
        return f"{random.choice(_GIVEN)} {middle} {random.choice(_FAMILY)}"
    word = "".join(random.choice(_SOUNDS) for _ in range(random.randint(2, 4))).title()
    return {"region": f"{word.lower()}-{random.randint(1, 9)}", "team": f"Team {word}"}.get(kind, word)


def claims(world: World) -> Iterator[dict[str, Any]]:
    for (subject, predicate), object_ in world.before.items():
        yield _claim(subject, predicate, object_, BEGAN)
        if (then := world.after[subject, predicate]) != object_:
            yield {**_claim(subject, predicate, object_, CHANGED), "kind": "ends"}
            yield _claim(subject, predicate, then, CHANGED)


def _claim(subject: str, predicate: str, object_: str, since: str) -> dict[str, Any]:
    of, to, _ = PREDICATES[predicate]
    return {
        "subject": {"name": subject, "type": of},
        "predicate": predicate,
        "object": {"name": object_, "type": to},
        "valid_from": since,
        "occurred_at": since,
    }


def answer(facts: Mapping[tuple[str, str], str], start: str, predicates: Sequence[str]) -> list[Triple] | None:
    """The beliefs that answer a question; None where they lead back to where they were."""
    path, at, been = list[Triple](), start, {start}
    for predicate in predicates:
        path.append((at, predicate, facts[at, predicate]))
        at = facts[at, predicate]
        if at in been:
            return None
        been.add(at)
    return path


def beliefs_of(hit: Mapping[str, Any]) -> list[Triple]:
    thing = hit["thing"]
    rows = thing["beliefs"] if hit["kind"] == "path" else [thing] if hit["kind"] == "relationship" else []
    return [(row["subject"]["name"], row["predicate"], row["object"]["name"]) for row in rows]


def measure(client: httpx.Client, arguments: Namespace) -> dict[str, object]:
    random = Random(arguments.seed)  # noqa: S311 - the same questions every time
    world = made(random, arguments.beliefs)
    told = list(claims(world))
    say(f"{len(told)} claims")
    for at in range(0, len(told), _PORTION):
        client.post(f"/v1/groups/{GROUP}/claims", json=told[at : at + _PORTION]).raise_for_status()
    found = defaultdict[int, list[tuple[bool, bool]]](list)
    seconds = list[float]()
    for number in range(arguments.questions * len(QUESTIONS) // 4):
        predicates, wording = QUESTIONS[number % len(QUESTIONS)]
        start = random.choice(world.names[PREDICATES[predicates[0]][0]])
        early = random.random() < 0.5
        expected = answer(world.before if early else world.after, start, predicates)
        if expected is None:
            continue
        body = {"query": wording.format(start), "valid_at": BEFORE if early else AFTER}
        began = perf_counter()
        hits = client.post(f"/v1/groups/{GROUP}/search", json=body).raise_for_status().json()["hits"]
        seconds.append(perf_counter() - began)
        shown = [beliefs_of(hit) == expected for hit in hits]
        found[len(predicates)].append((any(shown[:1]), any(shown)))
    took = milliseconds(seconds)
    return {
        "hops": {
            str(hops): {
                "first": round(mean(first for first, _ in found[hops]), 4),
                "first_ten": round(mean(among for _, among in found[hops]), 4),
                "n": len(found[hops]),
            }
            for hops in sorted(found)
        },
        "beliefs": len(world.before),
        "p50_ms": took["p50"],
        "p95_ms": took["p95"],
    }


if __name__ == "__main__":
    options = parser(__doc__ or "")
    options.add_argument("--beliefs", type=int, default=10_000)
    options.add_argument("--questions", type=int, default=100, help="so many for every four wordings")
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    with service(given) as running, running.client() as asking:
        tell(measure(asking, given), as_json=given.json)
