"""Extraction without a language model: identifiers by their form, names by spaCy, claims by a table of patterns.

An honest small set: what is not plainly said gives nothing. The first person is the speaker.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from graphmem.extract.identifiers import UNNAMED, identifiers
from graphmem.extract.mentions import mentions
from graphmem.extract.offline.addressees import TURNS, addressee, vocatives
from graphmem.extract.offline.names import Found, names
from graphmem.extract.offline.open.beside import beside
from graphmem.extract.offline.open.provider import OpenProvider, said
from graphmem.extract.offline.phrases import PhraseProvider
from graphmem.extract.offline.profile import PROFILE_RULES, profile_claims
from graphmem.extract.offline.providers import (
    PROVIDERS,
    Findings,
    ParseReader,
    Provider,
    RegexProvider,
    Strategy,
    claims,
)
from graphmem.extract.offline.relations import RELATION_RULES, relation_claims
from graphmem.extract.offline.since import since_told_later
from graphmem.extract.offline.syntax import Match, Parse, Parser
from graphmem.extract.offline.tables.patterns import ROWS, RULES
from graphmem.extract.offline.utterance import Claimed, Utterance
from graphmem.extract.overlaps import Span
from graphmem.extract.readable import readable
from graphmem.extract.speakers import IMPERSONAL, speaker_of
from graphmem.model.entity import normalise_name
from graphmem.model.episode import Episode, Role
from graphmem.model.fragment import ALONE, Context, Fragment, Name

PIECE = 20_000
"""Code points read at once (some two seconds of one core, and .2 GB in the parser)."""

_CLAIMED, _NAMED = 0.97, 0.6
"""Confidence in a span that a claim names, and in a name that only spaCy sees."""


class SpacyProvider:
    """Names, and claims by dependency patterns. Loads its model with ``warm``, or by the first episode."""

    name = "spacy"

    def __init__(self, parser: Parser | None = None) -> None:
        self._parser = parser or _parser()

    def warm(self) -> None:
        """Load the spaCy model now (seconds, in the calling thread)."""
        self._parser.warm()

    def read(self, episode: Episode, text: str, context: Context) -> Findings:
        return self.read_parsed(self._parser.parse(said(episode, text, context)), episode, text, context)

    def read_parsed(self, parse: Parse, episode: Episode, text: str, context: Context) -> Findings:
        """What ``read`` finds in a text that is parsed already."""
        speaker = speaker_of(episode, context)
        called = tuple(vocatives(parse))
        utterance = Utterance(
            parse,
            episode.local_time,
            speaker,
            episode.content_type not in IMPERSONAL,
            identifiers(text),
            addressee(episode, speaker, context, called),
            tuple(vocatives(parse, surely=False)),
        )
        told = [(match, each) for match in parse.matches for each in _claims(utterance, match, episode.role)]
        claimed = since_told_later(utterance, [each for _, each in told])
        found = [found for _, mentioned in claimed for found in mentioned]
        verbs = {claim: _verbs(parse, match) for (match, _), (claim, _) in zip(told, claimed, strict=True)}
        return Findings(_spans(parse, found, speaker), tuple(claim for claim, _ in claimed), verbs)


def _parser() -> Parser:
    return Parser((*RULES, *RELATION_RULES, *PROFILE_RULES))


def _verbs(parse: Parse, match: Match) -> frozenset[int]:
    return frozenset(token.start for i in match.nodes if (token := parse.tokens[i]).tag.startswith("VB"))


def _claims(utterance: Utterance, match: Match, role: Role) -> Iterator[Claimed]:
    """Of the table that the rule is of. What an assistant asks for or does is nobody's profile."""
    number = match.rule
    for rules, read in ((ROWS, utterance.claims), (RELATION_RULES, partial(relation_claims, utterance))):
        if number < len(rules):
            yield from read(Match(number, match.nodes))
            return
        number -= len(rules)
    if role is Role.USER:
        yield from profile_claims(utterance, Match(number, match.nodes))


class OfflineExtractor:
    """An ``Extractor`` that needs no model but spaCy's, and with ``Strategy.FAST`` not even that.

    ``providers``, by name, are asked instead of those of the strategy.
    """

    name = "offline"
    context_chars = 0
    uses_ontology = False
    piece_chars = PIECE

    def __init__(self, strategy: Strategy = Strategy.ACCURATE, *, providers: Sequence[str] = ()) -> None:
        self.strategy = strategy
        self.version = "-".join(["5", strategy, *providers])
        self._parser = _parser()
        self.providers = tuple(_MADE[name](self._parser) for name in providers or PROVIDERS[strategy])
        self._parses = any(isinstance(provider, ParseReader) for provider in self.providers)
        self.context_turns = TURNS if self._parses else 0

    def warm(self) -> None:
        """Load what the strategy needs now (seconds for the spaCy model, in the calling thread)."""
        for provider in self.providers:
            provider.warm()

    async def extract(self, episode: Episode, context: Context = ALONE) -> Fragment:
        if not self._parses:
            return self._extract(episode, context)
        return await asyncio.to_thread(self._extract, episode, context)

    async def extract_each(self, sources: Sequence[tuple[Episode, Context]]) -> list[Fragment]:
        if not self._parses:
            return [self._extract(*source) for source in sources]
        return await asyncio.to_thread(self._extract_each, sources)

    def _extract_each(self, sources: Sequence[tuple[Episode, Context]]) -> list[Fragment]:
        parses = self._parser.parse_each(
            [said(episode, readable(episode.content), context) for episode, context in sources]
        )
        return [self._extract(*source, parse) for source, parse in zip(sources, parses, strict=True)]

    def _extract(self, episode: Episode, context: Context, parse: Parse | None = None) -> Fragment:
        text = readable(episode.content)
        if parse is None and self._parses:
            parse = self._parser.parse(said(episode, text, context))
        findings = [
            provider.read_parsed(parse, episode, text, context)
            if parse is not None and isinstance(provider, ParseReader)
            else provider.read(episode, text, context)
            for provider in self.providers
        ]
        named = mentions(span for found in findings for span in found.spans)
        return Fragment(
            mentions=tuple(mention for mention in named if mention.entity.type not in UNNAMED),
            claims=beside(claims(findings), {claim: at for found in findings for claim, at in found.verbs.items()}),
            extractor=self.name,
            version=self.version,
        )


_MADE: Mapping[str, Callable[[Parser], Provider]] = {
    "regex": lambda _: RegexProvider(),
    "phrases": lambda _: PhraseProvider(),
    "spacy": SpacyProvider,
    "open": OpenProvider,
}


def _spans(parse: Parse, claimed: Sequence[Found], speaker: Name | None) -> tuple[Span, ...]:
    """The names spaCy sees and those the claims name, which know their types better."""
    known = [found.name for found in claimed] + ([speaker] if speaker else [])
    types = {normalise_name(name.name): name.type for name in known}
    seen = [
        Span(
            Name(found.name.name, types.get(normalise_name(found.name.name), found.name.type)),
            found.start,
            found.end,
            _NAMED,
        )
        for found in names(parse)
    ]
    return (*(Span(found.name, found.start, found.end, _CLAIMED) for found in claimed), *seen)
