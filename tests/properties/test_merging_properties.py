"""From opinions to merges: whatever the order, what is said to be different never meets, and one stands for all."""

from datetime import UTC, datetime, timedelta
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.matching import BUCKETS, Judgement, Method, Verdict
from graphmem.model.merge import Kin, Opinion
from graphmem.model.projection.identity import Identities, SameAs, identities
from graphmem.resolve.frequencies import bucket, bucket_of_all, changes, moved
from graphmem.resolve.merging import decided

NAMES = "abcdef"
PAIRS = list(combinations(NAMES, 2))
EPOCH = datetime(2025, 1, 1, tzinfo=UTC)
FIRST_SEEN = {name: EPOCH + timedelta(days=number % 3) for number, name in enumerate(NAMES)}


@st.composite
def opinions(draw: st.DrawFn) -> Opinion:
    a, b = draw(st.sampled_from(PAIRS))
    method = draw(st.sampled_from([Method.HUMAN, Method.IDENTIFIER, Method.VETO, Method.SCORE]))
    same = method is not Method.VETO and draw(st.booleans())
    score = float(draw(st.integers(-5, 20)))
    judgement = Judgement(
        a=a,
        b=b,
        verdict=Verdict.SAME if same else Verdict.DIFFERENT,
        stage=None,
        method=method,
        score=score,
        probability=0.5,
        contributions=(),
    )
    return Opinion(judgement=judgement, user=draw(st.sampled_from(["", "", "ann"])))


def one_of_each(some: list[Opinion]) -> list[Opinion]:
    return list({opinion.id: opinion for opinion in some}.values())


def who_is_who(some: list[Opinion]) -> Identities:
    kin = Kin(first_seen=FIRST_SEEN, opinions=frozenset(some))
    return identities(merge.same_as for merge in decided(kin).merges)


def together(who: Identities, pair: tuple[str, str], user: str) -> bool:
    a, b = (who.of(name, session="", user=user) for name in pair)
    return a == b


@given(st.lists(opinions(), max_size=12).map(one_of_each))
def test_what_keeps_two_apart_keeps_them_apart(some: list[Opinion]) -> None:
    who = who_is_who(some)
    for opinion in some:
        judgement, user = opinion.judgement, opinion.user
        keeps_apart = judgement.verdict is Verdict.DIFFERENT and judgement.method is not Method.SCORE
        overruled = any(
            other.judgement.pair == judgement.pair and other.by_hand and not opinion.by_hand and other.user == user
            for other in some
        )
        if keeps_apart and user == "" and not overruled:
            assert not together(who, judgement.pair, "")


@given(st.lists(opinions(), max_size=12).map(one_of_each))
def test_nothing_is_merged_but_by_a_chain_of_opinions_that_it_is_the_same(some: list[Opinion]) -> None:
    who = who_is_who(some)
    for user in ("", "ann"):
        tied = {name: {name} for name in NAMES}
        for opinion in some:
            if opinion.judgement.verdict is Verdict.SAME and opinion.user in ("", user):
                a, b = opinion.judgement.pair
                joined = tied[a] | tied[b]
                tied |= dict.fromkeys(joined, joined)
        assert all(pair[1] in tied[pair[0]] for pair in PAIRS if together(who, pair, user))


@given(st.lists(opinions(), max_size=12).map(one_of_each))
def test_one_seen_first_stands_for_all_and_is_nobody_s_member(some: list[Opinion]) -> None:
    who = who_is_who(some)
    for user in ("", "ann"):
        for name in NAMES:
            root = who.of(name, session="", user=user)
            assert who.of(root, session="", user=user) == root
            assert name in who.members(root, user=user)
            assert (FIRST_SEEN[root], root) <= (FIRST_SEEN[name], name)
    assert all(one.user == "ann" or together(who, (one.member, one.other), "ann") for one in who.decisions)


@given(st.lists(opinions(), max_size=12).map(one_of_each))
def test_what_one_user_thinks_changes_nothing_for_others(some: list[Opinion]) -> None:
    shared = [opinion for opinion in some if opinion.user == ""]
    assert {one for one in who_is_who(some).decisions if one.user == ""} == who_is_who(shared).decisions


@given(
    st.lists(opinions(), max_size=12).map(one_of_each),
    st.dictionaries(st.tuples(st.sampled_from(NAMES), st.sampled_from(["", "ann", "bo"])), st.integers(0, 5)),
)
def test_what_others_were_told_when_does_not_say_who_stands_for_all(
    some: list[Opinion], days: dict[tuple[str, str], int]
) -> None:
    told = {of: EPOCH + timedelta(days=day) for of, day in (dict.fromkeys(((n, "") for n in NAMES), 3) | days).items()}
    seen = {name: min(at for (of, _), at in told.items() if of == name) for name in NAMES}

    def merges(user: str, *audience: str) -> set[tuple[str, str]]:
        known = {(name, who): at for (name, who), at in told.items() if who in audience}
        kin = Kin(first_seen=seen, first_told=known, opinions=frozenset(one for one in some if one.user in audience))
        return {(one.member, one.other) for one in decided(kin).merges if one.user == user}

    assert merges("", "", "ann", "bo") == merges("", "")
    assert merges("ann", "", "ann", "bo") == merges("ann", "", "ann")


def test_a_short_name_means_another_one_in_each_session() -> None:
    who = identities(
        [
            SameAs(member="tom", other="okafor", session="1"),
            SameAs(member="tom", other="baker", session="2"),
            SameAs(member="tom", other="baker", session="1", user="ann"),
            SameAs(member="okafor", other="thomas"),
        ]
    )
    assert who.of("tom", session="1", user="") == "thomas"
    assert who.of("tom", session="1", user="ann") == "baker"
    assert who.of("tom", session="2", user="bo") == "baker"
    assert who.of("tom", session="3", user="") == "tom"
    assert who.members("thomas", user="") == ["okafor", "thomas", "tom"]


@given(st.dictionaries(st.sampled_from("nm"), st.sets(st.sampled_from("xyz"))), st.data())
def test_holders_are_counted_once_for_each_name(before: dict[str, set[str]], data: st.DataObject) -> None:
    after = {name: data.draw(st.sets(st.sampled_from("xyz"))) for name in before}
    change = changes(before, after)
    for token in "xyz":
        held = sum(token in tokens for tokens in before.values())
        assert held + change.get(token, 0) == sum(token in tokens for tokens in after.values())


@given(st.integers(0, 5_000), st.integers(0, 5_000))
def test_what_is_counted_makes_a_difference_at_powers_of_two_alone(before: int, after: int) -> None:
    assert bucket(before) <= before
    assert (bucket(before) == bucket(after)) == (moved({"t": before}, {"t": after}, []) == set())
    assert (bucket_of_all(before) == bucket_of_all(after)) == (moved({"t": before}, {"t": after}, ["t"]) == set())


def test_a_term_that_loses_a_holder_of_several_may_be_rarer_at_these_numbers_alone() -> None:
    rarer = {
        holders for holders in range(2, 70_000) for rule in (bucket, bucket_of_all) if rule(holders) > rule(holders - 1)
    }
    assert rarer == set(BUCKETS)
