"""Candidates for who is who: what waits to be indexed and compared, how common things are, and who shares what."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from graphmem.model.claim import Claim
from graphmem.model.embedding import Vector
from graphmem.model.ids import name_id, session_id
from graphmem.model.matching import FAMILY, NEAR, MatchProfile, Shifts, View
from graphmem.model.merge import Named, Opinion, PossibleMeanings, SaidShort
from graphmem.model.persons import OWN_NAMES
from graphmem.model.scope import EVERYBODY, audience_of
from graphmem.store.driver import Transaction
from graphmem.store.instants import as_text
from graphmem.store.named import GroupQueries, IdentityStore
from graphmem.store.parameters import as_vector
from graphmem.store.queries import Query
from graphmem.store.rows.digest import ClaimRow, ClockRow
from graphmem.store.rows.identity import (
    BetweenRow,
    CandidatesRow,
    ChangedSourceRow,
    DueRow,
    FamilyNameRow,
    FrequencyRow,
    KinRow,
    MatchingSettingsRow,
    NeighbourRow,
    OvertakenRow,
    PossibleMeaningsRow,
    ProfileRow,
    RefinedWeightsRow,
    ReviewRow,
    SourcesRow,
    TermsRow,
    TogetherRow,
    UndecidedNamesRow,
    UnembeddedRow,
)

MOST_SAID = 200
"""Different values of one entity that are compared."""
FIRST_SAID = 8
"""Values of each predicate that come before further ones: in attributes no more are compared."""
MOST_TEXTS = 5
MOST_MARKED = 100_000
LONGEST = 600.0  # seconds
_FAMILY = sorted(FAMILY)


class MatchingStore(IdentityStore):
    """The reads of ``matching.cypher``, where writers are: what was just written is seen."""

    async def next_group_to_match(self, after: str) -> str | None:
        return await self._leader.first_id("next_group_to_match", after=after)

    async def due_to_index(self, group: str, limit: int) -> dict[str, datetime]:
        """Entities by id, and since when they wait."""
        rows = await self._leader.many("due_to_index", DueRow, group=group, limit=limit)
        return {row.id: row.due for row in rows}

    async def due_to_match(self, group: str, limit: int) -> dict[str, datetime]:
        """Entities by id, and since when they wait."""
        rows = await self._leader.many("due_to_match", DueRow, group=group, limit=limit)
        return {row.id: row.due for row in rows}

    async def due_in_order(self, group: str, after: str, limit: int) -> list[str]:
        """The ids of entities that wait to be compared, in order, after one."""
        rows = await self._leader.many("due_in_order", DueRow, group=group, after=after, limit=limit)
        return [row.id for row in rows]

    async def due_among(self, group: str, ids: Iterable[str]) -> set[str]:
        """Those of some entities that wait to be compared."""
        wanted = sorted(set(ids))
        rows = await self._leader.many("due_among", DueRow, group=group, ids=wanted) if wanted else []
        return {row.id for row in rows}

    async def due_to_embed(self, group: str, limit: int) -> list[UnembeddedRow]:
        """Entities whose name has no vector yet."""
        return await self._leader.many("due_to_embed", UnembeddedRow, group=group, limit=limit)

    async def embed_names(
        self, group: str, model: str, names: Iterable[UnembeddedRow], vectors: Iterable[Vector | None]
    ) -> None:
        """Write a model's vectors of names, of which some can have none; no two writers in another order."""
        rows = [
            {"id": entity.id, "name": entity.name, "due": as_text(entity.due), "embedding": as_vector(vector)}
            for entity, vector in sorted(zip(names, vectors, strict=True), key=lambda both: both[0].id)
        ]
        await self._run.execute("embed_names", group=group, embedding_model=model, rows=rows)

    async def leave_names(self, group: str, names: Iterable[UnembeddedRow]) -> None:
        """Write no vectors of these; no two writers in another order."""
        rows = [{"id": entity.id, "due": as_text(entity.due)} for entity in sorted(names, key=lambda entity: entity.id)]
        await self._run.execute("leave_names", group=group, rows=rows)

    async def forget_due_to_embed(self, group: str) -> None:
        """Wait for no vector of a name any more; commits as it goes."""
        await self._run.execute_in_batches("forget_due_to_embed", seconds=LONGEST, group=group)

    async def neighbours(self, group: str, least: Mapping[str, float], limit: int) -> list[NeighbourRow]:
        """The entities whose names are nearest to those of others, by whose id ``least`` has the least cosine."""
        rows = [{"id": id_, "least": (1 + cosine) / 2} for id_, cosine in sorted(least.items())]
        return await self._leader.many("neighbours", NeighbourRow, group=group, rows=rows, limit=limit)

    async def profiles(
        self, group: str, ids: Iterable[str], identifying: Iterable[str], user: str = EVERYBODY
    ) -> list[ProfileRow]:
        """Entities by what is said of them to everybody, and for a user.

        Where that is too much, values of predicates with ``identifying`` words come first.
        """
        parameters = _profile_parameters(ids, identifying, audience_of(user))
        return await self._leader.many("profiles", ProfileRow, group=group, **parameters)

    async def names(self, group: str, ids: Iterable[str]) -> dict[str, MatchProfile]:
        """Entities by id, as far as their names go."""
        wanted = sorted(set(ids))
        rows = (
            await self._leader.many("names", FamilyNameRow, group=group, ids=wanted, family=_FAMILY) if wanted else []
        )
        return {row.id: row.to_domain() for row in rows}

    async def undecided_names(
        self, group: str, user: str, person: str, bare: Iterable[str]
    ) -> tuple[MatchProfile | None, list[MatchProfile]]:
        """The person of a user with the names that they go by; and of bare names those of which nobody said who it is.

        No person, where nothing is said of it.
        """
        ids, predicates = sorted(set(bare)), sorted(OWN_NAMES)
        row = await self._leader.optional(
            "undecided_names",
            UndecidedNamesRow,
            group=group,
            user=user,
            audience=audience_of(user),
            person=person,
            bare=ids,
            predicates=predicates,
        )
        return (None, []) if row is None else (row.to_person(), [name.to_domain() for name in row.bare])

    async def named(self, group: str, ids: Iterable[str]) -> list[Named]:
        """Where entities are named."""
        return await self._leader.many("named", Named, group=group, ids=sorted(set(ids)))

    async def claims_between(self, group: str, others: Mapping[str, Iterable[str]]) -> list[BetweenRow]:
        """What ties entities to some others."""
        rows = [{"id": id_, "others": sorted(some)} for id_, some in others.items()]
        return await self._leader.many("claims_between", BetweenRow, group=group, rows=rows)

    async def named_together(
        self, group: str, others: Mapping[str, Iterable[str]], audience: Sequence[str] | None
    ) -> list[TogetherRow]:
        """Texts for these readers, or for anybody (None), in which entities stand near some others."""
        rows = [{"id": id_, "others": sorted(some)} for id_, some in sorted(others.items())]
        return await self._leader.many(
            "named_together", TogetherRow, group=group, rows=rows, audience=audience, near=NEAR, most=MOST_TEXTS
        )

    async def possible_meanings(
        self, group: str, short_names: Iterable[tuple[SaidShort, Iterable[str]]], turns: int, most: int
    ) -> dict[tuple[str, str, str], PossibleMeanings]:
        """Whom short names may mean, by their places; only of those that are new to the last ``turns`` of a session.

        ``short_names`` has the keys to look up with each. Where more than ``most`` have one, only those of the session
        may be meant.
        """
        rows = [
            {
                "id": short.profile.id,
                "session": short.session,
                "session_id": session_id(group, short.session),
                "user": short.user,
                "keys": sorted(keys),
            }
            for short, keys in short_names
        ]
        meanings = await self._run.many(
            "possible_meanings", PossibleMeaningsRow, group=group, rows=rows, family=_FAMILY, turns=turns, most=most
        )
        return {(row.id, row.session, row.user): row.to_domain() for row in meanings}

    async def kin(self, group: str, ids: Iterable[str]) -> list[KinRow]:
        """Entities, with what is thought of pairs that they are one of."""
        return await self._leader.many("kin", KinRow, group=group, ids=sorted(set(ids)))

    async def frequencies(self, group: str, tokens: Iterable[str]) -> dict[str, int]:
        """The holders of terms, by token."""
        rows = await self._leader.many("frequencies", FrequencyRow, group=group, ids=sorted(set(tokens)))
        return {row.id: row.holders for row in rows}

    async def candidates(self, group: str, keys: Mapping[str, Iterable[str]], most: int) -> dict[str, tuple[str, ...]]:
        """By entity, the others that share a key with it that at most so many have."""
        rows = [{"id": id_, "keys": sorted(tokens)} for id_, tokens in keys.items()]
        candidates = await self._leader.many("candidates", CandidatesRow, group=group, rows=rows, most=most)
        return {row.id: row.ids for row in candidates}

    async def due_views(self, group: str, limit: int) -> list[View]:
        """Entities to be compared in the eyes of users."""
        return await self._leader.many("due_views", View, group=group, limit=limit)

    async def index_views(self, group: str, user: str, keys: Mapping[str, Iterable[str]]) -> None:
        """Entities are found in a user's eyes by these keys from now on; one without any, by none."""
        rows = [{"id": name_id(id_, user), "keys": " ".join(sorted(tokens))} for id_, tokens in sorted(keys.items())]
        await self._run.execute("index_views", group=group, rows=rows)

    async def candidates_for_user(
        self, group: str, user: str, keys: Mapping[str, Iterable[str]], most: int
    ) -> dict[str, tuple[str, ...]]:
        """By entity, the others that share a key with it in a user's eyes that at most so many have."""
        rows = [{"id": id_, "keys": sorted(tokens)} for id_, tokens in keys.items()]
        candidates = await self._leader.many(
            "candidates_for_user", CandidatesRow, group=group, user=user, rows=rows, most=most
        )
        return {row.id: row.ids for row in candidates}

    async def mark_views(self, group: str, ids: Iterable[str]) -> None:
        """Users who were told of these entities, or of some with a key of theirs, are to have them compared again."""
        await self._run.execute("mark_views", group=group, ids=sorted(ids), most=MOST_MARKED)

    async def views_matched(self, group: str, views: Iterable[View]) -> None:
        await self._run.execute("views_matched", group=group, rows=_view_rows(views))

    async def put_off_views(self, group: str, views: Iterable[View], seconds: float) -> None:
        """Have entities compared in users' eyes after so many seconds, unless somebody asked for it meanwhile."""
        await self._run.execute("put_off_views", group=group, rows=_view_rows(views), seconds=seconds)

    async def reviews_for_model(self, group: str, limit: int) -> list[Opinion]:
        """Pairs to ask a language model about, those that look most alike first."""
        rows = await self._leader.many("reviews_for_model", ReviewRow, group=group, limit=limit)
        return [row.judgement for row in rows]

    async def unique_sources(self, group: str) -> list[str]:
        """Those of which no two entities are one, in order."""
        row = await self._run.optional("unique_sources", SourcesRow, group=group)
        return sorted(row.unique) if row else []

    async def set_unique_source(self, group: str, source: str, *, unique: bool) -> bool:
        """Whether that was said otherwise before."""
        row = await self._run.optional("set_unique_source", ChangedSourceRow, group=group, source=source, unique=unique)
        return row is not None and row.changed

    async def matching_settings(self, group: str) -> str | None:
        """The fingerprint of those by which entities were last compared; None of the default ones."""
        row = await self._leader.optional("matching_settings", MatchingSettingsRow, group=group)
        return row and row.fingerprint

    async def set_matching_settings(self, group: str, fingerprint: str) -> None:
        await self._run.execute("set_matching_settings", group=group, fingerprint=fingerprint)

    async def sample(self, group: str, limit: int) -> list[str]:
        """The entities with the smallest ids, which are hashes, in order."""
        return await self._leader.ids("sample", group=group, limit=limit)

    async def refined_weights(self, group: str) -> Mapping[str, Shifts]:
        """What was last learnt of the weights of attributes, by type."""
        row = await self._leader.optional("refined_weights", RefinedWeightsRow, group=group)
        return (row and row.weights) or {}

    async def set_refined_weights(self, group: str, weights: Mapping[str, Shifts]) -> None:
        text = json.dumps(weights, sort_keys=True) if weights else None
        await self._run.execute("set_refined_weights", group=group, weights=text)

    async def mark_types(self, group: str, types: Sequence[str]) -> None:
        """All entities of these types are to be compared again; commits as it goes."""
        await self._run.execute_in_batches("mark_types", seconds=LONGEST, group=group, types=list(types))

    async def mark_group_to_index(self, group: str) -> None:
        """All entities of a group are to be indexed and compared again; commits as it goes."""
        await self._run.execute_in_batches("mark_group_to_index", seconds=LONGEST, group=group)

    async def mark_group(self, group: str) -> None:
        """All entities of a group are to be compared again; commits as it goes."""
        await self._run.execute_in_batches("mark_group", seconds=LONGEST, group=group)

    async def overtaken(self, group: str, limit: int) -> list[OvertakenRow]:
        """Entities whose merges changed, of which claims are to be placed again now."""
        return await self._leader.many("overtaken", OvertakenRow, group=group, limit=limit)

    async def overtaken_claims(self, group: str, since: Mapping[str, datetime], after: str, limit: int) -> list[Claim]:
        """Claims that name one of these entities and were recorded since then, in order of id, after one."""
        rows = [{"id": id_, "since": as_text(at)} for id_, at in sorted(since.items())]
        claims = await self._leader.many("overtaken_claims", ClaimRow, group=group, rows=rows, after=after, limit=limit)
        return [row.claim for row in claims]

    async def forget_overtaken(self, group: str, due: Mapping[str, datetime]) -> None:
        rows = [{"id": id_, "due": as_text(at)} for id_, at in sorted(due.items())]
        await self._run.execute("forget_overtaken", group=group, rows=rows)

    async def matched(self, group: str, due: Mapping[str, datetime]) -> None:
        await self._run.execute("matched", group=group, rows=_due_rows(due))

    async def put_off_matching(self, group: str, due: Mapping[str, datetime], seconds: float) -> None:
        """Have entities compared after so many seconds, unless somebody asked for it meanwhile."""
        await self._run.execute("put_off_matching", group=group, rows=_due_rows(due), seconds=seconds)


