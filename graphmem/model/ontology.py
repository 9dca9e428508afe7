"""What a group's graph is about: the types of its entities and relationships, as a reader of episodes is told them."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationType:
    """A predicate between entities; without ``subjects`` or ``objects`` any type may stand there."""

    description: str
    subjects: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()

    def allows(self, subject: str, target: str) -> bool:
        return (not self.subjects or subject in self.subjects) and (not self.objects or target in self.objects)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ontology:
    """Types by name, and instructions in the group's own words. ``open_types``: others may be used where none fits."""

    entity_types: Mapping[str, str] = field(default_factory=dict[str, str])
    relation_types: Mapping[str, RelationType] = field(default_factory=dict[str, RelationType])
    open_types: bool = True
    instructions: str = ""

    def knows_entity(self, name: str) -> bool:
        return self.open_types or name in self.entity_types

    def allows(self, predicate: str, subject: str, target: str | None) -> bool:
        """Whether a claim may be made; ``target`` None is a literal value, which no relationship type binds."""
        known = self.relation_types.get(predicate)
        if known is None or target is None:
            return self.open_types or not self.relation_types or target is None
        return known.allows(subject, target)


DEFAULT_ONTOLOGY = Ontology(
    entity_types={
        "person": "a human being, by name",
        "organization": "a company, team, school, authority or club",
        "place": "a country, city, address, building or landscape",
        "order": "a purchase or booking with a number",
        "product": "a thing made or sold, a work, a service",
        "project": "an undertaking with a name",
        "issue": "a problem, ticket, bug or complaint",
        "event": "something that happens once, by name",
        "concept": "a topic, activity, skill, food or kind of thing",
        "email": "an e-mail address",
        "url": "a web address",
    }
)
