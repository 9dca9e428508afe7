// What the guide of Neo4j Browser runs at a click, and people may keep as favourites there. Browser draws nodes and
// relationships that a query returns, and by itself every relationship between nodes that it draws; anything else is a table.

// name: believed_now
// mode: read
// returns: drawn
// params: group
// timeless because only what is believed now is a RELATES_TO, and the clock says what is true now
// What is believed now to be true now, without open claims: the first 100 relationships by id, and their ends.
MATCH (a)-[r:RELATES_TO]->(b)
WHERE r.group_id = $group AND r.id > '' AND r.open = false
  AND r.valid_from <= datetime() AND r.valid_to > datetime()
RETURN a, r, b
ORDER BY r.group_id, r.id
LIMIT 100;

// name: exactly_now
// mode: read
// returns: drawn
// params: group
// timeless because only what is believed now is a RELATES_TO or a Fact, and the clock says what is true now
// What is believed now to be true now, and nothing else, as a table: the first 100 relationships and facts by id, without
// open claims.
CALL () {
  MATCH (a)-[r:RELATES_TO]->(b)
  WHERE r.group_id = $group AND r.id > '' AND r.open = false
    AND r.valid_from <= datetime() AND r.valid_to > datetime()
  RETURN a.name AS subject, r, b.name AS object
  ORDER BY r.group_id, r.id LIMIT 100
  UNION ALL
  MATCH (r:Fact)
  WHERE r.group_id = $group AND r.id > '' AND r.open = false
    AND r.valid_from <= datetime() AND r.valid_to > datetime()
  WITH r ORDER BY r.group_id, r.id LIMIT 100
  MATCH (a)-[:HAS_FACT]->(r)
  RETURN a.name AS subject, r, r.value AS object
}
WITH subject, r, object ORDER BY r.id LIMIT 100
RETURN
  subject, r.predicate AS predicate, object, toString(r.valid_from) AS valid_from, toString(r.valid_to) AS valid_to
ORDER BY subject, predicate, object;

// name: everything_about
// mode: read
// returns: drawn
// params: group, entity
// timeless because only what is believed now is a RELATES_TO or behind HAS_FACT, and the clock says what is true now
// One entity with its relationships and facts, open claims among them.
MATCH (e:Entity {id: $entity})
WHERE e.group_id = $group
CALL (e) {
  MATCH (e)-[link:RELATES_TO]-(other)
  WHERE link.group_id = $group AND link.valid_from <= datetime() AND link.valid_to > datetime()
  RETURN link, other
  LIMIT 60
  UNION ALL
  MATCH (e)-[link:HAS_FACT]->(other)
  WHERE other.group_id = $group AND other.valid_from <= datetime() AND other.valid_to > datetime()
  RETURN link, other
  LIMIT 40
}
RETURN e, link, other;

// name: true_at
// mode: read
// returns: drawn
// params: group, valid_at
// timeless because only what is believed now is a RELATES_TO; $valid_at says when it was true
// What is believed now to have been true at $valid_at: the first 100 relationships by id, and their ends.
MATCH (a)-[r:RELATES_TO]->(b)
WHERE r.group_id = $group AND r.id > '' AND r.open = false
  AND r.valid_from <= $valid_at AND r.valid_to > $valid_at
RETURN a, r, b
ORDER BY r.group_id, r.id
LIMIT 100;

// name: exactly_at
// mode: read
// returns: drawn
// params: group, valid_at
// timeless because only what is believed now is a RELATES_TO or a Fact; $valid_at says when it was true
// What is believed now to have been true at $valid_at, and nothing else, as a table: the first 100 relationships and
// facts by id, without open claims.
CALL () {
  MATCH (a)-[r:RELATES_TO]->(b)
  WHERE r.group_id = $group AND r.id > '' AND r.open = false
    AND r.valid_from <= $valid_at AND r.valid_to > $valid_at
  RETURN a.name AS subject, r, b.name AS object
  ORDER BY r.group_id, r.id LIMIT 100
  UNION ALL
  MATCH (r:Fact)
  WHERE r.group_id = $group AND r.id > '' AND r.open = false
    AND r.valid_from <= $valid_at AND r.valid_to > $valid_at
  WITH r ORDER BY r.group_id, r.id LIMIT 100
  MATCH (a)-[:HAS_FACT]->(r)
  RETURN a.name AS subject, r, r.value AS object
}
WITH subject, r, object ORDER BY r.id LIMIT 100
RETURN
  subject, r.predicate AS predicate, object, toString(r.valid_from) AS valid_from, toString(r.valid_to) AS valid_to
