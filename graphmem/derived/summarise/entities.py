"""What a summary of an entity says, and when one is due: pure functions, as those of sessions are."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from graphmem.derived.summarise.offline import Count
from graphmem.model.belief import BeliefRow, when_of
from graphmem.model.entity_summary import EntitySentence, EntitySummaryPolicy, StoredEntitySummary, paragraph
from graphmem.model.interval import END
from graphmem.model.summary import QuotedSpan, any_overlap

CHANGED = 3
"""A summary is made again when one in so many of its beliefs changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityText:
    """What a summary of an entity says; ``content`` is "" where there is nothing to say."""

    content: str
    sentences: tuple[EntitySentence, ...]
    tokens: int

    @property
    def claims(self) -> set[str]:
        """The ids of all claims that it cites."""
        return {claim for sentence in self.sentences for claim in sentence.claims}


NOTHING_TO_SAY = EntityText(content="", sentences=(), tokens=0)


def is_due(before: StoredEntitySummary | None, held: Collection[str], policy: EntitySummaryPolicy) -> bool:
    """Whether a summary is to be made of the beliefs, by id, that are held of an entity now.

    The first one, and one after there was nothing to say, needs ``policy.least``. Then one is made again if it is
    stale, or if those that came and those that went are a third of what it was made from.
    """
    if before is None or not before.content:
        return len(held) >= policy.least
    changed = set(held).symmetric_difference(before.beliefs)
    return before.stale_at is not None or bool(changed and CHANGED * len(changed) >= len(before.beliefs))


def composed(
    beliefs: Sequence[BeliefRow], withdrawn: Collection[QuotedSpan], max_tokens: int, count: Count
) -> EntityText:
    """A paragraph of at most ``max_tokens`` tokens: the statements of beliefs, each once, in the order given.

    What does not fit is left out, and what comes after it may still fit. So is a belief left out that is believed no
    more, that cites nothing, or any evidence of which overlaps ``withdrawn``, for its statement may be in those words.
    """
    said = NOTHING_TO_SAY
    told = set[str]()
    for belief in beliefs:
        sentence = _sentence(belief)
        if sentence.text in told or not _stands(belief, withdrawn):
            continue
        longer = (*said.sentences, sentence)
        content = paragraph(longer)
        if (tokens := count(content)) <= max_tokens:
            told.add(sentence.text)
            said = EntityText(content=content, sentences=longer, tokens=tokens)
    return said


def _stands(belief: BeliefRow, withdrawn: Collection[QuotedSpan]) -> bool:
    spans = [QuotedSpan(one.episode_id, one.quote_start, one.quote_end) for one in belief.evidence]
    return bool(spans) and belief.superseded_at == END and not any_overlap(spans, withdrawn)


def _sentence(belief: BeliefRow) -> EntitySentence:
    """A statement with its days, where it does not tell them, as a sentence that others may follow."""
    words = " ".join(belief.statement.split())
    body, stop = (words[:-1], words[-1]) if words[-1:] in (".", "!", "?") else (words, ".")
    when = when_of(belief)
    return EntitySentence(
        text=f"{body} ({when}){stop}" if when else f"{body}{stop}",
        belief_id=belief.belief_id,
        claims=tuple(sorted({one.claim_id for one in belief.evidence})),
    )
