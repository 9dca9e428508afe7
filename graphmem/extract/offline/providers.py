"""What reads an episode: providers, of which the settings compose strategies."""

from enum import StrEnum
from typing import Protocol, runtime_checkable

from graphmem.extract.findings import Findings
from graphmem.extract.identifiers import identifiers
from graphmem.extract.offline.syntax import Parse
from graphmem.model.episode import Episode
from graphmem.model.fragment import Context


class Strategy(StrEnum):
    """``fast`` reads without a parser: no names but those that claims name, and no open claims."""

    FAST = "fast"
    ACCURATE = "accurate"


class _Provider(Protocol):
    """One way to read an episode. ``text`` is the episode's content as far as it is read, with the same offsets."""

    @property
    def name(self) -> str: ...

    def warm(self) -> None:
        """Load what it needs now, in the calling thread."""
        ...


class TextReader(_Provider, Protocol):
    """A provider that reads the text itself."""

    def read(self, episode: Episode, text: str, context: Context) -> Findings: ...


@runtime_checkable
class ParseReader(_Provider, Protocol):
    """A provider that reads a parse. Those of one extractor share the parse of a text."""

    def read_parsed(self, parse: Parse, episode: Episode, text: str, context: Context) -> Findings: ...


Provider = TextReader | ParseReader


class RegexProvider:
    """Identifiers by their form."""

    name = "regex"

    def warm(self) -> None:
        """There is nothing to load."""

    def read(self, episode: Episode, text: str, context: Context) -> Findings:  # noqa: ARG002 - the text says it all
        return Findings(identifiers(text))
