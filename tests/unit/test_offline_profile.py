"""What somebody says of themselves is a fact about them, of its category. Said by Maya on 16 July 2025."""

from datetime import UTC, datetime

import pytest

from graphmem.extract.offline.extractor import OfflineExtractor
from graphmem.extract.offline.tables.predicates import CATEGORIES
from graphmem.model.claim import Category, ClaimKind
from graphmem.model.episode import Episode, EpisodeRole
from graphmem.model.fragment import ProposedClaim

SAID = datetime(2025, 7, 16, 15, 0, tzinfo=UTC)


async def claims(offline: OfflineExtractor, content: str, role: EpisodeRole = EpisodeRole.USER) -> list[ProposedClaim]:
    episode = Episode(group_id="g", session="s", content=content, occurred_at=SAID, speaker="Maya", role=role)
    return list((await offline.extract(episode)).claims)


def thing(claim: ProposedClaim) -> str:
    return claim.object.name if claim.object else str(claim.value)


@pytest.mark.parametrize(
    ("content", "category", "predicate", "value"),
    [
        ("My name is Maya Lopes.", "identity", "named", "Maya Lopes"),
        ("I'm from Porto.", "identity", "comes_from", "Porto"),
        ("I'm 34 years old.", "identity", "age", "34"),
        ("My favourite colour is green.", "preference", "favorite_color", "green"),
        ("My favorite food is pizza.", "preference", "favorite_food", "pizza"),
        ("Pizza is my favourite food.", "preference", "favorite_food", "pizza"),
        ("My favourite city is Porto.", "preference", "favorite_city", "Porto"),
        ("I prefer aisle seats.", "preference", "prefers", "aisle seats"),
        ("I'm allergic to nuts.", "constraint", "allergic_to", "nuts"),
        ("I can't eat gluten.", "constraint", "avoids", "gluten"),
        ("I don't eat pork.", "constraint", "avoids", "pork"),
        ("I don't fly.", "constraint", "avoids", "flying"),
        ("I don't fly any more.", "constraint", "avoids", "flying"),
        ("I never drive.", "constraint", "avoids", "driving"),
        ("I'm lactose intolerant.", "constraint", "intolerant_to", "lactose"),
        ("I have asthma.", "constraint", "has_condition", "asthma"),
        ("I have a nut allergy.", "constraint", "has_condition", "nut allergy"),
        ("I'm diabetic.", "constraint", "has_condition", "diabetic"),
        ("My budget is 500 euros.", "constraint", "has_budget", "500 euros"),
        ("Please always answer in Portuguese.", "instruction", "instruction", "always answer in Portuguese"),
        ("Please answer in Portuguese.", "instruction", "instruction", "answer in Portuguese"),
        ("Never call me before nine.", "instruction", "instruction", "never call me before nine"),
        ("Don't ever call me before nine.", "instruction", "instruction", "don't ever call me before nine"),
        ("Don't call me at work.", "instruction", "instruction", "don't call me at work"),
        ("From now on, write to me in Spanish.", "instruction", "instruction", "from now on write to me in Spanish"),
        ("I want you to always reply in English.", "instruction", "instruction", "always reply in English"),
        ("Please never use emojis.", "instruction", "instruction", "never use emojis"),
        ("Call me Mo from now on.", "instruction", "named", "Mo"),
        ("My goal is to run a marathon.", "goal", "goal", "to run a marathon"),
        ("I plan to learn the cello.", "goal", "goal", "to learn the cello"),
        ("I'm training for a marathon.", "goal", "trains_for", "marathon"),
        ("I'm saving up for a house.", "goal", "saves_for", "house"),
        ("I promise to call Clara.", "commitment", "promised", "to call Clara"),
        ("I agreed to send the slides by Friday.", "commitment", "promised", "to send the slides by Friday"),
        ("I'm rather shy.", "personality", "has_trait", "shy"),
        ("I'm an introvert.", "personality", "has_trait", "introvert"),
        ("I'm a night owl.", "personality", "has_trait", "night owl"),
        ("My hobby is pottery.", "hobby", "has_hobby", "pottery"),
        ("I do yoga.", "hobby", "practices", "yoga"),
        ("I collect stamps.", "hobby", "collects", "stamps"),
        ("I play the cello.", "hobby", "plays", "cello"),
        ("My sister is Anna.", "relationship", "sibling_of", "Anna"),
        ("I'm married to Bruno.", "relationship", "married_to", "Bruno"),
        ("I graduated from MIT in 2015.", "milestone", "studied_at", "MIT"),
        ("I passed my driving test yesterday.", "milestone", "completed", "driving test"),
        ("I got promoted last week.", "milestone", "milestone", "promoted"),
        ("I retired in May.", "milestone", "milestone", "retired"),
        ("I'm a nurse.", "occupation", "works_as", "nurse"),
        ("I work at Acme.", "occupation", "works_at", "Acme"),
        ("I run every morning.", "habit", "habit", "run every morning"),
        ("Every morning I run five miles.", "habit", "habit", "run five miles every morning"),
        ("I usually have lunch at one.", "habit", "habit", "have lunch at one"),
        ("I go to the gym twice a week.", "habit", "habit", "go to the gym twice a week"),
        ("I usually play EVE:GO, but I lost the disc.", "habit", "habit", "play EVE:GO"),
        ("I cook for my parents on Sundays.", "habit", "habit", "cook for my parents on Sundays"),
        ("I ordered a new laptop last week.", "other", "ordered", "new laptop"),
        ("I own a bakery.", "other", "owns", "bakery"),
    ],
)
async def test_what_somebody_says_of_themselves_is_a_fact_of_its_category(
    offline: OfflineExtractor, content: str, category: str, predicate: str, value: str
) -> None:
    (claim,) = await claims(offline, content)
    got = (claim.category, claim.subject.name, claim.predicate, thing(claim), claim.kind)
    assert got == (category, "Maya", predicate, value, ClaimKind.STARTS)


