// A row that is superseded meanwhile moves, with its id, from RELATES_TO to SUPERSEDED and from Fact to SupersededFact.
// So current rows are read first, superseded ones after them: none is missed, and one found twice counts once. Limits
// cut in order of id, which no later write changes.

// name: relationships_of_entities
// mode: read
// returns: list
// row: BeliefRecord
// params: group, ids, predicates, valid_at, known_at, unless_valid_at, unless_known_at, limit
// Relationships at either end of entities that held at $valid_at, as known at $known_at; the first by id.
UNWIND $ids AS entity_id
MATCH (e:Entity {id: entity_id})
CALL (e) {
  MATCH (e)-[r:RELATES_TO]-()
  WHERE r.group_id = $group AND r.valid_from <= $valid_at AND r.valid_to > $valid_at
    AND r.recorded_at <= $known_at AND r.superseded_at > $known_at
    AND ($predicates IS NULL OR r.predicate IN $predicates)
    AND ($unless_valid_at IS NULL OR NOT (
      r.valid_from <= $unless_valid_at AND r.valid_to > $unless_valid_at
      AND r.recorded_at <= $unless_known_at AND r.superseded_at > $unless_known_at
    ))
  RETURN r
  UNION ALL
  MATCH (e)-[r:SUPERSEDED]-()
  WHERE r.group_id = $group AND r.valid_from <= $valid_at AND r.valid_to > $valid_at
    AND r.recorded_at <= $known_at AND r.superseded_at > $known_at
    AND ($predicates IS NULL OR r.predicate IN $predicates)
    AND ($unless_valid_at IS NULL OR NOT (
      r.valid_from <= $unless_valid_at AND r.valid_to > $unless_valid_at
      AND r.recorded_at <= $unless_known_at AND r.superseded_at > $unless_known_at
    ))
  RETURN r
}
WITH r {
  .id, .belief_id, .subject_id, .predicate, .object_id, .value, .target, .statement, .attributes, .confidence,
  user: coalesce(r.user, r.owner),
  .importance, .contested, .from_stated, .to_stated,
  valid_from: toString(r.valid_from), valid_to: toString(r.valid_to), recorded_at: toString(r.recorded_at),
  superseded_at: toString(r.superseded_at)
} AS belief
ORDER BY belief.id LIMIT 4 * $limit
WITH belief.id AS id, head(collect(belief)) AS belief
WITH 'relationship' AS kind, belief
ORDER BY id LIMIT $limit
RETURN collect({kind: kind, belief: belief}) AS rows;

// name: facts_of_entities
// mode: read
// returns: list
// row: BeliefRecord
// params: group, ids, predicates, valid_at, known_at, unless_valid_at, unless_known_at, limit
// Facts of entities that held at $valid_at, as known at $known_at; the first by id.
UNWIND $ids AS entity_id
MATCH (e:Entity {id: entity_id})
CALL (e) {
  MATCH (e)-[:HAS_FACT]->(r)
  WHERE r.group_id = $group AND r.valid_from <= $valid_at AND r.valid_to > $valid_at
    AND r.recorded_at <= $known_at AND r.superseded_at > $known_at
    AND ($predicates IS NULL OR r.predicate IN $predicates)
    AND ($unless_valid_at IS NULL OR NOT (
      r.valid_from <= $unless_valid_at AND r.valid_to > $unless_valid_at
      AND r.recorded_at <= $unless_known_at AND r.superseded_at > $unless_known_at
    ))
  RETURN r
  UNION ALL
  MATCH (e)-[:HAD_FACT]->(r)
  WHERE r.group_id = $group AND r.valid_from <= $valid_at AND r.valid_to > $valid_at
    AND r.recorded_at <= $known_at AND r.superseded_at > $known_at
    AND ($predicates IS NULL OR r.predicate IN $predicates)
    AND ($unless_valid_at IS NULL OR NOT (
      r.valid_from <= $unless_valid_at AND r.valid_to > $unless_valid_at
      AND r.recorded_at <= $unless_known_at AND r.superseded_at > $unless_known_at
    ))
  RETURN r
}
WITH r {
  .id, .belief_id, .subject_id, .predicate, .object_id, .value, .target, .statement, .attributes, .confidence,
  user: coalesce(r.user, r.owner),
  .importance, .contested, .from_stated, .to_stated,
  valid_from: toString(r.valid_from), valid_to: toString(r.valid_to), recorded_at: toString(r.recorded_at),
  superseded_at: toString(r.superseded_at)
} AS belief
ORDER BY belief.id LIMIT 4 * $limit
WITH belief.id AS id, head(collect(belief)) AS belief
WITH 'fact' AS kind, belief
ORDER BY id LIMIT $limit
RETURN collect({kind: kind, belief: belief}) AS rows;

