// A row that is superseded meanwhile moves, with its id, from RELATES_TO to SUPERSEDED and from Fact to SupersededFact.
// So current rows are read first, superseded ones after them: none is missed, and one found twice counts once. Limits
// cut in order of id, which no later write changes. Beliefs, their evidence and the entities at their ends come in one
// statement; who asks reads again where a belief came without evidence, because a claim was retracted in between.

// name: beliefs_around
// mode: read
// returns: one
// row: SubgraphRow
// params: group, ids, audience, open, predicates, valid_at, known_at, awake_at, unless_valid_at, unless_known_at, limit, evidence
// Beliefs at either end of entities that held at $valid_at, as known at $known_at; the first by id. Those entities too.
CALL () {
  UNWIND $ids AS entity_id
  // insert: same_thing
  // insert: held_around
  WITH kind, r WHERE r.open IN $open AND ($predicates IS NULL OR r.predicate IN $predicates)
    AND
    // insert: not_held_otherwise
  WITH kind, r.valid_from AS valid_from, r.valid_to AS valid_to, coalesce(r.attribute_keys, []) AS keys,
    coalesce(r.attribute_values, []) AS said,
  // insert: belief
  AS belief
  ORDER BY belief.id LIMIT 4 * $limit
  WITH belief.id AS id, head(collect([belief, valid_from, valid_to, keys, said])) AS row
  ORDER BY id LIMIT $limit
  RETURN row[0] AS belief, row[1] AS valid_from, row[2] AS valid_to, row[3] AS keys, row[4] AS said,
    $known_at AS known
}
// insert: evidence
WITH collect(belief {.*, evidence: evidence, ended_by: ended_by}) AS beliefs
CALL (beliefs) {
  UNWIND $ids + [one IN beliefs | one.subject_id] + [one IN beliefs | one.object_id] AS id
  // insert: entities_by_then
}
RETURN beliefs, entities;

// name: beliefs_of_group
// mode: read
// returns: one
// row: SubgraphRow
// params: group, audience, open, predicates, valid_at, known_at, awake_at, unless_valid_at, unless_known_at, after, limit, evidence
// Beliefs of a whole group that held at $valid_at, as known at $known_at; the first by id, after $after. Each
// index is read in order.
CALL () {
  MATCH ()-[r:RELATES_TO]->()
  WHERE
    // insert: held_in_group
  RETURN 'relationship' AS kind, r ORDER BY r.group_id, r.id LIMIT $limit
  UNION ALL
  MATCH ()-[r:SUPERSEDED]->()
  WHERE
    // insert: held_in_group
  RETURN 'relationship' AS kind, r ORDER BY r.group_id, r.id LIMIT $limit
  UNION ALL
  MATCH (r:Fact)
  WHERE
    // insert: held_in_group
  RETURN 'fact' AS kind, r ORDER BY r.group_id, r.id LIMIT $limit
  UNION ALL
  MATCH (r:SupersededFact)
  WHERE
    // insert: held_in_group
  RETURN 'fact' AS kind, r ORDER BY r.group_id, r.id LIMIT $limit
}
WITH kind, r.valid_from AS valid_from, r.valid_to AS valid_to, coalesce(r.attribute_keys, []) AS keys,
  coalesce(r.attribute_values, []) AS said,
  // insert: belief
  AS belief
ORDER BY belief.id LIMIT 4 * $limit
WITH belief.id AS id, head(collect([belief, valid_from, valid_to, keys, said])) AS row
ORDER BY id LIMIT $limit
WITH row[0] AS belief, row[1] AS valid_from, row[2] AS valid_to, row[3] AS keys, row[4] AS said,
  $known_at AS known
// insert: evidence
WITH collect(belief {.*, evidence: evidence, ended_by: ended_by}) AS beliefs
CALL (beliefs) {
  UNWIND [one IN beliefs | one.subject_id] + [one IN beliefs | one.object_id] AS id
  // insert: entities_by_then
}
RETURN beliefs, entities;

