"""How processes wake each other up. The work to do stands in Neo4j: losing every message loses nothing."""
