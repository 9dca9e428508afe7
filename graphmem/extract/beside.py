"""Open claims beside curated ones: of what both read, the curated claim stands, perhaps in the open one's words."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from graphmem.model.claim import STATED
from graphmem.model.fragment import ProposedClaim

Verbs = Mapping[ProposedClaim, frozenset[int]]
"""Where the verbs begin that a claim is read from."""


def beside(claims: Sequence[ProposedClaim], verbs: Verbs) -> tuple[ProposedClaim, ...]:
    """The claims less the open ones of a clause that a curated one reads, which may get the open wording."""
    curated = [claim for claim in claims if not claim.open]
    opened = [claim for claim in claims if claim.open]
    if not curated or not opened:
        return tuple(claims)
    read = {claim for claim in opened if any(_reads_same(each, claim, verbs) for each in curated)}
    return tuple(_worded(claim, read, verbs) for claim in claims if claim not in read)


def _reads_same(curated: ProposedClaim, opened: ProposedClaim, verbs: Verbs) -> bool:
    """Whether one verb is at the core of both; what is read without a parse quotes its clause and no more."""
    core = verbs.get(opened, frozenset())
    if curated in verbs:
        return not core.isdisjoint(verbs[curated])
    return any(curated.quote_start <= start < curated.quote_end for start in core)


def _worded(claim: ProposedClaim, read: set[ProposedClaim], verbs: Verbs) -> ProposedClaim:
    """A curated claim in the words of the open one that says the same and more."""
    if claim.open:
        return claim
    longer = (each.statement for each in read if _reads_same(claim, each, verbs) and _says_more(each, claim))
    return replace(claim, statement=max(longer, key=len, default=claim.statement))


def _says_more(opened: ProposedClaim, curated: ProposedClaim) -> bool:
    """Whether the sentence asserts the same of the same one, in the words of the curated one and more.

    “Maya moved to Porto” is no wording of that she lives there; “Since 2019 Maya …” says what the belief's time says.
    """
    if opened.predicate in STATED.values() or not curated.kind.asserts or opened.subject != curated.subject:
        return False
    said, more = (set(one.statement.casefold().strip(".").split()) for one in (curated, opened))
    return said < more and opened.statement.startswith(curated.subject.name)
