"""What transactions note for the audit while they run, and the rows that they end with."""

from collections.abc import Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import LiteralString
from uuid import uuid4

from graphmem.model.audit import INSTALLATION, Asker, AuditedThings, AuditNotes
from graphmem.store.queries import Query, cypher_root, in_one_statement, load_parts, read_queries

_id = attrgetter("id")


def note_changes(
    notes: AuditNotes, query: Query, params: Mapping[str, object], answered: Sequence[object] | None
) -> None:
    """Note what a query changed, as its header says; ``answered`` are its rows, None of a query that has none."""
    if not query.audited or (answered is not None and not answered and query.returns != "one"):
        return
    group = str(params.get("group", INSTALLATION))
    for part in query.audited:
        if part.counted:
            notes.count(group, part.kind, sum(1 for _ in part.of(params)))
        elif part.path:
            notes.note(group, part.kind, map(str, part.of(params)))
        else:
            notes.note(group, part.kind, (_id(row) for row in answered or () if getattr(row, "new", True)))


@cache
def record_audit() -> Query:
    """The query that writes a row. The driver runs it by itself, whatever queries a store was given."""
    root = cypher_root()
    queries = read_queries(root / "queries" / "audit.cypher", load_parts(root))
    return next(query for query in queries if query.name == "record_audit")


@cache
def with_audit(query: Query) -> LiteralString:
    """The text of a query that returns nothing, and then writes a row, in one statement."""
    return in_one_statement(query, record_audit(), load_parts(cypher_root()))


def audit_parameters(
    asker: Asker, group: str, changed: Sequence[AuditedThings] = (), *, work: str = ""
) -> dict[str, object]:
    """The parameters of ``record_audit`` and ``record_read``; ``work`` is what is done where nobody says."""
    return {
        "group": group,
        "id": uuid4().hex,
        "operation": asker.operation or work,
        "key": asker.key,
        "user": asker.user,
        "agent": asker.agent,
        "address": asker.address,
        "kinds": [things.kind for things in changed],
        "counts": [things.count for things in changed],
        "shown": [len(things.ids) for things in changed],
        "ids": [id_ for things in changed for id_ in things.ids],
    }
