// Summaries of entities. The version that stands is a Summary and an EntitySummary, what is no longer current a
// SupersededSummary; one with no content has lost all that it said. An entity with `summary_due` is to be looked at.

// name: next_group_to_summarise_entities
// mode: read
// returns: optional
// row: IdRow
// params: after
// timeless because it is about work to do, not about beliefs
// all groups because the schedule asks for work in each
// The next group in which an entity is to be looked at, or a summary of one is to be made again.
CALL () {
  MATCH (e:Entity)
  WHERE e.group_id > $after AND e.summary_due <= datetime.realtime()
  RETURN e.group_id AS group_id ORDER BY e.group_id, e.summary_due LIMIT 1
  UNION ALL
  MATCH (s:EntitySummary)
  WHERE s.group_id > $after AND s.stale_at > datetime('0001-01-01T00:00:00Z')
  RETURN s.group_id AS group_id ORDER BY s.group_id, s.stale_at LIMIT 1
}
RETURN group_id AS id ORDER BY group_id LIMIT 1;

// name: next_entity_to_summarise
// mode: read
// returns: many
// row: EntityToSummarise
// params: group, limit
// timeless because it is about work to do, not about beliefs
// The $limit entities that wait longest to be looked at, and the users that have beliefs of each or a summary.
MATCH (e:Entity)
WHERE e.group_id = $group AND e.summary_due <= datetime.realtime()
WITH e ORDER BY e.group_id, e.summary_due LIMIT $limit
CALL (e) {
  CALL (e) {
    MATCH (e)-[r:RELATES_TO]-()
    RETURN r.user AS user
    UNION
    MATCH (e)-[:HAS_FACT]->(f)
    RETURN f.user AS user
    UNION
    MATCH (e)-[:HAS_SUMMARY]->(s:EntitySummary)
    RETURN s.user AS user
  }
  WITH user ORDER BY user
  RETURN collect(user) AS users
}
RETURN e.id AS id, toString(e.summary_due) AS due, toStringOrNull(e.summary_since) AS since, users
ORDER BY e.summary_due;

// name: entities_to_pass_over
// mode: read
// returns: list
// row: EntityToSummarise
// params: group, least, limit
// timeless because it is about work to do, not about beliefs
// Of the $limit entities that wait longest to be looked at, those of which too little is believed for a summary.
MATCH (e:Entity)
WHERE e.group_id = $group AND e.summary_due <= datetime.realtime()
WITH e ORDER BY e.group_id, e.summary_due LIMIT $limit
WITH e WHERE NOT
// insert: worth_a_look
RETURN collect({id: e.id, due: toString(e.summary_due), since: toStringOrNull(e.summary_since), users: []}) AS rows;

// name: next_stale_entity_summary
// mode: read
// returns: many
// row: EntitySummaryRow
// params: group, limit
// timeless because it is about work to do, not about beliefs
// The $limit summaries that wait longest to be made again.
MATCH (s:EntitySummary)
WHERE s.group_id = $group AND s.stale_at > datetime('0001-01-01T00:00:00Z')
WITH s ORDER BY s.group_id, s.stale_at LIMIT $limit
RETURN
// insert: entity_summary
AS summary
ORDER BY s.stale_at;

// name: standing_entity_summary
// mode: read
// returns: optional
// row: EntitySummaryRow
// params: group, summary_id
// timeless because it is about what stands now
// The version of a summary that stands.
MATCH (s:EntitySummary {summary_id: $summary_id})
WHERE s.group_id = $group
RETURN
// insert: entity_summary
AS summary;

// name: held_of_entity
// mode: read
// returns: one
// row: HeldOfEntity
// params: group, id, user, audience, known_at, limit
// timeless because it is about what stands, and was true when the newest of that was recorded
// What $audience believes of an entity, and of all that it stands for to them: the $limit most important beliefs, of these
// the newest; and how many are of $user. Nothing of one that another entity stands for.
CALL () {
  WITH $id AS entity_id
  // insert: same_thing
  WITH e WHERE NOT EXISTS {
    MATCH (:Entity {id: $id})-[s:SAME_AS]->(:Entity)
    WHERE s.session IS NULL AND s.user IN $audience
  }
  CALL (e) {
    MATCH (e)-[r:RELATES_TO]-()
    WHERE r.group_id = $group AND r.user IN $audience
    RETURN r
    UNION ALL
    MATCH (e)-[:HAS_FACT]->(r)
    WHERE r.group_id = $group AND r.user IN $audience
    RETURN r
  }
  RETURN collect(DISTINCT r) AS standing
}
CALL (standing) {
  UNWIND standing AS r
  RETURN max(r.recorded_at) AS as_of
}
WITH as_of, [r IN standing WHERE r.valid_from <= as_of AND r.valid_to > as_of] AS held
CALL (held) {
  UNWIND held AS r
  WITH r ORDER BY r.importance DESC, r.valid_from DESC, r.statement, r.id LIMIT $limit
  RETURN collect({id: r.id, belief_id: r.belief_id}) AS beliefs
}
RETURN toString(as_of) AS as_of, size([r IN held WHERE r.user = $user]) AS own, beliefs;

