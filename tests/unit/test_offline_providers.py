"""Strategies are made of providers, whose findings are settled together."""

from datetime import UTC, datetime

import pytest

from graphmem.errors import ReadingTimedOut
from graphmem.extract.findings import Findings, claims, naming, settled
from graphmem.extract.llm.extractor import spans_of
from graphmem.extract.offline.extractor import OfflineExtractor
from graphmem.extract.offline.providers import RegexProvider, Strategy
from graphmem.model.claim import ClaimKind
from graphmem.model.episode import Episode
from graphmem.model.fragment import ALONE, ProposedClaim, ProposedMention, ThingName
from graphmem.settings.strategies import STRATEGIES, Composition

SAID = datetime(2025, 7, 16, 15, 0, tzinfo=UTC)


def episode(content: str) -> Episode:
    return Episode(group_id="g", session="s", content=content, occurred_at=SAID, speaker="Maya")


def read_by_a_model(content: str, *named: tuple[str, str]) -> list[ProposedMention]:
    """The mentions that stand of what a model names and of identifiers."""
    told = [
        ProposedMention(entity=ThingName(name, type_), start=content.index(name), end=content.index(name) + len(name))
        for name, type_ in named
    ]
    formed = RegexProvider().read(episode(content), content, ALONE)
    return list(settled([Findings(spans_of(told)), naming(formed)])[0])


def said(predicate: str, quote: tuple[int, int]) -> ProposedClaim:
    return ProposedClaim(
        kind=ClaimKind.STARTS,
        subject=ThingName("Maya", "person"),
        predicate=predicate,
        value="x",
        statement="…",
        quote_start=quote[0],
        quote_end=quote[1],
        confidence=0.9,
    )


@pytest.mark.parametrize("strategy", list(Strategy))
def test_a_strategy_is_made_of_the_providers_in_the_table(strategy: Strategy) -> None:
    names = tuple(provider.name for provider in OfflineExtractor(strategy).providers)
    assert names == STRATEGIES[strategy].providers


@pytest.mark.parametrize(
    ("content", "named", "types"),
    [
        ("Write to maya@example.com about #A-1.", [], ["email"]),
        ("See https://example.com, order #A-10293.", [], ["url", "order"]),
        ("Call +351 912 345 678.", [], ["phone"]),
        ("Anna bought it for 300 euros on 3 May 2024.", [("Anna", "person")], ["person"]),
        ("Anna has order #A-10293.", [("Anna", "person"), ("A-10293", "order")], ["person", "order"]),
        # an e-mail is surer than what a model says, a number is not, and the longer one wins among equals
        ("Write to maya@example.com.", [("example.com", "organization")], ["email"]),
        ("Thanks @bruno!", [("@bruno", "project")], ["project"]),
        ("ticket 48812", [("ticket 48812", "issue")], ["issue"]),
    ],
)
def test_what_a_model_has_read_keeps_the_identifiers(
    content: str, named: list[tuple[str, str]], types: list[str]
) -> None:
    assert [mention.entity.type for mention in read_by_a_model(content, *named)] == types


def test_a_type_of_an_ontology_may_have_the_name_of_a_form_that_names_nothing() -> None:
    content = "It was the 3 May 2024 edition."
    found = read_by_a_model(content, ("3 May 2024 edition", "date"))
    assert [mention.entity.name for mention in found] == ["3 May 2024 edition"]


def test_of_two_providers_that_say_the_same_of_the_same_words_the_one_that_quotes_more_stands() -> None:
    short, whole, elsewhere = said("named", (3, 9)), said("named", (0, 12)), said("named", (20, 30))
    other = said("lives_in", (3, 9))
    found = claims([Findings(claims=(short, other)), Findings(claims=(whole, elsewhere))])
    assert set(found) == {whole, other, elsewhere}
    assert [claim.quote_start for claim in found] == [0, 3, 20]


async def test_a_composed_strategy_asks_its_providers_and_takes_claims_of_those_that_make_them() -> None:
    content = "I live in Porto. I joined a book club in Lisbon."
    names_only = Composition(providers=("regex", "names", "open"), claims=("open",))
    fragment = await OfflineExtractor("mine", names_only).extract(episode(content))
    assert {claim.open for claim in fragment.claims} == {True}
    assert {mention.entity.name for mention in fragment.mentions} >= {"Porto", "Lisbon"}
    assert fragment.version.endswith("-(regex)+(names)+open")


@pytest.mark.parametrize("late", STRATEGIES["accurate"].providers)
async def test_each_provider_has_its_own_time_and_says_which_of_them_took_too_long(late: str) -> None:
    seconds: dict[str, float] = dict.fromkeys(STRATEGIES["accurate"].providers, 60.0)
    text = episode("I live in Porto.")
    assert (await OfflineExtractor(seconds=seconds).extract(text)).claims
    with pytest.raises(ReadingTimedOut, match=rf"'{late}' did not read a text.*\[pipeline.providers.{late}\]"):
        await OfflineExtractor(seconds=seconds | {late: 1e-9}).extract(text)
    with pytest.raises(ReadingTimedOut, match=f"'{late}' did not read 2 texts, each"):
        await OfflineExtractor(seconds=seconds | {late: 1e-9}).extract_each([(text, ALONE), (text, ALONE)])


async def test_a_provider_that_is_not_asked_has_no_time() -> None:
    fast = OfflineExtractor("fast", seconds={"names": 1e-9, "regex": 60.0, "reader": 60.0})
    assert (await fast.extract(episode("I live in Porto."))).claims
