"""What reads an episode offline: providers, composed by strategy."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from graphmem.extract.identifiers import UNNAMED, identifiers
from graphmem.extract.overlaps import Span, settle
from graphmem.model.episode import Episode
from graphmem.model.fragment import ProposedClaim, ProposedMention


class Strategy(StrEnum):
    """``fast`` takes less than 5 ms an episode, ``accurate`` the parser too."""

    FAST = "fast"
    ACCURATE = "accurate"


@dataclass(frozen=True, slots=True)
class Findings:
    """What a provider sees. Its spans may overlap, with each other and with those of others."""

    spans: tuple[Span, ...] = ()
    claims: tuple[ProposedClaim, ...] = ()


class Provider(Protocol):
    """One way to read. ``text`` is the episode's content as far as it is read, with the same offsets."""

    @property
    def name(self) -> str: ...

    def warm(self) -> None:
        """Load what it needs now, in the calling thread."""
        ...

    def read(self, episode: Episode, text: str) -> Findings: ...


class RegexProvider:
    """Identifiers by their form."""

    name = "regex"

    def warm(self) -> None:
        """There is nothing to load."""

    def read(self, episode: Episode, text: str) -> Findings:  # noqa: ARG002 - the text says it all
        return Findings(identifiers(text))


def mentions(findings: Iterable[Findings]) -> tuple[ProposedMention, ...]:
    """The spans that stand, in their order, less those that name nothing."""
    settled = settle(span for found in findings for span in found.spans)
    return tuple(
        ProposedMention(entity=span.name, start=span.start, end=span.end)
        for span in settled
        if span.name.type not in UNNAMED
    )


def claims(findings: Iterable[Findings]) -> tuple[ProposedClaim, ...]:
    """Every claim once, in the order of the providers."""
    return tuple(dict.fromkeys(claim for found in findings for claim in found.claims))
