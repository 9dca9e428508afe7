"""Which of several of one name is meant, where the name is one that persons have and places, or firms.

Washington lives in Seattle, and somebody lives in Washington: a name by itself is one entity, whatever it is taken for,
but of these names it is known that they mean two. So what is said to be a place, or a firm, of such a name has a
qualifier.
"""

from datetime import datetime

from graphmem.model.entity import TAKEN_FOR, Entity, TypedBy, normalise_name
from graphmem.model.fragment import ThingName
from graphmem.resolve.matching import vocabulary
from graphmem.resolve.matching.names import NameKind, kind_of

_WITH_PERSONS = {
    NameKind.PLACE: vocabulary.words("persons_and_places"),
    NameKind.ORGANIZATION: vocabulary.words("persons_and_firms"),
}


def qualifier_of(name: ThingName) -> str:
    """What tells apart which one of its name is meant: the caller's or the mention's qualifier, else what it is."""
    kind = kind_of(name.type)
    shared = normalise_name(name.name) in _WITH_PERSONS.get(kind, ())
    return name.qualifier or (f"{TAKEN_FOR}{kind}" if shared else "")


def entity_of(group: str, name: ThingName, first_seen: datetime, typed_by: TypedBy) -> Entity:
    """The entity that something names so."""
    return Entity.called(group, name.type, name.name, qualifier_of(name), first_seen, typed_by)
