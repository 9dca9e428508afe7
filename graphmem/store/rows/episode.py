"""Episodes, their work, and the turns before one."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field, InstanceOf, JsonValue

from graphmem.answers.outcomes import DigestOutcome as ShownOutcome
from graphmem.model.dates import DateConventions
from graphmem.model.episode import EpisodeOutcome, EpisodeRole, EpisodeStatus, StoredEpisode
from graphmem.model.fragment import Context, ContextTurn, ThingName
from graphmem.model.interval import END
from graphmem.model.ontology import Ontology
from graphmem.ontology import read_ontology
from graphmem.store.rows import ReadAs, made_of, readable
from graphmem.store.rows.entity import NamesRecord, first_name, type_told

CHARS_READ = "chars_read"
"""In the cursor of a digest: how many code points of a long text are read."""


def _fits(outcome: dict[str, JsonValue]) -> dict[str, JsonValue]:
    ShownOutcome.model_validate(outcome)
    return outcome


def _ontology(text: object) -> object:
    return readable(lambda: read_ontology(text)) if isinstance(text, str) else text


OntologyText = Annotated[InstanceOf[Ontology], BeforeValidator(_ontology)]
"""An ontology as JSON, read."""

Month = Annotated[int, Field(ge=1, le=12)]


def conventions_of(month_first: bool | None, fiscal_year_start: int | None) -> DateConventions:  # noqa: FBT001 - as stored
    """How a group writes days, of what it says of it."""
    return DateConventions(month_first=bool(month_first), fiscal_year_start=fiscal_year_start or 1)


Outcome = Annotated[Mapping[str, object], AfterValidator(_fits)]
"""What came of a digest, as answers show it."""


@dataclass(frozen=True, slots=True)
class _Cursor:
    chars_read: int


def _chars_read(cursor: _Cursor | None) -> int:
    return cursor.chars_read if cursor else 0


@dataclass(frozen=True, slots=True)
class RememberedRow:
    id: str
    new: bool
    fingerprint: str
    status: EpisodeStatus
    late: bool
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class StatusRow:
    status: EpisodeStatus
    attempts: int
    leases: int


@dataclass(frozen=True, slots=True)
class AskedRow:
    group_id: str
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _EpisodeColumns:
    outcome: Outcome | None
    cursor: Annotated[_Cursor | None, AfterValidator(_chars_read)]


EpisodeRecord = Annotated[StoredEpisode, ReadAs(_EpisodeColumns)]


@dataclass(frozen=True, slots=True)
class EpisodeRow:
    episode: EpisodeRecord


@dataclass(frozen=True, slots=True)
class EpisodeToRedact:
    """An episode, and what must be equal for another one to be the same."""

    fingerprint: str
    stored: EpisodeRecord


@dataclass(frozen=True, slots=True)
class EpisodePageRow:
    more: bool
    episodes: tuple[EpisodeRecord, ...]


@dataclass(frozen=True, slots=True)
class _OutcomeColumns:
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class OutcomeRow:
    episode: Annotated[EpisodeOutcome, ReadAs(_OutcomeColumns)]


@dataclass(frozen=True, slots=True)
class NameRow:
    key: str
    names: tuple[NamesRecord, ...]
    aliases: tuple[str, ...]

    def to_domain(self) -> ThingName:
        """The entity under the first name said to these audiences; the key, where none was."""
        first = first_name(self.names, END)
        said_types = (names.said_types for names in self.names)
        return ThingName(first[0] if first else self.key, type_told(said_types, END))


@dataclass(frozen=True, slots=True)
class TurnRow:
    id: str
    role: EpisodeRole
    speaker: str | None
    content: str
    occurred_at: datetime
    known: tuple[NameRow, ...]

    def to_domain(self) -> ContextTurn:
        return made_of(self, ContextTurn)


@dataclass(frozen=True, slots=True)
class ContextRow:
    ontology: OntologyText | None
    month_first: bool | None
    fiscal_year_start: Month | None
    turns: tuple[TurnRow, ...]

    def to_domain(self) -> Context:
        known = {name.to_domain(): name.aliases for turn in self.turns for name in turn.known}
        return Context(
            turns=tuple(turn.to_domain() for turn in reversed(self.turns)),
            ids=tuple(turn.id for turn in self.turns),
            known=tuple(known),
            aliases={name: aliases for name, aliases in known.items() if aliases},
            ontology=self.ontology,
            dates=conventions_of(self.month_first, self.fiscal_year_start),
        )
