"""What a digest asks the store to write: a fragment, resolved, with its vectors; of a long text, piece by piece."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, takewhile

from graphmem.extract.pieces import TextPiece, pieces
from graphmem.extract.speakers import NOBODY_SPEAKS, is_nobodys, owned_of, speaker_of
from graphmem.model.embedding import EmbeddedText, Vector
from graphmem.model.episode import Episode, StoredEpisode
from graphmem.model.evidence import ALL, Change, ChangeOutcome, Digested, ResolvedEvidence
from graphmem.model.fragment import ALONE, AS_PACKAGED, Admission, Context, Extractor, Fragment
from graphmem.model.merge import Merge
from graphmem.model.owners import within
from graphmem.model.persons import DISPLAY_NAME
from graphmem.model.work import Lease
from graphmem.recall.passages import embedded_text, texts_of
from graphmem.resolve.frequencies import fuller_key_tokens
from graphmem.resolve.matching.vetoes import may_be_person
from graphmem.resolve.plan import resolve
from graphmem.resolve.remembering import LONGEST_REMEMBERED, OF_NOBODY, TOO_LONG, as_remembered, display_name
from graphmem.resolve.short_names import profile_of

LOW_YIELD = 2
"""Entities of which an episode has no more, when it is read again by night."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeRead:
    """What was read of an episode under a lease, or of a ``piece`` of it, and what that amounts to.

    ``context`` has the turns that it was read in, ``turns`` says how many these may be. ``before`` is what came of the
    pieces before this one. ``provisional``: it is read again under the same lease.
    """

    lease: Lease
    fragment: Fragment
    evidence: ResolvedEvidence
    context: Context = ALONE
    turns: int = 0
    provisional: bool = False
    piece: TextPiece | None = None
    before: ChangeOutcome | None = None

    @property
    def episode(self) -> Episode:
        return self.lease.stored.episode

    @property
    def goes_on(self) -> bool:
        """Whether other pieces of the text follow this one."""
        return self.piece is not None and self.piece.end < len(self.episode.content)

    @property
    def statements(self) -> list[str]:
        return [claim.statement for claim in self.evidence.claims]


def evidence_of(
    stored: StoredEpisode, fragment: Fragment, admission: Admission = AS_PACKAGED, piece: TextPiece | None = None
) -> ResolvedEvidence:
    """What a fragment amounts to, with what was asked to be remembered, and the name that a user's turn carries.

    Of a ``piece`` of a long text: the name comes with the first, and the text as such is no fact.
    """
    episode = stored.episode
    if (name := display_name(episode)) and (piece is None or not piece.start):
        fragment = replace(fragment, claims=(*fragment.claims, name))
    evidence = resolve(stored, fragment, admission)
    asked = episode.remember and piece is None and not _claims_something(evidence)
    if asked:
        speaker = speaker_of(episode) if episode.role.is_human else None
        evidence = resolve(stored, as_remembered(episode, fragment, speaker), admission)
    lost = asked and not _claims_something(evidence)
    unkept = TOO_LONG if len(episode.content.strip()) > LONGEST_REMEMBERED else OF_NOBODY
    missing = unkept if lost else NOBODY_SPEAKS if is_nobodys(episode, fragment.owned) else ""
    return replace(evidence, remarks=(missing,)) if missing else evidence


def _claims_something(evidence: ResolvedEvidence) -> bool:
    """Whether anything is claimed but what the user's turn is called by."""
    return any(claim.predicate != DISPLAY_NAME for claim in evidence.claims)


def change_of(
    read: EpisodeRead,
    vectors: Sequence[Vector] | None,
    *,
    embedding_model: str,
    milliseconds: Mapping[str, float],
    meanings: tuple[Merge, ...],
) -> Change:
    """The change of one digest. ``vectors`` are those of the content's texts, then of statements; None: to come.

    What was read offline in a context of turns holds for that one: it is looked at again before writing. Of a piece
    that others follow there is no vector of the content. ``meanings`` are what short names mean that it has first in
    its session.
    """
    fragment, evidence, piece, more = read.fragment, read.evidence, read.piece, read.goes_on
    entities = len(evidence.entities) + (read.before.entities if read.before else 0)
    content = read.episode.content
    own = 0 if more else len(texts_of(content))
    embedded = EmbeddedText() if more or vectors is None else embedded_text(content, vectors[:own])
    digested = Digested(
        episode_id=read.lease.stored.id,
        embedded=embedded,
        start=piece.start if piece else 0,
        end=piece.end if piece else ALL,
        goes_on=more,
        extractor=fragment.extractor,
        extractor_version=fragment.version,
        provisional=read.provisional,
        low_yield=fragment.version if _may_yield_more(fragment, entities) else "",
        context=read.context.ids,
        context_turns=read.turns if fragment.offline else 0,
    )
    return Change(
        group_id=read.episode.group_id,
        evidence=evidence,
        digested=(digested,),
        embedding_model=embedding_model,
        vectors=_by_words(evidence, None if vectors is None else vectors[own:]),
        lease=read.lease.token,
        milliseconds=milliseconds,
        usage=fragment.usage,
        unread=fragment.unread,
        before=read.before,
        meanings=meanings,
        keys=keys_of(read.episode.group_id, evidence),
    )


def _by_words(evidence: ResolvedEvidence, vectors: Sequence[Vector] | None) -> dict[str, Vector]:
    if vectors is None:
        return {}
    return dict(zip((claim.words for claim in evidence.claims), vectors, strict=True))


def keys_of(group: str, evidence: ResolvedEvidence) -> dict[str, frozenset[str]]:
    """The words by which short names find the whole names of persons."""
    persons = [profile for profile in map(profile_of, evidence.entities) if may_be_person(profile)]
    keys = {person.id: fuller_key_tokens(group, person) for person in persons}
    return {id_: tokens for id_, tokens in keys.items() if tokens}


def _may_yield_more(fragment: Fragment, entities: int) -> bool:
    """Whether a newer offline reader is to read it again: what an older one read, or where a quick one found little."""
    return fragment.offline and (not fragment.quick or entities <= LOW_YIELD)


def is_long(stored: StoredEpisode, extractor: Extractor) -> bool:
    """Whether the text is read in pieces."""
    return bool(stored.cursor) or len(stored.episode.content) > extractor.piece_chars


def parts_of(stored: StoredEpisode, extractor: Extractor) -> Sequence[TextPiece]:
    """The pieces of a long text that are left to read; none of a text that is read at once."""
    if not is_long(stored, extractor):
        return ()
    return tuple(pieces(stored.episode.content, extractor.piece_chars, stored.cursor))


def context_of_pieces(stored: StoredEpisode, context: Context) -> Context:
    """The context of the pieces: no turns before them, and whose the parts of the whole are."""
    return replace(context, turns=(), ids=(), owned=owned_of(stored.episode, context))


def context_of_piece(context: Context, piece: TextPiece) -> Context:
    """The context of one piece of a text: whose the parts of that piece are."""
    return replace(context, owned=within(context.owned, piece.start, piece.end))


def fitting(turns: Sequence[Episode], most: int) -> Sequence[Episode]:
    """The first of the turns, as many as have room in so many code points."""
    sums = accumulate(len(turn.content) for turn in turns)
    return turns[: sum(1 for _ in takewhile(lambda chars: chars <= most, sums))]
