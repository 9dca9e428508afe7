"""Short names: whom “Tom” means where somebody said “Tom Okafor” is looked up, decided and put in force."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from graphmem.errors import Unreadable
from graphmem.model.matching import FamilyTie, MatchProfile
from graphmem.model.merge import Merge, Named, PossibleMeanings, SaidShort, ShortName
from graphmem.model.projection.identity import EACH_ITSELF
from graphmem.resolve.frequencies import short_look_up_tokens
from graphmem.resolve.matching.contrasts import contrast
from graphmem.resolve.matching.vetoes import is_naming, may_be_person, short_of
from graphmem.resolve.short_names import (
    ReadEpisode,
    beside,
    family_ties,
    has_role,
    meant,
    parts_of,
    said_short,
    short_name,
    two_persons,
)
from graphmem.store.change.evidence import EvidenceStore
from graphmem.store.change.moves import MOST_MOVED, MergeChanges, Reidentified
from graphmem.store.matching import MatchingStore
from graphmem.store.rows.identity import TogetherRow

_Place = tuple[str, str, str]
"""A short name, the session in which it is said, and by or for which user."""

MOST_HOLDERS = 1_000
"""A word that more names have says nothing about who is meant."""
MOST_AT_ONCE = 64
"""A word that more names have says nothing about who is meant, where somebody waits for the answer."""
TURNS = 200
"""The last turns of a session, among which a short name and those that it may mean are looked for."""


@dataclass(frozen=True, slots=True)
class PartlyDecided:
    """What was decided; and the entities that could not be decided on, with why."""

    done: Reidentified = field(default_factory=Reidentified)
    undecided: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def moved(self) -> set[str]:
        """The entities of merges that changed."""
        return {id_ for merge in (*self.done.closed, *self.done.opened) for id_ in (merge.member, merge.other)}

    def then(self, later: Self) -> "PartlyDecided":
        return PartlyDecided(self.done.then(later.done), {**self.undecided, **later.undecided})


class ShortNames:
    """A pure function of what is named where, of what people said, and of who is who by now. May run at any time."""

    def __init__(self, store: MatchingStore, evidence: EvidenceStore) -> None:
        self._store = store
        self._evidence = evidence

    async def decide(self, group: str, ids: Collection[str], *, most: int = MOST_MOVED) -> Reidentified:
        """Decide anew on the short names among some entities, and on those that these are fuller names of.

        Raises:
            Conflict: more claims would move than one transaction moves.
            MovesMany: more claims would move than ``most``.
        """
        done = Reidentified()
        for short in await self.short_names(group, ids):
            done = done.then(await self._evidence.mean(group, short, meant, most=most))
        return done

    async def decide_readable(self, group: str, ids: Collection[str]) -> PartlyDecided:
        """Decide what short names mean; where something of one cannot be read, its entities are undecided.

        Raises:
            Conflict: more claims would move than one transaction moves.
        """
        done, undecided = Reidentified(), dict[str, str]()
        for short in await self.short_names(group, ids):
            try:
                done = done.then(await self._evidence.mean(group, short, meant))
            except Unreadable as error:
                undecided |= dict.fromkeys((short.id, *short.fuller), str(error))
        return PartlyDecided(done, undecided)

    async def provisional_meanings(self, readings: Sequence[ReadEpisode]) -> list[tuple[Merge, ...]]:
        """What short names mean that readings of one group have first in their sessions; each where it comes first.

        For the time being: the job decides anew, from all that is named anywhere.
        """
        said = _first([said_short(*reading) for reading in readings])
        if not any(said):
            return [() for _ in readings]
        group = readings[0][0].group_id
        due = [(one, short_look_up_tokens(group, one.profile)) for some in said for one in some]
        possible = await self._store.possible_meanings(group, due, TURNS, MOST_AT_ONCE)
        ties = family_ties(readings)
        said_here = [one for one, _ in due if one.place in possible]
        possible = {one.place: beside(one, possible[one.place], readings, ties) for one in said_here}
        names = {one.place: short_name(one, possible[one.place]) for one in said_here}
        names = await self._with_bearers_told_apart(group, names, possible)
        named = [(id_, "", user) for (_, _, user), one in names.items() if one.fuller for id_ in (one.id, *one.fuller)]
        who = await self._store.identities(group, named) if named else EACH_ITSELF
        merges = {place: meant(one, possible[place].opinions, who) for place, one in names.items() if one.fuller}
        return [tuple(merge for one in some for merge in merges.get(one.place, ())) for some in said]

    async def _with_bearers_told_apart(
        self, group: str, names: Mapping[_Place, ShortName], possible: Mapping[_Place, PossibleMeanings]
    ) -> dict[_Place, ShortName]:
        """Names with those whom a text tells apart from who bears the name and is something to the user."""
        asked, roles = defaultdict[str, set[str]](set), dict[str, frozenset[FamilyTie]]()
        for place, one in names.items():
            if one.fuller and has_role(possible[place].family, place[2]):
                asked[one.id] |= one.fuller
                roles[one.id] = possible[place].family
        texts = await self._store.named_together(group, asked, None) if asked else []
        told = [text for text in texts if contrast(text.content, text.ones, text.others)]
        two = {id_: _bearers_told_apart(id_, roles, told) for id_ in roles}
        return {place: replace(one, two=one.two | two.get(one.id, frozenset())) for place, one in names.items()}

    async def would_decide(self, group: str, ids: Collection[str], after: str = "") -> list[MergeChanges]:
        """The merges that this would put in force, take back and keep, of each short name.

        Without those that one that waits to be compared and comes before, by id, leads to: ``after`` is the last such.
        """
        shorts = await self.short_names(group, ids)
        earlier = {id_ for one in shorts for id_ in (one.id, *one.fuller) if id_ <= after}
        told = await self._store.due_among(group, earlier)
        left = [one for one in shorts if told.isdisjoint({one.id, *one.fuller})]
        return [(await self._evidence.would_mean(group, short, meant)).merges for short in left]

    async def short_names(self, group: str, ids: Collection[str]) -> list[ShortName]:
        """Short names among some entities, and those that these are fuller names of, with what decides on them."""
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
        return [replace(one, protected=protected) for one in await self._placed(group, known, fuller)] if fuller else []

    async def _placed(
        self, group: str, known: Mapping[str, MatchProfile], fuller: Mapping[str, Sequence[MatchProfile]]
    ) -> list[ShortName]:
        """Short names, with where they and those that they may mean are named."""
        others = {short: [one.id for one in some] for short, some in fuller.items()}
        named = defaultdict[str, list[Named]](list)
        for one in await self._store.named(group, {*others, *(id_ for some in others.values() for id_ in some)}):
            named[one.entity_id].append(one)
        apart = defaultdict[str, set[tuple[str, str]]](set)
        for row in await self._store.claims_between(group, others):
            if not is_naming(row.predicate):
                apart[row.id].add((row.session, row.other))
        two = {short: two_persons(known[short].family, some) for short, some in fuller.items()}
        told = list[TogetherRow]()
        for text in await self._store.named_together(group, others, None):
            if contrast(text.content, text.ones, text.others):
                apart[text.id].add((text.session, text.other))
                told.append(text)
        roles = {short: known[short].family for short in fuller}
        return [
            ShortName(
                id=short,
                fuller=frozenset(others[short]),
                parts_of=parts_of(some),
                named=frozenset(place for id_ in (short, *others[short]) for place in named[id_]),
                told_apart=frozenset(apart[short]),
                two=two[short] | _bearers_told_apart(short, roles, told),
            )
            for short, some in fuller.items()
        ]

    async def _sharing(self, group: str, known: Mapping[str, MatchProfile]) -> dict[str, tuple[str, ...]]:
        """By entity, those that it may be short for, or that may be short for it."""
        words = {id_: short_look_up_tokens(group, one) for id_, one in known.items()}
        return await self._store.candidates(group, words, MOST_HOLDERS) if words else {}


def _bearers_told_apart(
    short: str, roles: Mapping[str, frozenset[FamilyTie]], told: Iterable[TogetherRow]
) -> frozenset[tuple[str, str]]:
    """To which user whom a text tells apart from who bears a short name, and is something to that user."""
    return frozenset(
        (text.user, text.other) for text in told if text.id == short and has_role(roles.get(short, ()), text.user)
    )


def _first(said: Sequence[Sequence[SaidShort]]) -> list[list[SaidShort]]:
    """Of each episode the short names that come first in their session there."""
    seen: set[tuple[str, str, str]] = set()
    found: list[list[SaidShort]] = []
    for some in said:
        found.append([one for one in some if one.place not in seen])
        seen.update(one.place for one in some)
    return found


def _persons(names: Mapping[str, MatchProfile]) -> dict[str, MatchProfile]:
    return {id_: one for id_, one in names.items() if may_be_person(one)}
