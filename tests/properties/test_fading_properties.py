"""When a fact fades: the closed form agrees with the strength that falls day by day."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.claim import Category
from graphmem.model.fact import LEAST_STRENGTH, NEVER, RATES, Fading, strength
from graphmem.model.interval import END

ANCHORS = st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
CONFIDENCES = st.floats(0.0, 1.0)
CATEGORIES = st.sampled_from(sorted(Category))
MOMENT = timedelta(seconds=1)
FADING = Fading()


@given(CATEGORIES, CONFIDENCES, ANCHORS)
def test_it_fades_when_its_strength_falls_below_the_least(
    category: Category, confidence: float, anchor: datetime
) -> None:
    fades_at = FADING.fades_at(category, confidence, anchor, protected=False)
    if not RATES[category]:
        assert fades_at == END
    elif confidence <= LEAST_STRENGTH:
        assert fades_at == anchor
    else:
        assert strength(confidence, RATES[category], anchor, fades_at - MOMENT) > LEAST_STRENGTH
        assert strength(confidence, RATES[category], anchor, fades_at + MOMENT) < LEAST_STRENGTH


@given(CATEGORIES, CONFIDENCES, ANCHORS, st.timedeltas(timedelta(0), timedelta(days=5_000)))
def test_a_later_use_or_more_confidence_never_makes_it_fade_sooner(
    category: Category, confidence: float, anchor: datetime, later: timedelta
) -> None:
    fades_at = FADING.fades_at(category, confidence, anchor, protected=False)
    assert FADING.fades_at(category, confidence, anchor + later, protected=False) >= fades_at
    assert FADING.fades_at(category, min(1.0, confidence + 0.1), anchor, protected=False) >= fades_at


@given(st.sampled_from([*Category, "", "medical"]), CONFIDENCES, ANCHORS)
def test_what_is_confirmed_has_no_category_or_is_imported_never_fades(
    category: str, confidence: float, anchor: datetime
) -> None:
    assert FADING.fades_at(category, confidence, anchor, protected=True) == END
    assert FADING.fades_at("", confidence, anchor, protected=False) == END
    assert FADING.fades_at("medical", confidence, anchor, protected=False) == END
    assert NEVER.fades_at(category, confidence, anchor, protected=False) == END


@pytest.mark.parametrize(("category", "days"), [("other", 29.957), ("goal", 149.787), ("hobby", 748.933)])
def test_what_was_surely_said_comes_up_for_so_many_days(category: str, days: float) -> None:
    anchor = datetime(2025, 1, 1, tzinfo=UTC)
    fades_at = FADING.fades_at(category, 1.0, anchor, protected=False)
    assert (fades_at - anchor) / timedelta(days=1) == pytest.approx(days, abs=0.001)


def test_a_step_of_its_own_fades_by_the_rate_that_settings_give_it() -> None:
    own = Fading(rates={**RATES, "medical": 0.1})
    anchor = datetime(2025, 1, 1, tzinfo=UTC)
    assert own.fades_at("medical", 1.0, anchor, protected=False) == FADING.fades_at(
        "other", 1.0, anchor, protected=False
    )
