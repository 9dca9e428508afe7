// A group comes back from a file. While it does, its node says so (`restoring`), and to readers and writers there is no
// such group. What workers look for, such as when a session closes, is kept aside in `held` until all is there.

// name: begin_restoring
// mode: write
// returns: one
// row: BegunRow
// params: group, name, run, seconds, now, file, embedding_model, dimensions
// audit: imports group
// Begin to fill a group that is not there, or has nothing in it; or, where an earlier run was cut off, go on after so many
// `lines` with a file that begins as that one did, and with another begin anew (0). Another run that goes on holds it under
// a lease of so many seconds. `there`: the group has something in it, or another name than it is to get. `waking`: all is
// there, and an earlier run was killed while it let workers know.
MERGE (g:Group {id: $group})
ON CREATE SET g.name = $name, g.restoring = $run, g.recorded_at = $now
SET g.locked = true
WITH g, datetime.realtime() AS clock
WITH g, clock, g.restoring IS NULL AND g.waking IS NULL AND (
    EXISTS { MATCH (e:Entity) WHERE e.group_id = $group AND e.id > '' }
    OR EXISTS { MATCH (e:Episode) WHERE e.group_id = $group AND e.recorded_at > datetime('0001-01-01T00:00:00Z') AND e.id > '' }
    OR EXISTS { MATCH (p:Predicate) WHERE p.group_id = $group AND p.name > '' }
    OR g.name <> $name
  ) AS there, coalesce(g.restoring <> $run AND g.restore_lease > clock, false) AS busy, g.restoring IS NULL AS was_shown,
  coalesce(g.restoring IS NOT NULL AND g.restored_file = $file, false) AS same
FOREACH (_ IN CASE WHEN there OR busy OR g.waking IS NOT NULL THEN [] ELSE [1] END |
  SET
    g.name = $name, g.restoring = $run, g.restore_lease = clock + duration({seconds: $seconds}),
    g.embedding_model = $embedding_model, g.dimensions = $dimensions, g.importing = false, g.imported = true,
    g.settled_until = datetime('0001-01-01T00:00:00Z'), g.restored_file = $file,
    g.restored_lines = CASE WHEN same THEN g.restored_lines ELSE 0 END
)
RETURN there, busy, was_shown, g.waking AS waking, coalesce(g.restored_lines, 0) AS lines,
  coalesce(g.restored_hash, '') AS hash, coalesce(g.restored_texts, 0) AS texts;

// name: hold_restoring
// mode: write
// returns: optional
// row: IdRow
// params: group, run, seconds, lines, hash, texts
// The first statement of each transaction of a run: nobody else fills the group meanwhile. With it, so many lines of the
// file are in, with so many texts embedded; null: as many as before.
MATCH (g:Group {id: $group})
USING INDEX SEEK g:Group(id)
SET g.locked = true
WITH g WHERE g.restoring = $run
SET
  g.restore_lease = datetime.realtime() + duration({seconds: $seconds}),
  g.restored_lines = coalesce($lines, g.restored_lines), g.restored_hash = coalesce($hash, g.restored_hash),
  g.restored_texts = coalesce($texts, g.restored_texts)
RETURN g.id AS id;

// name: leave_restoring
// mode: write
// returns: nothing
// params: group, run
// A run was cut off: the next one may go on at once.
MATCH (g:Group {id: $group})
WHERE g.restoring = $run
SET g.restore_lease = datetime.realtime();

