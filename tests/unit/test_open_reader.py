"""The open reader: what each clause asserts, its sentence in the third person, and why it is dropped."""

from datetime import UTC, datetime

import pytest

from graphmem.extract.offline.open.reader import Clause, clauses
from graphmem.extract.offline.open.statement import Narrator, third_person
from graphmem.extract.offline.open.status import Drop
from graphmem.extract.offline.syntax import Parser, SourceText
from graphmem.model.claim import ClaimStatus

SAID_AT = datetime(2024, 5, 20, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def parser() -> Parser:
    return Parser()


def read(parser: Parser, text: str) -> list[Clause]:
    return list(clauses(Narrator(parser.parse(SourceText(text, ("Audrey",))), "Maya", SAID_AT)))


@pytest.mark.parametrize(
    ("text", "status", "statement"),
    [
        ("I joined a book club last month.", ClaimStatus.ASSERTED, "Maya joined a book club in April 2024."),
        ("I've been painting since 2019.", ClaimStatus.ASSERTED, "Maya has been painting since 2019."),
        ("I'm gonna visit Rome with my sister.", ClaimStatus.PLANNED, "Maya is going to visit Rome with their sister."),
        ("We will adopt a dog.", ClaimStatus.PLANNED, "Maya and others will adopt a dog."),
        ("I want to learn the piano.", ClaimStatus.WISHED, "Maya wants to learn the piano."),
        ("I can't wait to see the sea.", ClaimStatus.WISHED, "Maya can not wait to see the sea."),
        ("I can play the violin.", ClaimStatus.ABLE, "Maya can play the violin."),
        ("I don't eat meat.", ClaimStatus.NEGATED, "Maya does not eat meat."),
        ("Went to the museum with my kids.", ClaimStatus.ASSERTED, "Maya went to the museum with their kids."),
        ("My brother plays the drums in a band.", ClaimStatus.ASSERTED, "Maya's brother plays the drums in a band."),
        ("Painting helps me express my feelings.", ClaimStatus.ASSERTED, "Painting helps Maya express their feelings."),
        ("Tom works in a bakery.", ClaimStatus.ASSERTED, "Tom works in a bakery."),
        ("Wow, Audrey! I love the city and its parks.", ClaimStatus.ASSERTED, "Maya loves the city and its parks."),
        ("I wanted to dance and sing in a choir.", ClaimStatus.WISHED, "Maya wanted to dance and sing in a choir."),
        (
            "I'm hoping to attend a fair next month.",
            ClaimStatus.WISHED,
            "Maya is hoping to attend a fair in June 2024.",
        ),
        ("I wanna open a bakery.", ClaimStatus.WISHED, "Maya wants to open a bakery."),
        (
            "I finally hurt my knee when it rained.",
            ClaimStatus.ASSERTED,
            "Maya finally hurt their knee when it rained.",
        ),
        ("I carved this spoon in my workshop.", ClaimStatus.ASSERTED, "Maya carved a spoon in their workshop."),
        ("I baked these walnut rolls for my boss.", ClaimStatus.ASSERTED, "Maya baked walnut rolls for their boss."),
        ("I wanted to let you know that I run a farm now.", ClaimStatus.ASSERTED, "Maya runs a farm now."),
        ("I'm happy to tell you I signed a lease.", ClaimStatus.ASSERTED, "Maya signed a lease."),
        ("That's why I keep bees.", ClaimStatus.ASSERTED, "Maya keeps bees."),
        ("The hall is loud, but I love the food there.", ClaimStatus.ASSERTED, "Maya loves the food there."),
        ("Glad we are cousins of Tom.", ClaimStatus.ASSERTED, "Maya and others are cousins of Tom."),
        ("I will never forget the day in Oslo.", ClaimStatus.NEGATED, "Maya will never forget the day in Oslo."),
        ("I'm having a party with my cousins next week.", ClaimStatus.PLANNED, None),
        ("We are starting a course in August.", ClaimStatus.PLANNED, None),
        ("Rex was part of our crew for ten years.", ClaimStatus.ASSERTED, "Rex was part of Maya's crew for ten years."),
        ("I met a painter in CA.", ClaimStatus.ASSERTED, "Maya met a painter in CA."),
        ("I drew this map to plan my route.", ClaimStatus.ASSERTED, None),
        ("I feel inspired by the harbour.", ClaimStatus.ASSERTED, "Maya feels inspired by the harbour."),
        ("Creating clips for a museum.", ClaimStatus.ASSERTED, "Maya is creating clips for a museum."),
        ("I bought a lamp because it was cheap.", ClaimStatus.ASSERTED, "Maya bought a lamp because it was cheap."),
        ("I'm off to walk the dog.", ClaimStatus.PLANNED, "Maya is off to walk the dog."),
        ("I'm ready to sell my house.", ClaimStatus.ASSERTED, "Maya is ready to sell their house."),
        ("I'm living my dream by running a farm.", ClaimStatus.ASSERTED, None),
        ("I'm carving out some me-time each day.", ClaimStatus.ASSERTED, "Maya is carving out some me-time each day."),
        ("I took a picture at the lighthouse.", ClaimStatus.ASSERTED, "Maya took a picture at the lighthouse."),
        ("I love the freedom theme.", ClaimStatus.ASSERTED, "Maya loves the freedom theme."),
        ("After this, we celebrated at a bar.", ClaimStatus.ASSERTED, "Maya and others celebrated at a bar."),
        ("We all made our own pots.", ClaimStatus.ASSERTED, "Maya and others all made their own pots."),
        ("I no longer work weekends.", ClaimStatus.NEGATED, "Maya no longer works weekends."),
        ("I no longer eat fish.", ClaimStatus.NEGATED, "Maya no longer eats fish."),
        ("I visited neither Rome nor Oslo.", ClaimStatus.NEGATED, "Maya visited neither Rome nor Oslo."),
        ("I hardly ever play tennis.", ClaimStatus.NEGATED, "Maya hardly ever plays tennis."),
        ("I barely passed the test.", ClaimStatus.ASSERTED, "Maya barely passed the test."),
        ("I've never stolen or sold any cars.", ClaimStatus.NEGATED, "Maya has not sold any cars."),
        ("I'll review the draft and read it aloud to Tom.", ClaimStatus.PLANNED, "Maya will review the draft."),
        ("I rewrote the ending on 8 May.", ClaimStatus.ASSERTED, "Maya rewrote the ending on 8 May 2024."),
        (
            "I'm writing to Tom, whom I met on 3 May.",
            ClaimStatus.ASSERTED,
            "Maya is writing to Tom, whom Maya met on 3 May 2024.",
        ),
        (
            "I'm repairing a vase after breaking it on 3 May.",
            ClaimStatus.ASSERTED,
            "Maya is repairing a vase after breaking it on 3 May 2024.",
        ),
        ("I've got a race to run on 22 July.", ClaimStatus.PLANNED, "Maya has got a race to run on 22 July 2024."),
        (
            "I met the 3 May deadline of my editor.",
            ClaimStatus.ASSERTED,
            "Maya met the 3 May 2024 deadline of their editor.",
        ),
        ("Our sales rose by 60% - is that good?", ClaimStatus.ASSERTED, "Maya's sales rose by 60%."),
        ("I have yet to finish my thesis.", ClaimStatus.NEGATED, "Maya has yet to finish their thesis."),
        ("I'm supposed to run a race on 4 June.", ClaimStatus.PLANNED, None),
        ("I can rent the cottage in August.", ClaimStatus.ABLE, "Maya can rent the cottage in August 2024."),
        ("I have no cousins.", ClaimStatus.NEGATED, "Maya has no cousins."),
        ("I rarely drink coffee.", ClaimStatus.NEGATED, "Maya rarely drinks coffee."),
        ("I won't eat octopus.", ClaimStatus.NEGATED, "Maya will not eat octopus."),
        ("I couldn't go to the wedding.", ClaimStatus.NEGATED, "Maya could not go to the wedding."),
        ("I can't swim.", ClaimStatus.NEGATED, "Maya can not swim."),
        (
            "I appreciate Tom helping me rehearse my speech on April 4.",
            ClaimStatus.ASSERTED,
            "Maya appreciates Tom helping Maya rehearse their speech on 4 April 2024.",
        ),
        ("I'm feeling confident about my presentation in September.", ClaimStatus.ASSERTED, None),
        ("I'm about to move in with Sam.", ClaimStatus.PLANNED, "Maya is about to move in with Sam."),
        ("I start at a bank on Friday.", ClaimStatus.PLANNED, "Maya starts at a bank on 24 May 2024."),
        ("I've got a meeting with my lawyer on Friday.", ClaimStatus.PLANNED, None),
        ("We're getting married on 21 September!", ClaimStatus.PLANNED, None),
        ("I'd bought a car in Cusco.", ClaimStatus.ASSERTED, "Maya had bought a car in Cusco."),
        ("Tom and I built a treehouse.", ClaimStatus.ASSERTED, "Tom and Maya built a treehouse."),
        ("Me and Julia went to see Hamilton.", ClaimStatus.ASSERTED, "Maya and Julia went to see Hamilton."),
        ("My husband's brother works at a zoo.", ClaimStatus.ASSERTED, "Maya's husband's brother works at a zoo."),
        ("A friend of mine runs a goat farm.", ClaimStatus.ASSERTED, "A friend of Maya's runs a goat farm."),
        ("I forgot to water the plants.", ClaimStatus.ASSERTED, "Maya forgot to water the plants."),
        ("My boss is Henrike.", ClaimStatus.ASSERTED, "Maya's boss is Henrike."),
        ("My parrot died yesterday.", ClaimStatus.ASSERTED, "Maya's parrot died on 19 May 2024."),
        ("I stopped going to the gym in January.", ClaimStatus.ASSERTED, None),
        ('I love "The Old Mill".', ClaimStatus.ASSERTED, 'Maya loves "The Old Mill".'),
        (
            "Ines, after selling my boat I joined a choir.",
            ClaimStatus.ASSERTED,
            "After selling Maya's boat Maya joined a choir.",
        ),
    ],
)
def test_a_clause_is_told_in_the_third_person(
    parser: Parser, text: str, status: ClaimStatus, statement: str | None
) -> None:
    (clause,) = [clause for clause in read(parser, text) if clause.statement]
    assert clause.stand is status
    if statement is not None:
        assert clause.statement == statement


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Did I tell you about my dog?", Drop.QUESTION),
        ("Take care of your garden.", Drop.IMPERATIVE),
        ("If I have time, I paint a picture.", Drop.CONDITIONAL),
        ("I might move to Rome.", Drop.MODAL),
        ("Maybe I lost the keys of the car.", Drop.HEDGED),
        ("That movie looks great.", Drop.OPINION),
        ("I love your paintings.", Drop.ADDRESSEE),
        ("I am so happy.", Drop.MOOD),
        ("It was a nice day.", Drop.UNRESOLVED),
        ("We last talked in March about the garden.", Drop.TALK),
        ("Everybody likes the sea.", Drop.VAGUE_SUBJECT),
        ("Cats sleep in the sun.", Drop.OTHER_SUBJECT),
        ("Guidance helps people.", Drop.OTHER_SUBJECT),
        ("Nature makes us calm.", Drop.ANYBODY),
        ("Last week was a hard one for me.", Drop.NO_SUBJECT),
        ("Taking time for my garden is important.", Drop.OPINION),
        ("Don't forget the tickets.", Drop.IMPERATIVE),
        ("Here is the picture of my boat.", Drop.SHOWN),
        ("I got a photo of my cousins.", Drop.SHOWN),
        ("I appreciate the help.", Drop.THANKS),
        ("I'm sorry to hear about the accident in town.", Drop.MOOD),
        ("I'm staying hopeful.", Drop.MOOD),
        ("I'll keep pushing forward.", Drop.PEP_TALK),
        ("I can make a difference.", Drop.PEP_TALK),
        ("I can't wait to see what happens.", Drop.PEP_TALK),
        ("We had a blast.", Drop.VAGUE_OBJECT),
        ("I totally agree.", Drop.TALK),
        ("I heard there is a new bakery.", Drop.REPORTED),
        ("I'm sure my sister lost it.", Drop.GUESS),
        ("It feels like I never left the place.", Drop.OPINION),
        ("Hopefully I can buy a flat.", Drop.HEDGED),
        ("When I sing, the cat gets food.", Drop.EMBEDDED),
        ("Your courage inspired me.", Drop.ADDRESSEE),
        ("I can't picture a life without it.", Drop.UNRESOLVED),
        ("I put an effort into it.", Drop.UNRESOLVED),
        ("Love the way they sing.", Drop.VAGUE_OBJECT),
        ("Really made me think about my future.", Drop.NO_SUBJECT),
        ("Chasing our dreams and helping others.", Drop.NO_SUBJECT),
        ("I was a kid back then.", Drop.VAGUE_OBJECT),
        ("Gonna be a big change.", Drop.NO_SUBJECT),
        ("I assume a few letters got lost.", Drop.OPINION),
        ("Seeing the smiles of my kids.", Drop.NO_SUBJECT),
        ("I'm sorry about the dog.", Drop.MOOD),
        ("Those moments make me smile.", Drop.UNRESOLVED),
        ("We played this game.", Drop.UNRESOLVED),
        ("If I move, I will buy a car.", Drop.CONDITIONAL),
        ("Bruno lives in Oslo, I guess.", Drop.GUESS),
        ("According to Clara, Bruno sails a boat.", Drop.REPORTED),
        ("Bruno or Clara lives in Oslo.", Drop.HEDGED),
        ("I usually go.", Drop.EMPTY),
        ("I go there every week.", Drop.EMPTY),
        ("Taking in a stray dog, you're so kind.", Drop.ADDRESSEE),
        ("I'm doing okay.", Drop.MOOD),
        ("I'm doing fine, cheers for asking.", Drop.THANKS),
        ("I'm chasing my dream.", Drop.PEP_TALK),
        ("My work makes an impact.", Drop.PEP_TALK),
        ("I've been practicing hard.", Drop.EMPTY),
        ("We raised a ton.", Drop.VAGUE_OBJECT),
        ("I'm definitely excited but also a bit anxious.", Drop.MOOD),
        ("I'm doing my best.", Drop.MOOD),
        ("I 100% agree.", Drop.TALK),
        ("Feel free to ask anytime.", Drop.IMPERATIVE),
        ("I keep my settings in {name: 1} at home.", Drop.CODE),
        ("If only I had a garden!", Drop.CONDITIONAL),
        ("Imagine I told you I had quit my job!", Drop.HEDGED),
        ("I wanted to be a vet when I was a child.", Drop.GIVEN_UP),
        ("I hoped to get the job, but I didn't.", Drop.GIVEN_UP),
        ("We were going to drive to Croatia.", Drop.GIVEN_UP),
        ("I was supposed to run a race on 4 May.", Drop.GIVEN_UP),
        ("I had planned to visit Rome on 3 May.", Drop.GIVEN_UP),
        ("I dreamed that I was flying over Paris.", Drop.GUESS),
        ("I won't quit on my dreams.", Drop.PEP_TALK),
    ],
)
def test_what_is_no_claim_says_why(parser: Parser, text: str, reason: Drop) -> None:
    assert reason in {clause.stand for clause in read(parser, text)}
    assert not any(clause.statement for clause in read(parser, text))


