"""Profiles of entities for tests of matching."""

from datetime import UTC, datetime

from graphmem.model.matching import Judgement, MatchProfile, Method, Verdict

SEEN = datetime(2026, 1, 1, tzinfo=UTC)


def profile(name: str, type_: str = "person", *, id_: str = "", qualifier: str = "", **values: str) -> MatchProfile:
    return MatchProfile(
        id=id_ or name,
        type=type_,
        name=name,
        qualifier=qualifier,
        names=frozenset({name}),
        values={predicate: frozenset({value}) for predicate, value in values.items()},
        first_seen=SEEN,
        source=qualifier.partition(":")[0],
    )


def judged(
    a: str,
    b: str,
    score: float = 8.0,
    *,
    verdict: Verdict = Verdict.SAME,
    method: Method = Method.SCORE,
    vetoes: tuple[str, ...] = (),
) -> Judgement:
    a, b = sorted((a, b))
    return Judgement(
        a=a,
        b=b,
        verdict=verdict,
        stage=None,
        method=method,
        score=score,
        probability=0.5,
        contributions=(),
        vetoes=vetoes,
    )


class Counted:
    """Frequencies from a table of (field, term); every field has ``entities`` holders."""

    def __init__(self, entities: int = 1024, **counts: int) -> None:
        self.entities = entities
        self.counts = counts

    def count(self, field: str, term: str) -> int:
        _ = field
        return self.counts.get(term, 0)

    def total(self, field: str) -> int:
        _ = field
        return self.entities