// name: wipe_restored
// mode: write
// returns: one
// row: CountRow
// params: group, limit
// allow: CartesianProduct because each side is one count
// Take away up to so many of each kind of what stands on entities and of what was said, of a group that nobody was shown.
CALL () {
  MATCH ()-[r:RELATES_TO]->() WHERE r.group_id = $group AND r.id > ''
  WITH r LIMIT $limit DELETE r RETURN count(*) AS relationships
}
CALL () {
  MATCH ()-[r:SUPERSEDED]->() WHERE r.group_id = $group AND r.id > ''
  WITH r LIMIT $limit DELETE r RETURN count(*) AS superseded
}
CALL () {
  MATCH (f:Fact) WHERE f.group_id = $group AND f.id > ''
  WITH f LIMIT $limit DETACH DELETE f RETURN count(*) AS facts
}
CALL () {
  MATCH (f:SupersededFact) WHERE f.group_id = $group AND f.id > ''
  WITH f LIMIT $limit DETACH DELETE f RETURN count(*) AS superseded_facts
}
CALL () {
  MATCH (c:Claim) WHERE c.group_id = $group AND c.recorded_at >= datetime('0001-01-01T00:00:00Z') AND c.id > ''
  WITH c LIMIT $limit DETACH DELETE c RETURN count(*) AS claims
}
CALL () {
  MATCH (s:Summary) WHERE s.group_id = $group AND s.id > ''
  WITH s LIMIT $limit DETACH DELETE s RETURN count(*) AS summaries
}
CALL () {
  MATCH (s:SupersededSummary) WHERE s.group_id = $group AND s.id > ''
  WITH s LIMIT $limit DETACH DELETE s RETURN count(*) AS superseded_summaries
}
CALL () {
  MATCH (s:Reflection) WHERE s.group_id = $group AND s.id > ''
  WITH s LIMIT $limit DETACH DELETE s RETURN count(*) AS reflections
}
CALL () {
  MATCH (s:SupersededReflection) WHERE s.group_id = $group AND s.id > ''
  WITH s LIMIT $limit DETACH DELETE s RETURN count(*) AS superseded_reflections
}
CALL () {
  MATCH (e:Episode) WHERE e.group_id = $group AND e.recorded_at >= datetime('0001-01-01T00:00:00Z') AND e.id > ''
  WITH e LIMIT $limit
  OPTIONAL MATCH (e)-[:HAS_PASSAGE]->(p:Passage)
  WITH e, collect(p) AS passages
  FOREACH (p IN passages | DETACH DELETE p)
  DETACH DELETE e
  RETURN count(*) AS episodes
}
RETURN relationships + superseded + facts + superseded_facts + claims + summaries + superseded_summaries + reflections
  + superseded_reflections + episodes AS count;

// name: wipe_restored_entities
// mode: write
// returns: one
// row: CountRow
// params: group, limit
// allow: CartesianProduct because each side is one count
// Then what is left: entities with their names, sessions and policies.
CALL () {
  MATCH (e:Entity) WHERE e.group_id = $group AND e.id > ''
  WITH e LIMIT $limit
  CALL (e) {
    MATCH (k:Name) WHERE k.id STARTS WITH e.id + '/' AND k.group_id = $group
    DETACH DELETE k
  }
  CALL (e) {
    MATCH (e)<-[:OF|ABOUT]-(n) WHERE n.group_id = $group
    DETACH DELETE n
  }
  DETACH DELETE e
  RETURN count(*) AS entities
}
CALL () {
  MATCH (s:Session) WHERE s.group_id = $group AND s.opened_at >= datetime('0001-01-01T00:00:00Z')
  WITH s LIMIT $limit DETACH DELETE s RETURN count(*) AS sessions
}
CALL () {
  MATCH (p:Predicate) WHERE p.group_id = $group AND p.name > ''
  WITH p LIMIT $limit DETACH DELETE p RETURN count(*) AS policies
}
CALL () {
  MATCH (p:SupersededPredicate) WHERE p.group_id = $group AND p.name > ''
  WITH p LIMIT $limit DETACH DELETE p RETURN count(*) AS superseded_policies
}
RETURN entities + sessions + policies + superseded_policies AS count;

// name: end_wiping
// mode: write
// returns: nothing
// params: group, run
// Nothing of a file that could not be used is left: there is no such group.
MATCH (g:Group {id: $group})
WHERE g.restoring = $run
DELETE g;

// name: restore_policies
// mode: write
// returns: one
// row: CountRow
// params: group, rows
UNWIND $rows AS row
CREATE (n:$(row.label))
SET n = row.properties, n.group_id = $group
// insert: restored_instants
RETURN count(*) AS count;

// name: restore_sessions
// mode: write
// returns: one
// row: CountRow
// params: group, rows
UNWIND $rows AS row
CREATE (n:Session)
SET n = row.properties, n.group_id = $group
// insert: restored_instants
RETURN count(*) AS count;

