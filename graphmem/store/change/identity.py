"""Decides anew who is who, for whole components, and whom a short name means in all sessions in which it is said."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain

from graphmem.model.matching import Method, Verdict
from graphmem.model.merge import Decided, Kin, Merge, Opinion, ShortName, computed_id, said_by_models
from graphmem.model.projection.identity import Identities, identities
from graphmem.model.scope import EVERYBODY
from graphmem.store.change.moves import Moves, merge_changes, moving
from graphmem.store.change.statements import Statements

Decide = Callable[[Kin], Decided]
DecideShort = Callable[[ShortName, Iterable[Opinion], Identities], frozenset[Merge]]


@dataclass(frozen=True, slots=True)
class Reconsidered:
    """What is to be decided anew: all that is, or by opinions becomes, tied to the seeds.

    ``opinions`` are all that was computed of the entities ``judged`` for everybody or in the eyes of a ``user``: what
    was computed so before is forgotten.
    """

    seeds: frozenset[str]
    opinions: Sequence[Opinion]
    judged: frozenset[str]
    user: str = EVERYBODY


async def moves_of_components(do: Statements, asked: Reconsidered, decide: Decide) -> Moves:
    """What is to be done so that who is who is as is decided on all that was said of it."""
    component = await _component(do, asked)
    kin = component.kin
    decided = decide(kin)
    merges = merge_changes(kin.merges, decided.merges)
    before = identities(merge.same_as for merge in (*kin.merges, *component.short))
    afterwards = identities(merge.same_as for merge in (*merges.keep, *merges.open, *component.short))
    claims = await do.claims_of_entities(_named(kin, component.short)) if merges.changed else []
    others = (await do.identities(claims)).decisions - before.decisions
    before, afterwards = before.knowing(others), afterwards.knowing(others)
    final = _final(kin.opinions, decided)
    return Moves(
        about=kin.first_seen.keys(),
        opinions=final,
        forget=component.forgotten,
        record=[opinion for opinion in final if component.stored.get(opinion.id) != opinion],
        merges=merges,
        before=before,
        after=afterwards,
        moved=moving(claims, before, afterwards),
    )


def _final(opinions: Iterable[Opinion], decided: Decided) -> list[Opinion]:
    """Opinions with what became of them.

    Nobody is asked about a pair of which somebody said who they are, or a language model did and that is so; nor about
    a short name, whose sessions say it.
    """
    known = list(opinions)
    pairs_by_hand = {
        (opinion.judgement.pair, opinion.user) for opinion in known if opinion.by_hand and opinion.session is None
    }
    by_models = said_by_models(known)
    final: list[Opinion] = []
    for opinion in known:
        model_opinion = by_models.get(opinion.judgement.pair) if opinion.user == EVERYBODY else None
        refused = decided.refused.get(opinion.id, "") or (
            decided.refused.get(model_opinion.id, "") if model_opinion else ""
        )
        left_open = opinion.judgement.verdict is Verdict.REVIEW and opinion.judgement.method is not Method.CONTEXT
        open_ = (left_open and model_opinion is None) or bool(refused)
        pending = open_ and not opinion.by_model and (opinion.judgement.pair, opinion.user) not in pairs_by_hand
        final.append(replace(opinion, refused=refused, pending=pending))
    return final


@dataclass(frozen=True, slots=True, kw_only=True)
class _Component:
    """``stored`` has the opinions as they are, by id; ``forgotten`` the ids of those that count no more."""

    kin: Kin
    short: frozenset[Merge]
    stored: Mapping[str, Opinion]
    forgotten: Collection[str]


async def _component(do: Statements, asked: Reconsidered) -> _Component:
    """All that is tied to the seeds by opinions that they are the same or by merges in force; and the short names."""
    fresh = {opinion.id: opinion for opinion in asked.opinions}
    first_seen: dict[str, datetime] = {}
    qualified: set[str] = set()
    protected: set[str] = set()
    sources: dict[str, str] = {}
    called: dict[str, tuple[str, str]] = {}
    stored: dict[str, Opinion] = {}
    forgotten: set[str] = set()
    merges: set[Merge] = set()
    ahead = asked.seeds.union(*(opinion.judgement.pair for opinion in asked.opinions))
    while ahead:
        rows = await do.kin(ahead)
        first_seen |= {row.id: row.first_seen for row in rows}
        called |= {row.id: (row.name_key, row.qualifier) for row in rows}
        qualified |= {row.id for row in rows if row.qualified}
        protected |= {row.id for row in rows if row.protected}
        sources |= {row.id: row.source for row in rows if row.source is not None}
        stored |= {opinion.id: opinion for row in rows for opinion in row.judgements}
        merges |= {merge for row in rows for merge in row.merges}
        former = (opinion for id_, opinion in stored.items() if id_ not in fresh)
        forgotten = {opinion.id for opinion in former if _is_forgotten(opinion, asked, fresh)}
        opinions = {id_: opinion for id_, opinion in (stored | fresh).items() if id_ not in forgotten}
        tied = (opinion.judgement.pair for opinion in opinions.values() if opinion.judgement.is_same)
        whole = ((merge.member, merge.other) for merge in merges if merge.session is None)
        ahead = frozenset(chain.from_iterable((*tied, *whole))) - first_seen.keys()
        if not rows:
            break
    known = [opinion for id_, opinion in (stored | fresh).items() if id_ not in forgotten]
    return _Component(
        kin=Kin(
            first_seen=first_seen,
            first_told=await do.first_told(first_seen, {EVERYBODY, *(opinion.user for opinion in known)}),
            opinions=frozenset(known),
            merges=frozenset(merge for merge in merges if merge.session is None),
            called=called,
            qualified=frozenset(qualified),
            protected=frozenset(protected),
            sources=sources,
        ),
        short=frozenset(merge for merge in merges if merge.session is not None),
        stored=stored,
        forgotten=forgotten,
    )


def _is_forgotten(opinion: Opinion, asked: Reconsidered, fresh: Mapping[str, Opinion]) -> bool:
    """What was computed counts no more; what a language model said does, while nothing else is known of the two."""
    if opinion.by_hand or opinion.user != asked.user or asked.judged.isdisjoint(opinion.judgement.pair):
        return False
    computed = fresh.get(computed_id(*opinion.judgement.pair, opinion.user))
    return not opinion.by_model or (computed is not None and computed.evidence not in ("", opinion.evidence))


def _named(kin: Kin, short: Iterable[Merge]) -> Mapping[str, Sequence[str] | None]:
    """The entities whose claims may move; of short names, the sessions in which they mean one of the others."""
    sessions: dict[str, Sequence[str] | None] = {}
    for merge in short:
        if merge.session is not None:
            sessions[merge.member] = [*(sessions.get(merge.member) or ()), merge.session]
    return sessions | dict.fromkeys(kin.first_seen, None)


async def moves_of_short_name(do: Statements, short: ShortName, decide: DecideShort) -> Moves:
    """What is to be done so that a short name means what it is to mean."""
    (row,) = await do.kin([short.id])
    held = [merge for merge in row.merges if merge.member == short.id and merge.session is not None]
    users = {named.user for named in short.named}
    who = await do.identities_of((id_, "", user) for id_ in sorted({short.id, *short.fuller}) for user in sorted(users))
    merges = merge_changes(held, decide(short, row.judgements, who))
    sessions = sorted({merge.session for merge in merges.changed if merge.session is not None})
    claims = await do.claims_of_entities({short.id: sessions}) if merges.changed else []
    before = who.knowing((await do.identities(claims)).decisions).knowing(merge.same_as for merge in held)
    kept = before.decisions.difference(merge.same_as for merge in merges.close)
    after = identities(kept).knowing(merge.same_as for merge in merges.open)
    return Moves(
        about={short.id} if merges.changed else (),
        merges=merges,
        before=before,
        after=after,
        moved=moving(claims, before, after),
    )
