"""The statements of an erasure in one open transaction: one method per query of ``forget.cypher`` that it runs."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime

from graphmem.model.erasure import EverDecided, Naming, ReplacedText
from graphmem.model.fact import Use
from graphmem.model.forgetting import Erased
from graphmem.model.ids import digest, group_token
from graphmem.model.interval import END
from graphmem.model.matching import BUCKETS, OF_WHOLE_NAMES
from graphmem.model.projection.history import DatedPolicy, RecordedVersion
from graphmem.model.projection.slot import Slot
from graphmem.model.scope import SHARED
from graphmem.store.change.statements import Statements
from graphmem.store.instants import as_text
from graphmem.store.matching import MOST_MARKED
from graphmem.store.parameters import belief_row
from graphmem.store.rows import CountRow, RecordedRow
from graphmem.store.rows.forget import (
    DatedPolicyRow,
    DecidedRow,
    ErasedEntitiesRow,
    ErasedRow,
    EverClaimedRow,
    EverHeldRow,
    EvidenceRow,
    ForgottenEpisodeRow,
    NamingLeftRow,
    NamingRow,
    SlotEverRow,
    SupportLeftRow,
)

MOST_NAMINGS = 1_000
"""How often an entity is named in what is left, first the first, which tells what it would have been called."""


class Erasing(Statements):
    """What one transaction says to erase evidence of one group."""

    @property
    def listed_types(self) -> frozenset[str]:
        """The types of entities that the service's ontology lists, which are nobody's words."""
        return frozenset(self._types)

    # what there is --------------------------------------------------------------------------------------------------

    async def lock_forgotten(self, ids: Iterable[str]) -> list[ForgottenEpisodeRow]:
        """Those of the episodes that are there, locked in order of id."""
        return await self._run.many("lock_forgotten", ForgottenEpisodeRow, ids=sorted(ids))

    async def replaced_texts(self, ids: Iterable[str]) -> list[ReplacedText]:
        """The texts in whose places these episodes came, in order of id."""
        return await self._run.whole("replaced_texts", ReplacedText, ids=sorted(ids))

    async def evidence_of_episodes(self, ids: Sequence[str]) -> EvidenceRow:
        (row,) = await self._run.whole("evidence_of_episodes", EvidenceRow, ids=list(ids))
        return row

    async def claims_about(self, values: Iterable[tuple[str, str, str]]) -> list[EverClaimedRow]:
        """All that was ever claimed, by (subject, predicate, user)."""
        rows = [
            {"subject_id": subject, "predicate": predicate, "user": user}
            for subject, predicate, user in sorted(set(values))
        ]
        return await self._run.whole("claims_about", EverClaimedRow, rows=rows) if rows else []

    async def claims_with_ends(self, ids: Iterable[str]) -> list[EverClaimedRow]:
        return await self._run.whole("claims_with_ends", EverClaimedRow, ids=sorted(set(ids)))

    async def decided_ever(self, ids: Iterable[str]) -> list[EverDecided]:
        """All decisions on entities, and on all that these were ever decided to be, and so on."""
        decided: dict[str, EverDecided] = {}
        seen, ahead = set[str](), set(ids)
        while ahead:
            rows = await self._run.whole("decided_ever", DecidedRow, ids=sorted(ahead))
            decided |= {row.id: row.to_domain() for row in rows}
            seen |= ahead
            ahead = {id_ for row in rows for id_ in (row.same_as.member, row.same_as.other)} - seen
        return sorted(decided.values(), key=lambda one: one.id)

    async def policies_ever(self, names: Iterable[str]) -> list[DatedPolicy]:
        rows = await self._run.whole("policies_ever", DatedPolicyRow, names=sorted(set(names)))
        return [row.to_domain() for row in rows]

    async def began_at(self) -> datetime:
        return (await self._run.single("began_at", RecordedRow)).recorded_at

    async def slots_ever(self, slots: Sequence[Slot], tied: Mapping[str, Collection[str]]) -> list[SlotEverRow]:
        """The slots with all that ever stood there; entities may have stood for those that they are ``tied`` to."""
        rows = [
            asdict(slot)
            | {
                "subject_ids": sorted(tied.get(slot.subject_id, {slot.subject_id})),
                "target": slot.target or "",
                "targets": sorted(tied.get(slot.target or "", {slot.target or ""})),
                "distinguished_by": list(slot.distinguished_by),
            }
            for slot in slots
        ]
        return await self._run.whole("slots_ever", SlotEverRow, slots=rows) if rows else []

    async def support_left(
        self, ids: Iterable[str], episodes: Iterable[str], claims: Iterable[str]
    ) -> list[SupportLeftRow]:
        return await self._run.whole(
            "support_left", SupportLeftRow, ids=sorted(set(ids)), episodes=sorted(episodes), claims=sorted(claims)
        )

    async def namings(self, ids: Iterable[str], users: Iterable[str], episodes: Iterable[str]) -> list[NamingRow]:
        return await self._run.whole(
            "namings", NamingRow, ids=sorted(ids), users=sorted(users), episodes=sorted(episodes)
        )

    async def namings_left(self, rows: Iterable[NamingRow]) -> dict[str, NamingLeftRow]:
        asked = [{"id": row.id, "entity_id": row.entity_id, "user": row.user} for row in rows]
        left = await self._run.whole("namings_left", NamingLeftRow, rows=asked, limit=MOST_NAMINGS) if asked else []
        return {row.id: row for row in left}

    # what goes ------------------------------------------------------------------------------------------------------

    async def erase_texts(self, episodes: Iterable[str], claims: Iterable[str], now: datetime) -> int:
        row = await self._run.single("erase_texts", CountRow, episodes=sorted(episodes), claims=sorted(claims), now=now)
        return row.count

    async def erase_evidence(self, episodes: Iterable[str], claims: Iterable[str]) -> ErasedRow:
        return await self._run.single("erase_evidence", ErasedRow, episodes=sorted(episodes), claims=sorted(claims))

    async def erase_shared(self, ids: Iterable[str]) -> int:
        return (await self._run.single("erase_shared", CountRow, ids=sorted(ids))).count

    async def erase_entities(self, ids: Iterable[str], now: datetime) -> int:
        """Returns how many went; those that share a term which is rarer now are to be compared again."""
        row = await self._run.single(
            "erase_entities",
            ErasedEntitiesRow,
            ids=sorted(ids),
            of_whole_names=OF_WHOLE_NAMES,
            buckets=list(BUCKETS),
        )
        tokens = sorted({*row.rarer})
        await self._run.execute_for("mark_holders", tokens, tokens=tokens, most=MOST_MARKED, now=now)
        return row.count

    async def erase_sessions(self, ids: Iterable[str]) -> int:
        return (await self._run.single("erase_sessions", CountRow, ids=sorted(ids))).count

    # what stays -----------------------------------------------------------------------------------------------------

    async def drop_rows(self, ids: Sequence[str]) -> None:
        await self._run.execute_for("drop_rows", ids, ids=list(ids))

    async def end_rows(self, ended: Sequence[tuple[EverHeldRow, datetime]]) -> None:
        rows = [{"id": row.id, "superseded_at": as_text(until)} for row, until in ended]
        await self._run.execute_for("end_rows", rows, rows=rows)

    async def write_versions(self, versions: Sequence[tuple[RecordedVersion, Use, bool]]) -> None:
        """Versions, each with its use, and whether everybody sees it."""
        rows = [
            belief_row(version.belief, use, version.recorded_at, shared=shared)
            | {
                "recorded_at": as_text(version.recorded_at),
                "superseded_at": as_text(version.superseded_at),
                "relates": version.belief.object_id is not None,
                "believed": version.superseded_at == END,
            }
            for version, use, shared in versions
        ]
        await self._run.execute_for("write_versions", rows, group_token=group_token(self._run.group), rows=rows)

    async def move_decisions(self, decisions: Iterable[EverDecided]) -> None:
        rows = [
            {
                "former": one.id,
                "id": digest(
                    "merge",
                    one.dated.same_as.member,
                    one.dated.same_as.other,
                    one.dated.same_as.user,
                    one.dated.same_as.session,
                    one.dated.recorded_at,
                ),
                "member": one.dated.same_as.member,
                "other": one.dated.same_as.other,
                "first_id": min(one.dated.same_as.member, one.dated.same_as.other),
                "second_id": max(one.dated.same_as.member, one.dated.same_as.other),
                "recorded_at": as_text(one.dated.recorded_at),
                "superseded_at": as_text(one.dated.superseded_at),
                "in_force": one.dated.superseded_at == END,
            }
            for one in decisions
        ]
        await self._run.execute_for("move_decisions", rows, rows=rows)

    async def rewrite_names(self, namings: Mapping[str, Naming], now: datetime) -> None:
        rows = [
            {"id": id_}
            | {
                name: [as_text(value) if isinstance(value, datetime) else value for value in values]
                for name, values in asdict(naming).items()
            }
            for id_, naming in sorted(namings.items())
        ]
        await self._run.execute_for("rewrite_names", rows, rows=rows, now=now)

    async def rename_entities(self, ids: Iterable[str], now: datetime) -> None:
        rows = sorted(ids)
        await self._run.execute_for("rename_entities", rows, ids=rows, shared_with_all=SHARED, now=now)

    async def put_texts_back(self, texts: Iterable[ReplacedText], now: datetime) -> None:
        rows = [
            {
                "id": text.id,
                "replaced_at": text.followed_at and as_text(text.followed_at),
                "replaced_by": text.followed_by,
            }
            for text in texts
        ]
        await self._run.execute_for("put_texts_back", rows, rows=rows, now=now)

    async def restamp(self, ids: Iterable[str], now: datetime) -> None:
        rows = sorted(ids)
        await self._run.execute_for("restamp", rows, ids=rows, now=now)

    async def count_erased(self, receipt: str, erased: Erased, hashes: Sequence[str], now: datetime) -> None:
        await self._run.execute("count_erased", id=receipt, counts=asdict(erased), hashes=list(hashes), now=now)
