"""What the benchmark of faults counts as wrong."""

from bench.chaos import End, Fault, Posts, conversation, figures_of

ROME = ("relationship", "Maya", "lives_in", "Rome", "Maya lives in Rome.", "2025-01-01", "None")
OSLO = ("relationship", "Maya", "lives_in", "Oslo", "Maya lives in Oslo.", "2025-01-02", "None")


def end(*beliefs: tuple[str, ...], lost: tuple[str, ...] = (), unread: tuple[str, ...] = ()) -> End:
    return End(lost=list(lost), unread=list(unread), beliefs=set(beliefs), seconds=1.0)


def test_what_is_lost_not_digested_or_believed_otherwise_is_counted() -> None:
    posts = Posts(accepted=["a", "b"])
    faults = [Fault(1.0, "kill", "neo4j"), Fault(2.0, "kill", "neo4j")]

    figures = figures_of((posts, end(ROME)), (posts, end(OSLO, lost=("a",), unread=("b",)), faults))

    assert (figures["lost"], figures["not_digested"], figures["faults"]) == (1, 1, {"kill neo4j": 2})
    assert (figures["beliefs_missing"], figures["beliefs_unexpected"]) == ([list(ROME)], [list(OSLO)])


def test_a_seed_makes_the_same_conversation_again() -> None:
    assert conversation(3, 20) == conversation(3, 20) != conversation(4, 20)
    assert len({turn["external_id"] for turn in conversation(3, 20)}) == 20
