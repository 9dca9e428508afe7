// How much a memory holds. Rows are counted one by one, which takes long in a large group.

// name: said_in_group
// mode: read
// returns: one
// row: SaidRow
// params: group, audience, valid_at, known_at
// How many episodes had happened and were known then, in how many sessions of a user, and when the last was recorded.
// One that lacks an instant is counted in none of them.
MATCH (e:Episode)
WHERE e.group_id = $group AND e.occurred_at IS NOT NULL
  AND coalesce(e.occurred_at <= $valid_at AND e.recorded_at <= $known_at, true)
  AND coalesce(e.replaced_at > $known_at, true) AND ($audience IS NULL OR e.audience IN $audience)
WITH e, e.occurred_at IS :: ZONED DATETIME NOT NULL AND e.recorded_at IS :: ZONED DATETIME NOT NULL AS dated
WITH dated, CASE WHEN dated THEN e END AS e, CASE WHEN NOT dated THEN {
    id: e.id,
    occurred_at: CASE WHEN e.occurred_at IS :: ZONED DATETIME THEN toString(e.occurred_at) ELSE '' END,
    recorded_at: CASE WHEN e.recorded_at IS :: ZONED DATETIME THEN toString(e.recorded_at) ELSE '' END
  } END AS undated
RETURN {
    episodes: count(e), sessions: count(DISTINCT e.own_session_id), latest_recorded_at: toString(max(e.recorded_at))
  } AS said, collect(undated) AS undated_episodes;

// name: believed_in_group
// mode: read
// returns: list
// row: BelievedRow
// params: group, audience, users, valid_at, known_at, asked_at, awake_at
// How many beliefs held then, as known then, by what they have in common; `age` is in days from when they were recorded to
// $asked_at, up to 1, 7, 30 or 365, and null beyond; one of which a
// property is of another type stands for itself. Uses are those up to now: with $users, of what is theirs.
CALL () {
  MATCH ()-[r:RELATES_TO]->()
  WHERE r.group_id = $group AND r.id > '' AND
    // insert: held_and_seen
  RETURN 'relationship' AS kind, r
  UNION ALL
  MATCH ()-[r:SUPERSEDED]->()
  WHERE r.group_id = $group AND r.id > '' AND
    // insert: held_and_seen
  RETURN 'relationship' AS kind, r
  UNION ALL
  MATCH (r:Fact)
  WHERE r.group_id = $group AND r.id > '' AND
    // insert: held_and_seen
  RETURN 'fact' AS kind, r
  UNION ALL
  MATCH (r:SupersededFact)
  WHERE r.group_id = $group AND r.id > '' AND
    // insert: held_and_seen
  RETURN 'fact' AS kind, r
}
WITH kind, r, all(at IN [r.valid_from, r.valid_to, r.recorded_at, r.superseded_at] WHERE at IS :: ZONED DATETIME NOT NULL)
  AS dated
WITH kind, r, dated, CASE WHEN dated THEN duration.inDays(r.recorded_at, $asked_at).days END AS days,
  dated AND r.fades_at IS :: ZONED DATETIME NOT NULL AND r.last_accessed IS :: ZONED DATETIME
    AND r.access_count IS :: INTEGER AND r.category IS :: STRING AND r.contested IS :: BOOLEAN NOT NULL
    AND r.protected IS :: BOOLEAN AS sound
WITH kind, CASE WHEN NOT sound THEN
  // insert: damaged_version
  END AS damaged, r.open AS open, coalesce(r.category, '') AS category, r.fades_at <= $awake_at AS faded,
  r.contested AS contested, coalesce(r.protected, false) AS protected, r,
  CASE WHEN days < 1 THEN 1 WHEN days < 7 THEN 7 WHEN days < 30 THEN 30 WHEN days < 365 THEN 365 END AS age,
  $users IS NULL OR r.user IN $users AS told
