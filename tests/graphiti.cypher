// A graph as Graphiti 0.31 writes it, in a group of Graphiti's.

// name: write_graphiti
// mode: write
// returns: nothing
// params: group, episodes, edges
// all groups because Graphiti's groups are none of ours
UNWIND $episodes AS row
MERGE (n:Episodic {uuid: row.uuid})
SET n += {group_id: $group, name: row.uuid, content: row.content, source: 'message', source_description: 'chat',
  created_at: datetime(row.at), valid_at: datetime(row.at), entity_edges: []}
WITH count(*) AS written
UNWIND $edges AS row
MERGE (source:Entity {uuid: $group + row.source})
SET source += {group_id: $group, name: row.source, summary: row.fact}
MERGE (target:Entity {uuid: $group + row.target})
SET target += {group_id: $group, name: row.target, summary: ''}
MERGE (source)-[e:RELATES_TO {uuid: row.uuid}]->(target)
SET e += {group_id: $group, name: row.name, fact: row.fact, fact_embedding: [0.5, 0.5], episodes: [],
  source_node_uuid: source.uuid, target_node_uuid: target.uuid, created_at: datetime(row.created_at),
  expired_at: datetime(row.expired_at), valid_at: datetime(row.valid_at), invalid_at: datetime(row.invalid_at),
  reference_time: datetime(row.said_at)}
MERGE (c:Community {uuid: $group}) SET c.group_id = $group;

// name: delete_graphiti
// mode: write
// returns: nothing
// params: group
MATCH (n {group_id: $group})
DETACH DELETE n;
