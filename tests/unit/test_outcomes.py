"""What was not kept of an episode, and why, in sentences."""

from typing import Any

import pytest

from graphmem.answers.outcomes import IN_OWN_WORDS, NOT_READ, kept_of
from graphmem.model.claim import ClaimKind
from graphmem.model.recall import KeptClaim, KeptClaims

USAGE = {
    "model": "m",
    "prompt": "1",
    "calls": 1,
    "input_tokens": 1,
    "cached_tokens": 0,
    "output_tokens": 1,
    "cost": None,
    "milliseconds": 1.0,
    "dropped": 2,
    "fallback": "",
}


def claim(predicate: str = "lives_in", kind: ClaimKind = ClaimKind.STARTS, belief_id: str = "b") -> KeptClaim:
    said = {"statement": f"Maya {predicate}.", "predicate": predicate, "user": "maya"}
    return KeptClaim(claim_id="c", kind=kind, belief_id=belief_id, **said)


def kept(*claims: KeptClaim, beyond: int = 0) -> KeptClaims:
    return KeptClaims(episode_id="e", claims=claims, total=len(claims) + beyond)


def test_what_was_not_kept_is_said_in_sentences(subtests: pytest.Subtests) -> None:
    french = "offline reading is English only"
    cases: list[tuple[dict[str, Any], KeptClaims | None, list[str]]] = [
        ({"claims": 1}, kept(claim()), []),
        ({}, kept(), [NOT_READ]),
        ({}, None, []),
        ({"claims": 1}, kept(claim("display_name")), [NOT_READ]),
        ({"claims": 2}, kept(claim("remembered"), claim("display_name")), [IN_OWN_WORDS]),
        ({"claims": 2}, kept(beyond=2), []),
        ({"claims": 3}, kept(claim()), ["2 claims were withdrawn since."]),
        ({"claims": 1}, kept(), ["1 claim was withdrawn since."]),
        ({"unread": {"French": 30}}, kept(), [french]),
        ({"remarks": ["Say who speaks."]}, kept(), ["Say who speaks.", NOT_READ]),
        ({"claims": 1, "dropped": {"not_admitted": 2}}, kept(claim()), ["2 claims were not kept: too unsure"]),
        ({"claims": 1, "dropped": {"about_itself": 1}}, kept(claim()), ["1 claim was not kept: about a thing and"]),
        ({"claims": 1, "dropped": {"another": 1}}, kept(claim()), ["1 claim was not kept: another."]),
        ({"claims": 1, "usage": USAGE}, kept(claim()), ["2 things that the language model said"]),
        (
            {"claims": 1, "unread_times": ["29 February 2023 does not exist"]},
            kept(claim()),
            ["A time was not read: 29 February 2023 does not exist."],
        ),
        (
            {"claims": 1},
            kept(claim(belief_id="")),
            ["not believed, for what counts more says otherwise: Maya lives_in."],
        ),
        ({"claims": 1}, kept(claim(kind=ClaimKind.ENDS, belief_id="")), []),
    ]
    for outcome, stands, sentences in cases:
        with subtests.test(str(sentences), outcome=outcome):
            told = kept_of(outcome, stands).not_kept
            assert len(told) == len(sentences), told
            assert all(part in sentence for part, sentence in zip(sentences, told, strict=True))


def test_what_is_not_known_of_an_episode_is_not_made_up() -> None:
    assert kept_of(None, None).model_dump() == {"kept": [], "kept_beyond": 0, "not_kept": []}


def test_sentences_are_bounded_and_the_others_counted() -> None:
    told = kept_of({"unread_times": [f"“{number}” is no time" for number in range(40)]}, None).not_kept
    assert (len(told), told[-1]) == (21, "And 20 more.")
