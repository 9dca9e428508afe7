// Consolidation and enrichment: which facts are compared, which conflicts are settled, and what is read again.

// name: subjects_of_facts
// mode: read
// returns: many
// row: IdRow
// params: group, category, after, limit
// timeless because what is believed now is compared, whenever it is true
// The subjects of the next so many facts of a category, in order of the subject.
CALL () {
  MATCH ()-[r:RELATES_TO]->()
  WHERE r.group_id = $group AND r.category = $category AND r.subject_id > $after
  WITH r ORDER BY r.group_id, r.category, r.subject_id LIMIT $limit
  RETURN r.subject_id AS id
  UNION ALL
  MATCH (r:Fact)
  WHERE r.group_id = $group AND r.category = $category AND r.subject_id > $after
  WITH r ORDER BY r.group_id, r.category, r.subject_id LIMIT $limit
  RETURN r.subject_id AS id
}
WITH id ORDER BY id LIMIT $limit
RETURN DISTINCT id;

// name: facts_of_subjects
// mode: read
// returns: list
// row: CurrentFact
// params: group, ids, categories
// timeless because what is believed now is compared, whenever it is true
// The facts of some categories about subjects.
UNWIND $ids AS id
CALL (id) {
  MATCH (:Entity {id: id})-[r:RELATES_TO]->()
  WHERE r.group_id = $group AND r.category IN $categories
  RETURN r
  UNION ALL
  MATCH (:Entity {id: id})-[:HAS_FACT]->(r:Fact)
  WHERE r.group_id = $group AND r.category IN $categories
  RETURN r
}
RETURN collect(
  // insert: current_fact
) AS rows;

// name: contested_facts
// mode: read
// returns: list
// row: CurrentFact
// params: group, after, limit
// timeless because what is contested now is settled, whenever it is true
// The next contested beliefs, in order of the ids of their rows; with a category or without.
CALL () {
  MATCH ()-[r:RELATES_TO]->()
  WHERE r.group_id = $group AND r.contested = true AND r.id > $after
  WITH r ORDER BY r.id LIMIT $limit
  RETURN r
  UNION ALL
  MATCH (r:Fact)
  WHERE r.group_id = $group AND r.contested = true AND r.id > $after
  WITH r ORDER BY r.id LIMIT $limit
  RETURN r
}
WITH r ORDER BY r.id LIMIT $limit
RETURN collect(
  // insert: current_fact
) AS rows;

// name: said_in_session
// mode: read
// returns: many
// row: EpisodeTimeRow
// params: group, session, after_time, after_id, limit
// timeless because what was said is gone over, whenever that was
// The next episodes of a session of a user, in order of time.
MATCH (e:Episode)
WHERE e.own_session_id = $session AND e.occurred_at >= $after_time AND e.group_id = $group
  AND (e.occurred_at > $after_time OR e.id > $after_id)
WITH e ORDER BY e.occurred_at, e.id LIMIT $limit
RETURN e.id AS id, toString(e.occurred_at) AS occurred_at ORDER BY e.occurred_at, e.id;

// name: subjects_of_episodes
// mode: read
// returns: many
// row: IdRow
// params: group, ids
// timeless because it is about what is believed now
// What the claims of episodes are about, by who is who for everybody or a user.
UNWIND $ids AS id
MATCH (:Episode {id: id})-[:STATES]->(c:Claim)-[:SUBJECT]->(named:Entity)
WHERE c.group_id = $group AND c.retracted_at > datetime.realtime()
MATCH (named)-[:SAME_AS*0..3]->(subject:Entity)
RETURN DISTINCT subject.id AS id;

