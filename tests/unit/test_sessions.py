"""When sessions are open: values in, values out."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.session import (
    SILENCE,
    Arrival,
    ClosedBy,
    Opening,
    Session,
    after_episodes,
    as_known,
    closed,
    silenced,
)

NOON = datetime(2025, 5, 3, 12, tzinfo=UTC)


def at(minute: float) -> datetime:
    return NOON + timedelta(minutes=minute)


def unopened(id_: str = "a", user: str = "maya") -> Session:
    return Session(id=id_, group_id="g", name=id_, user=user)


def heard(known: list[Session], id_: str, minute: float) -> list[Session]:
    """All of the sessions after an episode of one."""
    changed = {one.id: one for one in after_episodes(known, [Arrival(session_id=id_, at=at(minute))], SILENCE)}
    return [changed.get(one.id, one) for one in known]


def test_the_first_episode_opens_a_session() -> None:
    (session,) = heard([unopened()], "a", 0)

    assert (session.openings, session.closes_at) == ((Opening(at(0)),), at(30))


def test_silence_closes_it_at_the_minute_and_not_when_somebody_looks() -> None:
    (session,) = heard(heard([unopened()], "a", 0), "a", 20)

    assert silenced(session, at(49)).open
    assert silenced(session, at(500)).openings == (Opening(at(0), at(50), ClosedBy.SILENCE),)


def test_an_episode_opens_a_closed_session_again() -> None:
    (session,) = heard(heard([unopened()], "a", 0), "a", 31)

    assert session.openings == (Opening(at(0), at(30), ClosedBy.SILENCE), Opening(at(31)))


def test_the_next_session_of_a_user_closes_the_one_before() -> None:
    first, second = heard(heard([unopened("a"), unopened("b")], "a", 0), "b", 5)

    assert (first.closed_at, first.closed_by, second.open) == (at(5), ClosedBy.NEXT, True)


def test_what_is_of_nobody_closes_nothing_and_is_closed_by_no_other() -> None:
    known = heard([unopened("a", ""), unopened("b", ""), unopened("c")], "a", 0)
    for id_ in ("b", "c"):
        known = heard(known, id_, 5)

    assert all(one.open for one in known)


def test_a_call_closes_once() -> None:
    (session,) = heard([unopened()], "a", 0)
    once = closed(session, at(5), ClosedBy.CALL)

    assert (once.closed_at, once.closed_by) == (at(5), ClosedBy.CALL)
    assert closed(once, at(6), ClosedBy.CALL) == once


def test_a_session_is_about_whom_its_last_episodes_say() -> None:
    arrivals = [
        Arrival(session_id="a", at=at(0), agent="clerk", subject="Ivo"),
        Arrival(session_id="a", at=at(1), agent="doctor"),
    ]
    (session,) = after_episodes([unopened()], arrivals, SILENCE)

    assert (session.agent, session.subject) == ("doctor", "Ivo")


MINUTES = st.integers(0, 200)
EVENTS = st.lists(st.tuples(st.sampled_from(["a", "b", "c"]), st.integers(0, 60)), max_size=12)


@given(EVENTS, st.integers(0, 12), st.integers(0, 60))
def test_what_was_known_of_a_session_is_never_known_otherwise(
    events: list[tuple[str, int]], told: int, wait: int
) -> None:
    """Whoever asks how it was at a time before all that followed gets the same answer as who asked then."""
    known, now = [unopened("a"), unopened("b"), unopened("c", "")], 0
    answers: list[list[Session | None]] = []
    asked = 0
    for number, (id_, pause) in enumerate(events):
        now += pause + 1
        if number == min(told, len(events) - 1):
            asked = now - 1 if wait > pause else now - 1 - pause + wait
            answers.append([shown(one, asked) for one in known])
        known = heard(known, id_, now)

    assert all(answer == [shown(one, asked) for one in known] for answer in answers)


def shown(session: Session, minute: int) -> Session | None:
    """As known then, but for when silence would close it, which what follows may put off."""
    found = as_known(session, at(minute))
    return None if found is None else unlimited(found)


def unlimited(session: Session) -> Session:
    return Session(id=session.id, group_id="g", name=session.name, user=session.user, openings=session.openings)


@given(EVENTS)
def test_a_user_has_one_open_session_at_most(events: list[tuple[str, int]]) -> None:
    known, now = [unopened("a"), unopened("b"), unopened("c")], 0
    for id_, pause in events:
        now += pause + 1
        known = heard(known, id_, now)
        assert sum(one.open for one in known) == 1
        assert all(one.closed_at is not None for session in known for one in session.openings[:-1])
