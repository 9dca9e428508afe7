// The vectors of entities' names.

// name: names
// mode: read
// returns: many
// row: NameRow
// params: group
MATCH (e:Entity) WHERE e.group_id = $group
RETURN e.name AS name, e.embedded_name AS embedded, e.name_embedding IS NOT NULL AS has_vector,
  e.embed_due IS NOT NULL AS waits, e.match_keys IS NOT NULL AS indexed
ORDER BY name;
