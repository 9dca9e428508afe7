// What a group has, page by page, each row with all of its properties. Rows of evidence and decisions come in the order in
// which they were recorded, entities, beliefs and texts in that of their ids.

// name: group_to_export
// mode: read
// returns: optional
// row: GroupToExportRow
// params: group, left_out
// timeless because a group is a container, not a belief
MATCH (n:Group {id: $group})
WHERE n.restoring IS NULL
RETURN n.importing AS importing,
// insert: exported
AS properties;

// name: counts_to_export
// mode: read
// returns: one
// row: CountsToExportRow
// params: group, audience, known_at
// allow: CartesianProduct because each side is one count
// timeless because what was recorded by $known_at is exported, whenever it was true
// How many episodes and claims there are, for whoever shows how far an export is.
CALL () {
  MATCH (n:Episode)
  WHERE n.group_id = $group AND n.recorded_at <= $known_at AND n.id > '' AND ($audience IS NULL OR n.audience IN $audience)
  RETURN count(n) AS episodes
}
CALL () {
  MATCH (n:Claim)
  WHERE n.group_id = $group AND n.recorded_at <= $known_at AND n.id > '' AND ($audience IS NULL OR n.user IN $audience)
  RETURN count(n) AS claims
}
RETURN episodes, claims;

// name: policies_to_export
// mode: read
// returns: list
// row: ExportedRow
// params: group, known_at, left_out
// timeless because a policy is a setting: it was in force, and true of nothing
// The group's own policies of predicates, those in force and those that were.
CALL () {
  MATCH (n:Predicate)
  WHERE n.group_id = $group AND n.name > '' AND n.recorded_at <= $known_at
  RETURN n
  UNION ALL
  MATCH (n:SupersededPredicate)
  WHERE n.group_id = $group AND n.name > '' AND n.recorded_at <= $known_at
  RETURN n
}
WITH n ORDER BY n.recorded_at, n.name
RETURN collect({kind: 'predicate', id: n.name, at: toString(n.recorded_at), more: [], properties:
  // insert: exported
}) AS rows;

// name: sessions_to_export
// mode: read
// returns: list
// row: ExportedRow
// params: group, audience, known_at, after_time, after_id, limit, left_out
// timeless because a session is opened and closed, and true of nothing
MATCH (n:Session)
WHERE n.group_id = $group AND n.opened_at >= datetime($after_time) AND n.opened_at <= $known_at
  AND (n.opened_at > datetime($after_time) OR n.id > $after_id) AND ($audience IS NULL OR n.user IN $audience)
WITH n ORDER BY n.opened_at, n.id LIMIT $limit
RETURN collect({kind: 'session', id: n.id, at: toString(n.opened_at), more: [], properties:
  // insert: exported
}) AS rows;

// name: entities_to_export
// mode: read
// returns: list
// row: ExportedRow
// params: group, known_at, after_id, limit, left_out
// timeless because an entity is a name, known from its recorded_at on
MATCH (n:Entity)
WHERE n.group_id = $group AND n.id > $after_id AND coalesce(n.recorded_at <= $known_at, n.recorded_at IS NOT NULL)
WITH n ORDER BY n.group_id, n.id LIMIT $limit
RETURN collect({kind: 'entity', id: n.id, at: '', more: [], properties:
  // insert: exported
}) AS rows;

// name: entities_to_export_for_user
// mode: read
// returns: list
// row: ExportedRow
// params: group, audience, known_at, after_id, limit, left_out
// timeless because an entity is a name, known from its recorded_at on
// Those that readers of $audience had heard of, with the names and types that they had heard.
MATCH (n:Entity)
WHERE n.group_id = $group AND n.id > $after_id AND coalesce(n.recorded_at <= $known_at, n.recorded_at IS NOT NULL)
  AND EXISTS {
    UNWIND $audience AS who
    MATCH (k:Name {id: n.id + '/' + who})
    WHERE any(at IN k.names_at WHERE at <= $known_at)
  }
WITH n ORDER BY n.group_id, n.id LIMIT $limit
RETURN collect({kind: 'entity', id: n.id, at: '', more: [
  ['heard', COLLECT {
    UNWIND $audience AS who
    MATCH (k:Name {id: n.id + '/' + who})
    UNWIND range(0, size(k.names) - 1) AS place
    WITH k.names[place] AS name, k.names_at[place] AS at, k.said_at[place] AS said_at
    WHERE at <= $known_at
    RETURN [name, toString(at), toString(said_at)] ORDER BY at, said_at DESC, name
  }],
  ['told', COLLECT {
    UNWIND $audience AS who
    MATCH (k:Name {id: n.id + '/' + who})
    UNWIND range(0, size(k.types) - 1) AS place
    WITH k.types[place] AS type, k.types_by[place] AS by, k.types_said_at[place] AS said_at, k.types_at[place] AS at
    WHERE at <= $known_at
    RETURN [type, by, toString(said_at), toString(at)] ORDER BY at, type
  }]
], properties:
  // insert: exported
}) AS rows;

