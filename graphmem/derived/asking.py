"""A language model is asked for a text until that can be used, twice at most."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from graphmem.errors import UnusableAnswer
from graphmem.model.cited_writing import Refusal, WrittenText

TIMES_ASKED = 2
"""How often a language model is asked for one text: again with what was wrong with its first answer."""

_Written = TypeVar("_Written", bound=WrittenText)
_Grounded = TypeVar("_Grounded")


async def usable(
    write: Callable[[tuple[str, ...]], Awaitable[_Written]], grounded: Callable[[_Written], _Grounded | Refusal]
) -> tuple[_Written, _Grounded]:
    """What a model wrote, and what was made of it; ``write`` asks it, and tells it why the answer before was refused.

    Raises:
        UnusableAnswer: what it wrote cannot be used this time either.
    """
    reasons, model = tuple[str, ...](), ""
    for _ in range(TIMES_ASKED):
        written = await write(reasons)
        result = grounded(written)
        if not isinstance(result, Refusal):
            return written, result
        reasons, model = result.reasons, written.model
    raise UnusableAnswer(f"{model} wrote nothing that can be used: {' '.join(reasons)}")