// name: groundless_lowerings
// mode: read
// returns: many
// row: Groundless
// params: group, after, limit
// timeless because it is about claims that stand now
// The next claims by which consolidation lowered a value, in order of id, where no claim stands any more of the value to
// which that gave way; and a claim of that.
MATCH (c:Claim)
WHERE c.group_id = $group AND c.gave_way_to > '' AND c.id > $after AND c.extractor = 'consolidation'
  AND c.retracted_at = datetime('9999-12-31T23:59:59.999999Z')
  AND NOT EXISTS {
    MATCH (k:Claim {id: c.gave_way_to})
    MATCH (o:Claim)
    USING INDEX SEEK o:Claim(subject_id, predicate, target)
    WHERE o.subject_id = k.subject_id AND o.predicate = k.predicate AND o.target = k.target AND o.group_id = $group
      AND o.kind IN ['starts', 'holds'] AND o.user = k.user
      AND coalesce(o.open, false) = coalesce(k.open, false) AND coalesce(o.day, '') = coalesce(k.day, '')
      AND o.retracted_at = datetime('9999-12-31T23:59:59.999999Z')
  }
WITH c ORDER BY c.id LIMIT $limit
RETURN c.id AS id, c.gave_way_to AS gave_way_to ORDER BY id;

// name: sessions_to_consolidate
// mode: read
// returns: many
// row: SessionIdRow
// params: limit
// timeless because it is about work to do
// all groups because sessions close everywhere
// Sessions that closed and are to be consolidated, of which all has been read; those that closed first.
MATCH (s:Session)
WHERE s.consolidate_due <= datetime.realtime()
  AND NOT EXISTS {
    MATCH (e:Episode)
    WHERE e.own_session_id = s.id AND e.occurred_at > datetime('0001-01-01T00:00:00Z')
      AND e.status IN ['pending', 'refining']
  }
RETURN s.group_id AS group_id, s.id AS id ORDER BY s.consolidate_due LIMIT $limit;

// name: take_session_to_consolidate
// mode: write
// returns: optional
// row: IdRow
// params: group, id
// A session, if it is still to be consolidated: it no longer is.
MATCH (s:Session {id: $id})
WHERE s.group_id = $group
SET s.lock_asked_at = datetime.realtime()
WITH s WHERE s.consolidate_due IS NOT NULL
SET s.consolidate_due = null
RETURN s.id AS id;

// name: episodes_to_read_again
// mode: read
// returns: list
// row: ReadableEpisode
// params: group, session, reader, version, entities, limit
// timeless because it is about work to do
// Episodes that a reader other than this version read, that $reader was not asked to read again, of a session or (null)
// of all; and, unless null, in which at most so many entities were found.
MATCH (e:Episode)
WHERE e.group_id = $group AND e.low_yield > '' AND e.low_yield <> $version AND e.status = 'digested'
  AND e.payload IS NULL AND coalesce(e.read_again_by, '') <> $reader
  AND ($session IS NULL OR e.own_session_id = $session)
WITH e, COUNT { MATCH (e)-[:MENTIONS]->(n:Entity) RETURN DISTINCT n } AS found
WHERE $entities IS NULL OR found <= $entities
WITH e, found LIMIT $limit
RETURN collect({id: e.id, read_by: e.low_yield, entities: found}) AS rows;

// name: read_again
// mode: write
// returns: one
// row: IdsRow
// params: group, ids, reader, reprocessing
// Ask for another digest of episodes, each once of a reader; what stands of them, stands until then.
UNWIND $ids AS id
MATCH (e:Episode {id: id})
WHERE e.group_id = $group
SET e.lease_asked_at = datetime.realtime()
WITH e WHERE e.status = 'digested' AND e.payload IS NULL AND coalesce(e.read_again_by, '') <> $reader
SET
  e:Work, e.kind = 'digest', e.lane = 2, e.read_again_by = $reader,
  e.status = 'refining', e.reprocessing = $reprocessing, e.revision = coalesce(e.revision, 0) + 1, e.attempts = 0,
  e.leases = 0, e.error = null, e.cursor = null, e.due_at = datetime.truncate('microsecond', datetime.realtime())
WITH collect(e.id) AS ids
MERGE (q:WorkQueue {group_id: $group, lane: 2})
SET q.due_at = datetime.truncate('microsecond', datetime.realtime())
RETURN ids;
