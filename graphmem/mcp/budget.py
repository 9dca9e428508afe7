"""Answers under a budget of tokens: as much of a list as fits, a cursor that leads to the rest, and JSON as text."""

import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar, cast

from pydantic import BaseModel

from graphmem.errors import InvalidInput
from graphmem.model.ids import digest
from graphmem.retrieve.quoting import quoted

S = TypeVar("S", bound=BaseModel)

_CUT, _MARK = "… [{} more cut]", 12
"""What stands in place of the rest of a text, and about how many tokens that has."""
_IS_CUT = re.compile(r"(.*)… \[([0-9]{1,9}) more cut\]", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class PagePosition:
    """Which part of a list is asked for: what comes after ``start`` items of it, as it was believed at an instant.

    ``asked`` names the question, so that the cursor of one is not taken for that of another; ``listed`` names the list
    that the first page was of. ``within`` is the service's own cursor, where the list is one page of a longer one:
    ``start`` counts from there.
    """

    asked: str
    start: int = 0
    valid_at: str | None = None
    known_at: str | None = None
    within: str | None = None
    listed: str | None = None

    @property
    def is_first(self) -> bool:
        return self.start == 0 and self.within is None

    def cursor(
        self, start: int, valid_at: datetime | None, known_at: datetime | None, listed: str | None = None
    ) -> str:
        """Where to go on in a list of what was believed at both instants."""
        times = [_iso(valid_at) or self.valid_at, _iso(known_at) or self.known_at]
        place = [self.asked, start, *times, self.within, listed]
        return urlsafe_b64encode(json.dumps(place, separators=(",", ":")).encode()).decode().rstrip("=")


def page_of(cursor: str | None, *question: str | float | datetime | None) -> PagePosition:
    """The part that a cursor asks for; without one, the beginning.

    Raises:
        InvalidInput: it is no cursor, or that of another question.
    """
    asked = digest(*question)[:8]
    if cursor is None:
        return PagePosition(asked=asked)
    try:
        place = json.loads(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        of, start, valid_at, known_at, within, listed = place
    except (NotBase64, ValueError, TypeError):
        raise InvalidInput(
            "That is no cursor. Leave it out to begin, or take next_cursor of the last answer."
        ) from None
    if of != asked or not isinstance(start, int) or start < 0:
        raise InvalidInput("That cursor belongs to another call. Repeat the arguments of the call that gave it.")
    return PagePosition(asked=asked, start=start, valid_at=valid_at, known_at=known_at, within=within, listed=listed)


def name_of_list(ids: Iterable[str]) -> str:
    """A name of a list of ids, equal for equal ids in one order."""
    return digest(*ids)[:8]


def fitting(most: int, budget: int, build: Callable[[int], S]) -> S:
    """What ``build`` makes of the first ``n`` items, for the largest ``n`` up to ``most`` that fits into the budget.

    With one item an answer is given in any case, or nothing would ever lead on to the next one.
    """
    whole = build(most)
    if most <= 1 or size(whole) <= budget:
        return whole
    low, high = 1, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if size(build(middle)) <= budget else (low, middle)
    return build(low)


def size(answer: BaseModel) -> int:
    """Tokens of an answer, as it is written."""
    return estimate(json_text(plain(answer)))


def plain(answer: BaseModel) -> dict[str, Any]:
    """An answer as JSON; what there is nothing to say of is left out."""
    return answer.model_dump(mode="json", by_alias=True, exclude_none=True)


def cut(text: str, most: int) -> str:
    """A text of at most so many tokens, as it is written; says how much was cut."""
    if estimate(json_text(text)) <= most:
        return text
    low, high = 0, len(text)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if estimate(json_text(text[:middle])) <= most - _MARK else (low, middle)
    return text[:low] + _CUT.format(len(text) - low)


def is_cut(shown: str) -> bool:
    """Whether a text looks as ``cut`` leaves one."""
    return _IS_CUT.fullmatch(shown) is not None


def is_shown_as(text: str, shown: str) -> bool:
    """Whether ``shown`` is the text, or what ``cut`` leaves of it at any size."""
    cut_text = _IS_CUT.fullmatch(shown)
    if shown == text or cut_text is None:
        return shown == text
    return text.startswith(cut_text[1]) and len(text) == len(cut_text[1]) + int(cut_text[2])


def _iso(instant: datetime | None) -> str | None:
    return None if instant is None else instant.isoformat()


def json_text(value: Any) -> str:
    """A JSON value as JSON. Strings are quoted as in contexts, so that none of them looks like structure."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, Mapping):
        items = cast("Mapping[str, Any]", value).items()
        return "{" + ",".join(f"{json.dumps(name)}:{json_text(item)}" for name, item in items) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(json_text, cast("list[Any]", value))) + "]"
    return json.dumps(value, allow_nan=False)


_PIECES = re.compile(r"(?P<letters>[A-Za-z]+)|(?P<digits>[0-9]+)|(?P<blanks>\s+)|[^A-Za-z0-9\s]")
_LETTERS, _DIGITS, _BLANKS = 4, 2, 4
"""So many characters make a token."""


def estimate(text: str) -> int:
    """Rather too many than too few: a word has a token for every four letters begun, a number for every two digits.

    Any other character has one of its own, which is about right for scripts without blanks, and too many for
    punctuation. A single blank belongs to the word after it.
    """
    return sum(map(_tokens, _PIECES.finditer(text)))


def _tokens(piece: re.Match[str]) -> int:
    length = len(piece[0])
    if piece["letters"]:
        return -(-length // _LETTERS)
    if piece["digits"]:
        return -(-length // _DIGITS)
    return length // _BLANKS if piece["blanks"] else 1
