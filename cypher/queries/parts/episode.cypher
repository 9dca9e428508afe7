// part: episode
// An episode, e, as it is stored. What only a caller says of it, and its session has, is null; but whom its session was
// about when it came stands on it.
e {
  .id, .status, .attempts, .leases, .error, .outcome, .reprocessing, .cursor, revision: coalesce(e.revision, 0),
  vectors_pending: e.embed_due IS NOT NULL,
  recorded_at: toString(e.recorded_at), digested_at: toString(e.digested_at),
  replaced_at: toString(e.replaced_at), .replaced_by,
  episode: e {
    .group_id, .session, .content, .content_type, .role, .speaker, .user, .source, .tags, .metadata, .sequence,
    .position, occurrence: coalesce(e.occurrence, 0), .external_id, .revises, .time_zone, occurred_at: toString(e.occurred_at),
    .subject, remember: coalesce(e.remember, false),
    redacted_at: toString(e.redacted_at), redacted_as: coalesce(e.redacted_as, []),
    agent: null, idempotency_key: null, item: null, payload: null
  }
};

// part: later_at_once
// Whether an episode, e, comes after the one with $after_id among those of one instant.
coalesce(
  [e.turn, e.id] > [
    coalesce(head(COLLECT { MATCH (l:Episode {id: $after_id}) WHERE l.group_id = $group RETURN l.turn }), []), $after_id
  ],
  e.id > $after_id
);

// part: passage_of_episode
// Write a passage, `part`, of an episode, e, that has `row.passages`: it is found where its episode is.
SET e.passages = size(row.passages)
MERGE (p:Passage {id: part.id})
ON CREATE SET
  p += part.properties, p.episode_id = e.id, p.group_id = e.group_id, p.group_token = e.group_token,
  p.audience = e.audience, p.audience_token = e.audience_token, p.session_token = e.session_token,
  p.speaker = e.speaker, p.occurred_at = e.occurred_at, p.recorded_at = e.recorded_at,
  p.replaced_at = e.replaced_at
MERGE (e)-[:HAS_PASSAGE]->(p)
WITH p, part WHERE part.embedding IS NOT NULL
CALL db.create.setNodeVectorProperty(p, 'embedding', part.embedding);
