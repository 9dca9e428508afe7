"""What a model may be besides: slow to load, or a holder of connections."""

from typing import Protocol, runtime_checkable


@runtime_checkable
class Warmable(Protocol):
    """A model that takes seconds to load."""

    def warm(self) -> None: ...


@runtime_checkable
class Closable(Protocol):
    """A model that keeps connections."""

    async def aclose(self) -> None: ...
