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
