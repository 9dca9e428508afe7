"""One row a pattern: what it claims of plain sentences, and what it refuses. Said by Maya on 16 July 2025."""

from datetime import UTC, datetime

import pytest

from graphmem.extract.offline.extractor import OfflineExtractor
from graphmem.extract.offline.providers import Strategy
from graphmem.extract.offline.tables.predicates import ENDED, PREDICATES, STATEMENTS, SYMMETRIC
from graphmem.model.claim import ClaimKind
from graphmem.model.episode import ContentType, Episode
from graphmem.model.fragment import Fragment

SAID = datetime(2025, 7, 16, 15, 0, tzinfo=UTC)


def said(content: str, content_type: ContentType = ContentType.MESSAGE) -> Episode:
    speaker = None if content_type is ContentType.DOCUMENT else "Maya"
    return Episode(
        group_id="g", session="s", content=content, occurred_at=SAID, speaker=speaker, content_type=content_type
    )


def told(fragment: Fragment) -> list[tuple[str, str, str]]:
    return [
        (claim.subject.name, claim.predicate, claim.object.name if claim.object else str(claim.value))
        for claim in fragment.claims
    ]


@pytest.mark.parametrize(
    ("content", "subject", "predicate", "thing"),
    [
        # what somebody is to somebody
        ("My sister Anna called.", "Maya", "sibling_of", "Anna"),
        ("I visited my brother Tom yesterday.", "Maya", "sibling_of", "Tom"),
        ("Anna is my sister.", "Maya", "sibling_of", "Anna"),
        ("My sister is Anna.", "Maya", "sibling_of", "Anna"),
        ("Anna’s my sister.", "Maya", "sibling_of", "Anna"),
        ("Tom's my best friend.", "Maya", "friend_of", "Tom"),
        ("I'm one of Tom's best friends.", "Maya", "friend_of", "Tom"),
        ("I'm a friend of Tom's.", "Maya", "friend_of", "Tom"),
        ("I’m 26.", "Maya", "age", "26"),
        ("I’m only 26 now.", "Maya", "age", "26"),
        ("My sister's name is Anna.", "Maya", "sibling_of", "Anna"),
        ("My sister is called Anna.", "Maya", "sibling_of", "Anna"),
        ("I have a sister named Anna.", "Maya", "sibling_of", "Anna"),
        ("I have a brother, Tom.", "Maya", "sibling_of", "Tom"),
        ("Anna, my sister, is here.", "Maya", "sibling_of", "Anna"),
        ("Do you know my sister Anna?", "Maya", "sibling_of", "Anna"),
        ("I might call my sister Anna.", "Maya", "sibling_of", "Anna"),
        ("It happened to my roommate Denise.", "Maya", "lives_with", "Denise"),
        ("I told you that my friend, Clara, called.", "Maya", "friend_of", "Clara"),
        ("My mother, Carla, called.", "Carla", "parent_of", "Maya"),
        ("Carla is my mother.", "Carla", "parent_of", "Maya"),
        ("Our son is named Leo.", "Maya", "parent_of", "Leo"),
        ("My daughter Ella is asleep.", "Maya", "parent_of", "Ella"),
        ("My cousin Dana called.", "Maya", "relative_of", "Dana"),
        ("Clara is Bruno's wife.", "Clara", "married_to", "Bruno"),
        ("Clara is the wife of Bruno.", "Clara", "married_to", "Bruno"),
        ("My boyfriend Bruno called.", "Maya", "partner_of", "Bruno"),
        ("I'm dating Bruno.", "Maya", "partner_of", "Bruno"),
        ("I'm going out with Bruno.", "Maya", "partner_of", "Bruno"),
        ("I'm engaged to Bruno.", "Maya", "engaged_to", "Bruno"),
        ("I got engaged to Bruno last week.", "Maya", "engaged_to", "Bruno"),
        ("Clara is my best friend.", "Maya", "friend_of", "Clara"),
        ("I'm friends with Clara.", "Maya", "friend_of", "Clara"),
        ("My roommate Clara is away.", "Maya", "lives_with", "Clara"),
        ("We live with Clara.", "Maya", "lives_with", "Clara"),
        ("I moved in with Clara.", "Maya", "lives_with", "Clara"),
        ("My neighbor Paul is loud.", "Maya", "neighbor_of", "Paul"),
        ("My colleague Dana is ill.", "Maya", "works_with", "Dana"),
        ("I work with Clara.", "Maya", "works_with", "Clara"),
        ("Dana is my boss.", "Maya", "reports_to", "Dana"),
        ("My manager is Dana.", "Maya", "reports_to", "Dana"),
        ("I report to Dana.", "Maya", "reports_to", "Dana"),
        ("My dog Toby is sick.", "Maya", "owns", "Toby"),
        ("I adopted a cat called Pixel.", "Maya", "owns", "Pixel"),
        ("I got a puppy, Max.", "Maya", "owns", "Max"),
        ("I studied physics at MIT.", "Maya", "studied_at", "MIT"),
        ("I speak a little German.", "Maya", "speaks", "German"),
        ("Karim is the head of engineering at Initech.", "Karim", "works_at", "Initech"),
        # who somebody is
        ("I'm Maya.", "Maya", "named", "Maya"),
        ("You can call me Mimi.", "Maya", "named", "Mimi"),
        ("Everyone calls me Mimi.", "Maya", "named", "Mimi"),
        ("I go by Mimi.", "Maya", "named", "Mimi"),
        ("I was born in Porto.", "Maya", "born_in", "Porto"),
        ("I was born on 3 May 1990.", "Maya", "born_on", "3 May 1990"),
        ("My birthday is 3 May.", "Maya", "birthday", "3 May"),
        ("I'm Portuguese.", "Maya", "nationality", "Portuguese"),
        ("I grew up in Porto.", "Maya", "grew_up_in", "Porto"),
        ("I'm 34 years old.", "Maya", "age", "34"),
        ("I'm a vegetarian.", "Maya", "is_a", "vegetarian"),
        ("I'm a nurse.", "Maya", "works_as", "nurse"),
        ("I'm a real chef.", "Maya", "works_as", "chef"),
        ("I'm afraid of spiders.", "Maya", "fears", "spiders"),
        ("I prefer window seats.", "Maya", "prefers", "window seats"),
        ("I prefer working from home.", "Maya", "prefers", "working from home"),
        ("I don't eat meat.", "Maya", "avoids", "meat"),
        ("I never drink coffee.", "Maya", "avoids", "coffee"),
        ("I can't eat nuts.", "Maya", "avoids", "nuts"),
        ("My goal is to run a marathon.", "Maya", "goal", "to run a marathon"),
        ("I promise to call Clara.", "Maya", "promised", "to call Clara"),
        ("I promised to send the invoice.", "Maya", "promised", "to send the invoice"),
        ("I just read Dune.", "Maya", "read", "Dune"),
        ("I'm learning Spanish.", "Maya", "studies", "Spanish"),
        ("I graduated from MIT in 2015.", "Maya", "studied_at", "MIT"),
        ("I studied at MIT.", "Maya", "studied_at", "MIT"),
        ("We watched The Godfather yesterday.", "Maya", "watched", "Godfather"),
        ("My email is maya@example.com.", "Maya", "has_email", "maya@example.com"),
        ("My phone number is +351 912 345 678.", "Maya", "has_phone", "+351 912 345 678"),
        # work
        ("I teach maths.", "Maya", "teaches", "maths"),
        ("I'm working on Project Apollo.", "Maya", "works_on", "Project Apollo"),
        ("I manage the support team.", "Maya", "leads", "support team"),
        ("I use Slack at work.", "Maya", "uses", "Slack"),
        ("I'm a member of the Lisbon Chess Club.", "Maya", "member_of", "Lisbon Chess Club"),
        ("Dana Miller founded Acme in 1990.", "Dana Miller", "founded", "Acme"),
        ("Acme was founded by Dana Miller.", "Dana Miller", "founded", "Acme"),
        # shopping and support
        ("I ordered a new laptop last week.", "Maya", "ordered", "new laptop"),
        ("My order number is A-10293.", "Maya", "ordered", "A-10293"),
        ("My ticket number is 48812.", "Maya", "reported", "48812"),
        ("I returned the headset.", "Maya", "returned", "headset"),
        ("I got a refund yesterday.", "Maya", "received", "refund"),
        ("I cancelled my Netflix subscription.", "Maya", "cancelled", "Netflix subscription"),
        ("I subscribed to the newsletter.", "Maya", "subscribed_to", "newsletter"),
        ("I sold my car.", "Maya", "sold", "car"),
        # places
        ("Linden is a village in Bavaria.", "Linden", "located_in", "Bavaria"),
        ("Berlin is the capital of Germany.", "Berlin", "capital_of", "Germany"),
    ],
)
async def test_a_plain_sentence_is_one_claim(
    offline: OfflineExtractor, content: str, subject: str, predicate: str, thing: str
) -> None:
    assert told(await offline.extract(said(content))) == [(subject, predicate, thing)]


