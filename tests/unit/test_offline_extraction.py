"""What is plainly said gives a claim, what is not gives none. Said by Maya on 16 July 2025."""

import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from graphmem.extract.offline.extractor import PIECE, OfflineExtractor
from graphmem.model.claim import ClaimKind, Scalar
from graphmem.model.episode import ContentType, Episode, EpisodeRole
from graphmem.model.fragment import Fragment, ThingName
from graphmem.model.interval import BEGIN
from graphmem.model.projection.predicate import Cardinality, policy_of
from graphmem.model.projection.timeline import project
from graphmem.resolve.plan import resolve
from tests.episodes import stored

SAID = datetime(2025, 7, 16, 15, 0, tzinfo=UTC)
STARTS, HOLDS, ENDS = ClaimKind.STARTS, ClaimKind.HOLDS, ClaimKind.ENDS


def said(content: str, speaker: str | None = "Maya") -> Episode:
    return Episode(group_id="g", session="s", content=content, occurred_at=SAID, speaker=speaker)


def on(year: int, month: int = 1, day: int = 1) -> datetime:
    return datetime(year, month, day, tzinfo=UTC)


def target(fragment: Fragment) -> Scalar:
    (claim,) = fragment.claims
    return claim.object.name if claim.object else claim.value


@pytest.mark.parametrize(
    ("content", "kind", "subject", "predicate", "thing", "valid_from"),
    [
        ("I live in Lisbon.", STARTS, "Maya", "lives_in", "Lisbon", None),
        ("I do live in Rome.", STARTS, "Maya", "lives_in", "Rome", None),
        ("Since 2019 I live in Lisbon.", STARTS, "Maya", "lives_in", "Lisbon", on(2019)),
        ("I've lived in Rome since 2010.", STARTS, "Maya", "lives_in", "Rome", on(2010)),
        ("I still live in Lisbon.", HOLDS, "Maya", "lives_in", "Lisbon", None),
        ("I moved to Porto on 3 May.", STARTS, "Maya", "lives_in", "Porto", on(2025, 5, 3)),
        ("I've just moved to Porto!", STARTS, "Maya", "lives_in", "Porto", None),
        ("Guess what, I moved to Porto last week!", STARTS, "Maya", "lives_in", "Porto", on(2025, 7, 7)),
        ("I moved from Lisbon to Porto in May.", STARTS, "Maya", "lives_in", "Porto", on(2025, 5)),
        ("When I moved to Rome in 2010, I was young.", STARTS, "Maya", "lives_in", "Rome", on(2010)),
        ("I moved out of Lisbon.", ENDS, "Maya", "lives_in", "Lisbon", None),
        ("I left Lisbon in May.", ENDS, "Maya", "lives_in", "Lisbon", on(2025, 5)),
        ("I no longer live in Rome.", ENDS, "Maya", "lives_in", "Rome", None),
        ("Bruno lives in Madrid.", STARTS, "Bruno", "lives_in", "Madrid", None),
        ("I'm happy that I live in Porto.", STARTS, "Maya", "lives_in", "Porto", None),
        ("We work at Acme.", STARTS, "Maya", "works_at", "Acme", None),
        ("I'm working for Siemens now.", STARTS, "Maya", "works_at", "Siemens", None),
        ("I've been working at Acme for three years.", STARTS, "Maya", "works_at", "Acme", on(2022)),
        ("I started working at Nubank last week.", STARTS, "Maya", "works_at", "Nubank", on(2025, 7, 7)),
        ("I joined Nubank as a designer.", STARTS, "Maya", "works_at", "Nubank", None),
        ("I got a job at Nubank!", STARTS, "Maya", "works_at", "Nubank", None),
        ("I quit my job at Acme in April.", ENDS, "Maya", "works_at", "Acme", on(2025, 4)),
        ("I left Acme in June.", ENDS, "Maya", "works_at", "Acme", on(2025, 6)),
        ("I was laid off from Acme yesterday.", ENDS, "Maya", "works_at", "Acme", on(2025, 7, 15)),
        ("I don't work at Acme anymore.", ENDS, "Maya", "works_at", "Acme", None),
        ("I don't work at Acme any more.", ENDS, "Maya", "works_at", "Acme", None),
        ("I work as a nurse.", STARTS, "Maya", "works_as", "nurse", None),
        ("I'm married to Bruno.", STARTS, "Maya", "married_to", "Bruno", None),
        ("I married Bruno last year.", STARTS, "Maya", "married_to", "Bruno", on(2024)),
        ("Bruno and I got married on 14 June.", STARTS, "Maya", "married_to", "Bruno", on(2025, 6, 14)),
        ("Clara divorced Tom last year.", ENDS, "Clara", "married_to", "Tom", on(2024)),
        ("I love hiking.", STARTS, "Maya", "likes", "hiking", None),
        ("I enjoy aerial yoga.", STARTS, "Maya", "likes", "aerial yoga", None),
        ("I hate early mornings.", STARTS, "Maya", "dislikes", "early mornings", None),
        ("I bought a new bike for 300 euros.", STARTS, "Maya", "bought", "new bike", None),
        ("I own a bakery.", STARTS, "Maya", "owns", "bakery", None),
        ("We have a dog named Toby.", STARTS, "Maya", "owns", "Toby", None),
        ("I'm studying at MIT.", STARTS, "Maya", "studies", "MIT", None),
        ("I went back to Porto in July.", STARTS, "Maya", "visited", "Porto", on(2025, 7)),
        ("I have been to Rome.", STARTS, "Maya", "visited", "Rome", None),
        ("I know Clara from school.", STARTS, "Maya", "knows", "Clara", None),
        ("I met Clara yesterday.", STARTS, "Maya", "knows", "Clara", on(2025, 7, 15)),
        ("My name is Maya.", STARTS, "Maya", "named", "Maya", None),
        ("Please call me Mimi.", STARTS, "Maya", "named", "Mimi", None),
        ("I signed up for a pottery class yesterday.", STARTS, "Maya", "joined", "pottery class", on(2025, 7, 15)),
    ],
)
async def test_a_plain_sentence_is_one_claim(
    offline: OfflineExtractor,
    content: str,
    kind: ClaimKind,
    subject: str,
    predicate: str,
    thing: str,
    valid_from: datetime | None,
) -> None:
    fragment = await offline.extract(said(content))
    (claim,) = fragment.claims
    got = (claim.kind, claim.subject, claim.predicate, target(fragment), claim.valid_from)
    assert got == (kind, ThingName(subject, "person"), predicate, thing, valid_from)


