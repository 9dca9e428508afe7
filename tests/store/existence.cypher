// name: existence_of_nodes
// mode: read
// returns: many
// row: NodeRow
// params: group
MATCH (e:Entity {group_id: $group})
WHERE e.valid_from IS NOT NULL OR e.valid_to IS NOT NULL
RETURN e.id AS id, e.valid_from AS valid_from, e.valid_to AS valid_to;
