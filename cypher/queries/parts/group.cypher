// part: group_row
// A group, g.
g {
  .id, .name, .embedding_model, .dimensions, .recorded_at, .importing, .imported, .settled_until, .archived_at
};

// part: redactable
// Episodes, e, of before an instant that are read, wait for no vector, and of which a summary stands; and those in whose
// place there is another text.
MATCH (e:Episode)
WHERE e.group_id = $group AND e.occurred_at < $before AND e.status IN ['digested', 'replaced'] AND e.payload IS NULL
  AND e.embed_due IS NULL AND (e.status = 'replaced' OR EXISTS {
  MATCH (e)<-[:SUMMARIZES]-(s:Summary)
  WHERE s.stale_at IS NULL
});
