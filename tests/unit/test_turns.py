"""Which turns answer a question: each reason counts as its weight says, and no more."""

from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.episode import EpisodeRole
from graphmem.model.hits import Ranked, RankedTurn
from graphmem.model.interval import Interval
from graphmem.retrieve.beliefs import BeliefPool, rank_beliefs
from graphmem.retrieve.question import NamedDays, question
from graphmem.retrieve.turns import Cited, Pool, rank_turns
from graphmem.retrieve.weights import BeliefWeights, TurnWeights, packaged

SAID_AT = datetime(2024, 5, 20, 12, tzinfo=UTC)
NOTHING = TurnWeights(**{each.name: 0.0 for each in fields(TurnWeights)})
QUESTION = question("What did Maya paint?")


def turn(
    id_: str, *, cosine: float | None = 0.0, speaker: str | None = "Maya", session: str = "s", **more: object
) -> RankedTurn:
    plain = RankedTurn(
        id=id_,
        session=session,
        speaker=speaker,
        occurred_at=SAID_AT,
        chars=52,
        asks=False,
        role=EpisodeRole.USER,
        opening="",
        cosine=cosine,
    )
    return replace(plain, **more)


def pool_of(*turns: RankedTurn, **more: object) -> Pool:
    return replace(Pool(turns={each.id: each for each in turns}), **more)


def scores(ranked: list[Ranked]) -> dict[str, float]:
    return {item.id: round(item.score, 9) for item in ranked}


def test_full_text_counts_by_the_best_and_vectors_from_the_thirtieth_to_the_best() -> None:
    turns = [turn(f"t{place:02}", cosine=0.9 - place / 100) for place in range(40)]
    vector = [(each.id, each.cosine or 0.0) for each in turns]
    pool = pool_of(*turns, text=[("t39", 8.0), ("t00", 2.0)], vector=vector)
    ranked = scores(rank_turns(QUESTION, pool, replace(NOTHING, text=1.0, vector=0.5)))

    assert (ranked["t39"], ranked["t00"]) == (1.0, 0.25 + 0.5)
    assert ranked["t01"] == pytest.approx(0.5 * (1 - 1 / 29))
    assert (ranked["t29"], ranked["t35"]) == (0, 0)


def test_an_answer_follows_its_question() -> None:
    asked, answer, far = turn("a", after=("b", "c")), turn("b", before=("a",), after=("c",)), turn("c")
    pool = pool_of(asked, answer, far, text=[("a", 3.0)])
    ranked = scores(rank_turns(QUESTION, pool, replace(NOTHING, text_before=0.5, text_nearby=0.4)))
    assert ranked == {"a": 0, "b": 0.5, "c": 0.4}


def test_what_an_assistant_answers_says_nothing_for_what_is_beside_it() -> None:
    asked, answer = turn("a", after=("b", "c")), turn("b", before=("a",), after=("c",), role=EpisodeRole.ASSISTANT)
    pool = pool_of(asked, answer, turn("c"), text=[("a", 3.0), ("b", 3.0)])
    ranked = scores(rank_turns(QUESTION, pool, replace(NOTHING, text_before=0.5, text_nearby=0.4)))
    assert ranked == {"a": 0, "b": 0, "c": 0}


@pytest.mark.parametrize(
    ("asks", "of_self"), [("What is my deadline?", True), ("Where do I live?", True), ("Where does Mia live?", False)]
)
def test_who_asks_of_themselves_is_answered_by_what_a_user_said(asks: str, *, of_self: bool) -> None:
    pool = pool_of(turn("u"), turn("a", role=EpisodeRole.ASSISTANT))
    ranked = scores(rank_turns(question(asks), pool, replace(NOTHING, asker=0.5)))
    assert ranked == {"u": 0.5 if of_self else 0, "a": 0}


def test_the_surroundings_are_the_turn_and_those_beside_it() -> None:
    middle = turn("b", cosine=0.0, before=("a",), after=("c",))
    pool = pool_of(turn("a", cosine=0.6), middle, turn("c", cosine=0.6), turn("d", cosine=0.1, session=""))
    ranked = rank_turns(QUESTION, pool, replace(NOTHING, surroundings=1.0))
    assert ranked[0].id == "b"  # (.6 + 0 + .6) / √3 is more than (.6 + 0) / √2
    assert ranked[0].score == pytest.approx(1.0)


