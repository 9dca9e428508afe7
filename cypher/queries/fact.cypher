// Facts: beliefs that have a category. And conflicts: curated beliefs that what was said last disputes.

// name: facts
// mode: read
// returns: list
// row: RankedFactRow
// params: group, audience, valid_at, known_at, categories, subjects, least, after_importance, after_id, limit
// The rows of beliefs of some categories that held at $valid_at, as known at $known_at, the most important first.
CALL () {
  MATCH ()-[r:RELATES_TO]->()
  WHERE r.group_id = $group AND r.category IN $categories AND
    // insert: held_and_seen
  RETURN r
  UNION ALL
  MATCH ()-[r:SUPERSEDED]->()
  WHERE r.group_id = $group AND r.category IN $categories AND
    // insert: held_and_seen
  RETURN r
  UNION ALL
  MATCH (r:Fact)
  WHERE r.group_id = $group AND r.category IN $categories AND
    // insert: held_and_seen
  RETURN r
  UNION ALL
  MATCH (r:SupersededFact)
  WHERE r.group_id = $group AND r.category IN $categories AND
    // insert: held_and_seen
  RETURN r
}
WITH r WHERE coalesce(r.importance >= $least, true) AND ($subjects IS NULL OR r.subject_id IN $subjects)
WITH DISTINCT r.id AS id, r.importance AS importance
WHERE coalesce(importance < $after_importance OR (importance = $after_importance AND id > $after_id), true)
WITH id, importance ORDER BY importance DESC, id LIMIT $limit
RETURN collect({id: id, importance: importance}) AS rows;

// name: conflicts
// mode: read
// returns: list
// row: RankedFactRow
// params: group, audience, valid_at, known_at, after_importance, after_id, limit
// The rows of contested beliefs that held at $valid_at, as known at $known_at, the most important first.
CALL () {
  MATCH ()-[r:RELATES_TO]->()
  WHERE r.group_id = $group AND r.contested = true AND
    // insert: held_and_seen
  RETURN r
  UNION ALL
  MATCH ()-[r:SUPERSEDED]->()
  WHERE r.group_id = $group AND r.contested = true AND
    // insert: held_and_seen
  RETURN r
  UNION ALL
  MATCH (r:Fact)
  WHERE r.group_id = $group AND r.contested = true AND
    // insert: held_and_seen
  RETURN r
  UNION ALL
  MATCH (r:SupersededFact)
  WHERE r.group_id = $group AND r.contested = true AND
    // insert: held_and_seen
  RETURN r
}
WITH DISTINCT r.id AS id, r.importance AS importance
WHERE coalesce(importance < $after_importance OR (importance = $after_importance AND id > $after_id), true)
WITH id, importance ORDER BY importance DESC, id LIMIT $limit
RETURN collect({id: id, importance: importance}) AS rows;

// name: disputing_claims
// mode: read
// returns: list
// row: DisputeRow
// params: group, audience, ids, known_at, limit
// timeless because a version is addressed by the id of its row; $known_at bounds its claims, or the end of its time does
// Of beliefs, by the ids of their rows: the claims of other values of their slots that speak of the same time and were
// neither rejected nor lowered, the newest $limit; one of so many of which most were may be missing. `settled` counts
// those that were lowered: they gave way. Where the latest start is believed, one that began before and tells no end was
// ended by the belief, and does not dispute it.
// insert: rows_by_id
// insert: holds_one
WITH by_time, r.valid_from AS valid_from, r.valid_to AS valid_to,
  // insert: last_known
  AS known,
  // insert: belief_of_claims
  AS belief
// insert: stands_for
CALL (belief, valid_from, valid_to, known, subjects, targets, by_time) {
  UNWIND subjects AS subject
  WITH belief, valid_from, valid_to, known, subjects, targets, by_time, subject,
    {id: '', full: true, meanings: []} AS target
  MATCH (c:Claim)
  WHERE c.subject_id = subject.id AND c.predicate = belief.predicate AND c.target > ''
    AND NOT c.target IN [one IN targets | one.id]
    AND c.group_id = $group AND c.user = belief.user
    AND NOT coalesce(c.kind, '') IN ['ends', 'rejects', 'lowers']
    AND NOT coalesce(c.open, false) AND coalesce(c.day, '') = belief.day
    AND (NOT by_time OR coalesce(c.to_stated OR c.valid_from >= valid_from, true))
    AND
    // insert: speaks_then
    AND
    // insert: means_both
    AND
    // insert: told
  WITH c, known ORDER BY c.said_at DESC, c.turn DESC, c.quote_start DESC, c.id LIMIT 4 * $limit
  WITH c, known WHERE NOT
  // insert: rejected
  WITH c, known,
  // insert: lowered
  AS gave_way
  ORDER BY c.said_at DESC, c.turn DESC, c.quote_start DESC, c.id
  WITH collect(CASE WHEN NOT gave_way THEN
    // insert: known_claim
    END) AS claims, sum(CASE WHEN gave_way THEN 1 ELSE 0 END) AS settled
  RETURN claims[..$limit] AS claims, settled
}
RETURN collect({id: belief.id, claims: claims, settled: settled}) AS rows;

// name: use_beliefs
// mode: write
// returns: nothing
// params: group, rows
// timeless because a use is of a row by its id; one that was superseded meanwhile keeps what it had
// Count uses of beliefs, each once a day, and let them fade later; not what had faded when it was used, nor what has faded
// by now: whoever asked in between was told so.
UNWIND $rows AS row
CALL (row) {
  MATCH ()-[r:RELATES_TO {id: row.id}]->()
  USING INDEX SEEK r:RELATES_TO(id)
  WITH r, row, datetime(row.at) AS at, datetime(row.fades_at) AS fades_at
  WHERE r.group_id = $group AND r.fades_at > at AND r.fades_at > datetime.realtime()
  // insert: count_use
}
CALL (row) {
  MATCH (r:Fact {id: row.id})
  WITH r, row, datetime(row.at) AS at, datetime(row.fades_at) AS fades_at
  WHERE r.group_id = $group AND r.fades_at > at AND r.fades_at > datetime.realtime()
  // insert: count_use
};

// name: tags_of_episodes
// mode: read
// returns: list
// row: TagsRow
// params: group, audience, ids
// timeless because tags come with an episode, which is addressed by its id
// The tags of those episodes that readers of $audience may see and that have any.
UNWIND $ids AS id
MATCH (e:Episode {id: id})
WHERE e.group_id = $group AND ($audience IS NULL OR e.audience IN $audience)
  AND size([tag IN e.tags | 1]) > 0
RETURN collect({id: id, tags: e.tags}) AS rows;
