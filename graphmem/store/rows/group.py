"""Groups."""

from typing import Annotated

from pydantic import BeforeValidator, InstanceOf, StrictBool

from graphmem.model.episode import EpisodeStatus
from graphmem.model.group import Group
from graphmem.model.ontology import GroupOntology, Ontology
from graphmem.model.recall import Horizon, horizon
from graphmem.ontology import read_ontology
from graphmem.store.instants import Instant
from graphmem.store.rows import Row, readable


def _ontology(text: object) -> object:
    return readable(lambda: read_ontology(text)) if isinstance(text, str) else text


OntologyText = Annotated[InstanceOf[Ontology], BeforeValidator(_ontology)]
"""An ontology as JSON, read."""


class GroupRecord(Row):
    id: str
    embedding_model: str
    dimensions: int
    recorded_at: Instant
    importing: StrictBool
    imported: StrictBool
    settled_until: Instant


class GroupRow(Row):
    group: GroupRecord

    def to_domain(self) -> Group:
        return Group(**self.group.model_dump())


class AccessRow(Row):
    id: str
    access_changed_at: Instant | None


class HorizonRow(Row):
    id: str
    importing: StrictBool
    settled_until: Instant
    promised_until: Instant
    clock: Instant

    def to_domain(self, transaction_timeout: float) -> Horizon:
        until = horizon(self.clock, transaction_timeout, importing=self.importing, settled_until=self.settled_until)
        return Horizon(until=until, promised=self.promised_until, importing=self.importing)


class OntologyRow(Row):
    ontology: OntologyText | None
    changed_at: Instant | None

    def to_domain(self) -> GroupOntology | None:
        if self.ontology is None or self.changed_at is None:
            return None
        return GroupOntology(self.ontology, self.changed_at)


class StatusCountRow(Row):
    status: EpisodeStatus
    episodes: int


class GroupSizeRow(Row):
    entities: int
    relationships: int
    facts: int


class SchemaNamesRow(Row):
    names: frozenset[str]
