"""Others of one name in a text."""

import re
from datetime import UTC, datetime

import pytest

from graphmem.model.claim import ClaimKind
from graphmem.model.episode import Episode
from graphmem.model.fragment import Fragment, ProposedClaim, ProposedMention, ThingName
from graphmem.model.matching import Method, Verdict
from graphmem.resolve.matching.decide import judge
from graphmem.resolve.plan import resolve
from tests.episodes import stored
from tests.profiles import profile

SAID = datetime(2025, 7, 16, tzinfo=UTC)
ANNA = ThingName("Anna", "person")


def spoken_of(content: str, name: ThingName = ANNA) -> list[str]:
    """The qualifier of whom each sentence speaks of, with places for their sentences: @0 is the first."""
    sentences = [*re.finditer(r"[^.]+(?:\.(?=\S)[^.]+)*\.", content)]
    claims = [
        ProposedClaim(
            kind=ClaimKind.STARTS,
            subject=name,
            predicate="says",
            value=number,
            statement=sentence[0],
            quote_start=sentence.start(),
            quote_end=sentence.end(),
            confidence=1.0,
        )
        for number, sentence in enumerate(sentences)
    ]
    mentions = [
        ProposedMention(entity=name, start=match.start(), end=match.end()) for match in re.finditer(name.name, content)
    ]
    one = stored(Episode(group_id="g", session="s", content=content, occurred_at=SAID))
    found = resolve(one, Fragment(mentions=tuple(mentions), claims=tuple(claims), extractor="test", version="1"))
    qualifiers = {entity.id: entity.qualifier for entity in found.entities}
    ordered = sorted(found.claims, key=lambda claim: claim.quote_start)
    return [qualifiers[claim.subject_id].replace(one.id, "") for claim in ordered]


@pytest.mark.parametrize(
    ("content", "qualifiers"),
    [
        ("Anna came. Anna left.", ["", ""]),
        ("Anna came. The other Anna stayed. She sang.", ["", "mention:@21", "mention:@21"]),
        ("Another Anna came. Anna left.", ["mention:@8", ""]),
        ("Anna came. I met a different Mrs Anna in May. Anna left.", ["", "mention:@33", ""]),
        ("Anna came. The other Anna (A.B@example.com) stayed.", ["", "email:a.b@example.com"]),
        ("Anna came. Anna (the other one) stayed. Anna left.", ["", "mention:@11", ""]),
        ("Anna came. Anna, another one, stayed.", ["", "mention:@11"]),
        ("Anna came. Anna (a different person) stayed.", ["", "mention:@11"]),
        ("Anna came. Anna (the second one, a@b.com) stayed.", ["", "email:a@b.com"]),
        ("Anna came. A second Anna stayed.", ["", "mention:@20"]),
        ("Anna came. Another woman called Anna stayed.", ["", "mention:@32"]),
        ("Anna came. A completely different person who is also named Anna stayed.", ["", "mention:@59"]),
        ("Anna came. Another friend Anna knew.", ["", ""]),
        ("Anna (the other of us two) came.", [""]),
        ("Anna (the second from the left) came.", [""]),
        ("On the other hand Anna came.", [""]),
        ("Anna met the other Anna.", [""]),
    ],
)
def test_another_one_of_the_name_is_told_apart(content: str, qualifiers: list[str]) -> None:
    assert spoken_of(content) == qualifiers


def test_another_of_what_is_no_person_is_one_more_of_the_same() -> None:
    assert spoken_of("I had another Cola.", ThingName("Cola", "product")) == [""]


def test_another_one_is_not_the_one_of_the_bare_name() -> None:
    other = profile("Anna", id_="2", qualifier="mention:e@12")
    found = judge(other, profile("Anna"))
    assert (found.verdict, found.method) == (Verdict.DIFFERENT, Method.VETO)
    assert judge(other, profile("Anna Lee")).verdict is not Verdict.SAME
    assert judge(other, profile("Anna", id_="3", qualifier="mention:f@1")).verdict is not Verdict.SAME
