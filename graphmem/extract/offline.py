"""Extraction without a language model: identifiers by their form, names by spaCy, claims by a table of patterns.

An honest small set: what is not plainly said gives nothing. The first person is the speaker.
"""

import asyncio
import re
from collections.abc import Sequence

from graphmem.extract.identifiers import identifiers
from graphmem.extract.overlaps import Span
from graphmem.extract.patterns import ROWS, RULES
from graphmem.extract.providers import Findings, Provider, RegexProvider, Strategy, claims, mentions
from graphmem.extract.reading import Claimed, Reading
from graphmem.extract.relations import RELATION_RULES, relation_claims
from graphmem.extract.spans import LONGEST_NAME, Found, names
from graphmem.extract.syntax import Match, Parse, Parser
from graphmem.model.entity import normalise_name
from graphmem.model.episode import ContentType, Episode, Role
from graphmem.model.fragment import ALONE, Context, Fragment, Name

READ_AT_MOST = 50_000
"""Code points of an episode that are read (some five seconds of one core); what follows gives nothing."""

_CLAIMED, _NAMED = 0.97, 0.6
"""Confidence in a span that a claim names, and in a name that only spaCy sees."""

_UNREADABLE = re.compile(r"[\ud800-\udfff]|\S{500,}")
_TURN = re.compile(r"^\s*[A-Z][\w .'’-]{0,30}:\s", re.MULTILINE)
_IMPERSONAL = frozenset({ContentType.DOCUMENT, ContentType.EVENT, ContentType.SUMMARY})


class SpacyProvider:
    """Names, and claims by dependency patterns. Loads its model with ``warm``, or by the first episode."""

    name = "spacy"

    def __init__(self) -> None:
        self._parser = Parser((*RULES, *RELATION_RULES))

    def warm(self) -> None:
        """Load the spaCy model now (seconds, in the calling thread)."""
        self._parser.warm()

    def read(self, episode: Episode, text: str) -> Findings:
        parse = self._parser.parse(text)
        reading = Reading(
            parse,
            episode.occurred_at,
            speaker_of(episode),
            episode.content_type not in _IMPERSONAL,
            identifiers(text),
        )
        claimed = [each for match in parse.matches for each in _claims(reading, match)]
        found = [found for _, mentioned in claimed for found in mentioned]
        return Findings(_spans(parse, found, reading.speaker), tuple(claim for claim, _ in claimed))


def _claims(reading: Reading, match: Match) -> list[Claimed]:
    if match.rule < len(ROWS):
        return list(reading.claims(match))
    return list(relation_claims(reading, Match(match.rule - len(ROWS), match.nodes)))


class OfflineExtractor:
    """An ``Extractor`` that needs no model but spaCy's, and with ``Strategy.FAST`` not even that."""

    name = "offline"
    context_turns = 0
    uses_ontology = False

    def __init__(self, strategy: Strategy = Strategy.ACCURATE) -> None:
        self.strategy = strategy
        self.version = f"2-{strategy}"
        self._providers = _providers(strategy)

    def warm(self) -> None:
        """Load what the strategy needs now (seconds for the spaCy model, in the calling thread)."""
        for provider in self._providers:
            provider.warm()

    async def extract(self, episode: Episode, context: Context = ALONE) -> Fragment:  # noqa: ARG002 - the turn says it
        if self.strategy is Strategy.FAST:
            return self._extract(episode)
        return await asyncio.to_thread(self._extract, episode)

    def _extract(self, episode: Episode) -> Fragment:
        text = readable(episode.content)
        findings = [provider.read(episode, text) for provider in self._providers]
        return Fragment(mentions=mentions(findings), claims=claims(findings), extractor=self.name, version=self.version)


def _providers(strategy: Strategy) -> tuple[Provider, ...]:
    return (RegexProvider(),) if strategy is Strategy.FAST else (RegexProvider(), SpacyProvider())


def readable(content: str) -> str:
    """The content as far as it is read, with what no language has (500 letters in a row, half characters) blanked.

    Offsets stay those of the content.
    """
    if len(content) > READ_AT_MOST:
        cut = max(content.rfind(" ", 0, READ_AT_MOST), content.rfind("\n", 0, READ_AT_MOST))
        content = content[: cut if cut > 0 else READ_AT_MOST]
    return _UNREADABLE.sub(lambda match: " " * len(match[0]), content)


def speaker_of(episode: Episode) -> Name | None:
    """Who says “I”: nobody we know in a transcript of several, or in a document without a speaker."""
    if episode.speaker is None and episode.content_type in _IMPERSONAL:
        return None
    if len(_TURN.findall(episode.content, 0, READ_AT_MOST)) > 1:
        return None
    owner = episode.owner if episode.role is Role.USER else ""
    for name in (episode.speaker or "", owner, episode.role.value):
        known = " ".join(name.split())
        if 1 <= len(known) <= LONGEST_NAME and known.isprintable():
            return Name(known, "person")
    return None


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
