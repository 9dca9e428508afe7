// Rows that lack a property, because a process of the release before wrote them. Statements commit as they go, may run
// at any time beside readers and writers, and do nothing where nothing lacks.

// name: audiences_to_complete
// mode: read
// returns: many
// row: AudienceRow
// params: limit
// allow: UnionNodeByLabelsScan because what lacks a property is in no index
// allow: DirectedUnionRelationshipTypesScan because what lacks a property is in no index
// timeless because it completes rows of all times
// all groups because older processes write for every tenant
// The groups and users of beliefs and episodes that do not say who may see them.
CALL () {
  MATCH (n:Fact|SupersededFact|Episode)
  WHERE n.audience IS NULL AND coalesce(n.user, n.owner) IS NOT NULL
  RETURN n.group_id AS group_id, coalesce(n.user, n.owner) AS user
  UNION ALL
  MATCH ()-[r:RELATES_TO|SUPERSEDED]->()
  WHERE r.audience IS NULL AND coalesce(r.user, r.owner) IS NOT NULL
  RETURN r.group_id AS group_id, coalesce(r.user, r.owner) AS user
}
RETURN DISTINCT group_id, user LIMIT $limit;

// name: complete_claims
// mode: write
// returns: nothing
// params: none
// allow: NodeByLabelScan because what lacks a property is in no index
// all groups because older processes write for every tenant
MATCH (c:Claim)
WHERE c.user IS NULL AND c.owner IS NOT NULL
CALL (c) {
  SET c.user = c.owner
} IN TRANSACTIONS OF 5000 ROWS;

// name: complete_relationships
// mode: write
// returns: nothing
// params: tokens
// allow: DirectedUnionRelationshipTypesScan because what lacks a property is in no index
// all groups because older processes write for every tenant
// Tokens of audiences come by "group/user".
MATCH ()-[r:RELATES_TO|SUPERSEDED]->()
WHERE r.audience IS NULL
WITH r, coalesce(r.user, r.owner) AS user
WITH r, user, $tokens[r.group_id + '/' + user] AS token
WHERE token IS NOT NULL
CALL (r, user, token) {
  SET
    r.user = user, r.audience = user, r.audience_token = token, r.open = false,
    r.fades_at = datetime('9999-12-31T23:59:59.999999Z')
} IN TRANSACTIONS OF 5000 ROWS;

// name: complete_facts
// mode: write
// returns: nothing
// params: tokens
// allow: UnionNodeByLabelsScan because what lacks a property is in no index
// all groups because older processes write for every tenant
MATCH (f:Fact|SupersededFact)
WHERE f.audience IS NULL
WITH f, coalesce(f.user, f.owner) AS user
WITH f, user, $tokens[f.group_id + '/' + user] AS token
WHERE token IS NOT NULL
CALL (f, user, token) {
  SET
    f.user = user, f.audience = user, f.audience_token = token, f.open = false,
    f.fades_at = datetime('9999-12-31T23:59:59.999999Z')
} IN TRANSACTIONS OF 5000 ROWS;

// name: complete_episodes
// mode: write
// returns: nothing
// params: tokens
// allow: NodeByLabelScan because what lacks a property is in no index
// all groups because older processes write for every tenant
// What is of no session has the group's token, as ``session_token`` says.
MATCH (e:Episode)
WHERE e.audience IS NULL
WITH e, coalesce(e.user, e.owner) AS user
WITH e, user, $tokens[e.group_id + '/' + user] AS token
WHERE token IS NOT NULL
CALL (e, user, token) {
  SET
    e.user = user, e.audience = user, e.audience_token = token,
    e.session_token = coalesce(e.session_id + '0', e.group_token)
} IN TRANSACTIONS OF 5000 ROWS;