@pytest.mark.parametrize(
    ("content", "subject", "predicate", "thing"),
    [
        ("Wilma Schneider ( born 13 March 1963 in Bonn ) is a racer.", "Wilma Schneider", "born_in", "Bonn"),
        ("Wilma Schneider ( born 13 March 1963 in Bonn ) is a racer.", "Wilma Schneider", "born_on", "13 March 1963"),
        ("Carl Meyer was born in Bonn, and died in Paris in 1950.", "Carl Meyer", "died_in", "Paris"),
        ("Carl Meyer was born in Bonn, and died in Paris in 1950.", "Carl Meyer", "died_on", "1950"),
        ("Anna Berg, who was born in Rome, is a judge.", "Anna Berg", "born_in", "Rome"),
        ("Anna Berg was a German painter.", "Anna Berg", "nationality", "German"),
        ("Red Sky is a 2001 film directed by Anna Berg.", "Anna Berg", "directed", "Red Sky"),
        ("Marta Lopez is the daughter of Juan Lopez.", "Juan Lopez", "parent_of", "Marta Lopez"),
        ("Clara is here. She lives in Oslo.", "Clara", "lives_in", "Oslo"),
        ("The trip took her to Bonn, Germany.", "Bonn", "located_in", "Germany"),
    ],
)
async def test_documents_tell_of_others(
    offline: OfflineExtractor, content: str, subject: str, predicate: str, thing: str
) -> None:
    assert (subject, predicate, thing) in told(await offline.extract(said(content, ContentType.DOCUMENT)))


