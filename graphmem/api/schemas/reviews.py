"""What somebody says of a pair that is put to them."""

from typing import Literal

from graphmem.api.schemas.words import Request, ShortText


class DecisionIn(Request):
    """Whether the two are the same, and why."""

    verdict: Literal["same", "different"]
    reason: ShortText