WITH kind, damaged, open, category, faded, contested, protected, age, count(*) AS count,
  toString(max(CASE WHEN damaged IS NULL THEN r.recorded_at END)) AS latest_recorded_at,
  sum(CASE WHEN told AND damaged IS NULL THEN coalesce(r.access_count, 0) ELSE 0 END) AS uses,
  toString(max(CASE WHEN told AND damaged IS NULL THEN r.last_accessed END)) AS last_used_at
RETURN collect({believed: {
  kind: kind, damaged: damaged, open: open, category: category, faded: faded, contested: contested, protected: protected, age: age,
  count: count, latest_recorded_at: latest_recorded_at, uses: uses, last_used_at: last_used_at
}}) AS rows;

// name: texts_in_group
// mode: read
// returns: one
// row: TextsRow
// params: group, audience, valid_at, known_at
// timeless because what a text is about has an end, to which $valid_at is compared, and none in the sense of beliefs
// How many summaries of sessions and of entities and how many reflections there were of what was over by $valid_at, as
// known at $known_at; and how many of all these were to be made again.
CALL () {
  MATCH (s:Summary)
  WHERE s.group_id = $group AND s.id > ''
    AND coalesce(s.last_at <= $valid_at AND s.recorded_at <= $known_at AND s.superseded_at > $known_at, true)
    AND s.content <> '' AND ($audience IS NULL OR s.audience IN $audience)
  RETURN CASE WHEN s.session_id IS NULL THEN 'entity' ELSE 'session' END AS kind, s
  UNION ALL
  MATCH (s:SupersededSummary)
  WHERE s.group_id = $group AND s.id > ''
    AND coalesce(s.last_at <= $valid_at AND s.recorded_at <= $known_at AND s.superseded_at > $known_at, true)
    AND s.content <> '' AND ($audience IS NULL OR s.audience IN $audience)
  RETURN CASE WHEN s.session_id IS NULL THEN 'entity' ELSE 'session' END AS kind, s
  UNION ALL
  MATCH (s:Reflection)
  WHERE s.group_id = $group AND s.id > ''
    AND coalesce(s.until_at <= $valid_at AND s.recorded_at <= $known_at AND s.superseded_at > $known_at, true)
    AND s.content <> '' AND ($audience IS NULL OR s.audience IN $audience)
  RETURN 'week' AS kind, s
  UNION ALL
  MATCH (s:SupersededReflection)
  WHERE s.group_id = $group AND s.id > ''
    AND coalesce(s.until_at <= $valid_at AND s.recorded_at <= $known_at AND s.superseded_at > $known_at, true)
    AND s.content <> '' AND ($audience IS NULL OR s.audience IN $audience)
  RETURN 'week' AS kind, s
}
WITH kind, s, coalesce(s.last_at, s.until_at) AS until_at
WITH kind, s, until_at, all(at IN [until_at, s.recorded_at, s.superseded_at] WHERE at IS :: ZONED DATETIME NOT NULL)
  AND s.stale_at IS :: ZONED DATETIME AND s.was_stale IS :: LIST<ZONED DATETIME NOT NULL> AS dated
WITH kind, s, dated, CASE WHEN NOT dated THEN {
    id: s.id,
    until_at: CASE WHEN until_at IS :: ZONED DATETIME THEN toString(until_at) ELSE '' END,
    recorded_at: CASE WHEN s.recorded_at IS :: ZONED DATETIME THEN toString(s.recorded_at) ELSE '' END,
    superseded_at: CASE WHEN s.superseded_at IS :: ZONED DATETIME THEN toString(s.superseded_at) ELSE '' END,
    stale_at: CASE WHEN s.stale_at IS :: ZONED DATETIME THEN toString(s.stale_at) ELSE '' END,
    was_stale: CASE WHEN s.was_stale IS :: LIST<ZONED DATETIME NOT NULL> THEN [] END
  } END AS undated, CASE WHEN dated THEN s.stale_at END AS stale_at,
  CASE WHEN dated THEN coalesce(s.was_stale, []) ELSE [] END AS was_stale
