// What the benchmark of exports and imports takes away: a group, as if it had never been on this server. Relationships go
// first, for a node that has all of a large group would need more memory than a transaction may have.

// name: delete_relationships
// mode: write
// returns: nothing
// params: group
MATCH (n)-[relationship]->()
WHERE n.group_id = $group OR (n:Group AND n.id = $group)
CALL (relationship) {
  DELETE relationship
} IN TRANSACTIONS OF 5000 ROWS;

// name: delete_nodes
// mode: write
// returns: nothing
// params: group
MATCH (n)
WHERE n.group_id = $group OR (n:Group AND n.id = $group)
CALL (n) {
  DETACH DELETE n
} IN TRANSACTIONS OF 2000 ROWS;
