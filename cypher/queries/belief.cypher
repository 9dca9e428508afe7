// name: relationships_of_entities
// mode: read
// returns: many
// row: BeliefRecord
// params: group, ids, predicates, valid_at, known_at, limit
// Relationships at either end of entities, as they held at $valid_at, as known at $known_at.
UNWIND $ids AS id
MATCH (e:Entity {id: id})-[r:RELATES_TO|SUPERSEDED]-()
WHERE r.group_id = $group AND r.valid_from <= $valid_at AND r.valid_to > $valid_at
  AND r.recorded_at <= $known_at AND r.superseded_at > $known_at
  AND ($predicates IS NULL OR r.predicate IN $predicates)
WITH DISTINCT r LIMIT $limit
RETURN 'relationship' AS kind, r {
  .id, .belief_id, .subject_id, .predicate, .object_id, .value, .target, .owner, .statement, .attributes, .confidence,
  .importance, .contested, .from_stated, .to_stated, .valid_from, .valid_to, .recorded_at, .superseded_at
} AS belief;

// name: facts_of_entities
// mode: read
// returns: many
// row: BeliefRecord
// params: group, ids, predicates, valid_at, known_at, limit
// Facts of entities, as they held at $valid_at, as known at $known_at.
UNWIND $ids AS id
MATCH (e:Entity {id: id})-[:HAS_FACT|HAD_FACT]->(r)
WHERE r.group_id = $group AND r.valid_from <= $valid_at AND r.valid_to > $valid_at
  AND r.recorded_at <= $known_at AND r.superseded_at > $known_at
  AND ($predicates IS NULL OR r.predicate IN $predicates)
WITH DISTINCT r LIMIT $limit
RETURN 'fact' AS kind, r {
  .id, .belief_id, .subject_id, .predicate, .object_id, .value, .target, .owner, .statement, .attributes, .confidence,
  .importance, .contested, .from_stated, .to_stated, .valid_from, .valid_to, .recorded_at, .superseded_at
} AS belief;

// name: beliefs_of_group
// mode: read
// returns: many
// row: BeliefRecord
// params: group, predicates, valid_at, known_at, limit
// Beliefs of a whole group, as they held at $valid_at, as known at $known_at.
CALL () {
  MATCH ()-[r:RELATES_TO]->()
  WHERE r.group_id = $group AND r.id > '' AND r.valid_from <= $valid_at AND r.valid_to > $valid_at
    AND r.recorded_at <= $known_at AND r.superseded_at > $known_at
  RETURN 'relationship' AS kind, r
  UNION ALL
  MATCH ()-[r:SUPERSEDED]->()
  WHERE r.group_id = $group AND r.id > '' AND r.valid_from <= $valid_at AND r.valid_to > $valid_at
    AND r.recorded_at <= $known_at AND r.superseded_at > $known_at
  RETURN 'relationship' AS kind, r
  UNION ALL
  MATCH (r:Fact)
  WHERE r.group_id = $group AND r.id > '' AND r.valid_from <= $valid_at AND r.valid_to > $valid_at
    AND r.recorded_at <= $known_at AND r.superseded_at > $known_at
  RETURN 'fact' AS kind, r
  UNION ALL
  MATCH (r:SupersededFact)
  WHERE r.group_id = $group AND r.id > '' AND r.valid_from <= $valid_at AND r.valid_to > $valid_at
    AND r.recorded_at <= $known_at AND r.superseded_at > $known_at
  RETURN 'fact' AS kind, r
}
WITH kind, r WHERE $predicates IS NULL OR r.predicate IN $predicates
ORDER BY r.id LIMIT $limit
RETURN kind, r {
  .id, .belief_id, .subject_id, .predicate, .object_id, .value, .target, .owner, .statement, .attributes, .confidence,
  .importance, .contested, .from_stated, .to_stated, .valid_from, .valid_to, .recorded_at, .superseded_at
} AS belief;

// name: evidence_of_beliefs
// mode: read
// returns: many
// row: EvidenceRow
// params: group, beliefs, known_at, limit
// timeless because valid time is compared with the interval of each belief; known_at is compared
// The claims behind beliefs as known at $known_at: same slot and value, overlapping interval; first said first.
UNWIND $beliefs AS belief
CALL (belief) {
  MATCH (c:Claim)
  WHERE c.subject_id = belief.subject_id AND c.predicate = belief.predicate AND c.target = belief.target
    AND c.group_id = $group AND c.owner = belief.owner AND c.kind IN ['starts', 'holds']
    AND c.recorded_at <= $known_at AND c.retracted_at > $known_at
    AND c.valid_from < belief.valid_to AND c.valid_to > belief.valid_from
  RETURN c ORDER BY c.said_at, c.id LIMIT $limit
}
RETURN belief.id AS row_id, c {
  claim_id: c.id, .kind, .episode_id, .quote, .quote_start, .quote_end, .said_at, .recorded_at, .confidence
} AS evidence;