@pytest.mark.parametrize(
    "content",
    [
        # denied
        "I don't live in Rome.",
        "I don’t really like guys who smoke, and I don’t live in Rome.",
        "I never lived in Rome.",
        "Nobody lives in Rome.",
        "I'm not married to Bruno.",
        "I did not marry Bruno.",
        "It's not true that Bruno lives in Madrid.",
        "My name is not Maya.",
        "Don't call me Mimi.",
        "I no longer like olives.",
        # possible, wished, planned
        "I might move to Rome.",
        "I may move to Rome next year.",
        "I would like to live in Rome.",
        "I'd love to live in Rome.",
        "I will move to Rome.",
        "I'm moving to Rome next month.",
        "I'm going to move to Rome.",
        "I want to buy a car.",
        "I almost bought a car.",
        "I can't wait to visit Rome.",
        "Let's move to Rome.",
        "Imagine I lived in Rome.",
        "I wish I lived in Rome.",
        "If I lived in Rome, I would be happy.",
        "If I move to Rome, I will buy a car.",
        "Unless Bruno lives in Rome, we meet here.",
        # asked
        "Do you live in Rome?",
        "Does Bruno live in Rome",
        "Have you visited Rome?",
        "I moved to Rome, didn't I?",
        "He asked whether Bruno lives in Madrid.",
        # guessed, or somebody else's words
        "I think Bruno lives in Madrid.",
        "Bruno lives in Madrid, I guess.",
        "Maybe Bruno lives in Madrid.",
        "Bruno probably lives in Madrid.",
        "I heard that Bruno moved to Madrid.",
        "According to Clara, Bruno lives in Madrid.",
        'He said "I live in Rome".',
        "She told me “I moved to Oslo last week.”",
        # over, or nobody knows when
        "I lived in Rome.",
        "I used to work at Acme.",
        "I've lived in Rome.",
        # not this thing, not this person
        "He lives in Rome.",
        "They moved to Oslo.",
        "Bruno's sister lives in Rome.",
        "Bruno or Clara lives in Rome.",
        "I have a friend who lives in Rome.",
        "Google moved to Dublin.",
        "I work at home.",
        "I live in fear.",
        "I moved on Friday.",
        "I love it!",
        "I love your photo.",
        "I love the way you think.",
        "I like people who listen.",
        "I have a meeting.",
        "We got married.",
        "I know that.",
        "My name is on the list.",
        "I bought it in 2019.",
        "I got a new puppy for you!",
        "I got a puppy for Clara.",
        "Bruno knows Bruno.",
    ],
)
async def test_what_is_not_plainly_said_is_no_claim(offline: OfflineExtractor, content: str) -> None:
    assert (await offline.extract(said(content))).claims == ()