def _due_rows(due: Mapping[str, datetime]) -> list[dict[str, str]]:
    return [{"id": id_, "due": as_text(since)} for id_, since in due.items()]


def _view_rows(views: Iterable[View]) -> list[dict[str, str]]:
    return _due_rows(dict(sorted((name_id(view.entity_id, view.user), view.due) for view in views)))


class IndexWriter:
    """Indexes entities of one group in an open transaction. Nobody else counts there meanwhile."""

    def __init__(self, transaction: Transaction, queries: Mapping[str, Query], group: str) -> None:
        self._run = GroupQueries(transaction, queries, group)

    async def lock_group(self) -> None:
        """Wait until nobody else counts."""
        await self._run.execute("lock_group")

    async def clock(self) -> datetime:
        clock = await self._run.single("clock", ClockRow, predicates=[])
        return clock.now

    async def profiles(self, ids: Iterable[str], identifying: Iterable[str]) -> list[ProfileRow]:
        """Entities by what is said of them to everybody.

        Where that is too much, values of predicates with ``identifying`` words come first.
        """
        parameters = _profile_parameters(ids, identifying, [EVERYBODY])
        return await self._run.many("profiles", ProfileRow, **parameters)

    async def terms_of_namesakes(self, ids: Iterable[str]) -> list[TermsRow]:
        return await self._run.many("terms_of_namesakes", TermsRow, ids=sorted(ids))

    async def index_entities(
        self,
        keys: Mapping[str, Iterable[str]],
        terms: Mapping[str, Iterable[str]],
        due: Mapping[str, datetime],
        now: datetime,
    ) -> None:
        """Index all that are ``due``, with their keys and terms by id; one that has neither is found by nothing."""
        rows = [
            {
                "id": id_,
                "keys": " ".join(sorted({*keys.get(id_, ()), *terms.get(id_, ())})),
                "terms": sorted(terms.get(id_, ())),
                "due": as_text(since),
            }
            for id_, since in sorted(due.items())
        ]
        await self._run.execute("index_entities", rows=rows, now=now)

    async def count_terms(self, changes: Mapping[str, int]) -> dict[str, int]:
        """How many hold each of the terms from now on."""
        rows = [{"id": token, "change": change} for token, change in sorted(changes.items())]
        if not rows:
            return {}
        counts = await self._run.many("count_terms", FrequencyRow, rows=rows)
        return {row.id: row.holders for row in counts}

    async def mark_sharing(
        self, ids: Iterable[str], keys: Mapping[str, Iterable[str]], most: int, now: datetime
    ) -> None:
        """Before entities get these ``keys``: all are compared again that hold one which crosses the limit of ``most``.

        Who finds whom must not depend on who was compared first.
        """
        rows = [{"id": id_, "shared": sorted({*keys.get(id_, ())})} for id_ in sorted(ids)]
        await self._run.execute("mark_sharing", rows=rows, most=most, now=now)

    async def mark_holders(self, tokens: Iterable[str], now: datetime) -> None:
        if wanted := sorted(tokens):
            query = "mark_holders"
            await self._run.execute(query, tokens=wanted, most=MOST_MARKED, now=now)


def _profile_parameters(ids: Iterable[str], identifying: Iterable[str], audience: Sequence[str]) -> dict[str, object]:
    """The parameters of ``profiles``."""
    return {
        "ids": sorted(set(ids)),
        "audience": audience,
        "identifying": sorted(identifying),
        "family": _FAMILY,
        "first": FIRST_SAID,
        "most": MOST_SAID,
    }
