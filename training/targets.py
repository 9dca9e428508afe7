"""Examples as a model learns them: a layout, and the tokens of what is to be found in it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from tokenizers import Tokenizer

from graphmem.extract.reader.labels import EFFECTS, PREDICATES, STATUSES
from graphmem.extract.reader.layout import SPEAKER_AT, USER_AT, Layout, SpokenTurn, lay_out, words_before
from graphmem.extract.reader.layout import Span as Tokens
from training.examples import SPEAKER, USER, Claim, Example, Span, place

NOWHERE: Tokens = (SPEAKER_AT, SPEAKER_AT)
"""What a pointer points at where there is nothing to point at."""


@dataclass(frozen=True, slots=True)
class Target:
    """A claim by its labels' numbers, and first and last token of value, time, antecedent, and of each subject."""

    predicate: int
    effect: int
    status: int
    beside: bool
    value: Tokens
    subjects: tuple[Tokens, ...]
    time: Tokens
    antecedent: Tokens


@dataclass(frozen=True, slots=True)
class Learnt:
    """An example as it is learnt. ``foreign``: tokens of the text that are not the speaker's own words."""

    example: Example
    layout: Layout
    targets: tuple[Target, ...]
    foreign: frozenset[int]


def turn_of(example: Example) -> SpokenTurn:
    """The turn of an example, as the reader is given one."""
    before = [(turn.speaker, turn.text) for turn in example.prev]
    return SpokenTurn(speaker=example.speaker, role=example.role, text=example.text, before=before)


def learnt(tokenizer: Tokenizer, example: Example) -> Learnt:
    """Claims whose value was cut off are none to learn."""
    turn = turn_of(example)
    layout = lay_out(tokenizer, turn)
    targets = (_target(claim, example, layout, words_before(turn)) for claim in example.claims)
    foreign = (_of_text(owner.span, example, layout) for owner in example.owners)
    return Learnt(
        example=example,
        layout=layout,
        targets=_together(target for target in targets if target is not None),
        foreign=frozenset(at for span in foreign if span is not None for at in range(span[0], span[1] + 1)),
    )


def _target(claim: Claim, example: Example, layout: Layout, before: str) -> Target | None:
    value = _of_text(claim.o, example, layout)
    if value is None:
        return None
    return Target(
        predicate=PREDICATES.index(claim.p),
        effect=EFFECTS.index(claim.e),
        status=STATUSES.index(claim.st),
        beside=claim.beside,
        value=value,
        subjects=(_subject(claim, example, layout),),
        time=NOWHERE if claim.t is None else _of_text(claim.t, example, layout) or NOWHERE,
        antecedent=NOWHERE if claim.a is None else _antecedent(claim.a, example, layout, before),
    )


def _together(targets: Iterable[Target]) -> tuple[Target, ...]:
    """What is claimed alike of several is one target: “Tom and I moved to Zurich”."""
    merged = dict[tuple[int, int, Tokens], Target]()
    for target in targets:
        key = target.predicate, target.effect, target.value
        same = merged.get(key)
        merged[key] = target if same is None else replace(same, subjects=(*same.subjects, *target.subjects))
    return tuple(merged.values())


def _of_text(span: Span, example: Example, layout: Layout) -> Tokens | None:
    where = place(span, example.text)
    return None if where is None else layout.tokens(*where)


def _subject(claim: Claim, example: Example, layout: Layout) -> Tokens:
    if claim.s == SPEAKER:
        return NOWHERE
    return (USER_AT, USER_AT) if claim.s == USER else _of_text(claim.s, example, layout) or NOWHERE


def _antecedent(words: Span, example: Example, layout: Layout, before: str) -> Tokens:
    in_text = _of_text(words, example, layout)
    where = place(words, before)
    return in_text or (where and layout.tokens_before(*where)) or NOWHERE
