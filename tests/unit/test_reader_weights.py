"""The trained reader with its weights: what it reads of plain sayings, near misses, and what changes nothing."""

from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest

from graphmem.extract.reader.network import WEIGHTS
from graphmem.extract.reader.reading import TrainedReader
from graphmem.model.episode import EpisodeRole
from graphmem.model.fragment import Context, ContextTurn
from tests.models import extractor
from tests.unit.test_reader_claims import WEDNESDAY, said, target

NADIA = "Nadia"
MOST_BYTES = 30_000_000


@cache
def reader() -> TrainedReader:
    return TrainedReader()


async def read(content: str, context: Context | None = None) -> set[tuple[str, str, str, object]]:
    """Kind, subject, predicate and target of each claim that is not open."""
    fragment = await extractor().extract(said(content), context or Context())
    return {(c.kind.value, c.subject.name, c.predicate, target(c)) for c in fragment.claims if not c.open}


def test_the_weights_are_those_whose_checksums_stand_beside_them() -> None:
    folder = Path(str(WEIGHTS))
    lines = [line.split("  ") for line in (folder / "SHA256SUMS").read_text("utf-8").splitlines()]
    sums = {name: checksum for checksum, name in lines}
    files = [file for file in folder.iterdir() if file.name != "SHA256SUMS"]
    assert {file.name: sha256(file.read_bytes()).hexdigest() for file in files} == sums
    assert sum(file.stat().st_size for file in files) < MOST_BYTES


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("I left Initech last Friday.", {("ends", NADIA, "works_at", "Initech")}),
        (
            "Tom and I moved to Zurich in March.",
            {("starts", NADIA, "lives_in", "Zurich"), ("starts", "Tom", "lives_in", "Zurich")},
        ),
        ("i live in nantes now", {("starts", NADIA, "lives_in", "Nantes")}),
        (
            "I used to work at Initech but since March I'm a nurse at St. Olav's.",
            {
                ("ends", NADIA, "works_at", "Initech"),
                ("starts", NADIA, "works_at", "St. Olav's"),
                ("starts", NADIA, "works_as", "nurse"),
            },
        ),
        ("I quit my job.", {("ends", NADIA, "works_at", None)}),
        ("Anna says Bob quit his job at Acme.", {("ends", "Bob", "works_at", "Acme")}),
        ("my new number is 555-0199", {("starts", NADIA, "phone", "555-0199")}),
        (
            "My rent went up from 900 to 980 euros a month.",
            {
                ("ends", "Nadia's rent", "price", "900"),
                ("starts", "Nadia's rent", "price", "980 euros a month"),
            },
        ),
        (
            "I'm allergic to peanuts, and Tom is vegetarian these days.",
            {("starts", NADIA, "allergic_to", "peanuts"), ("starts", "Tom", "diet", "vegetarian")},
        ),
        ("From now on please answer in French.", {("starts", NADIA, "instruction", "answer in French")}),
        ("The dentist is moved from Tuesday to Friday.", {("starts", NADIA, "appointment", "dentist")}),
    ],
)
async def test_plain_sayings(content: str, expected: set[tuple[str, str, str, object]]) -> None:
    assert expected <= await read(content)


@pytest.mark.parametrize(
    "content",
    [
        "If I moved to Porto I'd miss the mountains.",
        "I might get a dog one day.",
        "Do you work at Initech?",
        "Translate to French: I am allergic to nuts.",
        "she left Initech's badge at home",
        "Thanks, that was lovely!",
        "They say the office in Lyon may close.",
    ],
)
async def test_near_misses_are_no_claims(content: str) -> None:
    assert await read(content) == set()


async def test_a_short_answer_takes_its_sense_from_the_turn_before() -> None:
    asked = ContextTurn(
        role=EpisodeRole.ASSISTANT, speaker=None, content="Which city do you live in?", occurred_at=WEDNESDAY
    )
    assert extractor().context_chars > 0
    assert await read("Nantes", Context(turns=(asked,))) == {("starts", NADIA, "lives_in", "Nantes")}


async def test_half_a_character_in_a_turn_before_is_passed_over() -> None:
    asked = ContextTurn(role=EpisodeRole.TOOL, speaker="\ud800", content="\ud800?", occurred_at=WEDNESDAY)
    expected = {("starts", NADIA, "lives_in", "Nantes")}
    assert await read("i live in nantes now", Context(turns=(asked,))) == expected


async def test_a_text_says_the_same_alone_and_among_others() -> None:
    contents = ["I left Initech last Friday.", "i live in nantes now", "My boss is Aisha Rahman." * 8]
    together = await extractor().extract_each([(said(content), Context()) for content in contents])
    alone = [await extractor().extract(said(content)) for content in contents]
    assert [fragment.claims for fragment in together] == [fragment.claims for fragment in alone]


async def test_places_are_those_of_the_whole_text() -> None:
    filler = "We talked about the garden and the weather for a while. " * 20
    content = f"{filler}I work at Otto."
    fragment = await extractor().extract(said(content))
    (claim,) = (each for each in fragment.claims if each.predicate == "works_at")
    assert content[claim.quote_start : claim.quote_end] == "I work at Otto."
    assert any(content[each.start : each.end] == "Otto" for each in fragment.mentions)
