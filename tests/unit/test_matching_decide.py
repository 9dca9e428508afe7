"""Whether two entities are one, and why."""

from dataclasses import replace

import pytest

from graphmem.model.matching import (
    MatchingSettings,
    MatchProfile,
    Method,
    Stage,
    StageSettings,
    TypeSettings,
    Verdict,
)
from graphmem.resolve.matching.decide import judge
from graphmem.resolve.matching.keys import keys
from tests.profiles import Counted, profile

SAME, REVIEW, DIFFERENT = Verdict.SAME, Verdict.REVIEW, Verdict.DIFFERENT


@pytest.mark.parametrize(
    ("type_", "a", "b"),
    [
        ("organization", "Acme Inc.", "ACME Incorporated"),
        ("person", "Hans Müller", "Hans Mueller"),
        ("person", "Ivan Ivanov", "Иван Иванов"),
        ("person", "Okafor, Tom", "Dr. Tom Okafor"),
        ("order", "Order #1234", "order no. 1234"),
        ("paper", "Attention Is All You Need", "Attention is all you need"),
        ("project", "Colour theory revisited", "Color theory revisited"),
    ],
)
def test_safe_variants_of_a_name_are_the_same(type_: str, a: str, b: str) -> None:
    assert judge(profile(a, type_, id_="1"), profile(b, type_, id_="2")).verdict is SAME


@pytest.mark.parametrize(
    ("type_", "a", "b", "verdict"),
    [
        ("room", "Room 101", "Room 102", DIFFERENT),
        ("flight", "UA123", "UA124", DIFFERENT),
        ("place", "Tigran", "Iran", DIFFERENT),
        ("person", "John Smith Jr.", "John Smith Sr.", DIFFERENT),
        ("person", "Elizabeth I", "Queen Elizabeth II", DIFFERENT),
        ("person", "Henry V", "Henry VIII", DIFFERENT),
        ("person", "Bill Gates", "William Gates", REVIEW),
        ("place", "NYC", "New York City", REVIEW),
        ("person", "Anna Smith", "Anne Smith", DIFFERENT),
        ("person", "Maria Garcia", "Mario Garcia", DIFFERENT),
        ("product", "iPhone 12", "iPhone 13", DIFFERENT),
        ("version", "v1.2", "v1.3", DIFFERENT),
        ("event", "First Synod of the Isles", "Second Synod of the Isles", DIFFERENT),
        ("product", "Ibuprofen 400 mg capsules", "Ibuprofen 1200 mg capsules", DIFFERENT),
        ("product", "Rain Coat size S", "Rain Coat size L", DIFFERENT),
        ("place", "Springfield IL", "Springfield MA", DIFFERENT),
        ("person", "王伟", "王薇", REVIEW),
        ("place", "North Korea", "South Korea", DIFFERENT),
        ("person", "Mr. Smith", "Mrs. Smith", DIFFERENT),
        ("person", "James Thomas", "Thomas James", REVIEW),
        ("product", "iPhone15 Pro", "iPhone15 Pro Max", REVIEW),
        ("person", "Stephen Hawking", "Stephen Hawkins", REVIEW),
    ],
)
def test_other_names_are_not(type_: str, a: str, b: str, verdict: Verdict) -> None:
    found = judge(profile(a, type_, id_="1"), profile(b, type_, id_="2")).verdict
    assert found is not SAME
    assert found is verdict or {found, verdict} == {REVIEW, DIFFERENT}


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (
            profile("George Eliot", born="1819-11-22"),
            profile("Mary Ann Evans", born="1819-11-22", pen_name="George Eliot"),
        ),
        (
            profile("Harvest Fair", "event", project_code="HF-2021-3"),
            profile("Harvest fair", "project", project_code="HF-2021-3"),
        ),
        (profile("Salem, NH", "place"), profile("Salem, New Hampshire", "place")),
        (profile("10 000 Islands", "place"), profile("10000 Islands", "place")),
    ],
)
def test_what_speaks_for_and_against_is_asked_about(a: MatchProfile, b: MatchProfile) -> None:
    assert judge(a, b).verdict is REVIEW