@pytest.mark.parametrize(
    "content",
    [
        # identity
        "My name isn't Maya.",
        "Is my name on it?",
        "I'm not from Porto.",
        "I was 34 years old.",
        # preference
        "My favourite colour was green.",
        "My favourite colour isn't green.",
        "Is my favourite colour green?",
        "What is your favourite colour?",
        "My favourite part is the end.",
        "I think my favourite colour is green.",
        "Her favourite colour is green.",
        # constraint
        "I'm not allergic to nuts.",
        "Am I allergic to nuts?",
        "I might be allergic to nuts.",
        "I don't usually eat breakfast.",
        "I didn't fly.",
        "I don't fly at night.",
        "I won't drive.",
        "If I don't drive, we walk.",
        "I don't have asthma.",
        "He is diabetic.",
        "What would my budget be?",
        # instruction
        "Never mind.",
        "Never give up!",
        "Don't worry about me.",
        "Don't call me Mimi.",
        "Always be yourself.",
        "Tell me a joke.",
        "He always answers in Portuguese.",
        "Should I always answer in Portuguese?",
        "Could you always answer in Portuguese?",
        "You never call me.",
        "I don't want you to always reply in English.",
        'He said "always answer in Portuguese".',
        "If you write, never write to me in Spanish.",
        # goal
        "I don't plan to learn the cello.",
        "Do I plan to learn the cello?",
        "I planned to learn the cello.",
        "My goal was to run a marathon.",
        "I'm not training for a marathon.",
        "I would train for a marathon.",
        # commitment
        "I never promised to call Clara.",
        "I can't promise to call Clara.",
        "Did I promise to call Clara?",
        "I would promise to call Clara.",
        # personality
        "I'm not shy.",
        "I was shy.",
        "I wish I were shy.",
        "I'm too shy to ask.",
        "I'm curious about it.",
        "I'm being stubborn.",
        "I'm lazy today.",
        "Am I shy?",
        "You are shy.",
        "I'm curious, how does it work?",
        # hobby
        "My hobby was pottery.",
        "I don't collect stamps.",
        "I might collect stamps.",
        "Do I do yoga?",
        # relationship, milestone, occupation
        "I'm not married to Bruno.",
        "I will pass my driving test.",
        "I almost passed my driving test.",
        "I didn't get promoted.",
        "I might retire in May.",
        "If I retire, we travel.",
        "I don't work as a nurse.",
        # habit
        "I used to run every morning.",
        "I ran every morning.",
        "I don't run every morning.",
        "I will run every morning.",
        "I should run every morning.",
        "Do I run every morning?",
        "I wish I ran every morning.",
        "Maybe I run every morning.",
        "If I run every morning, I sleep.",
        "He runs every morning.",
        "I think about it every day.",
        "I do it every day.",
        "I go there every week.",
        "I always forget my keys.",
        "I usually go.",
    ],
)
async def test_what_is_not_plainly_so_is_no_fact(offline: OfflineExtractor, content: str) -> None:
    assert await claims(offline, content) == []