// name: beliefs_of_group
// mode: read
// returns: list
// row: BeliefRecord
// params: group, predicates, valid_at, known_at, unless_valid_at, unless_known_at, limit
// Beliefs of a whole group that held at $valid_at, as known at $known_at; the first by id. Each index is read in order.
CALL () {
  MATCH ()-[r:RELATES_TO]->()
  WHERE r.group_id = $group AND r.id > '' AND r.valid_from <= $valid_at AND r.valid_to > $valid_at
    AND r.recorded_at <= $known_at AND r.superseded_at > $known_at
    AND ($predicates IS NULL OR r.predicate IN $predicates)
    AND ($unless_valid_at IS NULL OR NOT (
      r.valid_from <= $unless_valid_at AND r.valid_to > $unless_valid_at
      AND r.recorded_at <= $unless_known_at AND r.superseded_at > $unless_known_at
    ))
  RETURN 'relationship' AS kind, r ORDER BY r.group_id, r.id LIMIT $limit
  UNION ALL
  MATCH ()-[r:SUPERSEDED]->()
  WHERE r.group_id = $group AND r.id > '' AND r.valid_from <= $valid_at AND r.valid_to > $valid_at
    AND r.recorded_at <= $known_at AND r.superseded_at > $known_at
    AND ($predicates IS NULL OR r.predicate IN $predicates)
    AND ($unless_valid_at IS NULL OR NOT (
      r.valid_from <= $unless_valid_at AND r.valid_to > $unless_valid_at
      AND r.recorded_at <= $unless_known_at AND r.superseded_at > $unless_known_at
    ))
  RETURN 'relationship' AS kind, r ORDER BY r.group_id, r.id LIMIT $limit
  UNION ALL
  MATCH (r:Fact)
  WHERE r.group_id = $group AND r.id > '' AND r.valid_from <= $valid_at AND r.valid_to > $valid_at
    AND r.recorded_at <= $known_at AND r.superseded_at > $known_at
    AND ($predicates IS NULL OR r.predicate IN $predicates)
    AND ($unless_valid_at IS NULL OR NOT (
      r.valid_from <= $unless_valid_at AND r.valid_to > $unless_valid_at
      AND r.recorded_at <= $unless_known_at AND r.superseded_at > $unless_known_at
    ))
  RETURN 'fact' AS kind, r ORDER BY r.group_id, r.id LIMIT $limit
  UNION ALL
  MATCH (r:SupersededFact)
  WHERE r.group_id = $group AND r.id > '' AND r.valid_from <= $valid_at AND r.valid_to > $valid_at
    AND r.recorded_at <= $known_at AND r.superseded_at > $known_at
    AND ($predicates IS NULL OR r.predicate IN $predicates)
    AND ($unless_valid_at IS NULL OR NOT (
      r.valid_from <= $unless_valid_at AND r.valid_to > $unless_valid_at
      AND r.recorded_at <= $unless_known_at AND r.superseded_at > $unless_known_at
    ))
  RETURN 'fact' AS kind, r ORDER BY r.group_id, r.id LIMIT $limit
}
WITH kind, r {
  .id, .belief_id, .subject_id, .predicate, .object_id, .value, .target, .statement, .attributes, .confidence,
  user: coalesce(r.user, r.owner),
  .importance, .contested, .from_stated, .to_stated,
  valid_from: toString(r.valid_from), valid_to: toString(r.valid_to), recorded_at: toString(r.recorded_at),
  superseded_at: toString(r.superseded_at)
} AS belief
ORDER BY belief.id LIMIT 4 * $limit
WITH kind, belief.id AS id, head(collect(belief)) AS belief
WITH kind, belief
ORDER BY id LIMIT $limit
RETURN collect({kind: kind, belief: belief}) AS rows;

