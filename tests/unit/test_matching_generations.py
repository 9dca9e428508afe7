"""Which one of a name somebody is, by a suffix or a number."""

from dataclasses import replace
from itertools import combinations

import pytest

from graphmem.model.matching import Method, Verdict
from graphmem.resolve.matching.decide import judge
from graphmem.resolve.matching.names import NameKind, names_of, parsed
from graphmem.resolve.matching.vetoes import vetoes_of_names_alone
from tests.profiles import profile

RULERS = [
    ("Louis XVII", "Louis XVIII"),
    ("louis xvii", "louis xviii"),
    ("Henry VII of England", "Henry VIII of England"),
    ("Charles I of England", "Charles II of England"),
    ("Charles I of England", "Charles V of Spain"),
    ("Gustav II Adolf", "Gustav III Adolf"),
    ("Gustaf V Adolf", "Gustaf VI Adolf"),
    ("Ivan III Vasilyevich", "Ivan IV Vasilyevich"),
    ("Peter II of Russia", "Peter III of Russia"),
    ("Pope John XXII", "Pope John XXIII"),
    ("Heinrich XX", "Heinrich XXII"),
    ("Charles XII of Sweden", "Charles XIII of Sweden"),
    ("Elizabeth the First", "Elizabeth the Second"),
    ("John Paul the Second", "John Paul I"),
    ("Henry 8th", "Henry VII"),
    ("Pius X", "Pius XI"),
    ("Leo IX", "Leo X"),
    ("Christian X", "Christian IX"),
    ("Frederick William X", "Frederick William I"),
    ("Robert Senior", "Robert Junior"),
]


def contradict(a: str, b: str) -> bool:
    vetoes = vetoes_of_names_alone(parsed(a, NameKind.PERSON), parsed(b, NameKind.PERSON))
    return any("two generations" in veto.reason for veto in vetoes)


@pytest.mark.parametrize(("a", "b"), RULERS)
@pytest.mark.parametrize("attribute", ["house", "country", "position"])
def test_two_numbers_are_two_rulers(a: str, b: str, attribute: str) -> None:
    found = judge(profile(a, **{attribute: "Ostrand"}), profile(b, **{attribute: "Ostrand"}))
    assert (found.verdict, found.method) == (Verdict.DIFFERENT, Method.VETO)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("James V.", "James Vance Jr."),
        ("Jose V", "Jose Vargas Jr."),
        ("Robert Senior", "Robert Senior Jr."),
        ("Anna V", "Anna Volkov III"),
    ],
)
def test_an_initial_or_a_family_name_is_no_number_beside_a_suffix(a: str, b: str) -> None:
    found = judge(profile(a, email="a@a.example"), profile(b, email="a@a.example"))
    assert (found.verdict, found.vetoes) == (Verdict.SAME, ())


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Robert V Smith", "Robert Smith Jr."),
        ("Robert V Smith", "Robert V"),
        ("Robert I. Smith", "Robert II"),
        ("Jinping Xi", "Jinping II"),
        ("Louis XVI", "Louis XVI of France"),
        ("Henry the Eighth", "Henry VIII"),
        ("Gustav II Adolf", "Gustav Adolf II"),
        ("Anna Second", "Anna III"),
    ],
)
def test_what_may_be_another_word_contradicts_nothing(a: str, b: str) -> None:
    assert not contradict(a, b)


@pytest.mark.parametrize(("a", "b"), [*combinations(["John Okafor Jr.", "John Okafor Sr.", "John Okafor III"], 2)])
def test_two_suffixes_are_two_people(a: str, b: str) -> None:
    assert contradict(a, b)


def test_a_number_is_kept_beside_a_fuller_name_without_one() -> None:
    both = replace(profile("Henry Tudor"), names=frozenset({"Henry Tudor", "Henry VIII"}))
    assert [name.text for name in names_of(both)] == ["Henry Tudor", "Henry VIII"]


@pytest.mark.parametrize("name", ["Henry VIII", "Tom Jr."])
def test_a_given_name_with_a_number_or_suffix_is_not_merged_with_a_whole_name(name: str) -> None:
    given, which = name.split()
    for whole in (f"{given} Baker", f"{given} Baker {which}"):
        assert judge(profile(name, city="Rome"), profile(whole, city="Rome")).verdict is Verdict.REVIEW