// name: stamps_of_subjects
// mode: read
// returns: list
// row: SubjectStampRow
// params: group, ids
// timeless because claims are addressed by id, and keep what they name
// The entities that claims name as their subjects, or claims whose quotes overlap theirs, with the newest stamp of each:
// one changes when any of these is withdrawn.
UNWIND $ids AS id
MATCH (named:Claim {id: id})
WHERE named.group_id = $group
// insert: same_words
WITH DISTINCT c.subject_id AS subject
MATCH (e:Entity {id: subject})
WHERE e.group_id = $group
RETURN collect({id: e.id, stamp: coalesce(toString(e.newest_stamp), '')}) AS rows;

// name: mark_ends_of_changes
// mode: write
// returns: nothing
// params: group, changed, least
// Where versions of what is believed about an entity came or went since then: the entities at their other ends are to be
// looked at, and so is whatever one of these, or the entity itself, is a part of to some user.
UNWIND $changed AS row
MATCH (about:Entity {id: row.id})
WHERE about.group_id = $group AND row.since IS NOT NULL
CALL (about, row) {
  MATCH (about)-[r:RELATES_TO]->(o:Entity)
  WHERE r.recorded_at >= datetime(row.since)
  RETURN o
  UNION
  MATCH (about)-[r:SUPERSEDED]->(o:Entity)
  WHERE r.superseded_at >= datetime(row.since)
  RETURN o
  UNION
  RETURN about AS o
}
MATCH (o)-[:SAME_AS*0..2]->(e:Entity)
WHERE e.group_id = $group AND e <> about
WITH DISTINCT e WHERE
// insert: worth_a_look
WITH e ORDER BY e.id
WITH e, datetime.truncate('microsecond', datetime.realtime()) AS now
SET e.summary_due = CASE
    WHEN e.summary_due >= now THEN e.summary_due + duration({microseconds: 1})
    ELSE now
  END;

// name: end_looks_at_entities
// mode: write
// returns: nothing
// params: group, looked
// Entities were looked at: they wait no more, unless something changed meanwhile.
UNWIND $looked AS row
MATCH (e:Entity {id: row.id})
WHERE e.group_id = $group
WITH e, row ORDER BY row.id
SET e.locked = true
WITH e, row WHERE e.summary_due = datetime(row.due)
SET e.summary_due = null, e.summary_since = null;

// name: put_off_entity
// mode: write
// returns: nothing
// params: group, id, due, seconds
// A summary of an entity is damaged: it is looked at again after a while, unless something changed meanwhile.
MATCH (e:Entity {id: $id})
WHERE e.group_id = $group
SET e.locked = true
WITH e WHERE e.summary_due = datetime($due)
SET e.summary_due = datetime.truncate('microsecond', datetime.realtime()) + duration({seconds: $seconds});

// name: write_entity_summary
// mode: write
// returns: optional
// row: RecordedRow
// params: group, entity, before, summary, vector, claims, subjects
// audit: summaries summary.id
// allow: CartesianProduct because each side is one node, found by its unique id
// A version of a summary, unless something was written meanwhile about the subjects of its claims, or another version than
// $before stands by now. $before is superseded.
MATCH (g:Group {id: $group})
// insert: unchanged_since
MATCH (e:Entity {id: $entity})
WHERE e.group_id = g.id AND coalesce(head(COLLECT {
    MATCH (standing:EntitySummary {summary_id: $summary.summary_id})
    RETURN standing.id
  }), '') = $before
CALL () {
  OPTIONAL MATCH (old:EntitySummary {summary_id: $summary.summary_id})
  WHERE old.group_id = $group
  WITH old, datetime.truncate('microsecond', datetime.realtime()) AS clock
  RETURN CASE WHEN old.recorded_at >= clock THEN old.recorded_at + duration({microseconds: 1}) ELSE clock END AS now
}
CALL (e, now) {
  MATCH (e)-[r:HAS_SUMMARY]->(old:EntitySummary)
  WHERE old.summary_id = $summary.summary_id
  DELETE r
  REMOVE old:Summary, old:EntitySummary
  SET old:SupersededSummary, old.superseded_at = now
  CREATE (e)-[:HAD_SUMMARY]->(old)
}
CREATE (e)-[:HAS_SUMMARY]->(s:Summary:EntitySummary {id: $summary.id, summary_id: $summary.summary_id})
SET
  s += $summary, s.group_id = $group, s.entity_id = $entity, s.last_at = datetime($summary.last_at), s.recorded_at = now,
  s.superseded_at = datetime('9999-12-31T23:59:59.999999Z')
