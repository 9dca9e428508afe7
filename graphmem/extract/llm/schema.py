"""What a language model is asked to fill in: the descriptions of the fields are the contract.

Lists are flat and every field a scalar or a mapping of scalars, because models break nested attributes first.
"""

from enum import StrEnum
from typing import Annotated, Any, TypeVar, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from graphmem.model.claim import Category, ClaimStatus

Filled = TypeVar("Filled", bound=BaseModel)
"""A form that a model filled in."""
LONGEST = 512
"""Index keys of Neo4j end near 8 kB."""


def _as_mapping(value: object) -> dict[str, Any]:
    """What is no mapping is one value without a name, which is dropped and counted like every other one of no use."""
    if isinstance(value, dict):
        return {str(name): item for name, item in cast("dict[object, Any]", value).items() if item is not None}
    return {"": value} if value else {}


def _as_status(value: object) -> ClaimStatus | None:
    """A status that is left out is ``asserted``; a word that names none, perhaps “hypothetical”, asserts nothing."""
    written = str(value or ClaimStatus.ASSERTED).strip().casefold()
    return next((status for status in ClaimStatus if status == written), None)


def _as_words(value: object) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


ModelWord = Annotated[str, Field(min_length=1, max_length=LONGEST)]
ShareOfOne = Annotated[float, Field(ge=0.0, le=1.0)]
FlatAttributes = Annotated[
    dict[str, Any],
    BeforeValidator(_as_mapping),
    WithJsonSchema({"type": "object", "additionalProperties": {"type": ["string", "number", "boolean"]}}),
]
"""Flat by contract. A model that nests them all the same loses those, and not its whole answer."""

StatusOrNone = Annotated[
    ClaimStatus | None,
    BeforeValidator(_as_status),
    WithJsonSchema({"type": "string", "enum": [status.value for status in ClaimStatus]}),
]
"""A model that misspells it loses the claim, and not its whole answer: None."""
MaybeWords = Annotated[
    str | None, BeforeValidator(_as_words), WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "null"}]})
]


class Sureness(StrEnum):
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class ModelForm(BaseModel):
    """What a model fills in; what else it writes is passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class ExtractedEntity(ModelForm):
    """Somebody or something that the turn names."""

    name: ModelWord = Field(description="The fullest name the turn uses, copied from it. Never a pronoun.")
    type: ModelWord = Field(description="One of the entity types; lower case.")
    aliases: list[ModelWord] = Field(
        default=[], description="Other names the turn uses for the same thing, copied from it."
    )
    attributes: FlatAttributes = Field(
        default={},
        description="Plain values that the turn gives for it, copied from it, by the attribute's name. No lists, no "
        "objects.",
    )
    confidence: Sureness = Field(description="How sure you are that this is a thing of its own, of this type.")


class ExtractedClaim(ModelForm):
    """One thing the turn says: that it is so, has happened or ended, is planned, wished, possible, or is not so."""

    turn: int = Field(ge=0, description="The number of the turn that says it.")
    subject: ModelWord = Field(description="Name of an entity of your list, or of the speaker for 'I', 'me', 'my'.")
    predicate: ModelWord = Field(
        description="One of the predicates that are listed, such as lives_in; else a plain verb in its base form, with "
        "its preposition, in snake_case: sneak_out_of."
    )
    object: ModelWord | None = Field(default=None, description="Name of another entity of your list; null for a value.")
    value: ModelWord | None = Field(default=None, description="A plain value where there is no entity; else null.")
    status: StatusOrNone = Field(
        default=ClaimStatus.ASSERTED,
        description="asserted: it is or was so, or is no longer. planned, wished, able: the subject plans, wishes or "
        "is able to do it. negated: it is not so.",
    )
    statement: ModelWord = Field(
        description="One plain sentence in the third person that stands without the turn and begins with the subject: "
        "'Ana plans to visit Rome in May 2023.'"
    )
    valid_from: str | None = Field(
        default=None, description="The turn's own words for when it began, or for when it ended if ends; else null."
    )
    valid_to: str | None = Field(default=None, description="The turn's own words for until when; else null.")
    happened: MaybeWords = Field(
        default=None,
        description="Of what happened once and is over, the turn's own words for the day: 'last Friday'; else null.",
    )
    ends: bool = Field(default=False, description="True if the turn says that this is no longer so.")
    attributes: FlatAttributes = Field(
        default={},
        description="Plain values that the turn gives for this relationship, copied from it, by the attribute's name. "
        "No lists, no objects.",
    )
    confidence: ShareOfOne = Field(description="How plainly the turn says it.")
    quote: ModelWord = Field(description="The words of the turn that say it, copied letter by letter.")


class ExtractedFact(ModelForm):
    """Something about the speaker, or another person with a name, worth knowing next time."""

    turn: int = Field(ge=0, description="The number of the turn that says it.")
    about: MaybeWords = Field(
        default=None, description="Name of the person of your list of entities whom it is about; null for the speaker."
    )
    category: Category
    key: ModelWord = Field(description="What it is about, in snake_case: diet, favourite_colour, name.")
    value: ModelWord = Field(description="What the turn says of it, in its words and as short as it can be.")
    confidence: ShareOfOne = Field(description="How plainly the turn says it.")
    importance: ShareOfOne = Field(description="How much it matters next time: an allergy 1, small talk 0.1.")
    quote: ModelWord = Field(description="The words of the turn that say it, copied letter by letter.")


class Extraction(ModelForm):
    """Everything the turns name and say. Empty lists are a good answer."""

    entities: list[ExtractedEntity] = []
    claims: list[ExtractedClaim] = []
    facts: list[ExtractedFact] = []
