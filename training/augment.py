"""Other spellings of an example in which every span stays where it is: letters for letters, none more, none less."""

import random

from training.examples import Claim, Example, Owner, Span, place

_NEAR = {
    "a": "sq", "b": "vn", "c": "xv", "d": "sf", "e": "wr", "f": "dg", "g": "fh", "h": "gj", "i": "uo", "j": "hk",
    "k": "jl", "l": "ko", "m": "n", "n": "mb", "o": "ip", "p": "ol", "q": "wa", "r": "et", "s": "ad", "t": "ry",
    "u": "yi", "v": "cb", "w": "qe", "x": "zc", "y": "tu", "z": "xs",
}  # fmt: skip
"""Keys beside each other."""
_SLIPS = 0.02
"""Of letters."""


def misspelt(example: Example, rng: random.Random) -> Example:
    """The example with a slip of the keyboard here and there, in names and values too."""
    letters = [
        rng.choice(_NEAR[letter]) if letter in _NEAR and rng.random() < _SLIPS else letter for letter in example.text
    ]
    return respelt(example, "".join(letters))


def respelt(example: Example, text: str) -> Example:
    """The example with another text of the same length; the same example where a span would be another one."""
    claims = [_claim(claim, example.text, text) for claim in example.claims]
    owners = [_owner(owner, example.text, text) for owner in example.owners]
    if None in claims or None in owners:
        return example
    return example.model_copy(
        update={"text": text, "claims": [c for c in claims if c], "owners": [o for o in owners if o]}
    )


def _claim(claim: Claim, before: str, after: str) -> Claim | None:
    spans = [claim.s if str(claim.s).startswith("@") else _span(claim.s, before, after), _span(claim.o, before, after)]
    time = None if claim.t is None else _span(claim.t, before, after)
    named = claim.a if claim.a is None or place(claim.a, before) is None else _span(claim.a, before, after)
    if None in spans or (time is None) != (claim.t is None) or (named is None) != (claim.a is None):
        return None
    return claim.model_copy(update={"s": spans[0], "o": spans[1], "t": time, "a": named})


def _owner(owner: Owner, before: str, after: str) -> Owner | None:
    span = _span(owner.span, before, after)
    return None if span is None else owner.model_copy(update={"span": span})


def _span(span: Span, before: str, after: str) -> Span | None:
    """The words that stand there now, by which of their occurrences."""
    where = place(span, before)
    if where is None:
        return None
    words = after[slice(*where)]
    for number in range(1, len(after)):
        found = place((words, number), after)
        if found is None or found == where:
            return (words, number) if found else None
    return None