// name: beliefs_by_id
// mode: read
// returns: one
// row: SubgraphRow
// params: group, ids, audience, open, valid_at, known_at, awake_at, history, evidence
// Those of beliefs, given by the ids of their rows, that held at $valid_at, as known at $known_at; with $history,
// those that had begun. The evidence of a superseded version is that of the last instant at which it was believed.
CALL () {
  UNWIND $ids AS id
  CALL (id) {
    MATCH ()-[r:RELATES_TO {id: id}]->()
    USING INDEX SEEK r:RELATES_TO(id)
    WHERE
      // insert: held_or_begun
    RETURN 'relationship' AS kind, r
    UNION ALL
    MATCH ()-[r:SUPERSEDED {id: id}]->()
    USING INDEX SEEK r:SUPERSEDED(id)
    WHERE
      // insert: held_or_begun
    RETURN 'relationship' AS kind, r
    UNION ALL
    MATCH (r:Fact {id: id})
    WHERE
      // insert: held_or_begun
    RETURN 'fact' AS kind, r
    UNION ALL
    MATCH (r:SupersededFact {id: id})
    WHERE
      // insert: held_or_begun
    RETURN 'fact' AS kind, r
  }
  WITH kind, r.valid_from AS valid_from, r.valid_to AS valid_to,
  // insert: last_known
  AS known, coalesce(r.attribute_keys, []) AS keys,
    coalesce(r.attribute_values, []) AS said,
  // insert: belief
  AS belief
  WITH belief.id AS id, head(collect([belief, valid_from, valid_to, keys, said, known])) AS row
  RETURN row[0] AS belief, row[1] AS valid_from, row[2] AS valid_to, row[3] AS keys, row[4] AS said,
    row[5] AS known
}
// insert: evidence
WITH collect(belief {.*, evidence: evidence, ended_by: ended_by}) AS beliefs
CALL (beliefs) {
  UNWIND [one IN beliefs | one.subject_id] + [one IN beliefs | one.object_id] AS id
  // insert: entities_by_then
}
RETURN beliefs, entities;

// name: history_of_entity
// mode: read
// returns: one
// row: SubgraphRow
// params: group, id, audience, open, predicates, valid_at, known_at, awake_at, after, limit, evidence
// timeless because superseded versions are asked for; $known_at bounds recorded_at, and $valid_at counts unless null
// Every version of the beliefs at either end of an entity that was recorded by $known_at, after a cursor. The evidence
// of a superseded version is that of the last instant at which it was believed.
CALL () {
  WITH $id AS entity_id
  // insert: same_thing
  CALL (e) {
    MATCH (e)-[r:RELATES_TO]-()
    WHERE
      // insert: later_in_history
    RETURN 'relationship' AS kind, r
    UNION ALL
    MATCH (e)-[r:SUPERSEDED]-()
    WHERE
      // insert: later_in_history
    RETURN 'relationship' AS kind, r
    UNION ALL
    MATCH (e)-[:HAS_FACT]->(r)
    WHERE
      // insert: later_in_history
    RETURN 'fact' AS kind, r
    UNION ALL
    MATCH (e)-[:HAD_FACT]->(r)
    WHERE
      // insert: later_in_history
    RETURN 'fact' AS kind, r
  }
  WITH kind, r.valid_from AS valid_from, r.valid_to AS valid_to,
  // insert: last_known
  AS known, r.recorded_at AS recorded_at,
    coalesce(r.attribute_keys, []) AS keys, coalesce(r.attribute_values, []) AS said,
  // insert: belief
  AS belief
  ORDER BY belief.predicate, belief.target, valid_from, recorded_at, belief.id LIMIT 4 * $limit
  WITH belief.id AS id, head(collect([belief, valid_from, valid_to, keys, said, known, recorded_at])) AS row
  WITH row[0] AS belief, row[1] AS valid_from, row[2] AS valid_to, row[3] AS keys, row[4] AS said,
    row[5] AS known, row[6] AS recorded_at
  ORDER BY belief.predicate, belief.target, valid_from, recorded_at, belief.id LIMIT $limit
  RETURN belief, valid_from, valid_to, keys, said, known
}
// insert: evidence
WITH collect(belief {.*, evidence: evidence, ended_by: ended_by}) AS beliefs
CALL (beliefs) {
  UNWIND [$id] + [one IN beliefs | one.subject_id] + [one IN beliefs | one.object_id] AS id
  // insert: entities_by_then
}
RETURN beliefs, entities;

