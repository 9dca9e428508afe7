// name: entities
// mode: read
// returns: list
// row: EntityRow
// params: group, type, after, known_at, limit
// timeless because an entity is a name, known from its recorded_at on; only its beliefs have a valid time
// Entities of a group known at $known_at, in order of id.
MATCH (e:Entity)
WHERE e.group_id = $group AND e.id > $after AND e.recorded_at <= $known_at AND ($type IS NULL OR e.type = $type)
WITH e {
  .id, .type, .key, .names,
  names_at: [at IN e.names_at | toString(at)], recorded_at: toString(e.recorded_at)
} AS entity
ORDER BY e.id LIMIT $limit
RETURN collect({entity: entity}) AS rows;

// name: entities_by_id
// mode: read
// returns: list
// row: EntityRow
// params: group, ids, known_at
// timeless because an entity is a name, known from its recorded_at on; only its beliefs have a valid time
// The entities with these ids that were known at $known_at.
UNWIND $ids AS id
MATCH (e:Entity {id: id})
WHERE e.group_id = $group AND e.recorded_at <= $known_at
WITH e {
  .id, .type, .key, .names,
  names_at: [at IN e.names_at | toString(at)], recorded_at: toString(e.recorded_at)
} AS entity
RETURN collect({entity: entity}) AS rows;

// name: entities_named
// mode: read
// returns: list
// row: EntityRow
// params: group, key, type, after, known_at, limit
// timeless because an entity is a name, known from its recorded_at on; only its beliefs have a valid time
// The entities of one normalised name, of any or of one type, that were known at $known_at.
MATCH (e:Entity {group_id: $group, key: $key})
WHERE e.id > $after AND e.recorded_at <= $known_at AND ($type IS NULL OR e.type = $type)
WITH e {
  .id, .type, .key, .names,
  names_at: [at IN e.names_at | toString(at)], recorded_at: toString(e.recorded_at)
} AS entity
ORDER BY e.id LIMIT $limit
RETURN collect({entity: entity}) AS rows;