@pytest.mark.parametrize(
    ("ids", "verdict"), [(("crm:1", "crm:2"), REVIEW), (("crm:1", "erp:2"), SAME), (("crm:1", ""), SAME)]
)
def test_a_name_alone_does_not_join_two_that_one_source_has_ids_for(ids: tuple[str, str], verdict: Verdict) -> None:
    a, b = (profile("Xanthippe Quillfeather", id_=id_, qualifier=id_) for id_ in ids)
    assert judge(a, b).verdict is verdict
    a, b = (replace(one, values={"born_on": frozenset({"1984-03-12"})}) for one in (a, b))
    assert judge(a, b).verdict is SAME


@pytest.mark.parametrize(
    ("a", "b", "verdict"),
    [
        ({"is_a": "person"}, {"is_a": "person"}, REVIEW),
        ({"gender": "male", "email": "t@a.example"}, {"gender": "male", "email": "okafor@b.example"}, REVIEW),
        ({"status": "active", "city": "Boston"}, {"status": "active", "city": "Denver"}, REVIEW),
        ({"born_on": "1984-03-12"}, {"born_on": "1984-03-13"}, SAME),
        ({"email": "t@a.example"}, {"email": "t@a.example"}, SAME),
    ],
)
def test_what_many_share_does_not_join_two_that_one_source_has_ids_for(
    a: dict[str, str], b: dict[str, str], verdict: Verdict
) -> None:
    known = Counted(256, male=128, active=16, person=256)
    one, other = profile("Tom Okafor", qualifier="crm:1", **a), profile("Tom Okafor", id_="2", qualifier="crm:2", **b)
    found = judge(one, other, known)
    assert found.verdict is verdict
    assert found.keeps_apart == (verdict is not SAME)


def test_a_model_in_the_name_does_not_join_two_that_one_source_has_ids_for() -> None:
    first = profile("Anker PowerCore A1263", "product", id_="1", qualifier="crm:1", color="black", price="19.99")
    second = profile("Anker PowerCore A1263", "product", id_="2", qualifier="crm:2", color="white", price="49.00")
    assert judge(first, second, Counted(128)).verdict is REVIEW


@pytest.mark.parametrize(
    ("type_", "a", "b", "shared"),
    [
        ("person", "Kenji Tanaka", "Kenta Tanaka", {"works_at": "Acme"}),
        ("person", "Sunil Sharma", "Sunita Sharma", {"lives_in": "Pune"}),
        ("organization", "Bank of China", "People's Bank of China", {"country": "China"}),
    ],
)
def test_one_thing_in_common_does_not_join_names_that_are_only_alike(
    type_: str, a: str, b: str, shared: dict[str, str]
) -> None:
    assert judge(profile(a, type_, **shared), profile(b, type_, **shared)).verdict is not SAME
    told = {**shared, "registration_number": "48120077"}
    assert judge(profile(a, type_, **told), profile(a, type_, id_="2", **told)).verdict is SAME


def test_a_number_of_its_own_is_no_relation() -> None:
    a, b = (profile(name, "issue", cve_id="CVE-2019-0708") for name in ("BlueKeep", "CVE-2019-0708"))
    assert judge(a, b).verdict is SAME


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (profile("George Eliot"), profile("Mary Ann Evans", friend="George Eliot")),
    ],
)
def test_a_veto_that_nothing_contradicts_holds(a: MatchProfile, b: MatchProfile) -> None:
    assert judge(a, b).verdict is DIFFERENT


def test_a_veto_says_why() -> None:
    found = judge(profile("Room 101", "room"), profile("Room 102", "room"))
    assert (found.method, found.vetoes) == (Method.VETO, ("the numbers differ: 101 and 102",))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (profile("Room 101", "room"), profile("Room 102", "room")),
        (profile("Ann Ruth Baker"), profile("Ann Zoe Baker")),
        (profile("Anna Baker"), profile("Anne Baker")),
        (profile("Maya"), profile("Maya Baker", "place")),
    ],
)
def test_a_veto_says_the_same_whichever_has_the_smaller_id(a: MatchProfile, b: MatchProfile) -> None:
    one, other = judge(replace(a, id="1"), replace(b, id="2")), judge(replace(a, id="2"), replace(b, id="1"))
    assert one.vetoes
    assert one.vetoes == other.vetoes


