"""“He” and “she” are the one person named before, be it in a role: “My boss is Paul. He works at Acme.”"""

import pytest

from graphmem.extract.offline.extractor import OfflineExtractor
from tests.unit.test_offline_extraction import said
from tests.unit.test_offline_predicates import told


@pytest.mark.parametrize(
    ("content", "who", "predicate", "thing"),
    [
        ("My boss is Paul. He works at Initech.", "Paul", "works_at", "Initech"),
        ("My boss is Paul Smith. He moved to Porto in May.", "Paul Smith", "lives_in", "Porto"),
        ("My boss is Zork. He lives in Rome.", "Zork", "lives_in", "Rome"),
        ("Paul is my boss. He works at Initech.", "Paul", "works_at", "Initech"),
        ("My sister is called Anna. She lives in Rome.", "Anna", "lives_in", "Rome"),
        ("My neighbor, Paul, is nice. He works at Acme.", "Paul", "works_at", "Acme"),
        ("Paul, my neighbor, is nice. He works at Acme.", "Paul", "works_at", "Acme"),
        ("My neighbor Paul is nice. He works at Acme.", "Paul", "works_at", "Acme"),
        ("My brother's name is Tom. He lives in Oslo.", "Tom", "lives_in", "Oslo"),
        ("I have a brother named Tom. He lives in Oslo.", "Tom", "lives_in", "Oslo"),
        ("I have a sister, Anna. She lives in Oslo.", "Anna", "lives_in", "Oslo"),
        ("Our daughter is Ella. She studies at MIT.", "Ella", "studies", "MIT"),
    ],
)
async def test_a_role_and_its_name_are_one_person(
    offline: OfflineExtractor, content: str, who: str, predicate: str, thing: str
) -> None:
    assert (who, predicate, thing) in told(await offline.extract(said(content)))


@pytest.mark.parametrize(
    "content",
    [
        "My boss isn't Paul. He works at Initech.",
        "My boss might be Paul. He lives in Rome.",
        "My boss is nice. Paul called. He works at Initech.",
        "My sister met Anna. She lives in Rome.",
        "My boss is Paul, and my neighbor is Tom. He lives in Rome.",
        "My boss Paul said hi. My colleague called. He lives in Rome.",
        "My dog is Toby. He lives in Rome.",
    ],
)
async def test_of_two_persons_nobody_is_meant(offline: OfflineExtractor, content: str) -> None:
    predicates = {predicate for _, predicate, _ in told(await offline.extract(said(content)))}
    assert predicates <= {"reports_to", "neighbor_of", "owns"}
