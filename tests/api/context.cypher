// What somebody with a key to Neo4j may do to rows.

// name: spoil_episode
// mode: write
// returns: nothing
// params: group, id
MATCH (e:Episode {id: $id}) WHERE e.group_id = $group
SET e.metadata = '{';

// name: empty_episode
// mode: write
// returns: nothing
// params: group, id
MATCH (e:Episode {id: $id}) WHERE e.group_id = $group
REMOVE e.content;

// name: spoil_beliefs
// mode: write
// returns: nothing
// params: group, statement
MATCH (f:Fact) WHERE f.group_id = $group AND f.statement = $statement
REMOVE f.statement;

// name: set_of_turn
// mode: write
// returns: nothing
// params: group, id, properties
MATCH (e:Episode {id: $id}) WHERE e.group_id = $group
SET e += $properties;

// name: set_of_fact
// mode: write
// returns: nothing
// params: group, id, properties
MATCH (f:Fact {id: $id}) WHERE f.group_id = $group
SET f += $properties;