// name: of_entities_to_export
// mode: read
// returns: list
// row: ExportedRow
// params: group, audience, ids, left_out
// timeless because names, judgements and what is shared are true of no time
// Under which names entities are known to whom, what is thought of pairs of them, and what is shared about them: of each
// pair and each value with one of its ends.
UNWIND $ids AS wanted
MATCH (e:Entity {id: wanted})
WHERE e.group_id = $group
CALL (e) {
  MATCH (n:Name)
  WHERE n.id STARTS WITH e.id + '/' AND n.group_id = $group AND ($audience IS NULL OR n.user IN $audience)
  RETURN 'name' AS kind, n
  UNION ALL
  MATCH (e)<-[:OF]-(n:Judgement)
  WHERE n.first_id = e.id AND ($audience IS NULL OR n.user IN $audience)
  RETURN 'judgement' AS kind, n
  UNION ALL
  MATCH (e)<-[:ABOUT]-(n:SharedValue)
  WHERE n.subject_id = e.id AND ($audience IS NULL OR n.user IN $audience)
  RETURN 'share' AS kind, n
}
WITH DISTINCT kind, n ORDER BY kind, n.id
RETURN collect({kind: kind, id: n.id, at: '', more: [], properties:
  // insert: exported
}) AS rows;

// name: episodes_to_export
// mode: read
// returns: list
// row: ExportedRow
// params: group, audience, known_at, after_time, after_id, limit, chars, left_out
// timeless because what was said is exported, whenever that was
// It ends after the episode with which contents have $chars characters.
MATCH (n:Episode)
WHERE n.group_id = $group AND n.recorded_at >= datetime($after_time) AND n.recorded_at <= $known_at AND n.id > ''
  AND (n.recorded_at > datetime($after_time) OR n.id > $after_id) AND ($audience IS NULL OR n.audience IN $audience)
WITH n ORDER BY n.group_id, n.recorded_at, n.id LIMIT $limit
WITH collect(n) AS found
WITH found, reduce(page = {rows: 0, chars: 0}, n IN found | CASE
    WHEN page.chars < $chars
    THEN {rows: page.rows + 1, chars: page.chars + coalesce(size(toStringOrNull(n.content)), 0)}
    ELSE page
  END).rows AS fitting
UNWIND found[..fitting] AS n
RETURN collect({kind: 'episode', id: n.id, at: toString(n.recorded_at), more: [], properties:
  // insert: exported
}) AS rows;

// name: of_episodes_to_export
// mode: read
// returns: list
// row: ExportedRow
// params: group, ids, known_at, left_out
// timeless because a mention is a place in a text; $known_at bounds when it was seen
// The passages of episodes, and whom they mention.
UNWIND $ids AS wanted
MATCH (e:Episode {id: wanted})
WHERE e.group_id = $group
CALL (e) {
  MATCH (e)-[:HAS_PASSAGE]->(n:Passage)
  RETURN 'passage' AS kind, n.id AS id, n, n.start AS start, [] AS more
  UNION ALL
  MATCH (e)-[n:MENTIONS|MENTIONED]->(o:Entity)
  WHERE n.group_id = $group AND coalesce(n.recorded_at <= $known_at, true)
  RETURN 'mention' AS kind, e.id AS id, n, n.start AS start, [['episode_id', e.id], ['entity_id', o.id]] AS more
}
WITH kind, id, n, more ORDER BY kind DESC, id, start, more[1][1], n.recorded_at
RETURN collect({kind: kind, id: id, at: '', more: more, properties:
  // insert: exported
}) AS rows;

// name: claims_to_export
// mode: read
// returns: list
// row: ExportedRow
// params: group, audience, known_at, after_time, after_id, limit, chars, left_out
// timeless because what was recorded by $known_at is exported, whenever it was true
// It ends after the claim with which values have $chars characters.
MATCH (n:Claim)
WHERE n.group_id = $group AND n.recorded_at >= datetime($after_time) AND n.recorded_at <= $known_at AND n.id > ''
  AND (n.recorded_at > datetime($after_time) OR n.id > $after_id) AND ($audience IS NULL OR n.user IN $audience)
