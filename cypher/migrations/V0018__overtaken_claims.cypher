// Entities whose merges changed a short time ago: claims that name them may have been written by who did not know of it.
CREATE INDEX entity_overtaken_due IF NOT EXISTS FOR (n:Entity) ON (n.group_id, n.overtaken_due);