ORDER BY subject, predicate, object;

// name: known_then
// mode: read
// returns: drawn
// params: group, valid_at, known_at
// What was believed at $known_at to be true at $valid_at, as a table: the first 100 relationships and facts by id. What is
// no longer believed has an end of belief.
CALL () {
  MATCH (a)-[r:RELATES_TO]->(b)
  WHERE r.group_id = $group AND r.id > '' AND r.open = false
    AND r.valid_from <= $valid_at AND r.valid_to > $valid_at
    AND r.recorded_at <= $known_at AND r.superseded_at > $known_at
  RETURN a.name AS subject, r, b.name AS object
  ORDER BY r.group_id, r.id LIMIT 100
  UNION ALL
  MATCH (a)-[r:SUPERSEDED]->(b)
  WHERE r.group_id = $group AND r.id > '' AND r.open = false
    AND r.valid_from <= $valid_at AND r.valid_to > $valid_at
    AND r.recorded_at <= $known_at AND r.superseded_at > $known_at
  RETURN a.name AS subject, r, b.name AS object
  ORDER BY r.group_id, r.id LIMIT 100
  UNION ALL
  MATCH (r:Fact)
  WHERE r.group_id = $group AND r.id > '' AND r.open = false
    AND r.valid_from <= $valid_at AND r.valid_to > $valid_at
    AND r.recorded_at <= $known_at AND r.superseded_at > $known_at
  WITH r ORDER BY r.group_id, r.id LIMIT 100
  MATCH (a)-[:HAS_FACT]->(r)
  RETURN a.name AS subject, r, r.value AS object
  UNION ALL
  MATCH (r:SupersededFact)
  WHERE r.group_id = $group AND r.id > '' AND r.open = false
    AND r.valid_from <= $valid_at AND r.valid_to > $valid_at
    AND r.recorded_at <= $known_at AND r.superseded_at > $known_at
  WITH r ORDER BY r.group_id, r.id LIMIT 100
  MATCH (a)-[:HAD_FACT]->(r)
  RETURN a.name AS subject, r, r.value AS object
}
WITH subject, r, object ORDER BY r.id LIMIT 100
RETURN
  subject, r.predicate AS predicate, object, toString(r.valid_from) AS valid_from, toString(r.valid_to) AS valid_to,
  toString(r.recorded_at) AS believed_from, toString(r.superseded_at) AS believed_to
ORDER BY subject, predicate, object, believed_from;

// name: no_longer_believed
// mode: read
// returns: drawn
// params: group
// timeless because it is about what is believed no more, whenever it was
// The newest 50 relationships and facts that are no longer believed: drawn thin and grey, with “was”.
CALL () {
  MATCH (a)-[r:SUPERSEDED]->(b)
  WHERE r.group_id = $group AND r.id > '' AND r.open = false
  RETURN a, r, b
  ORDER BY r.superseded_at DESC, r.id LIMIT 50
  UNION ALL
  MATCH (b:SupersededFact)
  WHERE b.group_id = $group AND b.id > '' AND b.open = false
  WITH b ORDER BY b.superseded_at DESC, b.id LIMIT 50
  MATCH (a)-[r:HAD_FACT]->(b)
  RETURN a, r, b
}
RETURN a, r, b
ORDER BY coalesce(r.superseded_at, b.superseded_at) DESC, coalesce(r.id, b.id)
LIMIT 50;

