// Entities by the vectors of their names, and those whose name has none yet.
CREATE VECTOR INDEX entity_vectors IF NOT EXISTS
FOR (n:Entity) ON n.name_embedding
WITH [n.group_id]
OPTIONS {indexConfig: {
  `vector.similarity_function`: 'cosine', `vector.quantization.type`: 'NONE', `vector.hnsw.ef_construction`: 50
}};
CREATE INDEX entity_embed_due IF NOT EXISTS FOR (n:Entity) ON (n.group_id, n.embed_due);
