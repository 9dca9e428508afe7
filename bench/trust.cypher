// What the benchmark of exports and imports takes away.

// name: delete_group
// mode: write
// returns: nothing
// params: group
// As if the group had never been on this server.
MATCH (n)
WHERE n.group_id = $group OR (n:Group AND n.id = $group)
CALL (n) {
  DETACH DELETE n
} IN TRANSACTIONS OF 2000 ROWS;
