"""Names whose letters the parser has not learned, or that are words: they stay as they are written."""

from datetime import UTC, datetime

import pytest

from graphmem.extract.offline.shapes import shapes
from graphmem.extract.offline.spoken import Word, joined
from graphmem.model.claim import ClaimKind
from graphmem.model.entity import normalise_name
from graphmem.model.episode import Episode
from graphmem.model.fragment import Context, Fragment, ThingName
from tests.models import extractor

SAID_AT = datetime(2025, 5, 3, 10, tzinfo=UTC)


async def read(content: str) -> Fragment:
    return await extractor().extract(
        Episode(group_id="g", session="s", speaker="Maya", content=content, occurred_at=SAID_AT)
    )


NAMES = {
    "I work with C++ and C#.": {"C++", "C#"},
    "I know F# and .NET.": {"F#", ".NET"},
    "I work at H&M.": {"H&M"},
    "I work at AT&T, as you know.": {"AT&T"},
    "I moved to A Coruña.": {"A Coruña"},
    "I live in 's-Hertogenbosch.": {"'s-Hertogenbosch"},
    "We live in ’t Goy.": {"’t Goy"},
    "My sister is O'Brien-Smith.": {"O'Brien-Smith"},
    "My colleague is Nguyễn Văn An.": {"Nguyễn Văn An"},
    "I was born in Łódź.": {"Łódź"},
    "김민수 is my colleague.": {"김민수"},
    "My colleague is 김민수.": {"김민수"},
    "I work at Acme Inc.": {"Acme Inc."},
    "I work at IBM.": {"IBM"},
    "June lives in Leeds.": {"June", "Leeds"},
    "May works at Acme.": {"May", "Acme"},
    "Will is my brother.": {"Will"},
    "Grace moved to Oslo.": {"Grace", "Oslo"},
    "I met April in Paris.": {"April", "Paris"},
    "My sister June lives in Leeds.": {"June", "Leeds"},
    "June was hot.": set[str](),
    "In May I had a cold.": set[str](),
    "Will you come?": set[str](),
    "Grace is a virtue.": set[str](),
}


async def test_names_keep_their_characters_and_words_that_are_names_are_told_from_others(
    subtests: pytest.Subtests,
) -> None:
    for content, expected in NAMES.items():
        with subtests.test(content):
            names = {mention.entity.name for mention in (await read(content)).mentions}
            assert {name for name in names if not name.startswith("Maya")} == expected


HOMES = {
    "I moved to Rio.": ("lives_in", "Rio", "place"),
    "I moved to Nowa Huta last year.": ("lives_in", "Nowa Huta", "place"),
    "We moved to Saint-Denis.": ("lives_in", "Saint-Denis", "place"),
    "I joined Stripe as an engineer in June.": ("works_at", "Stripe", "organization"),
    "I left Initech last Friday.": ("works_at", "Initech", "organization"),
    "I work at Nowakowski & Sons.": ("works_at", "Nowakowski & Sons", "organization"),
}


async def test_what_a_predicate_takes_is_what_its_object_is(subtests: pytest.Subtests) -> None:
    for content, expected in HOMES.items():
        with subtests.test(content):
            claims = (await read(content)).claims
            assert [
                (each.predicate, *_object(each.object))
                for each in claims
                if not each.open and each.predicate == expected[0]
            ] == [expected]


def _object(thing: object) -> tuple[str, str]:
    return getattr(thing, "name", ""), getattr(thing, "type", "")


async def test_a_common_noun_is_no_home(subtests: pytest.Subtests) -> None:
    for content in ("I moved to another team.", "I moved to finance in March.", "I moved to the other desk."):
        with subtests.test(content):
            assert [each for each in (await read(content)).claims if each.predicate == "lives_in"] == []


async def test_neither_nor_denies(subtests: pytest.Subtests) -> None:
    for content in ("Neither Anna nor Bob works at Acme.", "Neither Anna nor I live in Rome."):
        with subtests.test(content):
            assert not any(each.kind.asserts for each in (await read(content)).claims)


def test_a_word_that_goes_on_behind_a_name_is_cut() -> None:
    text = "at H&M."
    words = [Word("at", 0, 2), Word("H&M.", 3, 7)]
    assert [(word.text, word.written, word.start, word.end) for word in joined(words, shapes(text), text)] == [
        ("at", "", 0, 2),
        ("HM", "H&M", 3, 6),
        (".", "", 6, 7),
    ]


def test_a_sign_before_a_number_is_none_of_the_key(subtests: pytest.Subtests) -> None:
    for name, key in {"#1042": "1042", "# 7": "7", "C#": "c#", "#launch": "#launch", "A-10442": "a-10442"}.items():
        with subtests.test(name):
            assert normalise_name(name) == key


async def test_what_the_session_knows_as_an_organization_is_none_that_the_tagger_takes_for_a_person() -> None:
    known = Context(known=(ThingName("Adler Optik", "organization"),))
    episode = Episode(
        group_id="g", session="s", speaker="Lena", content="I left Adler Optik last Friday.", occurred_at=SAID_AT
    )
    read = await extractor().extract(episode, known)
    assert [(one.kind, one.predicate, one.object and one.object.name) for one in read.claims] == [
        (ClaimKind.ENDS, "works_at", "Adler Optik")
    ]