@pytest.mark.parametrize(
    ("text", "statements"),
    [
        (
            "Lost my job yesterday, so I'm gonna open a shop.",
            ["Maya lost their job on 19 May 2024.", "Maya is going to open a shop."],
        ),
        ("Just got back from a fair, it was fun!", ["Maya got back from a fair."]),
        ("Love carving with old knives.", ["Maya loves carving with old knives."]),
        ("Been testing kites for my club.", ["Maya has been testing kites for their club."]),
        ("Hoping my play gets staged.", ["Maya is hoping their play gets staged."]),
        ("Excited for the regatta in Oslo!", ["Maya is excited for the regatta in Oslo."]),
        ("Got to check the roof.", []),
        ("Got me thinking about my youth.", []),
        ("Been hectic for me lately.", []),
        ("Love you all.", []),
    ],
)
def test_who_talks_is_left_out(parser: Parser, text: str, statements: list[str]) -> None:
    assert [clause.statement for clause in read(parser, text) if clause.statement] == statements


def test_a_purpose_is_no_ability(parser: Parser) -> None:
    found = read(parser, "I want to see the sums, so I can clarify the rules in my head.")
    assert [clause.stand for clause in found] == [ClaimStatus.WISHED, Drop.EMBEDDED]


def test_two_clauses_are_two_claims_and_a_guess_is_none(parser: Parser) -> None:
    found = {clause.statement for clause in read(parser, "I moved to Oslo and my sister opened a bakery.")}
    assert found == {"Maya moved to Oslo.", "Maya's sister opened a bakery."}
    assert [clause.statement for clause in read(parser, "I think that Tom lives in Oslo.")] == ["", ""]


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("I love volunteering! It makes me feel useful.", "Volunteering makes Maya feel useful."),
        ("I started yoga last month. It gives me energy.", "Yoga gives Maya energy."),
        ("Dancing helps me relax. It's been a big part of my life.", "Dancing has been a big part of Maya's life."),
        ("I took my nephews to a park. They had pizza there.", "Maya's nephews had pizza there."),
        ("I made a cake with berries on it.", "Maya made a cake with berries on it."),
        ("My family is great. They have been my rock.", "Maya's family have been Maya's rock."),
        ("My aunt and my uncle live here. They keep me busy.", "Maya's aunt and their uncle keep Maya busy."),
    ],
)
def test_a_pronoun_stands_for_what_is_surely_meant(parser: Parser, text: str, statement: str) -> None:
    assert statement in {clause.statement for clause in read(parser, text)}


