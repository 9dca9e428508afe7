"""Names that were taken for fuller ones: noted by whoever looks a name up, told by the answer."""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

_TAKEN: ContextVar[dict[str, str] | None] = ContextVar("taken", default=None)


@contextmanager
def taking() -> Generator[None]:
    """Collect the names that are taken for others within, also by tasks begun within."""
    token = _TAKEN.set({})
    try:
        yield
    finally:
        _TAKEN.reset(token)


def take(name: str, fuller: str) -> None:
    """Note that a name was taken for a fuller one."""
    taken = _TAKEN.get()
    if taken is not None:
        taken[name] = fuller


def taken_for() -> dict[str, str]:
    """The names that were taken for others so far in the work under way, and for which."""
    return dict(_TAKEN.get() or {})
