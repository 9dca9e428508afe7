"""Two entities side by side, for somebody who is to say whether they are the same."""

from datetime import datetime
from typing import Annotated, ClassVar

from pydantic import Field

from graphmem.answers.answer import Answer, JoinedAnswer, Warned, attribute
from graphmem.answers.beliefs import EntityRef
from graphmem.answers.entities import Counted
from graphmem.model.claim import Scalar
from graphmem.model.recall import PROFILE_LIMIT


class ProfileBeliefOut(Answer):
    """What is believed of an entity: the other end of a relationship (its subject ``as_object``), or a value."""

    predicate: str
    as_object: bool
    entity: EntityRef | None
    value: Scalar


class ProfileOut(JoinedAnswer, EntityRef):
    """An entity with what is known of it now, and of all that it is the same as.

    ``beliefs_total`` counts what is believed of it. What is ``protected`` is merged by hand only.
    """

    joins: ClassVar = ("cluster", "cluster.entity")

    qualifier: str
    aliases: list[str]
    first_seen: datetime
    protected: bool
    mentions: Counted
    beliefs: Annotated[list[ProfileBeliefOut], Field(description=f"The {PROFILE_LIMIT} most important ones.")]
    beliefs_total: Annotated[Counted, attribute("total")]


class NeighbourOut(JoinedAnswer, EntityRef):
    """An entity to which both have relationships, with the predicates of those of the first and of the second."""

    joins: ClassVar = ("entity",)

    of_first: list[str]
    of_second: list[str]


class SideBySideOut(Warned):
    """The ``profiles`` of the first and of the second, and entities to which both have a relationship."""

    profiles: Annotated[list[ProfileOut], Field(min_length=2, max_length=2)]
    shared_neighbours: Annotated[
        list[NeighbourOut], attribute("neighbours"), Field(description=f"The first {PROFILE_LIMIT} by id.")
    ]