// name: complete_names
// mode: write
// returns: nothing
// params: none
// allow: NodeByLabelScan because what lacks a property is in no index
// all groups because older processes write for every tenant
// Who knows an entity under which name: a user under those that came with what that user said, else under the key. The
// names of one user follow each other, each said before the one that it replaced.
MATCH (e:Entity)
WHERE e.names_by_user IS NULL AND e.recorded_at IS NOT NULL
CALL (e) {
  CALL (e) {
    MATCH (e)<-[m:MENTIONS|MENTIONED]-(ep:Episode)
    RETURN coalesce(ep.user, ep.owner) AS user, m.recorded_at AS at, ep.occurred_at AS said_at
    UNION ALL
    MATCH (e)<-[:SUBJECT|OBJECT]-(c:Claim)
    RETURN coalesce(c.user, c.owner) AS user, c.recorded_at AS at, c.said_at AS said_at
  }
  WITH e, user, min(at) AS first_at, min(said_at) AS said_at, collect(DISTINCT at) AS ats
  WITH e, user, first_at, said_at, [i IN range(0, size(e.names) - 1) WHERE e.names_at[i] IN ats] AS own
  WITH e, user, said_at,
    CASE WHEN size(own) = 0 OR first_at < e.names_at[own[0]] THEN [e.key] ELSE [] END + [i IN own | e.names[i]] AS names,
    CASE WHEN size(own) = 0 OR first_at < e.names_at[own[0]] THEN [first_at] ELSE [] END
      + [i IN own | e.names_at[i]] AS names_at
  MERGE (k:Name {id: e.id + '/' + user})
  ON CREATE SET
    k.group_id = e.group_id, k.entity_id = e.id, k.type = e.type, k.user = user, k.names = names, k.names_at = names_at,
    k.said_at = [i IN range(0, size(names) - 1) | said_at + duration({days: size(names) - 1 - i})]
  WITH DISTINCT e
  SET e.names_by_user = true
} IN TRANSACTIONS OF 1000 ROWS;

// name: complete_categories_of_claims
// mode: write
// returns: nothing
// params: none
// allow: NodeByLabelScan because what lacks a property is in no index
// all groups because older processes write for every tenant
// The category of what was extracted is a property; a process of the release before writes it among the attributes.
MATCH (n:Claim)
WHERE n.category IS NULL AND n.extractor <> 'structured' AND n.attributes STARTS WITH '{"category": "'
CALL (n) {
  SET n.category = split(n.attributes, '"')[3]
} IN TRANSACTIONS OF 5000 ROWS;

// name: complete_categories_of_facts
// mode: write
// returns: nothing
// params: none
// allow: UnionNodeByLabelsScan because what lacks a property is in no index
// all groups because older processes write for every tenant
MATCH (n:Fact|SupersededFact)
WHERE n.category IS NULL AND n.attributes STARTS WITH '{"category": "'
CALL (n) {
  SET n.category = split(n.attributes, '"')[3]
} IN TRANSACTIONS OF 5000 ROWS;

// name: complete_categories_of_relationships
// mode: write
// returns: nothing
// params: none
// allow: DirectedUnionRelationshipTypesScan because what lacks a property is in no index
// all groups because older processes write for every tenant
MATCH ()-[n:RELATES_TO|SUPERSEDED]->()
WHERE n.category IS NULL AND n.attributes STARTS WITH '{"category": "'
CALL (n) {
  SET n.category = split(n.attributes, '"')[3]
} IN TRANSACTIONS OF 5000 ROWS;

// name: complete_low_yield
// mode: write
// returns: nothing
// params: none
// all groups because older processes write for every tenant
// Episodes of which little was read say so by low_yield, and how they are to be digested anew by reprocessing; a process
// of the release before writes sparse and redigest.
MATCH (n:Episode)
WHERE n.sparse > ''
CALL (n) {
  SET n.low_yield = coalesce(n.low_yield, n.sparse), n.sparse = null
} IN TRANSACTIONS OF 5000 ROWS;

// name: complete_low_yield_of_accurate
// mode: write
// returns: nothing
// params: none
// allow: NodeByLabelScan because what lacks a property is in no index
// all groups because older processes write for every tenant
// What the accurate reader read says by which version, so that a newer one reads it again; a process of the release before
// says so only where that was little.
MATCH (n:Episode)
WHERE n.low_yield IS NULL AND n.status = 'digested' AND n.outcome CONTAINS '"extractor": "offline"'
  AND n.outcome CONTAINS '-accurate"'
