"""The benchmark of traces tells files apart and counts a word once in each kind of them."""

from bench.traces import counted


def test_a_word_counts_once_in_each_kind_of_file() -> None:
    neo4j = "neo4j/data"
    assert counted(
        {
            f"{neo4j}/databases/neo4j/neostore.propertystore.db.strings": [0, 1],
            f"{neo4j}/databases/neo4j/neostore.propertystore.db": [1],
            f"{neo4j}/databases/neo4j/schema/index/fulltext-1.0/7/_0.fdt": [2],
            f"{neo4j}/transactions/neo4j/neostore.transaction.db.0": [0, 1, 2],
            "valkey/dump.rdb": [3],
            "logs/worker.log": [],
            "neo4j/logs/debug.log": [1],
        }
    ) == {"indexes": 1, "logs": 1, "store": 2, "transaction_logs": 3, "valkey": 1}
