// Versions of summaries by identity and in order of their last turn, and sessions that are to be looked at.
CREATE CONSTRAINT summary_id IF NOT EXISTS FOR (n:Summary) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT superseded_summary_id IF NOT EXISTS FOR (n:SupersededSummary) REQUIRE n.id IS UNIQUE;
CREATE INDEX summary_identity IF NOT EXISTS FOR (n:Summary) ON (n.group_id, n.summary_id);
CREATE INDEX summary_time IF NOT EXISTS FOR (n:Summary) ON (n.group_id, n.last_at);
CREATE INDEX superseded_summary_time IF NOT EXISTS FOR (n:SupersededSummary) ON (n.group_id, n.last_at);
CREATE INDEX summary_order IF NOT EXISTS FOR (n:Summary) ON (n.group_id, n.id);
CREATE INDEX superseded_summary_order IF NOT EXISTS FOR (n:SupersededSummary) ON (n.group_id, n.id);
CREATE INDEX session_summarise_due IF NOT EXISTS FOR (n:Session) ON (n.group_id, n.summarise_due);
CREATE INDEX summary_session IF NOT EXISTS FOR (n:Summary) ON (n.group_id, n.session, n.last_at);
CREATE INDEX superseded_summary_session IF NOT EXISTS FOR (n:SupersededSummary) ON (n.group_id, n.session, n.last_at);
CREATE FULLTEXT INDEX summary_words IF NOT EXISTS
FOR (n:Summary|SupersededSummary) ON EACH [n.content, n.group_token, n.audience_token]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: true}};

CREATE VECTOR INDEX summary_vectors IF NOT EXISTS
FOR (n:Summary|SupersededSummary) ON n.embedding
WITH [n.group_id, n.audience, n.last_at, n.recorded_at, n.superseded_at]
OPTIONS {indexConfig: {
  `vector.similarity_function`: 'cosine', `vector.quantization.type`: 'NONE', `vector.hnsw.ef_construction`: 50
}};
