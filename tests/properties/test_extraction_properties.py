"""Whatever the text, offline extraction answers, the same twice, and every span lies in the text."""

import asyncio
from datetime import UTC, datetime
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.extract.findings import Findings, naming, settled
from graphmem.extract.llm.extractor import spans_of
from graphmem.extract.offline.claims.subjects import capitalised
from graphmem.extract.offline.dates.finder import find_dates
from graphmem.extract.offline.extractor import OfflineExtractor
from graphmem.extract.offline.names import is_name
from graphmem.extract.offline.providers import RegexProvider, Strategy
from graphmem.extract.pieces import readable
from graphmem.model.episode import Episode, EpisodeRole
from graphmem.model.fragment import ALONE, Context, ContextTurn, Fragment, ProposedMention, ThingName

PLAIN = (
    *("I", "my", "name", "is", "Bruno", "Clara", "and", "live", "lives", "moved", "work", "left", "married", "love"),
    *("sister", "Anna", "she", "She", "was", "born", "a", "nurse", "don't", "eat", "meat", "maya@example.com", "#A-12"),
    *(
        "you",
        "You",
        "your",
        "my name is",
        "I live in",
        "every morning",
        "always",
        "never",
        "Hi",
        "are",
        "best friend",
        "!",
    ),
    *("at", "to", "in", "from", "since", "until", "the", "Rome", "Acme", "2019", "May", "yesterday", "999 years ago"),
)
ODD = (
    "not",
    "n't",
    "'s",
    "?",
    ".",
    ":",
    "-",
    "\n",
    "  ",
    "😀",
    "\u202e",
    "\x00",
    "\ud800",
    "`",
    "**",
    "שלום",
    '"',
    "“",
    "”",
)
WORDS = st.sampled_from((*PLAIN, *ODD))
SPOKEN = st.lists(WORDS, max_size=25).map(" ".join)
TEXTS = st.one_of(st.text(max_size=300), SPOKEN, st.lists(WORDS, max_size=9).map("".join))
FIRST, LAST = datetime(1, 1, 2), datetime(9999, 12, 30)  # noqa: DTZ001 - hypothesis adds the zone
INSTANTS = st.datetimes(min_value=FIRST, max_value=LAST, timezones=st.just(UTC))


SPEAKERS = st.one_of(st.none(), st.sampled_from(("Maya", "Bruno", "Clara Berg", " ", "\x07")), st.text(max_size=20))
TURNS = st.builds(ContextTurn, role=st.sampled_from(EpisodeRole), speaker=SPEAKERS, content=TEXTS, occurred_at=INSTANTS)
KNOWN = st.lists(
    st.builds(ThingName, st.text(min_size=1, max_size=20), st.sampled_from(("person", "place"))), max_size=3
)
CONTEXTS = st.builds(Context, turns=st.lists(TURNS, max_size=5).map(tuple), known=KNOWN.map(tuple))


@cache
def extractor(strategy: Strategy) -> OfflineExtractor:
    return OfflineExtractor(strategy)


def read(strategy: Strategy, content: str, occurred_at: datetime, context: Context) -> Fragment:
    episode = Episode(group_id="g", session="s", content=content, occurred_at=occurred_at, speaker="Maya")
    return asyncio.run(extractor(strategy).extract(episode, context))


@pytest.mark.parametrize("strategy", list(Strategy))
@given(TEXTS, INSTANTS, CONTEXTS)
def test_any_text_in_any_context_is_read_the_same_twice_with_spans_inside_it(
    strategy: Strategy, content: str, occurred_at: datetime, context: Context
) -> None:
    fragment = read(strategy, content, occurred_at, context)
    assert fragment == read(strategy, content, occurred_at, context)
    speakers = {"maya", *(" ".join((turn.speaker or "").split()).casefold() for turn in context.turns)}
    pronouns = {"he", "she", "i", "me", "my", "we", "our", "you", "your"}
    for mention in fragment.mentions:
        assert 0 <= mention.start < mention.end <= len(content)
        written = " ".join(readable(content)[mention.start : mention.end].split())
        name = mention.entity.name
        assert (
            name in (written, capitalised(written))  # what is written small is named as names are written
            or name.endswith(f"'s {written}")
            or (written.casefold() in pronouns and (name.casefold() in speakers or name in " ".join(content.split())))
        )
    for claim in fragment.claims:
        quote = content[claim.quote_start : claim.quote_end]
        assert quote
        assert quote == quote.strip()
        assert claim.subject != claim.object
        assert (claim.object is None) != (claim.value is None)
        assert claim.valid_from is None or claim.valid_from <= occurred_at
        assert claim.valid_to is None or claim.valid_to > (claim.valid_from or occurred_at)


@given(TEXTS, st.lists(st.tuples(st.integers(0, 300), st.integers(1, 20)), max_size=6))
def test_what_a_model_names_and_identifiers_are_joined_without_overlaps(
    content: str, spans: list[tuple[int, int]]
) -> None:
    named = [
        ProposedMention(entity=ThingName("Acme", "organization"), start=start, end=start + length)
        for start, length in spans
        if start + length <= len(content)
    ]
    episode = Episode(group_id="g", session="s", content=content, occurred_at=FIRST.replace(tzinfo=UTC))
    formed = RegexProvider().read(episode, readable(content), ALONE)
    mentions, _ = settled([Findings(spans_of(named)), naming(formed)])
    ends = [0, *(mention.end for mention in mentions)]
    assert all(mention.start >= end for mention, end in zip(mentions, ends, strict=False))


@given(TEXTS, INSTANTS)
def test_dates_lie_in_the_text_and_never_start_later_than_they_are_said(content: str, said_at: datetime) -> None:
    for dated in find_dates(content, said_at):
        assert 0 <= dated.start < dated.end <= len(content)
        assert dated.valid_from is None or dated.valid_from <= said_at
        assert dated.valid_from or dated.valid_to


@given(st.text(max_size=250))
def test_a_name_has_a_letter_and_no_control_characters(text: str) -> None:
    if is_name(text):
        assert text.isprintable()
        assert any(character.isalpha() for character in text)