// name: restore_entities
// mode: write
// returns: one
// row: CountRow
// params: group, types, own_labels, rows
// What stands as the type of an entity is a label too, if an ontology lists it.
UNWIND $rows AS row
CREATE (n:Entity)
SET n = row.properties, n.group_id = $group
// insert: restored_instants
WITH n, reduce(
  label = '', part IN CASE WHEN n.type IN $types THEN split(replace(n.type, '-', '_'), '_') ELSE [] END |
  label + toUpper(left(part, 1)) + substring(part, 1)
) AS label
FOREACH (one IN CASE WHEN label = '' OR label IN $own_labels THEN [] ELSE [label] END | SET n:$(one))
RETURN count(*) AS count;

// name: restore_names
// mode: write
// returns: one
// row: CountRow
// params: group, rows
UNWIND $rows AS row
MATCH (e:Entity {id: row.properties.entity_id})
USING INDEX SEEK e:Entity(id)
WHERE e.group_id = $group
CREATE (n:Name)
SET n = row.properties, n.group_id = $group
// insert: restored_instants
RETURN count(*) AS count;

// name: restore_judgements
// mode: write
// returns: one
// row: CountRow
// params: group, rows
// allow: CartesianProduct because each side is one node, found by its unique id
UNWIND $rows AS row
MATCH (a:Entity {id: row.properties.first_id})
USING INDEX SEEK a:Entity(id)
MATCH (b:Entity {id: row.properties.second_id})
USING INDEX SEEK b:Entity(id)
WHERE a.group_id = $group AND b.group_id = $group
CREATE (a)<-[:OF]-(n:Judgement)-[:OF]->(b)
SET n = row.properties, n.group_id = $group
// insert: restored_instants
RETURN count(*) AS count;

// name: restore_shares
// mode: write
// returns: one
// row: CountRow
// params: group, rows
UNWIND $rows AS row
MATCH (e:Entity {id: row.properties.subject_id})
USING INDEX SEEK e:Entity(id)
WHERE e.group_id = $group
CREATE (n:SharedValue)-[:ABOUT]->(e)
SET n = row.properties, n.group_id = $group
// insert: restored_instants
WITH n, row, e
CALL (n, row, e) {
  MATCH (o:Entity {id: row.properties.object_id})
  USING INDEX SEEK o:Entity(id)
  WHERE o.group_id = $group AND o <> e
  CREATE (n)-[:ABOUT]->(o)
}
RETURN count(*) AS count;

// name: restore_episodes
// mode: write
// returns: one
// row: CountRow
// params: group, group_token, rows
// audit: episodes #rows
// Those that are to be read are work; no queue tells of it yet.
UNWIND $rows AS row
CREATE (n:Episode)
SET
  n = row.properties, n.group_id = $group,
  n.group_token = CASE WHEN row.properties.status <> 'redacted' THEN $group_token END
// insert: restored_instants
FOREACH (_ IN CASE WHEN row.undone THEN [1] ELSE [] END | SET n:Work, n.due_at = n.recorded_at)
WITH n, row
CALL (n, row) {
  MATCH (s:Session {id: row.properties.own_session_id})
  USING INDEX SEEK s:Session(id)
  WHERE s.group_id = $group
  CREATE (s)-[:HAS_EPISODE]->(n)
}
CALL (n, row) {
  WITH n, row WHERE row.embedding IS NOT NULL
  CALL db.create.setNodeVectorProperty(n, 'embedding', row.embedding)
}
RETURN count(*) AS count;

// name: restore_passages
// mode: write
// returns: one
// row: CountRow
// params: group, rows
UNWIND $rows AS row
MATCH (e:Episode {id: row.properties.episode_id})
USING INDEX SEEK e:Episode(id)
WHERE e.group_id = $group
CREATE (e)-[:HAS_PASSAGE]->(n:Passage)
SET
  n = row.properties, n.group_id = e.group_id, n.group_token = e.group_token, n.audience = e.audience,
  n.audience_token = e.audience_token, n.session_token = e.session_token, n.speaker = e.speaker,
  n.occurred_at = e.occurred_at, n.recorded_at = e.recorded_at, n.replaced_at = e.replaced_at
WITH n, row
CALL (n, row) {
  WITH n, row WHERE row.embedding IS NOT NULL
  CALL db.create.setNodeVectorProperty(n, 'embedding', row.embedding)
}
RETURN count(*) AS count;

