"""Short names that were taken for fuller ones: noted by whoever looks a name up, told by the answer."""

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

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


def nobody_called(group: str, name: str, near: Sequence[str]) -> str:
    """The sentences that say that nobody bears a name, and which names are spelt much like it."""
    return f"Group {group!r} knew nobody and nothing of the name {name!r} at that time.{much_like(near)}"


def much_like(near: Iterable[str]) -> str:
    """The sentence, after another one, that says which names are spelt much like one; nothing where none are."""
    names = ", ".join(near)
    return f" Much like it: {names}." if names else ""
