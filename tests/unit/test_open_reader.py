"""The open reader: what each clause asserts, its sentence in the third person, and why it is dropped."""

from datetime import UTC, datetime

import pytest

from graphmem.extract.offline.open.reader import Clause, clauses
from graphmem.extract.offline.open.statement import Narrator, third_person
from graphmem.extract.offline.open.status import Drop, Status
from graphmem.extract.offline.syntax import Parser, Said

SAID_AT = datetime(2024, 5, 20, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def parser() -> Parser:
    return Parser(())


def read(parser: Parser, text: str) -> list[Clause]:
    return list(clauses(Narrator(parser.parse(Said(text, ("Audrey",))), "Maya", SAID_AT)))


@pytest.mark.parametrize(
    ("text", "status", "statement"),
    [
        ("I joined a book club last month.", Status.ASSERTED, "Maya joined a book club in April 2024."),
        ("I've been painting since 2019.", Status.ASSERTED, "Maya has been painting since 2019."),
        ("I'm gonna visit Rome with my sister.", Status.PLANNED, "Maya is going to visit Rome with their sister."),
        ("We will adopt a dog.", Status.PLANNED, "Maya and others will adopt a dog."),
        ("I want to learn the piano.", Status.WISHED, "Maya wants to learn the piano."),
        ("I can't wait to see the sea.", Status.WISHED, "Maya can not wait to see the sea."),
        ("I can play the violin.", Status.ABLE, "Maya can play the violin."),
        ("I don't eat meat.", Status.NEGATED, "Maya does not eat meat."),
        ("Went to the museum with my kids.", Status.ASSERTED, "Maya went to the museum with Maya's kids."),
        ("My brother plays the drums in a band.", Status.ASSERTED, "Maya's brother plays the drums in a band."),
        ("Painting helps me express my feelings.", Status.ASSERTED, "Painting helps Maya express their feelings."),
        ("Tom works in a bakery.", Status.ASSERTED, "Tom works in a bakery."),
        ("Wow, Audrey! I love the city and its parks.", Status.ASSERTED, None),
    ],
)
def test_a_clause_is_told_in_the_third_person(parser: Parser, text: str, status: Status, statement: str | None) -> None:
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
    ],
)
def test_what_is_no_claim_says_why(parser: Parser, text: str, reason: Drop) -> None:
    assert reason in {clause.stand for clause in read(parser, text)}
    assert not any(clause.statement for clause in read(parser, text))


def test_two_clauses_are_two_claims_and_a_guess_is_none(parser: Parser) -> None:
    found = {clause.statement for clause in read(parser, "I moved to Oslo and my sister opened a bakery.")}
    assert found == {"Maya moved to Oslo.", "Maya's sister opened a bakery."}
    assert [clause.statement for clause in read(parser, "I think that Tom lives in Oslo.")] == ["", ""]


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