def test_rules_of_talk_are_for_talk_only() -> None:
    weights = replace(NOTHING, speaker=0.5, length=0.3, question=-0.6, time=0.3)
    said = turn("said", opening="I painted it last week.")
    other = turn("other", speaker="Tom", asks=True)
    document = turn("document", speaker=None, asks=True, opening="last week")
    when = replace(QUESTION, asks_when=True)
    channels = {
        item.id: {part.channel for part in item.contributions if part.contribution}
        for item in rank_turns(when, pool_of(said, other, document), weights)
    }
    assert channels == {"said": {"speaker", "length", "time"}, "other": {"length", "question"}, "document": set()}


def test_the_best_of_a_session_lifts_its_other_turns() -> None:
    pool = pool_of(turn("a"), turn("b"), turn("c", session="t"), turn("d", session=""), text=[("a", 2.0)])
    ranked = scores(rank_turns(QUESTION, pool, replace(NOTHING, text=1.0, session=0.2)))
    assert ranked == {"a": 1.2, "b": 0.2, "c": 0, "d": 0}


def test_beliefs_and_days_speak_for_a_turn() -> None:
    day = NamedDays(Interval(SAID_AT, SAID_AT + timedelta(days=1)), of_any_year=False)
    pool = pool_of(turn("a"), turn("b"), cited={"b": Cited(text=0.5, vector=1.0)}, days=(day,))
    weights = replace(NOTHING, belief_text=0.1, belief_vector=0.3, date=1.0)
    assert scores(rank_turns(QUESTION, pool, weights)) == {"a": 1.0, "b": 1.35}


@st.composite
def pools(draw: st.DrawFn) -> Pool:
    ids = [f"t{place}" for place in range(draw(st.integers(0, 8)))]
    turns = list[RankedTurn]()
    for place, id_ in enumerate(ids):
        session = draw(st.sampled_from(("", "s")))
        around = session and draw(st.booleans())
        turns.append(
            turn(
                id_,
                cosine=draw(st.none() | st.floats(-1, 1)),
                session=session,
                speaker=draw(st.sampled_from((None, "Maya", "Tom"))),
                asks=draw(st.booleans()),
                before=tuple(reversed(ids[max(place - 2, 0) : place])) if around else (),
                after=tuple(ids[place + 1 : place + 3]) if around else (),
            )
        )
    hits = st.lists(st.tuples(st.sampled_from(ids or ["x"]), st.floats(0, 9)), unique_by=lambda hit: hit[0], max_size=8)
    text = sorted(draw(hits), key=lambda hit: -hit[1])
    vector = sorted(((each.id, each.cosine) for each in turns if each.cosine is not None), key=lambda hit: -hit[1])
    return pool_of(*turns, text=text, vector=vector)


@given(pools(), st.randoms())
def test_contributions_sum_to_the_score_and_no_order_of_the_pool_matters(pool: Pool, random: Random) -> None:
    ranked = rank_turns(QUESTION, pool, packaged().turns, worth=0.35)
    assert {item.id for item in ranked} == set(pool.turns)
    for item in ranked:
        assert item.score == pytest.approx(sum(part.contribution for part in item.contributions))
    turns = list(pool.turns.items())
    random.shuffle(turns)
    assert rank_turns(QUESTION, replace(pool, turns=dict(turns)), packaged().turns, worth=0.35) == ranked


def test_an_open_belief_ranks_below_a_like_one_and_turns_speak_for_beliefs() -> None:
    weights = BeliefWeights(text=1.0, vector=1.0, graph=0.5, turn=0.3, open=-0.1)
    pool = BeliefPool(
        kinds={"a": "fact", "b": "fact", "c": "relationship"},
        open=frozenset({"a"}),
        text=[("a", 4.0), ("b", 4.0)],
        vector=[("c", 0.8), ("a", 0.4), ("b", 0.4)],
        turn={"c": 1.0},
    )
    assert scores(rank_beliefs(pool, weights)) == {"c": 1.3, "b": 1.0, "a": 0.9}
