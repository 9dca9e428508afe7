"""``python -m training.thresholds [--author Y] [--to FILE]``: from which score on a value holds, by predicate.

Chosen on what one author who is kept apart wrote, by the F of claims with their predicate and effect; ``--to`` a file,
else printed. Whether they are worth it shows on what the other one wrote: those of the weights that are packaged are
not.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from graphmem.extract.reader.decoding import LEAST
from graphmem.extract.reader.labels import PREDICATES, Predicate
from graphmem.extract.reader.network import OnnxNetwork
from training.examples import Example
from training.reader import corpus, encoder_files, read_all, tokenizer_of
from training.scoring import LEVELS, Read, found_among

_LOWEST, _HIGHEST, _STEP = -2.0, 4.0, 0.25
_FEWEST = 20
"""Claims that a predicate needs for a threshold of its own."""
_LEVEL = LEVELS["+ effect"]


@dataclass(frozen=True, slots=True)
class Scored:
    """A claim that was read, by its score, and whether it is marked."""

    score: float
    right: bool


def scored(read: Iterable[Sequence[Read]], examples: Iterable[Example]) -> dict[Predicate, list[Scored]]:
    """What was read of each predicate, the surest first; each claim that is marked is found once."""
    found = defaultdict[Predicate, list[Scored]](list)
    for claims, example in zip(read, examples, strict=True):
        surest = sorted(claims, key=lambda each: -each.score)
        for claim, right in zip(surest, found_among(surest, example, _LEVEL), strict=True):
            found[claim.predicate].append(Scored(claim.score, right))
    return dict(found)


def best(found: Sequence[Scored], of_marked: int) -> float:
    """The threshold with the highest F, of equals the nearest to the usual one."""
    steps = round((_HIGHEST - _LOWEST) / _STEP)
    return max(
        (_LOWEST + _STEP * step for step in range(steps + 1)),
        key=lambda least: (round(_f(found, of_marked, least), 3), -abs(least - LEAST)),
    )


def _f(found: Iterable[Scored], of_marked: int, least: float) -> float:
    kept = [each for each in found if each.score > least]
    return 2 * sum(each.right for each in kept) / max(1, len(kept) + of_marked)


def thresholds(read: Sequence[Sequence[Read]], examples: Sequence[Example]) -> Mapping[Predicate, float]:
    """Those of predicates with enough claims; half of the way from the usual one, for few claims say little."""
    found = scored(read, examples)
    of_marked = {name: sum(claim.p == name for example in examples for claim in example.claims) for name in PREDICATES}
    chosen: dict[Predicate, float] = {
        name: best(found.get(name, []), of_marked[name]) for name in PREDICATES if of_marked[name] >= _FEWEST
    }
    half: dict[Predicate, float] = {name: (least + LEAST) / 2 for name, least in chosen.items() if least != LEAST}
    return half


def main(arguments: Sequence[str]) -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--author", default="Y")
    parser.add_argument("--to", type=Path)
    given = parser.parse_args(arguments)
    examples = [example for example in corpus(apart=True) if example.author == given.author]
    lowest = dict.fromkeys(PREDICATES, _LOWEST)
    read = read_all(OnnxNetwork(), tokenizer_of(encoder_files()), examples, lowest)
    chosen = json.dumps(thresholds(read, examples), indent=1)
    given.to.write_text(f"{chosen}\n", "utf-8") if given.to else print(chosen)


if __name__ == "__main__":
    main(sys.argv[1:])
