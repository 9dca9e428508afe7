"""Clusters of entities that are the same, from judgements of pairs. Their order does not matter."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from graphmem.model.matching import Clustering, Judgement, Method, Pair, Verdict

MOST_TIED = 100
"""Entities that matches tie together of which every two are compared: nothing else tells what keeps them apart."""
_RANK = {Method.HUMAN: 0, Method.IDENTIFIER: 1, Method.USER: 2}
_BY = {Method.HUMAN: "a person said that they differ", Method.IDENTIFIER: "their identifiers differ"}
_NOTHING: Mapping[str, str] = {}
_NO_NAMES: Mapping[str, tuple[str, str]] = {}
_MARGIN = 1.0
"""Bits by which a match is better than the next one, where a source tells each thing once."""


@dataclass(slots=True)
class _Forest:
    """Clusters as they grow: the root of each entity, and the members of each root."""

    roots: dict[str, str] = field(default_factory=dict[str, str])
    members: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def root(self, entity: str) -> str:
        root = self.roots.setdefault(entity, entity)
        self.members.setdefault(root, [root])
        return root

    def join(self, a: str, b: str) -> None:
        for moved in self.members.pop(b):
            self.roots[moved] = a
            self.members[a].append(moved)


def cluster(
    judgements: Iterable[Judgement],
    unique_sources: Mapping[str, str] = _NOTHING,
    qualified: AbstractSet[str] = frozenset(),
    protected: AbstractSet[str] = frozenset(),
    called: Mapping[str, tuple[str, str]] = _NO_NAMES,
) -> Clustering:
    """Join what is judged the same, from the surest edge to the least sure; an edge that may not be is refused.

    Edges go in the order (human, identifier, user, score descending, names and qualifiers by which entities are
    ``called``, ids), those of a language model last: ids differ from group to group. One is refused if it puts into one
    cluster: a pair that is judged different by a person, an identifier or a veto; two entities of one source in
    ``unique_sources`` (entity to source), where a match is also each one's best; two ``qualified`` entities by way of a
    bare name; a ``protected`` entity and others, unless a person says so; by an edge of a language model, a pair of
    which one says that they differ. Where more than ``MOST_TIED`` are tied together, only a person joins any of them.
    """
    known = sorted({*judgements}, key=lambda judgement: (*_order(judgement), *by_names(judgement.pair, called)))
    edges = sorted(
        (judgement for judgement in known if judgement.is_same), key=lambda judgement: judgement.method is Method.MODEL
    )
    apart = _apart(known)
    doubted = _apart(replace(judgement, method=Method.VETO) for judgement in known if judgement.method is Method.MODEL)
    crowds = [members for members in tied_together(edge.pair for edge in edges) if len(members) > MOST_TIED]
    rules = _Rules(
        apart=apart,
        doubted=doubted,
        sources=unique_sources,
        qualified=qualified,
        protected=protected,
        crowded=frozenset(member for members in crowds for member in members),
    )
    rivals = _rivals(known, unique_sources)
    forest, accepted, refused = _Forest(), list[Judgement](), list[tuple[Judgement, str]]()
    for edge in edges:
        a, b = forest.root(edge.a), forest.root(edge.b)
        if a == b:
            continue
        if reason := rules.against(edge, forest.members[a], forest.members[b]) or _better(edge, rivals, unique_sources):
            refused.append((edge, reason))
        else:
            forest.join(a, b)
            accepted.append(edge)
    left = tuple((edge, reason) for edge, reason in refused if forest.root(edge.a) != forest.root(edge.b))
    clusters = sorted(tuple(sorted(members)) for members in forest.members.values() if len(members) > 1)
    return Clustering(clusters=tuple(clusters), accepted=tuple(accepted), refused=left)


def by_names(pair: Pair, called: Mapping[str, tuple[str, str]]) -> tuple[Sequence[tuple[str, str]], Pair]:
    """What orders pairs that are equal otherwise: their names and qualifiers, then their ids."""
    return sorted(called[end] for end in pair if end in called), pair


def _order(judgement: Judgement) -> tuple[int, float]:
    return _RANK.get(judgement.method, 3), -judgement.score


@dataclass(frozen=True, slots=True)
class _Rules:
    """``apart``: for each entity those that it must not share a cluster with, and why.

    ``doubted``: those of which a language model says so, which holds against what it says itself. ``crowded``: entities
    that are tied together with too many others for every two to be compared.
    """

    apart: Mapping[str, Mapping[str, str]]
    doubted: Mapping[str, Mapping[str, str]]
    sources: Mapping[str, str]
    qualified: AbstractSet[str]
    protected: AbstractSet[str]
    crowded: AbstractSet[str]

    def against(self, edge: Judgement, some: list[str], others: list[str]) -> str:
        """Why two clusters may not become one; "" if they may."""
        return (
            next(_told_apart(self.apart, some, others), "")
            or (edge.method is Method.MODEL and next(_told_apart(self.doubted, some, others), ""))
            or self._of_one_source(some, others)
            or self._by_bare_name(edge, some, others)
            or self._of_protected(edge, [*some, *others])
            or self._of_many(edge)
        )

    def _of_one_source(self, some: list[str], others: list[str]) -> str:
        of_some = {self.sources[entity] for entity in some if entity in self.sources}
        shared = sorted({self.sources[entity] for entity in others if entity in self.sources} & of_some)
        return f"two of {shared[0]}, where each is told once" if shared else ""

    def _by_bare_name(self, edge: Judgement, some: list[str], others: list[str]) -> str:
        both_told = {edge.a, edge.b} <= self.qualified and edge.method is not Method.USER
        if edge.method is Method.HUMAN or both_told:
            return ""
        both = not self.qualified.isdisjoint(some) and not self.qualified.isdisjoint(others)
        return "a bare name does not join two that have ids" if both else ""

    def _of_protected(self, edge: Judgement, together: list[str]) -> str:
        fixed = sorted(self.protected & {*together})
        return f"{fixed[0]} is protected: only a person merges it" if fixed and edge.method is not Method.HUMAN else ""

    def _of_many(self, edge: Judgement) -> str:
        too_many = edge.a in self.crowded and edge.method is not Method.HUMAN
        return f"more than {MOST_TIED} are tied together, too many to compare every two" if too_many else ""


def tied_together(pairs: Iterable[Pair]) -> list[frozenset[str]]:
    """The entities that pairs tie together, directly or by way of others."""
    forest = _Forest()
    for first, second in pairs:
        a, b = forest.root(first), forest.root(second)
        if a != b:
            forest.join(a, b)
    return [frozenset(members) for members in forest.members.values()]


def _told_apart(apart: Mapping[str, Mapping[str, str]], some: list[str], others: list[str]) -> Iterator[str]:
    there = frozenset(others)
    for entity in some:
        against = apart.get(entity, _NOTHING)
        yield from (against[other] for other in sorted(there & against.keys()))


def _apart(judgements: Iterable[Judgement]) -> dict[str, dict[str, str]]:
    apart: dict[str, dict[str, str]] = {}
    for judgement in judgements:
        if judgement.keeps_apart:
            reason = "; ".join(judgement.vetoes) or _BY.get(judgement.method, judgement.method)
            apart.setdefault(judgement.a, {})[judgement.b] = reason
            apart.setdefault(judgement.b, {})[judgement.a] = reason
    return apart


def _rivals(judgements: Iterable[Judgement], sources: Mapping[str, str]) -> dict[tuple[str, str], list[Judgement]]:
    """For each entity and unique source the two best candidates there, the better one first."""
    rivals: dict[tuple[str, str], list[Judgement]] = {}
    for judgement in judgements:
        if judgement.verdict is not Verdict.DIFFERENT:
            for entity, other in (judgement.pair, judgement.pair[::-1]):
                if other in sources:
                    rivals.setdefault((entity, sources[other]), []).append(judgement)
    return {place: judgements_there[:2] for place, judgements_there in rivals.items()}


def _better(edge: Judgement, rivals: Mapping[tuple[str, str], list[Judgement]], sources: Mapping[str, str]) -> str:
    """Why an edge is not the best of both its ends by far; "" if it is, or nothing says that there is but one."""
    for entity, other in (edge.pair, edge.pair[::-1]):
        for rival in rivals.get((entity, sources.get(other, "")), ()):
            if rival.pair != edge.pair and _order(rival) <= (_order(edge)[0], _MARGIN - edge.score):
                return f"{entity} fits another of {sources[other]} as well"
    return ""