async def test_what_it_is_not_is_no_claim(offline: OfflineExtractor) -> None:
    fragment = await offline.extract(said("I live in Faro, not in Tavira."))

    assert [claim.statement for claim in fragment.claims] == ["Maya lives in Faro."]


async def test_a_stated_span_has_both_ends(offline: OfflineExtractor) -> None:
    (claim,) = (await offline.extract(said("I lived in Rome from 2010 to 2015."))).claims
    assert (claim.kind, claim.valid_from, claim.valid_to) == (STARTS, on(2010), on(2016))
    assert claim.statement == "Maya lived in Rome."


async def test_coordinated_objects_and_verbs_are_claims_of_their_own(offline: OfflineExtractor) -> None:
    fragment = await offline.extract(
        said("Ana works at Volkswagen and lives in Berlin. I visited Rome, Paris and Oslo.")
    )
    assert [claim.statement for claim in fragment.claims] == [
        "Ana works at Volkswagen.",
        "Ana lives in Berlin.",
        "Maya visited Rome.",
        "Maya visited Paris.",
        "Maya visited Oslo.",
    ]


async def test_what_somebody_is_named_after_a_role_is_said_of_them(offline: OfflineExtractor) -> None:
    fragment = await offline.extract(said("My sister Ana lives in Rome."))
    assert [claim.statement for claim in fragment.claims] == ["Maya is a sibling of Ana.", "Ana lives in Rome."]


async def test_quote_and_mentions_are_exact_characters(offline: OfflineExtractor) -> None:
    content = "  😀 Hi!\n I moved to Porto last week.  Bye "
    fragment = await offline.extract(said(content))
    (claim,) = fragment.claims
    assert content[claim.quote_start : claim.quote_end] == "I moved to Porto last week."
    assert [(content[m.start : m.end], m.entity) for m in fragment.mentions] == [
        ("I", ThingName("Maya", "person")),
        ("Porto", ThingName("Porto", "place")),
    ]


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
            "assistant",
        ),
    ],
)
async def test_the_first_person_is_who_speaks(offline: OfflineExtractor, episode: Episode, subject: str | None) -> None:
    claimed = [claim.subject.name for claim in (await offline.extract(episode)).claims]
    assert claimed == ([] if subject is None else [subject])


async def test_nobody_known_says_i_and_documents_bring_no_news(offline: OfflineExtractor) -> None:
    content, kind = "I live in Rome. Franke moved to Los Angeles.", ContentType.DOCUMENT
    episode = Episode(group_id="g", session="s", content=content, occurred_at=SAID, content_type=kind)
    assert (await offline.extract(episode)).claims == ()


async def test_names_are_names(offline: OfflineExtractor) -> None:
    content = "Yep John, **Rome** 2024! Awww, on Monday Clara flies from Paris to ROM-1234567 😀."
    names = {mention.entity.name for mention in (await offline.extract(said(content))).mentions}
    assert {"John", "Clara", "Paris"} <= names
    assert not names & {"Yep John", "**Rome**", "Monday", "2024", "Awww"}


async def test_the_same_claim_twice_stands_at_two_quotes(offline: OfflineExtractor) -> None:
    claims = (await offline.extract(said("I live in Rome. Really. I live in Rome."))).claims
    assert [claim.quote_start for claim in claims] == [0, 24]


async def test_what_no_language_has_is_passed_over(offline: OfflineExtractor) -> None:
    content = "I live in Rome. " + "x" * 2 * PIECE + " " + "😀" * PIECE
    fragment = await offline.extract(said(content))
    assert [content[claim.quote_start : claim.quote_end] for claim in fragment.claims] == ["I live in Rome."]


def test_importing_the_extractor_does_not_import_spacy() -> None:
    code = "import sys, graphmem.extract.offline.extractor; sys.exit('spacy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("content", "statements", "until"),
    [
        ("I lived in Rome until 2015.", ["Maya lived in Rome.", "Maya no longer lives in Rome."], on(2015)),
        ("I worked at Acme until March.", ["Maya worked at Acme.", "Maya no longer works at Acme."], on(2025, 3)),
        ("I owned a boat until 2015.", ["Maya owned a boat.", "Maya no longer owns a boat."], on(2015)),
    ],
)
async def test_what_has_only_an_end_held_until_then(
    offline: OfflineExtractor, content: str, statements: list[str], until: datetime
) -> None:
    first, *others = (await offline.extract(said(content))).claims

    assert (first.kind, first.valid_from, first.valid_to) == (STARTS, None, until)
    assert [(other.kind, other.valid_from, other.valid_to) for other in others] == [(ENDS, until, None)] * len(others)
    assert [claim.statement for claim in (first, *others)] == statements


