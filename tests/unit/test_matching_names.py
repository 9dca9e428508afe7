"""Names are taken apart as their types want it."""

import pytest

from graphmem.resolve.matching.fold import folded, marks_differ, with_digraphs
from graphmem.resolve.matching.names import NameKind, are_compatible, organization, parsed
from graphmem.resolve.matching.numbers import codes_in, contradicting, in_digits, is_model, numbers_of, roman
from graphmem.resolve.matching.persons import are_gendered, are_variants, person
from graphmem.resolve.matching.spelling import is_safe


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("  Müller, JÖRG ", "muller jorg"),
        ("Иван Иванов", "ivan ivanov"),
        ("O’Brien", "obrien"),
        ("U.S.A.", "usa"),
        ("v1.2.", "v1.2"),
        ("1,000 islands", "1000 islands"),
        ("C++ & C#", "c plus plus and c sharp"),
        ("&#214;zsu", "ozsu"),
        ("Th?mis", "thmis"),
        ("Dyson™", "dyson"),
    ],
)
def test_text_folds_to_plain_words(text: str, plain: str) -> None:
    assert folded(text) == plain


def test_umlauts_have_another_way_of_writing() -> None:
    assert folded(with_digraphs("Müller")) == "mueller"
    assert with_digraphs("Muller") == "Muller"


@pytest.mark.parametrize(
    ("a", "b", "differ"),
    [("王伟", "王薇", True), ("Hùng Vương", "Hưng Vương", True), ("Müller", "Muller", False), ("Пётр", "Петр", False)],
)
def test_marks_make_words_in_chinese_and_vietnamese(a: str, b: str, *, differ: bool) -> None:
    assert marks_differ(a, b) is differ


def test_a_person_has_parts() -> None:
    found = person("Dr. Thomas A. Okafor Jr.")
    assert (found.given, found.middle, found.family, found.generation) == ("thomas", ("a",), "okafor", "jr")


def test_a_family_name_may_come_first() -> None:
    found = person("Okafor, Tom")
    assert (found.given, found.family, found.comma) == ("tom", "okafor", True)


@pytest.mark.parametrize(
    ("name", "generation"), [("id. Szabó István", "sr"), ("ifj. Szabó István", "jr"), ("Henry VIII", "8")]
)
def test_generations_are_written_in_many_ways(name: str, generation: str) -> None:
    assert person(name).generation == generation


@pytest.mark.parametrize(("a", "b"), [("bill", "william"), ("dmitry", "dmitriy"), ("pepe", "jose"), ("pyotr", "peter")])
def test_given_names_have_variants(a: str, b: str) -> None:
    assert are_variants(a, b)


@pytest.mark.parametrize(("a", "b"), [("maria", "mario"), ("daniel", "daniela"), ("christian", "christina")])
def test_endings_make_other_given_names(a: str, b: str) -> None:
    assert are_gendered(a, b) or a == "christian"


@pytest.mark.parametrize("name", ["Acme Inc.", "ACME Incorporated", "The Acme Inc"])
def test_legal_forms_have_spellings(name: str) -> None:
    assert organization(name) == organization("Acme, Inc")


@pytest.mark.parametrize(("a", "b"), [("PJSC Gazprom", "Gazprom PJSC"), ("株式会社明治", "明治株式会社")])
def test_some_legal_forms_come_first(a: str, b: str) -> None:
    assert organization(a) == organization(b)


def test_numbers_are_written_in_many_ways() -> None:
    assert numbers_of("World War II") == numbers_of("World War Two") == {"2"}
    assert numbers_of("Gate B4") == {"b4"}
    assert numbers_of("Vitamin C") == {"c"}
    assert codes_in("Garmin 010-00718-20") == ("0100071820",)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Room 101", "Room 102"),
        ("UA123", "UA 124"),
        ("AA 123", "UA123"),
        ("v1.2", "v1.3"),
        ("Plan A", "Plan B"),
        ("Lumen 64 GB", "Lumen 64MB"),
        ("Lumen 4 64 GB", "Lumen 464 GB"),
        ("Act XIV", "Act XVI"),
        ("Twenty-One Steps", "Twenty-Two Steps"),
    ],
)
def test_numbers_contradict(a: str, b: str) -> None:
    assert all(contradicting(a, b, coded=True))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("UA 123", "UA123"),
        ("v1.2", "version 1.2"),
        ("2nd Street", "Second Street"),
        ("Lumen 3 (64 GB)", "Lumen 3, 64GB"),
        ("Ninety-Nine Steps", "99 Steps"),
        ("Louis XIV", "Louis Fourteen"),
    ],
)
def test_the_same_number_does_not_contradict_itself(a: str, b: str) -> None:
    assert contradicting(a, b, coded=True) == (frozenset(), frozenset())


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("one hundred and one nights", "101 nights"),
        ("seven hundred", "700"),
        ("hundred years", "hundred years"),
        ("forty second street", "42nd street"),
        ("thirteenth and twenty third", "13th and 23rd"),
        ("no number", "no number"),
    ],
)
def test_numbers_in_words_are_written_in_digits(text: str, written: str) -> None:
    assert " ".join(in_digits(tuple(text.split()))) == written


