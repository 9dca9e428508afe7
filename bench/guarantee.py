"""Whether what must be known of a user is in every context for them, whatever they ask, and whatever else is known.

    python -m bench.guarantee --json [--users 200] [--queries 50] [--seed 1]

Tells facts of made-up users: from 5 to 200 of each, one to five of them constraints (allergies, diets, conditions), the
others tastes, habits and the like, with importances by chance; and a few turns of each, in a session. Then asks queries
for contexts of users by chance, at budgets from 100 to 4,000 tokens.

`room` are the contexts whose budget is as large as a context of all that must be known of the user alone; `held` those
of them with all constraints. `forgotten` are constraints that are neither in a context nor named by it; `crowded_out`
the contexts that lack one and have a turn, passage, summary or belief.
"""

from argparse import Namespace
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

import httpx

from bench.common import parser, say, service, tell, wait_until_digested

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
TURNS = ("The train was late again.", "There was a queue at the bakery.", "It rained until noon, and then it snowed.")
LIMITS = ("facts", "beliefs", "passages", "summaries", "window", "earlier")
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
    for number, (category, statement, importance) in enumerate((*constraints, *user.others)):
        yield {
            "subject": {"name": user.name, "type": "person"},
            "predicate": f"{category}.told_{number}",
            "value": statement,
            "statement": statement,
            "category": category,
            "importance": importance,
            "occurred_at": _AT,
            "user": user.name,
        }


def told(client: httpx.Client, made_up: list[User], seed: int) -> None:
    """Tell what is made up, by portions."""
    chance = Random(seed)  # noqa: S311 - no secret
    every = [claim for user in made_up for claim in claims(user, chance)]
    for start in range(0, len(every), _PORTION):
        say(f"{start:,} of {len(every):,} facts")
        body = every[start : start + _PORTION]
        client.post(f"/v1/groups/{GROUP}/claims", json=body).raise_for_status()
    turns = [
        {
            "content": f"{content} ({number})",
            "occurred_at": _AT,
            "session": user.name,
            "user": user.name,
            "role": "assistant",
        }
        for user in made_up
        for number, content in enumerate(TURNS)
    ]
    for start in range(0, len(turns), _PORTION):
        client.post(f"/v1/groups/{GROUP}/episodes", json=turns[start : start + _PORTION]).raise_for_status()
    wait_until_digested(client, GROUP)


def context(client: httpx.Client, user: User, query: str, budget: int, **limits: int) -> dict[str, Any]:
    body = {"query": query, "user": user.name, "session": user.name, "max_tokens": budget, **limits}
    return client.post(f"/v1/groups/{GROUP}/context", json=body).raise_for_status().json()


def lines_of(answer: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [line for part in answer["parts"] for line in part["lines"]]


def asked(client: httpx.Client, user: User, query: str, budget: int) -> dict[str, int]:
    """What one context held, of what it had to."""
    alone = context(client, user, query, BUDGETS[-1], **dict.fromkeys(LIMITS, 0))
    ids = {line["id"] for line in lines_of(alone) if line["text"] in user.constraints}
    if len(ids) < len(user.constraints):
        raise SystemExit(f"{user.name} has constraints that no context holds.")
    answer = context(client, user, query, budget)
    missing = ids - {line["id"] for line in lines_of(answer)}
    named = {id_ for one in answer["left_out"] for id_ in one["guaranteed"]}
    room = budget >= alone["tokens"]
    return {
        "room": room,
        "held": room and not missing,
        "forgotten": len(missing - named),
        "crowded_out": bool(missing) and any(line["kind"] != "profile" for line in lines_of(answer)),
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
