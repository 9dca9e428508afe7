"""Context: what should go into the next prompt, under a budget of tokens.

A later layer joins in two places: it is read into ``Material`` here, and ``retrieve.composition`` makes a part of it.
"""

import asyncio
import re
from asyncio import Task
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from graphmem.model.belief import BeliefRow
from graphmem.model.composed import CHARS_OF_A_TOKEN, Composed, ContextQuery, LineKind, ProfileCandidate
from graphmem.model.damage import noted
from graphmem.model.embedding import TokenCounter
from graphmem.model.entity import PERSON, normalise_name
from graphmem.model.episode import Episode, EpisodeRole, StoredEpisode
from graphmem.model.hits import Ranked, SearchHit
from graphmem.model.naming import nobody_called
from graphmem.model.persons import ids_of_user
from graphmem.model.recall import Bearers, KnownEntity, identities
from graphmem.model.reflection import StoredReflection
from graphmem.model.scope import EVERYBODY, Scope
from graphmem.model.search import BELIEFS, EPISODE, FACT, SUMMARY, Filters
from graphmem.model.summary import QuotedSpan, StoredSummary, SummaryOutline
from graphmem.process.tasks import side_by_side
from graphmem.recall.looking_up import Sieve
from graphmem.recall.names import bearers_in, meant_by, near_names, note_taken, several_called
from graphmem.recall.reader import Reader
from graphmem.recall.search import RankedApart, Read, Searcher, Wanted, readable
from graphmem.recall.uses import Uses
from graphmem.resolve.users import may_be_user
from graphmem.retrieve.composition import Material, ProfiledEntity, composed
from graphmem.retrieve.profiles import chosen
from graphmem.retrieve.question import Run, each_once, named_in, proper_runs
from graphmem.retrieve.quoting import clause_of
from graphmem.retrieve.summaries import cited_by_stale, topmost
from graphmem.store.context import People, ProfileBeliefsRow
from graphmem.store.graph import GraphStore

RESULTS = 10
"""Turns looked at for passages, unless more are asked for."""
MOST_PROFILES = 5
MOST_CANDIDATES = 1_000
"""Beliefs of each entity among which a context chooses beside those that must be known."""
MOST_GUARANTEED, _LEAST_OF_A_LINE = 500, 4
"""Beliefs of each entity that must be known are read up to so many, and more where there may be room: no line of a
profile has fewer tokens."""
MOST_SUMMARIES = 500
MOST_REFLECTIONS = 5
"""Of these the newest is shown of which anything still counts."""
_MOST_PEOPLE = 100
_ASKED_BY = 2_000
"""Characters of the last turn that are searched for where there is no query."""
_ID = re.compile(r"[0-9a-f]{32}")


