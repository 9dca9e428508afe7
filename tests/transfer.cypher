// What tests of exports and imports look at, and take away.

// name: delete_group
// mode: write
// returns: nothing
// params: group
// As if it had never been on this server, but for what bars it.
MATCH (n)
WHERE (n.group_id = $group AND NOT n:Tombstone) OR (n:Group AND n.id = $group)
DETACH DELETE n;

// name: expire_lease
// mode: write
// returns: nothing
// params: group
MATCH (g:Group {id: $group})
SET g.restore_lease = datetime('2000-01-01T00:00:00Z');

// name: things_of_group
// mode: read
// returns: many
// row: ThingRow
// params: group
MATCH (n)
WHERE n.group_id = $group AND NOT n:Tombstone
RETURN labels(n) AS labels, properties(n) AS properties;

// name: ties_of_group
// mode: read
// returns: many
// row: TieRow
// params: group
MATCH (a)-[r]->(b)
WHERE a.group_id = $group
RETURN type(r) AS type, properties(r) AS properties, coalesce(a.id, a.name) AS first, coalesce(b.id, b.name) AS second;