WITH n ORDER BY n.group_id, n.recorded_at, n.id LIMIT $limit
WITH collect(n) AS found
WITH found, reduce(page = {rows: 0, chars: 0}, n IN found | CASE
    WHEN page.chars < $chars
    THEN {rows: page.rows + 1, chars: page.chars + coalesce(size(toStringOrNull(n.value)), 0)}
    ELSE page
  END).rows AS fitting
UNWIND found[..fitting] AS n
RETURN collect({kind: 'claim', id: n.id, at: toString(n.recorded_at), more: [], properties:
  // insert: exported
}) AS rows;

// name: merges_to_export
// mode: read
// returns: list
// row: ExportedRow
// params: group, audience, known_at, after_time, after_id, limit, left_out
// timeless because a merge is knowledge and no event: it holds at every valid time
// Decisions on who is who, those in force and those that were.
CALL () {
  MATCH ()-[n:SAME_AS]->()
  WHERE n.group_id = $group AND n.recorded_at <= $known_at AND n.recorded_at >= datetime($after_time) AND n.id > ''
    AND (n.recorded_at > datetime($after_time) OR n.id > $after_id) AND ($audience IS NULL OR n.user IN $audience)
  RETURN n ORDER BY n.group_id, n.recorded_at, n.id LIMIT $limit
  UNION ALL
  MATCH ()-[n:WAS_SAME_AS]->()
  WHERE n.group_id = $group AND n.recorded_at <= $known_at AND n.recorded_at >= datetime($after_time) AND n.id > ''
    AND (n.recorded_at > datetime($after_time) OR n.id > $after_id) AND ($audience IS NULL OR n.user IN $audience)
  RETURN n ORDER BY n.group_id, n.recorded_at, n.id LIMIT $limit
}
WITH n.recorded_at AS recorded_at, n.id AS id, head(collect(n)) AS n
ORDER BY recorded_at, id LIMIT $limit
RETURN collect({
  kind: 'merge', id: id, at: toString(recorded_at), more: [['member', startNode(n).id], ['other', endNode(n).id]], properties:
  // insert: exported
}) AS rows;

// name: beliefs_to_export
// mode: read
// returns: list
// row: ExportedRow
// params: group, audience, known_at, after_id, limit, left_out
// timeless because what was recorded by $known_at is exported, whenever it was true
// Versions of beliefs, those that are believed and those that were.
CALL () {
  MATCH ()-[n:RELATES_TO]->()
  WHERE n.group_id = $group AND n.id > $after_id AND coalesce(n.recorded_at <= $known_at, true)
    AND ($audience IS NULL OR n.audience IN $audience)
  RETURN 'relationship' AS kind, n ORDER BY n.group_id, n.id LIMIT $limit
  UNION ALL
  MATCH ()-[n:SUPERSEDED]->()
  WHERE n.group_id = $group AND n.id > $after_id AND coalesce(n.recorded_at <= $known_at, true)
    AND ($audience IS NULL OR n.audience IN $audience)
  RETURN 'relationship' AS kind, n ORDER BY n.group_id, n.id LIMIT $limit
  UNION ALL
  MATCH (n:Fact)
  WHERE n.group_id = $group AND n.id > $after_id AND coalesce(n.recorded_at <= $known_at, true)
    AND ($audience IS NULL OR n.audience IN $audience)
  RETURN 'fact' AS kind, n ORDER BY n.group_id, n.id LIMIT $limit
  UNION ALL
  MATCH (n:SupersededFact)
  WHERE n.group_id = $group AND n.id > $after_id AND coalesce(n.recorded_at <= $known_at, true)
    AND ($audience IS NULL OR n.audience IN $audience)
  RETURN 'fact' AS kind, n ORDER BY n.group_id, n.id LIMIT $limit
}
WITH n.id AS id, kind, head(collect(n)) AS n
ORDER BY id LIMIT $limit
RETURN collect({kind: 'belief', id: id, at: '', more: [['kind', kind]], properties:
  // insert: exported
}) AS rows;

