"""The reader's corpus as it is learnt: what the check refuses, which tokens are which words, how claims compare."""

import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer

from graphmem.embed.packaged import DEFAULT, PACKAGED
from graphmem.extract.reader.labels import EFFECTS, PREDICATES
from graphmem.extract.reader.layout import tokenizer_from
from training.augment import misspelt, respelt
from training.examples import Example, breaches, place, read
from training.names import Names, names_in, renamed
from training.scoring import LEVELS, Read, counted, marked
from training.targets import NOWHERE, learnt

CORPUS = Path("training/corpus")
CLAIM = {"s": "@speaker", "p": "works_at", "e": "ends", "o": "Initech", "st": "asserted", "t": "last Friday"}
LENA = {"s": "She", "a": "Lena", "p": "works_at", "e": "ends", "o": "quit", "st": "reported", "t": None}
ROW: Mapping[str, Any] = {
    "id": "k-1", "author": "K", "prev": [{"speaker": "Assistant", "text": "And Lena?"}],
    "speaker": "Nadia", "role": "user", "text": "I left Initech last Friday. She says “I quit Initech too”.",
    "owners": [{"span": "“I quit Initech too”", "of": "She"}], "claims": [{**CLAIM, "o": ["Initech", 1]}, LENA],
}  # fmt: skip


def example(**parts: object) -> Example:
    return Example.model_validate({**ROW, **parts})


def test_the_corpus_is_as_its_page_says() -> None:
    examples = [each for file in sorted(CORPUS.glob("*.jsonl")) for each in read(file)]
    assert [(each.id, breach) for each in examples for breach in breaches(each)] == []
    assert len({each.id for each in examples}) == len({each.text for each in examples}) == len(examples) > 6000
    by_author = {author: sum(each.author == author for each in examples) for author in "YZ"}
    assert sum(by_author.values()) >= 600


def test_what_is_against_the_page_is_said(subtests: pytest.Subtests) -> None:
    assert [*breaches(example())] == []
    for part, expected in (
        ({**CLAIM, "o": "Acme"}, "does not stand in the text"),
        ({**CLAIM, "o": "Initech"}, "more than once"),
        ({**CLAIM, "o": ["Initech", 3]}, "does not stand in the text"),
        ({**CLAIM, "o": "last Friday", "t": "last Friday"}, "the same words"),
        ({**CLAIM, "o": "left", "s": "@user"}, "@user"),
        ({**CLAIM, "o": "left", "p": "goal", "e": "holds"}, "wished"),
        ({**CLAIM, "o": "left", "p": "plan", "e": "holds"}, "planned"),
        ({**CLAIM, "o": "left", "p": "event"}, "an event holds"),
        ({**LENA, "a": "Tom"}, "stands neither"),
        ({**LENA, "s": "Initech", "a": "Lena"}, "is no pronoun"),
    ):
        with subtests.test(expected=expected):
            assert expected in "; ".join(breaches(example(claims=[part])))
    assert "twice" in "; ".join(breaches(example(claims=[LENA, LENA])))


def tokenizer() -> Tokenizer:
    return tokenizer_from(PACKAGED[DEFAULT].find().tokenizer.read_text("utf-8"))


def test_every_span_is_found_again_in_its_tokens() -> None:
    tokens = tokenizer()
    for file in sorted(CORPUS.glob("[bgy].jsonl")):
        for each in list(read(file))[::7]:
            seen = learnt(tokens, each)
            targets = {(each.predicate, each.effect, each.value): each for each in seen.targets}
            assert sum(len(target.subjects) for target in seen.targets) == len(each.claims)
            for claim in each.claims:
                where = place(claim.o, each.text)
                assert where is not None
                value = seen.layout.tokens(*where)
                assert value is not None
                target = targets[PREDICATES.index(claim.p), EFFECTS.index(claim.e), value]
                start, end = seen.layout.words(*target.value)
                assert start <= where[0] < where[1] <= end, each.id
                assert claim.t is None or target.time != NOWHERE, each.id


def test_a_text_that_is_too_long_loses_what_stands_at_its_end() -> None:
    long = example(text=f"I left Initech last Friday. {'And so on. ' * 200}I live in Nantes.", owners=[], claims=[
        {**CLAIM, "o": "Initech"}, {**CLAIM, "p": "lives_in", "e": "holds", "o": "Nantes", "t": None},
    ])  # fmt: skip
    seen = learnt(tokenizer(), long)
    assert len(seen.layout.ids) == 256
    assert len(seen.targets) == 1


def test_slips_of_the_keyboard_leave_every_span_where_it_is() -> None:
    rng = random.Random(3)  # noqa: S311 - chance that can be repeated
    changed = 0
    for each in list(read(CORPUS / "e.jsonl"))[:150]:
        other = misspelt(each, rng)
        changed += other.text != each.text
        assert len(other.text) == len(each.text)
        assert [c.p for c in other.claims] == [c.p for c in each.claims]
        for before, after in zip(each.claims, other.claims, strict=True):
            assert place(before.o, each.text) == place(after.o, other.text)
    assert changed > 50
    assert respelt(example(), ROW["text"].replace("Initech too", "Inittch too")).claims[0].o == ("Initech", 1)


def test_other_names_leave_every_span_where_it_is_said() -> None:
    rng = random.Random(3)  # noqa: S311 - chance that can be repeated
    examples = [each for file in sorted(CORPUS.glob("[beh].jsonl")) for each in list(read(file))[::5]]
    names = names_in(examples)
    others = [renamed(each, names, rng) for each in examples]
    assert sum(other.text != each.text for each, other in zip(examples, others, strict=True)) > 50
    for each, other in zip(examples, others, strict=True):
        assert [*breaches(other)] == [], other.text
        assert [(c.p, c.e, c.st) for c in other.claims] == [(c.p, c.e, c.st) for c in each.claims]
    firm = Names({"firm": ["Otto"], "person": ["Ana"]})
    said = {renamed(example(), firm, rng).text for _ in range(40)}
    assert "I left Otto last Friday. She says “I quit Otto too”." in said
    within = example(text="I left Initech last Friday. Initechs!", owners=[], claims=[{**CLAIM, "o": ["Initech", 1]}])
    assert {renamed(within, firm, rng).text for _ in range(20)} == {within.text}


def test_claims_that_were_read_are_held_against_those_that_are_marked() -> None:
    one = example()
    right = marked(one)
    wrong = (
        replace(right[0], effect="starts"),
        Read(predicate="pet", effect="holds", status="asserted", value="x", subject="y"),
    )
    for level, read_rightly in (("span", 1), ("+ predicate", 1), ("+ effect", 0), ("+ time", 0)):
        found = counted([list(wrong)], [one], LEVELS[level])
        assert (found.right, found.read, found.marked) == (read_rightly, 2, 2), level
    assert counted([right], [one], LEVELS["+ time"]).f == 1
