"""Acts on beliefs as dated evidence: the next projection would undo whatever was not evidence.

Each act is an episode with its claims, said at one instant: the clock's, or just after all that was said of the values
that it is about. A claim that acts names a value as the claims that it acts on do, so that it goes where they go when
it is decided anew who is who.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime

from graphmem.errors import Conflict, InvalidInput
from graphmem.model.acts import CONSOLIDATION, RESOLVED, ActEvidence, Correction, Ground, Lowering
from graphmem.model.belief import Belief
from graphmem.model.claim import STRUCTURED, AssertedBy, Claim, ClaimKind
from graphmem.model.episode import ContentType, Episode, EpisodeRole
from graphmem.model.interval import BEGIN, END, MICROSECOND, Interval
from graphmem.model.projection.pieces import insists
from graphmem.model.projection.predicate import SUCCESSIVE
from graphmem.model.projection.slot import PlacedClaim, after_acts

VERSION = "1"
Decide = Callable[[Ground, datetime], ActEvidence]


def confirm(ground: Ground, now: datetime) -> ActEvidence:
    """Somebody says that a belief is right.

    Raises:
        Conflict: it holds no more.
    """
    belief = ground.belief
    if belief.interval.end <= now:
        raise Conflict(f"That ended on {belief.interval.end.isoformat()}. Correct it, or remember it anew.")
    episode = _episode(belief, "confirm", belief.first.statement, _after(now, ground.of(belief.target)))
    return ActEvidence(episode=episode, claims=(_start(belief, episode),))


def reject(ground: Ground, now: datetime, reason: str | None = None) -> ActEvidence:
    """Somebody says that the value of a belief was never so."""
    belief = ground.belief
    content = reason or f"What was said of {_words(belief)} is not so."
    episode = _episode(belief, "reject", content, _after(now, ground.of(belief.target)))
    return ActEvidence(episode=episode, claims=tuple(_acts(ClaimKind.REJECTS, ground.of(belief.target), episode)))


def correct(ground: Ground, now: datetime, to: Correction) -> ActEvidence:
    """Somebody says what is so instead: every value that is believed meanwhile is rejected, and this one starts.

    Where a rejected value is believed at another time too, it is said to be so then, as surely as before. Of successive
    values only the corrected one is rejected, and what it stood beside is not cut by the one in its place. With
    ``changed_at`` nothing is rejected: the old value ends then, and this one starts.

    Raises:
        InvalidInput: it would end before it starts, or move an event to another day.
    """
    belief = ground.belief
    if to.changed_at is not None:
        return _changed(ground, now, to, to.changed_at)
    corrected = _corrected(belief, to)
    new = Interval(corrected.valid_from, corrected.valid_to)
    meanwhile = (other.target for other in ground.beliefs if other.interval.overlaps(new))
    rejected = [belief.target, *(() if _is_successive(ground) else meanwhile)]
    concerned = [placed for target in {*rejected} for placed in ground.of(target)]
    episode = _episode(belief, "correct", to.statement, _after(now, [*concerned, *ground.instead]))
    kept = [
        other
        for other in ground.beliefs
        if other.target in rejected and not other.interval.overlaps(new) and other != belief
    ]
    start = replace(corrected, episode_id=episode.id, beside=_stands_beside(belief, ground), **_quoting(episode))
    return ActEvidence(
        episode=episode,
        claims=(
            start,
            *_acts(ClaimKind.REJECTS, concerned, episode),
            *(replace(_as_before(other, episode), beside=_stands_beside(other, ground)) for other in kept),
        ),
        entities=(to.object,) if to.object else (),
    )


def _changed(ground: Ground, now: datetime, to: Correction, at: datetime) -> ActEvidence:
    """What was so until an instant, and what has been so since."""
    belief = ground.belief
    if belief.first.day or not belief.interval.start < at <= belief.interval.end:
        raise InvalidInput(
            "changed_at is no instant at which that held. Say since when the other value holds by valid_from, if the "
            "one before was wrong."
        )
    concerned = ground.of(belief.target)
    if to.target in ("", belief.target):
        raise InvalidInput("What holds since changed_at is what held before: give another object or value.")
    episode = _episode(belief, "change", to.statement, _after(now, [*concerned, *ground.instead]), at=at.isoformat())
    corrected = _corrected(belief, replace(to, valid_from=at))
    start = replace(corrected, episode_id=episode.id, beside=belief.first.beside, **_quoting(episode))
    ends = _acts(ClaimKind.ENDS, concerned, episode)
    return ActEvidence(
        episode=episode,
        claims=(start, *(replace(end, valid_from=at, from_stated=True) for end in ends)),
        entities=(to.object,) if to.object else (),
    )


def choose(ground: Ground, now: datetime, claim_id: str) -> ActEvidence:
    """Somebody says which of the claims that disagree about a belief is right; the values of the others give way.

    Raises:
        Conflict: no such claim says anything of the time of the belief.
    """
    belief = ground.belief
    asserting = (placed for placed in after_acts(ground.claims) if placed.asserts)
    disagreeing = [placed for placed in asserting if _speaks_of(placed, ground)]
    chosen = next((placed for placed in disagreeing if placed.id == claim_id), None)
    if chosen is None:
        raise Conflict(f"Claim {claim_id} does not stand, or says nothing of that time. List conflicts again.")
    others = list(dict.fromkeys(placed.target for placed in disagreeing if placed.target != chosen.target))
    concerned = [placed for target in {chosen.target, *others} for placed in ground.of(target)]
    episode = _episode(belief, "choose", chosen.claim.statement, _after(now, concerned))
    if chosen.target == belief.target:
        start = _start(belief, episode)
    else:
        start = _start(replace(belief, first=chosen.claim, attributes=chosen.claim.attributes), episode)
    disputed = [placed for target in others for placed in ground.of(target)]
    lowered = _acts(ClaimKind.LOWERS, disputed, episode, cap=RESOLVED, gave_way_to=start.id)
    return ActEvidence(episode=episode, claims=(start, *lowered))


def give_way(lowering: Lowering, now: datetime) -> ActEvidence:
    """A value gives way to a claim, as consolidation decides: of its claims none counts for more than the cap.

    Only those that do are lowered: what gave way before did so for good.
    """
    belief = lowering.belief
    surer = [placed for placed in after_acts(lowering.claims) if placed.cap is None or placed.cap > lowering.cap]
    content = f"What was said of {_words(belief)} gives way."
    episode = _episode(
        belief, "give_way", content, _after(now, lowering.claims), to=lowering.to.id, value=lowering.target
    )
    made = _acts(ClaimKind.LOWERS, surer, episode, cap=lowering.cap, gave_way_to=lowering.to.id)
    return ActEvidence(
        episode=episode,
        claims=tuple(replace(claim, asserted_by=AssertedBy.MODEL, extractor=CONSOLIDATION) for claim in made),
    )


def _is_successive(ground: Ground) -> bool:
    return ground.policy.competition == SUCCESSIVE


def _stands_beside(belief: Belief, ground: Ground) -> bool:
    """Whether a belief was said to stand beside others, or others went on when it began: said anew, it cuts none."""
    begun = belief.interval.start
    going_on = (other for other in ground.beliefs if other.target != belief.target and other.interval.contains(begun))
    return belief.first.beside or (_is_successive(ground) and any(other.interval.start < begun for other in going_on))


def _corrected(belief: Belief, to: Correction) -> Claim:
    if belief.first.day and (to.valid_from or to.valid_to):
        raise InvalidInput("An event keeps its days here. Delete it, and remember what happened when.")
    same, new = to.object is None and to.value is None, belief.first
    if not same:
        new = replace(new, object_id=to.object and to.object.id, value=to.value)
    kept = belief.attributes if new.target == belief.first.target else new.distinguishing_attributes
    start = to.valid_from or belief.interval.start
    end = to.valid_to or (belief.interval.end if belief.to_stated else END)
    if start >= end:
        raise InvalidInput("What is so instead ends before it starts, or as it starts: give both, or neither.")
    return replace(
        _asserted(new),
        statement=to.statement,
        valid_from=start,
        valid_to=end,
        from_stated=to.valid_from is not None or belief.from_stated,
        to_stated=end != END,
        attributes={**kept, **(to.attributes or {})},
        category=belief.category if to.category is None else to.category,
        importance=belief.importance,
        confidence=1.0,
    )


def _start(belief: Belief, episode: Episode) -> Claim:
    """A start that says what is believed, as somebody who is sure of it, and protects it."""
    return replace(_as_before(belief, episode), confidence=1.0, protecting=True, **_quoting(episode))


def _as_before(belief: Belief, episode: Episode) -> Claim:
    """A start that says what is believed."""
    return replace(
        _asserted(belief.first),
        episode_id=episode.id,
        **_quoting(episode),
        statement=belief.first.statement,
        valid_from=belief.interval.start,
        valid_to=belief.interval.end,
        from_stated=belief.from_stated,
        to_stated=belief.to_stated,
        attributes=belief.attributes,
        category=belief.category,
        importance=belief.importance,
        confidence=belief.confidence,
        protecting=belief.protected,
    )


def _asserted(claim: Claim) -> Claim:
    return replace(
        claim,
        kind=ClaimKind.STARTS,
        asserted_by=AssertedBy.PERSON,
        extractor=STRUCTURED,
        extractor_version=VERSION,
        revision=0,
        protecting=False,
    )


def _acts(
    kind: ClaimKind,
    concerned: Iterable[PlacedClaim],
    episode: Episode,
    *,
    cap: float | None = None,
    gave_way_to: str = "",
) -> Iterable[Claim]:
    """For each value of which this was said, one claim for each way in which claims name it."""
    asserting = sorted((placed.claim for placed in concerned if placed.asserts), key=lambda claim: claim.id)
    named = {(claim.subject_id, claim.object_id, claim.target, claim.session): claim for claim in asserting}
    for _, claim in sorted(named.items(), key=lambda item: item[1].id):
        yield replace(
            _asserted(claim),
            kind=kind,
            episode_id=episode.id,
            statement=episode.content,
            **_quoting(episode),
            valid_from=BEGIN,
            valid_to=END,
            from_stated=False,
            to_stated=False,
            confidence=1.0,
            category="",
            attributes=claim.distinguishing_attributes,
            beside=False,
            cap=cap,
            gave_way_to=gave_way_to,
        )


def _quoting(episode: Episode) -> dict[str, object]:
    """What a claim has of the episode whose whole content it quotes; its start is an instant."""
    return {
        "quote": episode.content,
        "quote_start": 0,
        "quote_end": len(episode.content),
        "said_at": episode.occurred_at,
        "turn": episode.turn,
        "from_precision": 0,
    }


def _episode(belief: Belief, act: str, content: str, said_at: datetime, **more: str) -> Episode:
    payload = {"act": act, "belief": belief.id, "claim": belief.first.id, **more}
    return Episode(
        group_id=belief.first.group_id,
        session="",
        content=content,
        occurred_at=said_at,
        content_type=ContentType.EVENT,
        role=EpisodeRole.SYSTEM,
        user=belief.first.user,
        payload=json.dumps(payload, sort_keys=True),
    )


def _after(now: datetime, placed_claims: Iterable[PlacedClaim]) -> datetime:
    """Now, or just after the newest of what was said."""
    return max([now, *(placed.said_at + MICROSECOND for placed in placed_claims)])


def _speaks_of(placed: PlacedClaim, ground: Ground) -> bool:
    """Whether a claim is for a belief at its time, or against it: what they say cannot both be so."""
    if placed.target != ground.belief.target and _is_successive(ground):
        return False
    extent = Interval(placed.claim.valid_from, placed.claim.valid_to)
    interval = extent if placed.target == ground.belief.target else insists(placed, extent, ground.policy)
    return interval.overlaps(ground.belief.interval)


def _words(belief: Belief) -> str:
    return belief.first.predicate.replace("_", " ")
