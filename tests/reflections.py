"""Beliefs, claims and entities for tests of reflections."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from graphmem.derived.reflect.memories import WeeklyMaterial, Withdrawn
from graphmem.model.belief import BeliefRow, Support
from graphmem.model.interval import BEGIN, END
from graphmem.model.projection.existence import Existence
from graphmem.model.recall import KnownEntity
from graphmem.model.reflection import Week, WeeklyClaim

UNTIL = datetime(2025, 5, 4, 3, tzinfo=UTC)
WEEK = Week(since=UNTIL - timedelta(days=7), until=UNTIL)
MONDAY = WEEK.since + timedelta(days=1)
BEFORE = WEEK.since - timedelta(days=30)


def evidence(claim: str, *, recorded_at: datetime = MONDAY, start: int = 0, end: int = 10) -> Support:
    """A claim that quotes characters of an episode of its own name."""
    return Support(
        claim_id=claim,
        kind="starts",
        episode_id=f"episode of {claim}",
        quote="",
        quote_start=start,
        quote_end=end,
        said_at=recorded_at,
        recorded_at=recorded_at,
        confidence=0.9,
    )


def belief(
    statement: str,
    *claims: Support,
    subject: str = "maya",
    predicate: str = "did",
    target: str | None = None,
    thing: str | None = None,
    since: datetime = MONDAY,
    until: datetime = END,
    stated: bool = False,
    user: str = "",
    importance: float = 0.5,
    contested: bool = False,
    recorded_at: datetime = MONDAY,
) -> BeliefRow:
    """A belief about a subject and a ``thing``, or a value; ``stated``: its claims say when it began and ended."""
    return BeliefRow(
        id=f"row: {statement}",
        belief_id=f"belief: {statement}",
        kind="fact" if thing is None else "relationship",
        subject_id=subject,
        predicate=predicate,
        object_id=thing,
        value=None,
        target=thing or target or statement,
        user=user,
        statement=statement,
        attributes="{}",
        category="",
        confidence=0.9,
        importance=importance,
        contested=contested,
        from_stated=stated,
        to_stated=stated,
        valid_from=since,
        valid_to=until,
        recorded_at=recorded_at,
        superseded_at=END,
        open=False,
        day="",
        event_to=None,
        evidence=claims or (evidence(f"claim of {statement}", recorded_at=recorded_at),),
    )


def weekly(claim: str, *rows: BeliefRow, kind: str = "starts", targets: Iterable[str] | None = None) -> WeeklyClaim:
    """A claim of the week in the slot of these rows; of their objects or values, unless it has other targets."""
    return WeeklyClaim(
        id=claim,
        kind=kind,
        statement=f"Statement of {claim}.",
        subject_id=rows[0].subject_id,
        stamp="",
        targets=tuple(targets if targets is not None else (row.target for row in rows)),
        rows=tuple(row.id for row in rows),
    )


def entity(id_: str, *, name: str | None = None, recorded_at: datetime = BEFORE, kind: str = "person") -> KnownEntity:
    return KnownEntity(
        id=id_,
        type=kind,
        key=id_,
        qualifier="",
        name=name or id_.capitalize(),
        recorded_at=recorded_at,
        part_of=None,
        existence=Existence(BEGIN, END),
        protected=False,
    )


def material(
    *beliefs: BeliefRow,
    claims: Iterable[WeeklyClaim] = (),
    entities: Iterable[KnownEntity] = (entity("maya"),),
    withdrawn: Withdrawn = Withdrawn(),  # noqa: B008 - frozen
) -> WeeklyMaterial:
    """Beliefs, with a claim of the week for each that one of the week supports, and other claims of the week."""
    found = [weekly(one.claim_id, belief) for belief in beliefs for one in belief.evidence if WEEK.has(one.recorded_at)]
    return WeeklyMaterial(
        week=WEEK,
        beliefs=beliefs,
        claims=[*found, *claims],
        entities={one.id: one for one in entities},
        withdrawn=withdrawn,
    )
