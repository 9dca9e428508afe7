"""What an older process leaves to do: rows that lack properties are completed, and indexes that it used go.

Completing runs before migrations whose indexes need the properties, and after every start, because an older process
may have gone on beside the new one. A query goes once it is in a release that no process precedes.

Raises:
    MigrationError: a query fails.
    StoreUnavailable: Neo4j is away.
"""

from collections.abc import Mapping

from graphmem.errors import GraphmemError, MigrationError, StoreUnavailable
from graphmem.model.ids import audience_token, own_session_id, session_id
from graphmem.model.projection.existence import BOUNDS, bound_of
from graphmem.model.session import SILENCE
from graphmem.store.driver import Database, code_of
from graphmem.store.queries import Query
from graphmem.store.rows.group import AudienceRow, SchemaNamesRow, UnsplitSessionRow

LONGEST = 3600.0  # seconds
_AUDIENCES = 1_000
_ALONE = (
    "complete_claims",
    "complete_names",
    "complete_categories_of_claims",
    "complete_categories_of_facts",
    "complete_categories_of_relationships",
    "complete_low_yield",
    "complete_low_yield_of_accurate",
    "complete_reprocessing_of_pending",
    "complete_reprocessing_of_refining",
    "complete_index_due",
    "complete_terms",
    "complete_embed_due",
)
RETIRED = frozenset(
    {
        *("relationship_embedding", "fact_embedding", "episode_embedding"),
        *("relationship_text", "fact_text", "episode_text", "episode_words"),
    }
)
"""Indexes of which newer ones have taken the place."""


async def backfill(database: Database, queries: Mapping[str, Query]) -> int:
    """Complete all rows; returns how many properties it set."""
    done = sum([await _run(database, queries[name]) for name in _ALONE])
    for name, of_object in (("complete_bounds_of_facts", False), ("complete_bounds_of_relationships", True)):
        bounds = {key: one for key in BOUNDS if (one := bound_of(key, of_object=of_object)) is not None}
        done += await _run(database, queries[name], bounds=bounds)
    while audiences := await database.run(queries["audiences_to_complete"], AudienceRow, limit=_AUDIENCES):
        tokens = {f"{row.group_id}/{row.user}": audience_token(row.group_id, row.user) for row in audiences}
        for name in ("complete_relationships", "complete_facts", "complete_episodes"):
            done += await _run(database, queries[name], tokens=tokens)
    return done + await _split_sessions(database, queries)


async def _split_sessions(database: Database, queries: Mapping[str, Query]) -> int:
    """Give each user a session of his or her own, of those that a release had which knew one for all."""
    done = 0
    while sessions := await database.run(queries["sessions_to_split"], UnsplitSessionRow, limit=_AUDIENCES):
        ids = {
            f"{session_id(row.group_id, row.session)}/{row.user}": own_session_id(row.group_id, row.session, row.user)
            for row in sessions
        }
        done += await _run(database, queries["split_sessions"], ids=ids)
    done += await _run(database, queries["complete_sessions"], silence=SILENCE.total_seconds())
    return done + await _run(database, queries["delete_empty_sessions"])


async def retire(database: Database, queries: Mapping[str, Query]) -> None:
    """Drop the indexes that only processes of an older release search. To be called when there is none any more."""
    (found,) = await database.run(queries["schema_names"], SchemaNamesRow)
    for name in sorted(RETIRED & found.names):
        await database.write(
            lambda transaction, name=name: transaction.execute(queries["drop_index"], name=name), seconds=LONGEST
        )


async def _run(database: Database, query: Query, **params: object) -> int:
    try:
        return await database.execute_in_batches(query, seconds=LONGEST, **params)
    except StoreUnavailable:
        raise
    except GraphmemError as error:
        raise MigrationError(f"{query.name} failed ({code_of(error)}): {error.__cause__}") from error
