// The floor of bulk load: relationships as graphmem stores them, copied into a scratch group.

// name: relationships_of_block
// mode: read
// returns: many
// row: Copied
// params: group, ids
// timeless because it copies what is believed now
// The relationships of some subjects, and their vectors.
MATCH ()-[r:RELATES_TO]->()
WHERE r.subject_id IN $ids AND r.group_id = $group
RETURN r {.*, embedding: null} AS properties, r.embedding AS embedding;

// name: create_ends
// mode: write
// returns: nothing
// params: group, ids
// The entities at the ends of what is copied.
UNWIND $ids AS id
MERGE (e:Entity {id: id})
ON CREATE SET e.group_id = $group, e.type = 'person', e.key = id;

// name: create_relationships
// mode: write
// returns: nothing
// params: rows
// all groups because its rows name the scratch group
// Plain creation, with a vector as float32.
UNWIND $rows AS row
MATCH (s:Entity {id: row.properties.subject_id})
MATCH (o:Entity {id: row.properties.object_id})
CREATE (s)-[r:RELATES_TO]->(o)
SET r = row.properties
WITH r, row
CALL db.create.setRelationshipVectorProperty(r, 'embedding', row.embedding);
