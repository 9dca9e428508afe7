"""One frozen model per shape that a query returns. No defaults: a missing column is an error, not a guess."""

from pydantic import BaseModel, ConfigDict


class Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")
