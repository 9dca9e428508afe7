// name: existence_of_nodes
// mode: read
// returns: many
// row: NodeRow
// params: group
MATCH (e:Entity {group_id: $group})
WHERE e.valid_from IS NOT NULL OR e.valid_to IS NOT NULL
RETURN e.id AS id, e.valid_from AS valid_from, e.valid_to AS valid_to;

// name: forget_existence
// mode: write
// returns: nothing
// params: group
// What a process of the release before leaves behind: neither beliefs nor nodes say anything of existence.
MATCH (e:Entity {group_id: $group})
REMOVE e.bounded, e.valid_from, e.valid_to
WITH DISTINCT e
OPTIONAL MATCH (e)-[:HAS_FACT|HAD_FACT]->(f)
REMOVE f.bound
WITH DISTINCT e
OPTIONAL MATCH (e)-[r:RELATES_TO|SUPERSEDED]->()
REMOVE r.bound;
