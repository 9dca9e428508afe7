"""Examples of the reader's corpus: their form, and a check that holds files against ``training/corpus/README.md``.

``python -m training.examples check FILE…`` prints every breach with file and line, then counts by predicate and effect.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from graphmem.extract.reader.labels import Effect, Predicate, Role, Status

Span = str | tuple[str, int]  # words of a text; with a number: which of their occurrences

SPEAKER, USER = "@speaker", "@user"
PRONOUNS = frozenset(
    [
        "he",
        "she",
        "it",
        "they",
        "him",
        "her",
        "them",
        "his",
        "hers",
        "its",
        "their",
        "theirs",
        "this",
        "that",
        "these",
        "those",
        "who",
    ]
)
LEADING = re.compile(r"(?i)(a|an|the|my|our|your|his|her|its|their|in|at|on|to|from|with|for|of)\s")
KEEPS_ARTICLE: frozenset[Predicate] = frozenset(
    {
        "instruction", "plan", "goal", "event", "habit", "status", "located_at", "health",
        "deadline", "prefers", "likes", "dislikes", "diet", "appointment", "birthday", "project",
        "address",
    }
)  # fmt: skip
LONGEST_VALUE = 14  # words
LONGEST_TEXT = 160  # words


class Shape(BaseModel):
    """What every part of an example is: closed and immutable."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Turn(Shape):
    speaker: str
    text: str


class Owner(Shape):
    """A stretch that is not the speaker's own words, and whose it is; None is nobody's."""

    span: Span
    of: str | None


class Claim(Shape):
    """What should be believed after a turn; the page of the corpus says what each key means."""

    s: Span
    p: Predicate
    e: Effect
    o: Span
    st: Status
    t: Span | None
    a: str | None = None
    beside: bool = False


class Example(Shape):
    id: str = Field(pattern=r"^[a-z][a-z0-9]*-\d+$")
    author: str
    prev: list[Turn] = Field(max_length=2)
    speaker: str
    role: Role
    text: str = Field(min_length=1)
    owners: list[Owner] = []
    claims: list[Claim]


def read(path: Path) -> Iterator[Example]:
    """The examples of a file, one a line.

    Raises:
        ValidationError: a line is no example.
    """
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield Example.model_validate_json(line)


def words_of(span: Span) -> str:
    """The words of a span, whichever of their occurrences it is."""
    return span if isinstance(span, str) else span[0]


def starts_of(words: str, text: str) -> list[int]:
    """Where these words stand in a text as words of their own."""
    return [m.start() for m in re.finditer(rf"(?<!\w){re.escape(words)}(?!\w)", text)]


def place(span: Span, text: str) -> tuple[int, int] | None:
    """Start and end of a span in its text; None where it does not stand there."""
    words, number = (span, 1) if isinstance(span, str) else span
    starts = starts_of(words, text)
    return (starts[number - 1], starts[number - 1] + len(words)) if 1 <= number <= len(starts) else None


def breaches(example: Example) -> Iterator[str]:
    """What in an example is against the page of the corpus."""
    text = example.text
    if len(text.split()) > LONGEST_TEXT:
        yield f"a text of {len(text.split())} words; at most {LONGEST_TEXT}"
    for owner in example.owners:
        yield from span_breaches("owners", owner.span, text)
    seen = set[tuple[object, ...]]()
    for claim in example.claims:
        yield from (f"{claim.p} {claim.o!r}: {breach}" for breach in claim_breaches(claim, example))
        key = (claim.s, claim.p, claim.o, claim.e)
        if key in seen:
            yield f"{claim.p} {claim.o!r} is claimed twice"
        seen.add(key)


def claim_breaches(claim: Claim, example: Example) -> Iterator[str]:
    yield from spans_breaches(claim, example.text)
    value = words_of(claim.o)
    if len(value.split()) > LONGEST_VALUE:
        yield f"a value of more than {LONGEST_VALUE} words"
    if claim.p not in KEEPS_ARTICLE and (m := LEADING.match(value)) and not value[0].isupper():
        yield f"the value begins with {m.group(1)!r}"
    if claim.s == USER and example.role != "assistant":
        yield "@user stands only in turns of the assistant"
    if claim.p in ("goal", "plan", "event"):
        yield from status_breaches(claim)
    if claim.t is not None and claim.o == claim.t:
        yield "value and time are the same words"
    yield from antecedent_breaches(claim, example)


def spans_breaches(claim: Claim, text: str) -> Iterator[str]:
    if claim.s not in (SPEAKER, USER):
        yield from span_breaches("s", claim.s, text)
    yield from span_breaches("o", claim.o, text)
    if claim.t is not None:
        yield from span_breaches("t", claim.t, text)


def antecedent_breaches(claim: Claim, example: Example) -> Iterator[str]:
    if claim.a is None:
        return
    turns = [example.text, *(turn.text for turn in example.prev), *(turn.speaker for turn in example.prev)]
    if not any(starts_of(claim.a, turn) for turn in turns):
        yield f"a={claim.a!r} stands neither in the text nor in a turn before"
    subject = words_of(claim.s)
    if subject.casefold() not in PRONOUNS:
        yield f"a={claim.a!r}, but s={subject!r} is no pronoun"


def status_breaches(claim: Claim) -> Iterator[str]:
    if claim.p == "goal" and claim.st not in ("wished", "reported") and claim.e == "holds":
        yield "a goal that holds is wished"
    if claim.p == "plan" and claim.st not in ("planned", "reported") and claim.e in ("holds", "starts"):
        yield "a plan that holds is planned"
    if claim.p == "event" and claim.e not in ("holds", "denies", "corrects"):
        yield "an event holds"


def span_breaches(key: str, span: Span, text: str) -> Iterator[str]:
    words = words_of(span)
    if place(span, text) is None:
        yield f"{key}={span!r} does not stand in the text as words of their own"
    elif isinstance(span, str) and len(starts_of(words, text)) > 1:
        yield f"{key}={span!r} stands there more than once: write [words, number]"
    if words != words.strip():
        yield f"{key}={span!r} begins or ends with a space"


def check(paths: list[Path]) -> int:
    """Print what is wrong with files, then what they hold; how many lines are wrong."""
    wrong, effects, silent, lines, ids, texts = 0, Counter[tuple[str, str]](), 0, 0, set[str](), set[str]()
    for path in paths:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            lines += 1
            try:
                example = Example.model_validate_json(line)
            except ValidationError as invalid:
                for error in invalid.errors():
                    print(f"{path}:{number}: {'.'.join(map(str, error['loc']))}: {error['msg']}")
                wrong += 1
                continue
            found = [*breaches(example)]
            if example.id in ids or example.text in texts:
                found.append("an id or a text that stands in a line before")
            ids.add(example.id)
            texts.add(example.text)
            wrong += bool(found)
            for breach in found:
                print(f"{path}:{number}: {example.id}: {breach}")
            silent += not example.claims
            effects.update((claim.p, claim.e) for claim in example.claims)
    print(f"{lines} lines, {wrong} wrong, {silent} without a claim, {effects.total()} claims")
    for predicate in sorted({predicate for predicate, _ in effects}):
        print(f"  {predicate:14}", json.dumps({e: n for (p, e), n in sorted(effects.items()) if p == predicate}))
    return wrong


if __name__ == "__main__":
    command, *names = sys.argv[1:] or ["help"]
    if command != "check" or not names:
        sys.exit(__doc__)
    sys.exit(1 if check([Path(name) for name in names]) else 0)
