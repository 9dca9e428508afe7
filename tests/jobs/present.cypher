// What is believed now in a group, and the evidence it rests on, without any stamp of when.
CALL () {
  MATCH ()-[r:RELATES_TO {group_id: $group}]->() RETURN 'belief' AS kind, r.fingerprint AS id
  UNION ALL MATCH (f:Fact {group_id: $group}) RETURN 'belief' AS kind, f.fingerprint AS id
  UNION ALL MATCH (c:Claim {group_id: $group}) RETURN 'claim' AS kind, c.id AS id
  UNION ALL MATCH (e:Entity {group_id: $group}) RETURN 'entity' AS kind, e.id + e.name AS id
  UNION ALL MATCH (e:Episode {group_id: $group})-[m:MENTIONS]->(n)
  RETURN 'mention' AS kind, e.id + n.id + toString(m.start) + '-' + toString(m.end) AS id
  UNION ALL MATCH ()-[r:RELATES_TO|SUPERSEDED {group_id: $group}]->() WHERE r.recorded_at >= r.superseded_at
  RETURN 'backwards' AS kind, r.id AS id
}
RETURN kind, collect(id) AS ids
