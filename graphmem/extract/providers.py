"""What reads an episode: providers, composed by strategy, whose findings are settled together."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

from graphmem.extract.identifiers import UNNAMED, identifiers
from graphmem.extract.overlaps import Span, settle
from graphmem.model.episode import Episode
from graphmem.model.fragment import Context, Fragment, ProposedClaim, ProposedMention

READ_AT_MOST = 50_000
"""Code points of an episode that are read (some five seconds of one core); what follows gives nothing."""

READ = 0.96
"""Confidence in a span that a language model names: less than in an e-mail or a URL, more than in other identifiers."""

_UNREADABLE = re.compile(r"[\ud800-\udfff]|\S{500,}")


class Strategy(StrEnum):
    """``fast`` takes less than 5 ms an episode, ``accurate`` the parser too."""

    FAST = "fast"
    ACCURATE = "accurate"


PROVIDERS: Mapping[str, tuple[str, ...]] = {
    "fast": ("regex", "phrases"),
    "accurate": ("regex", "spacy", "phrases"),
    "llm": ("regex", "llm"),
}
"""The providers of each strategy, by name. Where their spans overlap, ``settle`` tells which stand."""


@dataclass(frozen=True, slots=True)
class Findings:
    """What a provider sees. Its spans may overlap, with each other and with those of others."""

    spans: tuple[Span, ...] = ()
    claims: tuple[ProposedClaim, ...] = ()


class Provider(Protocol):
    """One way to read an episode by itself or in its context.

    ``text`` is the episode's content as far as it is read, with the same offsets.
    """

    @property
    def name(self) -> str: ...

    def warm(self) -> None:
        """Load what it needs now, in the calling thread."""
        ...

    def read(self, episode: Episode, text: str, context: Context) -> Findings: ...


class RegexProvider:
    """Identifiers by their form."""

    name = "regex"

    def warm(self) -> None:
        """There is nothing to load."""

    def read(self, episode: Episode, text: str, context: Context) -> Findings:  # noqa: ARG002 - the text says it all
        return Findings(identifiers(text))


def readable(content: str) -> str:
    """The content as far as it is read, with what no language has (500 letters in a row, half characters) blanked.

    Offsets stay those of the content.
    """
    if len(content) > READ_AT_MOST:
        cut = max(content.rfind(" ", 0, READ_AT_MOST), content.rfind("\n", 0, READ_AT_MOST))
        content = content[: cut if cut > 0 else READ_AT_MOST]
    return _UNREADABLE.sub(lambda match: " " * len(match[0]), content)


def joined(episode: Episode, fragment: Fragment) -> Fragment:
    """What a language model has read, with the identifiers of the episode that it may have passed over."""
    formed = [span for span in identifiers(readable(episode.content)) if span.name.type not in UNNAMED]
    read = [Span(each.entity, each.start, each.end, READ) for each in fragment.mentions]
    return replace(fragment, mentions=tuple(map(_mention, settle([*formed, *read]))))


def mentions(findings: Iterable[Findings]) -> tuple[ProposedMention, ...]:
    """The spans that stand, in their order, less those that name nothing."""
    settled = settle(span for found in findings for span in found.spans)
    return tuple(_mention(span) for span in settled if span.name.type not in UNNAMED)


def _mention(span: Span) -> ProposedMention:
    return ProposedMention(entity=span.name, start=span.start, end=span.end)


def claims(findings: Iterable[Findings]) -> tuple[ProposedClaim, ...]:
    """Every claim once, in the order of the text; of two that overlap, the one that quotes more."""
    standing: dict[tuple[object, ...], list[ProposedClaim]] = {}
    proposed = dict.fromkeys(claim for found in findings for claim in found.claims)
    for claim in sorted(proposed, key=lambda claim: claim.quote_start - claim.quote_end):
        same = standing.setdefault((claim.kind, claim.subject, claim.predicate, claim.object, claim.value), [])
        if not any(claim.quote_start < each.quote_end and each.quote_start < claim.quote_end for each in same):
            same.append(claim)
    kept = {claim for same in standing.values() for claim in same}
    return tuple(sorted((claim for claim in proposed if claim in kept), key=lambda claim: claim.quote_start))
