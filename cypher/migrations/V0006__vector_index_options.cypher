// Vectors are put in with half the effort: ef_construction 50 instead of 100. Building these graphs, and merging them,
// was two thirds of what a bulk load cost the server; recall@20 under filters stayed the same (docs/benchmarks.md).
DROP INDEX relationship_embedding IF EXISTS;
DROP INDEX fact_embedding IF EXISTS;
DROP INDEX episode_embedding IF EXISTS;

CREATE VECTOR INDEX relationship_embedding IF NOT EXISTS
FOR ()-[r:RELATES_TO|SUPERSEDED]-() ON r.embedding
WITH [r.group_id, r.valid_from, r.valid_to, r.recorded_at, r.superseded_at]
OPTIONS {indexConfig: {
  `vector.similarity_function`: 'cosine', `vector.quantization.type`: 'NONE', `vector.hnsw.ef_construction`: 50
}};

CREATE VECTOR INDEX fact_embedding IF NOT EXISTS
FOR (n:Fact|SupersededFact) ON n.embedding
WITH [n.group_id, n.valid_from, n.valid_to, n.recorded_at, n.superseded_at]
OPTIONS {indexConfig: {
  `vector.similarity_function`: 'cosine', `vector.quantization.type`: 'NONE', `vector.hnsw.ef_construction`: 50
}};

CREATE VECTOR INDEX episode_embedding IF NOT EXISTS
FOR (n:Episode) ON n.embedding
WITH [n.group_id, n.occurred_at, n.recorded_at]
OPTIONS {indexConfig: {
  `vector.similarity_function`: 'cosine', `vector.quantization.type`: 'NONE', `vector.hnsw.ef_construction`: 50
}};