CALL (n) {
  SET n.low_yield = split(split(n.outcome, '"extractor_version": "')[1], '"')[0]
} IN TRANSACTIONS OF 5000 ROWS;

// name: complete_reprocessing_of_pending
// mode: write
// returns: nothing
// params: none
// allow: NodeByLabelScan because what lacks a property is in no index
// all groups because older processes write for every tenant
MATCH (n:Episode)
WHERE n.status = 'pending' AND n.redigest IS NOT NULL
CALL (n) {
  SET n.reprocessing = coalesce(n.reprocessing, n.redigest), n.redigest = null
} IN TRANSACTIONS OF 5000 ROWS;

// name: complete_reprocessing_of_refining
// mode: write
// returns: nothing
// params: none
// allow: NodeByLabelScan because what lacks a property is in no index
// all groups because older processes write for every tenant
MATCH (n:Episode)
WHERE n.status = 'refining' AND n.redigest IS NOT NULL
CALL (n) {
  SET n.reprocessing = coalesce(n.reprocessing, n.redigest), n.redigest = null
} IN TRANSACTIONS OF 5000 ROWS;

// name: complete_index_due
// mode: write
// returns: nothing
// params: none
// allow: NodeByLabelScan because what lacks a property is in no index
// all groups because older processes write for every tenant
// Entities that nobody has compared with others yet.
MATCH (e:Entity)
WHERE e.match_keys IS NULL AND e.index_due IS NULL AND e.recorded_at IS NOT NULL
CALL (e) {
  SET e.index_due = e.recorded_at
} IN TRANSACTIONS OF 5000 ROWS;

// name: complete_terms
// mode: write
// returns: nothing
// params: none
// allow: NodeByLabelScan because what lacks a property is in no index
// all groups because older processes write for every tenant
// Entities that only some users know of, which an older process counted and made vectors of: neither is for everybody.
MATCH (e:Entity)
WHERE (size(e.terms) > 0 OR e.name_embedding IS NOT NULL) AND e.index_due IS NULL AND e.recorded_at IS NOT NULL
  AND NOT EXISTS { MATCH (k:Name) WHERE k.id >= e.id + '/' AND k.id <= e.id + '/' }
CALL (e) {
  SET e.index_due = e.recorded_at, e.embed_due = null, e.embedded_name = null, e.name_embedding = null
} IN TRANSACTIONS OF 5000 ROWS;

// name: complete_bounds_of_facts
// mode: write
// returns: nothing
// params: bounds
// allow: UnionNodeByLabelsScan because what lacks a property is in no index
// all groups because older processes write for every tenant
// Which beliefs tell of the beginning or the end of their subject; its node is to say it anew.
MATCH (n:Fact|SupersededFact)
WHERE n.bound IS NULL AND $bounds[n.predicate] IS NOT NULL AND NOT coalesce(n.open, false)
CALL (n) {
  SET n.bound = $bounds[n.predicate]
  WITH n
  MATCH (e:Entity {id: n.subject_id})
  SET e.bounded = true, e.valid_from = null, e.valid_to = null
} IN TRANSACTIONS OF 5000 ROWS;

// name: complete_bounds_of_relationships
// mode: write
// returns: nothing
// params: bounds
// allow: DirectedUnionRelationshipTypesScan because what lacks a property is in no index
// all groups because older processes write for every tenant
MATCH ()-[n:RELATES_TO|SUPERSEDED]->()
WHERE n.bound IS NULL AND $bounds[n.predicate] IS NOT NULL AND NOT coalesce(n.open, false)
CALL (n) {
  SET n.bound = $bounds[n.predicate]
  WITH n
  MATCH (e:Entity {id: n.subject_id})
  SET e.bounded = true, e.valid_from = null, e.valid_to = null
} IN TRANSACTIONS OF 5000 ROWS;

