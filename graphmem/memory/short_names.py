"""Short names: whom “Tom” means where somebody said “Tom Okafor” is looked up, decided and put in force."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from graphmem.model.matching import Profile
from graphmem.model.merge import Named, ShortName
from graphmem.resolve.frequencies import short_look_up_tokens
from graphmem.resolve.matching.contrasts import tells_apart
from graphmem.resolve.matching.short import is_part_of, may_be_person, short_of
from graphmem.resolve.matching.vetoes import is_naming
from graphmem.resolve.short_names import meant
from graphmem.store.change.evidence import EvidenceStore
from graphmem.store.change.moves import MergeChanges, Reidentified
from graphmem.store.matching import MatchingStore

MOST_HOLDERS = 1_000
"""A word that more names have says nothing about who is meant."""


class ShortNames:
    """A pure function of what is named where, of what people said, and of who is who by now. May run at any time."""

    def __init__(self, store: MatchingStore, evidence: EvidenceStore) -> None:
        self._store = store
        self._evidence = evidence

    async def decide(self, group: str, ids: Collection[str]) -> Reidentified:
        """Decide anew on the short names among some entities, and on those that these are fuller names of."""
        done = Reidentified()
        for short in await self.short_names(group, ids):
            done = done.then(await self._evidence.mean(group, short, meant))
        return done

    async def would_decide(self, group: str, ids: Collection[str]) -> list[MergeChanges]:
        """The merges that this would put in force, take back and keep, of each short name."""
        found = [await self._evidence.would_mean(group, short, meant) for short in await self.short_names(group, ids)]
        return [moves.merges for moves in found]

    async def short_names(self, group: str, ids: Collection[str]) -> list[ShortName]:
        """The same, and all that decides on them."""
        known = _persons(await self._store.names(group, ids))
        found = await self._sharing(group, known)
        known |= _persons(await self._store.names(group, {id_ for some in found.values() for id_ in some}))
        pairs = [(known[a], known[b]) for a, others in found.items() for b in others if b in known]
        shorts = {one.id for a, b in pairs for one, other in ((a, b), (b, a)) if short_of(one, other)}
        found |= await self._sharing(group, {id_: known[id_] for id_ in shorts.difference(found)})
        known |= _persons(
            await self._store.names(group, {id_ for short in shorts for id_ in found[short]}.difference(known))
        )
        fuller = {
            short: [known[id_] for id_ in found[short] if id_ in known and short_of(known[short], known[id_])]
            for short in sorted(shorts)
        }
        protected = frozenset(id_ for id_, one in known.items() if one.protected)
        return [replace(one, protected=protected) for one in await self._placed(group, fuller)] if fuller else []

    async def _placed(self, group: str, fuller: Mapping[str, Sequence[Profile]]) -> list[ShortName]:
        """Short names, with where they and those that they may mean are named."""
        others = {short: [one.id for one in some] for short, some in fuller.items()}
        named = defaultdict[str, list[Named]](list)
        for one in await self._store.named(group, {*others, *(id_ for some in others.values() for id_ in some)}):
            named[one.entity_id].append(one)
        apart = defaultdict[str, set[tuple[str, str]]](set)
        for row in await self._store.claims_between(group, others):
            if not is_naming(row.predicate):
                apart[row.id].add((row.session, row.other))
        for text in await self._store.named_together(group, others, None):
            if tells_apart(text.between):
                apart[text.id].add((text.session, text.other))
        return [
            ShortName(
                id=short,
                fuller=frozenset(others[short]),
                parts_of={one.id: _parts_of(one, some) for one in some},
                named=frozenset(place for id_ in (short, *others[short]) for place in named[id_]),
                told_apart=frozenset(apart[short]),
            )
            for short, some in fuller.items()
        ]

    async def _sharing(self, group: str, known: Mapping[str, Profile]) -> dict[str, tuple[str, ...]]:
        """By entity, those that it may be short for, or that may be short for it."""
        words = {id_: short_look_up_tokens(group, one) for id_, one in known.items()}
        return await self._store.candidates(group, words, MOST_HOLDERS) if words else {}


def _persons(names: Mapping[str, Profile]) -> dict[str, Profile]:
    return {id_: one for id_, one in names.items() if may_be_person(one)}


def _parts_of(part: Profile, wholes: Iterable[Profile]) -> frozenset[str]:
    return frozenset(whole.id for whole in wholes if is_part_of(part, whole))
