// A reader who is one user sees an entity under the first name that was said to everybody or to that user, and not at all
// where there is none; that is what :Name rows tell, one for each entity and audience.

// name: entities
// mode: read
// returns: list
// row: EntityRow
// params: group, audience, type, after, known_at, limit
// timeless because an entity is a name, known from its recorded_at on; only its beliefs have a valid time
// Entities of a group known at $known_at, in order of id.
MATCH (n:Entity)
WHERE n.group_id = $group AND n.id > $after AND coalesce(n.recorded_at <= $known_at, n.recorded_at IS NOT NULL)
  AND ($type IS NULL OR $type =
  // insert: type_then
  )
WITH n ORDER BY n.id LIMIT $limit
RETURN collect({entity:
  // insert: entity
}) AS rows;

// name: entities_for_user
// mode: read
// returns: list
// row: EntityRow
// params: group, audience, type, after, known_at, limit
// timeless because an entity is a name, known from its recorded_at on; only its beliefs have a valid time
// The same, of those that a user may see.
CALL () {
  UNWIND $audience AS who
  CALL (who) {
    MATCH (k:Name)
    WHERE k.group_id = $group AND k.user = who AND k.entity_id > $after
      AND coalesce(any(at IN k.names_at WHERE at <= $known_at), true) AND ($type IS NULL OR EXISTS {
        MATCH (n:Entity {id: k.entity_id})
        WHERE n.group_id = $group AND $type =
        // insert: type_then
      })
    RETURN k.entity_id AS id ORDER BY k.group_id, k.user, k.entity_id LIMIT $limit
  }
  RETURN DISTINCT id
}
WITH id ORDER BY id LIMIT $limit
MATCH (n:Entity {id: id})
WHERE n.group_id = $group
WITH n ORDER BY n.id
RETURN collect({entity:
  // insert: entity
}) AS rows;

// name: entities_by_id
// mode: read
// returns: list
// row: EntityRow
// params: group, audience, ids, known_at
// timeless because an entity is a name, known from its recorded_at on; only its beliefs have a valid time
// The entities with these ids that were known at $known_at.
UNWIND $ids AS id
MATCH (n:Entity {id: id})
WHERE n.group_id = $group AND coalesce(n.recorded_at <= $known_at, n.recorded_at IS NOT NULL)
RETURN collect({entity:
  // insert: entity
}) AS rows;

// name: entities_named
// mode: read
// returns: list
// row: EntityRow
// params: group, audience, key, type, after, known_at, limit
// timeless because an entity is a name, known from its recorded_at on; only its beliefs have a valid time
// The entities of one normalised name, of any or of one type, that were known at $known_at.
MATCH (n:Entity {group_id: $group, key: $key})
WHERE n.id > $after AND coalesce(n.recorded_at <= $known_at, n.recorded_at IS NOT NULL)
  AND ($type IS NULL OR $type =
  // insert: type_then
  )
  AND
  // insert: heard_of
WITH n ORDER BY n.id LIMIT $limit
RETURN collect({entity:
  // insert: entity
}) AS rows;

// name: entities_like
// mode: read
// returns: list
// row: EntityRow
// params: group, audience, prefixes, tokens, known_at, most
// timeless because an entity is a name, known from its recorded_at on; only its beliefs have a valid time
// The entities whose normalised names begin with one of these, or that matching would find by one of these tokens, up to
// $most by each, the first by name, that were known at $known_at.
CALL () {
  UNWIND $prefixes AS prefix
  CALL (prefix) {
    MATCH (n:Entity)
    WHERE n.group_id = $group AND n.key STARTS WITH prefix
      AND coalesce(n.recorded_at <= $known_at, n.recorded_at IS NOT NULL) AND
      // insert: heard_of
    RETURN n ORDER BY n.key, n.id LIMIT $most
  }
  RETURN n
  UNION
  UNWIND $tokens AS token
  CALL (token) {
    CALL db.index.fulltext.queryNodes('entity_keys', token) YIELD node AS n
    WHERE n.group_id = $group AND coalesce(n.recorded_at <= $known_at, n.recorded_at IS NOT NULL) AND
      // insert: heard_of
    RETURN n ORDER BY n.key, n.id LIMIT $most
  }
  RETURN n
}
WITH n ORDER BY n.id
RETURN collect({entity:
  // insert: entity
}) AS rows;