// name: restore_mentions
// mode: write
// returns: one
// row: CountRow
// params: group, rows
// allow: CartesianProduct because each side is one node, found by its unique id
UNWIND $rows AS row
MATCH (ep:Episode {id: row.episode_id})
USING INDEX SEEK ep:Episode(id)
MATCH (e:Entity {id: row.entity_id})
USING INDEX SEEK e:Entity(id)
WHERE ep.group_id = $group AND e.group_id = $group
CREATE (ep)-[n:$(row.label)]->(e)
SET n = row.properties, n.group_id = $group
// insert: restored_instants
RETURN count(*) AS count;

// name: restore_claims
// mode: write
// returns: one
// row: CountRow
// params: group, rows
// audit: claims #rows
// allow: CartesianProduct because each side is one node, found by its unique id
UNWIND $rows AS row
MATCH (e:Episode {id: row.properties.episode_id})
USING INDEX SEEK e:Episode(id)
MATCH (s:Entity {id: row.properties.subject_id})
USING INDEX SEEK s:Entity(id)
WHERE e.group_id = $group AND s.group_id = $group
CREATE (e)-[:STATES]->(n:Claim)-[:SUBJECT]->(s)
SET n = row.properties, n.group_id = $group
// insert: restored_instants
WITH n, row
CALL (n, row) {
  MATCH (o:Entity {id: row.properties.object_id})
  USING INDEX SEEK o:Entity(id)
  WHERE o.group_id = $group
  CREATE (n)-[:OBJECT]->(o)
}
CALL (n, row) {
  WITH n, row WHERE row.embedding IS NOT NULL
  CALL db.create.setNodeVectorProperty(n, 'embedding', row.embedding)
}
RETURN count(*) AS count;

// name: restore_merges
// mode: write
// returns: one
// row: CountRow
// params: group, rows
// allow: CartesianProduct because each side is one node, found by its unique id
UNWIND $rows AS row
MATCH (a:Entity {id: row.member})
USING INDEX SEEK a:Entity(id)
MATCH (b:Entity {id: row.other})
USING INDEX SEEK b:Entity(id)
WHERE a.group_id = $group AND b.group_id = $group
CREATE (a)-[n:$(row.label)]->(b)
SET n = row.properties, n.group_id = $group
// insert: restored_instants
RETURN count(*) AS count;

// name: restore_relationships
// mode: write
// returns: one
// row: CountRow
// params: group, group_token, rows
// allow: CartesianProduct because each side is one node, found by its unique id
// The vector is that of the claim.
UNWIND $rows AS row
MATCH (s:Entity {id: row.properties.subject_id})
USING INDEX SEEK s:Entity(id)
MATCH (o:Entity {id: row.properties.object_id})
USING INDEX SEEK o:Entity(id)
WHERE s.group_id = $group AND o.group_id = $group
OPTIONAL MATCH (c:Claim {id: row.properties.claim_id})
USING INDEX SEEK c:Claim(id)
WHERE c.group_id = $group
CREATE (s)-[n:$(row.label)]->(o)
SET n = row.properties, n.group_id = $group, n.group_token = $group_token, n.embedding = c.embedding
// insert: restored_instants
RETURN count(*) AS count;

// name: restore_facts
// mode: write
// returns: one
// row: CountRow
// params: group, group_token, rows
UNWIND $rows AS row
MATCH (s:Entity {id: row.properties.subject_id})
USING INDEX SEEK s:Entity(id)
WHERE s.group_id = $group
OPTIONAL MATCH (c:Claim {id: row.properties.claim_id})
USING INDEX SEEK c:Claim(id)
WHERE c.group_id = $group
CREATE (s)-[:$(row.of)]->(n:$(row.label))
SET n = row.properties, n.group_id = $group, n.group_token = $group_token, n.embedding = c.embedding
// insert: restored_instants
RETURN count(*) AS count;

