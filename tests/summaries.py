"""Turns and beliefs for tests of summaries."""

from datetime import UTC, datetime, timedelta

from graphmem.model.belief import BeliefRow, Support
from graphmem.model.episode import ContentType, Episode, EpisodeRole, StoredEpisode
from graphmem.model.interval import END
from graphmem.model.summary import QuotedSpan
from tests.episodes import stored

SAID = datetime(2025, 5, 3, 12, tzinfo=UTC)


def turn(
    content: str,
    at: int = 0,
    *,
    speaker: str | None = "Maya",
    days: int = 0,
    role: EpisodeRole = EpisodeRole.USER,
    content_type: ContentType = ContentType.MESSAGE,
) -> StoredEpisode:
    """The turn at a place in a session, so many days after 3 May 2025."""
    return stored(
        Episode(
            group_id="g",
            session="s",
            content=content,
            occurred_at=SAID + timedelta(days=days),
            speaker=speaker,
            role=role,
            sequence=at,
            content_type=content_type,
        )
    )


def quote(said: StoredEpisode, words: str) -> QuotedSpan:
    start = said.episode.content.index(words)
    return QuotedSpan(said.id, start, start + len(words))


def belief(
    statement: str,
    *spans: QuotedSpan,
    since: datetime | None = None,
    until: datetime = END,
    event: tuple[str, datetime] | None = None,
    importance: float = 0.4,
) -> BeliefRow:
    """A belief with a claim for each span; ``event`` are the days it happened on, and when they end."""
    id_ = f"belief: {statement}"
    return BeliefRow(
        id=id_,
        belief_id=id_,
        kind="fact",
        subject_id="maya",
        predicate="did",
        object_id=None,
        value=None,
        target="t",
        user="",
        statement=statement,
        attributes="{}",
        category="",
        confidence=0.6,
        importance=importance,
        contested=False,
        from_stated=since is not None,
        to_stated=until != END,
        valid_from=since or SAID,
        valid_to=until,
        recorded_at=SAID,
        superseded_at=END,
        open=True,
        day=event[0] if event else "",
        event_to=event[1] if event else None,
        evidence=tuple(
            Support(
                claim_id=f"claim {number} of {statement}",
                kind="starts",
                episode_id=span.episode_id,
                quote="",
                quote_start=span.start,
                quote_end=span.end,
                said_at=SAID,
                recorded_at=SAID,
                confidence=0.6,
            )
            for number, span in enumerate(spans)
        ),
    )
