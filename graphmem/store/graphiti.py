"""Reads what Graphiti keeps in a Neo4j of its own. The queries are those of ``cypher/graphiti``.

Rows come as they are taken, so that a graph of any size needs the memory of a few. Nothing is written, for sessions are
opened to read. Who reads is a command, which waits for each row: the driver is the one that blocks.
"""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Self, TypeVar

from neo4j import READ_ACCESS, GraphDatabase, NotificationMinimumSeverity, Session
from neo4j import exceptions as neo4j_errors
from pydantic import ValidationError

from graphmem.errors import ConfigurationError, InvalidInput
from graphmem.model.graphiti import EDGE_FIELDS, GraphitiCounts, GraphitiEdge, GraphitiEpisode, GraphitiGroup
from graphmem.store.driver import code_of
from graphmem.store.queries import cypher_root, load_queries
from graphmem.store.rows import validator_of

Row = TypeVar("Row")


class GraphitiReader:
    """Reads groups of one database. Methods have the names of their queries.

    Raises, wherever the server is asked:
        ConfigurationError: it does not answer, or refuses the user or a query.
        InvalidInput: a row is not as Graphiti writes it.
    """

    def __init__(self, uri: str, *, user: str, password: str, database: str) -> None:
        self._queries = load_queries(cypher_root(), "graphiti")
        self._database = database
        with _translated():
            self._driver = GraphDatabase.driver(  # pyright: ignore[reportUnknownMemberType] -- its **config
                uri,
                auth=(user, password) if password else None,
                notifications_min_severity=NotificationMinimumSeverity.OFF,
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._driver.close()

    def graphiti_counts(self, group: str) -> GraphitiCounts:
        (counts,) = self._rows("graphiti_counts", GraphitiCounts, group=group)
        return counts

    def graphiti_groups(self) -> list[str]:
        """Some of the groups that there are."""
        return [row.id for row in self._rows("graphiti_groups", GraphitiGroup)]

    def graphiti_episodes(self, group: str) -> Iterator[GraphitiEpisode]:
        """Episodes in the order in which they were said."""
        return self._rows("graphiti_episodes", GraphitiEpisode, group=group)

    def graphiti_edges(self, group: str, *, ended: bool = False) -> Iterator[GraphitiEdge]:
        """Edges in the order in which they were made; or those whose end was learnt later, in the order of that."""
        return self._rows("graphiti_edges", GraphitiEdge, group=group, ended=ended, left_out=list(EDGE_FIELDS))

    def _rows(self, name: str, row: type[Row], **params: object) -> Iterator[Row]:
        with _translated(), self._session() as session:
            for record in session.run(self._queries[name].text, params):
                yield _read(row, dict(record))

    def _session(self) -> Session:
        return self._driver.session(  # pyright: ignore[reportUnknownMemberType] -- its **config
            database=self._database, default_access_mode=READ_ACCESS
        )


def _read(row: type[Row], record: dict[str, object]) -> Row:
    try:
        (read,) = validator_of(row).validate_python([record])
    except ValidationError as error:
        wrong = ".".join(map(str, error.errors()[0]["loc"][1:]))
        raise InvalidInput(
            f"Graphiti's row {record.get('uuid', '')} cannot be read: its {wrong} is not as Graphiti writes it."
        ) from None
    return read


@contextmanager
def _translated() -> Generator[None]:
    try:
        yield
    except (neo4j_errors.Neo4jError, neo4j_errors.DriverError, ValueError) as error:
        raise ConfigurationError(
            f"The Neo4j of Graphiti cannot be read ({code_of(error)}). Check its URI, database, user and password."
        ) from error
