"""How claims that were read compare with those that were marked."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from graphmem.extract.reader.labels import Effect, Predicate, Status
from training.examples import Example, words_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A claim as it was read: labels, and the words of value, subject and time. ``score`` above 0 holds."""

    predicate: Predicate
    effect: Effect
    status: Status
    value: str
    subject: str
    time: str | None = None
    score: float = 0.0


_FILLERS = frozenset(
    {
        *("a", "an", "the", "my", "our", "your", "his", "her", "its", "their"),
        *("in", "on", "at", "of", "to", "from", "since", "last"),
    }
)
Same = Callable[[Read, Read], bool]


def marked(example: Example) -> list[Read]:
    """The claims of an example, as if they had been read."""
    return [
        Read(
            predicate=c.p,
            effect=c.e,
            status=c.st,
            value=words_of(c.o),
            subject=words_of(c.s),
            time=c.t and words_of(c.t),
        )
        for c in example.claims
    ]


def _plain(words: str) -> str:
    return " ".join(words.casefold().replace("’", "'").strip(" .,!?").split())


def same_words(a: str, b: str) -> bool:
    """Whether two spans have half of the words of the shorter one in common."""
    of_a, of_b = _telling(a), _telling(b)
    return bool(of_a & of_b) and len(of_a & of_b) >= min(len(of_a), len(of_b)) / 2


def _telling(words: str) -> set[str]:
    """The words that tell which span it is: “sister” of “my sister”; all where there are no others."""
    every = set(_plain(words).split())
    return every - _FILLERS or every


LEVELS: Mapping[str, Same] = {
    "span": lambda _a, _b: True,
    "+ predicate": lambda a, b: a.predicate == b.predicate,
    "+ effect": lambda a, b: (a.predicate, a.effect) == (b.predicate, b.effect),
    "+ subject": lambda a, b: (a.predicate, a.effect) == (b.predicate, b.effect) and same_words(a.subject, b.subject),
    "+ status": lambda a, b: (
        (a.predicate, a.effect, a.status) == (b.predicate, b.effect, b.status) and same_words(a.subject, b.subject)
    ),
    "+ time": lambda a, b: (
        (a.predicate, a.effect) == (b.predicate, b.effect)
        and same_words(a.subject, b.subject)
        and (a.time is None) == (b.time is None)
        and (a.time is None or b.time is None or same_words(a.time, b.time))
    ),
}


@dataclass(frozen=True, slots=True)
class Counted:
    """How many claims were read rightly, were read, and are marked."""

    right: int = 0
    read: int = 0
    marked: int = 0

    @property
    def f(self) -> float:
        """The harmonic mean of precision and recall."""
        return 2 * self.right / max(1, self.read + self.marked)

    def as_json(self) -> dict[str, float]:
        """Precision, recall, and their mean."""
        precision, recall = self.right / max(1, self.read), self.right / max(1, self.marked)
        return {"p": round(precision, 3), "r": round(recall, 3), "f": round(self.f, 3)}


def found_among(claims: Iterable[Read], example: Example, same: Same) -> Iterator[bool]:
    """Of each claim whether it is marked in the example; each one that is marked is found once."""
    left = marked(example)
    for claim in claims:
        match = next((m for m in left if same_words(claim.value, m.value) and same(claim, m)), None)
        if match is not None:
            left.remove(match)
        yield match is not None


def counted(read: Iterable[Sequence[Read]], examples: Iterable[Example], same: Same) -> Counted:
    """Over all examples."""
    right = of_read = of_marked = 0
    for claims, example in zip(read, examples, strict=True):
        right += sum(found_among(claims, example, same))
        of_read, of_marked = of_read + len(claims), of_marked + len(example.claims)
    return Counted(right, of_read, of_marked)


def report(read: Sequence[Sequence[Read]], examples: Sequence[Example]) -> dict[str, object]:
    """All levels, and how many silent turns got a claim."""
    silent = [len(claims) > 0 for claims, example in zip(read, examples, strict=True) if not example.claims]
    return {
        **{level: counted(read, examples, same).as_json() for level, same in LEVELS.items()},
        "examples": len(examples),
        "silent turns with a claim": [sum(silent), len(silent)],
    }