WITH kind, dated, undated, coalesce(stale_at <= $known_at, false) OR any(
    place IN range(0, size(was_stale) - 2, 2)
    WHERE was_stale[place] <= $known_at AND was_stale[place + 1] > $known_at
  ) AS stale
WITH CASE WHEN dated THEN kind END AS counted, kind, undated, stale
RETURN {
    summaries: count(CASE counted WHEN 'session' THEN 1 END), entity_summaries: count(CASE counted WHEN 'entity' THEN 1 END),
    reflections: count(CASE counted WHEN 'week' THEN 1 END), stale: count(CASE WHEN stale THEN 1 END)
  } AS texts,
  collect(CASE WHEN kind <> 'week' THEN undated END) AS undated_summaries,
  collect(CASE WHEN kind = 'week' THEN undated END) AS undated_reflections;

// name: unprojected_in_group
// mode: read
// returns: many
// row: UnprojectedRow
// params: group, audience, limit
// timeless because it shows work, not beliefs
// Slots that stay as they are because something of them cannot be read.
MATCH (w:Work)
WHERE w.group_id = $group AND w.kind = 'repair' AND w.id > '' AND w.status <> 'done'
  AND ($audience IS NULL OR w.audience IN $audience)
WITH w ORDER BY w.id LIMIT $limit
RETURN w.id AS id, w.arguments AS slot, w.requested_at AS asked_at;

// name: condition_of_all
// mode: read
// returns: one
// row: Condition
// params: none
// timeless because it is about what stands now
// all groups because it is for those who look after the service
// How many summaries and reflections are to be made again, how many facts have faded, how many beliefs are contested, and
// how many slots stay as they are because something of them cannot be read.
MATCH (g:Group) WHERE g.id > ''
CALL (g) {
  MATCH (s:Session)
  WHERE s.group_id = g.id AND s.summarise_due > datetime('0001-01-01T00:00:00Z')
  MATCH (s)-[:HAS_SUMMARY]->(summary:Summary)
  WHERE summary.stale_at IS NOT NULL
  RETURN count(summary) AS summaries
}
CALL (g) {
  MATCH (s:EntitySummary)
  WHERE s.group_id = g.id AND s.stale_at > datetime('0001-01-01T00:00:00Z')
  RETURN count(s) AS of_entities
}
CALL (g) {
  MATCH (r:Reflection)
  WHERE r.group_id = g.id AND r.stale_at > datetime('0001-01-01T00:00:00Z')
  RETURN count(r) AS reflections
}
CALL (g) {
  MATCH ()-[r:RELATES_TO]->()
  WHERE r.group_id = g.id AND r.category > '' AND r.fades_at <= datetime.realtime()
  RETURN count(r) AS faded_relationships
}
CALL (g) {
  MATCH (f:Fact)
  WHERE f.group_id = g.id AND f.category > '' AND f.fades_at <= datetime.realtime()
  RETURN count(f) AS faded_facts
}
CALL (g) {
  MATCH ()-[r:RELATES_TO]->()
  WHERE r.group_id = g.id AND r.contested = true
  RETURN count(r) AS contested_relationships
}
CALL (g) {
  MATCH (f:Fact)
  WHERE f.group_id = g.id AND f.contested = true
  RETURN count(f) AS contested_facts
}
CALL (g) {
  MATCH (w:Work)
  WHERE w.group_id = g.id AND w.kind = 'repair' AND w.id > '' AND w.status <> 'done'
  RETURN count(w) AS unprojected
}
RETURN sum(summaries) AS stale_summaries, sum(of_entities) AS stale_entity_summaries, sum(reflections) AS stale_reflections,
  sum(faded_relationships) + sum(faded_facts) AS faded, sum(contested_relationships) + sum(contested_facts) AS contested,
  sum(unprojected) AS unprojected;