// name: history_of_entity
// mode: read
// returns: list
// row: BeliefRecord
// params: group, id, predicates, valid_at, known_at, after, limit
// timeless because superseded versions are asked for; $known_at bounds recorded_at, and $valid_at counts unless null
// Every version of the beliefs at either end of an entity that was recorded by $known_at, after a cursor.
MATCH (e:Entity {id: $id})
CALL (e) {
  MATCH (e)-[r:RELATES_TO]-()
  WHERE r.group_id = $group AND r.recorded_at <= $known_at
    AND ($predicates IS NULL OR r.predicate IN $predicates)
    AND ($valid_at IS NULL OR (r.valid_from <= $valid_at AND r.valid_to > $valid_at))
    AND [r.predicate, r.target, r.valid_from, r.recorded_at, r.id] > $after
  RETURN 'relationship' AS kind, r
  UNION ALL
  MATCH (e)-[r:SUPERSEDED]-()
  WHERE r.group_id = $group AND r.recorded_at <= $known_at
    AND ($predicates IS NULL OR r.predicate IN $predicates)
    AND ($valid_at IS NULL OR (r.valid_from <= $valid_at AND r.valid_to > $valid_at))
    AND [r.predicate, r.target, r.valid_from, r.recorded_at, r.id] > $after
  RETURN 'relationship' AS kind, r
  UNION ALL
  MATCH (e)-[:HAS_FACT]->(r)
  WHERE r.group_id = $group AND r.recorded_at <= $known_at
    AND ($predicates IS NULL OR r.predicate IN $predicates)
    AND ($valid_at IS NULL OR (r.valid_from <= $valid_at AND r.valid_to > $valid_at))
    AND [r.predicate, r.target, r.valid_from, r.recorded_at, r.id] > $after
  RETURN 'fact' AS kind, r
  UNION ALL
  MATCH (e)-[:HAD_FACT]->(r)
  WHERE r.group_id = $group AND r.recorded_at <= $known_at
    AND ($predicates IS NULL OR r.predicate IN $predicates)
    AND ($valid_at IS NULL OR (r.valid_from <= $valid_at AND r.valid_to > $valid_at))
    AND [r.predicate, r.target, r.valid_from, r.recorded_at, r.id] > $after
  RETURN 'fact' AS kind, r
}
WITH kind, r {
  .id, .belief_id, .subject_id, .predicate, .object_id, .value, .target, .statement, .attributes, .confidence,
  user: coalesce(r.user, r.owner),
  .importance, .contested, .from_stated, .to_stated,
  valid_from: toString(r.valid_from), valid_to: toString(r.valid_to), recorded_at: toString(r.recorded_at),
  superseded_at: toString(r.superseded_at)
} AS belief
ORDER BY belief.predicate, belief.target, belief.valid_from, belief.recorded_at, belief.id LIMIT 4 * $limit
WITH kind, belief.id AS id, head(collect(belief)) AS belief
WITH kind, belief
ORDER BY belief.predicate, belief.target, belief.valid_from, belief.recorded_at, id LIMIT $limit
RETURN collect({kind: kind, belief: belief}) AS rows;

