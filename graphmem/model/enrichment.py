"""Enrichment: episodes are read again by a closer reader than the one that read them."""

from dataclasses import dataclass

from graphmem.model.episode import Reprocessing


@dataclass(frozen=True, slots=True, kw_only=True)
class CloserReader:
    """Who reads again, by which strategy.

    ``name`` is written on each episode that it was asked to read. ``version`` is that of an offline reader, "" of a
    language model: what this version read, it would read alike.
    """

    name: str
    how: Reprocessing
    version: str = ""

    @property
    def is_model(self) -> bool:
        """Whether a language model reads."""
        return not self.version


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadableEpisode:
    """An episode that may be read again: by which version of a reader it was read, and how many entities it names."""

    id: str
    read_by: str
    entities: int
