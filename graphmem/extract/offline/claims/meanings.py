"""What the reader's predicates mean as beliefs: the table in ``meanings.toml``, which says what its keys are."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files

from pydantic import BaseModel, ConfigDict, Field

from graphmem.extract.reader.labels import PREDICATES, Predicate

THING = "thing"
"""The type of the subject of a predicate that says something of whatever there is."""


class Meaning(BaseModel):
    """What a predicate means; the comment in ``meanings.toml`` says what each key is."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = ""
    range: str = ""
    says: tuple[str, str, str]
    subject: str = "person"
    category: str = ""
    importance: float = Field(default=0.5, ge=0, le=1)
    alone: str = ""
    unnamed: str = ""
    successive: bool = False

    @property
    def literal(self) -> bool:
        """Whether its values are texts, and name no thing."""
        return not self.range

    def names_nothing(self, value: str) -> bool:
        """Whether these words stand for a value that is not named: “I quit my job”."""
        words = value.casefold().split()
        return bool(words) and set(words) <= set(self.alone.split())


_WRITTEN = tomllib.loads((files("graphmem.extract.offline.claims") / "meanings.toml").read_text("utf-8"))
MEANINGS: Mapping[Predicate, Meaning] = {name: Meaning.model_validate(_WRITTEN[name]) for name in PREDICATES}
