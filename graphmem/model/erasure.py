"""What goes with evidence that is erased: acts that rest on it, names that only it gave, who stood for others."""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import datetime

from graphmem.model.claim import Claim, ClaimKind
from graphmem.model.entity import SaidType, TypedBy, normalise_name
from graphmem.model.projection.history import DatedClaim, DatedSameAs

OWN_WORDS = frozenset({"correct", "change"})
"""Acts whose start is in the words of who acts, and not in those of what they act on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EverClaimed:
    """A claim, when it stood, and the ``payload`` of its episode: what an act was about."""

    dated: DatedClaim
    payload: str | None

    @property
    def claim(self) -> Claim:
        return self.dated.claim

    @property
    def act(self) -> str:
        """The kind of the act that says it; "" where it is none of an act."""
        payload: object = json.loads(self.payload) if self.payload else {}
        return str(payload.get("act", "")) if isinstance(payload, dict) else ""  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType] -- JSON


_Value = tuple[str, str, str, str]


def resting_on(erased: Iterable[Claim], others: Iterable[EverClaimed]) -> frozenset[str]:
    """The ids of those of other claims of the same subjects that rest on what is erased.

    They are said by acts: what repeats erased words, what gave way to an erased claim, and what acts on a value that
    nothing else asserts any more. What such acts say may have been acted on again.
    """
    gone = {claim.id: claim for claim in erased}
    known = [other for other in others if other.claim.id not in gone]
    while True:
        more = _resting_on(gone.values(), [other for other in known if other.claim.id not in gone])
        if not more:
            return frozenset(gone) - {claim.id for claim in erased}
        gone |= more


def _resting_on(erased: Collection[Claim], others: Collection[EverClaimed]) -> dict[str, Claim]:
    words = {(_value(claim), claim.statement) for claim in erased if claim.kind.asserts}
    values = {_value(claim) for claim in erased if claim.kind.asserts}
    asserted = {_value(other.claim) for other in others if other.claim.kind.asserts and not other.act}
    asserted |= {
        _value(other.claim) for other in others if other.claim.kind is ClaimKind.STARTS and other.act in OWN_WORDS
    }
    ids = {claim.id for claim in erased}
    return {
        other.claim.id: other.claim
        for other in others
        if other.act
        and (
            (_value(other.claim), other.claim.statement) in words
            or other.claim.gave_way_to in ids
            or (not other.claim.kind.asserts and _value(other.claim) in values and _value(other.claim) not in asserted)
        )
    }


def _value(claim: Claim) -> _Value:
    return claim.user, claim.subject_id, claim.predicate, claim.target


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplacedText:
    """A text of an external id, and the text ``by`` that took its place at ``replaced_at``.

    ``followed_by`` took the place of that one at ``followed_at``; None where none did.
    """

    id: str
    replaced_at: datetime
    by: str
    followed_at: datetime | None
    followed_by: str | None


def as_if_unsaid(replaced: Iterable[ReplacedText], gone: Collection[str]) -> list[ReplacedText]:
    """Of texts in whose places came others that are ``gone``, those that stay, each ``followed_by`` what is left.

    The one that nothing follows has its external id again.
    """
    texts, left = {one.id: one for one in replaced}, list[ReplacedText]()
    for one in texts.values():
        last = one
        while last.followed_by in gone:
            last = texts[last.by]
        if one.id not in gone:
            left.append(replace(one, followed_at=last.followed_at, followed_by=last.followed_by))
    return left


@dataclass(frozen=True, slots=True, kw_only=True)
class EverDecided:
    """A decision on who is who with the id under which it is stored."""

    id: str
    dated: DatedSameAs


def standing_for(
    decisions: Iterable[EverDecided], gone: AbstractSet[str], first_seen: Mapping[str, datetime]
) -> list[EverDecided]:
    """Decisions as they would be without some entities.

    Where one of these stood for others, the first seen of the others stands for the rest, while both had been decided.
    """
    kept, roots = list[EverDecided](), defaultdict[tuple[str, str], list[EverDecided]](list)
    for decided in decisions:
        same_as = decided.dated.same_as
        if same_as.member in gone:
            continue
        if same_as.other not in gone:
            kept.append(decided)
        elif same_as.session is None:
            roots[same_as.other, same_as.user].append(decided)
    for members in roots.values():
        first = min((decided.dated.same_as.member for decided in members), key=lambda id_: (first_seen[id_], id_))
        ours = [decided.dated for decided in members if decided.dated.same_as.member == first]
        for decided in members:
            dated = decided.dated
            if dated.same_as.member != first:
                kept += [
                    replace(decided, dated=replace(both, same_as=replace(dated.same_as, other=first)))
                    for own in ours
                    for both in _while_both(dated, own)
                ]
    return kept


def _while_both(dated: DatedSameAs, own: DatedSameAs) -> Iterable[DatedSameAs]:
    began, ended = max(dated.recorded_at, own.recorded_at), min(dated.superseded_at, own.superseded_at)
    if began < ended:
        yield replace(dated, recorded_at=began, superseded_at=ended)


@dataclass(frozen=True, slots=True, kw_only=True)
class Naming:
    """Under which names everybody or a user know an entity, and of which type they were told that it is: lists.

    ``at`` is when it was stored that it was said. Each name was said before the one before it.
    """

    names: tuple[str, ...] = ()
    names_at: tuple[datetime, ...] = ()
    said_at: tuple[datetime, ...] = ()
    types: tuple[str, ...] = ()
    types_by: tuple[TypedBy, ...] = ()
    types_said_at: tuple[datetime, ...] = ()
    types_at: tuple[datetime, ...] = ()

    def rests_on(self, instants: Collection[datetime]) -> bool:
        """Whether anything of it may have been said then."""
        return any(at in instants for at in (*self.said_at, *self.types_said_at))


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedThen:
    """An entity is named in what was said at an instant, and stored at another; ``text`` is None where only claimed."""

    said_at: datetime
    at: datetime
    text: str | None


def renamed(naming: Naming, key: str, left: Sequence[NamedThen], listed_types: Collection[str]) -> Naming:
    """The names and types as they would be if the entity had only been named so.

    A name of which only the key is known is the key. Types that nothing left told of are kept where an ontology lists
    them: they are none of the words of what was said.
    """
    names = dict(zip(naming.said_at, naming.names, strict=True))
    said = [
        (one.said_at, names.get(one.said_at) or _as_written(one.text, key), one.at)
        for one in sorted(left, key=lambda one: (one.at, one.said_at, one.text or ""))
    ]
    kept = list[tuple[datetime, str, datetime]]()
    for said_at, name, at in said:
        if not kept or (said_at, name) < kept[-1][:2]:
            kept.append((said_at, name, at))
    told = _types_left(naming, left, listed_types)
    return Naming(
        names=tuple(name for _, name, _ in kept),
        names_at=tuple(at for _, _, at in kept),
        said_at=tuple(said_at for said_at, _, _ in kept),
        types=tuple(said_type.type for said_type, _ in told),
        types_by=tuple(said_type.typed_by for said_type, _ in told),
        types_said_at=tuple(said_type.said_at for said_type, _ in told),
        types_at=tuple(at for _, at in told),
    )


def _as_written(text: str | None, key: str) -> str:
    return " ".join(text.split()) if text and normalise_name(text) == key else key


def _types_left(
    naming: Naming, left: Sequence[NamedThen], listed: Collection[str]
) -> Sequence[tuple[SaidType, datetime]]:
    told = [
        (SaidType(type=type_, typed_by=by, said_at=said_at), at)
        for type_, by, said_at, at in zip(
            naming.types, naming.types_by, naming.types_said_at, naming.types_at, strict=True
        )
    ]
    instants = {one.said_at for one in left}
    kept = [one for one in told if one[0].said_at in instants]
    if kept or not left:
        return kept
    first = min(left, key=lambda one: (one.at, one.said_at))
    return [
        (replace(said_type, said_at=first.said_at), first.at) for said_type, _ in told[-1:] if said_type.type in listed
    ]
