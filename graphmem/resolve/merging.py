"""From opinions on pairs to merges: one entity of each cluster, the one first seen, stands for all of them.

The person of a user goes before what was seen earlier: two users of one name must not meet in that name.

Whole components are computed anew, never patched. What everybody knows is decided first, by itself; what one user knows
beside it joins the clusters of everybody, in that user's memory only.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from graphmem.model.matching import Clustering, Judgement, Pair, pair_of
from graphmem.model.merge import Decided, Kin, Merge, Opinion, said_by_models
from graphmem.resolve.matching.clusters import by_names, cluster


@dataclass(frozen=True, slots=True)
class _Layer:
    """The opinions that count for everybody, or for one user: those on pairs of what stands for each of the two."""

    user: str
    opinions: Mapping[Pair, Opinion]

    def clustering(self, kin: Kin, qualified: Iterable[str]) -> Clustering:
        """The clusters; ``qualified`` are those that somebody gave an id, or that stand for one."""
        lifted = [_between(opinion.judgement, pair) for pair, opinion in self.opinions.items()]
        ids = frozenset(qualified)
        return cluster(lifted, unique_sources=kin.sources, qualified=ids, protected=kin.protected, called=kin.called)


def decided(kin: Kin) -> Decided:
    """The merges that all opinions amount to; of short names, or of what is said of a session, come none."""
    by_user: dict[str, list[Opinion]] = defaultdict(list)
    for opinion in kin.opinions:
        if opinion.session is None:
            by_user[opinion.user].append(opinion)
    known = by_user.pop("", [])
    shared = _of_layer(_layer("", known, {}, kin.called), kin, kin.qualified)
    stands_for = {merge.member: merge.other for merge in shared.merges}
    qualified = {stands_for.get(id_, id_) for id_ in kin.qualified}
    apart = [opinion for opinion in known if not opinion.judgement.is_same]
    private = [
        _of_layer(_layer(user, [*apart, *opinions], stands_for, kin.called), kin, qualified)
        for user, opinions in by_user.items()
    ]
    return Decided(
        merges=shared.merges.union(*(part.merges for part in private)),
        refused={id_: why for part in (shared, *private) for id_, why in part.refused.items()},
    )


def _of_layer(layer: _Layer, kin: Kin, qualified: Iterable[str]) -> Decided:
    clustering = layer.clustering(kin, qualified)
    return Decided(
        merges=frozenset(_merges(layer, clustering, kin)),
        refused={layer.opinions[judgement.pair].id: reason for judgement, reason in clustering.refused},
    )


def _layer(
    user: str, opinions: Iterable[Opinion], stands_for: Mapping[str, str], called: Mapping[str, tuple[str, str]]
) -> _Layer:
    """Opinions on what stands for the two; of several on one pair, that they are different counts most."""
    by_pair: dict[Pair, Opinion] = {}
    for opinion in sorted(_in_force(opinions), key=lambda opinion: _weight(opinion, called)):
        a, b = (stands_for.get(id_, id_) for id_ in opinion.judgement.pair)
        if a != b:
            by_pair[pair_of(a, b)] = opinion
    return _Layer(user, by_pair)


def _in_force(opinions: Iterable[Opinion]) -> Iterable[Opinion]:
    """Of one pair, what somebody said counts and not what was computed, and a user's own opinion before everybody's.

    What computation leaves open, a language model decides.
    """
    known = list(opinions)
    by_pair: dict[Pair, Opinion] = {}
    for opinion in sorted(known, key=lambda opinion: (opinion.by_hand, opinion.user)):
        if not opinion.by_model:
            by_pair[opinion.judgement.pair] = opinion
    for pair, opinion_of_model in said_by_models(known).items():
        if not by_pair[pair].by_hand:
            by_pair[pair] = opinion_of_model
    return by_pair.values()


def _weight(opinion: Opinion, called: Mapping[str, tuple[str, str]]) -> tuple[object, ...]:
    judgement = opinion.judgement
    counts = judgement.keeps_apart, judgement.is_same, opinion.by_hand, judgement.score
    return (*counts, *by_names(judgement.pair, called))


def _between(judgement: Judgement, pair: Pair) -> Judgement:
    a, b = pair
    return replace(judgement, a=a, b=b)


def _merges(layer: _Layer, clustering: Clustering, kin: Kin) -> Iterator[Merge]:
    """One merge for each entity but the first of its cluster, with the opinion that ties it in."""
    ties: dict[str, list[Pair]] = defaultdict(list)
    for judgement in clustering.accepted:
        for end in judgement.pair:
            ties[end].append(judgement.pair)
    for members in clustering.clusters:
        root = min(members, key=lambda id_: kin.turn(id_, layer.user))
        for member, pair in _reached(root, ties):
            yield _merge(member, root, layer.opinions[pair], layer.user)


def _reached(root: str, ties: Mapping[str, Sequence[Pair]]) -> Iterator[tuple[str, Pair]]:
    """Everything that is tied to a root, with the pair that leads there."""
    done, ahead = {root}, [root]
    while ahead:
        for pair in ties[ahead.pop()]:
            for there in set(pair) - done:
                done.add(there)
                ahead.append(there)
                yield there, pair


def _merge(member: str, root: str, opinion: Opinion, user: str) -> Merge:
    judgement = opinion.judgement
    return Merge(
        member=member,
        other=root,
        user=user,
        session=None,
        pair=judgement.pair,
        method=judgement.method,
        stage=judgement.stage,
        score=judgement.score,
        reason=opinion.reason,
    )
