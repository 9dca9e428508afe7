"""Whether the embedding model knows what means the same, and how long it takes for a text of 500 tokens.

    python -m bench.embedding --json [--model NAME ...] [--items FILE]

`semantic_match` is the share of the items in `bench/embedding.toml` where, among five texts, the one that means what is
asked has the highest cosine. What is asked is embedded as a question, the texts as texts; a tie counts as a miss.
`by_kind` says it of each kind of item: the other texts are what else one remembers of the same person or matter
(`topic`), or they repeat the words of the question in another sense, and the right one does not (`words`).
`chance` is what drawing lots would reach, `missed` has the questions of the items that were missed. `among_all` is the
share of the items whose right text is the nearest of the right texts of all items: no other repeats the words of the
question, and the name that most of them have gives much of it away.

`embed_ms` is of texts of 500 tokens, all different, embedded one after the other through the embedder of the service;
the tokenizer of the default model counts. `tokens` says how many they have at the least and at the most.
`embed_cpu_ms` is the time on the processor, which does not grow when others use the machine too.

The model is that of the settings. With `--model`, several packaged ones are measured, text by text in turns, so that
what else the machine does slows down all of them alike: `models` has the figures of each.
"""

import asyncio
import os
import random
import tomllib
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import mean
from time import perf_counter, process_time
from typing import Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from bench.common import milliseconds, parser, say, tell
from graphmem.embed.local import LocalEmbedder
from graphmem.embed.packaged import DEFAULT
from graphmem.embed.providers import ClosableEmbedder, embedder_of
from graphmem.embed.tokens import FileTokenizer
from graphmem.model.embedding import Embedder, Vector
from graphmem.settings import load_settings
from graphmem.settings.recall import EmbeddingSettings

ITEMS = Path(__file__).with_suffix(".toml")
TOKENS = 500
TIMED = 100
_WARM = 3
_LEAST_TIMED = 2

Embedders = Mapping[str, ClosableEmbedder]


class Item(BaseModel):
    """What is asked, the text that means the same, and texts that do not."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["topic", "words"]
    ask: str = Field(min_length=1)
    same: str = Field(min_length=1)
    others: tuple[str, ...] = Field(min_length=3)

    @property
    def texts(self) -> tuple[str, ...]:
        """All of them, the right one first."""
        return self.same, *self.others


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    items: tuple[Item, ...] = Field(min_length=1)


# pure -----------------------------------------------------------------------------------------------------------------


def read(text: str) -> tuple[Item, ...]:
    """The items of a TOML file.

    Raises:
        ValueError: it has none, or one of them lacks something or has it twice.
    """
    items = _File.model_validate(tomllib.loads(text)).items
    for item in items:
        if len(set(item.texts)) < len(item.texts):
            raise ValueError(f"The item {item.ask!r} has a text twice.")
    if len({item.ask for item in items}) < len(items):
        raise ValueError("Something is asked twice.")
    return items


def is_match(question: Vector, texts: Sequence[Vector]) -> bool:
    """Whether the first of these unit vectors is nearer to the question's than every other one."""
    right, *others = np.array(texts) @ np.array(question)
    return bool(right > max(others))


def among_all(questions: Sequence[Vector], rights: Sequence[Vector]) -> float:
    """The share of the questions whose own right text is the nearest of all right texts; a tie counts as a miss."""
    cosines = np.array(questions) @ np.array(rights).T
    own = cosines.diagonal().copy()
    np.fill_diagonal(cosines, -np.inf)
    return float((own > cosines.max(axis=1)).mean())


def chance(items: Sequence[Item]) -> float:
    """The share of matches that drawing lots would reach."""
    return mean(1 / len(item.texts) for item in items)


def matches(items: Sequence[Item], misses: Collection[str]) -> dict[str, object]:
    """The share of the items that were not missed, of all of them and of each kind."""
    kinds = sorted({item.kind for item in items})
    by_kind = {kind: [item.ask not in misses for item in items if item.kind == kind] for kind in kinds}
    return {
        "semantic_match": round(mean(item.ask not in misses for item in items), 4),
        "by_kind": {kind: {"semantic_match": round(mean(hit), 4), "n": len(hit)} for kind, hit in by_kind.items()},
    }