@pytest.mark.parametrize(
    "text",
    [
        "I met a group of strangers who sang. It made me think of my youth.",
        "Everyone got a chance to row. It took us two hours.",
        "I read my script to the jury and they laughed at me.",
        "My family came with the boat. It helps us to rest.",
        "We made it to the top.",
        "I'm taking action. It is good to know that I can help.",
        "My work pays off. It is such a feeling for me.",
        "I love pottery. It's empowering to see my kids learn.",
        "Anna and Bea went to Malta. She got sunburnt on the beach.",
        "I painted a chair. Green's my choice, it reminds me of moss.",
    ],
)
def test_a_pronoun_that_may_stand_for_anything_makes_no_claim(parser: Parser, text: str) -> None:
    pronouns = {"it", "they", "she"}
    assert not any(clause.statement for clause in read(parser, text) if _subject(clause) in pronouns)


def _subject(clause: Clause) -> str:
    return clause.words[0].text.casefold()


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("This was from a match I played last week.", "Maya played a match in the week of 13 May 2024."),
        ("Check out these sailors I met at the harbour!", "Maya met these sailors at the harbour."),
    ],
)
def test_what_a_sentence_implies_is_told(parser: Parser, text: str, statement: str) -> None:
    assert statement in {clause.statement for clause in read(parser, text)}


@pytest.mark.parametrize(
    "text",
    [
        "I am thankful for the support that I need.",
        "The help from friends I look up to is great.",
        "I want to find a village that I love.",
    ],
)
def test_what_is_not_implied_is_not_told(parser: Parser, text: str) -> None:
    assert not any(clause.object for clause in read(parser, text))


@pytest.mark.parametrize(
    ("verb", "form"),
    [
        ("have", "has"),
        ("go", "goes"),
        ("watch", "watches"),
        ("try", "tries"),
        ("play", "plays"),
        ("am", "is"),
        ("paint", "paints"),
    ],
)
def test_the_third_person_of_a_verb(verb: str, form: str) -> None:
    assert third_person(verb) == form
