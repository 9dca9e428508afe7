// What Graphiti keeps in its own Neo4j. Nothing here is of graphmem's schema, and the server may be an older one.

// name: graphiti_counts
// mode: read
// returns: one
// row: GraphitiCounts
// params: group
// timeless because it counts all that is there
// How much there is, also of what has no place in graphmem. Edges that ended are read twice.
CYPHER 5
CALL () { MATCH (n:Episodic {group_id: $group}) RETURN count(n) AS episodes }
CALL () { MATCH (n:Entity {group_id: $group}) WHERE n.uuid IS NOT NULL RETURN count(n) AS entities, count(CASE WHEN n.summary <> '' THEN 1 END) AS summaries }
CALL () { MATCH (:Entity)-[r:RELATES_TO {group_id: $group}]->(:Entity) WHERE r.uuid IS NOT NULL RETURN count(r) AS edges, count(CASE WHEN r.expired_at > r.created_at THEN 1 END) AS ended }
CALL () { MATCH (n:Community {group_id: $group}) RETURN count(n) AS communities }
CALL () { MATCH (n:Saga {group_id: $group}) RETURN count(n) AS sagas }
RETURN episodes, entities, summaries, edges, ended, communities, sagas;

// name: graphiti_groups
// mode: read
// returns: many
// row: GraphitiGroup
// params: none
// timeless because a group is a container
// all groups because who asks does not know which there are
// Some of the groups that have episodes or edges.
CYPHER 5
CALL () {
  MATCH (n:Episodic) RETURN DISTINCT n.group_id AS id
  UNION
  MATCH (:Entity)-[r:RELATES_TO]->(:Entity) WHERE r.uuid IS NOT NULL RETURN DISTINCT r.group_id AS id
}
WITH id WHERE id IS NOT NULL
RETURN id ORDER BY id LIMIT 20;

// name: graphiti_episodes
// mode: read
// returns: many
// row: GraphitiEpisode
// params: group
// timeless because all of them are read
CYPHER 5
MATCH (n:Episodic {group_id: $group})
WITH n ORDER BY n.valid_at, n.created_at, n.uuid
RETURN n.uuid AS uuid, coalesce(n.content, '') AS content, coalesce(n.source, '') AS source,
  coalesce(n.source_description, '') AS source_description, toString(coalesce(n.valid_at, n.created_at)) AS valid_at;

// name: graphiti_edges
// mode: read
// returns: many
// row: GraphitiEdge
// params: group, ended, left_out
// timeless because all of them are read
// Edges in the order in which they were made; or only those of which the end was learnt later, in the order of that.
CYPHER 5
MATCH (source:Entity)-[edge:RELATES_TO {group_id: $group}]->(target:Entity)
WHERE edge.uuid IS NOT NULL AND (NOT $ended OR edge.expired_at > edge.created_at)
WITH source, edge, target, CASE WHEN $ended THEN edge.expired_at ELSE edge.created_at END AS at
ORDER BY at, edge.uuid
RETURN edge.uuid AS uuid, coalesce(edge.name, '') AS name, coalesce(edge.fact, '') AS fact,
  coalesce(source.name, '') AS source, labels(source) AS source_labels,
  coalesce(target.name, '') AS target, labels(target) AS target_labels,
  toString(edge.created_at) AS created_at, toString(edge.expired_at) AS expired_at,
  toString(edge.valid_at) AS valid_at, toString(edge.invalid_at) AS invalid_at,
  toString(coalesce(edge.reference_time, edge.created_at)) AS said_at,
  [key IN keys(edge) WHERE NOT key IN $left_out | [key, edge[key]]] AS attributes;