def test_an_equal_email_beats_spelling() -> None:
    found = judge(profile("Tom Okafor", email="tom@a.example"), profile("Thobias Okafor", email="Tom@a.example"))
    assert (found.verdict, found.method) == (SAME, Method.IDENTIFIER)


@pytest.mark.parametrize(
    ("a", "b"), [("John Smith Jr.", "John Smith Sr."), ("Anna Okafor", "Zoe Baker"), ("Player 1", "Player 2")]
)
def test_a_contradicted_email_is_asked_about(a: str, b: str) -> None:
    found = judge(profile(a, email="x@a.example"), profile(b, email="x@a.example"))
    assert (found.verdict, found.method) == (REVIEW, Method.IDENTIFIER)


def test_a_phone_and_an_address_together_say_which_firm_it_is() -> None:
    def judged(a: str, b: str, type_: str, **values: str) -> Verdict:
        return judge(profile(a, type_, **values), profile(b, type_, **values)).verdict

    where = {"phone": "+49 30 231254", "address": "12 Mill Lane, Leeds"}
    assert judged("Sony", "Sany", "organization", phone="+49 30 231254") is REVIEW
    assert judged("Sony", "Sany", "organization", **where) is SAME
    assert judged("Orwell Mills 3", "Orwell Mills 4", "organization", **where) is REVIEW
    assert judged("Anna Okafor", "Tom Okafor", "person", **where) is REVIEW


def test_a_shared_phone_does_not_make_two_people_one() -> None:
    found = judge(profile("Anna Okafor", phone="+49 30 231254"), profile("Tom Okafor", phone="+4930231254"))
    assert found.verdict is REVIEW


def test_types_are_opinions_which_speak_against_a_pair_and_keep_nothing_apart_for_good() -> None:
    def judged(a: str, b: str, qualifier: str = "", **values: str) -> Verdict:
        first, second = profile("Paris", a, id_="1", **values), profile("Paris", b, id_="2", **values)
        return judge(replace(first, qualifier=qualifier), replace(second, qualifier=qualifier)).verdict

    assert judged("place", "concept") is SAME
    assert judged("place", "person") is not SAME
    assert judged("place", "person", phone="+49 30 231254") is REVIEW
    assert judged("place", "person", "crm:17") is SAME
    fair = (profile("Harvest Fair", "event", city="Rome"), profile("Harvest fair", "project", city="Rome"))
    assert judge(*fair).verdict is REVIEW
    assert judge(*fair).keeps_apart


def test_two_who_are_taken_for_different_things_are_no_one_by_their_names() -> None:
    for a, b in (("Acme Travel", "Acme travel"), ("Orwell Mills", "Orwell-Mills"), ("São Tomé", "Sao Tome")):
        found = judge(profile(a, "organization"), profile(b, "person"))
        assert found.verdict is not SAME, (a, b)


def test_what_a_text_tells_apart_is_apart() -> None:
    a, b = profile("Anna", id_="1"), profile("Anna", id_="2", qualifier="crm:7")
    found = judge(a, b, told_apart={("1", "2"): "Anna and Anna"})
    assert (found.verdict, found.vetoes) == (DIFFERENT, ("Anna and Anna",))


def test_nobody_is_bound_to_himself() -> None:
    found = judge(profile("Anja Vukovic", twin_of="Tanja Vukovic"), profile("Tanja Vukovic"))
    assert found.verdict is DIFFERENT
    assert "twin_of" in found.vetoes[0]


def test_a_protected_entity_is_asked_about() -> None:
    a = replace(profile("Acme Inc.", "organization"), protected=True)
    assert judge(a, profile("Acme Incorporated", "organization")).verdict is REVIEW


def test_a_common_name_with_ids_is_asked_about() -> None:
    a, b = (profile("John Smith", id_=one, qualifier=f"crm:{one}") for one in "12")
    assert judge(a, b).verdict is REVIEW


def test_attributes_decide_where_names_do_not() -> None:
    born = {"date_of_birth": "1974-08-09"}
    a, b = profile("Christian Muellepr", qualifier="a:1", **born), profile("Christian Mueller", qualifier="a:2", **born)
    assert judge(a, b).verdict is SAME


