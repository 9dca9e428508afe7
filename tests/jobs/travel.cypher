// What tests do to a database that is theirs alone.

// name: forget_groups
// mode: write
// returns: nothing
// params: none
// All groups go, with the work that is about all of them; what the schema is stays.
MATCH (n) WHERE n.group_id IS NOT NULL OR n:Group OR n:WorkQueue
CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 1000 ROWS;
