"""What the relation types of an ontology make of claims that were read, whoever has read them."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from graphmem.extract.relation_types import by_relation_types
from graphmem.model.claim import Category, ClaimKind
from graphmem.model.episode import Episode
from graphmem.model.fragment import Context, Fragment, ProposedClaim, ProposedMention, ThingName
from graphmem.model.ontology import DEFAULT_ONTOLOGY, EntityType, Ontology, RelationType
from tests.models import extractor, opened

SAID_AT = datetime(2025, 6, 18, 10, tzinfo=UTC)
NADIA, OTTO = ThingName("Nadia", "person"), ThingName("Otto", "organization")
COMPANY = ThingName("Otto", "company")
MENTIONS = (ProposedMention(entity=OTTO, start=10, end=14),)
WORKS = ProposedClaim(
    kind=ClaimKind.STARTS,
    subject=NADIA,
    predicate="works_at",
    object=OTTO,
    statement="Nadia works at Otto.",
    quote_start=0,
    quote_end=14,
    confidence=0.85,
    category="occupation",
)
WORDING = ("{object} employs {subject}", "{object} employed {subject}", "{object} employs {subject} no more")


def of(**relations: RelationType) -> Ontology:
    names = ("company", "school", "organization", "city", "vehicle")
    return Ontology(
        entity_types={**DEFAULT_ONTOLOGY.entity_types, **{name: EntityType() for name in names}},
        relation_types=relations,
    )


def read_by(relation: RelationType, *claims: ProposedClaim) -> tuple[list[ThingName], list[ProposedClaim]]:
    mentions, standing = by_relation_types(MENTIONS, claims, of(works_at=relation), SAID_AT)
    return [mention.entity for mention in mentions], list(standing)


@pytest.mark.parametrize(
    ("objects", "target", "value", "mentioned"),
    [
        ((), OTTO, None, OTTO),
        (("school", "organization"), OTTO, None, OTTO),
        (("company",), COMPANY, None, COMPANY),
        (("value",), None, "Otto", OTTO),
        (("school", "value"), None, "Otto", OTTO),
        (("organization", "value"), OTTO, None, OTTO),
    ],
)
def test_an_object_is_what_may_stand_there(
    objects: tuple[str, ...], target: ThingName | None, value: str | None, mentioned: ThingName
) -> None:
    assert read_by(RelationType(objects=objects), WORKS) == ([mentioned], [replace(WORKS, object=target, value=value)])


def test_what_fits_none_of_several_types_is_not_claimed() -> None:
    assert read_by(RelationType(objects=("company", "school")), WORKS) == ([OTTO], [])


def test_a_value_and_an_end_of_nothing_in_particular_have_no_type() -> None:
    value = replace(WORKS, object=None, value="the docks")
    unnamed = replace(WORKS, object=None, kind=ClaimKind.ENDS, statement="Nadia no longer works there.")

    relation = RelationType(objects=("company", "school"), wording=WORDING)
    _, claims = read_by(relation, value, unnamed)

    assert claims == [replace(value, statement="the docks employs Nadia."), unnamed]


def test_what_another_claim_names_is_mentioned_as_it_was() -> None:
    other = replace(WORKS, predicate="likes")

    mentions, (works, likes) = read_by(RelationType(objects=("company",)), WORKS, other)

    assert (mentions, works.object, likes) == ([OTTO], COMPANY, other)


@pytest.mark.parametrize(
    ("change", "statement"),
    [
        ({}, "Otto employs Nadia."),
        ({"kind": ClaimKind.HOLDS}, "Otto employs Nadia."),
        ({"kind": ClaimKind.REJECTS}, "Otto employs Nadia."),
        ({"valid_to": SAID_AT + timedelta(days=1)}, "Otto employs Nadia."),
        ({"valid_to": SAID_AT}, "Otto employed Nadia."),
        ({"kind": ClaimKind.ENDS}, "Otto employs Nadia no more."),
        ({"object": None, "value": "{object} & {sons}"}, "{object} & {sons} employs Nadia."),
    ],
)
def test_a_sentence_has_the_words_of_the_relation_type(change: dict[str, object], statement: str) -> None:
    _, (claim,) = read_by(RelationType(wording=WORDING), replace(WORKS, **change))

    assert claim == replace(WORKS, **change, statement=statement)


@pytest.mark.parametrize("change", [{"valid_to": SAID_AT}, {"kind": ClaimKind.ENDS}])
def test_of_what_is_over_the_reader_s_words_stand_where_only_one_sentence_is_given(change: dict[str, object]) -> None:
    over = replace(WORKS, **change, statement="As it was read.")

    assert read_by(RelationType(wording=WORDING[:1]), over) == ([OTTO], [over])


@pytest.mark.parametrize(("category", "told"), [(Category.IDENTITY, "identity"), (None, "occupation")])
def test_the_category_of_a_relation_type_goes_before_that_of_the_predicate(
    category: Category | None, told: str
) -> None:
    _, (claim,) = read_by(RelationType(category=category), WORKS)

    assert claim == replace(WORKS, category=told)


async def read(content: str, ontology: Ontology, *, ours: bool) -> Fragment:
    episode = Episode(group_id="g", session="s", content=content, occurred_at=SAID_AT, speaker="Nadia")
    return await (extractor() if ours else opened()).extract(episode, Context(ontology=ontology))


async def test_what_the_trained_reader_reads_is_as_the_group_has_it() -> None:
    works = RelationType(objects=("company",), wording=WORDING, category=Category.IDENTITY)
    drives = RelationType(objects=("school", "vehicle"))

    fragment = await read("I work at Otto. I drive a Golf.", of(works_at=works, drives=drives), ours=True)

    (claim,) = [claim for claim in fragment.claims if not claim.open]
    assert (claim.predicate, claim.object, claim.category) == ("works_at", COMPANY, "identity")
    assert claim.statement == "Otto employs Nadia."
    assert COMPANY in {mention.entity for mention in fragment.mentions}


async def test_a_predicate_of_the_group_s_own_is_so_too() -> None:
    mended = RelationType(objects=("value",), wording=("{subject} has put {object} right",), category=Category.HOBBY)
    own = replace(of(mended=mended), open_predicates={"mended": ("repair",)})

    (claim,) = (await read("I repaired the old fence.", own, ours=False)).claims

    assert (claim.predicate, claim.object, claim.open, claim.category) == ("mended", None, True, "hobby")
    assert claim.statement == f"Nadia has put {claim.value} right."
