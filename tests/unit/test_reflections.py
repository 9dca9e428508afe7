"""What is said of a week, and when that is due."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from graphmem.derived.reflect.composing import composed
from graphmem.derived.reflect.memories import WeeklyMaterial, Withdrawn, memories_of
from graphmem.model.reflection import Ends, ReflectionPolicy, ReflectionText
from graphmem.model.summary import QuotedSpan
from tests.reflections import BEFORE, MONDAY, UNTIL, WEEK, belief, entity, evidence, material, weekly

SUNDAYS = ReflectionPolicy()
NEW = [belief(f"Maya bought a {thing}.") for thing in ("kayak", "violin", "lantern")]


def reflected(found: WeeklyMaterial, max_tokens: int = 1_000) -> ReflectionText:
    text = composed(found, memories_of(found, "", 200).standing, lambda words: len(words.split()), max_tokens)
    assert text is not None
    return text


def lines(found: WeeklyMaterial) -> list[str]:
    return [sentence.text for sentence in reflected(found).sentences]


@pytest.mark.parametrize(
    ("now", "day"),
    [
        (datetime(2025, 5, 4, 3, tzinfo=UTC), date(2025, 5, 4)),
        (datetime(2025, 5, 4, 2, 59, tzinfo=UTC), date(2025, 4, 27)),
        (datetime(2025, 5, 5, tzinfo=UTC), date(2025, 5, 4)),
        (datetime(2025, 5, 10, 23, tzinfo=UTC), date(2025, 5, 4)),
        (datetime(2025, 1, 1, 23, tzinfo=UTC), date(2024, 12, 29)),
    ],
)
def test_the_last_scheduled_week_ends_at_the_hour_of_the_day_before_now(now: datetime, day: date) -> None:
    week = SUNDAYS.last_scheduled(now)
    assert week == SUNDAYS.week_of(day)
    assert (week.until.hour, week.until - week.since) == (3, timedelta(days=7))


def test_missed_weeks_are_scheduled_from_when_on_there_was_a_group_and_the_last_in_any_case() -> None:
    now, may = datetime(2025, 5, 6, tzinfo=UTC), date(2025, 5, 4)

    def days(since: datetime, policy: ReflectionPolicy = SUNDAYS) -> list[date]:
        return [week.day for week in policy.scheduled(since, now)]

    weeks = [may - timedelta(days=7 * ago) for ago in (4, 3, 2, 1, 0)]
    assert days(datetime(2024, 1, 1, tzinfo=UTC)) == weeks
    assert days(datetime(2025, 4, 20, 3, tzinfo=UTC)) == weeks[-2:]
    assert days(now) == [may]
    assert days(datetime(2024, 1, 1, tzinfo=UTC), replace(SUNDAYS, missed_weeks=1)) == weeks[-2:]


def test_weeks_that_follow_each_other_share_no_instant() -> None:
    one, two = SUNDAYS.week_of(date(2025, 5, 4)), SUNDAYS.week_of(date(2025, 5, 11))
    assert (one.has(one.until), two.has(one.until)) == (True, False)


def test_what_is_new_is_told_the_most_important_first_with_its_claims() -> None:
    late = belief("Maya plays chess.", importance=0.9)
    text = reflected(material(*NEW, late))
    assert text.content.startswith("Week to 4 May 2025:\nNew: Maya plays chess.\n")
    assert text.sentences[0].claims == ("claim of Maya plays chess.",)
    assert text.sentences[0].beliefs == (late.belief_id,)


def test_who_is_new_is_told_first_people_before_others() -> None:
    ana = belief("Maya met Ana.", thing="ana")
    porto = belief("Maya flew to Porto.", thing="porto")
    known = [entity("maya"), entity("ana", recorded_at=MONDAY), entity("porto", recorded_at=MONDAY, kind="place")]
    text = reflected(material(ana, porto, entities=known))
    assert text.sentences[0].text == "First heard of: Ana, Porto."
    assert set(text.sentences[0].claims) == {"claim of Maya met Ana.", "claim of Maya flew to Porto."}


def test_who_was_known_before_is_not_new() -> None:
    found = material(belief("Maya met Ana.", thing="ana"), entities=[entity("maya"), entity("ana")])
    assert not any("First heard of" in line for line in lines(found))


def home(until: datetime = MONDAY) -> WeeklyMaterial:
    """Maya lived in Rome since long, and moved to Oslo in the week."""
    rome = belief("Maya lives in Rome.", evidence("rome", recorded_at=BEFORE), predicate="lives_in", until=until)
    oslo = belief("Maya lives in Oslo.", evidence("oslo"), predicate="lives_in")
    return material(rome, oslo, claims=[weekly("oslo", rome, targets=[oslo.target])])


def test_what_took_the_place_of_something_is_told_with_it() -> None:
    text = reflected(home())
    assert text.sentences[0].text == "Changed: Maya lives in Oslo. Before: Maya lives in Rome."
    assert text.sentences[0].claims == ("oslo", "rome")
    assert len([one for one in text.sentences if "Oslo" in one.text]) == 1


def test_what_did_not_end_where_the_other_began_was_not_replaced() -> None:
    assert lines(home(until=MONDAY - timedelta(hours=1)))[0] == "New: Maya lives in Oslo."


def test_where_what_took_its_place_was_withdrawn_nothing_ended() -> None:
    found = replace(home(), withdrawn=Withdrawn(claims=["oslo"]))
    assert memories_of(found, "", 200).standing[0].belief.statement == "Maya lives in Rome."
    assert composed(found, memories_of(found, "", 200).standing, len) is None


def job() -> WeeklyMaterial:
    acme = evidence("acme", recorded_at=BEFORE)
    works = belief("Maya works at Acme.", acme, predicate="works_at", since=BEFORE, until=MONDAY)
    return material(works, *NEW, claims=[weekly("left", works, kind="ends")])


def test_what_was_ended_is_told_with_the_claim_that_ends_it() -> None:
    ended = next(one for one in reflected(job()).sentences if one.text.startswith("No longer"))
    assert ended.text == "No longer: Maya works at Acme (until 28 April 2025)."
    assert ended.claims == ("acme", "left")


def test_what_a_claim_ends_was_not_replaced() -> None:
    found = home()
    rome = next(row for row in found.beliefs if row.target.endswith("Rome."))
    both = replace(found, claims=[*found.claims, weekly("left", rome, kind="ends")])
    assert [line.partition(":")[0] for line in lines(both)] == ["New", "No longer"]


def test_where_the_end_was_withdrawn_nothing_ended() -> None:
    found = replace(job(), withdrawn=Withdrawn(claims=["left"]))
    assert not any("Acme" in line for line in lines(found))


def test_what_is_contested_is_told_with_the_other_side() -> None:
    tea = belief("Maya drinks tea.", predicate="drinks", contested=True)
    found = material(tea, claims=[weekly("coffee", tea, targets=["coffee"])])
    told = next(one for one in reflected(found).sentences if one.text.startswith("Contested"))
    assert told.text == "Contested: Maya drinks tea. Against it: Statement of coffee."
    assert told.claims == ("claim of Maya drinks tea.", "coffee")
    withdrawn = replace(found, withdrawn=Withdrawn(claims=["coffee"]))
    assert not any("Contested" in line for line in lines(withdrawn))


def test_another_value_of_what_holds_many_is_not_against_it() -> None:
    tea = belief("Maya likes tea.", predicate="likes")
    assert not any("Contested" in line for line in lines(material(tea, claims=[weekly("x", tea, targets=["jazz"])])))


def test_who_was_talked_about_most_is_counted_by_claims_of_the_week() -> None:
    old = belief("Ivo lives in Porto.", evidence("1", recorded_at=BEFORE), evidence("2"), evidence("3"), subject="ivo")
    text = reflected(material(*NEW, old, entities=[entity("maya"), entity("ivo")]))
    assert text.sentences[-1].text == "Talked about most: Maya (3 statements), Ivo (2 statements)."
    assert "1" not in text.sentences[-1].claims
    assert {"2", "3"} <= set(text.sentences[-1].claims)


def test_what_was_only_said_again_is_no_new_memory() -> None:
    again = belief("Ivo lives in Porto.", evidence("1", recorded_at=BEFORE), evidence("2"), recorded_at=BEFORE)
    memories = memories_of(material(*NEW, again), "", 200)
    assert (memories.total, memories.new) == (4, 3)


def test_what_nothing_of_the_week_is_about_is_no_memory() -> None:
    old = belief("Ivo lives in Porto.", recorded_at=BEFORE)
    assert memories_of(material(old, claims=[weekly("x", old, targets=["y"])]), "", 200).total == 0


def test_claims_that_came_after_the_week_are_no_evidence() -> None:
    late = evidence("late", recorded_at=UNTIL + timedelta(microseconds=1))
    known = belief("Maya bought a harp.", evidence("known"), late)
    assert memories_of(material(known), "", 200).standing[0].cites == ("known",)


def test_only_the_newest_are_looked_at() -> None:
    old = belief("Maya bought a harp.", recorded_at=WEEK.since + timedelta(hours=1))
    memories = memories_of(material(old, *NEW), "", 3)
    assert memories.total == 3
    assert old not in [one.belief for one in memories.standing]


def test_new_memories_of_a_user_are_those_that_nobody_else_sees() -> None:
    mine = belief("Maya bought a harp.", user="maya")
    memories = memories_of(material(mine, *NEW), "maya", 200)
    assert (memories.new, memories.own) == (4, 1)


def test_what_overlaps_a_withdrawn_quote_is_left_out() -> None:
    gone = belief("Maya bought a harp.", evidence("harp", start=5, end=9))
    span = QuotedSpan("episode of harp", 8, 20)
    found = material(gone, *NEW, withdrawn=Withdrawn(spans=[span]))
    assert not any("harp" in line for line in lines(found))
    assert memories_of(found, "", 200).new == 4


def test_where_two_turned_out_to_be_different_one_did_not_take_the_place_of_the_other() -> None:
    ends = {"rome": Ends("maya", None), "oslo": Ends("other", None)}
    assert lines(replace(home(), ends=ends)) == ["New: Maya lives in Oslo."]


def test_where_two_turned_out_to_be_one_it_is_told_of_that_one() -> None:
    ana = belief("Annie met Ivo.", subject="annie")
    others = [belief("Ana plays chess.", subject="ana")]
    known = [entity("ana"), entity("annie", recorded_at=MONDAY)]
    found = replace(material(ana, *others, entities=known), ends={"claim of Annie met Ivo.": Ends("ana", None)})
    assert lines(found)[-1] == "Talked about most: Ana (2 statements)."
    assert not any("First heard of" in line for line in lines(found))


def test_what_does_not_fit_is_left_out_by_its_worth() -> None:
    found = home()
    every = [*found.beliefs, *NEW]
    more = replace(found, beliefs=every, claims=[*found.claims, *material(*NEW).claims])
    assert [one.text for one in reflected(more, 15).sentences] == [
        "Changed: Maya lives in Oslo. Before: Maya lives in Rome."
    ]


def test_without_anything_to_say_there_is_no_text() -> None:
    assert composed(material(), [], len) is None


def test_statements_of_several_lines_are_told_in_one() -> None:
    (line, *_) = lines(material(belief("Maya bought\n## a harp.\u2028Yes")))
    assert line == "New: Maya bought ## a harp. Yes."
