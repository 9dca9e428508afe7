"""Other names in place of those of an example: what is read should not hang on which firm or town it is."""

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from graphmem.extract.reader.labels import Predicate
from training.examples import Claim, Example, Owner, Span, Turn, words_of

_KINDS: Mapping[str, Sequence[Predicate]] = {
    "firm": ("works_at", "studies_at", "member_of"),
    "place": ("lives_in", "traveled_to"),
    "person": ("partner", "child", "parent", "sibling", "friend", "boss"),
    "pet": ("pet",),
    "drug": ("medication",),
}
_KIND_OF = {predicate: kind for kind, predicates in _KINDS.items() for predicate in predicates}
_NAME = re.compile(r"[^\W\d_][\w'’.&-]*(?: [^\W\d_&][\w'’.&-]*){0,2}")
_OF_THINGS: frozenset[Predicate] = frozenset(
    {"status", "price", "quantity", "deadline", "located_at", "named", "appointment"}
)
_NO_NAME = re.compile(
    r"(?:My|Our|The|His|Her|Their|Your|This|That|He|She|It|They|We|Who|Mum|Mom|Dad|Gran|Grandma|Grandpa|Opa|Oma|Uncle|Aunt"
    r"|Auntie|Nan|Papa|Mama|User|Both|One|Dr|Mr|Mrs|Ms)\b"
)
_SWAPPED = 0.6
"""Of names, that become another one of their kind."""
_MIXED = 0.3
"""Of these, that become one which nobody has: halves of two."""
_SHORTEST = 3


@dataclass(frozen=True, slots=True)
class Names:
    """Names by their kind, each as often as it is claimed."""

    by_kind: Mapping[str, Sequence[str]]

    def other(self, kind: str, rng: random.Random) -> str:
        """One of this kind, or one made of two."""
        names = self.by_kind[kind]
        name = rng.choice(names)
        if rng.random() >= _MIXED:
            return name
        first, last = name.split(" ")[0], rng.choice(names).split(" ")[-1]
        mixed = first[: max(2, len(first) // 2)] + last[len(last) // 2 :].lower()
        return " ".join([mixed, *name.split(" ")[1:]])


def names_in(examples: Iterable[Example]) -> Names:
    """The names that are claimed in examples."""
    by_kind: dict[str, list[str]] = {kind: [] for kind in _KINDS}
    for example in examples:
        for name, kind in sorted(_named(example).items()):
            by_kind[kind].append(name)
    return Names(by_kind)


def renamed(example: Example, names: Names, rng: random.Random) -> Example:
    """The example with other names, everywhere in it; the same one where a name stands within a word."""
    others: dict[str, str] = {}
    for name, kind in sorted(_named(example).items()):
        if rng.random() < _SWAPPED:
            other = names.other(kind, rng)
            if other not in _all_words(example) and not any(other in each or each in other for each in others.values()):
                others[name] = other
    return _replaced(example, others) if others else example


def _named(example: Example) -> dict[str, str]:
    """The names that are claimed in an example, none of them a part of another one, with their kinds."""
    kinds: dict[str, str] = {}
    for claim in example.claims:
        subject = words_of(claim.s)
        if claim.p not in _OF_THINGS and _NAME.fullmatch(subject) and subject.istitle() and not _NO_NAME.match(subject):
            kinds.setdefault(subject, "person")
        value, kind = words_of(claim.o), _KIND_OF.get(claim.p)
        if kind and len(value) >= _SHORTEST and _NAME.fullmatch(value) and (value[0].isupper() or kind == "drug"):
            kinds.setdefault(value, kind)
    return {
        name: kind
        for name, kind in kinds.items()
        if not any(name != other and (name in other or other in name) for other in kinds)
    }


def _all_words(example: Example) -> str:
    return " ".join([example.text, example.speaker, *(f"{turn.speaker} {turn.text}" for turn in example.prev)])


def _replaced(example: Example, others: Mapping[str, str]) -> Example:
    pattern = re.compile("|".join(map(re.escape, sorted(others, key=len, reverse=True))))
    whole = re.compile(rf"(?<!\w)(?:{pattern.pattern})(?!\w)")
    everything = [example.text, example.speaker, *(part for turn in example.prev for part in (turn.speaker, turn.text))]
    if any(len(pattern.findall(text)) != len(whole.findall(text)) for text in everything):
        return example

    def new(text: str) -> str:
        return whole.sub(lambda match: others[match[0]], text)

    def span(found: Span) -> Span:
        return new(found) if isinstance(found, str) else (new(found[0]), found[1])

    def claim(each: Claim) -> Claim:
        return each.model_copy(
            update={
                "s": span(each.s),
                "o": span(each.o),
                "t": each.t and span(each.t),
                "a": each.a and new(each.a),
            }
        )

    return example.model_copy(
        update={
            "text": new(example.text),
            "speaker": new(example.speaker),
            "prev": [Turn(speaker=new(turn.speaker), text=new(turn.text)) for turn in example.prev],
            "claims": [claim(each) for each in example.claims],
            "owners": [Owner(span=span(owner.span), of=owner.of and new(owner.of)) for owner in example.owners],
        }
    )
