"""Whom a short name means where."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from graphmem.model.matching import Judgement, Method, Verdict, pair_of
from graphmem.model.merge import Named, Opinion, ShortName
from graphmem.model.projection.identity import EACH_ITSELF, Identities, SameAs, identities
from graphmem.resolve.short_names import meant

EPOCH = datetime(2025, 1, 1, tzinfo=UTC)
FULLER = frozenset({"baker", "okafor"})


def at(entity_id: str, session: str = "s", user: str = "", day: int = 0) -> Named:
    return Named(entity_id=entity_id, session=session, user=user, first=EPOCH + timedelta(days=day))


def who(
    *named: Named,
    apart: frozenset[tuple[str, str]] = frozenset(),
    opinions: tuple[Opinion, ...] = (),
    known: Identities = EACH_ITSELF,
) -> set[tuple[str | None, str, str]]:
    """(session, user, whom it means)."""
    short = ShortName(id="tom", fuller=FULLER, named=frozenset(named), told_apart=apart)
    return {(one.session, one.user, one.other) for one in meant(short, opinions, known)}


def said_to_differ(a: str, b: str, user: str = "", session: str | None = None) -> Opinion:
    first, second = pair_of(a, b)
    judgement = Judgement(
        a=first,
        b=second,
        verdict=Verdict.DIFFERENT,
        stage=None,
        method=Method.HUMAN,
        score=0.0,
        probability=0.0,
        contributions=(),
    )
    return Opinion(judgement=judgement, user=user, session=session)


def test_a_fuller_name_anywhere_in_the_session_decides() -> None:
    assert who(at("tom"), at("okafor", day=9), at("baker", "other")) == {("s", "", "okafor")}


def test_in_each_session_it_may_be_another_one() -> None:
    found = who(at("tom", "one"), at("okafor", "one"), at("tom", "two"), at("baker", "two"))
    assert found == {("one", "", "okafor"), ("two", "", "baker")}


def test_two_in_one_session_leave_it_open() -> None:
    assert who(at("tom"), at("okafor"), at("baker")) == set()


def test_two_that_are_the_same_are_one() -> None:
    known = identities([SameAs(member="baker", other="okafor")])
    assert who(at("tom"), at("okafor"), at("baker"), known=known) == {("s", "", "baker")}


def test_what_the_user_named_before_counts_more_than_what_everybody_may_know() -> None:
    found = who(at("tom", user="ann", day=5), at("okafor", "x", "ann", 3), at("baker", "y", "", 3))
    assert found == {("s", "ann", "okafor")}
    assert who(at("tom", user="ann", day=5), at("okafor", "x", "ann", 6), at("baker", "y", "", 3)) == {
        ("s", "ann", "baker")
    }
    assert who(at("tom", user="ann", day=5), at("okafor", "x", "bob", 3)) == set()
    assert who(at("tom", day=5), at("okafor", "x", "ann", 3)) == set()


def test_what_was_named_later_elsewhere_does_not_count() -> None:
    assert who(at("tom", day=5), at("okafor", "x", day=6)) == set()
    assert who(at("tom", day=5), at("okafor", "x", day=5)) == {("s", "", "okafor")}


def test_a_user_who_thinks_what_everybody_does_needs_no_decision() -> None:
    assert who(at("tom"), at("tom", user="ann"), at("okafor")) == {("s", "", "okafor")}
    assert who(at("tom"), at("tom", user="ann"), at("okafor", user="ann")) == {("s", "ann", "okafor")}


def test_who_is_named_together_is_not_the_same() -> None:
    assert who(at("tom"), at("okafor"), apart=frozenset({("s", "okafor")})) == set()
    assert who(at("tom"), at("okafor"), at("baker"), apart=frozenset({("s", "okafor")})) == {("s", "", "baker")}
    assert who(at("tom"), at("okafor"), apart=frozenset({("x", "okafor")})) == {("s", "", "okafor")}


def test_what_a_person_said_counts() -> None:
    assert who(at("tom"), at("okafor"), opinions=(said_to_differ("tom", "okafor"),)) == set()
    assert who(at("tom"), at("okafor"), opinions=(said_to_differ("tom", "okafor", "ann"),)) == {("s", "", "okafor")}
    assert who(at("tom"), at("okafor"), known=identities([SameAs(member="tom", other="okafor")])) == set()


def test_what_a_person_said_of_one_session_counts_there_alone() -> None:
    both = (at("tom", "one"), at("okafor", "one"), at("tom", "two"), at("okafor", "two"))
    assert who(*both, opinions=(said_to_differ("tom", "okafor", session="one"),)) == {("two", "", "okafor")}
    for_ann = (said_to_differ("tom", "okafor", "ann", session="one"),)
    assert who(*both, opinions=for_ann) == {("one", "", "okafor"), ("two", "", "okafor")}
    elsewhere = at("baker", "x", day=-1)
    assert who(at("tom"), at("okafor"), elsewhere, opinions=(said_to_differ("tom", "okafor", session="s"),)) == set()
    here = at("baker", day=1)
    found = who(at("tom"), at("okafor"), here, opinions=(said_to_differ("tom", "okafor", session="s"),))
    assert found == {("s", "", "baker")}


def test_whom_it_does_not_mean_it_does_not_mean_by_another_spelling() -> None:
    known = identities([SameAs(member="baker", other="okafor")])
    for session in (None, "s"):
        opinions = (said_to_differ("tom", "okafor", session=session),)
        assert who(at("tom"), at("okafor"), at("baker"), known=known, opinions=opinions) == set()


def test_a_name_that_is_a_part_of_another_is_no_candidate_of_its_own() -> None:
    short = ShortName(
        id="tom",
        fuller=frozenset({"okafor", "tom james okafor"}),
        parts_of={"okafor": frozenset({"tom james okafor"})},
        named=frozenset({at("tom"), at("okafor"), at("tom james okafor")}),
    )
    assert [one.other for one in meant(short, (), EACH_ITSELF)] == ["tom james okafor"]


def test_only_people_merge_what_is_protected() -> None:
    short = ShortName(id="tom", fuller=FULLER, named=frozenset({at("tom"), at("okafor")}))
    assert len(meant(short, (), EACH_ITSELF)) == 1
    for id_ in ("tom", "okafor"):
        assert meant(replace(short, protected=frozenset({id_})), (), EACH_ITSELF) == frozenset()


def test_without_a_session_nobody_knows() -> None:
    assert who(at("tom", ""), at("okafor", "")) == set()
