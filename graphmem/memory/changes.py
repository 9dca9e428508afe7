"""What a digest asks the store to write: a fragment, resolved, with its vectors."""

from collections.abc import Mapping, Sequence

from graphmem.model.embedding import Vector
from graphmem.model.evidence import Change, Digested, Evidence
from graphmem.model.fragment import ALONE, Context, Fragment
from graphmem.model.recall import Lease

SPARSE = 2
"""Entities of which an episode has no more, when it is read again by night."""


def change_of(
    lease: Lease,
    fragment: Fragment,
    evidence: Evidence,
    vectors: Sequence[Vector],
    *,
    embedding_model: str,
    milliseconds: Mapping[str, float],
    provisional: bool = False,
    context: Context = ALONE,
    turns: int = 0,
) -> Change:
    """The change of one digest. ``vectors`` are those of the content, then of each claim's statement.

    What was read offline in a context of ``turns`` holds for that one: it is looked at again before writing.
    """
    digested = Digested(
        episode_id=lease.stored.id,
        embedding=vectors[0],
        extractor=fragment.extractor,
        extractor_version=fragment.version,
        provisional=provisional,
        sparse=fragment.version if fragment.offline and len(evidence.entities) <= SPARSE else "",
        context=context.ids,
        context_turns=turns if fragment.offline else 0,
    )
    return Change(
        group_id=lease.stored.episode.group_id,
        evidence=evidence,
        digested=(digested,),
        embedding_model=embedding_model,
        vectors={claim.words: vector for claim, vector in zip(evidence.claims, vectors[1:], strict=True)},
        lease=lease.token,
        milliseconds=milliseconds,
        usage=fragment.usage,
    )
