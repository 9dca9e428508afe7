// What somebody with a key to Neo4j may do to what is stored.

// name: change_thing
// mode: write
// returns: nothing
// params: id, properties
// Properties of one node, which are to be others, or (null) not to be.
MATCH (n) WHERE n.id = $id
SET n += $properties;

// name: change_row
// mode: write
// returns: nothing
// params: id, properties
// Likewise of one relationship.
MATCH ()-[r]->() WHERE r.id = $id
SET r += $properties;

// name: change_policy
// mode: write
// returns: nothing
// params: group, properties
// Likewise of the policies of a group.
MATCH (p:Predicate) WHERE p.group_id = $group
SET p += $properties;

// name: claims_said
// mode: read
// returns: many
// row: IdRow
// params: group, statement
// The claims with certain words.
MATCH (c:Claim) WHERE c.group_id = $group AND c.statement = $statement
RETURN c.id AS id;

// name: stored_thing
// mode: read
// returns: one
// row: StoredRow
// params: id
// What is stored of a node or a relationship but its vector.
CALL () {
  MATCH (n) WHERE n.id = $id
  RETURN n {.*, embedding: null} AS properties
  UNION
  MATCH ()-[r]->() WHERE r.id = $id
  RETURN r {.*, embedding: null} AS properties
}
RETURN properties;

// name: things_of_group
// mode: read
// returns: many
// row: ThingRow
// params: group
// All nodes and relationships of a group, by label or type.
CALL () {
  MATCH (n) WHERE n.group_id = $group
  RETURN labels(n)[0] AS kind, false AS relationship, n.id AS id, n {.*, embedding: null} AS properties
  UNION
  MATCH ()-[r]->() WHERE r.group_id = $group
  RETURN type(r) AS kind, true AS relationship, r.id AS id, r {.*, embedding: null} AS properties
}
RETURN kind, relationship, id, properties ORDER BY kind, id;
