"""Whatever a model fills in for attributes and aliases: nothing breaks, and what is kept stands in the turn."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from graphmem.extract.llm.grounding import find_quote
from graphmem.extract.llm.proposing import SourceTurn, propose
from graphmem.extract.llm.schema import Extraction
from graphmem.model.claim import ClaimStatus
from graphmem.model.episode import Episode
from graphmem.model.fragment import ALONE
from graphmem.model.ontology import DEFAULT_ONTOLOGY

TEXT = "Acme Corp, ACME for short, has 1,200 people, sits in Berlin since 1999 and asks for $49.50."
WORDS = st.sampled_from([*TEXT.split(), "1200", "49.5", "200", "Rome", "", "…"])
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), WORDS, st.text(max_size=20))
NESTED = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3), max_leaves=6
)
ATTRIBUTES = st.one_of(st.dictionaries(st.one_of(WORDS, st.text(max_size=80)), NESTED, max_size=4), NESTED)


@given(attributes=ATTRIBUTES, of_claim=ATTRIBUTES, aliases=st.lists(WORDS.filter(bool), max_size=3))
def test_what_is_kept_is_plain_and_stands_in_the_turn(attributes: object, of_claim: object, aliases: list[str]) -> None:
    entity = {"name": "Acme Corp", "type": "organization", "confidence": "high"}
    claim = {
        "turn": 0,
        "subject": "Acme Corp",
        "predicate": "sits_in",
        "value": "Berlin",
        "statement": "Acme Corp sits in Berlin.",
        "confidence": 0.9,
        "quote": "sits in Berlin",
    }
    extraction = Extraction.model_validate(
        {
            "entities": [{**entity, "attributes": attributes, "aliases": aliases}],
            "claims": [{**claim, "attributes": of_claim}],
        }
    )
    episode = Episode(group_id="g", session="s", content=TEXT, occurred_at=datetime(2025, 1, 1, tzinfo=UTC))

    (proposal,) = propose(extraction, [SourceTurn(episode, None)], ALONE, DEFAULT_ONTOLOGY)

    assert proposal.claims[0].statement == "Acme Corp sits in Berlin."
    for one in proposal.claims:
        assert TEXT[one.quote_start : one.quote_end]
        for value in (one.value, *dict(one.attributes).values()):
            assert isinstance(value, str | int | float)
            assert not isinstance(value, str) or find_quote(TEXT, value)


@given(
    status=st.one_of(SCALARS, NESTED, st.sampled_from([each.value for each in ClaimStatus])),
    happened=st.one_of(NESTED, st.just("since 1999")),
    predicate=st.one_of(st.text(min_size=1, max_size=40), st.sampled_from(["sat_in", "is", "plans", "does_not", "s_"])),
    statement=st.one_of(st.text(min_size=1, max_size=80), st.just("Acme Corp will sit in Berlin."), st.just(TEXT)),
)
def test_whatever_is_said_of_a_claim_it_is_dropped_or_open_and_plain(
    status: object, happened: object, predicate: str, statement: str
) -> None:
    claim = {"turn": 0, "subject": "Acme Corp", "value": "Berlin", "confidence": 0.9, "quote": "sits in Berlin"}
    said = {"status": status, "happened": happened, "predicate": predicate, "statement": statement}
    entity = {"name": "Acme Corp", "type": "organization", "confidence": "high"}
    extraction = Extraction.model_validate({"entities": [entity], "claims": [{**claim, **said}]})
    episode = Episode(group_id="g", session="s", content=TEXT, occurred_at=datetime(2025, 1, 1, tzinfo=UTC))

    (proposal,) = propose(extraction, [SourceTurn(episode, None)], ALONE, DEFAULT_ONTOLOGY)

    assert len(proposal.claims) + proposal.dropped == 1
    for one in proposal.claims:
        assert one.confidence <= 0.5 or not one.open
        assert isinstance(one.value, str)
        assert one.statement.strip()
