// Full text: the tenant is one opaque word in the index. Vectors: tenant and both time axes are filters inside the index.
// No vector.dimensions: each group keeps to the one model that it records, and groups of several models share an index.
// No quantization: exact, and faster with filters than BINARY.
CREATE FULLTEXT INDEX relationship_text IF NOT EXISTS
FOR ()-[r:RELATES_TO|SUPERSEDED]-() ON EACH [r.statement, r.group_token]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}};
CREATE FULLTEXT INDEX fact_text IF NOT EXISTS
FOR (n:Fact|SupersededFact) ON EACH [n.statement, n.group_token]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}};
CREATE FULLTEXT INDEX episode_text IF NOT EXISTS
FOR (n:Episode) ON EACH [n.content, n.group_token]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}};
CREATE VECTOR INDEX relationship_embedding IF NOT EXISTS
FOR ()-[r:RELATES_TO|SUPERSEDED]-() ON r.embedding
WITH [r.group_id, r.valid_from, r.valid_to, r.recorded_at, r.superseded_at]
OPTIONS {indexConfig: {`vector.similarity_function`: 'cosine', `vector.quantization.type`: 'NONE'}};
CREATE VECTOR INDEX fact_embedding IF NOT EXISTS
FOR (n:Fact|SupersededFact) ON n.embedding
WITH [n.group_id, n.valid_from, n.valid_to, n.recorded_at, n.superseded_at]
OPTIONS {indexConfig: {`vector.similarity_function`: 'cosine', `vector.quantization.type`: 'NONE'}};
CREATE VECTOR INDEX episode_embedding IF NOT EXISTS
FOR (n:Episode) ON n.embedding
WITH [n.group_id, n.occurred_at, n.recorded_at]
OPTIONS {indexConfig: {`vector.similarity_function`: 'cosine', `vector.quantization.type`: 'NONE'}};
