"""Names that are near by their vectors: each is embedded once, and what only that proposes somebody is asked about."""

from collections.abc import Mapping, Sequence
from math import cos, radians, sin
from pathlib import Path

import pytest
from pydantic import BaseModel, ConfigDict

from graphmem.errors import ModelUnavailable, NotEmbeddable
from graphmem.memory import Memory
from graphmem.model.embedding import Vector
from graphmem.model.evidence import StructuredClaim
from graphmem.model.fragment import ThingName
from graphmem.model.interval import END
from graphmem.model.matching import MatchingSettings, Stage, StageSettings, TypeSettings, Verdict
from graphmem.model.scope import Scope
from graphmem.model.search import Preferences
from graphmem.store.driver import Database
from graphmem.store.queries import read_queries
from tests.models import embedder, memory_on
from tests.store.test_matching import EPOCH, clusters, compare

QUERIES = {query.name: query for query in read_queries(Path(__file__).parent / "names.cypher")}
ALIKE = {"colour": "red", "maker": "Hyrule", "serial": "HX-4417-9", "built": "2021-03-04"}


class NameRow(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    embedded: str | None
    has_vector: bool
    waits: bool
    indexed: bool


class ByAngle:
    """Vectors in a plane, by the angle of each name in degrees. It remembers what it embedded, and can be away."""

    dimensions = 2

    def __init__(self, angles: Mapping[str, float], model: str = "by angle") -> None:
        self.model = model
        self.away = False
        self.length = 2
        self.embedded: list[str] = []
        self._angles = angles

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        if self.away:
            raise ModelUnavailable("The model is away (test).")
        if "\u200b" in texts:
            raise NotEmbeddable("That is no text (test).")
        self.embedded += [text for text in texts if text in self._angles]
        return [await self.embed_query(text) for text in texts]

    async def embed_query(self, text: str) -> Vector:
        at = radians(self._angles.get(text, 180.0))
        return [cos(at), sin(at)][: self.length]


def of_concepts(stage: StageSettings, most_holders: int = 64) -> MatchingSettings:
    stages = {**TypeSettings().stages, Stage.EMBEDDING: stage}
    return MatchingSettings(types={"concept": TypeSettings(stages=stages)}, most_holders=most_holders)


async def told(memory: Memory, group: str, *names: str, type_: str = "concept", **values: str) -> None:
    for name in names:
        claims = [
            StructuredClaim(
                subject=ThingName(name, type_), predicate=predicate, value=value, valid_from=EPOCH, occurred_at=EPOCH
            )
            for predicate, value in (values or {"seen_by": name}).items()
        ]
        await memory.intake.assert_claims(group, claims)


async def asked(memory: Memory, group: str) -> set[frozenset[str]]:
    """The names of those of whom somebody is asked whether they are the same, because they are near."""
    names = {entity.id: entity.name for entity in await memory.reader.entities(Scope(group, END), limit=500)}
    reviews = await memory.merging.reviews(Scope(group, END))
    return {
        frozenset(names[id_] for id_ in one.judgement.pair)
        for one in reviews
        if one.judgement.stage is Stage.EMBEDDING and one.judgement.verdict is Verdict.REVIEW
    }


async def names(database: Database, group: str) -> dict[str, NameRow]:
    return {row.name: row for row in await database.run(QUERIES["names"], NameRow, group=group)}


async def test_a_word_for_the_same_is_asked_about_and_no_more(database: Database, group: str) -> None:
    memory = memory_on(database, embeds=embedder())
    await told(memory, group, "car", "automobile", "photosynthesis")
    await compare(memory, group)

    assert await asked(memory, group) == {frozenset({"car", "automobile"})}
    assert await clusters(memory, group) == set()
    by_name = {entity.name: entity.id for entity in await memory.reader.entities(Scope(group, END))}
    assert (await memory.judging.explain(group, by_name["car"], by_name["automobile"])).proposed
    assert not (await memory.judging.explain(group, by_name["car"], by_name["photosynthesis"])).proposed


async def test_an_entity_of_another_group_is_near_to_none(database: Database, group: str) -> None:
    memory = memory_on(database, embeds=ByAngle({"car": 0, "automobile": 1, "motor": 2}))
    await told(memory, f"{group}-1", "car", "motor")
    await told(memory, f"{group}-2", "automobile")
    for each, near in ((f"{group}-1", 2), (f"{group}-2", 0)):
        await compare(memory, each)
        least = {entity.id: 0.8 for entity in await memory.reader.entities(Scope(each, END))}
        found = [row for row in await memory.store.neighbours(each, least, 50) if not row.neighbour.before]
        assert len(found) == near
        assert len(await asked(memory, each)) == near // 2


@pytest.mark.parametrize(
    ("stage", "found"),
    [
        (StageSettings(threshold=0.80), True),
        (StageSettings(threshold=0.90), False),
        (StageSettings(threshold=0.80, enabled=False), False),
        (StageSettings(threshold=0.80, limit=0), False),
    ],
)
async def test_settings_of_a_type_say_what_is_near(
    database: Database,
    group: str,
    stage: StageSettings,
    found: bool,  # noqa: FBT001
) -> None:
    memory = memory_on(database, embeds=ByAngle({"car": 0, "automobile": 30}), matching=of_concepts(stage))
    await told(memory, group, "car", "automobile")
    await compare(memory, group)
    assert bool(await asked(memory, group)) == found


async def test_persons_are_not_near_by_their_names_unless_settings_say_so(database: Database, group: str) -> None:
    angles = {"Ronaldo": 0.0, "Ronaldinho": 1.0}
    embeds = ByAngle(angles)
    memory = memory_on(database, embeds=embeds)
    await told(memory, group, *angles, type_="person")
    await compare(memory, group)
    assert await asked(memory, group) == set()
    assert {row.waits for row in (await names(database, group)).values()} == {False}
    before = len(embeds.embedded)

    memory = memory_on(database, embeds=embeds, matching=MatchingSettings(types={}))
    await compare(memory, group)
    assert sorted(embeds.embedded[before:]) == sorted(angles)
    assert await asked(memory, group) == {frozenset(angles)}


async def test_what_only_vectors_propose_is_never_merged(database: Database, group: str) -> None:
    """Of two that are the same by all that is said of them, though no key that they share is looked up."""
    embeds = ByAngle({"car": 0, "automobile": 1})
    memory = memory_on(database, embeds=embeds, matching=of_concepts(StageSettings(threshold=0.8), most_holders=0))
    await told(memory, group, "car", "automobile", **ALIKE)
    await compare(memory, group)

    assert await asked(memory, group) == {frozenset({"car", "automobile"})}
    assert await clusters(memory, group) == set()


async def test_who_finds_whom_makes_no_difference(database: Database, group: str) -> None:
    """Of three, the last is nearest to the second, and the second to the first."""
    embeds = ByAngle({"first": 0, "second": 20, "last": 30})
    memory = memory_on(database, embeds=embeds, matching=of_concepts(StageSettings(threshold=0.8, limit=1)))
    both = {frozenset({"first", "second"}), frozenset({"second", "last"})}
    for order in (("first", "second", "last"), ("last", "second", "first")):
        each = f"{group}-{order[0]}"
        for name in order:
            await told(memory, each, name)
            await compare(memory, each)
        assert await asked(memory, each) == both
        await told(memory, each, "second", seen_by="Ann")
        await compare(memory, each)
        assert await asked(memory, each) == both


async def test_a_name_is_embedded_once(database: Database, group: str) -> None:
    embeds = ByAngle({"car": 0, "automobile": 1})
    memory = memory_on(database, embeds=embeds)
    await told(memory, group, "car", "automobile")
    await compare(memory, group)
    await told(memory, group, "car", seen_by="Ann")
    await compare(memory, group)
    assert sorted(embeds.embedded) == ["automobile", "car"]


async def test_while_the_model_is_away_entities_are_indexed_and_wait_for_vectors(
    database: Database, group: str
) -> None:
    embeds = ByAngle({"car": 0, "automobile": 1})
    memory = memory_on(database, embeds=embeds)
    await told(memory, group, "car", "automobile")
    embeds.away = True
    await compare(memory, group)
    away = await names(database, group)

    embeds.away = False
    assert await memory.store.next_group_to_match(group[:-1]) == group
    await compare(memory, group)

    assert {(row.indexed, row.has_vector, row.waits) for row in away.values()} == {(True, False, True)}
    assert await asked(memory, group) == {frozenset({"car", "automobile"})}
    assert await memory.store.next_group_to_match(group[:-1]) != group


async def test_a_name_that_cannot_be_embedded_holds_up_no_other(database: Database, group: str) -> None:
    memory = memory_on(database, embeds=ByAngle({"car": 0, "automobile": 1}))
    await told(memory, group, "car", "\u200b", "automobile")
    await compare(memory, group)
    found = await names(database, group)
    assert {name: row.has_vector for name, row in found.items()} == {"car": True, "\u200b": False, "automobile": True}
    assert not any(row.waits for row in found.values())


@pytest.mark.parametrize(("model", "length"), [("another", 2), ("by angle", 1)], ids=["model", "length"])
async def test_vectors_of_another_model_are_refused(database: Database, group: str, model: str, length: int) -> None:
    await told(memory_on(database, embeds=ByAngle({})), group, "car")
    embeds = ByAngle({"car": 0}, model)
    embeds.length = length
    await compare(memory_on(database, embeds=embeds), group)

    found = (await names(database, group))["car"]
    assert (found.indexed, found.has_vector, found.waits, found.embedded) == (True, False, False, None)


async def test_a_name_known_then_is_found_behind_ever_so_many_nearer_ones_that_the_reader_had_not_heard_of(
    database: Database, group: str
) -> None:
    later = [f"n{number}" for number in range(60)]
    memory = memory_on(database, embeds=ByAngle({"question": 0, "first": 5} | dict.fromkeys(later, 1)))
    await told(memory, group, "first")
    (first,) = await memory.reader.entities(Scope(group, END))
    await memory.intake.assert_claims(
        group,
        [
            StructuredClaim(
                subject=ThingName(name, "concept"), predicate="seen_by", value=name, valid_from=EPOCH, occurred_at=EPOCH
            )
            for name in later
        ],
    )
    await compare(memory, group)

    scope = Scope(group, EPOCH, first.recorded_at)
    found = await memory.searcher.search(scope, "question", kinds=frozenset({"entity"}), limit=5)
    assert [hit.ranked.id for hit in found.hits] == [first.id]


async def test_diversity_shows_a_name_that_is_unlike_the_first_before_one_like_it(
    database: Database, group: str
) -> None:
    memory = memory_on(database, embeds=ByAngle({"question": 0, "car": 1, "automobile": 2, "tram": 50}))
    await told(memory, group, "car", "automobile", "tram")
    await compare(memory, group)
    named = {entity.id: entity.name for entity in await memory.reader.entities(Scope(group, END))}

    async def order(diversity: float) -> list[str]:
        preferences = Preferences(diversity=diversity)
        kinds = frozenset({"entity"})
        recall = await memory.searcher.search(Scope(group, END), "question", kinds=kinds, preferences=preferences)
        return [named[hit.ranked.id] for hit in recall.hits]

    assert await order(0.0) == ["car", "automobile", "tram"]
    assert await order(0.9) == ["car", "tram", "automobile"]
