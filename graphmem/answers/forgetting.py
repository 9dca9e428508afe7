"""What forgetting answers: what would go, and receipts of what went."""

from datetime import datetime

from pydantic import Field

from graphmem.answers.answer import Answer, Warned

NOT_PROVEN = (
    "Copies that were read or exported before.",
    "Backups and snapshots of the file system that were made before.",
    "Transaction logs of Neo4j, which keep what was written until they are pruned (docs/forgetting.md).",
)
"""What a receipt does not prove."""


class ErasedOut(Answer):
    """How many things of each kind went, or would go.

    ``rows`` are versions of beliefs on both time axes; ``rewritten`` are those that are recorded, or end, at another
    time, of which ``reopened`` are believed again. ``texts`` are summaries and reflections.
    """

    episodes: int
    claims: int
    mentions: int
    passages: int
    rows: int
    rewritten: int
    reopened: int
    texts: int
    shared: int
    entities: int
    sessions: int


class ForgetOut(Warned):
    """What would be forgotten, or is being forgotten.

    ``manifest`` stands for exactly what there is. ``counts`` are of what there is; where a user is forgotten whole,
    ``kept`` are the beliefs that stay as the group's. ``would`` says what would become of all that rests on it; null
    where that is too much to try, and once it is confirmed. ``samples`` are ids of episodes.
    ``confirm`` is what to send to have that forgotten, until ``valid_until``; both are null once it is confirmed.
    ``receipt`` is the id of the job and of its receipt, null in a preview.
    """

    manifest: str
    counts: dict[str, int]
    samples: list[str]
    would: ErasedOut | None
    confirm: str | None
    valid_until: datetime | None
    receipt: str | None


class CanaryPlaceOut(Answer):
    """Where a canary stands, by its number in the list: in ``count`` things of some ``kinds``, in a property ``key``.

    ``kinds`` are labels of a node, the type of a relationship, or the name of an index.
    """

    canary: int
    kinds: list[str]
    key: str
    count: int


class VerifiedOut(Warned):
    """What is left of what was forgotten: nothing, where ``places`` and ``episodes`` are empty.

    ``places`` are where canaries stand. ``episodes`` are ids of which the receipt has the hashes, and which are there
    again. ``vectors``: whether vectors were looked at; without the embedding model they are not. ``not_proven`` says
    what this does not prove.
    """

    places: list[CanaryPlaceOut]
    episodes: list[str]
    vectors: bool
    not_proven: list[str] = Field(default_factory=lambda: [*NOT_PROVEN])


class ReceiptOut(Warned):
    """What was forgotten, without a word of it.

    ``selectors`` are the kinds of things that were asked for, ``asked_by`` is the id of a key. ``hashes`` are of the
    ids of episodes: the first 32 hexadecimal digits of an HMAC-SHA-256 under the secret of the installation.
    ``ended_at`` is null until all is gone. ``not_proven`` says what it does not prove.
    """

    id: str
    manifest: str
    selectors: list[str]
    asked_by: str
    version: str
    asked_at: datetime
    began_at: datetime | None
    ended_at: datetime | None
    erased: ErasedOut
    hashes: list[str]
    not_proven: list[str] = Field(default_factory=lambda: [*NOT_PROVEN])
