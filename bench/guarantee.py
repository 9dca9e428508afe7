"""Whether what must be known of a user is in every context for them, whatever they ask, and whatever else is known.

    python -m bench.guarantee --json [--users 200] [--queries 50] [--seed 1]

Tells facts of made-up users: from 5 to 200 of each, one to five of them constraints (allergies, diets, conditions), the
others tastes, habits and the like, with importances by chance. Then asks queries for contexts of users by chance, at
budgets from 100 to 4,000 tokens.

`held` are the contexts with all constraints of their user, of those that have `room` for all that must be known;
`named` those without that room, which name what they lack; `forgotten` the facts that must be known and are neither in
a context nor named by it; `crowded_out` the contexts that lack one and have a turn, passage, summary or belief.
"""

from argparse import Namespace
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

import httpx

from bench.common import parser, say, service, tell

BUDGETS = (100, 250, 500, 1_000, 2_000, 4_000)
GROUP = "guarantee"
_PORTION = 500
_AT = "2025-03-01T09:00:00Z"
CONSTRAINTS = (
    "is allergic to {}", "cannot eat {}", "must never be given {}", "has a severe reaction to {}", "takes no {}",
)  # fmt: skip
THINGS = (
    "peanuts", "latex", "penicillin", "shellfish", "gluten", "lactose", "sesame", "eggs", "wasp stings", "ibuprofen",
    "soy", "kiwi", "pollen", "aspirin", "mustard", "celery", "alcohol", "pork", "caffeine", "nickel",
)  # fmt: skip
TASTES = {
    "preference": ("likes the colour {}", "prefers {} to anything else", "would rather have {}"),
    "habit": ("starts the day with {}", "does {} on Sundays"),
    "hobby": ("collects {}", "paints {}"),
    "goal": ("wants to learn about {}",),
}
NOUNS = (
    "blue", "teal", "ochre", "Thai food", "long walks", "jazz", "chess", "old maps", "night trains", "short answers",
    "black tea", "window seats", "crosswords", "rye bread", "paper books", "cold water", "linen", "rain", "tango",
)  # fmt: skip
QUERIES = (
    "Order me something for lunch.", "Which gift would please me?", "Plan my weekend.", "What did we say about trains?",
    "Book a table for two.", "What should I read?", "Write my shopping list.", "What colour shall the wall be?",
    "Suggest a hobby.", "Can I take something for my headache?",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class User:
    """A made-up user, with the statements of their constraints and of their other facts."""

    name: str
    constraints: tuple[str, ...]
    others: tuple[tuple[str, str, float], ...]


def users(count: int, seed: int) -> list[User]:
    """So many of them, the same for the same seed."""
    chance = Random(seed)  # noqa: S311 - no secret
    return [_user(f"user-{number}", chance) for number in range(count)]


def _user(name: str, chance: Random) -> User:
    facts, sure = chance.randint(5, 200), chance.randint(1, 5)
    constraints = {f"{name} {chance.choice(CONSTRAINTS).format(thing)}." for thing in chance.sample(THINGS, sure)}
    others = [_other(name, number, chance) for number in range(facts - len(constraints))]
    return User(name, tuple(sorted(constraints)), tuple(others))


def _other(name: str, number: int, chance: Random) -> tuple[str, str, float]:
    category = chance.choice(sorted(TASTES))
    said = chance.choice(TASTES[category]).format(f"{chance.choice(NOUNS)} no. {number}")
    return category, f"{name} {said}.", round(chance.uniform(0.3, 1), 2)


def claims(user: User, chance: Random) -> Iterator[dict[str, Any]]:
    """The facts of a user as `POST …/claims` takes them."""
    constraints = [("constraint", statement, round(chance.uniform(0.1, 1), 2)) for statement in user.constraints]
    for category, statement, importance in (*constraints, *user.others):
        yield {
            "subject": {"name": user.name, "type": "person"},
            "predicate": f"{category}.told",
            "value": statement,
            "statement": statement,
            "category": category,
            "importance": importance,
            "occurred_at": _AT,
            "user": user.name,
        }


def told(client: httpx.Client, made_up: list[User], seed: int) -> None:
    chance = Random(seed)  # noqa: S311 - no secret
    every = [claim for user in made_up for claim in claims(user, chance)]
    for start in range(0, len(every), _PORTION):
        say(f"{start:,} of {len(every):,} facts")
        body = every[start : start + _PORTION]
        client.post(f"/v1/groups/{GROUP}/claims", json=body).raise_for_status()


def asked(client: httpx.Client, user: User, query: str, budget: int) -> dict[str, int]:
    """What one context held, of what it had to."""
    body = {"query": query, "user": user.name, "max_tokens": budget}
    answer = client.post(f"/v1/groups/{GROUP}/context", json=body).raise_for_status().json()
    lines = [line for part in answer["parts"] for line in part["lines"]]
    shown = {line["text"] for line in lines if line["kind"] == "profile"}
    missing = set(user.constraints) - shown
    named = sum(len(one["guaranteed"]) for one in answer["left_out"])
    beside = any(line["kind"] != "profile" for line in lines)
    return {
        "room": named == 0,
        "held": named == 0 and not missing,
        "named": named > 0,
        "forgotten": max(0, len(missing) - named),
        "crowded_out": bool(missing) and beside,
    }


def figures(client: httpx.Client, options: Namespace) -> dict[str, object]:
    made_up = users(options.users, options.seed)
    told(client, made_up, options.seed)
    chance = Random(options.seed)  # noqa: S311 - no secret
    by_budget: dict[int, Mapping[str, int]] = {}
    for budget in BUDGETS:
        found = [asked(client, chance.choice(made_up), chance.choice(QUERIES), budget) for _ in range(options.queries)]
        by_budget[budget] = {name: sum(one[name] for one in found) for name in found[0]}
    total = {name: sum(one[name] for one in by_budget.values()) for name in by_budget[BUDGETS[0]]}
    return {
        "held_where_they_fit": round(total["held"] / max(1, total["room"]), 4),
        **total,
        "contexts": len(BUDGETS) * options.queries,
        "facts": sum(len(user.constraints) + len(user.others) for user in made_up),
        "by_budget": by_budget,
    }


def main() -> None:
    arguments = parser(__doc__ or "")
    arguments.add_argument("--users", type=int, default=200)
    arguments.add_argument("--queries", type=int, default=50, help="at each budget")
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    with service(options) as running, running.client() as client:
        tell(figures(client, options), as_json=options.json)


if __name__ == "__main__":
    main()
