// part: entity_summary
// A recorded version of a summary of an entity, s, whole.
s {
  .id, .summary_id, .group_id, .entity_id, .user, .content, .sentences, .tokens, .beliefs, .model,
  as_of: toString(s.last_at), stale_at: toString(s.stale_at),
  was_stale: [at IN coalesce(s.was_stale, []) | toString(at)], recorded_at: toString(s.recorded_at),
  superseded_at: toString(s.superseded_at)
};

// part: worth_a_look
// Whether an entity, e, may have a summary: it has one, or $least beliefs, or is the same as others.
(
  COUNT { (e)-[:RELATES_TO]-() } + COUNT { (e)-[:HAS_FACT]->() } >= $least
  OR EXISTS { (e)-[:SAME_AS]-() } OR EXISTS { (e)-[:HAS_SUMMARY]->() }
);
