// What waits for its vectors: episodes, with their claims; and versions of beliefs, which take those of their claims.
CREATE INDEX episode_embed_due IF NOT EXISTS FOR (n:Episode) ON (n.group_id, n.embed_due);
CREATE INDEX fact_embed_due IF NOT EXISTS FOR (n:Fact) ON (n.group_id, n.embed_due);
CREATE INDEX superseded_fact_embed_due IF NOT EXISTS FOR (n:SupersededFact) ON (n.group_id, n.embed_due);
CREATE INDEX relationship_embed_due IF NOT EXISTS FOR ()-[r:RELATES_TO]-() ON (r.group_id, r.embed_due);
CREATE INDEX superseded_embed_due IF NOT EXISTS FOR ()-[r:SUPERSEDED]-() ON (r.group_id, r.embed_due);
