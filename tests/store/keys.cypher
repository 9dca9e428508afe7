// What somebody may do to a key who writes into Neo4j.

// name: widened
// mode: write
// returns: nothing
// params: id
MATCH (k:ApiKey {id: $id})
SET k.rights = ['admin', 'read', 'write'], k.groups = ['*'];

// name: for_all
// mode: write
// returns: nothing
// params: id
MATCH (k:ApiKey {id: $id})
REMOVE k.users;

// name: as_any
// mode: write
// returns: nothing
// params: id
MATCH (k:ApiKey {id: $id})
REMOVE k.agents;
