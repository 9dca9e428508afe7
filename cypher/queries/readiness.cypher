// name: read_probe
// mode: read
// returns: one
// row: ProbeRow
// params: none
// timeless because migrations are applied once and stay
// all groups because the server answers all or none
// Reads something that every database of graphmem has.
MATCH (m:__GraphmemMigration)
WHERE m.version > ''
RETURN count(m) > 0 AS migrated;

// name: write_probe
// mode: write
// returns: nothing
// params: none
// all groups because the server answers all or none
// Writes what nobody reads. It locks nothing, and whoever runs it rolls it back.
CREATE (:__GraphmemProbe {written_at: datetime.realtime()});

// name: indexes_not_online
// mode: read
// returns: one
// row: SchemaNamesRow
// params: none
// timeless because it asks the server, not the graph
// all groups because the schema belongs to none
// The names of indexes that Neo4j cannot use now: it still fills them, or has failed to.
SHOW INDEXES YIELD name, state
WHERE state <> 'ONLINE'
RETURN collect(name) AS names;

// name: count_groups_of_other_models
// mode: read
// returns: one
// row: CountRow
// params: embedding_model, dimensions
// timeless because a group is a container, not a belief
// all groups because one process embeds for all of them
// How many groups have vectors of another embedding model, or of another length, than is configured.
MATCH (g:Group)
WHERE g.id > '' AND (g.embedding_model <> $embedding_model OR g.dimensions <> $dimensions)
RETURN count(g) AS count;

// name: count_waiting_slots
// mode: read
// returns: one
// row: CountRow
// params: none
// timeless because it shows work, not beliefs
// all groups because it is for those who look after the service
// How many slots stay as they are because something of them cannot be read.
MATCH (g:Group) WHERE g.id > ''
CALL (g) {
  MATCH (w:Work)
  WHERE w.group_id = g.id AND w.kind = 'repair' AND w.id > '' AND w.status <> 'done'
  RETURN count(w) AS waiting
}
RETURN coalesce(sum(waiting), 0) AS count;
