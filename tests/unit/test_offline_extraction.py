"""What is said gives claims with their quotes, names and times, whoever says it. Said by Maya on 16 July 2025."""

import subprocess
import sys

import pytest

from graphmem.extract.offline.extractor import PIECE, OfflineExtractor
from graphmem.model.claim import ClaimKind
from graphmem.model.episode import Episode, EpisodeRole
from graphmem.model.fragment import ThingName
from graphmem.model.interval import BEGIN
from tests.unit.sayings import SAID, document, on, said

STARTS, ENDS = ClaimKind.STARTS, ClaimKind.ENDS


async def test_quote_and_mentions_are_exact_characters(offline: OfflineExtractor) -> None:
    content = "  😀 Hi!\n I moved to Porto last week.  Bye "
    fragment = await offline.extract(said(content))
    (claim,) = fragment.claims
    assert content[claim.quote_start : claim.quote_end] == "I moved to Porto last week."
    assert [(content[m.start : m.end], m.entity) for m in fragment.mentions] == [("Porto", ThingName("Porto", "place"))]


@pytest.mark.parametrize(
    ("episode", "subject"),
    [
        (said("I live in Rome.", speaker=None), None),
        (said("I live in Rome.", speaker=" \x07 "), None),
        (Episode(group_id="g", session="s", content="I live in Rome.", occurred_at=SAID, user="ana"), "ana"),
        (
            Episode(
                group_id="g",
                session="s",
                content="I live in Rome.",
                occurred_at=SAID,
                user="ana",
                role=EpisodeRole.ASSISTANT,
            ),
            None,
        ),
    ],
)
async def test_the_first_person_is_who_speaks(offline: OfflineExtractor, episode: Episode, subject: str | None) -> None:
    claimed = [claim.subject.name for claim in (await offline.extract(episode)).claims]
    assert claimed == ([] if subject is None else [subject])


async def test_nobody_known_says_i_and_documents_bring_no_news(offline: OfflineExtractor) -> None:
    assert (await offline.extract(document("I live in Rome. Franke moved to Los Angeles."))).claims == ()


async def test_names_are_names(offline: OfflineExtractor) -> None:
    content = "Yep John, **Rome** 2024! Awww, on Monday Clara flies from Paris to ROM-1234567 😀."
    names = {mention.entity.name for mention in (await offline.extract(said(content))).mentions}
    assert {"John", "Clara", "Paris"} <= names
    assert not names & {"Yep John", "**Rome**", "Monday", "2024", "Awww"}


async def test_the_same_claim_twice_stands_at_two_quotes(offline: OfflineExtractor) -> None:
    content = "My e-mail is ines@example.com. Again: my e-mail is ines@example.com."
    claims = (await offline.extract(said(content))).claims
    assert [claim.quote_start for claim in claims if claim.predicate == "email"] == [0, 31]


async def test_what_no_language_has_is_passed_over(offline: OfflineExtractor) -> None:
    content = "I live in Rome. " + "x" * 2 * PIECE + " " + "😀" * PIECE
    fragment = await offline.extract(said(content))
    assert [content[claim.quote_start : claim.quote_end] for claim in fragment.claims] == ["I live in Rome."]


def test_importing_the_extractor_does_not_import_spacy() -> None:
    code = "import sys, graphmem.extract.offline.extractor; sys.exit('spacy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("content", "days"),
    [
        ("I visited Rome on 3 May 2024.", ("2024-05-03", "2024-05-04")),
        ("We went to Rome in April 2024.", ("2024-04-01", "2024-05-01")),
        ("I visited Rome.", None),
        ("I moved to Rome on 3 May 2024.", None),
    ],
)
async def test_what_happened_on_days_that_are_said_is_an_event(
    offline: OfflineExtractor, content: str, days: tuple[str, str] | None
) -> None:
    (claim,) = (await offline.extract(said(content))).claims
    assert days == (claim.event and tuple(day.date().isoformat() for day in claim.event))
    assert claim.event is None or claim.event[0] == claim.valid_from


@pytest.mark.parametrize(
    "content",
    [
        "My neighbour told me, 'I got a new job at Spotify.'",
        "Mum texted: ‘We moved to Porto! I bought a boat.’",
        "> I bought a new drone",
        "Forwarded message:\nHi, I moved to Dublin and bought a dog. -- Sean",
        "----- Original Message -----\nI work at Initech.\nI live in Rome.",
    ],
)
async def test_the_words_of_others_are_not_the_speakers(offline: OfflineExtractor, content: str) -> None:
    episode = said(content)
    claims = [claim for claim in (await offline.extract(episode)).claims if claim.subject.name == episode.speaker]
    assert {claim.predicate for claim in claims} <= {"has"}


