// name: nodes_of_group
// mode: read
// returns: many
// row: NodeRow
// params: group
// timeless because it shows all that there is
MATCH (n)
WHERE n.group_id = $group OR n.id = $group
RETURN labels(n) AS labels, properties(n) AS properties;

// name: relationships_of_group
// mode: read
// returns: many
// row: RelationshipRow
// params: group
// timeless because it shows all that there is
MATCH (a)-[r]->(b)
WHERE a.group_id = $group
RETURN type(r) AS type, a.id AS start, b.id AS end, properties(r) AS properties;
