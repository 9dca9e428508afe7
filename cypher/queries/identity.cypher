// Who is who: pairs are judged, and what is the same is said of the one that stands for all of them.

// name: kin
// mode: read
// returns: list
// row: KinRow
// params: group, ids
// timeless because who is who is decided anew from the judgements that stand now
// Entities, with the judgements of pairs and the decisions in force that they are part of.
MATCH (g:Group {id: $group})
USING INDEX SEEK g:Group(id)
UNWIND $ids AS id
MATCH (e:Entity {id: id})
USING INDEX SEEK e:Entity(id)
WHERE e.group_id = $group AND e.recorded_at IS NOT NULL
RETURN collect({
  id: e.id, qualified: e.qualifier <> '' AND NOT e.qualifier STARTS WITH 'mention:',
  protected: coalesce(e.protected, false),
  name_key: coalesce(toStringOrNull(e.key), ''), qualifier: coalesce(toStringOrNull(e.qualifier), ''),
  first_seen: toString(e.first_seen), source:
  // insert: unique_source
  ,
  judgements: COLLECT {
    MATCH (e)<-[:OF]-(j:Judgement)
    RETURN
      // insert: judgement
  },
  merges: COLLECT {
    MATCH (e)-[s:SAME_AS]-(:Entity)
    RETURN
      // insert: merge
  }
}) AS rows;

// name: first_told
// mode: read
// returns: list
// row: FirstToldRow
// params: group, ids, users
// timeless because who is who is decided from the evidence that stands now
// When each of these users, or everybody (""), was first told of entities: a name that was said before replaces another.
UNWIND $ids AS id
UNWIND $users AS who
MATCH (k:Name {id: id + '/' + who})
USING INDEX SEEK k:Name(id)
WHERE k.group_id = $group AND k.said_at <> []
WITH id, who,
// insert: first_said
AS at
RETURN collect({id: id, user: who, at: toString(at)}) AS rows;

// name: claims_of_entities
// mode: read
// returns: list
// row: ClaimRow
// params: group, named
// timeless because a projection takes all claims standing now
// The standing claims that have one of these entities at an end; of a short name, those said in some sessions.
UNWIND $named AS row
MATCH (e:Entity {id: row.id})<-[:SUBJECT|OBJECT]-(c:Claim)
USING INDEX SEEK e:Entity(id)
WHERE c.group_id = $group AND c.retracted_at = datetime('9999-12-31T23:59:59.999999Z')
  AND (row.sessions IS NULL OR coalesce(c.session, '') IN row.sessions)
WITH DISTINCT c
RETURN collect({claim:
  // insert: claim
}) AS rows;

// name: close_merges
// mode: write
// returns: nothing
// params: group, ids, now
// audit: merges_ended ids
// Close the transaction time of decisions; as WAS_SAME_AS they answer for the past. What was decided at this very instant
// was never in force.
UNWIND $ids AS id
MATCH (a)-[s:SAME_AS {id: id}]->(b)
USING INDEX SEEK s:SAME_AS(id)
WHERE s.group_id = $group
CALL (a, s, b) {
  WITH a, s, b WHERE s.recorded_at < $now
  CREATE (a)-[x:WAS_SAME_AS]->(b)
  SET x = properties(s), x.superseded_at = $now
}
DELETE s;

// name: open_merges
// mode: write
// returns: nothing
// params: group, rows, now
// audit: merges rows.properties.id
// allow: CartesianProduct because each side is one node, found by its unique id
// Put decisions in force.
UNWIND $rows AS row
MATCH (a:Entity {id: row.member})
USING INDEX SEEK a:Entity(id)
MATCH (b:Entity {id: row.other})
USING INDEX SEEK b:Entity(id)
WHERE a.group_id = $group AND b.group_id = $group
CREATE (a)-[s:SAME_AS]->(b)
SET s = row.properties, s.group_id = $group, s.recorded_at = $now,
  s.superseded_at = datetime('9999-12-31T23:59:59.999999Z');

