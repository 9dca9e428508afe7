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
        shorts = _first([said_short(*reading) for reading in readings])
        if not any(shorts):
            return [() for _ in readings]
        group = readings[0][0].group_id
        due = [(short, short_look_up_tokens(group, short.profile)) for some in shorts for short in some]
        possible = await self._store.possible_meanings(group, due, TURNS, MOST_AT_ONCE)
        ties = family_ties(readings)
        said_here = [short for short, _ in due if short.place in possible]
        possible = {short.place: beside(short, possible[short.place], readings, ties) for short in said_here}
        names = {short.place: short_name(short, possible[short.place]) for short in said_here}
        names = await self._with_bearers_told_apart(group, names, possible)
        named = [
            (id_, "", user) for (_, _, user), name in names.items() if name.fuller for id_ in (name.id, *name.fuller)
        ]
        who = await self._store.identities(group, named) if named else EACH_ITSELF
        merges = {place: meant(name, possible[place].opinions, who) for place, name in names.items() if name.fuller}
        return [tuple(merge for short in some for merge in merges.get(short.place, ())) for some in shorts]

    async def _with_bearers_told_apart(
        self, group: str, names: Mapping[_Place, ShortName], possible: Mapping[_Place, PossibleMeanings]
    ) -> dict[_Place, ShortName]:
        """Names with those whom a text tells apart from who bears the name and is something to the user."""
        asked, roles = defaultdict[str, set[str]](set), dict[str, frozenset[FamilyTie]]()
        for place, name in names.items():
            if name.fuller and has_role(possible[place].family, place[2]):
                asked[name.id] |= name.fuller
                roles[name.id] = possible[place].family
        texts = await self._store.named_together(group, asked, None) if asked else []
        contrasts = [text for text in texts if contrast(text.content, text.ones, text.others)]
        two = {id_: _bearers_told_apart(id_, roles, contrasts) for id_ in roles}
        return {place: replace(name, two=name.two | two.get(name.id, frozenset())) for place, name in names.items()}

    async def would_decide(self, group: str, ids: Collection[str], after: str = "") -> list[MergeChanges]:
        """The merges that deciding on each short name would put in force, take back and keep.

        Short names are left out to which an entity leads that waits to be compared and whose id is at most ``after``.
        """
        shorts = await self.short_names(group, ids)
        earlier = {id_ for short in shorts for id_ in (short.id, *short.fuller) if id_ <= after}
        waiting = await self._store.due_among(group, earlier)
        left = [short for short in shorts if waiting.isdisjoint({short.id, *short.fuller})]
        return [(await self._evidence.would_mean(group, short, meant)).merges for short in left]

    async def short_names(self, group: str, ids: Collection[str]) -> list[ShortName]:
        """Short names among some entities, and those that these are fuller names of, with what decides on them."""
        known = _persons(await self._store.names(group, ids))
        sharing = await self._sharing(group, known)
        known |= _persons(await self._store.names(group, {id_ for some in sharing.values() for id_ in some}))
        pairs = [(known[a], known[b]) for a, others in sharing.items() for b in others if b in known]
        shorts = {first.id for a, b in pairs for first, second in ((a, b), (b, a)) if short_of(first, second)}
        sharing |= await self._sharing(group, {id_: known[id_] for id_ in shorts.difference(sharing)})
        known |= _persons(
            await self._store.names(group, {id_ for short in shorts for id_ in sharing[short]}.difference(known))
        )
        fuller = {
            short: [known[id_] for id_ in sharing[short] if id_ in known and short_of(known[short], known[id_])]
            for short in sorted(shorts)
        }
        protected = frozenset(id_ for id_, profile in known.items() if profile.protected)
        return (
            [replace(name, protected=protected) for name in await self._placed(group, known, fuller)] if fuller else []
        )

    async def _placed(
        self, group: str, known: Mapping[str, MatchProfile], fuller: Mapping[str, Sequence[MatchProfile]]
    ) -> list[ShortName]:
        """Short names, with where they and those that they may mean are named."""
        others = {short: [profile.id for profile in some] for short, some in fuller.items()}
        named = defaultdict[str, list[Named]](list)
        for place in await self._store.named(group, {*others, *(id_ for some in others.values() for id_ in some)}):
            named[place.entity_id].append(place)
        apart = defaultdict[str, set[tuple[str, str]]](set)
        for row in await self._store.claims_between(group, others):
            if not is_naming(row.predicate):
                apart[row.id].add((row.session, row.other))
        two = {short: two_persons(known[short].family, some) for short, some in fuller.items()}
        contrasts = list[TogetherRow]()
        for text in await self._store.named_together(group, others, None):
            if contrast(text.content, text.ones, text.others):
                apart[text.id].add((text.session, text.other))
                contrasts.append(text)
        roles = {short: known[short].family for short in fuller}
        return [
            ShortName(
                id=short,
                fuller=frozenset(others[short]),
                parts_of=parts_of(some),
                named=frozenset(place for id_ in (short, *others[short]) for place in named[id_]),
                told_apart=frozenset(apart[short]),
                two=two[short] | _bearers_told_apart(short, roles, contrasts),
            )
            for short, some in fuller.items()
        ]

    async def _sharing(self, group: str, known: Mapping[str, MatchProfile]) -> dict[str, tuple[str, ...]]:
        """By entity, those that it may be short for, or that may be short for it."""
        words = {id_: short_look_up_tokens(group, profile) for id_, profile in known.items()}
        return await self._store.candidates(group, words, MOST_HOLDERS) if words else {}


def _bearers_told_apart(
    short: str, roles: Mapping[str, frozenset[FamilyTie]], contrasts: Iterable[TogetherRow]
) -> frozenset[tuple[str, str]]:
    """To which user whom a text tells apart from who bears a short name, and is something to that user."""
    return frozenset(
        (text.user, text.other) for text in contrasts if text.id == short and has_role(roles.get(short, ()), text.user)
    )


def _first(shorts: Sequence[Sequence[SaidShort]]) -> list[list[SaidShort]]:
    """Of each episode the short names that come first in their session there."""
    seen: set[tuple[str, str, str]] = set()
    firsts: list[list[SaidShort]] = []
    for some in shorts:
        firsts.append([short for short in some if short.place not in seen])
        seen.update(short.place for short in some)
    return firsts


def _persons(names: Mapping[str, MatchProfile]) -> dict[str, MatchProfile]:
    return {id_: profile for id_, profile in names.items() if may_be_person(profile)}