def test_another_birthday_keeps_people_apart() -> None:
    a = profile("Lu Xun", id_="1", birth_date="1881-09-25")
    assert judge(a, profile("Lu Xun", id_="2", birth_date="1902-01-30")).verdict is not SAME


@pytest.mark.parametrize("second", ["2024-05-04", "2025-01-30"])
def test_a_flight_of_another_day_is_another_flight(second: str) -> None:
    a = profile("LH 454", "flight", id_="1", departure="2024-05-03")
    assert judge(a, profile("LH 454", "flight", id_="2", departure=second)).verdict is not SAME


def test_a_slip_of_a_common_name_in_a_group_is_no_other_name() -> None:
    born = {"date_of_birth": "1967-03-29"}
    a, b = profile("Rolbf Neumann", qualifier="a:1", **born), profile("Rolf Neumann", qualifier="a:2", **born)
    assert judge(a, b, Counted(rolf=8, rolbf=1, neumann=2)).verdict is SAME
    assert judge(a, b).verdict is DIFFERENT


def test_a_rare_model_proves_itself_in_a_group() -> None:
    a, b = profile("Sony Radio - ICF801", "product"), profile("Sony ICF-801 portable radio", "product")
    assert judge(a, b, Counted(entities=2048, icf801=2)).verdict is SAME
    assert judge(a, b).verdict is REVIEW


def test_the_first_stage_that_proposes_is_named() -> None:
    assert judge(profile("Tom Okafor"), profile("Dr. Tom Okafor")).stage is Stage.EXACT
    assert judge(profile("Brianna Mccarthy"), profile("Brianna Mccarthie")).stage is Stage.FUZZY
    assert judge(profile("Bill Gates"), profile("William Gates")).stage is Stage.RULES


def test_an_embedding_alone_is_asked_about_at_most() -> None:
    a, b = profile("heart attack", "concept"), profile("infarction", "concept")
    found = judge(a, b, nearness=0.8)
    assert (found.verdict, found.stage) == (REVIEW, Stage.EMBEDDING)


def test_what_only_vectors_propose_is_asked_about_whatever_the_score() -> None:
    values = {"serial": "HX-4417-9981", "born": "2021-03-04", "maker": "Hyrule"}
    a, b = (profile(name, "concept", **values) for name in ("car", "automobile"))
    rest = {Stage.FUZZY: StageSettings(enabled=False), Stage.RULES: StageSettings(enabled=False)}
    found = judge(a, b, settings=MatchingSettings(default=TypeSettings(stages=rest)), nearness=0.9)
    assert judge(a, b).verdict is SAME
    assert (found.verdict, found.stage) == (REVIEW, Stage.EMBEDDING)


def test_a_stage_can_be_switched_off() -> None:
    off = {stage: StageSettings(enabled=False) for stage in Stage}
    settings = MatchingSettings(types={"person": TypeSettings(stages=off)})
    found = judge(profile("Tom Okafor"), profile("Dr. Tom Okafor"), settings=settings)
    assert (found.stage, found.verdict) == (None, DIFFERENT)


def test_a_short_name_of_sessions_is_left_to_them_unless_its_values_speak() -> None:
    values: dict[str, str] = {"birth_date": "1984-03-12", "city": "Lisbon"}
    fuller = profile("Tom Okafor", **values)
    tom, described = profile("Tom"), profile("Tom", **values)
    assert judge(tom, fuller).method is Method.SCORE
    found = judge(replace(tom, in_sessions=True), fuller)
    assert (found.verdict, found.method, found.keeps_apart) == (Verdict.REVIEW, Method.CONTEXT, False)
    assert judge(replace(described, in_sessions=True), fuller).method is Method.SCORE


def test_a_short_name_with_the_same_values_is_asked_about_unless_an_id_says_who_it_is() -> None:
    values = {"works_at": "Acme Robotics", "lives_in": "Rotorua", "birth_date": "1984-05-03"}
    fuller = profile("Tom Okafor", **values)
    assert judge(profile("Tom", **values), fuller).verdict is Verdict.REVIEW
    assert judge(profile("Tom", qualifier="crm:1", **values), fuller).verdict is Verdict.SAME


