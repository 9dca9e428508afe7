// What is left of what was forgotten.

// name: rows_of
// mode: read
// returns: many
// row: ShownRow
// params: group
// All rows that there ever were in a group, without anything that has the group in it.
CALL () {
  MATCH (s:Entity)-[r:RELATES_TO|SUPERSEDED]->(o:Entity)
  WHERE r.group_id = $group
  RETURN s, type(r) = 'RELATES_TO' AS believed, r, o.key AS value
  UNION ALL
  MATCH (s:Entity)-[:HAS_FACT|HAD_FACT]->(r)
  WHERE r.group_id = $group
  RETURN s, r:Fact AS believed, r, toString(r.value) AS value
}
OPTIONAL MATCH (c:Claim {id: r.cut_by})
OPTIONAL MATCH (first:Claim {id: r.claim_id})
RETURN s.key AS subject, r.predicate AS predicate, value, believed, r.statement AS statement, r.user AS user,
  r.audience AS audience, r.confidence AS confidence, r.contested AS contested, toString(r.valid_from) AS valid_from,
  toString(r.valid_to) AS valid_to, toString(r.recorded_at) AS recorded_at, toString(r.superseded_at) AS superseded_at,
  c.statement AS cut_by, first.statement AS first, r.embedding IS NOT NULL AS has_vector,
  coalesce(r.protected, false) AS protected
ORDER BY subject, predicate, value, recorded_at, valid_from, superseded_at;

// name: names_of
// mode: read
// returns: many
// row: KnownRow
// params: group
// How everybody and users call entities, since when, and what the entities are called.
MATCH (e:Entity)
WHERE e.group_id = $group
RETURN e.key AS key, e.name AS name, [one IN e.names | one] AS names, [at IN e.names_at | toString(at)] AS names_at,
  toString(e.first_seen) AS first_seen, COLLECT {
    MATCH (k:Name)
    WHERE k.id STARTS WITH e.id + '/'
    RETURN [k.user] + k.names + [at IN k.names_at | toString(at)] + [at IN k.said_at | toString(at)] ORDER BY k.user
  } AS known
ORDER BY key, names_at;

// name: term_counts_of
// mode: read
// returns: many
// row: TermCountRow
// params: group
// How many hold each term that is counted in a group, and how many there are: entities of whole names, else names.
MATCH (f:Frequency)
WHERE f.group_id = $group
RETURN f.id AS id, f.holders AS holders, CASE
  WHEN f.id ENDS WITH '1' THEN COUNT { MATCH (e:Entity) WHERE e.group_id = $group AND f.id IN coalesce(e.terms, []) }
  ELSE size(COLLECT { MATCH (e:Entity) WHERE e.group_id = $group AND f.id IN coalesce(e.terms, []) RETURN DISTINCT e.key })
  END AS there
ORDER BY id;

// name: summarise
// mode: write
// returns: nothing
// params: group, ids
// A summary stands for episodes.
UNWIND $ids AS id
MATCH (e:Episode {id: id})
WHERE e.group_id = $group
CREATE (e)<-[:SUMMARIZES]-(:Summary {id: 'summary/' + id, group_id: $group, content: ''});