// name: version_of_belief
// mode: read
// returns: optional
// row: GroundsRow
// params: group, id, audience, valid_at, known_at, awake_at, after_time, after_id, limit, evidence, chars
// timeless because a version is addressed by its id, superseded or not; $known_at bounds recorded_at
// The version with this id, or the last one recorded by $known_at of the belief with this belief_id: with its evidence
// and ends, and every claim of its slot and value over its interval, those that end it, and those that reject or lower
// the value, recorded by then (or by the instant that superseded the version), after a cursor; retracted ones too, and
// only those that speak of $valid_at unless null. And the episodes of these claims: the
// claims end, and `more` says so, before that of the episode after the one with which contents have $chars characters.
CALL () {
  MATCH ()-[r:RELATES_TO]->()
  WHERE r.group_id = $group AND (r.id = $id OR r.belief_id = $id) AND coalesce(r.recorded_at <= $known_at, true)
    AND ($audience IS NULL OR r.audience IN $audience)
  RETURN 'relationship' AS kind, r
  UNION ALL
  MATCH ()-[r:SUPERSEDED]->()
  WHERE r.group_id = $group AND (r.id = $id OR r.belief_id = $id) AND coalesce(r.recorded_at <= $known_at, true)
    AND ($audience IS NULL OR r.audience IN $audience)
  RETURN 'relationship' AS kind, r
  UNION ALL
  MATCH (r:Fact)
  WHERE r.group_id = $group AND (r.id = $id OR r.belief_id = $id) AND coalesce(r.recorded_at <= $known_at, true)
    AND ($audience IS NULL OR r.audience IN $audience)
  RETURN 'fact' AS kind, r
  UNION ALL
  MATCH (r:SupersededFact)
  WHERE r.group_id = $group AND (r.id = $id OR r.belief_id = $id) AND coalesce(r.recorded_at <= $known_at, true)
    AND ($audience IS NULL OR r.audience IN $audience)
  RETURN 'fact' AS kind, r
}
WITH kind, r.recorded_at AS recorded_at, r.valid_from AS valid_from, r.valid_to AS valid_to,
  // insert: last_known
  AS known, CASE WHEN r.superseded_at <= $known_at THEN r.superseded_at ELSE $known_at END AS acted_until,
  coalesce(r.attribute_keys, []) AS keys, coalesce(r.attribute_values, []) AS said,
  // insert: belief
  AS belief
ORDER BY recorded_at IS :: ZONED DATETIME NOT NULL DESC, recorded_at DESC, belief.id LIMIT 1
// insert: evidence
WITH *, coalesce(head(COLLECT {
  MATCH (l:Claim {id: $after_id}) WHERE l.group_id = $group RETURN [l.turn, l.quote_start, l.id]
}), []) AS last
CALL (belief, valid_from, valid_to, keys, said, known, acted_until, subjects, targets, last) {
  UNWIND subjects AS subject
  UNWIND targets + {id: '', full: true, meanings: []} AS target
  MATCH (c:Claim)
  WHERE c.subject_id = subject.id AND c.predicate = belief.predicate AND c.target = target.id
    AND c.group_id = $group AND c.user = belief.user
    AND coalesce(c.recorded_at <= CASE WHEN c.kind IN ['rejects', 'lowers'] THEN acted_until ELSE known END, true)
    AND coalesce(c.open, false) = belief.open AND coalesce(c.day, '') = belief.day
    AND CASE
      WHEN c.kind IN ['rejects', 'lowers'] THEN true
      WHEN c.kind = 'ends' THEN coalesce(c.valid_from = valid_to, true)
      ELSE coalesce(c.valid_from < valid_to AND c.valid_to > valid_from, true)
    END
    AND ($valid_at IS NULL OR coalesce(c.valid_from <= $valid_at AND c.valid_to > $valid_at, true))
    AND
    // insert: names_as_many
    AND
    // insert: agrees
    AND coalesce(
      c.said_at > $after_time OR (c.said_at = $after_time AND [c.turn, c.quote_start, c.id] > last), true
    )
    AND
    // insert: told
    AND
    // insert: means_both
  WITH c ORDER BY c.said_at, c.turn, c.quote_start, c.id LIMIT $limit
  RETURN collect(
    // insert: known_claim
  ) AS claims
}
CALL (claims) {
  UNWIND range(0, size(claims) - 1) AS place
  WITH claims[place].episode_id AS id, min(place) AS place
  MATCH (e:Episode {id: id})
  WHERE e.group_id = $group AND ($audience IS NULL OR e.audience IN $audience)
  WITH e, place ORDER BY place
  WITH collect({e: e, place: place, chars: coalesce(size(toStringOrNull(e.content)), 0)}) AS found
  WITH found, reduce(
    page = {rows: 0, chars: 0}, one IN found |
    CASE WHEN page.chars < $chars THEN {rows: page.rows + 1, chars: page.chars + one.chars} ELSE page END
  ) AS page
  RETURN [one IN found[..page.rows] | one.e] AS shown, coalesce(found[page.rows].place, size(claims)) AS within
}
CALL (shown) {
  UNWIND shown AS e
  WITH e ORDER BY e.occurred_at, e.turn, e.id
  RETURN collect(
    // insert: episode
  ) AS episodes
}
WITH claims[..within] AS claims, within < size(claims) AS more, episodes,
  collect(belief {.*, evidence: evidence, ended_by: ended_by}) AS beliefs
CALL (beliefs) {
  UNWIND [one IN beliefs | one.subject_id] + [one IN beliefs | one.object_id] AS id
  // insert: entities_by_then
}
RETURN beliefs, entities, claims, more, episodes;
