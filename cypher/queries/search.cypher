// name: relationships_by_vector
// mode: read
// returns: list
// row: BeliefHit
// params: group, vector, valid_at, known_at, limit
// The relationships nearest to a vector among those that held then, as known then: one look-up in the index.
MATCH ()-[r:RELATES_TO|SUPERSEDED]->()
SEARCH r IN (
  VECTOR INDEX relationship_embedding FOR $vector
  WHERE r.group_id = $group AND r.valid_from <= $valid_at AND r.valid_to > $valid_at
    AND r.recorded_at <= $known_at AND r.superseded_at > $known_at
  LIMIT $limit
) SCORE AS score
WITH 'relationship' AS kind, score, r {
  .id, .belief_id, .subject_id, .predicate, .object_id, .value, .target, .statement, .attributes, .confidence,
  user: coalesce(r.user, r.owner),
  .importance, .contested, .from_stated, .to_stated,
  valid_from: toString(r.valid_from), valid_to: toString(r.valid_to), recorded_at: toString(r.recorded_at),
  superseded_at: toString(r.superseded_at)
} AS belief
ORDER BY score DESC, r.id
RETURN collect({kind: kind, score: score, belief: belief}) AS rows;

// name: facts_by_vector
// mode: read
// returns: list
// row: BeliefHit
// params: group, vector, valid_at, known_at, limit
// The facts nearest to a vector among those that held then, as known then: one look-up in the index.
MATCH (r:Fact|SupersededFact)
SEARCH r IN (
  VECTOR INDEX fact_embedding FOR $vector
  WHERE r.group_id = $group AND r.valid_from <= $valid_at AND r.valid_to > $valid_at
    AND r.recorded_at <= $known_at AND r.superseded_at > $known_at
  LIMIT $limit
) SCORE AS score
WITH 'fact' AS kind, score, r {
  .id, .belief_id, .subject_id, .predicate, .object_id, .value, .target, .statement, .attributes, .confidence,
  user: coalesce(r.user, r.owner),
  .importance, .contested, .from_stated, .to_stated,
  valid_from: toString(r.valid_from), valid_to: toString(r.valid_to), recorded_at: toString(r.recorded_at),
  superseded_at: toString(r.superseded_at)
} AS belief
ORDER BY score DESC, r.id
RETURN collect({kind: kind, score: score, belief: belief}) AS rows;

// name: episodes_by_vector
// mode: read
// returns: list
// row: EpisodeHit
// params: group, vector, valid_at, known_at, limit
// The episodes nearest to a vector among those that had happened then and were known then.
MATCH (e:Episode)
SEARCH e IN (
  VECTOR INDEX episode_embedding FOR $vector
  WHERE e.group_id = $group AND e.occurred_at <= $valid_at AND e.recorded_at <= $known_at
  LIMIT $limit
) SCORE AS score
WITH score, e {
  .id, .group_id, .content, .content_type, .role, .speaker, .source, .tags, .metadata, .sequence, .external_id,
  user: coalesce(e.user, e.owner), time_zone: coalesce(e.time_zone, 'UTC'), .cursor,
  .status, .attempts, .leases, .error, .outcome, .session, .reprocessing, revision: coalesce(e.revision, 0),
  occurred_at: toString(e.occurred_at), recorded_at: toString(e.recorded_at), digested_at: toString(e.digested_at)
} AS episode
ORDER BY score DESC, e.id
RETURN collect({score: score, episode: episode}) AS rows;

// name: relationships_by_text
// mode: read
// returns: one
// row: BeliefHits
// params: group, lucene, valid_at, known_at, limit
// The best $limit full-text hits of the tenant, and those among them that held then; `raw` tells whether more may come.
// The index follows the commits: first wait until it holds all that is committed by now.
CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()
CALL db.index.fulltext.queryRelationships('relationship_text', $lucene, {limit: $limit}) YIELD relationship AS r, score
WITH r, score ORDER BY score DESC, r.id
RETURN count(*) AS raw, collect(CASE
  WHEN r.group_id = $group AND r.valid_from <= $valid_at AND r.valid_to > $valid_at
    AND r.recorded_at <= $known_at AND r.superseded_at > $known_at
  THEN {kind: 'relationship', score: score, belief: r {
    .id, .belief_id, .subject_id, .predicate, .object_id, .value, .target, .statement, .attributes,
    user: coalesce(r.user, r.owner),
    .confidence, .importance, .contested, .from_stated, .to_stated,
    valid_from: toString(r.valid_from), valid_to: toString(r.valid_to), recorded_at: toString(r.recorded_at),
    superseded_at: toString(r.superseded_at)
  }}
END) AS hits;

// name: facts_by_text
// mode: read
// returns: one
// row: BeliefHits
// params: group, lucene, valid_at, known_at, limit
// The best $limit full-text hits of the tenant, and those among them that held then; `raw` tells whether more may come.
// The index follows the commits: first wait until it holds all that is committed by now.
CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()
CALL db.index.fulltext.queryNodes('fact_text', $lucene, {limit: $limit}) YIELD node AS r, score
WITH r, score ORDER BY score DESC, r.id
RETURN count(*) AS raw, collect(CASE
  WHEN r.group_id = $group AND r.valid_from <= $valid_at AND r.valid_to > $valid_at
    AND r.recorded_at <= $known_at AND r.superseded_at > $known_at
  THEN {kind: 'fact', score: score, belief: r {
    .id, .belief_id, .subject_id, .predicate, .object_id, .value, .target, .statement, .attributes,
    user: coalesce(r.user, r.owner),
    .confidence, .importance, .contested, .from_stated, .to_stated,
    valid_from: toString(r.valid_from), valid_to: toString(r.valid_to), recorded_at: toString(r.recorded_at),
    superseded_at: toString(r.superseded_at)
  }}
END) AS hits;

// name: episodes_by_text
// mode: read
// returns: one
// row: EpisodeHits
// params: group, lucene, valid_at, known_at, limit
// The best $limit full-text hits of the tenant, and those among them that had happened and were known then.
CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()
CALL db.index.fulltext.queryNodes('episode_text', $lucene, {limit: $limit}) YIELD node AS e, score
WITH e, score ORDER BY score DESC, e.id
RETURN count(*) AS raw, collect(CASE
  WHEN e.group_id = $group AND e.occurred_at <= $valid_at AND e.recorded_at <= $known_at
  THEN {score: score, episode: e {
    .id, .group_id, .content, .content_type, .role, .speaker, .source, .tags, .metadata, .sequence,
    user: coalesce(e.user, e.owner), time_zone: coalesce(e.time_zone, 'UTC'), .cursor,
    .external_id, .status, .attempts, .leases, .error, .outcome, .session, .reprocessing, revision: coalesce(e.revision, 0),
    occurred_at: toString(e.occurred_at), recorded_at: toString(e.recorded_at), digested_at: toString(e.digested_at)
  }}
END) AS hits;