// name: belief_ids_to_export
// mode: read
// returns: list
// row: IdRow
// params: group, audience, known_at, after_id, limit
// timeless because what was recorded by $known_at is exported, whenever it was true
// The ids of the same versions: a row that is superseded moves from one index to another, and may be missed in both.
CALL () {
  MATCH ()-[n:RELATES_TO]->()
  WHERE n.group_id = $group AND n.id > $after_id AND coalesce(n.recorded_at <= $known_at, true)
    AND ($audience IS NULL OR n.audience IN $audience)
  RETURN n.id AS id ORDER BY n.group_id, n.id LIMIT $limit
  UNION ALL
  MATCH ()-[n:SUPERSEDED]->()
  WHERE n.group_id = $group AND n.id > $after_id AND coalesce(n.recorded_at <= $known_at, true)
    AND ($audience IS NULL OR n.audience IN $audience)
  RETURN n.id AS id ORDER BY n.group_id, n.id LIMIT $limit
  UNION ALL
  MATCH (n:Fact)
  WHERE n.group_id = $group AND n.id > $after_id AND coalesce(n.recorded_at <= $known_at, true)
    AND ($audience IS NULL OR n.audience IN $audience)
  RETURN n.id AS id ORDER BY n.group_id, n.id LIMIT $limit
  UNION ALL
  MATCH (n:SupersededFact)
  WHERE n.group_id = $group AND n.id > $after_id AND coalesce(n.recorded_at <= $known_at, true)
    AND ($audience IS NULL OR n.audience IN $audience)
  RETURN n.id AS id ORDER BY n.group_id, n.id LIMIT $limit
}
WITH DISTINCT id ORDER BY id LIMIT $limit
RETURN collect({id: id}) AS rows;

// name: texts_to_export
// mode: read
// returns: list
// row: ExportedRow
// params: group, audience, known_at, after_id, limit, left_out
// timeless because what was recorded by $known_at is exported, whatever it tells of
// Versions of summaries and reflections, with the episodes that they summarise and the claims that they rest on.
CALL () {
  MATCH (n:Summary)
  WHERE n.group_id = $group AND n.id > $after_id AND coalesce(n.recorded_at <= $known_at, true)
    AND ($audience IS NULL OR n.audience IN $audience)
  RETURN CASE WHEN n.entity_id IS NULL THEN 'summary' ELSE 'entity_summary' END AS kind, n
  ORDER BY n.group_id, n.id LIMIT $limit
  UNION ALL
  MATCH (n:SupersededSummary)
  WHERE n.group_id = $group AND n.id > $after_id AND coalesce(n.recorded_at <= $known_at, true)
    AND ($audience IS NULL OR n.audience IN $audience)
  RETURN CASE WHEN n.entity_id IS NULL THEN 'summary' ELSE 'entity_summary' END AS kind, n
  ORDER BY n.group_id, n.id LIMIT $limit
  UNION ALL
  MATCH (n:Reflection)
  WHERE n.group_id = $group AND n.id > $after_id AND coalesce(n.recorded_at <= $known_at, true)
    AND ($audience IS NULL OR n.audience IN $audience)
  RETURN 'reflection' AS kind, n ORDER BY n.group_id, n.id LIMIT $limit
  UNION ALL
  MATCH (n:SupersededReflection)
  WHERE n.group_id = $group AND n.id > $after_id AND coalesce(n.recorded_at <= $known_at, true)
    AND ($audience IS NULL OR n.audience IN $audience)
  RETURN 'reflection' AS kind, n ORDER BY n.group_id, n.id LIMIT $limit
}
WITH DISTINCT kind, n ORDER BY n.id LIMIT $limit
RETURN collect({kind: kind, id: n.id, at: '', more: [
  ['episodes', COLLECT { MATCH (n)-[:SUMMARIZES]->(e:Episode) RETURN e.id ORDER BY e.id }],
  ['claims', COLLECT { MATCH (n)-[:CITES|RESTS_ON]->(c:Claim) RETURN c.id ORDER BY c.id }]
], properties:
  // insert: exported
}) AS rows;

// name: covers_to_export
// mode: read
// returns: list
// row: CoversRow
// params: group, audience, known_at, after_id, limit
// timeless because what was recorded by $known_at is exported, whatever it tells of
// Which summaries summarise which others.
CALL () {
  MATCH (n:Summary)
  WHERE n.group_id = $group AND n.id > $after_id AND n.recorded_at <= $known_at
    AND ($audience IS NULL OR n.audience IN $audience) AND EXISTS { (n)-[:SUMMARIZES]->(:Summary|SupersededSummary) }
  RETURN n ORDER BY n.group_id, n.id LIMIT $limit
  UNION ALL
  MATCH (n:SupersededSummary)
  WHERE n.group_id = $group AND n.id > $after_id AND n.recorded_at <= $known_at
    AND ($audience IS NULL OR n.audience IN $audience) AND EXISTS { (n)-[:SUMMARIZES]->(:Summary|SupersededSummary) }
  RETURN n ORDER BY n.group_id, n.id LIMIT $limit
}
WITH DISTINCT n ORDER BY n.id LIMIT $limit
RETURN collect({id: n.id, summaries: COLLECT {
  MATCH (n)-[:SUMMARIZES]->(s:Summary|SupersededSummary)
  WHERE s.recorded_at <= $known_at
  RETURN s.id ORDER BY s.id
}}) AS rows;
