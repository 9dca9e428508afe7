// name: constrain_migration_locks
// mode: write
// returns: nothing
// params: none
// all groups because the schema belongs to none
// Makes sure that there is one lock, before anybody takes it.
CREATE CONSTRAINT graphmem_migration_lock IF NOT EXISTS FOR (n:__GraphmemMigrationLock) REQUIRE n.id IS UNIQUE;

// name: constrain_migrations
// mode: write
// returns: nothing
// params: none
// all groups because the schema belongs to none
CREATE CONSTRAINT graphmem_migration_version IF NOT EXISTS FOR (n:__GraphmemMigration) REQUIRE n.version IS UNIQUE;

// name: lock_migrations
// mode: write
// returns: nothing
// params: lock
// all groups because the schema belongs to none
// Waits for the lock and holds it until the transaction ends. It is the SET that locks an existing node, not the MERGE.
MERGE (lock:__GraphmemMigrationLock {id: $lock})
SET lock.taken_at = datetime();

// name: applied_migrations
// mode: read
// returns: many
// row: AppliedMigrationRow
// params: none
// timeless because migrations are applied once and stay
// all groups because the schema belongs to none
MATCH (m:__GraphmemMigration)
WHERE m.version > ''
RETURN m.version AS version, m.description AS description, m.checksum AS checksum, m.applied_at AS applied_at
ORDER BY m.version;

// name: record_migration
// mode: write
// returns: nothing
// params: version, description, checksum
// all groups because the schema belongs to none
// Appends to the chain of what was applied; recording twice is recording once.
MERGE (m:__GraphmemMigration {version: $version})
ON CREATE SET
  m.description = $description,
  m.checksum = $checksum,
  m.applied_at = datetime.truncate('microsecond', datetime.realtime())
WITH m
MATCH (previous:__GraphmemMigration)
WHERE previous.version < $version
WITH m, previous
ORDER BY previous.version DESC
LIMIT 1
MERGE (previous)-[:MIGRATED_TO]->(m);

// name: await_indexes
// mode: read
// returns: nothing
// params: seconds
// timeless because it asks the server, not the graph
// all groups because the schema belongs to none
// Returns when every index is online; an index that failed is an error.
CALL db.awaitIndexes($seconds);

// name: schema_names
// mode: read
// returns: one
// row: SchemaNamesRow
// params: none
// timeless because it asks the server, not the graph
// all groups because the schema belongs to none
// The names of all indexes, those behind constraints among them.
SHOW INDEXES YIELD name
RETURN collect(name) AS names;
