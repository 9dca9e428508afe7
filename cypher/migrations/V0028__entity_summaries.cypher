// Summaries of entities by identity; those that are to be made again; and entities that are to be looked at.
CREATE CONSTRAINT entity_summary_identity IF NOT EXISTS FOR (n:EntitySummary) REQUIRE n.summary_id IS UNIQUE;
CREATE INDEX entity_summary_stale IF NOT EXISTS FOR (n:EntitySummary) ON (n.group_id, n.stale_at);
CREATE INDEX entity_summary_due IF NOT EXISTS FOR (n:Entity) ON (n.group_id, n.summary_due);
