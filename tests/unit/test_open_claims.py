"""Open claims: what each claims, when, and how they stand beside curated ones."""

import tomllib
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from importlib.resources import files

import pytest

from graphmem.extract.findings import without_displaced
from graphmem.extract.offline.extractor import OfflineExtractor
from graphmem.model.claim import ClaimKind
from graphmem.model.episode import ContentType, Episode, EpisodeRole
from graphmem.model.fragment import ProposedClaim, ThingName
from tests.models import opened as opened_only

SAID_AT = datetime(2024, 5, 20, 12, tzinfo=UTC)
MAYA = ThingName("Maya", "person")


@pytest.fixture(scope="module")
def extractor() -> OfflineExtractor:
    return opened_only()


def episode(content: str, *, role: EpisodeRole = EpisodeRole.USER, kind: ContentType = ContentType.MESSAGE) -> Episode:
    return Episode(
        group_id="g",
        session="s",
        content=content,
        occurred_at=SAID_AT,
        speaker="Maya" if role is EpisodeRole.USER else None,
        role=role,
        content_type=kind,
    )


async def opened(extractor: OfflineExtractor, content: str) -> list[ProposedClaim]:
    return [claim for claim in (await extractor.extract(episode(content))).claims if claim.open]


@pytest.mark.parametrize(
    ("content", "predicate", "target"),
    [
        ("I repaired the old fence.", "repaired", "old fence"),
        ("I kept from eating meat.", "kept", "kept from eating meat"),
        ("I found no leaks in the attic.", "not", "found leaks in the attic"),
        ("I prefer submitting papers early.", "prefers", "submitting papers early"),
        ("I'm preparing for a 2-hour geometry exam.", "trains_for", "2-hour geometry exam"),
        ("I was out walking in my village.", "was", "out walking in Maya's village"),
        ("I turned down a job at a bank.", "did", "job"),
        ("I called off the wedding.", "did", "called off the wedding"),
        ("We dug a pond.", "did", "pond"),
        ("I was diagnosed with celiac disease.", "diagnosed_with", "celiac disease"),
        ("I'm on sertraline.", "is", "on sertraline"),
        ("I got an A in chemistry.", "got", "A in chemistry"),
        ("I had been living in a tent.", "lived_in", "tent"),
        ("Tom and I built a treehouse.", "made", "treehouse"),
        ("I started a pottery class last month.", "started", "pottery class"),
        ("I was bitten by a stray dog.", "was", "bitten by a stray dog"),
        ("I was at the Olympics.", "attended", "Olympics"),
        ("I want to learn the piano.", "wishes", "learn the piano"),
        ("I'm going to paint my kitchen table.", "plans", "paint Maya's kitchen table"),
        ("I don't trust my landlord.", "not", "trust Maya's landlord"),
        ("Painting helps me express my feelings.", "helped_by", "painting"),
        ("Tom Berg encouraged me.", "supported_by", "Tom Berg"),
        ("My father did not invite me.", "not", "invite Maya"),
        ("The club did not invite me.", "not", "club did not invite Maya"),
        ("In my free time, I enjoy curling up with a novel.", "relaxes_with", "novel"),
        ("I'm gonna continue my studies in law.", "plans", "continue Maya's studies in law"),
        ("I got back from a tour of Wales.", "returned_to", "tour of Wales"),
        ("I was learning how to swim.", "learned", "how to swim"),
        ("I hate not being at the pool.", "dislikes", "hates not being at the pool"),
        ("I kept playing through college.", "played", "playing through college"),
        ("I was so nervous I forgot my keys.", "was", "nervous Maya forgot their keys"),
        ("Spider-Man helped me.", "helped_by", "Spider-Man"),
        ("My wife and I left for our holiday.", "left_for", "Maya's holiday"),
        ("I got rid of the old sofa.", "got_rid_of", "old sofa"),
        ("Sometimes I bring work home.", "brings", "work home"),
        ("I'm thinking of selling my boat.", "plans", "selling Maya's boat"),
        ("I was scared to death of spiders.", "was", "scared to death of spiders"),
        ("I started transitioning three years ago.", "did", "transitioning"),
        ("I rehearsed with a choir.", "rehearsed", "choir"),
        ("I got accepted for an internship.", "was", "accepted for an internship"),
        ("I continued my studies in law.", "continued", "Maya's studies"),
        ("I went camping with my cousins.", "camped", "camping with Maya's cousins"),
        ("I've been looking into beekeeping.", "looks_into", "beekeeping"),
    ],
)
async def test_a_clause_claims(extractor: OfflineExtractor, content: str, predicate: str, target: str) -> None:
    told = {(claim.predicate, _target(claim)) for claim in await opened(extractor, content)}
    assert (predicate, target) in told


def _target(claim: ProposedClaim) -> object:
    return claim.object.name if claim.object else claim.value