@pytest.mark.parametrize(
    "content",
    [
        "We discussed the budget for Lisbon.",
        "We talked about my sister's wedding in Porto.",
        "Yesterday we discussed pottery and yoga with Bruno.",
        "We were just talking about running every morning.",
        "I asked Bruno about his job at Acme.",
        "I mentioned nuts before.",
        "As discussed, the slides are with Bruno.",
        "I'm currently looking at flights to Porto.",
        "I'm looking at apartments in Lisbon right now.",
        "I'm just checking the calendar.",
        "I'm reading your last message again.",
        "Let's talk about green tea.",
        "Let me think about Porto for a moment.",
        "How are you today? I'm fine, thanks.",
        "Nice weather in Porto today, isn't it?",
        "Good morning, Bruno! Have a nice day.",
    ],
)
async def test_what_is_talked_about_looked_at_or_said_in_passing_is_no_fact(
    offline: OfflineExtractor, content: str
) -> None:
    assert [claim for claim in await claims(offline, content) if claim.category] == []


async def test_what_an_assistant_asks_for_is_nobodys_instruction(offline: OfflineExtractor) -> None:
    assert await claims(offline, "Always write to me in Portuguese.", EpisodeRole.ASSISTANT) == []


async def test_of_several_deeds_only_the_milestone_is_one(offline: OfflineExtractor) -> None:
    found = await claims(offline, "I got promoted last week, updated my page and included the news.")
    assert [thing(claim) for claim in found if claim.predicate == "milestone"] == ["promoted"]


async def test_a_habit_without_its_clause_is_quoted_whole(offline: OfflineExtractor) -> None:
    content = "Well then. I usually have lunch at one, and Bruno lives in Madrid. Bye."
    habit = (await claims(offline, content))[0]
    assert content[habit.quote_start : habit.quote_end] == "I usually have lunch at one, and Bruno lives in Madrid."
    assert habit.statement == "Maya has the habit: have lunch at one."


@pytest.mark.parametrize(
    ("content", "value", "since"),
    [
        ("We go on adventures together very often.", "go on adventures together", None),
        ("I usually go on long walks very much.", "go on long walks", None),
        ("I regularly go to the gym again.", "go to the gym", None),
        ("I often bake bread lately.", "bake bread", None),
        ("I often run in the park since 2019.", "run in the park", 2019),
        ("I go running every day for three years now.", "go running every day", 2022),
        ("Since 2020 I swim in the lake every morning.", "swim in the lake every morning", 2020),
        ("I normally cook for two hours every evening.", "cook for two hours every evening", None),
    ],
)
async def test_a_habit_is_a_phrase_and_its_time_a_time(
    offline: OfflineExtractor, content: str, value: str, since: int | None
) -> None:
    (claim,) = await claims(offline, content)
    begins = datetime(since, 1, 1, tzinfo=UTC) if since else None
    assert (claim.predicate, claim.value, claim.valid_from) == ("habit", value, begins)


@pytest.mark.parametrize(
    ("content", "value"),
    [
        ("I plan to get out in nature again next month.", "to get out in nature"),
        ("I plan to visit my parents this weekend.", "to visit my parents"),
        ("My goal is to swim every day.", "to swim every day"),
        ("I promise to call Clara tomorrow.", "to call Clara"),
    ],
)
async def test_when_a_deed_is_to_be_done_is_none_of_it(offline: OfflineExtractor, content: str, value: str) -> None:
    assert [claim.value for claim in await claims(offline, content)] == [value]


@pytest.mark.parametrize(
    "content",
    [
        "We usually get out in nature again next month.",
        "I usually meet Clara at the gym next Friday.",
        "I usually take the bus tomorrow.",
        "I run every morning this week.",
        "I always read very.",
        "I often paint more.",
    ],
)
async def test_what_does_not_come_again_is_no_habit(offline: OfflineExtractor, content: str) -> None:
    assert await claims(offline, content) == []


def test_each_category_can_be_said() -> None:
    assert {category for category, _ in CATEGORIES.values()} == {category.value for category in Category}
