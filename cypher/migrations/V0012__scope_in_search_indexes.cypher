// backfill first
// Who may see something, and of which session it is, are filters inside the search indexes: a row that lacks one would
// never be found. New names, because a process of the release before still searches the old indexes; they go later.
CREATE FULLTEXT INDEX relationship_words IF NOT EXISTS
FOR ()-[r:RELATES_TO|SUPERSEDED]-() ON EACH [r.statement, r.group_token, r.audience_token]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: true}};

CREATE FULLTEXT INDEX fact_words IF NOT EXISTS
FOR (n:Fact|SupersededFact) ON EACH [n.statement, n.group_token, n.audience_token]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: true}};

CREATE FULLTEXT INDEX episode_words IF NOT EXISTS
FOR (n:Episode) ON EACH [n.content, n.group_token, n.audience_token, n.session_token]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: true}};

CREATE VECTOR INDEX relationship_vectors IF NOT EXISTS
FOR ()-[r:RELATES_TO|SUPERSEDED]-() ON r.embedding
WITH [r.group_id, r.audience, r.valid_from, r.valid_to, r.recorded_at, r.superseded_at, r.fades_at, r.open]
OPTIONS {indexConfig: {
  `vector.similarity_function`: 'cosine', `vector.quantization.type`: 'NONE', `vector.hnsw.ef_construction`: 50
}};

CREATE VECTOR INDEX fact_vectors IF NOT EXISTS
FOR (n:Fact|SupersededFact) ON n.embedding
WITH [n.group_id, n.audience, n.valid_from, n.valid_to, n.recorded_at, n.superseded_at, n.fades_at, n.open]
OPTIONS {indexConfig: {
  `vector.similarity_function`: 'cosine', `vector.quantization.type`: 'NONE', `vector.hnsw.ef_construction`: 50
}};

CREATE VECTOR INDEX episode_vectors IF NOT EXISTS
FOR (n:Episode) ON n.embedding
WITH [n.group_id, n.audience, n.session_token, n.occurred_at, n.recorded_at]
OPTIONS {indexConfig: {
  `vector.similarity_function`: 'cosine', `vector.quantization.type`: 'NONE', `vector.hnsw.ef_construction`: 50
}};