// name: restore_texts
// mode: write
// returns: one
// row: CountRow
// params: group, group_token, rows
// Summaries and reflections: what they rest on is there.
UNWIND $rows AS row
CREATE (n:$(row.labels))
SET n = row.properties, n.group_id = $group, n.group_token = $group_token
// insert: restored_instants
WITH n, row
CALL (n, row) {
  MATCH (o:Session {id: row.properties.session_id})
  USING INDEX SEEK o:Session(id)
  WHERE o.group_id = $group AND row.of IS NOT NULL
  CREATE (o)-[:$(row.of)]->(n)
}
CALL (n, row) {
  MATCH (o:Entity {id: row.properties.entity_id})
  USING INDEX SEEK o:Entity(id)
  WHERE o.group_id = $group AND row.of IS NOT NULL
  CREATE (o)-[:$(row.of)]->(n)
}
CALL (n, row) {
  UNWIND row.episodes AS id
  MATCH (e:Episode {id: id})
  USING INDEX SEEK e:Episode(id)
  WHERE e.group_id = $group
  CREATE (n)-[:SUMMARIZES]->(e)
}
CALL (n, row) {
  UNWIND row.claims AS id
  MATCH (c:Claim {id: id})
  USING INDEX SEEK c:Claim(id)
  WHERE c.group_id = $group
  CREATE (n)-[:$(row.rests)]->(c)
}
CALL (n, row) {
  WITH n, row WHERE row.embedding IS NOT NULL
  CALL db.create.setNodeVectorProperty(n, 'embedding', row.embedding)
}
RETURN count(*) AS count;

// name: restore_covers
// mode: write
// returns: one
// row: CountRow
// params: group, rows
// Summaries of summaries.
UNWIND $rows AS row
CALL (row) {
  MATCH (n:Summary {id: row.id})
  USING INDEX SEEK n:Summary(id)
  WHERE n.group_id = $group
  RETURN n
  UNION ALL
  MATCH (n:SupersededSummary {id: row.id})
  USING INDEX SEEK n:SupersededSummary(id)
  WHERE n.group_id = $group
  RETURN n
}
CALL (n, row) {
  UNWIND row.summaries AS id
  CALL (id) {
    MATCH (s:Summary {id: id})
    USING INDEX SEEK s:Summary(id)
    RETURN s
    UNION ALL
    MATCH (s:SupersededSummary {id: id})
    USING INDEX SEEK s:SupersededSummary(id)
    RETURN s
  }
  WITH n, s WHERE s.group_id = $group
  CREATE (n)-[:SUMMARIZES]->(s)
}
RETURN count(*) AS count;

// name: open_restored
// mode: write
// returns: optional
// row: IdRow
// params: group, run, waking, properties, instants, instant_lists
// audit: imports group
// From now on the group is there. `waking` is what is to be answered, once workers know of what waits.
MATCH (n:Group {id: $group})
WHERE n.restoring = $run
SET n += $properties, n.waking = $waking
WITH n, {instants: $instants, instant_lists: $instant_lists} AS row
// insert: restored_instants
SET
  n.restoring = null, n.restore_lease = null, n.restored_file = null, n.restored_lines = null, n.restored_hash = null,
  n.restored_texts = null
RETURN n.id AS id;

// name: wake_restored
// mode: write
// returns: nothing
// params: group
// What was kept aside is what workers look for.
CALL () {
  MATCH (n:Session) WHERE n.group_id = $group AND n.opened_at >= datetime('0001-01-01T00:00:00Z') RETURN n
  UNION ALL
  MATCH (n:Entity) WHERE n.group_id = $group AND n.id > '' RETURN n
  UNION ALL
  MATCH (n:Summary) WHERE n.group_id = $group AND n.id > '' RETURN n
  UNION ALL
  MATCH (n:Reflection) WHERE n.group_id = $group AND n.id > '' RETURN n
}
WITH n WHERE n.held IS NOT NULL
CALL (n) {
  FOREACH (due IN n.held | SET n[split(due, '=')[0]] = datetime(split(due, '=')[1]))
  SET n.held = null
} IN TRANSACTIONS OF 2000 ROWS;

// name: end_waking
// mode: write
// returns: nothing
// params: group
// Episodes that were not read yet are taken up.
MATCH (g:Group {id: $group})
REMOVE g.waking
WITH g
CALL (g) {
  MATCH (e:Episode)
  WHERE e.group_id = g.id AND e.status IN ['pending', 'refining']
  RETURN e LIMIT 1
}
MERGE (q:WorkQueue {group_id: g.id, lane: 2})
SET q.due_at = datetime.truncate('microsecond', datetime.realtime());