class Contexts:
    """Composes what is known, relevant and said last for a prompt."""

    def __init__(self, store: GraphStore, reader: Reader, searcher: Searcher, uses: Uses, tokens: TokenCounter) -> None:
        self._store = store
        self._uses = uses
        self._reader = reader
        self._searcher = searcher
        self._tokens = tokens

    @property
    def tokenizer(self) -> str:
        """The name of what counts the tokens."""
        return self._tokens.name

    async def context(self, scope: Scope, asked: ContextQuery) -> Composed:
        """What goes into the next prompt of a session, or beside a query.

        Raises:
            NotFound: there is no such group.
            ModelUnavailable: the tokenizer cannot be loaded.
        """
        await self._reader.known_group(scope.group)
        filters = Filters(exclude_session=asked.exclude_session)
        reading = _ScopedReads(self._store, self._reader, scope, filters)
        with noted() as damage:
            material = await self._material(reading, asked)
        material = replace(material, warnings=(*reading.warnings, *damage.sentences()))
        context = await asyncio.to_thread(composed, asked, material, self._tokens.count)
        things = [line.thing for part in context.parts for line in part.lines]
        self._uses.note(scope, [thing for thing in things if isinstance(thing, BeliefRow)])
        return context

    async def _material(self, reading: "_ScopedReads", asked: ContextQuery) -> Material:
        async with side_by_side() as tasks:
            last_turns = tasks.create_task(self._last_turns(reading, asked))
            text = tasks.create_task(_text(asked, last_turns))
            bearers = tasks.create_task(self._bearers(reading.scope, text))
            searched = tasks.create_task(self._searched(reading, asked, text, bearers))
            listed = tasks.create_task(self._listed_profiles(reading, asked, text, last_turns, bearers))
            believed = tasks.create_task(self._believed(reading, asked, listed, searched))
            withdrawn = tasks.create_task(self._withdrawn(reading.scope, last_turns, searched))
            summaries = tasks.create_task(self._summaries(reading, asked, searched))
            reflections = tasks.create_task(self._reflections(reading, asked))
        window, shown, insights = last_turns.result(), summaries.result(), reflections.result()
        profiles, hits = believed.result()
        return Material(
            reflections=insights.newest,
            withdrawn_claims=insights.withdrawn,
            summaries=shown.topmost,
            near=shown.near,
            outlines=shown.outlines,
            withdrawn_spans=shown.withdrawn,
            profiles=tuple(profiles),
            hits=tuple(hits),
            turns=tuple(window.turns),
            withdrawn=withdrawn.result(),
            before=window.before,
            too_long=window.too_long,
            excluded={
                **_excluded(asked, reading.sieve, listed.result()),
                LineKind.TURN: window.excluded,
                LineKind.SUMMARY: shown.excluded,
                LineKind.REFLECTION: insights.excluded,
            },
        )

    async def agent_of(self, scope: Scope, session: str | None) -> str | None:
        """The agent with which a session was, as far as it had been said; None where that is not known."""
        return None if session is None else await self._store.agent_of_conversation(scope, session)

    async def _last_turns(self, reading: "_ScopedReads", asked: ContextQuery) -> "_LastTurns":
        if asked.session is None:
            return _LastTurns()
        limit = asked.window + asked.earlier
        row = await self._store.turns_of_session(reading.scope, asked.session, limit)
        if asked.session == asked.exclude_session:
            return _LastTurns(excluded=row.total, subjects=row.subjects)
        short = [turn.id for turn in row.turns if turn.chars <= CHARS_OF_A_TOKEN * asked.max_tokens]
        stored = {episode.id: episode for episode in await reading.episodes(short)}
        turns = [stored[id_] for id_ in short if id_ in stored]
        before, too_long = row.total - len(row.turns), len(row.turns) - len(short)
        return _LastTurns(turns, before=before, too_long=too_long, subjects=row.subjects)

    async def _withdrawn(
        self, scope: Scope, last_turns: Task["_LastTurns"], searched: Task[RankedApart]
    ) -> Mapping[str, Sequence[str]]:
        """What no longer counts of the turns that may be shown."""
        shown = {turn.id for turn in (await last_turns).turns}
        shown |= {item.id for item in (await searched).ranked if item.kind == EPISODE}
        withdrawn = defaultdict[str, dict[str, None]](dict[str, None])
        for row in await self._store.withdrawn_quotes(scope, shown) if shown else ():
            withdrawn[row.episode][clause_of(row.quote, row.value, row.others)] = None
        return {id_: list(clauses) for id_, clauses in withdrawn.items()}

    async def _summaries(
        self, reading: "_ScopedReads", asked: ContextQuery, searched: Task[RankedApart]
    ) -> "_Summaries":
        """The session's summaries, and the nearest of any. Those below one that cannot be read take its place."""
        outlines, excluded = list[SummaryOutline](), set[str]()
        if asked.session is not None and asked.summaries:
            outlines = await self._store.summaries_of_conversation(reading.scope, asked.session, MOST_SUMMARIES)
        if asked.session == asked.exclude_session:
            excluded, outlines = set(_topmost_ids(outlines)), []
        nearest = (await searched).summaries
        near = [id_ for id_, cosine in nearest if (1 + cosine) / 2 >= asked.least_summary_score]
        if held_back := reading.sieve.held_back(SUMMARY):
            of_session = Filters(session=asked.exclude_session)
            excluded |= await self._store.summaries_passing(reading.scope, held_back, of_session)
        summaries = dict[str, StoredSummary]()
        while wanted := [
            id_
            for id_ in dict.fromkeys([*near[: asked.near_summaries], *_topmost_ids(outlines)])
            if id_ not in summaries
        ]:
            summaries |= {summary.id: summary for summary in await reading.summaries(wanted)}
            lost = set(wanted) - summaries.keys()
            near = [id_ for id_ in near if id_ not in lost]
            outlines = [outline for outline in outlines if outline.id not in lost]
        of_near = tuple(summaries[id_] for id_ in near[: asked.near_summaries])
        episodes = cited_by_stale(summaries.values(), reading.scope.known_at)
        withdrawn = await self._store.withdrawn_spans(reading.scope, episodes) if episodes else ()
        return _Summaries(tuple(summaries.values()), of_near, tuple(outlines), frozenset(withdrawn), len(excluded))

    async def _reflections(self, reading: "_ScopedReads", asked: ContextQuery) -> "_Reflections":
        """The newest, the reader's own first, without sentences that rest on a session alone that is left out."""
        if not asked.weekly_insight:
            return _Reflections()
        scope = reading.scope
        newest = tuple(await self._store.newest_reflections(scope, MOST_REFLECTIONS))
        claims = {claim for reflection in newest for claim in reflection.claims}
        withdrawn = await self._store.withdrawn_claims(scope.group, claims, scope.known_at) if claims else ()
        counts_not = frozenset(withdrawn)
        if asked.exclude_session is None or not claims:
            return _Reflections(newest, counts_not)
        excluded = await self._store.claims_of_session(scope, claims, asked.exclude_session)
        sentences = (sentence for reflection in newest for sentence in reflection.text.sentences)
        alone = {claim for each in sentences if excluded.issuperset(each.claims) for claim in each.claims}
        first = next((each for each in newest if each.standing(counts_not)), None)
        lost = first is not None and not first.standing(counts_not | alone)
        return _Reflections(newest, counts_not | alone, excluded=int(lost))

    async def _listed_profiles(
        self,
        reading: "_ScopedReads",
        asked: ContextQuery,
        text: Task[str],
        last_turns: Task["_LastTurns"],
        bearers: Task[Mapping[str, Bearers]],
    ) -> list["_ListedProfile"]:
        """The entities that the context is about, each with the ids of the beliefs in its profile."""
        people = await self._people(reading, asked, await text, await last_turns, await bearers)
        if not people:
            return []
        rows = await self._store.profile_beliefs(
            reading.scope,
            [entity.id for entity in people],
            least=asked.least_importance,
            limit=MOST_CANDIDATES if asked.facts else 0,
        )
        kept = await reading.sieve.passing(FACT, {id_ for row in rows.values() for id_ in row.ids})
        return [
            _ListedProfile(entity, row.keeping(kept), excluded=row.ids - kept)
            for entity in people
            if (row := rows.get(entity.id))
        ]

    async def _believed(
        self,
        reading: "_ScopedReads",
        asked: ContextQuery,
        listed: Task[list["_ListedProfile"]],
        searched: Task[RankedApart],
    ) -> tuple[list[ProfiledEntity], list[SearchHit]]:
        """The profiles, of what must be known and what is chosen by what is asked; and what a search finds beside.

        What was chosen is among the hits as well, for it may yet have no room in its profile.
        """
        profiles, found, scope = await listed, await searched, reading.scope
        most = max(MOST_GUARANTEED, asked.max_tokens // _LEAST_OF_A_LINE)
        now = scope.asked_at is not None and scope.known_at >= scope.asked_at

        def candidates(row: ProfileBeliefsRow) -> Iterable[ProfileCandidate]:
            return row.candidates if now else map(_unused, row.candidates)

        with_best = [(profile, chosen(candidates(profile.row), found.cosines, asked.facts)) for profile in profiles]
        known = {id_ for profile in profiles for id_ in profile.row.guaranteed}
        wanted = [item for item in found.ranked if item.id not in known and (asked.beliefs or item.kind == EPISODE)]
        ids = {id_ for profile, best in with_best for id_ in (*profile.row.guaranteed[:most], *best)}
        things = await reading.things(ids, wanted)
        beliefs = {id_: thing for id_, thing in things.items() if isinstance(thing, BeliefRow)}
        done = await reading.carried_out(beliefs.values())
        hits = [
            SearchHit(ranked=item, thing=things[item.id], carried_out=done.get(item.id, ()))
            for item in wanted
            if item.id in things
        ]

        def of(ids: Iterable[str]) -> tuple[BeliefRow, ...]:
            return tuple(beliefs[id_] for id_ in ids if id_ in beliefs)

        profiled = [
            ProfiledEntity(
                entity=profile.entity,
                guaranteed=of(profile.row.guaranteed[:most]),
                unread=profile.row.guaranteed[most:],
                chosen=of(best),
                carried_out=done,
                more=profile.row.total - len(best),
            )
            for profile, best in with_best
        ]
        return profiled, hits

    async def _people(
        self,
        reading: "_ScopedReads",
        asked: ContextQuery,
        text: str,
        last_turns: "_LastTurns",
        bearers: Mapping[str, Bearers],
    ) -> list[KnownEntity]:
        """The user, whom the caller names, whom the session is about, who speaks in it, and whom the text names.

        Where these are too many, those who speak give way. A service that tells facts of its users by name need not
        have said that they are called so.
        """
        scope, runs = reading.scope, proper_runs(text)
        turns = [turn.episode for turn in last_turns.turns[: asked.window]]
        reader = [scope.user] if scope.user else []
        speakers = [turn.user for turn in turns if _is_users(turn)]
        of_turns = [turn.speaker for turn in turns if turn.role.is_human and turn.speaker and not _is_users(turn)]
        subjects, voices = ([normalise_name(name) for name in names] for names in (last_turns.subjects, of_turns))
        async with side_by_side() as tasks:
            by_caller = tasks.create_task(self._about(reading, asked.about))
            known = tasks.create_task(
                self._store.people(
                    scope,
                    users=dict.fromkeys([*reader, *speakers]),
                    keys=[*subjects, *voices, *(run.key for run in runs)],
                    session=asked.session,
                    limit=_MOST_PEOPLE,
                )
            )
        people = known.result()
        users = {user: _persons_of(scope.group, user, some) for user, some in people.of_users.items()}
        called = await self._called(reading, people, subjects, voices, runs, bearers)
        first = [*(person for user in reader for person in users[user]), *by_caller.result(), *called.subjects]
        speaking = [*(person for user in speakers for person in users[user]), *called.speaking]
        everybody = each_once([*first, *speaking, *called.named])
        shown = identities(each_once([*first, *called.named, *speaking])[:MOST_PROFILES])
        if cut := [person.name for person in everybody if shown.isdisjoint(identities([person]))]:
            reading.warnings.append(f"There is no room for what is known about {', '.join(cut)}. Ask with `about`.")
        return [person for person in everybody if not shown.isdisjoint(identities([person]))]

    async def _called(
        self,
        reading: "_ScopedReads",
        people: People,
        about: Sequence[str],
        speaking: Sequence[str],
        runs: Sequence[Run],
        bearers: Mapping[str, Bearers],
    ) -> "_Called":
        """Whom names mean: the keys of whom the session is about and of who speaks in it, and those in the text.

        Names mean whom they mean in the session; else a short one the one person for whose name it is short.
        """
        named = named_in(runs, (person.key for person in people.called))
        keys = dict.fromkeys([*about, *speaking, *named])
        called = [person for key in keys for person in people.called if person.key == key]
        others = await self._store.entities_by_id(reading.scope, people.meant.values()) if people.meant else {}
        meant = {person: others.get(people.meant.get(person.id, ""), person) for person in called}
        of_session = {person.key for person in called if meant[person] is not person}
        short = {key: name for key, name in bearers.items() if name.fuller and key not in of_session}
        named = named_in(runs, {*named, *short})
        taken = {key: person for key in named if key in short and (person := short[key].taken_for)}
        names = [short[key] for key in named if key in short]
        note_taken(names)
        reading.warnings += several_called(names)

        def known(keys: Iterable[str]) -> Iterator[KnownEntity]:
            for key in keys:
                yield from [taken[key]] if key in taken else (meant[person] for person in called if person.key == key)

        return _Called([*known(about)], [*known(speaking)], [*known(named)])

    async def _about(self, reading: "_ScopedReads", about: str | None) -> list[KnownEntity]:
        """The entities of one name, or the entity with an id; where there is none, a warning says so."""
        scope = reading.scope
        if about is None:
            return []
        if _ID.fullmatch(about):
            known = list((await self._store.entities_by_id(scope, [about])).values())
            reading.warnings += [] if known else [f"Nothing is known of {about!r}, at that time and by who asks."]
            return known
        known = each_once(await meant_by(self._store, scope, about, limit=_MOST_PEOPLE))
        if not known:
            reading.warnings.append(nobody_called(scope.group, about, await near_names(self._store, scope, about)))
        return known[:MOST_PROFILES]

    async def _bearers(self, scope: Scope, text: Task[str]) -> Mapping[str, Bearers]:
        return await bearers_in(self._store, scope, await text)

    async def _searched(
        self, reading: "_ScopedReads", asked: ContextQuery, text: Task[str], bearers: Task[Mapping[str, Bearers]]
    ) -> RankedApart:
        """What a search finds, also of what the profiles say. Warns of what it went without, and of unknown names."""
        query = await text
        if not query or not (asked.beliefs or asked.passages or asked.facts or asked.near_summaries):
            return RankedApart()
        turns = max(RESULTS, asked.passages) if asked.passages else 0
        searched = await self._searcher.ranked_apart(
            reading.scope,
            query,
            reading.sieve,
            beliefs=asked.beliefs + asked.facts,
            turns=turns,
            summaries=asked.near_summaries > 0,
            bearers=bearers,
        )
        reading.warnings += [nobody_called(reading.scope.group, name, near) for name, near in searched.unknown.items()]
        for degradation in searched.degraded:
            reading.warnings.append(
                f"The search went without its channel “{degradation.channel}”: {degradation.detail}"
            )
        return searched


def _unused(candidate: ProfileCandidate) -> ProfileCandidate:
    """The candidate as for a time in the past, of which nobody keeps when a belief was used."""
    return replace(candidate, days_used=0)


@dataclass(frozen=True, slots=True)
class _LastTurns:
    """The last turns of a session, newest first, but for those that are too long; there are so many before these.

    So many are ``excluded``, as asked. ``subjects`` are whom it is about where that is not who speaks.
    """

    turns: Sequence[StoredEpisode] = ()
    before: int = 0
    too_long: int = 0
    excluded: int = 0
    subjects: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class _Called:
    """Whom names mean: of whom the session is about, of who speaks in it but for users, and in a text."""

    subjects: Sequence[KnownEntity]
    speaking: Sequence[KnownEntity]
    named: Sequence[KnownEntity]


@dataclass(frozen=True, slots=True)
class _ListedProfile:
    """An entity, and the row that lists its profile; ``excluded`` are the ids of what is left out of it, as asked."""

    entity: KnownEntity
    row: ProfileBeliefsRow
    excluded: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Reflections:
    """The newest, and the claims that do not count of those that they rest on.

    These were withdrawn, or sentences rest on them alone and they are of a session that is left out; so many
    reflections are ``excluded`` thereby.
    """

    newest: tuple[StoredReflection, ...] = ()
    withdrawn: frozenset[str] = frozenset()
    excluded: int = 0


@dataclass(frozen=True, slots=True)
class _Summaries:
    """The topmost summaries of a session, those ``near`` to what is asked, and what each of the session's covers.

    ``withdrawn`` is where words stand that no longer count. So many are ``excluded``, as asked.
    """

    topmost: tuple[StoredSummary, ...] = ()
    near: tuple[StoredSummary, ...] = ()
    outlines: tuple[SummaryOutline, ...] = ()
    withdrawn: frozenset[QuotedSpan] = frozenset()
    excluded: int = 0


class _ScopedReads:
    """Reads of one scope. What is too long for an answer is left out, and a warning names it.

    The ``sieve`` keeps what has all that the ``filters`` ask for.
    """

    def __init__(self, store: GraphStore, reader: Reader, scope: Scope, filters: Filters) -> None:
        self._store = store
        self._reader = reader
        self.scope = scope
        self.filters = filters
        self.sieve = Sieve(store, scope, filters)
        self.warnings: list[str] = []

    async def episodes(self, ids: Sequence[str]) -> list[StoredEpisode]:
        return await self._whole(partial(self._store.episodes_by_id, self.scope), ids, "Episode {}".format)

    async def beliefs(self, ids: Sequence[str]) -> list[BeliefRow]:
        async def read(wanted: Sequence[str]) -> Sequence[BeliefRow]:
            return (await self._store.beliefs_by_id(self.scope, wanted)).beliefs

        return await self._whole(read, ids, "Belief {}".format)

    async def summaries(self, ids: Sequence[str]) -> list[StoredSummary]:
        return await self._whole(partial(self._store.summaries_by_id, self.scope), ids, "Summary {}".format)

    async def things(self, beliefs: Iterable[str], ranked: Iterable[Ranked]) -> Mapping[str, BeliefRow | StoredEpisode]:
        """Beliefs by the ids of their rows, and what a search found of beliefs and episodes, by id."""
        said = [item.id for item in ranked if item.kind == EPISODE]
        believed = {*beliefs, *(item.id for item in ranked if item.kind != EPISODE)}
        async with side_by_side() as tasks:
            rows = tasks.create_task(self.beliefs(sorted(believed)))
            episodes = tasks.create_task(self.episodes(said))
        return {thing.id: thing for thing in (*rows.result(), *episodes.result())}

    async def carried_out(self, beliefs: Iterable[BeliefRow]) -> Mapping[str, tuple[BeliefRow, ...]]:
        """What was done of the plans and wishes among beliefs, as far as it passes, by the ids of their rows."""
        done, _ = await self._reader.carried_out(self.scope, beliefs)
        passing = await self.sieve.passing(FACT, {deed.id for deeds in done.values() for deed in deeds})
        return {id_: tuple(deed for deed in deeds if deed.id in passing) for id_, deeds in done.items()}

    async def _whole(
        self,
        read: Callable[[Sequence[Wanted]], Awaitable[Sequence[Read]]],
        wanted: Sequence[Wanted],
        name: Callable[[Wanted], str],
    ) -> list[Read]:
        parts, too_long = await readable(read, wanted, name)
        self.warnings += too_long
        return [item for part in parts for item in part]


def _excluded(asked: ContextQuery, sieve: Sieve, listed: Iterable[_ListedProfile]) -> Mapping[LineKind, int]:
    """How much of what was found only a session says that is left out. Its turns are counted where it is asked for."""
    facts = {id_ for profile in listed for id_ in profile.excluded}
    beliefs = sieve.held_back(*BELIEFS) - facts if asked.beliefs else ()
    passages = sieve.held_back(EPISODE) if asked.passages and asked.session != asked.exclude_session else ()
    return {LineKind.PROFILE: len(facts), LineKind.BELIEF: len(beliefs), LineKind.PASSAGE: len(passages)}


def _topmost_ids(outlines: Iterable[SummaryOutline]) -> list[str]:
    return [outline.id for outline in topmost(outlines, window=())]


def _persons_of(group: str, user: str, known: Sequence[KnownEntity]) -> list[KnownEntity]:
    """Of those known who are a user or may be, the persons whom the name of that user does not tell apart."""
    own, person = ids_of_user(group, user), next((one for one in known if one.qualifier), None)
    persons = (one for one in known if one.type in ("", PERSON))
    return [one for one in persons if one.id in own or may_be_user(one, person)]


def _is_users(episode: Episode) -> bool:
    """Whether the user speaks, whose person is known by more than the name of the turn."""
    return episode.role is EpisodeRole.USER and episode.user != EVERYBODY


async def _text(asked: ContextQuery, last_turns: Task[_LastTurns]) -> str:
    """What is searched: the query, or else what a user said last, or else anybody."""
    if asked.query:
        return asked.query
    newest_first = (await last_turns).turns
    users = [stored for stored in newest_first if stored.episode.role.is_human]
    return next((stored.episode.content[:_ASKED_BY] for stored in [*users, *newest_first]), "")
