"""From when to when something existed: by dates as they are written, by events, by several sources."""

from datetime import UTC, date, datetime

import pytest

from graphmem.model.claim import Scalar
from graphmem.model.dates import DaySpan, days_of
from graphmem.model.interval import BEGIN, END
from graphmem.model.projection.existence import (
    Bound,
    Bounding,
    BoundingBelief,
    Existed,
    Existence,
    bound_of,
    existence,
)

SAID = datetime(2025, 6, 1, tzinfo=UTC)


def year(number: int, month: int = 1, day: int = 1) -> datetime:
    return datetime(number, month, day, tzinfo=UTC)


def belief(
    predicate: str,
    value: Scalar = None,
    *,
    since: datetime = SAID,
    stated: bool = False,
    until: datetime = END,
    user: str = "",
    of: str = "ana",
    declared: Bounding | None = None,
) -> BoundingBelief:
    bound = bound_of(predicate, declared, of_object=value is None)
    assert bound is not None
    return BoundingBelief(
        bound=bound,
        subject_id=of,
        user=user,
        predicate=predicate,
        value=value,
        from_stated=stated,
        valid_from=since,
        valid_to=until,
    )


@pytest.mark.parametrize(
    ("text", "first", "after"),
    [
        ("1984", date(1984, 1, 1), date(1985, 1, 1)),
        ("1984-05", date(1984, 5, 1), date(1984, 6, 1)),
        ("1984-12", date(1984, 12, 1), date(1985, 1, 1)),
        ("1984-05-03", date(1984, 5, 3), date(1984, 5, 4)),
        (" 1984-05-03T10:00:00Z ", date(1984, 5, 3), date(1984, 5, 4)),
        ("19840503", date(1984, 5, 3), date(1984, 5, 4)),
        ("1984年5月3日", date(1984, 5, 3), date(1984, 5, 4)),
        ("31.05.1984", date(1984, 5, 31), date(1984, 6, 1)),
        ("05/31/1984", date(1984, 5, 31), date(1984, 6, 1)),
        ("05/05/1984", date(1984, 5, 5), date(1984, 5, 6)),
        ("3 May 1984", date(1984, 5, 3), date(1984, 5, 4)),
        ("3rd of May, 1984", date(1984, 5, 3), date(1984, 5, 4)),
        ("May 3rd, 1984", date(1984, 5, 3), date(1984, 5, 4)),
        ("3 décembre 1984", date(1984, 12, 3), date(1984, 12, 4)),
        ("May 1984", date(1984, 5, 1), date(1984, 6, 1)),
    ],
)
def test_a_date_has_the_days_of_its_day_month_or_year(text: str, first: date, after: date) -> None:
    assert days_of(text) == DaySpan(first, after)


@pytest.mark.parametrize(
    "text", ["", "Rome", "in May", "05/03/1984", "1984-13", "1984-02-30", "0000", "9999", "9999-12-31", "12", "42 days"]
)
def test_what_is_no_date_or_nobody_can_tell_has_no_days(text: str) -> None:
    assert days_of(text) is None


@pytest.mark.parametrize(
    ("of", "expected"),
    [
        (belief("born_on", "1984"), year(1984)),
        (belief("born_on", 1984), year(1984)),
        (belief("born_on", "1984-05"), year(1984, 5)),
        (belief("died_on", "1984"), year(1985)),
        (belief("died_on", "1984-05-03"), year(1984, 5, 4)),
        (belief("born_in", since=year(1984, 5), stated=True), year(1984, 5)),
        (belief("born_in", "Rome", since=year(1984), stated=True), year(1984)),
        (belief("died_in", since=year(1984, 5, 3), stated=True), year(1984, 5, 3)),
        (belief("closed", True, since=year(1984), stated=True), year(1984)),
        (belief("born_in"), None),  # since it was said, which is not when it was
        (belief("died_in", since=BEGIN, stated=True, until=year(1990)), None),
        (belief("born_on", "May 3rd", since=year(2025, 5, 3), stated=True), None),  # “born on May 3rd” of no year
        (belief("founded", "Acme", since=year(1984), stated=True), None),
        (belief("born_on", True), None),
        (belief("enrolled_on", "1984", declared=Bounding.BEGINS), year(1984)),
        (belief("withdrawn_on", "1984", declared=Bounding.ENDS), year(1985)),
        (belief("enrolled_on", "soon", since=year(1984), stated=True, declared=Bounding.BEGINS), None),
        (belief("withdrawn", True, since=year(1984), stated=True, declared=Bounding.ENDS), year(1984)),
        (belief("deployed_in", since=year(1984), stated=True, declared=Bounding.BEGINS), year(1984)),
        (belief("deployed_in", since=year(1984), declared=Bounding.BEGINS), None),
    ],
)
def test_a_belief_says_when_by_its_date_or_by_the_event(of: BoundingBelief, expected: datetime | None) -> None:
    assert of.instant == expected


