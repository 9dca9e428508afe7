"""The sample conversation, read offline, gives the year it tells: every claim, and the timelines they project to."""

from collections.abc import Sequence
from datetime import UTC, date, datetime

import pytest

from graphmem.client.sample import SampleTurn, trip, turns
from graphmem.model.claim import Claim
from graphmem.model.entity import normalise_name
from graphmem.model.episode import Episode, EpisodeRole
from graphmem.model.fragment import ProposedClaim, ThingName
from graphmem.model.ids import entity_id
from graphmem.model.interval import END
from graphmem.model.projection.predicate import BUILT_IN_PREDICATES
from graphmem.model.projection.slot import place
from graphmem.model.projection.timeline import project
from graphmem.model.summary import WindowPolicy
from tests.models import closed, extractor

Told = list[tuple[SampleTurn, Episode, ProposedClaim]]


@pytest.fixture(scope="module")
async def told() -> Told:
    extractor = closed()
    episodes = [(turn, _episode(turn)) for turn in turns()]
    return [(turn, episode, claim) for turn, episode in episodes for claim in (await extractor.extract(episode)).claims]


def _episode(turn: SampleTurn) -> Episode:
    return Episode(
        group_id="sample",
        session=turn.session,
        content=turn.content,
        occurred_at=turn.time.astimezone(UTC),
        role=EpisodeRole(turn.role),
        speaker=turn.speaker,
        user=turn.user or "",
    )


def _id(name: ThingName) -> str:
    return entity_id("sample", normalise_name(name.name))


def _resolved(episode: Episode, claim: ProposedClaim) -> Claim:
    return Claim(
        group_id="sample",
        episode_id=episode.id,
        kind=claim.kind,
        subject_id=_id(claim.subject),
        predicate=claim.predicate,
        object_id=_id(claim.object) if claim.object else None,
        value=claim.value,
        statement=claim.statement,
        quote=episode.content[claim.quote_start : claim.quote_end],
        quote_start=claim.quote_start,
        quote_end=claim.quote_end,
        valid_from=claim.valid_from or episode.occurred_at,
        valid_to=claim.valid_to or END,
        from_stated=claim.valid_from is not None,
        to_stated=claim.valid_to is not None,
        said_at=episode.occurred_at,
        confidence=claim.confidence,
        extractor="offline",
        extractor_version="1",
    )


def _timeline(told: Sequence[tuple[SampleTurn, Episode, ProposedClaim]], subject: str, predicate: str) -> list[str]:
    claims = [
        _resolved(episode, claim)
        for _, episode, claim in told
        if claim.subject.name == subject and claim.predicate == predicate
    ]
    slots = {BUILT_IN_PREDICATES.slot(place(claim)) for claim in claims}
    policy = BUILT_IN_PREDICATES.policy(predicate)
    beliefs = [
        belief
        for slot in slots
        for belief in project([claim for claim in claims if BUILT_IN_PREDICATES.slot(place(claim)) == slot], policy)
    ]
    ordered = sorted(beliefs, key=lambda belief: belief.interval)
    return [
        f"{_shown(belief.interval.start)}..{_shown(belief.interval.end)} {belief.first.statement}" for belief in ordered
    ]


def _shown(instant: datetime) -> str:
    return "" if instant == END else str(instant.date())


def test_every_claim_of_the_sample_and_no_other(told: Told) -> None:
    got = [(turn.time.date(), claim.kind.value, claim.statement, claim.valid_from) for turn, _, claim in told]
    assert got == [
        (date(2025, 1, 12), "starts", "Maya lives in Lisbon.", datetime(2019, 1, 1, tzinfo=UTC)),
        (date(2025, 1, 12), "holds", "Maya works at Brightwater.", None),
        (date(2025, 1, 12), "holds", "Maya works as a designer.", None),
        (date(2025, 3, 2), "starts", "Bruno lives in Madrid.", None),
        (date(2025, 3, 2), "starts", "Maya has the habit: write to each other every day.", None),
        (date(2025, 3, 2), "starts", "Maya likes hiking.", None),
        (date(2025, 4, 22), "ends", "Maya no longer works at Brightwater.", datetime(2025, 4, 14, tzinfo=UTC)),
        (date(2025, 5, 11), "starts", "Maya lives in Porto.", datetime(2025, 5, 3, tzinfo=UTC)),
        (date(2025, 5, 11), "starts", "Maya works at Atelier Douro.", datetime(2025, 5, 5, tzinfo=UTC)),
        (date(2025, 5, 25), "starts", "Bruno lives in Valencia.", datetime(2025, 2, 1, tzinfo=UTC)),
        (date(2025, 6, 29), "starts", "Maya is together with Bruno.", datetime(2025, 6, 14, tzinfo=UTC)),
        (
            date(2025, 9, 7),
            "starts",
            "Maya visited Rome, 1 August 2025 to 31 August 2025.",
            datetime(2025, 8, 1, tzinfo=UTC),
        ),
        (date(2025, 9, 7), "starts", "Bruno lives in Porto.", datetime(2025, 7, 1, tzinfo=UTC)),
        (date(2025, 9, 7), "ends", "Maya no longer has the habit: trains.", None),
        (date(2025, 9, 7), "starts", "Clara owns a tent.", datetime(2025, 9, 5, tzinfo=UTC)),
        (date(2025, 12, 14), "holds", "Maya works at Atelier Douro.", None),
        (date(2025, 12, 14), "starts", "Maya has the pet Maya's cat.", datetime(2025, 10, 1, tzinfo=UTC)),
    ]


