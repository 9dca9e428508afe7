"""Background work on arq. The queue carries ids only; the work to do stands in Neo4j."""