@pytest.mark.parametrize(
    ("predicate", "of_object", "bound"),
    [
        ("born_on", False, Bound.BEGINS),
        ("dissolved_on", False, Bound.ENDS),
        ("born_in", True, Bound.BEGINS),
        ("founded", False, Bound.BEGINS),
        ("founded", True, None),  # “Ana founded Acme”
        ("closed", True, None),
        ("birthday", False, None),  # has no year
        ("lives_in", True, None),
    ],
)
def test_a_predicate_says_so_of_its_subject_only(predicate: str, of_object: bool, bound: Bound | None) -> None:  # noqa: FBT001
    assert bound_of(predicate, of_object=of_object) is bound


@pytest.mark.parametrize(
    ("predicate", "declared", "of_object", "bound"),
    [
        ("enrolled_on", Bounding.BEGINS, False, Bound.BEGINS),
        ("enrolled_on", Bounding.NONE, False, None),
        ("deployed_in", Bounding.ENDS, True, Bound.ENDS),
        ("birthday", Bounding.BEGINS, False, Bound.BEGINS),
        ("opened", Bounding.NONE, False, None),  # “opened the ticket”
        ("opened", Bounding.ENDS, False, Bound.ENDS),
        ("born_in", Bounding.NONE, True, None),
        ("founded", Bounding.BEGINS, True, None),  # “Ana founded Acme” still says nothing of Ana
    ],
)
def test_a_policy_goes_before_the_list(
    predicate: str,
    declared: Bounding,
    of_object: bool,  # noqa: FBT001
    bound: Bound | None,
) -> None:
    assert bound_of(predicate, declared, of_object=of_object) is bound


@pytest.mark.parametrize(
    ("beliefs", "expected"),
    [
        ([], Existence()),
        ([belief("born_on", "1984")], Existence(year(1984), END)),
        ([belief("died_on", "2020")], Existence(BEGIN, year(2021))),
        ([belief("born_on", "1984"), belief("died_on", "1984")], Existence(year(1984), year(1985))),
        ([belief("born_on", "1990"), belief("died_on", "1980")], Existence()),
        # Of several, the earliest and the latest; of each predicate and user, what holds last.
        ([belief("founded_on", "1984"), belief("opened_on", "1983")], Existence(year(1983), END)),
        ([belief("closed_on", "1984"), belief("dissolved_on", "1983")], Existence(BEGIN, year(1985))),
        ([belief("born_on", "1980", until=SAID), belief("born_on", "1984")], Existence(year(1984), END)),
        ([belief("born_on", "1980", until=SAID, user="bo"), belief("born_on", "1984")], Existence(year(1980), END)),
        ([belief("born_on", "1980", until=SAID, of="bo"), belief("born_on", "1984")], Existence(year(1980), END)),
        ([belief("born_on", "1980", until=SAID), belief("born_on", "unclear")], Existence()),
        ([belief("opened_on", "1980"), belief("closed_on", "1990"), belief("opened_on", "2000")], Existence()),
    ],
)
def test_beliefs_say_from_when_to_when(beliefs: list[BoundingBelief], expected: Existence) -> None:
    assert existence(beliefs) == existence(reversed([*beliefs, *beliefs])) == expected


@pytest.mark.parametrize(
    ("of", "at", "expected"),
    [
        (Existence(year(1984), year(2020)), year(1983), Existed.FALSE),
        (Existence(year(1984), year(2020)), year(1984), Existed.TRUE),
        (Existence(year(1984), year(2020)), year(2020), Existed.FALSE),
        (Existence(year(1984), END), year(2020), Existed.TRUE),
        (Existence(year(1984), END), year(1983), Existed.FALSE),
        (Existence(BEGIN, year(2020)), year(2019), Existed.UNKNOWN),
        (Existence(BEGIN, year(2020)), year(2020), Existed.FALSE),
        (Existence(), year(2020), Existed.UNKNOWN),
    ],
)
def test_whether_it_existed_has_three_answers(of: Existence, at: datetime, expected: Existed) -> None:
    assert of.at(at) is expected