// name: bounded_entities
// mode: read
// returns: many
// row: BoundedRow
// params: after, limit
// timeless because a node says what is believed now
// all groups because older processes write for every tenant
// The next entities, in order of id, of which everybody believes a beginning or an end, and whether their nodes say so.
CALL () {
  MATCH ()-[r:RELATES_TO]->()
  WHERE r.subject_id > $after AND r.bound > '' AND coalesce(r.user, r.owner) = ''
  RETURN r.subject_id AS id ORDER BY r.subject_id LIMIT $limit
  UNION ALL
  MATCH (r:Fact)
  WHERE r.subject_id > $after AND r.bound > '' AND coalesce(r.user, r.owner) = ''
  RETURN r.subject_id AS id ORDER BY r.subject_id LIMIT $limit
}
WITH DISTINCT id ORDER BY id LIMIT $limit
MATCH (e:Entity {id: id})
RETURN e.id AS id, e.group_id AS group_id, e.valid_from IS NOT NULL AS kept ORDER BY id;

// name: complete_embed_due
// mode: write
// returns: nothing
// params: none
// allow: NodeByLabelScan because what lacks a property is in no index
// all groups because older processes write for every tenant
// Entities that everybody knows of, of whose name nobody made a vector yet.
MATCH (e:Entity)
WHERE e.embedded_name IS NULL AND e.embed_due IS NULL AND e.recorded_at IS NOT NULL
  AND EXISTS { MATCH (k:Name) WHERE k.id >= e.id + '/' AND k.id <= e.id + '/' }
CALL (e) {
  SET e.embed_due = e.recorded_at
} IN TRANSACTIONS OF 5000 ROWS;

// name: sessions_to_split
// mode: read
// returns: many
// row: UnsplitSessionRow
// params: limit
// allow: NodeByLabelScan because what lacks a property is in no index
// timeless because it completes rows of all times
// all groups because older processes write for every tenant
// The session names and users of episodes that do not say of which session they are.
MATCH (e:Episode)
WHERE e.own_session_id IS NULL AND e.session_id IS NOT NULL
RETURN DISTINCT e.group_id AS group_id, e.session AS session, coalesce(e.user, e.owner, '') AS user LIMIT $limit;

// name: split_sessions
// mode: write
// returns: nothing
// params: ids
// allow: NodeByLabelScan because what lacks a property is in no index
// all groups because older processes write for every tenant
// Each user's episodes of a session name get a session of their own. Its id comes by "session_id/user".
MATCH (e:Episode)
WHERE e.own_session_id IS NULL AND e.session_id IS NOT NULL
WITH e, coalesce(e.user, e.owner, '') AS user
WITH e, user, $ids[e.session_id + '/' + user] AS id
WHERE id IS NOT NULL
CALL (e, user, id) {
  OPTIONAL MATCH (other:Session)-[r:HAS_EPISODE]->(e)
  WHERE other.id <> id
  DELETE r
  WITH DISTINCT e, user, id
  MERGE (s:Session {id: id})
  ON CREATE SET s.group_id = e.group_id, s.name = e.session, s.recorded_at = e.recorded_at
  SET s.user = user, e.own_session_id = id
  MERGE (s)-[:HAS_EPISODE]->(e)
} IN TRANSACTIONS OF 1000 ROWS;

// name: complete_sessions
// mode: write
// returns: nothing
// params: silence
// allow: NodeByLabelScan because what lacks a property is in no index
// all groups because older processes write for every tenant
// A session was opened by its first episode, and closes so many seconds after its last one.
MATCH (s:Session)
WHERE s.openings IS NULL
CALL (s) {
  MATCH (s)-[:HAS_EPISODE]->(e:Episode)
  WITH s, min(e.recorded_at) AS first, max(e.recorded_at) AS last
  WHERE first IS NOT NULL
  SET
    s.user = coalesce(s.user, ''), s.openings = [first], s.closings = [], s.closers = [], s.opened_at = first,
    s.closes_at = last + duration({seconds: $silence})
} IN TRANSACTIONS OF 100 ROWS;

// name: delete_empty_sessions
// mode: write
// returns: nothing
// params: none
// allow: NodeByLabelScan because what lacks a property is in no index
// all groups because older processes write for every tenant
// What is left of a session whose episodes all went to those of their users.
MATCH (s:Session)
WHERE s.openings IS NULL AND NOT EXISTS { (s)-[:HAS_EPISODE]->(:Episode) }
DELETE s;
