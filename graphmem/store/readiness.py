"""Whether Neo4j does its work, and whether its schema is that of this graphmem. A handshake would not tell."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graphmem.errors import MigrationError
from graphmem.model.embedding import Embedder
from graphmem.settings.servers import Neo4jSettings
from graphmem.store.driver import Database, Transaction, open_driver
from graphmem.store.migrations import Migration, SchemaNamesRow, missing, read_applied
from graphmem.store.queries import Query, cypher_root, load_queries
from graphmem.store.rows import CountRow


@dataclass(frozen=True, slots=True)
class ProbeRow:
    migrated: bool


async def check_store(database: Database, queries: Mapping[str, Query], seconds: float) -> None:
    """Read and write something within ``seconds``; what is written is rolled back.

    Raises:
        StoreUnavailable: Neo4j does not answer, or refuses to read or to write.
        ConfigurationError: credentials, rights or database name do not fit.
    """

    async def read_and_write(transaction: Transaction) -> None:
        await transaction.single(queries["read_probe"], ProbeRow)
        await transaction.execute(queries["write_probe"])

    await database.rehearse(read_and_write, seconds=seconds)


async def check_works(uri: str, user: str, password: str, seconds: float) -> None:
    """Read and write something in the database that answers there, as ``check_store`` does.

    Raises:
        StoreUnavailable, ConfigurationError: as ``check_store`` does.
    """
    settings = Neo4jSettings(connection_timeout=seconds, transaction_timeout=seconds)
    database = Database(open_driver(uri, user, password, settings), settings)
    try:
        await check_store(database, load_queries(cypher_root()), seconds)
    finally:
        await database.aclose()


async def check_schema(database: Database, queries: Mapping[str, Query], migrations: Sequence[Migration]) -> str | None:
    """What is wrong with a schema on which this process works all the same, None where nothing is.

    Raises:
        MigrationError: the database lacks a migration.
        StoreUnavailable: Neo4j does not answer.
    """
    applied = await database.read(lambda transaction: read_applied(transaction, queries))
    try:
        left = missing(migrations, applied)
    except MigrationError as error:  # a newer process has migrated, and this one may end what it does
        return str(error)
    if left:
        raise MigrationError(
            f"The database lacks migration {left[0].version} ({left[0].description}). It has been emptied, or taken "
            "from an older backup: start this process again, and it migrates."
        )
    (row,) = await database.run(queries["indexes_not_online"], SchemaNamesRow)
    return _not_online(row.names)


async def check_groups(database: Database, queries: Mapping[str, Query], embedder: Embedder) -> str | None:
    """What groups go without whose vectors are of another model than is configured, None where there are none."""
    model, dimensions = embedder.model, embedder.dimensions
    query = queries["count_groups_of_other_models"]
    (row,) = await database.run(query, CountRow, embedding_model=model, dimensions=dimensions)
    if not row.count:
        return None
    groups = "1 group has" if row.count == 1 else f"{row.count} groups have"
    return (
        f"{groups} vectors of another embedding model than {model} ({dimensions} dimensions). What comes in is stored "
        "and read there, without vectors, and searches go by full text. Embed each again: graphmem admin reembed "
        "--group NAME; GET /v1/groups says of which model each is."
    )


async def check_slots(database: Database, queries: Mapping[str, Query]) -> str | None:
    """How many slots stay as they are because something of them cannot be read, None where there are none."""
    (row,) = await database.run(queries["count_waiting_slots"], CountRow)
    if not row.count:
        return None
    slots = "1 slot stays as it is" if row.count == 1 else f"{row.count} slots stay as they are"
    return (
        f"{slots}, because something stored of them cannot be read. What comes in is stored there, and believed once "
        "that is repaired in Neo4j: GET /v1/groups/NAME/memory/stats says what and why."
    )


def _not_online(names: frozenset[str]) -> str | None:
    if not names:
        return None
    shown = ", ".join(sorted(names))
    return f"Neo4j cannot use these indexes yet: {shown}. Wait while it fills them; if it has failed to, see its log."
