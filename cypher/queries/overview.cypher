// What stands in the guide of Neo4j Browser about a group. Of many beliefs, those among the first 20,000 by id are looked at.

// name: overview_of_group
// mode: read
// returns: one
// row: OverviewRow
// params: group
// allow: CartesianProduct because each side is one row
// timeless because it shows what is worth asking about: what is believed now, has ended, or was believed once
// The entities of which most is believed; how many there are of each type; since when, until when and how many episodes;
// how many decisions on who is who stand; the belief that ended last, and the version that was superseded last.
CALL () {
  MATCH ()-[r:RELATES_TO]->()
  WHERE r.group_id = $group AND r.id > '' AND r.open = false
  WITH r ORDER BY r.group_id, r.id LIMIT 20000
  UNWIND CASE WHEN r.subject_id = r.object_id THEN [r.subject_id] ELSE [r.subject_id, r.object_id] END AS id
  WITH id, count(*) AS beliefs ORDER BY beliefs DESC, id LIMIT 5
  MATCH (e:Entity {id: id})
  WHERE e.group_id = $group
  WITH e, beliefs ORDER BY beliefs DESC, e.id
  RETURN collect({id: e.id, name: e.name, type: e.type}) AS known
}
CALL () {
  MATCH (e:Entity)
  WHERE e.group_id = $group AND e.id > ''
  WITH e ORDER BY e.group_id, e.id LIMIT 20000
  WITH e.type AS type, count(*) AS entities ORDER BY entities DESC, type LIMIT 100
  RETURN collect(type) AS types
}
CALL () {
  MATCH (e:Episode)
  WHERE e.group_id = $group AND e.occurred_at >= datetime('0001-01-01T00:00:00Z') AND e.replaced_at IS NULL
  RETURN count(e) AS episodes, toString(min(e.occurred_at)) AS first_at, toString(max(e.occurred_at)) AS last_at
}
CALL () {
  MATCH ()-[s:SAME_AS]->()
  WHERE s.group_id = $group AND s.recorded_at >= datetime('0001-01-01T00:00:00Z') AND s.id > ''
  RETURN count(s) AS merges
}
CALL () {
  MATCH (a)-[r:RELATES_TO]->(b)
  WHERE r.group_id = $group AND r.id > '' AND r.open = false
  WITH a, r, b ORDER BY r.group_id, r.id LIMIT 20000
  WITH a, r, b WHERE r.valid_to <= datetime()
  WITH a, r, b ORDER BY r.valid_to DESC, r.id LIMIT 1
  RETURN collect({
    subject: a.name, predicate: r.predicate, object: b.name, valid_from: toString(r.valid_from),
    valid_to: toString(r.valid_to), superseded_at: toString(r.superseded_at)
  }) AS ended
}
CALL () {
  MATCH (a)-[r:SUPERSEDED]->(b)
  WHERE r.group_id = $group AND r.id > '' AND r.open = false
  WITH a, r, b ORDER BY r.group_id, r.id LIMIT 20000
  WITH a, r, b ORDER BY r.superseded_at DESC, r.id LIMIT 1
  RETURN collect({
    subject: a.name, predicate: r.predicate, object: b.name, valid_from: toString(r.valid_from),
    valid_to: toString(r.valid_to), superseded_at: toString(r.superseded_at)
  }) AS superseded
}
RETURN known, types, episodes, first_at, last_at, merges, ended, superseded;
