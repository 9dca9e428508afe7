"""Users as persons: in a user's own memory, a bare name that the user goes by is the user. Nobody else's is touched.

It is decided right after names were told, so that whoever waited for that finds it decided; the job decides the same,
from all that stands.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import structlog

from graphmem.errors import GraphmemError
from graphmem.model.entity import PERSON, normalise_name
from graphmem.model.evidence import ResolvedEvidence
from graphmem.model.ids import entity_id
from graphmem.model.merge import Opinion
from graphmem.model.persons import OWN_NAMES, person_id
from graphmem.resolve.merging import decided
from graphmem.resolve.users import is_user, judged_user
from graphmem.store.change.evidence import EvidenceStore
from graphmem.store.matching import MatchingStore

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class UserNames:
    """Has names in users' memories mean the users who go by them."""

    def __init__(self, store: MatchingStore, evidence: EvidenceStore) -> None:
        self._store = store
        self._evidence = evidence

    async def follow(self, group: str, all_evidence: Iterable[ResolvedEvidence]) -> None:
        """Decide on bare names that users were just told, where nothing is decided yet; again, it changes nothing.

        What cannot be decided here, because too much moves or something is away, is left to the job.
        """
        for user, bare in sorted(_bare_names(all_evidence).items()):
            try:
                await self._follow(group, user, bare)
            except GraphmemError as error:
                log.warning("users.left_to_the_job", group=group, reason=type(error).__name__)

    async def _follow(self, group: str, user: str, bare: Iterable[str]) -> None:
        opinions = await self._opinions(group, user, bare)
        if opinions:
            ids = {id_ for opinion in opinions for id_ in opinion.judgement.pair}
            await self._evidence.reidentify(group, ids, decided, opinions, user=user)

    async def _opinions(self, group: str, user: str, bare: Iterable[str]) -> Sequence[Opinion]:
        person, others = await self._store.undecided_names(group, user, person_id(group, user), bare)
        if person is None:
            return []
        named = (profile for profile in others if is_user(person, profile, user))
        return [Opinion(judgement=judged_user(person, profile), user=user) for profile in named]


def _bare_names(all_evidence: Iterable[ResolvedEvidence]) -> Mapping[str, set[str]]:
    """The ids of persons by name alone, by the user who was told of them, or who goes by such a name."""
    bare = defaultdict[str, set[str]](set)
    for evidence in all_evidence:
        for claim in evidence.claims:
            own = claim.predicate in OWN_NAMES and claim.subject_id == person_id(claim.group_id, claim.user)
            if own and claim.user and isinstance(claim.value, str):
                bare[claim.user].add(entity_id(claim.group_id, normalise_name(claim.value)))
        persons = {entity.id for entity in evidence.entities if entity.type == PERSON and not entity.qualifier}
        for known in evidence.known_as:
            if known.user and known.entity_id in persons:
                bare[known.user].add(known.entity_id)
    return bare
