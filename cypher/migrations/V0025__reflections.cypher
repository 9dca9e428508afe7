// Versions of reflections by identity, and in order of the ends of their weeks; those that are to be made again; and the
// claims that were recorded in a week.
CREATE CONSTRAINT reflection_id IF NOT EXISTS FOR (n:Reflection) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT superseded_reflection_id IF NOT EXISTS FOR (n:SupersededReflection) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT reflection_identity IF NOT EXISTS FOR (n:Reflection) REQUIRE n.reflection_id IS UNIQUE;
CREATE INDEX reflection_time IF NOT EXISTS FOR (n:Reflection) ON (n.group_id, n.until_at);
CREATE INDEX superseded_reflection_time IF NOT EXISTS FOR (n:SupersededReflection) ON (n.group_id, n.until_at);
CREATE INDEX reflection_order IF NOT EXISTS FOR (n:Reflection) ON (n.group_id, n.id);
CREATE INDEX superseded_reflection_order IF NOT EXISTS FOR (n:SupersededReflection) ON (n.group_id, n.id);
CREATE INDEX reflection_user IF NOT EXISTS FOR (n:Reflection) ON (n.group_id, n.user, n.until_at);
CREATE INDEX reflection_stale IF NOT EXISTS FOR (n:Reflection) ON (n.group_id, n.stale_at);
CREATE INDEX claim_time IF NOT EXISTS FOR (n:Claim) ON (n.group_id, n.user, n.recorded_at);
CREATE FULLTEXT INDEX reflection_words IF NOT EXISTS
FOR (n:Reflection|SupersededReflection) ON EACH [n.content, n.group_token, n.audience_token]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: true}};

CREATE VECTOR INDEX reflection_vectors IF NOT EXISTS
FOR (n:Reflection|SupersededReflection) ON n.embedding
WITH [n.group_id, n.audience, n.until_at, n.recorded_at, n.superseded_at]
OPTIONS {indexConfig: {
  `vector.similarity_function`: 'cosine', `vector.quantization.type`: 'NONE', `vector.hnsw.ef_construction`: 50
}};