// name: version_of_belief
// mode: read
// returns: optional
// row: BeliefRecord
// params: group, id, known_at
// timeless because a version is addressed by its id, superseded or not; $known_at bounds recorded_at
// The version with this id, or the last one recorded by $known_at of the belief with this belief_id.
CALL () {
  MATCH ()-[r:RELATES_TO]->()
  WHERE r.group_id = $group AND (r.id = $id OR r.belief_id = $id) AND r.recorded_at <= $known_at
  RETURN 'relationship' AS kind, r
  UNION ALL
  MATCH ()-[r:SUPERSEDED]->()
  WHERE r.group_id = $group AND (r.id = $id OR r.belief_id = $id) AND r.recorded_at <= $known_at
  RETURN 'relationship' AS kind, r
  UNION ALL
  MATCH (r:Fact)
  WHERE r.group_id = $group AND (r.id = $id OR r.belief_id = $id) AND r.recorded_at <= $known_at
  RETURN 'fact' AS kind, r
  UNION ALL
  MATCH (r:SupersededFact)
  WHERE r.group_id = $group AND (r.id = $id OR r.belief_id = $id) AND r.recorded_at <= $known_at
  RETURN 'fact' AS kind, r
}
WITH kind, r {
  .id, .belief_id, .subject_id, .predicate, .object_id, .value, .target, .statement, .attributes, .confidence,
  user: coalesce(r.user, r.owner),
  .importance, .contested, .from_stated, .to_stated,
  valid_from: toString(r.valid_from), valid_to: toString(r.valid_to), recorded_at: toString(r.recorded_at),
  superseded_at: toString(r.superseded_at)
} AS belief
RETURN kind, belief
ORDER BY belief.recorded_at DESC, belief.id LIMIT 1;

// name: evidence_of_beliefs
// mode: read
// returns: list
// row: EvidenceRow
// params: group, beliefs, limit
// timeless because valid time is compared with the interval of each belief, and known_at comes with each
// The claims behind beliefs as known then: same slot and value, overlapping interval, and no other value of an
// attribute; first said first.
UNWIND $beliefs AS belief
CALL (belief) {
  MATCH (c:Claim)
  WHERE c.subject_id = belief.subject_id AND c.predicate = belief.predicate AND c.target = belief.target
    AND c.group_id = $group AND coalesce(c.user, c.owner) = belief.user AND c.kind IN ['starts', 'holds']
    AND c.recorded_at <= belief.known_at AND c.retracted_at > belief.known_at
    AND c.valid_from < belief.valid_to AND c.valid_to > belief.valid_from
    AND all(
      i IN range(0, size(coalesce(c.attribute_keys, [])) - 1)
      WHERE NOT c.attribute_keys[i] IN belief.attribute_keys OR c.attribute_values[i] IN belief.attribute_values
    )
  RETURN c ORDER BY c.said_at, c.id LIMIT $limit
}
WITH belief.id AS row_id, c {
  claim_id: c.id, .kind, .episode_id, .quote, .quote_start, .quote_end, .confidence,
  said_at: toString(c.said_at), recorded_at: toString(c.recorded_at)
} AS evidence
RETURN collect({row_id: row_id, evidence: evidence}) AS rows;

// name: claims_of_belief
// mode: read
// returns: list
// row: KnownClaimRow
// params: group, belief, valid_at, after_time, after_id, limit
// timeless because retracted claims are asked for as well; known_at comes with the belief, $valid_at counts unless null
// Every claim of a belief's slot and value over its interval, and those that end it, recorded by then; first said first.
MATCH (c:Claim)
WHERE c.subject_id = $belief.subject_id AND c.predicate = $belief.predicate AND c.target IN [$belief.target, '']
  AND c.group_id = $group AND coalesce(c.user, c.owner) = $belief.user AND c.recorded_at <= $belief.known_at
  AND (
    (c.kind IN ['starts', 'holds'] AND c.valid_from < $belief.valid_to AND c.valid_to > $belief.valid_from)
    OR (c.kind = 'ends' AND c.valid_from = $belief.valid_to)
  )
  AND ($valid_at IS NULL OR (c.valid_from <= $valid_at AND c.valid_to > $valid_at))
  AND all(
    i IN range(0, size(coalesce(c.attribute_keys, [])) - 1)
    WHERE NOT c.attribute_keys[i] IN $belief.attribute_keys OR c.attribute_values[i] IN $belief.attribute_values
  )
  AND (c.said_at > $after_time OR (c.said_at = $after_time AND c.id > $after_id))
WITH c {
  .id, .kind, .episode_id, .statement, .quote, .quote_start, .quote_end, .from_stated, .to_stated, .confidence,
  .extractor, .extractor_version,
  valid_from: toString(c.valid_from), valid_to: toString(c.valid_to), said_at: toString(c.said_at),
  recorded_at: toString(c.recorded_at), retracted_at: toString(c.retracted_at)
} AS claim
ORDER BY c.said_at, c.id LIMIT $limit
RETURN collect({claim: claim}) AS rows;