// name: mark_overtaken
// mode: write
// returns: nothing
// params: group, ids, seconds
// The merges of these entities change. Who reads who is who just now may write claims that name them until $seconds from
// now, with a transaction time from $seconds ago on; in an import, with any.
MATCH (g:Group {id: $group})
USING INDEX SEEK g:Group(id)
UNWIND $ids AS id
MATCH (e:Entity {id: id})
USING INDEX SEEK e:Entity(id)
WHERE e.group_id = $group
WITH g, e, datetime.truncate('microsecond', datetime.realtime()) AS now
SET
  e.overtaken_due = now + duration({seconds: $seconds}),
  e.overtaken_since = CASE
    WHEN g.importing THEN datetime('0001-01-01T00:00:00Z')
    ELSE coalesce(e.overtaken_since, now - duration({seconds: $seconds}))
  END;

// name: former_identities
// mode: read
// returns: list
// row: FormerIdentityRow
// params: group, ids, since
// timeless because it looks for what may have been written by decisions that are in force no more
// What each of these entities stood for at some time since then, to anybody in any session; itself among them.
UNWIND $ids AS id
MATCH (e:Entity {id: id})-[up:SAME_AS|WAS_SAME_AS*0..3]->(r:Entity)
USING INDEX SEEK e:Entity(id)
WHERE e.group_id = $group AND all(s IN up WHERE s.superseded_at > $since)
RETURN collect(DISTINCT {id: e.id, identity: r.id}) AS rows;

// name: set_protected
// mode: write
// returns: nothing
// params: group, id, protected, now
// audit: entities id
// Say whether only people merge an entity, and have it compared again; nothing, where that was said before. What was said
// when stands beside it: each instant says the opposite of the one before.
MATCH (e:Entity {id: $id})
USING INDEX SEEK e:Entity(id)
WHERE e.group_id = $group AND coalesce(e.protected, false) <> $protected
SET e.protected = $protected, e.protected_at = coalesce(e.protected_at, []) + $now, e.newest_stamp = $now,
  e.match_due = datetime.truncate('microsecond', datetime.realtime());

// name: record_judgements
// mode: write
// returns: nothing
// params: group, rows, now
// audit: opinions rows.id
// allow: CartesianProduct because each side is one node, found by its unique id
// What is thought of pairs now, in place of what the same judge thought before.
UNWIND $rows AS row
MATCH (a:Entity {id: row.first_id})
USING INDEX SEEK a:Entity(id)
MATCH (b:Entity {id: row.second_id})
USING INDEX SEEK b:Entity(id)
WHERE a.group_id = $group AND b.group_id = $group
MERGE (j:Judgement {id: row.id})
ON CREATE SET j.group_id = $group
SET j += row.properties, j.recorded_at = $now
MERGE (j)-[:OF]->(a)
MERGE (j)-[:OF]->(b);

// name: forget_judgements
// mode: write
// returns: nothing
// params: group, ids
// audit: opinions_dropped ids
// What is thought of pairs no more.
UNWIND $ids AS id
MATCH (j:Judgement {id: id})
USING INDEX SEEK j:Judgement(id)
WHERE j.group_id = $group
DETACH DELETE j;

// name: merge
// mode: read
// returns: optional
// row: MergeRow
// params: group, id, audience
// timeless because a decision is addressed by its id
// One decision, in force or not any more.
CALL () {
  MATCH ()-[s:SAME_AS {id: $id}]->()
  USING INDEX SEEK s:SAME_AS(id)
  RETURN s
  UNION ALL
  MATCH ()-[s:WAS_SAME_AS {id: $id}]->()
  USING INDEX SEEK s:WAS_SAME_AS(id)
  RETURN s
}
WITH s WHERE s.group_id = $group AND ($audience IS NULL OR s.user IN $audience)
RETURN
  // insert: merge
  AS merge
LIMIT 1;