// name: changed_between
// mode: read
// returns: drawn
// params: group, since, until
// timeless because it compares two times, $since and $until; only what is believed now is a RELATES_TO or a Fact
// What began or ended to be true after $since, and not after $until, as a table: the newest 200 changes of relationships
// and facts.
CALL () {
  MATCH (a)-[r:RELATES_TO]->(b)
  WHERE r.group_id = $group AND r.id > '' AND r.open = false
    AND (($since < r.valid_from AND r.valid_from <= $until) OR ($since < r.valid_to AND r.valid_to <= $until))
  RETURN a.name AS subject, r, b.name AS object
  UNION ALL
  MATCH (a)-[:HAS_FACT]->(r:Fact)
  WHERE r.group_id = $group AND r.id > '' AND r.open = false
    AND (($since < r.valid_from AND r.valid_from <= $until) OR ($since < r.valid_to AND r.valid_to <= $until))
  RETURN a.name AS subject, r, r.value AS object
}
UNWIND
  CASE WHEN $since < r.valid_from AND r.valid_from <= $until THEN [['began', r.valid_from]] ELSE [] END
  + CASE WHEN $since < r.valid_to AND r.valid_to <= $until THEN [['ended', r.valid_to]] ELSE [] END
  AS change
RETURN toString(change[1]) AS at, change[0] AS change, subject, r.predicate AS predicate, object
ORDER BY at DESC, subject, predicate, object
LIMIT 200;

// name: evidence_of
// mode: read
// returns: drawn
// params: group, entity
// timeless because evidence is asked for, whatever it supports; what was retracted is left out by the clock
// The newest 20 claims about one entity, with the episodes that state them.
MATCH (e:Entity {id: $entity})<-[about:SUBJECT]-(c:Claim)<-[states:STATES]-(episode:Episode)
WHERE e.group_id = $group AND c.group_id = $group AND c.retracted_at > datetime()
RETURN e, about, c, states, episode
ORDER BY c.said_at DESC, c.id
LIMIT 20;

// name: sentences_about
// mode: read
// returns: drawn
// params: group, entity
// timeless because evidence is asked for, whatever it supports; what was retracted is left out by the clock
// The newest 50 claims about one entity as a table: what is claimed, and in which words of whom.
MATCH (e:Entity {id: $entity})<-[:SUBJECT]-(c:Claim)<-[:STATES]-(episode:Episode)
WHERE e.group_id = $group AND c.group_id = $group AND c.retracted_at > datetime()
RETURN
  toString(c.said_at) AS said_at, episode.speaker AS speaker, c.quote AS quote, c.statement AS claim,
  coalesce(c.open, false) AS open, episode.session AS session
ORDER BY said_at DESC, claim
LIMIT 50;

// name: who_is_who
// mode: read
// returns: drawn
// params: group
// timeless because a merge is knowledge and no event: it holds at every valid time
// Which entities are taken for the same now: up to 50 decisions.
MATCH (a)-[s:SAME_AS]->(b)
WHERE s.group_id = $group AND s.recorded_at > datetime('0001-01-01T00:00:00Z') AND s.id > ''
RETURN a, s, b
LIMIT 50;

// name: fading
// mode: read
// returns: drawn
// params: group
// timeless because it is about use up to now, not about truth
// Relationships and facts with a category, those first that faded or fade next, as a table.
CALL () {
  MATCH ()-[belief:RELATES_TO]->()
  WHERE belief.group_id = $group AND belief.category > '' AND belief.fades_at < datetime('9999-12-31T00:00:00Z')
  RETURN belief
  UNION ALL
  MATCH (belief:Fact)
  WHERE belief.group_id = $group AND belief.category > '' AND belief.fades_at < datetime('9999-12-31T00:00:00Z')
  RETURN belief
}
WITH belief ORDER BY belief.fades_at, belief.id LIMIT 50
RETURN
  belief.statement AS belief, belief.category AS category, belief.fades_at <= datetime() AS faded,
  toString(belief.fades_at) AS fades_at, coalesce(belief.access_count, 0) AS days_used;

// name: indexes
// mode: read
// returns: drawn
// params: none
// timeless because it asks the server, not the graph
// all groups because the indexes are everybody's
// The indexes of Neo4j that answer searches: by words and by vectors, with the properties that filter inside.
SHOW INDEXES YIELD name, type, entityType, labelsOrTypes, properties, state
WHERE type IN ['VECTOR', 'FULLTEXT']
RETURN type, name, state, entityType, labelsOrTypes, properties
ORDER BY type DESC, name;