@pytest.mark.parametrize(
    "content",
    [
        # denied
        "Anna isn't my sister.",
        "I don't have a sister named Anna.",
        "I'm not a nurse.",
        "I'm no chef.",
        "I have no dog.",
        "I got no raise.",
        "I never ordered the laptop.",
        "My email isn't maya@example.com.",
        "You can't call me Mimi.",
        "I haven't cancelled my subscription.",
        "I eat meat.",
        "I didn't eat meat.",
        "I rarely eat meat.",
        "Don't eat meat!",
        "I can't promise to call Clara.",
        # possible, wished, planned
        "I might order a laptop.",
        "I want to be a nurse.",
        "I wish I were a nurse.",
        "If Anna were my sister, I would know.",
        "I'd prefer window seats.",
        "I will graduate from MIT.",
        # asked
        "Is Anna your sister?",
        "Anna's my sister?",
        "Anna's my sister's friend.",
        "I think Anna's my sister.",
        "Anna's not my sister.",
        "I'm 26 minutes late.",
        "I'm 5.",
        "I was 26.",
        "I'm not 26.",
        "Tom, she's my sister.",
        "I know Anna, please be patient.",
        "My name is Anna Berg hyphen Lopes.",
        "Did you order the laptop?",
        "Is your email maya@example.com?",
        "Are you a nurse?",
        # guessed, or somebody else's words
        "I think Clara is Bruno's wife.",
        "Maybe Dana is my boss.",
        'He said "my sister Anna is here".',
        # over, or nobody knows when
        "My ex-wife Clara called.",
        "My late husband Paul was kind.",
        "My former boss Dana called.",
        "Anna was my boss.",
        "I was a nurse.",
        "Everyone used to call me Mimi.",
        # not this thing, not this person
        "My mother-in-law Anna called.",
        "Your sister Anna called.",
        "Their boss Dana called.",
        "This is my brother, Tom.",
        "He is the brother of somebody.",
        "Clara met Anna. She lives in Rome.",
        "I'm an idiot.",
        "I'm afraid of you.",
        "I'm a bit of a chef.",
        "I got a call.",
        "I like it, Italian or not.",
        "Bruno was in an Italian restaurant.",
        "I'm a Christian.",
        "I read the room.",
        "I attended the Lisbon Design Summit.",
        "Use Label, Button, Entry and Canvas.",
    ],
)
async def test_what_is_not_plainly_said_is_no_claim(offline: OfflineExtractor, content: str) -> None:
    predicates = {predicate for _, predicate, _ in told(await offline.extract(said(content)))}
    assert predicates <= {"knows"}


