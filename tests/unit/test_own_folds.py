"""Open predicates of an ontology: which folds it takes, and what both readers make of them."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from graphmem.errors import ConfigurationError, InvalidInput
from graphmem.extract.llm.folds import canonical
from graphmem.extract.llm.prompts import system_prompt
from graphmem.extract.llm.schema import ExtractedClaim
from graphmem.extract.llm.statuses import status_of
from graphmem.extract.offline.extractor import OfflineExtractor
from graphmem.extract.offline.tables.folds import PACKAGED, folds_of, packaged_predicates
from graphmem.model.claim import Category, ClaimStatus
from graphmem.model.episode import Episode
from graphmem.model.fragment import ALONE, Context
from graphmem.model.ontology import DEFAULT_ONTOLOGY, LONGEST_NAME, Ontology, RelationType
from graphmem.ontology import WrittenOntology, ontology_of, written
from graphmem.settings import load_settings
from graphmem.settings.strategies import Composition
from tests.models import opened

OWN = replace(
    DEFAULT_ONTOLOGY,
    open_predicates={
        "grumbled_about": ("complain about", "grumble about"),
        "mended": ("repair",),
        "picnicked_in": ("picnic in:place",),
        "annoyed_by": ("annoy me",),
        "spotted_near": ("be near:place",),
        "chased_by": ("be chased by",),
        "hopes_for": ("bank on",),
    },
)
OF_GROUP = Context(ontology=OWN)
OPENED = Composition(providers=("regex", "names", "open"))
SAILS = {"sails": RelationType()}


def ontology(open_predicates: Mapping[str, tuple[str, ...]]) -> Ontology:
    return Ontology(open_predicates=open_predicates)


def said(content: str) -> Episode:
    at = datetime(2024, 5, 20, 12, tzinfo=UTC)
    return Episode(group_id="g", session="s", content=content, occurred_at=at, speaker="Maya")


@pytest.mark.parametrize(
    ("content", "category"),
    [
        ("I grumbled about the noise.", "preference"),
        ("I visited Lisbon in 2019.", "milestone"),
        ("I lived in Lisbon.", ""),
        ("I repaired the old fence.", ""),
    ],
)
async def test_a_relation_type_gives_its_category_to_what_has_none(content: str, category: str) -> None:
    own = replace(
        OWN,
        relation_types={
            "grumbled_about": RelationType(category=Category.PREFERENCE),
            "visited": RelationType(category=Category.MILESTONE),
            "lives_in": RelationType(category=Category.HABIT),
            "mended": RelationType(),
        },
    )

    ours = (await opened().extract(said(content), Context(ontology=own))).claims
    services = await OfflineExtractor("opened", OPENED, ontology=own).extract(said(content))
    trace = await opened().trace(said(content), Context(ontology=own))

    assert {claim.category for claim in ours} == {category}
    assert services.claims == trace.fragment.claims == ours
    assert not any(clause.dropped for clause in trace.clauses) or not any(claim.open for claim in ours)


async def predicates(reader: OfflineExtractor, content: str, context: Context) -> list[str]:
    return [claim.predicate for claim in (await reader.extract(said(content), context)).claims if claim.open]


@pytest.mark.parametrize(
    ("content", "packaged", "own"),
    [
        ("I complained about the noise.", "did", "grumbled_about"),
        ("I repaired the old fence.", "repaired", "mended"),
        ("I fixed the old fence.", "repaired", "repaired"),
        ("I juggled four torches.", "did", "did"),
        ("I picnicked in Lisbon.", "did", "picnicked_in"),
        ("I picnicked in the rain.", "did", "did"),
        ("Loud neighbours annoy me.", "related_to", "annoyed_by"),
        ("I was near Lisbon yesterday.", "was_at", "spotted_near"),
        ("I was near the lake yesterday.", "was_at", "was_at"),
        ("I was chased by a goose.", "was", "chased_by"),
    ],
)
async def test_a_fold_stands_beside_the_packaged_ones_or_instead_of_the_same(
    content: str, packaged: str, own: str
) -> None:
    assert await predicates(opened(), content, ALONE) == [packaged]
    assert await predicates(opened(), content, OF_GROUP) == [own]


async def test_each_of_a_batch_is_read_by_its_own_ontology() -> None:
    reader, fence = opened(), said("I repaired the old fence.")
    other = Context(ontology=ontology({"patched_up": ("repair",)}))
    sources = [(fence, context) for context in (OF_GROUP, ALONE, other)]

    together = await reader.extract_each(sources)

    assert [one.claims[0].predicate for one in together] == ["mended", "repaired", "patched_up"]
    assert together == [await reader.extract(*source) for source in sources]
    assert len({one.version for one in together}) == 1


async def test_the_service_s_own_are_read_where_a_group_has_no_ontology() -> None:
    reader = OfflineExtractor("opened", OPENED, ontology=OWN)

    assert await predicates(reader, "I repaired the old fence.", ALONE) == ["mended"]
    assert await predicates(reader, "I repaired the old fence.", Context(ontology=DEFAULT_ONTOLOGY)) == ["repaired"]


def test_without_own_folds_nothing_is_made_and_no_more_is_asked() -> None:
    assert folds_of(DEFAULT_ONTOLOGY) is PACKAGED
    assert packaged_predicates() is packaged_predicates()
    assert not OfflineExtractor("fast").uses_ontology
    assert OfflineExtractor().uses_ontology


@pytest.mark.parametrize(
    ("predicate", "target_type", "found"),
    [
        ("complains_about", "", "grumbled_about"),
        ("grumbled_about", "", "grumbled_about"),
        ("repaired", "", "mended"),
        ("fixes", "", "repaired"),
        ("picnic_in", "place", "picnicked_in"),
        ("picnic_in", "event", ""),
        ("annoys_me", "", "annoyed_by"),
        ("was_chased_by", "", "chased_by"),
        ("juggled", "", ""),
    ],
)
def test_a_model_s_verbs_fold_into_them_first(predicate: str, target_type: str, found: str) -> None:
    assert canonical(predicate, target_type, OWN) == found


def test_a_model_is_told_of_them_and_of_others_what_it_was_told() -> None:
    own = " ".join(sorted(OWN.open_predicates))
    assert f"\nElse one of these:\n{own} " in system_prompt(OWN)
    assert "mended" not in system_prompt(DEFAULT_ONTOLOGY)
    assert "grumbled_about" not in system_prompt(replace(OWN, open_types=False, relation_types=SAILS))


def test_a_listed_name_says_no_status() -> None:
    told = {"subject": "I", "predicate": "hopes_for", "statement": "x", "quote": "x", "turn": 0, "confidence": 0.9}
    claim = ExtractedClaim.model_validate(told)

    assert status_of(claim, OWN) is ClaimStatus.ASSERTED
    assert status_of(claim, DEFAULT_ONTOLOGY) is ClaimStatus.WISHED


@pytest.mark.parametrize(
    ("open_predicates", "words"),
    [
        ({"Sailed past": ("sail past",)}, "no name of an open predicate.* Write 'sailed_past'"),
        ({"x" * (LONGEST_NAME + 1): ()}, "up to 64"),
        ({"did": ("sail",)}, "'did' says how something is said"),
        ({"plans": ("sail",)}, "'plans' says how"),
        ({"sailed": ("Sail  past",)}, "'Sail  past' of 'sailed' is no fold.* Write 'sail past'"),
        ({"sailed": ("sail_past",)}, "Write 'sail past'"),
        ({"sailed": ("",)}, "no fold"),
        ({"sailed": ("sail past:",)}, "no fold"),
        ({"sailed": ("sail past by night today",)}, "no fold"),
        ({"sailed": ("x" * 65,)}, "64 small letters at most"),
        ({"sailed": ("me",)}, "“me” stands for the object"),
        ({"sailed": ("carry me:person",)}, "“me” stands for the object"),
        ({"sailed": ("sail", "row"), "rowed": ("row",)}, "'row' folds into 'sailed' and into 'rowed'"),
        ({"sailed": tuple(f"sail {'x' * number}" for number in range(1, 70))}, "69 folds.*64 at most"),
        ({f"sailed_{number}": () for number in range(201)}, "201 open predicates; 200 at most"),
        (
            {
                f"n{number}": (f"{'x' * 59}:t{number}", f"{'y' * 59}:t{number}", f"{'z' * 59}:t{number}")
                for number in range(200)
            },
            "32000",
        ),
    ],
    ids=lambda value: str(value)[:50],
)
def test_what_does_not_fit_is_said(open_predicates: Mapping[str, tuple[str, ...]], words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        ontology(open_predicates)


def test_they_are_read_from_the_file_and_as_they_were_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "graphmem.toml"
    path.write_text('[ontology.open_predicates]\nsailed_past = ["sail past", "sail  by:place"]\n')
    monkeypatch.setenv("GRAPHMEM_CONFIG", str(path))

    read = load_settings().ontology.to_domain()

    assert read.open_predicates == {"sailed_past": ("sail past", "sail by:place")}
    assert WrittenOntology.model_validate(written(read)).to_domain() == read
    assert ontology_of(open_predicates={"sailed_past": ["sail past"]}).open_predicates == {
        "sailed_past": ("sail past",)
    }


def test_a_file_with_a_fold_of_two_names_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHMEM_ONTOLOGY_OPEN_PREDICATES", '{"sailed": ["sail"], "cruised": ["sail"]}')
    with pytest.raises(ConfigurationError, match=r"ontology: .*'sail' folds into 'sailed' and into 'cruised'"):
        load_settings()
