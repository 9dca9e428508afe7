"""What the indexes say of what was ranked, beside what a ranking makes of it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from graphmem.model.recall import Contribution, Ranked

Listed = Mapping[str, Sequence[Sequence[tuple[str, float]]]]
"""By channel its lists: hits with the scores of an index, best first."""


def with_raw(ranked: Sequence[Ranked], listed: Listed) -> list[Ranked]:
    """The same, each reason with the score of the index; a list that counts nothing for a hit is named all the same."""
    found = {channel: _places(lists) for channel, lists in listed.items()}
    return [replace(item, contributions=(*_named(item, found), *_silent(item, found))) for item in ranked]


Places = Mapping[str, tuple[int, float]]


def _places(lists: Sequence[Sequence[tuple[str, float]]]) -> Places:
    return {id_: (rank, score) for hits in lists for rank, (id_, score) in enumerate(hits, start=1)}


def _named(item: Ranked, found: Mapping[str, Places]) -> list[Contribution]:
    places = {channel: ids[item.id] for channel, ids in found.items() if item.id in ids}
    return [
        replace(part, raw=places[part.channel][1]) if part.channel in places else part for part in item.contributions
    ]


def _silent(item: Ranked, found: Mapping[str, Places]) -> list[Contribution]:
    named = {part.channel for part in item.contributions}
    return [
        Contribution(channel=channel, rank=ids[item.id][0], score=0.0, contribution=0.0, raw=ids[item.id][1])
        for channel, ids in found.items()
        if item.id in ids and channel not in named
    ]
