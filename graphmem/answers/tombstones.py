"""What is taken in no more, as shown."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from graphmem.answers.answer import Warned


class LiftedTombstones(Warned):
    lifted: Annotated[list[str], Field(description="Those that there were: what they barred may come in again.")]


class OptOutOut(Warned):
    """Whether a user opted out: since then nothing of theirs comes in. ``opted_out_at`` is null where they did not."""

    user: str
    opted_out_at: datetime | None