// name: merges
// mode: read
// returns: list
// row: MergeRow
// params: group, audience, known_at, after_time, after_id, limit
// timeless because a merge is knowledge and no event: it holds at every valid time
// Decisions in force at $known_at, in order of (recorded_at, id), after a position.
CALL () {
  MATCH ()-[s:SAME_AS]->()
  WHERE s.group_id = $group AND s.recorded_at <= $known_at AND s.recorded_at >= $after_time AND s.id > ''
    AND (s.recorded_at > $after_time OR s.id > $after_id)
    AND ($audience IS NULL OR s.user IN $audience) AND coalesce(s.superseded_at > $known_at, true)
  RETURN s ORDER BY s.group_id, s.recorded_at, s.id LIMIT $limit
  UNION ALL
  MATCH ()-[s:WAS_SAME_AS]->()
  WHERE s.group_id = $group AND s.recorded_at <= $known_at AND s.recorded_at >= $after_time AND s.id > ''
    AND (s.recorded_at > $after_time OR s.id > $after_id)
    AND ($audience IS NULL OR s.user IN $audience) AND coalesce(s.superseded_at > $known_at, true)
  RETURN s ORDER BY s.group_id, s.recorded_at, s.id LIMIT $limit
}
WITH s.recorded_at AS recorded_at, s.id AS id, head(collect(s)) AS s
ORDER BY recorded_at, id LIMIT $limit
RETURN collect({merge:
  // insert: merge
}) AS rows;

// name: reviews
// mode: read
// returns: list
// row: ReviewRow
// params: group, audience, after_score, after_id, limit
// timeless because it is what people are asked now
// Pairs of which somebody is to say whether they are the same, those that look most alike first, after a position.
MATCH (j:Judgement)
WHERE j.group_id = $group AND j.pending = true AND j.score <= $after_score AND j.id > ''
  AND (j.score < $after_score OR j.id < $after_id) AND ($audience IS NULL OR j.user IN $audience)
WITH j ORDER BY j.group_id DESC, j.pending DESC, j.score DESC, j.id DESC LIMIT $limit
RETURN collect({judgement:
  // insert: judgement
}) AS rows;

// name: review
// mode: read
// returns: optional
// row: ReviewRow
// params: group, audience, id
// timeless because it is what people are asked now
// One pair that was judged.
MATCH (j:Judgement {id: $id})
USING INDEX SEEK j:Judgement(id)
WHERE j.group_id = $group AND ($audience IS NULL OR j.user IN $audience)
RETURN
  // insert: judgement
  AS judgement;

// name: known_profiles
// mode: read
// returns: list
// row: KnownProfileRow
// params: group, audience, ids, valid_at, known_at, limit, most
// What was believed of entities, and of all that they are the same as, at $valid_at, as known at $known_at: how many
// beliefs, up to $most, and of those the first $limit, by importance; each with its other end or its value. Only rows
// that stand are read.
UNWIND $ids AS wanted
MATCH (one:Entity {id: wanted})
USING INDEX SEEK one:Entity(id)
WHERE one.group_id = $group
CALL (one) {
  WITH one.id AS entity_id
  // insert: same_thing
  CALL (e, audience) {
    MATCH (e)-[r:RELATES_TO]-(n:Entity)
    WHERE r.group_id = $group AND
      // insert: held
      AND (audience IS NULL OR r.audience IN audience)
    RETURN 'relationship' AS kind, r, n, endNode(r) = e AS as_object
    UNION ALL
    MATCH (e)-[:HAS_FACT]->(r:Fact)
    WHERE r.group_id = $group AND
      // insert: held
      AND (audience IS NULL OR r.audience IN audience)
    RETURN 'fact' AS kind, r, null AS n, false AS as_object
  }
  WITH kind, r, n, as_object LIMIT $most
  WITH kind, r, n, as_object ORDER BY r.importance DESC, r.predicate, r.id
  WITH n, r.importance IS :: FLOAT NOT NULL AND all(
      at IN [r.valid_from, r.valid_to, r.recorded_at, r.superseded_at] WHERE at IS :: ZONED DATETIME NOT NULL
    ) AS sound, r {
      .id, .predicate, .value, .importance, kind: kind, as_object: as_object,
      valid_from: CASE WHEN r.valid_from IS :: ZONED DATETIME THEN toString(r.valid_from) ELSE '' END,
      valid_to: CASE WHEN r.valid_to IS :: ZONED DATETIME THEN toString(r.valid_to) ELSE '' END,
      recorded_at: CASE WHEN r.recorded_at IS :: ZONED DATETIME THEN toString(r.recorded_at) ELSE '' END,
      superseded_at: CASE WHEN r.superseded_at IS :: ZONED DATETIME THEN toString(r.superseded_at) ELSE '' END
    } AS belief
  WITH collect({n: n, sound: sound, belief: belief}) AS found
  RETURN size([row IN found WHERE row.sound]) AS total, COLLECT {
    UNWIND found[..$limit] AS row
    WITH row.n AS n, row.belief AS belief
    RETURN belief {.*, entity: CASE WHEN n IS NOT NULL THEN
      // insert: entity
    END}
  } AS beliefs
}
RETURN collect({
  id: one.id, total: total, beliefs: beliefs,
  first_seen: toString(coalesce(head(COLLECT {
    UNWIND coalesce($audience, []) AS who
    MATCH (k:Name {id: one.id + '/' + who})
    USING INDEX SEEK k:Name(id)
    WITH
    // insert: first_said
    AS at
    RETURN at ORDER BY at LIMIT 1
  }), one.first_seen))
}) AS rows;

