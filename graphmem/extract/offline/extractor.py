"""Extraction without a language model: identifiers by their form, names by spaCy, claims by the trained reader.

What is told and fits no predicate of the reader's is an open claim, read from the parse.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cached_property, partial
from typing import TypeVar

import structlog

from graphmem.errors import ReadingTimedOut
from graphmem.extract.findings import Findings, of_claiming, settled, together
from graphmem.extract.identifiers import UNNAMED
from graphmem.extract.offline.claims.provider import ReaderProvider, TurnReader
from graphmem.extract.offline.claims.turns import REMEMBERED, REMEMBERED_TURNS
from graphmem.extract.offline.dates.episode import dates_of_episode
from graphmem.extract.offline.dates.precision import with_precision
from graphmem.extract.offline.dates.unread import under_headings, unread_times
from graphmem.extract.offline.languages import unread
from graphmem.extract.offline.names import NameMention, names
from graphmem.extract.offline.open.provider import OpenProvider
from graphmem.extract.offline.parses import parses
from graphmem.extract.offline.parts import OwnersPart, heads, parts, placed
from graphmem.extract.offline.providers import ParseReader, Provider, RegexProvider, Strategy
from graphmem.extract.offline.syntax import Parse, Parser
from graphmem.extract.overlaps import Span
from graphmem.extract.relation_types import by_relation_types
from graphmem.extract.speakers import speaker_of
from graphmem.model.entity import normalise_name
from graphmem.model.episode import Episode
from graphmem.model.fragment import ALONE, Context, Fragment, ThingName, Trace
from graphmem.model.ontology import DEFAULT_ONTOLOGY, Ontology
from graphmem.settings.strategies import STRATEGIES, Composition

PIECE = 20_000
"""Code points read at once (some two seconds of one core, and .2 GB in the parser)."""

Read = TypeVar("Read")
log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)
_CORES = os.cpu_count() or 1
VERSION = "14"
"""Of what is read; episodes of an older one are read again."""
_HEADS = "heads"
"""Beside the providers, what sees the names at the heads of somebody's words."""
_NAMED = 0.6
"""Confidence in a name that only spaCy sees."""


class NamesProvider:
    """Names, as spaCy sees them. Loads its model with ``warm``, or by the first episode."""

    name = "names"

    def __init__(self, parser: Parser) -> None:
        self._parser = parser

    def warm(self) -> None:
        """Load the spaCy model now (seconds, in the calling thread)."""
        self._parser.warm()

    def read_parsed(self, parse: Parse, episode: Episode, text: str, context: Context) -> Findings:  # noqa: ARG002 - the parse has the text
        """The names in a parse; who speaks is a person."""
        speaker = speaker_of(episode)
        types = {normalise_name(speaker.name): speaker.type} if speaker else {}
        return Findings(tuple(_span(mention, types) for mention in names(parse)))


def _span(mention: NameMention, types: Mapping[str, str]) -> Span:
    kind = types.get(normalise_name(mention.name.name), mention.name.type)
    return Span(ThingName(mention.name.name, kind), mention.start, mention.end, _NAMED)


