"""Settings of tests that make up requests. What fails is told as it is: making it smaller takes too long."""

from hypothesis import HealthCheck, Phase, settings


def generated(few: int, many: int, *, every: bool) -> settings:
    """``few`` examples, the same each time; with ``every``, ``many`` that are others each time."""
    return settings(
        max_examples=many if every else few,
        derandomize=not every,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
    )
