"""What came of what was handed in: what a digest did, what stands of it, and what was not kept, and why."""

from collections.abc import Iterator, Mapping, Sequence

from pydantic import BaseModel, ConfigDict, Field, computed_field

from graphmem.answers.answer import Answer, TextOrNull
from graphmem.model.claim import ClaimKind
from graphmem.model.fragment import REMEMBERED
from graphmem.model.persons import DISPLAY_NAME
from graphmem.model.recall import KeptClaims

MOST_KEPT = 20
"""Claims that an answer shows of an episode."""
_MOST_SENTENCES = 20
_FAULTS = {
    "not_admitted": "too unsure, or of too little importance",
    "about_itself": "about a thing and itself",
    "contradicting_times": "over before it begins",
    "same_words": "in the same words as another one, with other details",
}
"""Why what was read is no claim, by the reasons of ``ResolvedEvidence.dropped``."""
IN_OWN_WORDS = "No claim could be read from it: it is kept as one fact, in its own words."
NOT_READ = "No claim was read from it. It is stored, searched and shown in its own words."


class UsageOut(Answer):
    """What the language model took. ``input_tokens`` are without the ``cached_tokens``; ``cost`` is in US dollars.

    Answers of no use count too; ``model`` is empty where none was of use. ``dropped`` counts what the model said and
    the episode does not. ``fallback`` says why it was read offline instead.
    """

    model: str
    prompt: str
    calls: int
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    cost: float | None
    milliseconds: float
    dropped: int
    fallback: str


class DigestOutcome(BaseModel):
    """What a digest found and changed, who read it, and where its time went.

    ``provisional``: it was read offline, and stands until a language model has answered. ``dropped`` counts, by reason,
    claims that were read and not kept. ``unread_times`` say which words for a time were not read, and why:
    “29 February 2023 does not exist”. ``chars_read``: of a long text, which is read piece by piece, how far that is.
    ``new_entities``: of which those for whom it was said had not heard before. ``unread`` counts, by language, the
    characters from which no claims were read, because they are not in English and no language model read them;
    ``notice`` says so in a sentence. ``remarks`` say what is missing for more to be claimed, such as who speaks.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    entities: int = 0
    new_entities: int = 0
    mentions: int = 0
    claims: int = 0
    recorded: int = 0
    superseded: int = 0
    dropped: dict[str, int] = Field(default_factory=dict[str, int])
    unread_times: list[str] = Field(default_factory=list[str])
    remarks: list[str] = Field(default_factory=list[str])
    milliseconds: dict[str, float] = Field(default_factory=dict[str, float])
    extractor: str = ""
    extractor_version: str = ""
    provisional: bool = False
    chars_read: int | None = None
    usage: UsageOut | None = None
    unread: dict[str, int] = Field(default_factory=dict[str, int])

    @computed_field
    @property
    def notice(self) -> str | None:
        return unread_notice(self.unread)


def unread_notice(unread: Mapping[str, int]) -> str | None:
    """The sentences that say that no claims were read of what is in these languages; None where there are none."""
    if not unread:
        return None
    return (
        f"No claims were read from what is in {_listed(list(unread))}: offline reading is English only. It is stored "
        "and searched all the same; a language model reads any language."
    )


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


class KeptClaimOut(Answer):
    """A claim that stands of what was handed in; its ``kind`` says what it does: starts, holds or ends what it states.

    ``belief_id`` is that of a belief that rests on it; null where none does, as of a claim that ends something, or that
    rejects or lowers a value.
    """

    claim_id: str
    kind: ClaimKind
    statement: str
    predicate: str
    user: TextOrNull
    belief_id: TextOrNull


class KeptOut(Answer):
    """What stands now of what was handed in: the first claims, and how many are ``kept_beyond`` these.

    A key that may not read is told only how many. ``not_kept`` says in sentences what was not kept, and why.
    """

    kept: list[KeptClaimOut] = Field(default_factory=list[KeptClaimOut])
    kept_beyond: int = 0
    not_kept: list[str] = Field(default_factory=list[str])


def kept_of(outcome: Mapping[str, object] | None, kept: KeptClaims | None) -> KeptOut:
    """What stands, and what a digest with an ``outcome`` did not keep. What is None is not known."""
    told = None if outcome is None else DigestOutcome.model_validate(outcome)
    claims = kept.claims if kept else ()
    sentences = list(_not_kept(told, kept))
    more = len(sentences) - _MOST_SENTENCES
    return KeptOut(
        kept=[KeptClaimOut.of(claim) for claim in claims],
        kept_beyond=kept.total - len(claims) if kept else 0,
        not_kept=[*sentences[:_MOST_SENTENCES], *([f"And {more} more."] if more > 0 else [])],
    )


def _not_kept(outcome: DigestOutcome | None, kept: KeptClaims | None) -> Iterator[str]:
    if outcome is not None:
        yield from _unread(outcome)
    for claim in kept.claims if kept else ():
        if claim.kind.asserts and not claim.belief_id:
            yield f"Kept as evidence, and not believed, for what counts more says otherwise: {claim.statement}"
    if outcome is not None and kept is not None:
        yield from _instead(outcome, kept)


def _unread(outcome: DigestOutcome) -> Iterator[str]:
    """What a digest did not read, or did not take for a claim."""
    for reason, count in outcome.dropped.items():
        yield f"{_counted(count)} not kept: {_FAULTS.get(reason, reason)}."
    if outcome.usage and outcome.usage.dropped:
        yield f"Not kept: {outcome.usage.dropped} things that the language model said, and the text does not."
    for why in outcome.unread_times:
        yield f"A time was not read: {why}."
    yield from filter(None, [outcome.notice])
    yield from outcome.remarks


def _instead(outcome: DigestOutcome, kept: KeptClaims) -> Iterator[str]:
    """What was done where no claim was read, or none stands any more."""
    if (gone := outcome.claims - kept.total) > 0:
        yield f"{_counted(gone)} withdrawn since."
    predicates = {claim.predicate for claim in kept.claims}
    if REMEMBERED in predicates:
        yield IN_OWN_WORDS
    elif predicates <= {DISPLAY_NAME} and kept.total == len(kept.claims) and gone <= 0 and not outcome.notice:
        yield NOT_READ


def _counted(count: int) -> str:
    return "1 claim was" if count == 1 else f"{count} claims were"