async def test_what_is_over_is_an_event_on_the_days_that_are_said(extractor: OfflineExtractor) -> None:
    (claim,) = await opened(extractor, "I repaired the fence yesterday.")
    assert claim.event == (datetime(2024, 5, 19, tzinfo=UTC), datetime(2024, 5, 20, tzinfo=UTC))
    assert claim.valid_from == datetime(2024, 5, 19, tzinfo=UTC)
    assert claim.valid_to is None


async def test_without_a_day_it_has_none(extractor: OfflineExtractor) -> None:
    (claim,) = await opened(extractor, "I repaired the fence.")
    assert (claim.event, claim.valid_from, claim.valid_to) == (None, None, None)


async def test_a_plan_closes_a_month_after_its_day(extractor: OfflineExtractor) -> None:
    (claim,) = await opened(extractor, "I'm going to repair the fence tomorrow.")
    assert (claim.predicate, claim.event) == ("plans", None)
    assert claim.valid_to == datetime(2024, 6, 21, tzinfo=UTC)


async def test_a_verb_without_a_name_is_an_attribute(extractor: OfflineExtractor) -> None:
    (claim,) = await opened(extractor, "I outwitted the old fox.")
    assert claim.predicate == "did"
    assert dict(claim.attributes)["verb"] == "outwit"


@pytest.mark.parametrize(
    ("content", "told_apart_by"),
    [
        ("I repaired the old fence.", {}),
        ("I repaired the fence yesterday in Rome.", {"detail": "rome"}),
        ("I took my dog to the vet.", {"detail": "vet"}),
        ("I took my dog to the beach with Tom last week.", {"detail": "beach tom"}),
        ("I repaired the old fence quickly last summer.", {}),
        ("I repaired the old fence that leaned on the wall.", {}),
        ("Tom carried me to the hospital.", {"verb": "carry", "detail": "hospital"}),
        ("Tom recognized me in the crowd.", {"verb": "recognize", "detail": "crowd"}),
    ],
)
async def test_what_else_a_clause_says_tells_it_apart(
    extractor: OfflineExtractor, content: str, told_apart_by: dict[str, str]
) -> None:
    claims = [claim for claim in await opened(extractor, content) if claim.predicate != "has"]
    assert [dict(claim.attributes) for claim in claims] == [told_apart_by]


async def test_each_of_several_that_are_named_has_a_claim(extractor: OfflineExtractor) -> None:
    claims = await opened(extractor, "I took my dog and my cat to the vet. I met a friend and some kids.")
    took = [claim for claim in claims if claim.predicate == "took"]
    assert [claim.object and claim.object.name for claim in took] == ["Maya's dog", "Maya's cat"]
    assert {dict(claim.attributes)["detail"] for claim in took} == {"vet"}
    assert [claim.value for claim in claims if claim.predicate == "met"] == ["friend and some kids"]


async def test_mine_is_had(extractor: OfflineExtractor) -> None:
    (claim,) = await opened(extractor, "If only my pottery studio were bigger!")
    assert (claim.statement, claim.object) == (
        "Maya has a pottery studio.",
        ThingName("Maya's pottery studio", "concept"),
    )


@pytest.mark.parametrize(
    ("content", "name", "type_"),
    [
        ("My mother-in-law plays chess.", "Maya's mother-in-law", "person"),
        ("My ex-wife moved to Rome.", "Maya's ex-wife", "person"),
        ("My husband's brother works at a zoo.", "Maya's husband's brother", "person"),
        ("A friend of mine runs a goat farm.", "Maya's friend", "person"),
        ("My therapist gave me good advice.", "Maya's therapist", "person"),
    ],
)
async def test_who_is_mine_is_named_in_full(extractor: OfflineExtractor, content: str, name: str, type_: str) -> None:
    assert ThingName(name, type_) in {claim.subject for claim in await opened(extractor, content)}


async def test_so_long_is_not_since_then(extractor: OfflineExtractor) -> None:
    (claim,) = await opened(extractor, "I lived in a tent for three years.")
    assert claim.valid_from is None


@pytest.mark.parametrize(
    "content",
    [
        "I lost my mind.",
        "I had to shut down my bank account.",
        "I sold my car.",
        "I gave my guitar away.",
        "I gave my car to a neighbour.",
        "I got rid of my dog.",
        "Someone stole my bike yesterday.",
        "I broke up with my girlfriend.",
        "I had to put down my cat.",
        "My dog died.",
        "My bike got stolen.",
        "I left my husband.",
        "She was my best friend.",
        "My dog ran away.",
        "My last job was hard.",
        "My own home office matters.",
        "Look at my current code base.",
        "My first attempt failed, and my writing style is bad.",
        "Anna is not my sister.",
        "Bo isn't my boss.",
        "Neither my uncle nor Bo came.",
    ],
)
async def test_not_all_that_is_mine_is_had(extractor: OfflineExtractor, content: str) -> None:
    assert "has" not in {claim.predicate for claim in await opened(extractor, content)}


