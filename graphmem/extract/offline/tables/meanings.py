"""What the reader's predicates mean as beliefs: the table in ``meanings.toml``, which says what its keys are."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from datetime import timedelta
from functools import cached_property
from importlib.resources import files
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from graphmem.extract.offline.tables.words import words
from graphmem.extract.reader.labels import PREDICATES, Predicate
from graphmem.model.fragment import ThingName

_DIGITS = 5
"""Of a telephone number, at least."""
_NUMBERS = words(
    """
    no zero nought one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million dozen
    half quarter couple nothing free
    """
)
_DOES = {"studies": "study", "has": "have", "is": "be", "asks:": "ask:", "visited": "visit"}
THING = "thing"
"""The type of the subject of a predicate that says something of whatever there is."""


class Lasting(BaseModel):
    """For how many ``days`` is believed what has some of these ``words``, or is ``of`` such types or words."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    days: int
    words: str = ""
    of: tuple[str, ...] = ()
    of_words: str = ""

    def fits(self, value: str, subject: ThingName) -> bool:
        """Whether it is meant of this value and subject."""
        return (
            (not self.of or subject.type in self.of)
            and (not self.words or re.search(rf"\b(?:{self.words})\b", value, re.IGNORECASE) is not None)
            and (not self.of_words or re.search(rf"\b(?:{self.of_words})s?$", subject.name, re.IGNORECASE) is not None)
        )


class Wording(BaseModel):
    """How a sentence ``says`` it of subjects with some of these words (``of``), or of such a ``value`` as a whole."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    of: str = ""
    value: str = ""
    says: tuple[str, str, str]

    def fits(self, subject: str, value: str) -> bool:
        if self.of and not re.search(rf"\b(?:{self.of})\b", subject, re.IGNORECASE):
            return False
        return not self.value or re.fullmatch(self.value, value, re.IGNORECASE) is not None


class Meaning(BaseModel):
    """What a predicate means; the comment in ``meanings.toml`` says what each key is."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = ""
    range: str = ""
    form: Literal["", "email", "digits", "number"] = ""
    says: tuple[str, str, str]
    also_says: tuple[Wording, ...] = ()
    subject: str = "person"
    category: str = ""
    importance: float = Field(default=0.5, ge=0, le=1)
    alone: str = ""
    not_alone: str = ""
    over: str = ""
    sure: str = ""
    lasts: tuple[Lasting, ...] = ()
    unnamed: str = ""
    values: Literal["one", "many", "successive"] = "many"
    begins: bool = False
    once: bool = False
    phrase: bool = False
    time: Literal["start", "value", ""] = "start"
    dated: bool = False

    @property
    def literal(self) -> bool:
        """Whether its values are texts, and name no thing."""
        return not self.range

    @property
    def does(self) -> str:
        """What stands after “plans to”, as in “live in {}”; "" where the value is all that a sentence says."""
        verb, _, rest = self.says[0].partition(" ")
        return f"{_DOES.get(verb) or verb.removesuffix('s')} {rest}" if rest else ""

    def sayings(self, subject: str, value: str) -> tuple[str, str, str]:
        """How a sentence says that it is so of this subject, was so, and is so no more."""
        return next((wording.says for wording in self.also_says if wording.fits(subject, value)), self.says)

    def fits(self, value: str) -> bool:
        """Whether these words can be a value."""
        digits = sum(map(str.isdigit, value))
        match self.form:
            case "email":
                return "@" in value
            case "digits":
                return digits >= _DIGITS
            case "number":
                return digits > 0 or not _NUMBERS.isdisjoint(re.findall(r"[a-z]+", value.casefold()))
            case "":
                return True

    def names_nothing(self, value: str) -> bool:
        """Whether these words stand for a value that is not named: “I quit my job”."""
        if value.casefold() == self.not_alone:
            return False
        value_words = value.casefold().split()
        return bool(value_words) and (set(value_words) <= words(self.alone) or self.is_over(value))

    def lasting(self, value: str, subject: ThingName) -> timedelta | None:
        """For how long it is believed without being said again; None until it is said to have ended."""
        return next((timedelta(days=each.days) for each in self.lasts if each.fits(value, subject)), None)

    def is_over(self, said: str) -> bool:
        """Whether these words say that whatever it was has ended."""
        return self._over is not None and self._over.fullmatch(said) is not None

    def endings(self, text: str) -> Iterator[tuple[int, int]]:
        """Where a text says that whatever it was has ended."""
        if self._over is not None:
            yield from (match.span() for match in self._over.finditer(text))

    def sayings_of_self(self, text: str) -> Iterator[tuple[int, int]]:
        """Where a text has values in words by which the speaker surely says that they are so."""
        if self._sure is not None:
            for match in self._sure.finditer(text):
                yield from (match.span(group) for group, value in match.groupdict().items() if value)

    @cached_property
    def _sure(self) -> re.Pattern[str] | None:
        return re.compile(self.sure, re.IGNORECASE) if self.sure else None

    @cached_property
    def _over(self) -> re.Pattern[str] | None:
        return re.compile(self.over, re.IGNORECASE) if self.over else None


_WRITTEN = tomllib.loads((files("graphmem.extract.offline.tables") / "meanings.toml").read_text("utf-8"))
MEANINGS: Mapping[Predicate, Meaning] = {name: Meaning.model_validate(_WRITTEN[name]) for name in PREDICATES}
