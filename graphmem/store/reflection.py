"""Reflections: what they are made from, written, and read."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated

from graphmem.model.embedding import Vector
from graphmem.model.projection.identity import Identities
from graphmem.model.reflection import Ends, ReflectionPosition, StoredReflection, Week, WeeklyClaim
from graphmem.model.scope import SHARED, Scope, audience_of
from graphmem.store.instants import as_text
from graphmem.store.named import IdentityStore
from graphmem.store.parameters import as_vector, properties_of, sentences_json, stamp_rows, text_row
from graphmem.store.rows import ReadAs, RecordedRow


@dataclass(frozen=True, slots=True)
class _ReflectionColumns:
    since_at: datetime
    until_at: datetime


@dataclass(frozen=True, slots=True)
class ReflectionRow:
    reflection: Annotated[StoredReflection, ReadAs(_ReflectionColumns)]


@dataclass(frozen=True, slots=True)
class NamedEndsRow:
    id: str
    subject_id: str
    object_id: str | None
    session: str
    user: str

    @property
    def named(self) -> list[tuple[str, str, str]]:
        """The ends as identities are asked for: each with session and user."""
        ends = [self.subject_id, self.object_id]
        return [(end, self.session, self.user) for end in ends if end is not None]

    def placed(self, who: Identities) -> Ends:
        """The ends by who is who."""
        ends = [who.of(id_, session=session, user=user) for id_, session, user in self.named]
        return Ends(ends[0], ends[1] if self.object_id is not None else None)


class ReflectionStore(IdentityStore):
    """The queries of ``reflection.cypher``. What a reflection is made from is looked for where writers are."""

    async def next_group_to_renew(self, after: str) -> str | None:
        return await self._leader.first_id("next_group_to_renew", after=after)

    async def next_stale_reflection(self, group: str, after: str) -> StoredReflection | None:
        """The next one, by identity, that is to be made again and can be read."""
        row = await self._leader.optional("next_stale_reflection", ReflectionRow, group=group, after=after, limit=1)
        return row and row.reflection

    async def next_user_to_reflect(self, group: str, after: str) -> str | None:
        given = {"group": group, "after": max(after, SHARED)}  # after the audience of names, which is no user
        return await self._leader.first_id("next_user_to_reflect", **given)

    async def reflection_near(self, group: str, user: str, week: Week, apart: timedelta) -> StoredReflection | None:
        """The first reflection of a user whose week ends less than ``apart`` before or after this one.

        Raises:
            Unreadable: it is there, and cannot be read.
        """
        given = {"group": group, "user": user, "from": week.until - apart, "to": week.until + apart}
        row = await self._leader.optional("reflection_near", ReflectionRow, **given)
        return row and row.reflection

    async def claims_of_week(self, group: str, user: str, week: Week, limit: int) -> list[WeeklyClaim]:
        """The newest claims that a user may see: at most ``limit`` of those of everybody, and of the user's own."""
        return await self._leader.many(
            "claims_of_week",
            WeeklyClaim,
            group=group,
            users=audience_of(user),
            since=week.since,
            until=week.until,
            limit=limit,
        )

    async def withdrawn_claims(self, group: str, ids: Iterable[str], known_at: datetime) -> set[str]:
        """Those of claims, by id, that were withdrawn by then."""
        return set(await self._leader.ids("withdrawn_claims", group=group, ids=sorted(set(ids)), known_at=known_at))

    async def ends_of_claims(self, group: str, ids: Iterable[str]) -> dict[str, Ends]:
        """What the ends of claims, by id, stand for now."""
        rows = await self._leader.many("ends_of_claims", NamedEndsRow, group=group, ids=sorted(set(ids)))
        who = await self.identities(group, (end for row in rows for end in row.named))
        return {row.id: row.placed(who) for row in rows}

    async def write_reflection(
        self,
        reflection: StoredReflection,
        vector: Vector | None,
        *,
        claims: Iterable[str],
        before: str | None,
        apart: timedelta,
        stamps: Mapping[str, str],
    ) -> datetime | None:
        """When a version was recorded after that ``before`` it. It is made again where one of the ``claims`` goes.

        None, and nothing is written, where the subjects of claims have other ``stamps`` by now, or somebody else wrote
        one, or another one of the user that is less than ``apart`` from it.
        """
        row = await self._run.optional(
            "write_reflection",
            RecordedRow,
            **{"from": as_text(reflection.week.until - apart), "to": as_text(reflection.week.until + apart)},
            group=reflection.group_id,
            before=before or "",
            reflection=_reflection_row(reflection),
            vector=as_vector(vector),
            claims=sorted(set(claims)),
            subjects=stamp_rows(stamps),
        )
        return row.recorded_at if row else None

    async def keep_reflection(
        self, reflection: StoredReflection, vector: Vector | None, *, stamps: Mapping[str, str]
    ) -> datetime | None:
        """Say that a version is not stale; None, and nothing is written, where subjects have other ``stamps``."""
        row = await self._run.optional(
            "keep_reflection",
            RecordedRow,
            group=reflection.group_id,
            id=reflection.id,
            vector=as_vector(vector),
            subjects=stamp_rows(stamps),
        )
        return row.recorded_at if row else None

    async def reflections(self, scope: Scope, *, after: ReflectionPosition, limit: int) -> list[StoredReflection]:
        """Those on weeks that had ended then, as known then, in order of (end of the week, id)."""
        rows = await self._run.many(
            "reflections", ReflectionRow, scope, after_time=after[0], after_id=after[1], limit=limit
        )
        return [row.reflection for row in rows]

    async def newest_reflections(self, scope: Scope, limit: int) -> list[StoredReflection]:
        """The newest versions on weeks that had ended then; of one week the reader's own comes first."""
        rows = await self._run.many("newest_reflections", ReflectionRow, scope, user=scope.user or "", limit=limit)
        return [row.reflection for row in rows[:limit]]

    async def reflections_by_id(self, scope: Scope, ids: Iterable[str]) -> list[StoredReflection]:
        """The versions with these ids on weeks that had ended then, as known then."""
        rows = await self._run.many("reflections_by_id", ReflectionRow, scope, ids=sorted(set(ids)))
        return [row.reflection for row in rows]


def _reflection_row(reflection: StoredReflection) -> dict[str, object]:
    return {
        **text_row(reflection),
        **properties_of(reflection, "reflection_id", "material", "memories", "new"),
        **properties_of(reflection.text, "content", "tokens", "model", "prompt"),
        "sentences": sentences_json(reflection.text.sentences),
        "tags": list(reflection.tags),
        "since_at": as_text(reflection.week.since),
        "until_at": as_text(reflection.week.until),
    }