async def test_only_what_a_person_says_is_read(extractor: OfflineExtractor) -> None:
    said = "I repaired the fence."
    for each in (episode(said, role=EpisodeRole.ASSISTANT), episode(said, kind=ContentType.DOCUMENT)):
        assert not any(claim.open for claim in (await extractor.extract(each)).claims)


def test_of_a_clause_with_a_value_of_the_readers_its_claim_stands_in_the_words_that_say_more() -> None:
    read = _claim("works_at", "Maya works at Acme.", is_open=False)
    same = _claim("works_at", "Maya works at Acme at night.", is_open=True)
    other = _claim("repaired", "Maya repaired Acme.", is_open=True, at=30)
    denied = _claim("not", "Maya does not work at Acme.", is_open=True)

    kept = without_displaced([read, same, denied, other], {read: (14, 18)})

    assert [(claim.open, claim.statement) for claim in kept] == [
        (False, "Maya works at Acme at night."),
        (True, "Maya repaired Acme."),
    ]


@pytest.mark.parametrize(("predicate", "stands"), [("repaired", "repaired"), ("did", "event"), ("plans", "event")])
def test_of_what_happened_the_open_claim_stands_that_has_a_predicate_for_it(predicate: str, stands: str) -> None:
    event = _claim("event", "Maya repaired the fence.", is_open=False)
    opened = _claim(predicate, "Maya repaired the old fence.", is_open=True)
    assert [claim.predicate for claim in without_displaced([event, opened], {event: (2, 12)})] == [stands]


def test_what_else_is_read_in_its_clause_does_not_displace_what_happened() -> None:
    event = _claim("event", "Maya visited her sister Ana.", is_open=False)
    sister = _claim("sibling", "Maya is a sibling of Ana.", is_open=False)
    visit = _claim("visited", "Maya visited her sister Ana last week.", is_open=True)
    car = replace(_claim("has", "Maya has a car.", is_open=True), quote_start=10, quote_end=16)
    kept = without_displaced([event, sister, visit, car], {event: (2, 18), sister: (13, 16)})
    assert [claim.predicate for claim in kept] == ["sibling", "visited"]


def test_of_what_one_has_one_of_the_reader_says_which() -> None:
    nantes = _claim("lives_in", "Maya lives in Nantes.", is_open=False)
    porto = _claim("lives_in", "Maya lives in Porto.", is_open=True, at=30)
    rice = _claim("likes", "Maya likes rice.", is_open=True, at=30)
    kept = without_displaced([nantes, porto, rice], {nantes: (14, 20)})
    assert [claim.statement for claim in kept] == ["Maya lives in Nantes.", "Maya likes rice."]


def _claim(predicate: str, statement: str, *, is_open: bool, at: int = 0) -> ProposedClaim:
    return ProposedClaim(
        kind=ClaimKind.STARTS,
        subject=MAYA,
        predicate=predicate,
        object=ThingName("Acme", "organization"),
        statement=statement,
        quote_start=at,
        quote_end=at + 20,
        confidence=0.6,
        open=is_open,
    )


def test_each_verb_folds_into_one_predicate() -> None:
    table = tomllib.loads((files("graphmem.extract.offline.tables") / "predicates.toml").read_text("utf-8"))
    folds = Counter(fold for each in table.values() for fold in each)
    assert [fold for fold, count in folds.items() if count > 1] == []


@pytest.mark.parametrize(
    ("content", "predicate"),
    [
        ("I lived in a barn.", "lived_in"),
        ("I used to play the harp.", "played"),
        ("I paint miniature ships.", "paints"),
        ("I painted a ship.", "painted"),
        ("I was a lighthouse keeper.", "was_a"),
        ("I always forget my umbrella.", "forgets"),
    ],
)
async def test_a_predicate_has_the_tense_of_its_clause(
    extractor: OfflineExtractor, content: str, predicate: str
) -> None:
    assert predicate in {claim.predicate for claim in await opened(extractor, content)}


async def test_days_are_those_of_the_speakers_zone(extractor: OfflineExtractor) -> None:
    said = replace(episode("I repaired the old fence yesterday."), time_zone="Asia/Tokyo")
    (claim,) = [claim for claim in (await extractor.extract(said)).claims if claim.predicate == "repaired"]
    assert claim.statement == "Maya repaired the old fence on 19 May 2024."
    assert claim.event
    assert claim.event[0].date().isoformat() == "2024-05-19"


@pytest.mark.parametrize(
    "content", ["I'm expanding my dance studio's reach.", "Here is a pic of my family camping at a lake."]
)
async def test_half_of_a_name_is_not_had(extractor: OfflineExtractor, content: str) -> None:
    assert not [claim for claim in await opened(extractor, content) if claim.predicate == "has"]
