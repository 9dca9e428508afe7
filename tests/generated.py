"""How many examples properties have. What fails is told as it is: making a request smaller takes too long."""

from hypothesis import HealthCheck, Phase, settings

ASKED = "asked"
"""The profile of a run with ``--examples``."""


def asked() -> int | None:
    """How many examples ``--examples`` asks for."""
    return settings().max_examples if settings.get_current_profile_name() == ASKED else None


def generated(few: int, many: int, *, every: bool) -> settings:
    """``few`` examples, the same each time; with ``every``, ``many`` that are others each time, or as many as asked."""
    return settings(
        max_examples=asked() or (many if every else few),
        derandomize=not (every or asked()),
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
    )
