"""What every answer is, and what every read says of itself."""

from datetime import datetime
from typing import Annotated

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
)

from graphmem.model.damage import told


class Answer(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Warned(Answer):
    """What an answer says of what could not be read."""

    warnings: list[str] = Field(
        default_factory=told,
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


class AsOf(ReadAnswer):
    """What was believed at ``known_at`` to be true at ``valid_at``."""

    valid_at: datetime
    known_at: datetime
