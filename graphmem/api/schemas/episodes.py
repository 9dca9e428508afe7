"""Episodes as posted and as shown."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from pydantic import Discriminator, Field, JsonValue, Tag

from graphmem.api.schemas.words import (
    MOST_ITEMS,
    Count,
    Integer,
    Metadata,
    Moment,
    Name,
    Request,
    Tags,
    Text,
    TimeZone,
)
from graphmem.errors import TooLarge
from graphmem.model.dates import offset_of
from graphmem.model.episode import ContentType, Episode, EpisodeRole
from graphmem.model.interval import as_instant


class EpisodeIn(Request):
    """Something said or happened. Without ``occurred_at`` it occurs now; ``user`` is whose memory it is.

    In the role `user`, “I” is that user as a person, whatever name ``speaker`` gives them then; without a ``user``,
    it is whom ``speaker`` names. A `participant` is another human, named by ``speaker``. Of a turn with neither
    nobody is known to speak, and nothing that it says in the first person is claimed. ``remember``: somebody asks for
    it to be remembered; where no claim can be read from it, it becomes a fact in its own words.

    Days in the content (“yesterday”) are days of ``time_zone`` (an IANA name such as Europe/Lisbon, or an offset), else
    of the offset of ``occurred_at``. ``agent``, which of the caller's agents it was said to, and ``subject``, whom it
    is about where that is not the speaker, are kept with the session; the last ones given count.

    ``external_id`` names it among the episodes of its user: the same again is the same episode, other content a 409;
    `PUT …/episodes/by-external-id/…` replaces it.

    Of one instant, what was said is in the order of ``sequence``, then of the list in which it first came. Of a list
    that comes in parts, ``position`` is the place in the whole, and ``occurrence`` how many equal ones come before it
    there.
    """

    content: Text
    occurred_at: Moment | None = None
    time_zone: TimeZone | None = None
    session: Name | None = None
    content_type: ContentType = ContentType.MESSAGE
    role: EpisodeRole = EpisodeRole.USER
    speaker: Name | None = None
    user: Name | None = None
    agent: Name | None = None
    subject: Name | None = None
    source: Name | None = None
    tags: Tags = ()
    metadata: Metadata = Field(default_factory=dict[str, JsonValue])
    sequence: Integer | None = None
    position: Count | None = None
    occurrence: Count | None = None
    external_id: Name | None = None
    remember: bool = False


def one_or_list(value: Any) -> str:
    return "list" if isinstance(value, list) else "one"


EpisodesIn = Annotated[
    Annotated[EpisodeIn, Tag("one")]
    | Annotated[list[EpisodeIn], Tag("list"), Field(min_length=1, max_length=MOST_ITEMS)],
    Discriminator(one_or_list),
]
EPISODE_TAGS = frozenset({"one", "list"})


@dataclass(frozen=True, slots=True)
class Accepting:
    """What turns posted episodes into episodes: their group, their common key, the limit, and now."""

    group: str
    idempotency_key: str | None
    max_content_chars: int
    now: datetime

    def episodes(self, posted: EpisodeIn | Sequence[EpisodeIn]) -> list[Episode]:
        """Raises ``TooLarge`` for a content over the limit."""
        if isinstance(posted, EpisodeIn):
            return [self._episode(posted, None)]
        return [self._episode(episode, item) for item, episode in enumerate(posted)]

    def _episode(self, posted: EpisodeIn, item: int | None) -> Episode:
        if len(posted.content) > self.max_content_chars:
            raise TooLarge(
                f"An episode has {len(posted.content)} characters; {self.max_content_chars} is the limit. Split it."
            )
        occurred_at = posted.occurred_at or self.now
        return posted.into(
            Episode,
            group_id=self.group,
            session=posted.session or "",
            occurred_at=as_instant(occurred_at),
            time_zone=posted.time_zone or offset_of(occurred_at),
            idempotency_key=self.idempotency_key,
            item=item,
        )


class ReprocessIn(Request):
    """How an episode is to be digested anew; what is left out is as the settings say."""

    strategy: Name | None = None
    model: Name | None = None
    prompt: Name | None = None