class OfflineExtractor:
    """An ``Extractor`` that needs no model but spaCy's, and not even that where no provider reads a parse.

    ``strategy`` is one of those that are packaged, or the name of ``composed``. A text is not read if a provider takes
    longer for it than its ``seconds``, by name; those of whoever parses first are for the parse too. Of an ``ontology``
    it reads by the open predicates and the categories: by the group's own, or by this one.
    """

    name = "offline"
    piece_chars = PIECE

    def __init__(
        self,
        strategy: str = Strategy.ACCURATE,
        composed: Composition | None = None,
        *,
        seconds: Mapping[str, float] | None = None,
        ontology: Ontology = DEFAULT_ONTOLOGY,
    ) -> None:
        self.strategy = strategy
        self._seconds = seconds or {}
        self._composed = composed or STRATEGIES[strategy]
        providers = self._composed.providers
        claiming = self._composed.claiming
        read = "+".join(name if name in claiming else f"({name})" for name in providers)
        self.version = f"{VERSION}-{strategy if composed is None else read}"
        self._ontology = ontology
        self._parser = Parser()
        self.providers = tuple(_MADE[name](self._parser, ontology) for name in providers)
        self._parses = any(isinstance(provider, ParseReader) for provider in self.providers)
        reads = ReaderProvider.name in providers
        self.context_turns = REMEMBERED_TURNS if reads or self._parses else 0
        self.context_chars = REMEMBERED if reads else 0
        self._quick = not self._parses
        self.uses_ontology = OpenProvider.name in providers

    def warm(self) -> None:
        """Load what the strategy needs now (seconds for the spaCy model, in the calling thread)."""
        for provider in self.providers:
            provider.warm()

    async def extract(self, episode: Episode, context: Context = ALONE) -> Fragment:
        """What the episode says.

        Raises:
            ReadingTimedOut: a provider took longer than it may.
        """
        (fragment,) = await self.extract_each([(episode, context)])
        return fragment

    async def extract_each(self, sources: Sequence[tuple[Episode, Context]]) -> list[Fragment]:
        """A fragment for each; the time that a provider has is that of as many texts.

        Raises:
            ReadingTimedOut: a provider took longer than it may.
        """
        reading = await self._read(sources)
        return await asyncio.to_thread(self._fragments, reading, sources)

    async def findings(self, episode: Episode, context: Context) -> list[Findings]:
        """What each provider sees, with the claims of those that are to make any.

        Raises:
            ReadingTimedOut: a provider took longer than it may.
        """
        reading = await self._read([(episode, context)])
        return self._claiming(reading.findings[0])

    async def trace(self, episode: Episode, context: Context = ALONE) -> Trace:
        """What is read of an episode, and why not more.

        Raises:
            ReadingTimedOut: a provider took longer than it may.
        """
        reading = await self._read([(episode, context)])
        fragment = await asyncio.to_thread(self._fragment, reading, 0)
        opened = next((each for each in self.providers if isinstance(each, OpenProvider)), None)
        if opened is None:
            return Trace(fragment=self._completed(fragment, episode, context))
        trace = await self._in_time(opened.name, 1, asyncio.to_thread(_traced, opened, reading, fragment))
        return replace(trace, fragment=self._completed(fragment, episode, context))

    async def _read(self, sources: Sequence[tuple[Episode, Context]]) -> "_Reading":
        """What each provider sees in each text, one provider after the other, each in the time that it has."""
        reading = await asyncio.to_thread(_Reading, self._parser, sources)
        for provider in self.providers:
            await self._in_time(provider.name, len(sources), asyncio.to_thread(reading.read, provider))
        return reading

    async def _in_time(self, provider: str, texts: int, read: Awaitable[Read]) -> Read:
        """What is read. The thread that takes too long goes on; what it reads then is thrown away.

        Raises:
            ReadingTimedOut: it took longer than it may.
        """
        seconds = self._seconds.get(provider)
        try:
            async with asyncio.timeout(None if seconds is None else texts * seconds):
                return await read
        except TimeoutError as error:
            log.warning("extract.timed_out", provider=provider, seconds=seconds, texts=texts, strategy=self.strategy)
            raise ReadingTimedOut(
                f"The provider {provider!r} did not read {_texts(texts)} in {seconds:g} seconds, and nothing of it is "
                f"kept. Give it more time (timeout in [pipeline.providers.{provider}]), or switch it off."
            ) from error

    def _fragments(self, reading: "_Reading", sources: Sequence[tuple[Episode, Context]]) -> list[Fragment]:
        """What was read of each text."""
        fragments = (self._fragment(reading, number) for number in range(len(sources)))
        return [self._completed(read, *source) for read, source in zip(fragments, sources, strict=True)]

    def _fragment(self, reading: "_Reading", text: int) -> Fragment:
        mentions, claims = settled(self._claiming(reading.findings[text]))
        named = tuple(mention for mention in mentions if mention.entity.type not in UNNAMED)
        return Fragment(
            mentions=named,
            claims=claims,
            extractor=self.name,
            version=self.version,
            quick=self._quick,
            owned=reading.parts[text][0].owned,
            unread=reading.unread(text),
        )

    def _claiming(self, findings: Mapping[str, Findings]) -> list[Findings]:
        return of_claiming(findings, self._composed.claiming)

    def _completed(self, fragment: Fragment, episode: Episode, context: Context) -> Fragment:
        """The fragment as the ontology has it, since when its claims hold, and the times that are not read."""
        ontology, said_at = context.ontology or self._ontology, episode.occurred_at
        mentions, defined = by_relation_types(fragment.mentions, fragment.claims, ontology, said_at)
        precise = with_precision(defined, episode, dates_of_episode(episode, context))
        claims = tuple(under_headings(precise, episode, context.dates))
        return replace(fragment, mentions=mentions, claims=claims, unread_times=unread_times(claims, episode))


