"""Whatever the text, offline extraction answers, the same twice, and every span lies in the text."""

import asyncio
from datetime import UTC, datetime
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.extract.dates import find_dates
from graphmem.extract.offline import OfflineExtractor, readable
from graphmem.extract.spans import is_name
from graphmem.model.episode import Episode
from graphmem.model.fragment import Fragment

PLAIN = (
    *("I", "my", "name", "is", "Bruno", "Clara", "and", "live", "lives", "moved", "work", "left", "married", "love"),
    *("sister", "Anna", "she", "She", "was", "born", "a", "nurse", "don't", "eat", "meat", "maya@example.com", "#A-12"),
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


@cache
def extractor() -> OfflineExtractor:
    return OfflineExtractor()


def read(content: str, occurred_at: datetime) -> Fragment:
    episode = Episode(group_id="g", session="s", content=content, occurred_at=occurred_at, speaker="Maya")
    return asyncio.run(extractor().extract(episode))


@settings(max_examples=150, deadline=None)
@given(TEXTS, INSTANTS)
def test_any_text_is_read_the_same_twice_with_spans_inside_it(content: str, occurred_at: datetime) -> None:
    fragment = read(content, occurred_at)
    assert fragment == read(content, occurred_at)
    for mention in fragment.mentions:
        assert 0 <= mention.start < mention.end <= len(content)
        written = readable(content)[mention.start : mention.end]
        meant = mention.entity.name == "Maya" or written.casefold() in ("he", "she")
        assert meant or mention.entity.name.casefold() == " ".join(written.split()).casefold()
    for claim in fragment.claims:
        quote = content[claim.quote_start : claim.quote_end]
        assert quote
        assert quote == quote.strip()
        assert claim.subject != claim.object
        assert (claim.object is None) != (claim.value is None)
        assert claim.valid_from is None or claim.valid_from <= occurred_at
        assert claim.valid_to is None or claim.valid_to > (claim.valid_from or occurred_at)


@settings(max_examples=300, deadline=None)
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
