"""The mentions that a model read, beside the identifiers that it may have passed over."""

from dataclasses import replace

from graphmem.extract.identifiers import UNNAMED, identifiers
from graphmem.extract.mentions import mentions
from graphmem.extract.overlaps import Span
from graphmem.extract.readable import readable
from graphmem.model.episode import Episode
from graphmem.model.fragment import Fragment

READ = 0.96
"""Confidence in a span that a language model names: less than in an e-mail or a URL, more than in other identifiers."""


def with_identifiers(episode: Episode, fragment: Fragment) -> Fragment:
    """What a language model has read, with the identifiers of the episode that it may have passed over."""
    formed = [span for span in identifiers(readable(episode.content)) if span.name.type not in UNNAMED]
    read = [Span(each.entity, each.start, each.end, READ) for each in fragment.mentions]
    return replace(fragment, mentions=mentions([*formed, *read]))