@pytest.mark.parametrize(
    ("subject", "predicate", "timeline"),
    [
        ("Maya", "lives_in", ["2019-01-01..2025-05-03 Maya lives in Lisbon.", "2025-05-03.. Maya lives in Porto."]),
        (
            "Maya",
            "works_at",
            ["2025-01-12..2025-04-14 Maya works at Brightwater.", "2025-05-05.. Maya works at Atelier Douro."],
        ),
        ("Maya", "partner", ["2025-06-14.. Maya is together with Bruno."]),
        (
            "Bruno",
            "lives_in",
            ["2025-02-01..2025-07-01 Bruno lives in Valencia.", "2025-07-01.. Bruno lives in Porto."],
        ),
    ],
)
def test_the_year_projects_to_what_it_tells(told: Told, subject: str, predicate: str, timeline: list[str]) -> None:
    assert _timeline(told, subject, predicate) == timeline


def test_before_the_correction_bruno_is_believed_to_live_in_madrid(told: Told) -> None:
    first = [row for row in told if row[0].part == 1]
    assert _timeline(first, "Bruno", "lives_in") == ["2025-03-02.. Bruno lives in Madrid."]


def test_the_turns_are_in_order_and_the_correction_opens_part_two() -> None:
    conversation = turns()
    assert [turn.time for turn in conversation] == sorted(turn.time for turn in conversation)
    assert [turn.part for turn in conversation] == sorted(turn.part for turn in conversation)
    second = [turn for turn in conversation if turn.part == 2]
    assert "got that wrong" in second[1].content


async def test_the_sample_has_open_claims_too() -> None:
    found = [claim for turn in turns() for claim in (await extractor().extract(_episode(turn))).claims if claim.open]
    assert {claim.statement for claim in found} >= {"On 8 February 2025 Maya met a man called Bruno at a concert."}


async def test_jonas_tells_what_becomes_facts_of_his() -> None:
    reader = closed()
    said = [_episode(turn) for turn in trip() if turn.role == "user"]
    claims = [claim for one in said for claim in (await reader.extract(one)).claims]
    assert {(claim.category, claim.statement) for claim in claims if claim.category not in {"", "other"}} == {
        ("goal", "Jonas has the goal: plan a bike trip for the summer."),
        ("goal", "Jonas has the goal: swim in Nazaré at least once."),
        ("identity", "Jonas lives in Basel."),
        ("identity", "Jonas lives in Zurich."),
        ("relationship", "Jonas is a sibling of Clara."),
        ("constraint", "Jonas is allergic to peanuts."),
        ("preference", "Jonas likes strong coffee."),
        ("preference", "Jonas likes camping."),
        ("preference", "Jonas dislikes riding in the dark."),
        ("preference", "Jonas prefers paper maps."),
        ("preference", "Clara prefers a bed."),
        ("occupation", "Jonas works as a nurse."),
        ("habit", "Jonas has the habit: run every Sunday."),
    }


def test_the_trip_is_long_enough_to_be_summarised() -> None:
    enough, before = WindowPolicy().enough, [turn for turn in trip() if turn.part == 1]
    assert len(before) < enough <= len(trip())
    assert trip()[: len(before)] == before
    assert any("I moved to" in turn.content for turn in before)  # of where he lived before, the summary says until when
    assert [turn.time for turn in trip()] == sorted(turn.time for turn in trip())
    assert {(turn.user, turn.session, turn.agent) for turn in trip()} == {("jonas", "trip", "planner")}