@pytest.mark.parametrize(
    ("content", "predicate"),
    [
        ("I no longer use Slack.", "uses"),
        ("I no longer live with Clara.", "lives_with"),
        ("I don't work with Clara any more.", "works_with"),
        ("I broke up with Bruno.", "partner_of"),
        ("I no longer report to Dana.", "reports_to"),
    ],
)
async def test_what_is_over_is_an_end(offline: OfflineExtractor, content: str, predicate: str) -> None:
    (claim,) = (await offline.extract(said(content))).claims
    assert (claim.kind, claim.predicate) == (ClaimKind.ENDS, predicate)


@pytest.mark.parametrize(
    ("content", "category", "importance"),
    [
        ("I'm allergic to peanuts.", "constraint", 1.0),
        ("I don't eat meat.", "constraint", 1.0),
        ("I prefer window seats.", "preference", 0.6),
        ("I'm Portuguese.", "identity", 0.9),
        ("I'm a nurse.", "occupation", 0.8),
        ("My goal is to run a marathon.", "goal", 0.8),
        ("I promise to call Clara.", "commitment", 0.8),
        ("My sister Anna called.", "relationship", 0.8),
    ],
)
async def test_what_somebody_says_of_themselves_is_a_fact_about_them(
    offline: OfflineExtractor, content: str, category: str, importance: float
) -> None:
    (claim,) = (await offline.extract(said(content))).claims
    assert (claim.category, claim.attributes, claim.importance) == (category, (), importance)


@pytest.mark.parametrize(
    ("content", "subject", "category", "importance"),
    [
        ("Bruno is a chef.", "Bruno", "occupation", 0.8),
        ("Bruno is allergic to peanuts.", "Bruno", "constraint", 1.0),
        ("Bruno likes jazz.", "Bruno", "preference", 0.6),
        ("My sister Anna lives in Rome.", "Anna", "identity", 0.9),
    ],
)
async def test_what_somebody_says_of_others_is_a_fact_about_them_and_less_sure(
    offline: OfflineExtractor, content: str, subject: str, category: str, importance: float
) -> None:
    told = [claim for claim in (await offline.extract(said(content))).claims if claim.subject.name == subject]
    assert [(claim.category, claim.importance, claim.confidence) for claim in told] == [(category, importance, 0.7)]


@pytest.mark.parametrize("content", ["Initech is located in Porto.", "My sister is allergic to peanuts."])
async def test_what_is_said_of_no_person_with_a_name_is_no_fact(offline: OfflineExtractor, content: str) -> None:
    claims = (await offline.extract(said(content))).claims
    assert {claim.category for claim in claims} <= {""}


async def test_a_list_of_places_lies_not_within_each_other(offline: OfflineExtractor) -> None:
    claims = told(await offline.extract(said("We visited Paris, Rome and Oslo.")))
    assert {predicate for _, predicate, _ in claims} == {"visited"}


@pytest.mark.parametrize(
    "content",
    [
        "I'm Anna Berg, a baker based in Porto.",
        "Anna Berg is a singer based in Porto.",
        "We saw Paris, London, Anna and Tom.",
    ],
)
async def test_people_and_what_is_listed_lie_in_no_place(offline: OfflineExtractor, content: str) -> None:
    claims = told(await offline.extract(said(content)))
    assert "located_in" not in {predicate for _, predicate, _ in claims}


async def test_several_sisters_are_several_claims(offline: OfflineExtractor) -> None:
    claims = told(await offline.extract(said("My sisters Anna and Beth came over.")))
    assert claims == [("Maya", "sibling_of", "Anna"), ("Maya", "sibling_of", "Beth")]


async def test_an_identifier_is_a_mention_beside_names_and_claims(offline: OfflineExtractor) -> None:
    content = "Anna, write to anna.berg@example.com about order #A-10293 for $20."
    mentions = {(m.entity.type, content[m.start : m.end]) for m in (await offline.extract(said(content))).mentions}
    assert {("email", "anna.berg@example.com"), ("order", "A-10293")} <= mentions
    assert not {kind for kind, _ in mentions} & {"money", "date"}


def test_strategies_propose_under_versions_of_their_own() -> None:
    assert OfflineExtractor(Strategy.FAST).version != OfflineExtractor().version


def test_some_forty_predicates_can_each_be_said() -> None:
    assert len(PREDICATES) >= 40
    assert ENDED.keys() <= STATEMENTS.keys()
    assert SYMMETRIC <= PREDICATES
    assert all("{}" in template for templates in STATEMENTS.values() for template in templates)
