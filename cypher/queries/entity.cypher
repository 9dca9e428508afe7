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
WHERE n.group_id = $group AND n.id > $after AND n.recorded_at <= $known_at AND ($type IS NULL OR n.type = $type)
WITH n ORDER BY n.id LIMIT $limit
RETURN collect({entity: n {
  .id, .type, .key, .names, names_at: [at IN n.names_at | toString(at)], recorded_at: toString(n.recorded_at),
  known: COLLECT {
    UNWIND coalesce($audience, []) AS who
    MATCH (k:Name {id: n.id + '/' + who})
    RETURN k {.names, names_at: [at IN k.names_at | toString(at)], said_at: [at IN k.said_at | toString(at)]}
  }
}}) AS rows;

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
      AND any(at IN k.names_at WHERE at <= $known_at) AND ($type IS NULL OR k.type = $type)
    RETURN k.entity_id AS id ORDER BY k.group_id, k.user, k.entity_id LIMIT $limit
  }
  RETURN DISTINCT id
}
WITH id ORDER BY id LIMIT $limit
MATCH (n:Entity {id: id})
WHERE n.group_id = $group
WITH n ORDER BY n.id
RETURN collect({entity: n {
  .id, .type, .key, .names, names_at: [at IN n.names_at | toString(at)], recorded_at: toString(n.recorded_at),
  known: COLLECT {
    UNWIND coalesce($audience, []) AS who
    MATCH (k:Name {id: n.id + '/' + who})
    RETURN k {.names, names_at: [at IN k.names_at | toString(at)], said_at: [at IN k.said_at | toString(at)]}
  }
}}) AS rows;

// name: entities_by_id
// mode: read
// returns: list
// row: EntityRow
// params: group, audience, ids, known_at
// timeless because an entity is a name, known from its recorded_at on; only its beliefs have a valid time
// The entities with these ids that were known at $known_at.
UNWIND $ids AS id
MATCH (n:Entity {id: id})
WHERE n.group_id = $group AND n.recorded_at <= $known_at
RETURN collect({entity: n {
  .id, .type, .key, .names, names_at: [at IN n.names_at | toString(at)], recorded_at: toString(n.recorded_at),
  known: COLLECT {
    UNWIND coalesce($audience, []) AS who
    MATCH (k:Name {id: n.id + '/' + who})
    RETURN k {.names, names_at: [at IN k.names_at | toString(at)], said_at: [at IN k.said_at | toString(at)]}
  }
}}) AS rows;

// name: entities_named
// mode: read
// returns: list
// row: EntityRow
// params: group, audience, key, type, after, known_at, limit
// timeless because an entity is a name, known from its recorded_at on; only its beliefs have a valid time
// The entities of one normalised name, of any or of one type, that were known at $known_at.
MATCH (n:Entity {group_id: $group, key: $key})
WHERE n.id > $after AND n.recorded_at <= $known_at AND ($type IS NULL OR n.type = $type)
  AND ($audience IS NULL OR EXISTS {
    UNWIND $audience AS who
    MATCH (k:Name {id: n.id + '/' + who})
    WHERE any(at IN k.names_at WHERE at <= $known_at)
  })
WITH n ORDER BY n.id LIMIT $limit
RETURN collect({entity: n {
  .id, .type, .key, .names, names_at: [at IN n.names_at | toString(at)], recorded_at: toString(n.recorded_at),
  known: COLLECT {
    UNWIND coalesce($audience, []) AS who
    MATCH (k:Name {id: n.id + '/' + who})
    RETURN k {.names, names_at: [at IN k.names_at | toString(at)], said_at: [at IN k.said_at | toString(at)]}
  }
}}) AS rows;
