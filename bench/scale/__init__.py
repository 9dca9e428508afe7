"""How load, reads, search and ingest grow with a graph, beside the same Cypher on a bare driver."""
