// What tests do to a database of their own.

// name: constraint_names
// mode: read
// returns: many
// row: NameRow
// params: none
SHOW CONSTRAINTS YIELD name RETURN name;

// name: index_names
// mode: read
// returns: many
// row: NameRow
// params: none
SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' RETURN name;

// name: drop_constraint
// mode: write
// returns: nothing
// params: name
DROP CONSTRAINT $name IF EXISTS;

// name: drop_index
// mode: write
// returns: nothing
// params: name
DROP INDEX $name IF EXISTS;

// name: delete_everything
// mode: write
// returns: nothing
// params: none
MATCH (n) DETACH DELETE n;

// name: change_checksum
// mode: write
// returns: nothing
// params: version
MATCH (m:__GraphmemMigration {version: $version}) SET m.checksum = 'another';

// name: chain
// mode: read
// returns: optional
// row: ChainRow
// params: none
// The versions in the order of MIGRATED_TO.
MATCH path = (first)-[:MIGRATED_TO*]->(last)
WHERE NOT EXISTS { ()-[:MIGRATED_TO]->(first) } AND NOT EXISTS { (last)-[:MIGRATED_TO]->() }
RETURN [m IN nodes(path) | m.version] AS versions;

// name: constraints
// mode: read
// returns: many
// row: ConstraintRow
// params: none
SHOW CONSTRAINTS YIELD name, type, entityType, labelsOrTypes, properties
RETURN name, type, entityType AS of, labelsOrTypes AS labels, properties
ORDER BY name;

// name: indexes
// mode: read
// returns: many
// row: IndexRow
// params: none
SHOW INDEXES YIELD name, type, state, entityType, labelsOrTypes, properties, options
WHERE type <> 'LOOKUP'
RETURN name, type, state, entityType AS of, labelsOrTypes AS labels, properties, options.indexConfig AS config
ORDER BY name;

// name: notes
// mode: read
// returns: many
// row: NameRow
// params: none
MATCH (n:Note) RETURN n.name AS name;