// name: bearers
// mode: read
// returns: list
// row: BearersRow
// params: group, audience, names, known_at, most
// timeless because a version counts whenever it holds, if it had been recorded by $known_at
// For each of $names whether it is `borne` by anything that was known at $known_at, and, if nothing was ever believed of
// that, the `fuller` ones of which something was: their names begin with one of its prefixes, or matching would find them
// by one of its tokens, up to $most by each, the first by name.
UNWIND $names AS name
CALL (name) {
  MATCH (n:Entity {group_id: $group, key: name.key})
  WHERE coalesce(n.recorded_at <= $known_at, n.recorded_at IS NOT NULL) AND
    // insert: heard_of
  RETURN count(n) > 0 AS borne, count(CASE WHEN
    // insert: ever_believed
  THEN n END) > 0 AS told
}
CALL (name, told) {
  WITH name WHERE NOT told
  CALL (name) {
    UNWIND name.prefixes AS prefix
    CALL (prefix) {
      MATCH (n:Entity)
      WHERE n.group_id = $group AND n.key STARTS WITH prefix
        AND coalesce(n.recorded_at <= $known_at, n.recorded_at IS NOT NULL) AND
        // insert: heard_of
      RETURN n ORDER BY n.key, n.id LIMIT $most
    }
    RETURN n
    UNION
    UNWIND name.tokens AS token
    CALL (token) {
      CALL db.index.fulltext.queryNodes('entity_keys', token) YIELD node AS n
      WHERE n.group_id = $group AND coalesce(n.recorded_at <= $known_at, n.recorded_at IS NOT NULL) AND
        // insert: heard_of
      RETURN n ORDER BY n.key, n.id LIMIT $most
    }
    RETURN n
  }
  WITH n WHERE
  // insert: ever_believed
  WITH n ORDER BY n.id
  RETURN collect(
    // insert: entity
  ) AS fuller
}
RETURN collect({name: name.name, key: name.key, borne: borne, fuller: fuller}) AS rows;

// name: clusters
// mode: read
// returns: list
// row: ClusterRow
// params: group, audience, ids, valid_at, known_at, most
// All that entities are the same as, as known at $known_at: what stands for all, without a decision, and its members,
// each with the one that it is a member by. How often all of them are mentioned, up to $most times, in episodes that had
// occurred by $valid_at. And what an entity, as a short name, means in sessions.
UNWIND $ids AS id
MATCH (e:Entity {id: id})
WHERE e.group_id = $group AND coalesce(e.recorded_at <= $known_at, e.recorded_at IS NOT NULL)
CALL (e) {
  MATCH (e)-[up:SAME_AS|WAS_SAME_AS*0..2]->(r:Entity)
  WHERE all(s IN up WHERE
    // insert: in_force
  )
  WITH r ORDER BY size(up) DESC LIMIT 1
  MATCH (n:Entity)-[down:SAME_AS|WAS_SAME_AS*0..2]->(r)
  WHERE all(s IN down WHERE
    // insert: in_force
  )
  WITH n, head(collect(head(down))) AS s
  RETURN collect({n: n, s: s}) AS found
}
CALL (found) {
  UNWIND found AS one
  WITH one.n AS n
  MATCH (n)<-[m:MENTIONS|MENTIONED]-(ep:Episode)
  WHERE m.recorded_at <= $known_at AND coalesce(m.superseded_at > $known_at, true)
    AND ep.occurred_at <= $valid_at AND ($audience IS NULL OR ep.audience IN $audience)
  WITH m LIMIT $most
  RETURN count(m) AS mentions
}
RETURN collect({
  id: e.id, mentions: mentions,
  members: COLLECT {
    UNWIND found AS one
    WITH one.n AS n, one.s AS s
    RETURN {merge_id: s.id, since: toString(s.recorded_at), entity:
      // insert: entity
    }
  },
  short_for: COLLECT {
    MATCH (e)-[s:SAME_AS|WAS_SAME_AS]->(n:Entity)
    WHERE s.session IS NOT NULL AND s.recorded_at <= $known_at AND s.superseded_at > $known_at
      AND ($audience IS NULL OR s.user IN $audience)
    RETURN {session: s.session, user: s.user, merge_id: s.id, entity:
      // insert: entity
    }
  }
}) AS rows;