class _Reading:
    """Texts that are read by one provider after the other, each in as many parts as it has owners.

    Providers that read a parse share it; the first makes it, of all parts together. Identifiers are read of all, all
    else of what is in English.
    """

    def __init__(self, parser: Parser, sources: Sequence[tuple[Episode, Context]]) -> None:
        self._parser = parser
        self.parts = [parts(*source) for source in sources]
        self.findings: list[dict[str, Findings]] = [
            {_HEADS: heads(episode.content, some[0].owned)} if some[1:] else {}
            for some, (episode, _) in zip(self.parts, sources, strict=True)
        ]
        """What each provider sees, by its name, of each text."""

    def unread(self, text: int) -> Mapping[str, int]:
        """Code points of what somebody claims in other languages than English, by language."""
        return unread([span for part in self.parts[text] if part.claims for span in part.foreign])

    @cached_property
    def parses(self) -> list[dict[int, Parse]]:
        """For each text the parses of its parts that have sentences, by the part's number."""
        wanted = [(text, n) for text, some in enumerate(self.parts) for n, part in enumerate(some) if part.sentences]
        english_parts = [self.parts[text][n].english for text, n in wanted]
        made: list[dict[int, Parse]] = [{} for _ in self.parts]
        read = parses(self._parser, [(part.episode, part.context) for part in english_parts])
        for (text, n), parse in zip(wanted, read, strict=True):
            made[text][n] = parse
        return made

    def read(self, provider: Provider) -> None:
        """Have a provider see every text; the trained reader several at once, for its network needs no interpreter."""
        with ThreadPoolExecutor(
            _CORES if isinstance(provider, ReaderProvider) else 1, thread_name_prefix="read"
        ) as pool:
            for text, seen in enumerate(pool.map(partial(self._seen_in, provider), range(len(self.parts)))):
                self.findings[text][provider.name] = seen

    def _seen_in(self, provider: Provider, text: int) -> Findings:
        seen = [part.seen(self._seen(provider, part, text, n)) for n, part in enumerate(self.parts[text])]
        return seen[0] if len(seen) == 1 else together(seen)

    def _seen(self, provider: Provider, part: OwnersPart, text: int, n: int) -> Findings:
        if isinstance(provider, OpenProvider | ReaderProvider) and not part.claims:
            return Findings()
        read = part if isinstance(provider, RegexProvider) else part.english
        source = read.episode, read.text, read.context
        if not isinstance(provider, ParseReader):
            return provider.read(*source)
        return provider.read_parsed(self.parses[text][n], *source) if part.sentences else Findings()


def _traced(opened: OpenProvider, reading: _Reading, fragment: Fragment) -> Trace:
    """The clauses of each part of the first text that claims something, in the order of the text."""
    standing = frozenset(fragment.claims)
    read = [
        placed(part, opened.trace(parse, (part.english.episode, part.context), fragment, part.among(standing)))
        for n, part in enumerate(reading.parts[0])
        if part.claims and (parse := reading.parses[0][n])
    ]
    return Trace(
        fragment=fragment,
        segments=tuple(sorted((each for trace in read for each in trace.segments), key=lambda each: each.start)),
        clauses=tuple(sorted((each for trace in read for each in trace.clauses), key=lambda each: each.start)),
    )


def _texts(number: int) -> str:
    return "a text" if number == 1 else f"{number} texts, each"


def _trained_reader() -> TurnReader:
    from graphmem.extract.reader.reading import TrainedReader  # noqa: PLC0415 - numpy, for those who use it

    return TrainedReader()


_MADE: Mapping[str, Callable[[Parser, Ontology], Provider]] = {
    "regex": lambda _parser, _ontology: RegexProvider(),
    "names": lambda parser, _ontology: NamesProvider(parser),
    "open": OpenProvider,
    "reader": lambda _parser, _ontology: ReaderProvider(_trained_reader()),
}
