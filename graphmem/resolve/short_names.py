"""Whom a short name means in each session: a function of what is named where, and of who is who.

A fuller name of the same session decides; else one that the user named by then; else one that everybody may know by
then. The first of the three that has any decides, even if it has several: then nobody can say whom it means.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime

from graphmem.model.matching import Method, Stage, Verdict, pair_of
from graphmem.model.merge import Merge, Named, Opinion, ShortName
from graphmem.model.projection.identity import Identities
from graphmem.model.scope import EVERYBODY

_APART = (Method.HUMAN, Method.IDENTIFIER)


def meant(short: ShortName, opinions: Iterable[Opinion], who: Identities) -> frozenset[Merge]:
    """The merges of a short name, one for each session and user in which it means one."""
    apart = {
        (id_, opinion.user)
        for opinion in opinions
        if opinion.judgement.verdict is Verdict.DIFFERENT and opinion.judgement.method in _APART
        for id_ in opinion.judgement.pair
        if short.id in opinion.judgement.pair
    }
    found = {place: _meant(short, *place, by_then, apart, who) for place, by_then in _places(short).items()}
    merges = (merge for merge in found.values() if merge is not None)
    return frozenset(
        merge for merge in merges if not _is_everybodys(merge, found.get((merge.session or "", EVERYBODY)))
    )


def _places(short: ShortName) -> dict[tuple[str, str], datetime]:
    """The sessions and users in which the short name is said, and since when."""
    said = [one for one in short.named if one.entity_id == short.id and one.session]
    return {(one.session, one.user): one.first for one in sorted(said, key=lambda one: one.first, reverse=True)}


def _is_everybodys(merge: Merge, shared: Merge | None) -> bool:
    """Whether a user thinks what everybody does."""
    return shared is not None and merge is not shared and merge.other == shared.other


def _meant(
    short: ShortName, session: str, user: str, by_then: datetime, apart: set[tuple[str, str]], who: Identities
) -> Merge | None:
    readers = {EVERYBODY, user}
    possible = {id_ for id_ in short.fuller if apart.isdisjoint((id_, reader) for reader in readers)}
    possible -= {id_ for in_session, id_ in short.told_apart if in_session == session}
    for reason, ids in _said(short, session, user, by_then):
        fullest = _fullest(short, possible & ids)
        if not fullest:
            continue
        meaning = {who.of(id_, session="", user=user) for id_ in fullest}
        if len(meaning) > 1 or not short.protected.isdisjoint({short.id, *fullest, *meaning}):
            return None
        if who.of(short.id, session="", user=user) in meaning:
            return None
        return _merge(short.id, min(fullest), session, user, reason)
    return None


def _said(short: ShortName, session: str, user: str, by_then: datetime) -> Iterator[tuple[str, set[str]]]:
    named = [one for one in short.named if one.user in (EVERYBODY, user)]
    yield "the only fuller name in this session", {one.entity_id for one in named if one.session == session}
    before = [one for one in named if one.first <= by_then]
    if user != EVERYBODY:
        yield "the only fuller name that this user named by then", _ids(before, user)
    yield "the only fuller name that everybody may know by then", _ids(before, EVERYBODY)


def _ids(named: Iterable[Named], user: str) -> set[str]:
    return {one.entity_id for one in named if one.user == user}


def _fullest(short: ShortName, ids: set[str]) -> set[str]:
    """Without those whose names are parts of another one's."""
    return {id_ for id_ in ids if ids.isdisjoint(short.parts_of.get(id_, ()))}


def _merge(member: str, other: str, session: str, user: str, reason: str) -> Merge:
    return Merge(
        member=member,
        other=other,
        user=user,
        session=session,
        pair=pair_of(member, other),
        method=Method.CONTEXT,
        stage=Stage.RULES,
        score=0.0,
        reason=reason,
    )