// name: shared_neighbours
// mode: read
// returns: list
// row: SharedNeighbourRow
// params: group, audience, first_id, second_id, valid_at, known_at, limit, most
// allow: CartesianProduct because each side is one row, of all that one entity is the same as
// Entities to which two others both had a relationship at $valid_at, as known at $known_at, with the predicates; the
// first by id. Only rows that stand are read: up to $most of the one that has fewer, and what leads on from there.
CALL () {
  WITH $first_id AS entity_id
  // insert: same_thing
  RETURN collect({e: e, audience: audience}) AS first, sum(COUNT { (e)-[:RELATES_TO]-() }) AS of_first
}
CALL () {
  WITH $second_id AS entity_id
  // insert: same_thing
  RETURN collect({e: e, audience: audience}) AS second, sum(COUNT { (e)-[:RELATES_TO]-() }) AS of_second
}
WITH first, second, of_first <= of_second AS in_order
WITH in_order, CASE WHEN in_order THEN first ELSE second END AS near, CASE WHEN in_order THEN second ELSE first END AS far
CALL (in_order, near, far) {
  UNWIND near AS one
  WITH one.e AS a, one.audience AS audience
  MATCH (a)-[r:RELATES_TO]-(n:Entity)
  WHERE r.group_id = $group AND r.valid_from <= $valid_at AND r.valid_to > $valid_at
    AND r.recorded_at <= $known_at AND r.superseded_at > $known_at
    AND (audience IS NULL OR r.audience IN audience) AND NOT n IN [one IN near + far | one.e]
  WITH in_order, far, n, r LIMIT $most
  WITH in_order, far, n, collect(DISTINCT r.predicate) AS of_near
  UNWIND far AS one
  WITH in_order, n, of_near, one.e AS b, one.audience AS audience
  MATCH (n)-[r:RELATES_TO]-(b)
  WHERE r.group_id = $group AND r.valid_from <= $valid_at AND r.valid_to > $valid_at
    AND r.recorded_at <= $known_at AND r.superseded_at > $known_at
    AND (audience IS NULL OR r.audience IN audience)
  WITH in_order, n, of_near, collect(DISTINCT r.predicate) AS of_far ORDER BY n.id LIMIT $limit
  RETURN collect({
    of_first: CASE WHEN in_order THEN of_near ELSE of_far END,
    of_second: CASE WHEN in_order THEN of_far ELSE of_near END, entity:
    // insert: entity
  }) AS rows
}
RETURN rows;
