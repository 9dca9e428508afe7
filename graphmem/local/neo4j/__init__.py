"""The managed Neo4j: its Java, its configuration, and a faster start."""
