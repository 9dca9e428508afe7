"""What a context is made of: its parts in their order of authority, whatever order they were read in."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from graphmem.model.belief import BeliefRow
from graphmem.model.composed import Because, Composed, ContextQuery, Keep, LeftOut, Line, LineKind, Part
from graphmem.model.episode import StoredEpisode
from graphmem.model.recall import Found, KnownEntity
from graphmem.retrieve.fitting import Count, fitted
from graphmem.retrieve.lines import belief_line, profile_line, turn_line
from graphmem.retrieve.quoting import label

_FIRM = 2
"""One part of so many of the budget is the window's. What of it is beyond counts as earlier than the window."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """An entity, and the most important beliefs about it; there are so many ``more``."""

    entity: KnownEntity
    beliefs: tuple[BeliefRow, ...]
    more: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """What was read for a context: profiles in their order, what a search found, and the last turns of a session.

    ``said`` are as many of the last turns as were asked for, but for so many that are ``too_long`` to be read; so many
    turns of the session come ``before`` all these.
    """

    profiles: tuple[Profile, ...] = ()
    found: tuple[Found, ...] = ()
    said: tuple[StoredEpisode, ...] = ()
    before: int = 0
    too_long: int = 0
    warnings: tuple[str, ...] = ()


def composed(asked: ContextQuery, material: Material, count: Count) -> Composed:
    """The context, within its budget. The same material in any order gives the same."""
    said = sorted(material.said, key=_when, reverse=True)
    window, earlier = said[: asked.window], said[asked.window :]
    talk = [] if asked.exclude_window else window
    firm = _firm(talk, asked.max_tokens // _FIRM, count)
    profiles = _profiles(material.profiles)
    passages, below = _passages(asked, material.found, without=window if asked.exclude_window else firm)
    in_passages = {line.key for line in passages}
    loose = [stored for stored in (*talk[len(firm) :], *earlier) if stored.id not in in_passages]
    beliefs = _beliefs(asked, material.found, without={line.key for part in profiles for line in part.lines})
    parts = (
        *profiles,
        Part(heading="Relevant memory", lines=(*beliefs, *passages)),
        Part(heading="Recent conversation", lines=(*_turns(loose, Keep.EARLIER_TURN), *_turns(firm, Keep.TURN))),
    )
    fit = fitted(parts, asked.max_tokens, count)
    more = Counter({(one.kind, one.because): one.count for one in fit.left_out})
    more[LineKind.PROFILE, Because.LIMIT] += sum(profile.more for profile in material.profiles)
    more[LineKind.PASSAGE, Because.SCORE] += below
    more[LineKind.TURN, Because.TOO_LONG] += material.too_long
    more[LineKind.TURN, Because.LIMIT] += material.before
    more[LineKind.TURN, Because.EXCLUDED] += len(window) - len(talk)
    left_out = (LeftOut(kind=kind, count=more[kind, why], because=why) for kind, why in sorted(more))
    told = tuple(one for one in left_out if one.count > 0)
    return replace(fit, left_out=told, warnings=tuple(sorted(material.warnings)))


def _profiles(profiles: Sequence[Profile]) -> list[Part]:
    """One part an entity. A belief that is about two of them stands with the first."""
    ranks = {belief.id: rank for rank, belief in enumerate(_by_importance(one for p in profiles for one in p.beliefs))}
    parts, shown = list[Part](), set[str]()
    for profile in profiles:
        beliefs = [belief for belief in _by_importance(profile.beliefs) if belief.id not in shown]
        shown |= {belief.id for belief in beliefs}
        lines = (_line(LineKind.PROFILE, profile_line(one), Keep.PROFILE, ranks[one.id], one) for one in beliefs)
        heading = f"What is known about {label(profile.entity.name)}"
        parts.append(Part(heading=heading, lines=tuple(lines), entity=profile.entity))
    return parts


def _by_importance(beliefs: Iterable[BeliefRow]) -> list[BeliefRow]:
    """The most important first, of these the newest."""
    newest = sorted(beliefs, key=lambda belief: (belief.belief_id, belief.id))
    newest.sort(key=lambda belief: belief.valid_from, reverse=True)
    return sorted(newest, key=lambda belief: -belief.importance)


def _beliefs(asked: ContextQuery, found: Iterable[Found], without: set[str]) -> Iterator[Line]:
    beliefs = [hit.belief for hit in _best_first(found) if hit.belief and hit.belief.id not in without]
    for rank, belief in enumerate(beliefs[: asked.beliefs]):
        yield _line(LineKind.BELIEF, belief_line(belief), Keep.BELIEF, rank, belief)


def _passages(asked: ContextQuery, found: Iterable[Found], without: Iterable[StoredEpisode]) -> tuple[list[Line], int]:
    """The best turns found whose score is high enough, and of how many it is not."""
    hidden = {stored.id for stored in without}
    hits = [hit for hit in _best_first(found) if hit.episode and hit.episode.id not in hidden]
    near = [hit.episode for hit in hits if hit.episode and _score(hit) >= asked.least_score]
    passages = near[: asked.passages]
    lines = [_line(LineKind.PASSAGE, turn_line(one), Keep.PASSAGE, rank, one) for rank, one in enumerate(passages)]
    return lines, len(hits) - len(near)


def _best_first(found: Iterable[Found]) -> list[Found]:
    return sorted(found, key=lambda hit: (-hit.ranked.score, hit.ranked.kind, hit.ranked.id))


def _score(hit: Found) -> float:
    """As a vector index of Neo4j scores; 0 of what has no vector."""
    return 0.0 if hit.ranked.cosine is None else (1 + hit.ranked.cosine) / 2


def _firm(window: Sequence[StoredEpisode], share: int, count: Count) -> list[StoredEpisode]:
    """The last turns of the window that fit into its share; a turn too long for a context takes no room."""
    firm, room = list[StoredEpisode](), share
    for stored in window:
        tokens = count(turn_line(stored))
        if share >= tokens > room:
            break
        firm.append(stored)
        room -= tokens if tokens <= share else 0
    return firm


def _turns(newest_first: Sequence[StoredEpisode], keep: Keep) -> list[Line]:
    """In the order in which they were said."""
    lines = [_line(LineKind.TURN, turn_line(one), keep, rank, one) for rank, one in enumerate(newest_first)]
    return lines[::-1]


def _when(stored: StoredEpisode) -> tuple[datetime, int, str]:
    """The order of a session; a turn without a place in it comes before those of the same time that have one."""
    said = stored.episode
    return (said.occurred_at, -1 if said.sequence is None else said.sequence, stored.id)


def _line(kind: LineKind, written: str, keep: Keep, rank: int, thing: BeliefRow | StoredEpisode) -> Line:
    return Line(kind=kind, written=written, keep=keep, rank=rank, thing=thing)