@pytest.mark.parametrize(
    "content", ["I don't like the kids' room. I moved to Porto.", "I'm 'bout to sing rock 'n' roll. I moved to Porto."]
)
async def test_an_apostrophe_is_no_quotation_mark(offline: OfflineExtractor, content: str) -> None:
    assert "lives_in" in {claim.predicate for claim in (await offline.extract(said(content))).claims}


async def test_an_identifier_is_a_mention_beside_names_and_claims(offline: OfflineExtractor) -> None:
    content = "Anna, write to anna.berg@example.com about order #A-10293 for $20."
    mentions = {(m.entity.type, content[m.start : m.end]) for m in (await offline.extract(said(content))).mentions}
    assert {("email", "anna.berg@example.com"), ("order", "A-10293")} <= mentions
    assert not {kind for kind, _ in mentions} & {"money", "date"}


def test_strategies_propose_under_versions_of_their_own() -> None:
    assert OfflineExtractor("fast").version != OfflineExtractor().version


UNREAD = {
    "I live in Rome since the second moon of the harvest.": (STARTS, BEGIN, "since the second moon of the harvest"),
    "I moved to Rome on my birthday.": (STARTS, BEGIN, "on my birthday"),
    "I moved to Rome on 29 February 2023.": (STARTS, BEGIN, "on 29 February 2023"),
    "I moved to Rome before Christmas.": (STARTS, BEGIN, "before Christmas"),
    "I moved to Rome a few weeks before the war.": (STARTS, BEGIN, "a few weeks before the war"),
    "I have lived in Rome for ages.": (STARTS, BEGIN, "for ages"),
    "I have lived in Rome since I was a student.": (STARTS, BEGIN, "since I was a student"),
    "I moved to Rome a while ago.": (STARTS, BEGIN, "a while ago"),
    "I moved to Oslo years ago.": (STARTS, BEGIN, "years ago"),
    "I moved to Rome on September 31st.": (STARTS, BEGIN, "on September 31st"),
    "I moved to Rome on 2024-02-30.": (STARTS, BEGIN, "on 2024-02-30"),
    "I have lived in Rome for a while.": (STARTS, BEGIN, "for a while"),
    "I have lived in Rome since forever.": (STARTS, BEGIN, "since forever"),
    "I worked at Volkswagen until my burnout.": (ENDS, None, "until my burnout"),
    "I moved to Rome some time ago.": (STARTS, BEGIN, "some time ago"),
    "I moved to Rome around the turn of the millennium.": (STARTS, BEGIN, "around the turn of the millennium"),
    "I no longer work at Volkswagen since the merger.": (ENDS, None, "since the merger"),
    "I worked at Volkswagen until the merger.": (ENDS, None, "until the merger"),
    # Read, or no time of the state at all.
    "I live in Rome near the school.": (STARTS, None, ""),
    "I live in Rome until further notice.": (STARTS, None, ""),
    "I moved to Rome after I left Volkswagen in March.": (STARTS, on(2025, 3), ""),
    "I moved to Rome on Easter Monday.": (STARTS, on(2025, 4, 21), ""),
    "I was born on 3 May 1990. I moved to Rome on my 30th birthday.": (STARTS, on(2020, 5, 3), ""),
    "I left Volkswagen on 1 March 2025. Two weeks after that I moved to Rome.": (STARTS, on(2025, 3, 15), ""),
    "10 March 2024\nI moved to Rome.": (STARTS, on(2024, 3, 10), ""),
    "It's been two months since I moved to Rome.": (STARTS, on(2025, 5), ""),
    "I moved to Rome on 3/5/2025.": (STARTS, on(2025, 5, 3), ""),
    "I moved to Rome three years ago.": (STARTS, on(2022), ""),
}


async def test_a_time_that_nobody_can_read_leaves_the_start_unknown(
    offline: OfflineExtractor, subtests: pytest.Subtests
) -> None:
    for content, expected in UNREAD.items():
        with subtests.test(content):
            claims = (await offline.extract(said(content))).claims
            found = [(claim.kind, claim.valid_from, claim.time_unread) for claim in claims if not claim.open]
            assert expected in found


async def test_what_is_not_read_of_times_is_said_with_its_reason(
    offline: OfflineExtractor, subtests: pytest.Subtests
) -> None:
    expected = {
        "I moved to Rome on 29 February 2023.": ["29 February 2023 does not exist"],
        "The invoice of 31 April 2024 is lost.": ["31 April 2024 does not exist"],
        "I moved to Rome before the war.": ["“before the war” is no time that is understood"],
        "I moved to Rome in March.": [],
    }
    for content, why in expected.items():
        with subtests.test(content):
            fragment = await offline.extract(said(content))
            assert [each.why for each in fragment.unread_times] == why