WITH s
CALL (s) {
  UNWIND $claims AS id
  MATCH (c:Claim {id: id})
  WHERE c.group_id = $group
  CREATE (s)-[:CITES]->(c)
}
CALL (s) {
  WITH s WHERE $vector IS NOT NULL
  CALL db.create.setNodeVectorProperty(s, 'embedding', $vector)
}
RETURN toString(s.recorded_at) AS recorded_at;

// name: keep_entity_summary
// mode: write
// returns: optional
// row: RecordedRow
// params: group, id, vector, subjects
// allow: CartesianProduct because each side is one node, found by its unique id
// A summary that says the same of the same when it is made again is not stale, unless something was written meanwhile
// about the subjects of its claims.
MATCH (g:Group {id: $group})
// insert: unchanged_since
MATCH (s:Summary {id: $id})
WHERE s.group_id = g.id
// insert: no_longer_stale
WITH s
CALL (s) {
  WITH s WHERE $vector IS NOT NULL
  CALL db.create.setNodeVectorProperty(s, 'embedding', $vector)
}
RETURN toString(s.recorded_at) AS recorded_at;

// name: mark_entity_summaries_stale
// mode: write
// returns: nothing
// params: group, ids, acts, ends, now
// To be made again are summaries that cite these claims, claims on whose value their user acts so or did by one of these,
// or claims of words withdrawn with them; and those of the entities that are `ends` of what moves, of its user, or of all
// if it is everybody's.
CALL () {
  // insert: concerned
  MATCH (c)<-[:CITES]-(s:EntitySummary)
  RETURN s
  UNION
  UNWIND $ends AS end
  MATCH (:Entity {id: end.id})-[:HAS_SUMMARY]->(s:EntitySummary)
  WHERE end.user IN ['', s.user]
  RETURN s
}
WITH s WHERE s.group_id = $group
WITH s ORDER BY s.id
SET s.stale_at = coalesce(s.stale_at, $now);

// name: summaries_of_entity
// mode: read
// returns: list
// row: StoredEntitySummary
// params: group, id, audience, user, valid_at, known_at
// timeless because what a summary says was true at one instant, to which $valid_at is compared
// The summaries of an entity that had been made of what was so by $valid_at, as known at $known_at: first that of $user,
// then that of everybody, then those of others.
CALL () {
  MATCH (:Entity {id: $id})-[:HAS_SUMMARY]->(s:EntitySummary)
  WHERE s.group_id = $group AND s.content <> '' AND s.last_at <= $valid_at AND s.recorded_at <= $known_at
    AND s.superseded_at > $known_at AND ($audience IS NULL OR s.audience IN $audience)
  RETURN s
  UNION
  MATCH (:Entity {id: $id})-[:HAD_SUMMARY]->(s:SupersededSummary)
  WHERE s.group_id = $group AND s.content <> '' AND s.last_at <= $valid_at AND s.recorded_at <= $known_at
    AND s.superseded_at > $known_at AND ($audience IS NULL OR s.audience IN $audience)
  RETURN s
}
WITH s ORDER BY CASE s.user WHEN $user THEN 0 WHEN '' THEN 1 ELSE 2 END, s.user, s.id LIMIT 10
RETURN collect(
// insert: entity_summary
) AS rows;

// name: entity_summaries_by_id
// mode: read
// returns: list
// row: StoredEntitySummary
// params: group, audience, ids, valid_at, known_at
// timeless because what a summary says was true at one instant, to which $valid_at is compared
// Those of versions, by id, that had been made of what was so by $valid_at, as known at $known_at.
UNWIND $ids AS id
CALL (id) {
  MATCH (s:Summary {id: id})
  RETURN s
  UNION ALL
  MATCH (s:SupersededSummary {id: id})
  RETURN s
}
WITH s
WHERE s.group_id = $group AND s.entity_id IS NOT NULL AND s.content <> '' AND s.last_at <= $valid_at
  AND s.recorded_at <= $known_at AND s.superseded_at > $known_at AND ($audience IS NULL OR s.audience IN $audience)
RETURN collect(
// insert: entity_summary
) AS rows;