@pytest.mark.parametrize(
    ("word", "number"), [("xliv", 44), ("lxxxix", 89), ("ix", 9), ("iix", 0), ("xl", 0), ("mix", 0)]
)
def test_some_words_are_roman_numerals(word: str, number: int) -> None:
    assert roman(word) == number


def test_measures_are_no_models() -> None:
    assert is_model("kxtg9343t")
    assert not any(map(is_model, ("24port", "1080p", "1920x1080", "1.2", "101")))


@pytest.mark.parametrize(
    ("kind", "a", "b"),
    [
        (NameKind.PERSON, "Okafor, Tom", "Dr. Tom Okafor"),
        (NameKind.PERSON, "Mao Zedong", "毛泽东"),
        (NameKind.PERSON, "Chukwuemeka Okafor", "Chukwuemkea Okafor"),
        (NameKind.ORGANIZATION, "Acme", "ACME Corp."),
        (NameKind.CODE, "Order #1234", "order no. 1234"),
        (NameKind.TEXT, "2012 Summer Olympics", "Summer Olympics 2012"),
        (NameKind.TEXT, "4 March 2024", "March 4, 2024"),
        (NameKind.PLACE, "St. Petersburg", "Saint Petersburg"),
        (NameKind.CODE, "SSLv3", "SSL 3"),
        (NameKind.CODE, "v2.7", "2.7"),
        (NameKind.TEXT, "Lumen 64 GB", "Lumen 64GB"),
        (NameKind.TEXT, "sulphadiazine", "sulfadiazine"),
        (NameKind.ORGANIZATION, "Twenty-Second Street Group", "22nd Street Group"),
        (NameKind.DATE, "2031-07-09", "9 July 2031"),
        (NameKind.DATE, "2031年7月9日", "2031年07月09日"),
        (NameKind.DATE, "Wednesday, 9 July 2031", "20310709"),
        (NameKind.DATE, "2031-07-09T21:30-05:00", "2031-07-10 02:30 UTC"),
        (NameKind.DATE, "XIV century", "the fourteenth century"),
        (NameKind.DATE, "2031 Q2", "second quarter of 2031"),
    ],
)
def test_some_ways_of_writing_are_safe(kind: NameKind, a: str, b: str) -> None:
    assert is_safe(parsed(a, kind), parsed(b, kind))


@pytest.mark.parametrize(
    ("kind", "a", "b"),
    [
        (NameKind.PERSON, "James Thomas", "Thomas James"),
        (NameKind.PERSON, "David ben Moshe", "Moshe ben David"),
        (NameKind.PERSON, "Stephen Hawking", "Stephen Hawkins"),
        (NameKind.PERSON, "John Smith", "John Smith Jr."),
        (NameKind.PERSON, "Mrs. Albert Harcourt", "Albert Harcourt"),
        (NameKind.ORGANIZATION, "Acme Inc.", "Acme GmbH"),
        (NameKind.TEXT, "C", "C++"),
        (NameKind.CODE, "Room V", "Room 5"),
        (NameKind.CODE, "Seat V12", "Seat 12"),
        (NameKind.TEXT, "Lumen 4 64 GB", "Lumen 464 GB"),
        (NameKind.TEXT, "Two Towers", "Second Towers"),
        (NameKind.TEXT, "prescription", "proscription"),
        (NameKind.PERSON, "Sophronia Baker", "Sofronia Baker"),
        (NameKind.DATE, "2031-07-09T10:00", "2031-07-09"),
        (NameKind.DATE, "2031-07-09T10:00", "2031-07-09T10:00Z"),
        (NameKind.DATE, "07/09/2031", "7 September 2031"),
        (NameKind.DATE, "XIV century", "14th century BC"),
    ],
)
def test_others_are_not(kind: NameKind, a: str, b: str) -> None:
    assert not is_safe(parsed(a, kind), parsed(b, kind))


def test_types_that_say_little_go_with_any() -> None:
    assert are_compatible("concept", "person")
    assert are_compatible("company", "organization")
    assert not are_compatible("place", "person")
