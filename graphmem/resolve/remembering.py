"""What an episode says beside its text: the name that a user's turn carries, and that it is to be remembered."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files

from graphmem.model.claim import AssertedBy, Category, ClaimKind
from graphmem.model.episode import Episode, EpisodeRole
from graphmem.model.fragment import REMEMBERED, Fragment, ProposedClaim, ThingName
from graphmem.model.persons import DISPLAY_NAME, person_named, person_of_user

IMPORTANCE = 0.8
"""Of what somebody asks to be remembered."""
LONGEST_REMEMBERED = 10_000
"""In code points: a longer text is a document, and no fact."""
OF_NOBODY = (
    "It is not known whom that is about, so it became no fact: set `user`, `subject` or `speaker`, and post it again."
)
TOO_LONG = f"It has more than {LONGEST_REMEMBERED:,} characters, so it became no fact: say what matters in it."
_OF_A_NAME = 0.1
"""Importance of what is claimed of every turn."""


def display_name(episode: Episode) -> ProposedClaim | None:
    """The claim that a user goes by the name that their turn carries, which stands nowhere in the text."""
    name = person_named(episode.speaker or "")
    if name is None or episode.role is not EpisodeRole.USER or not episode.user:
        return None
    return ProposedClaim(
        kind=ClaimKind.STARTS,
        subject=person_of_user(episode.user, name.name),
        predicate=DISPLAY_NAME,
        value=name.name,
        statement=f"{episode.user} goes by {name.name}.",
        quote_start=0,
        quote_end=0,
        confidence=1.0,
        importance=_OF_A_NAME,
    )


def as_remembered(episode: Episode, fragment: Fragment, speaker: ThingName | None) -> Fragment:
    """The fragment, with the whole text as a fact about whom it concerns; as it is where nothing says whom."""
    about = _about(episode, fragment, speaker)
    text = episode.content.strip()
    if about is None or len(text) > LONGEST_REMEMBERED:
        return fragment
    fact = ProposedClaim(
        kind=ClaimKind.STARTS,
        subject=about,
        predicate=REMEMBERED,
        value=text,
        statement=text,
        quote_start=0,
        quote_end=len(episode.content),
        confidence=1.0,
        importance=IMPORTANCE,
        category=category_by_wording(text),
        asserted_by=AssertedBy.PERSON,
    )
    return replace(fragment, claims=(*fragment.claims, fact))


def _about(episode: Episode, fragment: Fragment, speaker: ThingName | None) -> ThingName | None:
    """Whom the session is about; else its user, whoever speaks; else the speaker; else who or what is named first."""
    if episode.subject and (subject := person_named(episode.subject)):
        return subject
    if episode.user and episode.role is not EpisodeRole.PARTICIPANT:
        return person_of_user(episode.user, episode.speaker or "" if episode.role is EpisodeRole.USER else "")
    first = min(fragment.mentions, key=lambda mention: mention.start, default=None)
    return speaker or (first and first.entity)


def category_by_wording(text: str) -> Category:
    """The first category of which a phrase stands in the text; OTHER of none."""
    folded = " ".join(text.casefold().replace("’", "'").split())
    return next((category for category, phrase in _phrases().items() if phrase.search(folded)), Category.OTHER)


@lru_cache(maxsize=1)
def _phrases() -> Mapping[Category, re.Pattern[str]]:
    read = tomllib.loads(files("graphmem.resolve").joinpath("remembering.toml").read_text(encoding="utf-8"))
    return {Category(name): re.compile("|".join(_alternatives(table))) for name, table in read.items()}


def _alternatives(table: Mapping[str, str]) -> Iterator[str]:
    for place, before in (("begins", r"(?:^|[.!?;:\n-] *)(?:please |also |and )?"), ("has", r"(?<!\w)")):
        if phrases := table.get(place, "").strip().splitlines():
            yield rf"{before}(?:{'|'.join(map(re.escape, phrases))})(?!\w)"
