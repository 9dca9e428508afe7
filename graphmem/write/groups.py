"""Groups: each is made on first use, and keeps its embedding model until it is embedded again."""

from graphmem.clock import Clock
from graphmem.errors import no_group
from graphmem.model.embedding import Embedder
from graphmem.model.group import Group
from graphmem.model.ontology import GroupOntology, Ontology
from graphmem.store.graph import GraphStore


class Groups:
    """Makes groups and changes their settings. What never changes of a group is asked of the store once."""

    def __init__(self, store: GraphStore, embedder: Embedder, clock: Clock) -> None:
        self._store = store
        self._embedder = embedder
        self._clock = clock
        self._known: dict[str, Group] = {}
        self._importing: set[str] = set()

    async def ensure(self, group: str, *, importing: bool = False) -> Group:
        """The group, made if there is none; ``importing``: one whose evidence brings its own ``recorded_at``.

        What may have changed of it since is as it was. Where its vectors are of another embedding model than is
        configured, what comes in is stored without, until the group is embedded again.
        """
        if group not in self._known or self._known[group].embedding_model != self._embedder.model:
            embedder, now = self._embedder, self._clock()
            row = await self._store.ensure_group(group, embedder.model, embedder.dimensions, now, importing=importing)
            self._known[group] = row
            if row.importing:
                self._importing.add(group)
        return self._known[group]

    async def end_import(self, group: str) -> Group:
        """From now on the clock says when something in this group is recorded.

        Raises:
            NotFound: there is no such group.
        """
        ended = await self._store.end_import(group)
        if ended is None:
            raise no_group(group)
        return ended

    async def set_ontology(self, group: str, ontology: Ontology | None) -> GroupOntology | None:
        """Give a group its own ontology, or (None) let it follow the service's; what was read before stays as it is."""
        if ontology is not None:
            await self.ensure(group)
        return await self._store.set_ontology(group, ontology, self._clock())

    async def imports(self, group: str) -> bool:
        """Whether the group still imports. One that never did, or has ended it, never will."""
        if group in self._importing:
            row = await self._store.group(group)
            if row is None or not row.importing:
                self._importing.discard(group)
        return group in self._importing
