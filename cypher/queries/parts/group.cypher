// part: group_row
// A group, g.
g {
  .id, .name, .embedding_model, .dimensions, .recorded_at, .importing, .imported, .settled_until, .archived_at
};

// part: redactable
// Episodes, e, of before an instant that are read, wait for no vector, and of which a summary stands.
MATCH (e:Episode)
WHERE e.group_id = $group AND e.occurred_at < $before AND e.status = 'digested' AND e.payload IS NULL
  AND e.embed_due IS NULL AND EXISTS {
  MATCH (e)<-[:SUMMARIZES]-(s:Summary)
  WHERE s.stale_at IS NULL
};
