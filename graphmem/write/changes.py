"""What a digest asks the store to write: a fragment, resolved, with its vectors."""

from collections.abc import Mapping, Sequence

from graphmem.extract.pieces import TextPiece
from graphmem.model.embedding import Vector
from graphmem.model.evidence import ALL, Change, ChangeOutcome, Digested, ResolvedEvidence
from graphmem.model.fragment import ALONE, Context, Fragment
from graphmem.model.merge import Merge
from graphmem.model.work import Lease
from graphmem.resolve.frequencies import fuller_key_tokens
from graphmem.resolve.matching.vetoes import may_be_person
from graphmem.resolve.short_names import profile_of
from graphmem.write.long_texts import goes_on

LOW_YIELD = 2
"""Entities of which an episode has no more, when it is read again by night."""


def change_of(
    lease: Lease,
    fragment: Fragment,
    evidence: ResolvedEvidence,
    vectors: Sequence[Vector] | None,
    *,
    embedding_model: str,
    milliseconds: Mapping[str, float],
    provisional: bool = False,
    context: Context = ALONE,
    turns: int = 0,
    piece: TextPiece | None = None,
    before: ChangeOutcome | None = None,
    meanings: tuple[Merge, ...] = (),
) -> Change:
    """The change of one digest. ``vectors`` are those of the content, then of each claim's statement; None: to come.

    What was read offline in a context of ``turns`` holds for that one: it is looked at again before writing. Of a
    ``piece`` that others follow there is no vector of the content; ``before`` is what came of those before it.
    ``meanings`` are what short names mean that it has first in its session.
    """
    more = goes_on(lease.stored, piece)
    entities = len(evidence.entities) + (before.entities if before else 0)
    digested = Digested(
        episode_id=lease.stored.id,
        embedding=None if more or vectors is None else vectors[0],
        start=piece.start if piece else 0,
        end=piece.end if piece else ALL,
        goes_on=more,
        extractor=fragment.extractor,
        extractor_version=fragment.version,
        provisional=provisional,
        low_yield=fragment.version if _may_yield_more(fragment, entities) else "",
        context=context.ids,
        context_turns=turns if fragment.offline else 0,
    )
    return Change(
        group_id=lease.stored.episode.group_id,
        evidence=evidence,
        digested=(digested,),
        embedding_model=embedding_model,
        vectors=_by_words(evidence, None if vectors is None else vectors[not more :]),
        lease=lease.token,
        milliseconds=milliseconds,
        usage=fragment.usage,
        before=before,
        meanings=meanings,
        keys=keys_of(lease.stored.episode.group_id, evidence),
    )


def _by_words(evidence: ResolvedEvidence, vectors: Sequence[Vector] | None) -> dict[str, Vector]:
    if vectors is None:
        return {}
    return dict(zip((claim.words for claim in evidence.claims), vectors, strict=True))


def keys_of(group: str, evidence: ResolvedEvidence) -> dict[str, frozenset[str]]:
    """The words by which short names find the whole names of persons."""
    persons = [one for one in map(profile_of, evidence.entities) if may_be_person(one)]
    found = {one.id: fuller_key_tokens(group, one) for one in persons}
    return {id_: tokens for id_, tokens in found.items() if tokens}


def _may_yield_more(fragment: Fragment, entities: int) -> bool:
    """Whether a newer offline reader is to read it again: what an older one read, or where a quick one found little."""
    return fragment.offline and (not fragment.quick or entities <= LOW_YIELD)