@pytest.mark.parametrize("cardinality", list(Cardinality))
@pytest.mark.parametrize("known", [None, on(2010)])
async def test_such_a_belief_ends_there_whatever_was_known_to_begin(
    offline: OfflineExtractor, cardinality: Cardinality, known: datetime | None
) -> None:
    told = resolve(
        stored(said("I lived in Rome until 2015.")), await offline.extract(said("I lived in Rome until 2015."))
    )
    lives = resolve(stored(said("I live in Rome.")), await offline.extract(said("I live in Rome."))).claims
    before = [replace(claim, valid_from=known, from_stated=True) for claim in lives if known]

    beliefs = project([*before, *told.claims], policy_of(cardinality, None))

    assert [belief.interval.end for belief in beliefs] == [on(2015)]


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


UNREAD = {
    "I live in Rome since the second moon of the harvest.": (STARTS, BEGIN, "since the second moon of the harvest"),
    "I moved to Rome when the pears were ripe.": (STARTS, BEGIN, "when the pears were ripe"),
    "I moved to Rome in the Henderson days.": (STARTS, BEGIN, "in the Henderson days"),
    "I moved to Rome on my birthday.": (STARTS, BEGIN, "on my birthday"),
    "I moved to Rome on 29 February 2023.": (STARTS, BEGIN, "on 29 February 2023"),
    "I moved to Rome before Christmas.": (STARTS, BEGIN, "before Christmas"),
    "I moved to Rome a few weeks before the war.": (STARTS, BEGIN, "a few weeks before the war"),
    "I moved to Rome the summer after the flood.": (STARTS, BEGIN, "the summer after the flood"),
    "I have lived in Rome for ages.": (STARTS, BEGIN, "for ages"),
    "I have lived in Rome since I was a student.": (STARTS, BEGIN, "since I was a student"),
    "I have lived in Rome ever since the wedding.": (STARTS, BEGIN, "ever since the wedding"),
    "I have lived in Rome all my life.": (STARTS, BEGIN, "all my life"),
    "I moved to Rome a while ago.": (STARTS, BEGIN, "a while ago"),
    "I moved to Oslo years ago.": (STARTS, BEGIN, "years ago"),
    "I moved to Rome back then.": (STARTS, BEGIN, "back then"),
    "I moved to Rome on September 31st.": (STARTS, BEGIN, "on September 31st"),
    "I moved to Rome on 2024-02-30.": (STARTS, BEGIN, "on 2024-02-30"),
    "I have lived in Rome for a while.": (STARTS, BEGIN, "for a while"),
    "I have lived in Rome since forever.": (STARTS, BEGIN, "since forever"),
    "I worked at Volkswagen until my burnout.": (ENDS, None, "until my burnout"),
    "I moved to Rome some time ago.": (STARTS, BEGIN, "some time ago"),
    "I moved to Rome around the turn of the millennium.": (STARTS, BEGIN, "around the turn of the millennium"),
    "I left Volkswagen at the height of the crisis.": (ENDS, None, "at the height of the crisis"),
    "I live in Rome until the pears are ripe.": (STARTS, None, "until the pears are ripe"),
    "I no longer work at Volkswagen since the merger.": (ENDS, None, "since the merger"),
    "I worked at Volkswagen until the merger.": (ENDS, None, "until the merger"),
    # Read, or no time of the state at all.
    "I live in Rome since I love it.": (STARTS, None, ""),
    "I live in Rome near the school.": (STARTS, None, ""),
    "I live in Rome until further notice.": (STARTS, None, ""),
    "I live in Rome in the winter.": (STARTS, None, ""),
    "I moved to Rome after I left Volkswagen in March.": (STARTS, on(2025, 3), ""),
    "I moved to Rome on Easter Monday.": (STARTS, on(2025, 4, 21), ""),
    "I was born on 3 May 1990. I moved to Rome on my 30th birthday.": (STARTS, on(2020, 5, 3), ""),
    "I left Volkswagen on 1 March 2025. Two weeks after that I moved to Rome.": (STARTS, on(2025, 3, 15), ""),
    "I left Volkswagen in May 2024. I slept. I moved to Rome when I left Volkswagen.": (STARTS, on(2024, 5), ""),
    "10 March 2024\nI moved to Rome.": (STARTS, on(2024, 3, 10), ""),
    "10 March 2024\nI moved to Rome yesterday.": (STARTS, on(2024, 3, 9), ""),
    "2024-03-10: I moved to Rome yesterday.": (STARTS, on(2024, 3, 9), ""),
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
        "I moved to Rome when the pears were ripe.": ["“when the pears were ripe” is no time that is understood"],
        "I moved to Rome in March.": [],
    }
    for content, why in expected.items():
        with subtests.test(content):
            fragment = await offline.extract(said(content))
            assert [each.why for each in fragment.unread_times] == why
