"""How claims are scored against observations, with claims and vectors made by hand."""

import json
from pathlib import Path

import numpy as np

from bench.reading import Data, Observation, Scores, coverage, is_about, mean, status, tied, with_any
from graphmem.model.claim import ClaimKind
from graphmem.model.fragment import ProposedClaim, ThingName

TURN, OTHER = ("talk", "D1:1"), ("talk", "D1:2")


def claim(
    subject: str, statement: str, *, predicate: str = "has", target: str | None = None, is_open: bool = True
) -> ProposedClaim:
    return ProposedClaim(
        kind=ClaimKind.STARTS,
        subject=ThingName(subject, "person"),
        predicate=predicate,
        object=ThingName(target, "person") if target else None,
        value=None if target else "a boat",
        statement=statement,
        quote_start=0,
        quote_end=1,
        confidence=0.6 if is_open else 0.9,
        open=is_open,
    )


def scores(**claims: ProposedClaim) -> Scores:
    """The observation is “Ana sails” at D1:1; a statement's vector is as close as its name says, in tenths."""
    told = {TURN: list(claims.values())}
    vectors = {"Ana sails": np.asarray([1.0, 0.0], dtype=np.float32)}
    for name, each in claims.items():
        cosine = int(name.removeprefix("at")) / 10
        vectors[each.statement] = np.asarray([cosine, (1 - cosine**2) ** 0.5], dtype=np.float32)
    observations = [Observation("Ana", "Ana sails", (TURN,))]
    return Scores(observations, told, tied((TURN, each) for each in claims.values()), vectors)


def test_the_closest_claim_about_the_speaker_or_theirs_counts() -> None:
    measured = scores(at5=claim("Ana", "far"), at8=claim("Ana's boat", "near"), at9=claim("Bruno", "nearest"))

    assert round(measured.all_best()[0], 2) == 0.8


def test_who_a_claim_ties_to_the_speaker_is_theirs() -> None:
    sister = claim("Ana", "has a sister", predicate="sibling", target="Cleo", is_open=False)
    measured = scores(at1=sister, at7=claim("Cleo", "sails"))

    assert round(measured.all_best()[0], 2) == 0.7
    assert is_about(claim("Cleo", "sails"), "Ana", frozenset({"Cleo"}))
    assert not is_about(claim("Cleo", "sails"), "Ana", frozenset())


def test_confidence_and_openness_leave_claims_out() -> None:
    measured = scores(at6=claim("Ana", "curated", is_open=False), at8=claim("Ana", "open"))

    assert round(measured.all_best(opened=False)[0], 2) == 0.6
    assert round(measured.all_best(least=0.8)[0], 2) == 0.6
    assert measured.all_best(least=0.95) == [-1.0]


def test_chance_draws_another_turn() -> None:
    measured = scores(at8=claim("Ana", "open"))
    turns = {("talk", "Ana"): [TURN, OTHER]}

    assert measured.by_chance(turns, seed=0) == [-1.0]


def test_shares() -> None:
    assert coverage([0.75, 0.55, -1.0, 0.1], 0.5, 0.7) == {"0.50": 0.5, "0.70": 0.25}
    assert with_any([0.75, -1.0], 0.7) == {"any": 0.5, "0.70": 0.5}
    assert mean([{"0.70": 0.2}, {"0.70": 0.4}]) == {"0.70": 0.3}


def test_the_status_is_that_of_an_open_claim() -> None:
    assert status(claim("Ana", "s", predicate="plans")) == "planned"
    assert status(claim("Ana", "s")) == "asserted"


def test_an_observation_without_its_turn_is_skipped(tmp_path: Path) -> None:
    told = {
        "sample_id": "talk",
        "conversation": {
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [{"speaker": "Ana", "dia_id": "D1:1", "text": "I sail."}],
        },
        "observation": {"session_1_observation": {"Ana": [["Ana sails.", "D1:1"], ["Ana swims.", ["D7:1"]]]}},
    }
    (tmp_path / "talks.json").write_text(json.dumps([told]), "utf-8")
    data = Data()
    data.read(tmp_path / "talks.json")
    data.read(tmp_path / "absent.json")

    assert [each.sentence for each in data.observations] == ["Ana sails."]
    assert len(data.skipped) == 2
