"""Facts that a language model states beside a summary become claims of the turns that they quote."""

from collections.abc import Mapping, Sequence

from graphmem.identity.short_names import ShortNames
from graphmem.model.embedding import Embedder
from graphmem.model.episode import StoredEpisode
from graphmem.model.evidence import Change, ChangeOutcome, total
from graphmem.model.fragment import AS_PACKAGED, Admission, Fragment
from graphmem.resolve.plan import resolve
from graphmem.store.change.evidence import EvidenceStore
from graphmem.write.changes import keys_of


class WindowFacts:
    """Adds them to what was read of the turns, but for what is claimed there already, or was withdrawn."""

    def __init__(
        self,
        evidence: EvidenceStore,
        embedder: Embedder,
        short_names: ShortNames,
        admission: Admission = AS_PACKAGED,
    ) -> None:
        self._evidence = evidence
        self._embedder = embedder
        self._short_names = short_names
        self._admission = admission

    async def add(self, turns: Sequence[StoredEpisode], facts: Mapping[str, Fragment]) -> ChangeOutcome:
        """Write the facts of turns of one group, by the ids of these, all in one transaction.

        Raises:
            ModelUnavailable: the embedding model is away; nothing is written.
            NotFound: one of the turns is gone; nothing is written.
            Conflict: the group imports by now; nothing is written.
        """
        read = [(turn, resolve(turn, facts[turn.id], self._admission)) for turn in turns if turn.id in facts]
        read = [(turn, evidence) for turn, evidence in read if evidence.claims]
        if not read:
            return ChangeOutcome()
        statements = list(dict.fromkeys(claim.statement for _, evidence in read for claim in evidence.claims))
        vectors = dict(zip(statements, await self._embedder.embed(statements), strict=True))
        meanings = await self._short_names.provisional_meanings([(turn.episode, evidence) for turn, evidence in read])
        changes = [
            Change(
                group_id=turn.episode.group_id,
                evidence=evidence,
                digested=(),
                embedding_model=self._embedder.model,
                vectors={claim.words: vectors[claim.statement] for claim in evidence.claims},
                adds_to=turn.id,
                meanings=meant,
                keys=keys_of(turn.episode.group_id, evidence),
            )
            for (turn, evidence), meant in zip(read, meanings, strict=True)
        ]
        return total(await self._evidence.change_evidence(changes))
