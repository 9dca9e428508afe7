"""What became of structured claims."""

from datetime import datetime
from typing import Any

from graphmem.answers.answer import Answer, Warned


class ClaimReceipt(Answer):
    """``line`` counts the lines of an NDJSON stream from 1; null for other bodies."""

    claim_id: str
    episode_id: str
    new: bool
    line: int | None


class RefusedClaim(Answer):
    """A line of an NDJSON stream that changed nothing, and why."""

    line: int
    problem: dict[str, Any]


class ChangeCounts(Warned):
    """What changed: entities named, claims new, rows recorded and superseded.

    ``new_entities``: of which those for whom it was said had not heard before.
    ``vectors_pending``: claims that searches find by full text only, until the embedding model is back.
    """

    entities: int
    new_entities: int
    new_claims: int
    recorded: int
    superseded: int
    vectors_pending: int


class AcceptedClaims(ChangeCounts):
    """The claims in the order given, and what they changed in one transaction."""

    claims: list[ClaimReceipt]
    refused: list[RefusedClaim]


class RetractedClaim(ChangeCounts):
    """``new`` is false where the claim had been retracted before, at ``retracted_at``."""

    claim_id: str
    retracted_at: datetime
    new: bool


class CorrectedClaim(RetractedClaim):
    """The claim that was retracted, and the receipt of the one in its place."""

    claim: ClaimReceipt