def prose(sentences: Sequence[str], tokens: int, count: Callable[[str], int], rng: random.Random) -> str:
    """Sentences in a random order, again and again, then words off the end until no more than ``tokens`` are left."""
    text = ""
    while count(text) < tokens:
        text = f"{text} {rng.choice(sentences)}".strip()
    words = text.split()
    while words and count(" ".join(words)) > tokens:
        words.pop()
    return " ".join(words)


# with a model ---------------------------------------------------------------------------------------------------------


async def embedded(embedder: Embedder, items: Sequence[Item]) -> list[tuple[Vector, list[Vector]]]:
    """The vectors of each item: that of what is asked, and those of its texts."""
    return [(await embedder.embed_query(item.ask), await embedder.embed(item.texts)) for item in items]


@dataclass(frozen=True, slots=True)
class Took:
    """Seconds by the clock, and of this process on a processor."""

    seconds: float
    of_processor: float


async def times(embedders: Embedders, texts: Sequence[str]) -> dict[str, list[Took]]:
    """What each text takes by each model, one after the other; each model is warmed up with the first ones."""
    for embedder in embedders.values():
        for text in islice(texts, _WARM):
            await embedder.embed([text])
    took = {name: list[Took]() for name in embedders}
    for text in texts:
        for name, embedder in embedders.items():
            took[name].append(await _timed(lambda embedder=embedder, text=text: embedder.embed([text])))
    return took


async def _timed(call: Callable[[], Awaitable[object]]) -> Took:
    began, had = perf_counter(), process_time()
    await call()
    return Took(perf_counter() - began, process_time() - had)


async def measure(embedders: Embedders, items: Sequence[Item], timed: int) -> dict[str, dict[str, object]]:
    """The figures of each model."""
    count = FileTokenizer(None, EmbeddingSettings(model=DEFAULT)).count
    rng = random.Random(0)  # noqa: S311 - reproducible on purpose
    sentences = [text for item in items for text in item.texts]
    texts = [prose(sentences, TOKENS, count, rng) for _ in range(timed)]
    lengths = [count(text) for text in texts]
    say(f"{timed} texts of {min(lengths)} to {max(lengths)} tokens, load {os.getloadavg()[0]:.1f}")
    took = await times(embedders, texts)
    figures = dict[str, dict[str, object]]()
    for name, embedder in embedders.items():
        say(f"{name}: {len(items)} items")
        vectors = await embedded(embedder, items)
        misses = [item.ask for item, (asked, texts) in zip(items, vectors, strict=True) if not is_match(asked, texts)]
        figures[name] = {
            "model": name,
            **matches(items, misses),
            "chance": round(chance(items), 4),
            "among_all": round(among_all([asked for asked, _ in vectors], [texts[0] for _, texts in vectors]), 4),
            "embed_ms": milliseconds([one.seconds for one in took[name]]),
            "embed_cpu_ms": milliseconds([one.of_processor for one in took[name]]),
            "tokens": [min(lengths), max(lengths)],
            "n": len(items),
            "missed": misses,
        }
    return figures


async def _measured(embedders: Embedders, items: Sequence[Item], timed: int) -> dict[str, dict[str, object]]:
    try:
        return await measure(embedders, items, timed)
    finally:
        for embedder in embedders.values():
            await embedder.aclose()


def main() -> None:
    arguments = parser(__doc__ or "")
    arguments.add_argument("--model", action="append", default=[], help="a packaged model; may be given several times")
    arguments.add_argument("--items", type=Path, default=ITEMS, help="a file in the form of bench/embedding.toml")
    arguments.add_argument("--timed", type=int, default=TIMED, help="texts of 500 tokens to embed")
    options = arguments.parse_args()
    if options.url:
        raise SystemExit("This one asks the model itself; it takes no --url.")
    if options.timed < _LEAST_TIMED:
        raise SystemExit(f"--timed is at least {_LEAST_TIMED}.")
    try:
        items = read(options.items.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise SystemExit(f"{options.items} cannot be read, nothing was measured: {error}") from error
    settings = load_settings()
    embedders: dict[str, ClosableEmbedder] = {
        name: LocalEmbedder(EmbeddingSettings(model=name)) for name in options.model
    } or {settings.embedding.model: embedder_of(settings.embedding, settings.openai)}
    figures = asyncio.run(_measured(embedders, items, options.timed))
    tell({"models": figures} if options.model else next(iter(figures.values())), as_json=options.json)


if __name__ == "__main__":
    main()
