"""graphmem: a bi-temporal knowledge-graph memory for software agents, on Neo4j."""

__version__ = "0.1.0"