@pytest.mark.parametrize(
    ("a", "b", "of_both"),
    [
        (profile("iPhone 15", "product"), profile("USB cable", "product"), {"order_id": "4711"}),
        (profile("Anna Miller"), profile("Bob Smith"), {"order_id": "4711"}),
        (profile("Anna Miller"), profile("Bob Smith"), {"doi": "10.1000/182"}),
        (profile("iPhone 15", "product"), profile("iPhone 15 Pro", "product"), {"url": "https://apple.com/iphone"}),
    ],
)
def test_one_number_of_two_that_are_called_otherwise_is_asked_about(
    a: MatchProfile, b: MatchProfile, of_both: dict[str, str]
) -> None:
    values = {predicate: frozenset({value}) for predicate, value in of_both.items()}
    found = judge(replace(a, values=values), replace(b, id="2", values=values))
    assert found.verdict is Verdict.REVIEW


@pytest.mark.parametrize(
    ("predicate", "value"),
    [
        ("tax_id", "unknown"),
        ("order_id", "n/a"),
        ("tax_id", "0"),
        ("email", "noemail@shop.com"),
        ("phone", "+10000000000"),
    ],
)
def test_what_stands_for_nothing_identifies_nobody(predicate: str, value: str) -> None:
    values = {predicate: frozenset({value})}
    a, b = profile("Dune Herbertson"), profile("Lola Cavendish")
    found = judge(replace(a, values=values), replace(b, id="2", values=values))
    assert found.verdict is Verdict.DIFFERENT
    assert found.method is not Method.IDENTIFIER


def test_an_id_of_a_source_says_who_is_meant_whatever_the_name() -> None:
    a = replace(profile("Rita Hayworthy"), qualifier="crm:17")
    b = replace(profile("Rita Quimbleton"), id="2", qualifier="crm:17")
    assert judge(a, b).method is Method.IDENTIFIER
    assert keys(a) & keys(b)
    assert judge(a, replace(b, qualifier="crm:18")).method is not Method.IDENTIFIER


@pytest.mark.parametrize(
    ("one", "other"), [("country", "state"), ("city", "state"), ("club", "bank"), ("city", "country")]
)
def test_places_and_organizations_of_two_sorts_are_asked_about(one: str, other: str) -> None:
    found = judge(profile("Georgia", one), replace(profile("Georgia", other), id="2"))
    assert found.verdict is Verdict.REVIEW
    assert found.keeps_apart


@pytest.mark.parametrize(("one", "other"), [("city", "place"), ("company", "organization"), ("city", "town")])
def test_a_type_that_says_less_contradicts_nothing(one: str, other: str) -> None:
    assert not judge(profile("Georgia", one), replace(profile("Georgia", other), id="2")).vetoes


@pytest.mark.parametrize(
    ("a", "b"),
    [("causal inference", "casual inference"), ("martial arts", "marital arts"), ("scared objects", "sacred objects")],
)
def test_a_letter_makes_another_term(a: str, b: str) -> None:
    assert judge(profile(a, "concept"), replace(profile(b, "concept"), id="2")).verdict is not Verdict.SAME


@pytest.mark.parametrize(
    "predicate",
    [
        *("abbreviation", "abbreviation_of", "acronym", "acronym_of", "stands_for", "short_for", "synonym"),
        *("rebranded_as", "renamed_to", "nee", "maiden_name", "nickname", "pseudonym", "stage_name", "pen_name"),
        *("trading_as", "doing_business_as", "formerly_known_as", "same_as", "equivalent_to", "Also_Known_As"),
    ],
)
def test_who_says_what_it_is_called_is_not_bound_to_another(predicate: str) -> None:
    ibm = profile("IBM", "organization", id_="1", **{predicate: "International Business Machines"})
    found = judge(ibm, profile("International Business Machines", "organization", id_="2"))
    assert (found.verdict is DIFFERENT, found.vetoes) == (False, ())


@pytest.mark.parametrize("predicate", ["trading_partner", "stands_near", "short_seller_of"])
def test_a_word_of_such_a_predicate_is_no_name_yet(predicate: str) -> None:
    ibm = profile("IBM", "organization", id_="1", **{predicate: "International Business Machines"})
    assert judge(ibm, profile("International Business Machines", "organization", id_="2")).verdict is DIFFERENT
