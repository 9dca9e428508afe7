"""What every answer is, how it is made of the model, and what every read says of itself."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from operator import attrgetter
from typing import Annotated, Any, ClassVar, Self

from pydantic import AliasPath, BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo, model_validator

from graphmem.model.damage import damage_warnings
from graphmem.model.interval import LATEST, shown
from graphmem.model.naming import fuller_names_noted
from graphmem.model.recall import KnownEntity
from graphmem.model.summary import DerivedText


@dataclass(frozen=True, kw_only=True)
class AnswerContext:
    """What an answer needs beside the things that it shows: the entities that they name by id, and what was asked.

    ``content`` is the text whose characters are counted, and ``explain`` says whether reasons are shown.
    """

    entities: Iterable[KnownEntity] = ()
    valid_at: datetime = LATEST
    known_at: datetime = LATEST
    content: str = ""
    explain: bool = False

    @cached_property
    def entity_of(self) -> Mapping[str, KnownEntity]:
        return {entity.id: entity for entity in self.entities}


def context_of(info: ValidationInfo) -> AnswerContext:
    """The context of an answer that is being made of the model; one that is read from JSON has none."""
    return info.context or AnswerContext()


def attribute(path: str) -> Any:
    """A field that the model has by another name, or at the end of a path (``text.content``)."""
    return Field(validation_alias=AliasPath(*path.split(".")))


ShownInstant = Annotated[datetime | None, BeforeValidator(shown)]
"""An instant, null where it is a sentinel: an unknown start, an open end."""
TextOrNull = Annotated[str | None, BeforeValidator(lambda text: text or None)]
"""A text, null where it is empty."""


_MISSING = object()


class Joined:
    """Has the attributes of several things; those of the first thing that has one, and before it the ``fields``."""

    def __init__(self, *things: object, **fields: object) -> None:
        self._things = things
        self._fields = fields

    def __getattr__(self, name: str) -> object:
        if name in self._fields:
            return self._fields[name]
        for thing in self._things:
            if (value := getattr(thing, name, _MISSING)) is not _MISSING:
                return value
        raise AttributeError(name)


class Answer(BaseModel):
    """Made of the attributes of things of the model, or read from JSON. Its fields are called as theirs, or say how."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", from_attributes=True, validate_by_name=True, validate_by_alias=True
    )

    @classmethod
    def of(cls, *things: object, context: AnswerContext | None = None, **fields: object) -> Self:
        """The answer that has these fields, and the attributes of these things."""
        alone = len(things) == 1 and not fields
        return cls.model_validate(things[0] if alone else Joined(*things, **fields), context=context)


def is_answer(thing: object) -> bool:
    """Whether it is an answer, or the JSON of one: neither is made of the model any more."""
    return isinstance(thing, dict | BaseModel)


class JoinedAnswer(Answer):
    """An answer that ``joins`` the attributes of a thing and of its parts. What is derived is shown as known then."""

    joins: ClassVar[tuple[str, ...]] = ()

    @model_validator(mode="before")
    @classmethod
    def _join(cls, thing: Any, info: ValidationInfo) -> Any:
        if is_answer(thing):
            return thing
        known = thing.as_known(context_of(info).known_at) if isinstance(thing, DerivedText) else thing
        return Joined(known, *(attrgetter(path)(known) for path in cls.joins))


class Warned(Answer):
    """What an answer says of what could not be read."""

    warnings: list[str] = Field(
        default_factory=damage_warnings,
        description="What is stored and cannot be read, because somebody changed it in Neo4j: it was left out of the "
        "answer, and of what follows from it. Each says which thing it is, and which property to repair.",
    )


class ReadAnswer(Warned):
    """What every read says of itself."""

    settled: Annotated[
        bool,
        Field(
            description="The `known_at` asked for lies so far back that no later write changes this answer; of a "
            "search, what may be found."
        ),
    ]
    access_changed_at: Annotated[
        datetime | None,
        Field(
            description="When somebody in the group last shared a fact or took that back, which answers about the past "
            "follow too; null where the answer is not settled, or if nobody ever did."
        ),
    ]
    erased_at: Annotated[
        datetime | None,
        Field(
            description="When something in the group was last forgotten, after which answers about the past may be "
            "others; null where the answer is not settled, or if nothing ever was."
        ),
    ]
    taken_for: dict[str, str] = Field(
        default_factory=fuller_names_noted,
        description="Names that were asked for and taken for fuller ones: “Nora” for “Nora Lindqvist”, who alone is "
        "called so.",
    )


class TimedAnswer(Warned):
    """What an answer says of the two times that it is about."""

    valid_at: datetime
    known_at: datetime


class AsOf(TimedAnswer, ReadAnswer):
    """What was believed at ``known_at`` to be true at ``valid_at``."""
