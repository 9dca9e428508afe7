// The floor of reads: the least Cypher that answers the same beliefs with the same evidence, for one entity at a time.

// name: least_around
// mode: read
// returns: many
// row: Belief
// params: group, id, valid_at, known_at
// What held around an entity, as known then; each with the names of its ends and its evidence.
MATCH (e:Entity {id: $id})
CALL (e) {
  MATCH (e)-[r:RELATES_TO|SUPERSEDED]-(other:Entity)
  WHERE r.group_id = $group AND r.valid_from <= $valid_at AND r.valid_to > $valid_at
    AND r.recorded_at <= $known_at AND r.superseded_at > $known_at
  RETURN r, other
  UNION ALL
  MATCH (e)-[:HAS_FACT|HAD_FACT]->(r)
  WHERE r.group_id = $group AND r.valid_from <= $valid_at AND r.valid_to > $valid_at
    AND r.recorded_at <= $known_at AND r.superseded_at > $known_at
  RETURN r, null AS other
}
RETURN r {
  .id, .belief_id, .subject_id, .predicate, .object_id, .value, .statement, .attributes, .confidence, .importance,
  .contested, .from_stated, .to_stated, .user, .category,
  valid_from: toString(r.valid_from), valid_to: toString(r.valid_to), recorded_at: toString(r.recorded_at),
  superseded_at: toString(r.superseded_at)
} AS belief, e.names[0] AS name, other.names[0] AS other, COLLECT {
  MATCH (c:Claim)
  WHERE c.subject_id = r.subject_id AND c.predicate = r.predicate AND c.target = r.target
    AND c.recorded_at <= $known_at AND c.retracted_at > $known_at
    AND c.valid_from < r.valid_to AND c.valid_to > r.valid_from
  RETURN c {
    .id, .kind, .episode_id, .quote, .quote_start, .quote_end, .confidence,
    said_at: toString(c.said_at), recorded_at: toString(c.recorded_at)
  }
} AS evidence;
