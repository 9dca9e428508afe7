"""Fourteen months, or six weeks, of three users who talk to two agents: what they say and do, day by day."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from graphmem.model.episode import Episode, EpisodeRole

START = datetime(2031, 1, 6, tzinfo=UTC)
"""A Monday."""
MARKERS = {"ann": "quokka", "bob": "narwhal", "cid": "axolotl"}
"""A word of each user, which stands in much of what that one says, and in nothing of the others."""
USERS = tuple(MARKERS)
AGENTS = ("coach", "guide")
LATE_DAY = 8
"""The day after whose talk something was said that arrives only on another day."""

_THINGS = ("lamp", "kite", "drum", "boat", "clock", "piano", "tent", "sofa", "flute", "stove", "ladder", "mirror")
_COLOURS = ("green", "blue", "red", "white")
_PLACES = ("mill", "canal", "bridge", "orchard", "quarry")


@dataclass(frozen=True, slots=True)
class Length:
    """So many days; on one of ``every`` so many, a user says so many ``turns``. ``workshop``: turns of one long day.

    What is answered is kept at so many instants, and asked for again at each later one.
    """

    days: int
    every: int
    turns: int
    instants: int
    workshop: int = 0


SHORT = Length(days=42, every=1, turns=4, instants=2)
FULL = Length(days=425, every=1, turns=7, instants=5, workshop=110)


def user_of(length: Length, day: int) -> str:
    return USERS[(day // length.every) % len(USERS)]


def said_on(group: str, length: Length, day: int) -> list[Episode]:
    """The turns of a day: one session of one user with one agent, from nine o'clock on."""
    if day % length.every:
        return []
    user, number = user_of(length, day), day // length.every // len(USERS)
    turns = length.workshop if length.workshop and day == length.days // 2 else length.turns
    words = [*_facts(user, number), *_talk(user, day, turns)][:turns]
    return [_turn(group, user, day, minute, text) for minute, text in enumerate(words)]


def said_late(group: str, length: Length) -> Episode:
    """A turn in the middle of a talk that was summarised long ago."""
    user = user_of(length, LATE_DAY)
    return _turn(group, user, LATE_DAY, 1, f"The {MARKERS[user]} ferry was late that day because of fog.", seconds=30)


def _turn(group: str, user: str, day: int, minute: int, text: str, *, seconds: int = 0) -> Episode:
    agent = AGENTS[day // 2 % len(AGENTS)]
    return Episode(
        group_id=group,
        session=f"{agent} {day}",
        content=text,
        occurred_at=START + timedelta(days=day, hours=9, minutes=minute, seconds=seconds),
        role=EpisodeRole.USER,
        speaker=user.capitalize(),
        user=user,
        agent=agent,
    )


def _facts(user: str, number: int) -> list[str]:
    """Three things that somebody says of themselves, others each time; in the end they come again."""
    marker, thing = MARKERS[user], _THINGS[number % len(_THINGS)]
    every = [
        f"I own a {marker} {thing}.",
        "Please always answer in short and plain words.",
        f"As a hobby I paint {marker} {thing}s.",
        "Please always answer in very short and plain words.",
        f"My favourite colour is {_COLOURS[number % len(_COLOURS)]}.",
        f"I plan to learn the {thing}.",
        f"I'm allergic to {marker} {thing} oil.",
        f"I promise to call {thing.capitalize()}.",
        f"My name is {user.capitalize()} {marker.capitalize()}.",
    ]
    first = 3 * number % len(every)
    return [*every[first : first + 3]] if number else [every[0], every[2], every[8]]


def _talk(user: str, day: int, turns: int) -> Iterator[str]:
    for turn in range(turns):
        place, thing = _PLACES[(day + turn) % len(_PLACES)], _THINGS[(day + 5 * turn) % len(_THINGS)]
        yield f"The {MARKERS[user]} society by the {place} shipped {100 * day + turn} crates with a {thing} each."
