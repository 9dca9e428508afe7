"""Short names that were taken for fuller ones: noted by whoever looks a name up, told by the answer."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from graphmem.model.entity import normalise_name

_NOTED: ContextVar[dict[str, str] | None] = ContextVar("fuller_names", default=None)


@contextmanager
def noted_names() -> Generator[None]:
    """Collect the names that are taken for fuller ones within, also by tasks begun within."""
    token = _NOTED.set({})
    try:
        yield
    finally:
        _NOTED.reset(token)


def note_name(short: str, fuller: str) -> None:
    """Tell whoever collects, if anybody does, that a name was taken for a fuller one."""
    noted = _NOTED.get()
    if noted is not None:
        noted[short] = fuller


def fuller_names_noted() -> dict[str, str]:
    """The names that were taken for fuller ones so far in the work under way, by the short ones."""
    return dict(_NOTED.get() or {})


def is_fuller(name: str, short: str) -> bool:
    """Whether a name has all the words of another one, and more."""
    words, of_short = (set(normalise_name(each).split()) for each in (name, short))
    return of_short < words


def nobody_called(group: str, name: str, near: Sequence[str]) -> str:
    """The sentences that say that nobody bears a name, and which names are spelt much like it."""
    alike = f" Much like it: {', '.join(near)}." if near else ""
    return f"Group {group!r} knew nobody and nothing of the name {name!r} at that time.{alike}"
