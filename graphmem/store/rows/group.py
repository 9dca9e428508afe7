"""Groups."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from pydantic import BeforeValidator, InstanceOf

from graphmem.model.episode import EpisodeStatus
from graphmem.model.group import Group
from graphmem.model.ontology import GroupOntology, Ontology
from graphmem.model.recall import Horizon, horizon
from graphmem.ontology import read_ontology
from graphmem.store.rows import readable


def _ontology(text: object) -> object:
    return readable(lambda: read_ontology(text)) if isinstance(text, str) else text


OntologyText = Annotated[InstanceOf[Ontology], BeforeValidator(_ontology)]
"""An ontology as JSON, read."""


@dataclass(frozen=True, slots=True)
class GroupRow:
    group: Group


@dataclass(frozen=True, slots=True)
class AccessRow:
    id: str
    access_changed_at: datetime | None


@dataclass(frozen=True, slots=True)
class HorizonRow:
    id: str
    importing: bool
    settled_until: datetime
    promised_until: datetime
    clock: datetime

    def to_domain(self, transaction_timeout: float) -> Horizon:
        until = horizon(self.clock, transaction_timeout, importing=self.importing, settled_until=self.settled_until)
        return Horizon(until=until, promised=self.promised_until, importing=self.importing)


@dataclass(frozen=True, slots=True)
class OntologyRow:
    ontology: OntologyText | None
    changed_at: datetime | None

    def to_domain(self) -> GroupOntology | None:
        if self.ontology is None or self.changed_at is None:
            return None
        return GroupOntology(self.ontology, self.changed_at)


@dataclass(frozen=True, slots=True)
class StatusCountRow:
    status: EpisodeStatus
    episodes: int


@dataclass(frozen=True, slots=True)
class GroupSizeRow:
    entities: int
    relationships: int
    facts: int


@dataclass(frozen=True, slots=True)
class SchemaNamesRow:
    names: frozenset[str]
