// Look-ups: ids of rows and scores, best first. Rows are read by their ids afterwards, and looked at again then.
// A vector index filters by all that is compared; it takes no OR and no test of a parameter, so that a user's search is a
// second text.

// name: by_vector
// mode: read
// returns: many
// row: HitsOfKind
// params: group, open, kinds, vector, turn_vector, first_session, last_session, valid_at, ended_after, known_at, superseded_after,
//   awake_at, limit
// Of each of some kinds the $limit nearest to a vector: beliefs that held then, as known then, or had begun; episodes of these
// sessions, long ones by their passages, that had happened and were known, nearest to $turn_vector; summaries whose turns had
// all been said, and reflections whose weeks had ended. Of a history the ends of beliefs are compared with the beginning of time.
UNWIND $kinds AS kind
CALL (kind) {
  WITH kind WHERE kind = 'relationship'
  MATCH ()-[r:RELATES_TO|SUPERSEDED]->()
  SEARCH r IN (
    VECTOR INDEX relationship_vectors FOR $vector
    // insert: near_beliefs
    LIMIT $limit
  ) SCORE AS score
  // insert: best_first
  RETURN 'relationship' AS of, collect(hit) AS hits
  UNION ALL
  WITH kind WHERE kind = 'fact'
  MATCH (r:Fact|SupersededFact)
  SEARCH r IN (
    VECTOR INDEX fact_vectors FOR $vector
    // insert: near_beliefs
    LIMIT $limit
  ) SCORE AS score
  // insert: best_first
  RETURN 'fact' AS of, collect(hit) AS hits
  UNION ALL
  WITH kind WHERE kind = 'episode'
  MATCH (r:Episode|Passage)
  SEARCH r IN (
    VECTOR INDEX episode_vectors FOR $turn_vector
    // insert: near_episodes
    LIMIT $limit
  ) SCORE AS score
  // insert: best_turns_first
  RETURN 'episode' AS of, collect(hit) AS hits
  UNION ALL
  WITH kind WHERE kind = 'summary'
  MATCH (r:Summary|SupersededSummary)
  SEARCH r IN (
    VECTOR INDEX summary_vectors FOR $vector
    // insert: near_summaries
    LIMIT $limit
  ) SCORE AS score
  // insert: best_first
  RETURN 'summary' AS of, collect(hit) AS hits
  UNION ALL
  WITH kind WHERE kind = 'reflection'
  MATCH (r:Reflection|SupersededReflection)
  SEARCH r IN (
    VECTOR INDEX reflection_vectors FOR $vector
    // insert: near_reflections
    LIMIT $limit
  ) SCORE AS score
  // insert: best_first
  RETURN 'reflection' AS of, collect(hit) AS hits
}
RETURN of AS kind, size(hits) AS raw, [hit IN hits WHERE hit.replaced IS NULL |
  hit {.id, .score, .open, .speaker, .session, .start, .end}
] AS hits;

// name: by_vector_for_user
// mode: read
// returns: many
// row: HitsOfKind
// params: group, audience, open, kinds, vector, turn_vector, first_session, last_session, valid_at, ended_after, known_at, superseded_after,
//   awake_at, limit
// The same, of what one user may see.
UNWIND $kinds AS kind
CALL (kind) {
  WITH kind WHERE kind = 'relationship'
  MATCH ()-[r:RELATES_TO|SUPERSEDED]->()
  SEARCH r IN (
    VECTOR INDEX relationship_vectors FOR $vector
    // insert: near_beliefs
      AND r.audience IN $audience
    LIMIT $limit
  ) SCORE AS score
  // insert: best_first
  RETURN 'relationship' AS of, collect(hit) AS hits
  UNION ALL
  WITH kind WHERE kind = 'fact'
  MATCH (r:Fact|SupersededFact)
  SEARCH r IN (
    VECTOR INDEX fact_vectors FOR $vector
    // insert: near_beliefs
      AND r.audience IN $audience
    LIMIT $limit
  ) SCORE AS score
  // insert: best_first
  RETURN 'fact' AS of, collect(hit) AS hits
  UNION ALL
  WITH kind WHERE kind = 'episode'
  MATCH (r:Episode|Passage)
  SEARCH r IN (
    VECTOR INDEX episode_vectors FOR $turn_vector
    // insert: near_episodes
      AND r.audience IN $audience
    LIMIT $limit
  ) SCORE AS score
  // insert: best_turns_first
  RETURN 'episode' AS of, collect(hit) AS hits
  UNION ALL
  WITH kind WHERE kind = 'summary'
  MATCH (r:Summary|SupersededSummary)
  SEARCH r IN (
    VECTOR INDEX summary_vectors FOR $vector
    // insert: near_summaries
      AND r.audience IN $audience
    LIMIT $limit
  ) SCORE AS score
  // insert: best_first
  RETURN 'summary' AS of, collect(hit) AS hits
  UNION ALL
  WITH kind WHERE kind = 'reflection'
  MATCH (r:Reflection|SupersededReflection)
  SEARCH r IN (
    VECTOR INDEX reflection_vectors FOR $vector
    // insert: near_reflections
      AND r.audience IN $audience
    LIMIT $limit
  ) SCORE AS score
  // insert: best_first
  RETURN 'reflection' AS of, collect(hit) AS hits
}
RETURN of AS kind, size(hits) AS raw, [hit IN hits WHERE hit.replaced IS NULL |
  hit {.id, .score, .open, .speaker, .session, .start, .end}
] AS hits;

// name: by_text
// mode: read
// returns: many
// row: HitsOfQuery
// params: group, audience, open, queries, first_session, last_session, valid_at, known_at, awake_at, history
// Of each of $queries, of the full text of a kind, its best `limit` hits of the tenant, episodes and passages of long ones,
// and those among them that held, or with $history had begun, had happened or had ended then, as known then; `raw` tells
// whether more may come.
// The indexes follow the commits: first wait until they hold all that is committed by now.
CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()
UNWIND range(0, size($queries) - 1) AS place
WITH place, $queries[place] AS query
CALL (place, query) {
  WITH place, query WHERE query.kind = 'relationship'
  CALL db.index.fulltext.queryRelationships('relationship_words', query.lucene, {limit: query.limit})
  YIELD relationship AS r, score
  WITH place, r, score, r.id AS id
  ORDER BY score DESC, id
  RETURN place AS at, count(*) AS raw, collect(CASE
    WHEN
      // insert: worded_belief
    THEN {id: id, score: score, open: r.open, speaker: null, session: null, start: null, end: null}
  END) AS hits
  UNION ALL
  WITH place, query WHERE query.kind = 'fact'
  CALL db.index.fulltext.queryNodes('fact_words', query.lucene, {limit: query.limit}) YIELD node AS r, score
  WITH place, r, score, r.id AS id
  ORDER BY score DESC, id
  RETURN place AS at, count(*) AS raw, collect(CASE
    WHEN
      // insert: worded_belief
    THEN {id: id, score: score, open: r.open, speaker: null, session: null, start: null, end: null}
  END) AS hits
  UNION ALL
  WITH place, query WHERE query.kind = 'episode'
  CALL db.index.fulltext.queryNodes('episode_said', query.lucene, {limit: query.limit}) YIELD node AS e, score
  WITH place, e, score, coalesce(e.episode_id, e.id) AS id
  ORDER BY score DESC, id, e.start
  RETURN place AS at, count(*) AS raw, collect(CASE
    WHEN e.group_id = $group AND e.occurred_at <= $valid_at AND e.recorded_at <= $known_at
      AND coalesce(e.replaced_at > $known_at, true)
      AND ($audience IS NULL OR e.audience IN $audience)
      AND e.session_token >= $first_session AND e.session_token <= $last_session
    THEN {id: id, score: score, open: false, speaker: e.speaker, session: null, start: e.start, end: e.end}
  END) AS hits
  UNION ALL
  WITH place, query WHERE query.kind = 'summary'
  CALL db.index.fulltext.queryNodes('summary_words', query.lucene, {limit: query.limit}) YIELD node AS s, score
  WITH place, s, score, s.id AS id
  ORDER BY score DESC, id
  RETURN place AS at, count(*) AS raw, collect(CASE
    WHEN s.group_id = $group AND s.content <> '' AND s.last_at <= $valid_at AND s.recorded_at <= $known_at
      AND s.superseded_at > $known_at AND ($audience IS NULL OR s.audience IN $audience)
    THEN {id: id, score: score, open: false, speaker: null, session: null, start: null, end: null}
  END) AS hits
  UNION ALL
  WITH place, query WHERE query.kind = 'reflection'
  CALL db.index.fulltext.queryNodes('reflection_words', query.lucene, {limit: query.limit}) YIELD node AS s, score
  WITH place, s, score, s.id AS id
  ORDER BY score DESC, id
  RETURN place AS at, count(*) AS raw, collect(CASE
    WHEN s.group_id = $group AND s.content <> '' AND s.until_at <= $valid_at AND s.recorded_at <= $known_at
      AND s.superseded_at > $known_at AND ($audience IS NULL OR s.audience IN $audience)
    THEN {id: id, score: score, open: false, speaker: null, session: null, start: null, end: null}
  END) AS hits
}
RETURN at AS place, raw, hits;

// name: turns_around
// mode: read
// returns: one
// row: TurnsRow
// params: group, audience, ids, beliefs, vector, reach, opening, summaries, first_session, last_session, valid_at, known_at
// allow: CartesianProduct because each side is one row
// Episodes with the $reach before and after each in its session, of those that had happened and were known then; how near
// each is to a vector, as the index says it, and the first $opening characters of it. With $summaries, by which versions of
// summaries each is covered, by itself or through others, of those whose turns had all been said then, as known then. And
// the episodes that versions of $beliefs, by the ids of their rows, have their words from.
// What covers a turn is looked at without its label first: by it the planner would compare each turn with every summary.
UNWIND $ids AS id
MATCH (e:Episode {id: id})
WHERE e.group_id = $group AND e.occurred_at <= $valid_at AND e.recorded_at <= $known_at
  AND coalesce(e.replaced_at > $known_at, true)
  AND ($audience IS NULL OR e.audience IN $audience)
  AND e.session_token >= $first_session AND e.session_token <= $last_session
CALL (e) {
  MATCH (b:Episode)
  WHERE b.session_id = e.session_id AND b.occurred_at <= e.occurred_at AND b.group_id = $group
    AND b.occurred_at <= $valid_at AND b.recorded_at <= $known_at
    AND ($audience IS NULL OR b.audience IN $audience) AND b.redacted_at IS NULL
    AND coalesce(b.replaced_at > $known_at, true)
    AND [b.occurred_at, b.turn, b.id] < [e.occurred_at, e.turn, e.id]
  WITH b ORDER BY b.session_id DESC, b.occurred_at DESC, b.turn DESC, b.id DESC LIMIT $reach
  RETURN collect(b) AS before
}
CALL (e) {
  MATCH (a:Episode)
  WHERE a.session_id = e.session_id AND a.occurred_at >= e.occurred_at AND a.group_id = $group
    AND a.occurred_at <= $valid_at AND a.recorded_at <= $known_at
    AND ($audience IS NULL OR a.audience IN $audience) AND a.redacted_at IS NULL
    AND coalesce(a.replaced_at > $known_at, true)
    AND [a.occurred_at, a.turn, a.id] > [e.occurred_at, e.turn, e.id]
  WITH a ORDER BY a.session_id, a.occurred_at, a.turn, a.id LIMIT $reach
  RETURN collect(a) AS after
}
WITH collect({id: e.id, before: [b IN before | b.id], after: [a IN after | a.id]}) AS around,
  collect([e] + before + after) AS runs
CALL (runs) {
  UNWIND runs AS run
  UNWIND run AS turn
  WITH DISTINCT turn, coalesce(toStringOrNull(turn.content), '') AS content
  RETURN collect({
    id: turn.id, session: coalesce(turn.session_id, ''), speaker: turn.speaker, role: turn.role,
    occurred_at: toStringOrNull(turn.occurred_at), chars: size(content),
    asks: right(rtrim(split(content, '\n[')[0]), 1) = '?', opening: left(content, $opening),
    near: head(COLLECT {
      UNWIND [turn] + COLLECT { MATCH (turn)-[:HAS_PASSAGE]->(p:Passage) RETURN p } AS part
      WITH part WHERE $vector IS NOT NULL AND CASE
        WHEN part.embedding IS :: LIST<FLOAT NOT NULL> THEN size(part.embedding) = size($vector)
        ELSE false
      END
      WITH part, vector.similarity.cosine(part.embedding, $vector) AS score ORDER BY score DESC LIMIT 1
      RETURN {score: score, start: part.start, end: part.end}
    }),
    covered_by: COLLECT {
      MATCH (turn)<-[:SUMMARIZES*1..6]-(s)
      WHERE $summaries
      WITH DISTINCT s
      WHERE s:Summary|SupersededSummary AND s.group_id = $group AND s.content <> '' AND s.last_at <= $valid_at
        AND s.recorded_at <= $known_at AND s.superseded_at > $known_at
        AND ($audience IS NULL OR s.audience IN $audience)
      RETURN s.id
    }
  }) AS turns
}
CALL () {
  CALL () {
    UNWIND $beliefs AS id
    MATCH ()-[r:RELATES_TO {id: id}]->()
    USING INDEX SEEK r:RELATES_TO(id)
    RETURN r
    UNION ALL
    UNWIND $beliefs AS id
    MATCH ()-[r:SUPERSEDED {id: id}]->()
    USING INDEX SEEK r:SUPERSEDED(id)
    RETURN r
    UNION ALL
    UNWIND $beliefs AS id
    MATCH (r:Fact {id: id})
    RETURN r
    UNION ALL
    UNWIND $beliefs AS id
    MATCH (r:SupersededFact {id: id})
    RETURN r
  }
  WITH r WHERE r.group_id = $group AND ($audience IS NULL OR r.audience IN $audience)
  MATCH (c:Claim {id: r.claim_id})
  WHERE c.group_id = $group
  RETURN collect(DISTINCT {belief: r.id, episode: c.episode_id}) AS cited
}
RETURN around, turns, cited;

// name: turn_texts
// mode: read
// returns: list
// row: TurnTextRow
// params: group, audience, ids, valid_at, known_at
// What episodes say, of those that had happened and were known then, and their order in time.
UNWIND $ids AS id
MATCH (e:Episode {id: id})
WHERE e.group_id = $group AND e.occurred_at <= $valid_at AND e.recorded_at <= $known_at
  AND coalesce(e.replaced_at > $known_at, true)
  AND ($audience IS NULL OR e.audience IN $audience)
RETURN collect({
  id: e.id, content: coalesce(toStringOrNull(e.content), ''), occurred_at: toStringOrNull(e.occurred_at),
  turn: e.turn
}) AS rows;

// name: traits
// mode: read
// returns: list
// row: TraitsRow
// params: group, audience, ids, vectors
// timeless because a version, an episode or a name, addressed by its id, keeps its beginning, its confidence and its vector
// Since when hits of a search have held, or when they occurred, how sure each is, and with $vectors its vector.
CALL () {
  UNWIND $ids AS id
  MATCH ()-[r:RELATES_TO {id: id}]->()
  USING INDEX SEEK r:RELATES_TO(id)
  WHERE r.group_id = $group AND ($audience IS NULL OR r.audience IN $audience)
  RETURN r.id AS id, r.valid_from AS since, r.confidence AS confidence, r.embedding AS vector
  UNION ALL
  UNWIND $ids AS id
  MATCH ()-[r:SUPERSEDED {id: id}]->()
  USING INDEX SEEK r:SUPERSEDED(id)
  WHERE r.group_id = $group AND ($audience IS NULL OR r.audience IN $audience)
  RETURN r.id AS id, r.valid_from AS since, r.confidence AS confidence, r.embedding AS vector
  UNION ALL
  UNWIND $ids AS id
  MATCH (r:Fact {id: id})
  WHERE r.group_id = $group AND ($audience IS NULL OR r.audience IN $audience)
  RETURN r.id AS id, r.valid_from AS since, r.confidence AS confidence, r.embedding AS vector
  UNION ALL
  UNWIND $ids AS id
  MATCH (r:SupersededFact {id: id})
  WHERE r.group_id = $group AND ($audience IS NULL OR r.audience IN $audience)
  RETURN r.id AS id, r.valid_from AS since, r.confidence AS confidence, r.embedding AS vector
  UNION ALL
  UNWIND $ids AS id
  MATCH (e:Episode {id: id})
  WHERE e.group_id = $group AND ($audience IS NULL OR e.audience IN $audience)
  RETURN e.id AS id, e.occurred_at AS since, null AS confidence, e.embedding AS vector
  UNION ALL
  UNWIND $ids AS id
  MATCH (n:Entity {id: id})
  WHERE n.group_id = $group
  RETURN n.id AS id, null AS since, null AS confidence, n.name_embedding AS vector
  UNION ALL
  UNWIND $ids AS id
  MATCH (s:Summary {id: id})
  WHERE s.group_id = $group AND ($audience IS NULL OR s.audience IN $audience)
  RETURN s.id AS id, s.last_at AS since, null AS confidence, s.embedding AS vector
  UNION ALL
  UNWIND $ids AS id
  MATCH (s:SupersededSummary {id: id})
  WHERE s.group_id = $group AND ($audience IS NULL OR s.audience IN $audience)
  RETURN s.id AS id, s.last_at AS since, null AS confidence, s.embedding AS vector
  UNION ALL
  UNWIND $ids AS id
  MATCH (s:Reflection {id: id})
  WHERE s.group_id = $group AND ($audience IS NULL OR s.audience IN $audience)
  RETURN s.id AS id, s.until_at AS since, null AS confidence, s.embedding AS vector
  UNION ALL
  UNWIND $ids AS id
  MATCH (s:SupersededReflection {id: id})
  WHERE s.group_id = $group AND ($audience IS NULL OR s.audience IN $audience)
  RETURN s.id AS id, s.until_at AS since, null AS confidence, s.embedding AS vector
}
RETURN collect({traits: {
  id: id, since: toString(since), confidence: confidence, vector: CASE WHEN $vectors THEN vector END
}}) AS rows;

// name: said_alike
// mode: read
// returns: list
// row: Alike
// params: group, ids, least
// timeless because a version, addressed by the id of its row, keeps its statement, its vector and its days
// The pairs of open beliefs among these rows that say of one subject and one day, of one status and with the same numbers,
// what is as near as $least (cosine).
CALL () {
  UNWIND $ids AS id
  MATCH ()-[r:RELATES_TO {id: id}]->()
  USING INDEX SEEK r:RELATES_TO(id)
  WHERE r.group_id = $group AND r.open = true
  RETURN r
  UNION ALL
  UNWIND $ids AS id
  MATCH ()-[r:SUPERSEDED {id: id}]->()
  USING INDEX SEEK r:SUPERSEDED(id)
  WHERE r.group_id = $group AND r.open = true
  RETURN r
  UNION ALL
  UNWIND $ids AS id
  MATCH (r:Fact {id: id})
  WHERE r.group_id = $group AND r.open = true
  RETURN r
  UNION ALL
  UNWIND $ids AS id
  MATCH (r:SupersededFact {id: id})
  WHERE r.group_id = $group AND r.open = true
  RETURN r
}
WITH r WHERE r.embedding IS :: LIST<FLOAT NOT NULL>
WITH r.subject_id AS subject, r.user AS user, CASE
    WHEN coalesce(r.day, '') = '' THEN toString(CASE WHEN r.valid_from IS :: ZONED DATETIME THEN date(r.valid_from) END) ELSE r.day
  END AS day, CASE WHEN r.predicate IN ['plans', 'wishes', 'can', 'not'] THEN r.predicate ELSE '' END AS status,
  [word IN split(coalesce(toStringOrNull(r.statement), ''), ' ') WHERE word =~ '.*\\d.*'] AS numbers, collect(DISTINCT r {.id, .embedding}) AS said
UNWIND said AS one
UNWIND said AS other
WITH one, other
WHERE one.id < other.id AND CASE
    WHEN size(one.embedding) = size(other.embedding)
    THEN 2 * vector.similarity.cosine(one.embedding, other.embedding) - 1 >= $least
    ELSE false
  END
WITH one.id AS one, other.id AS other ORDER BY one, other
RETURN collect({one: one, other: other}) AS rows;

// name: carried_out
// mode: read
// returns: list
// row: Deed
// params: group, audience, ids, valid_at, known_at, least, limit
// What the subjects of plans, given by the ids of their rows, did on or after the day of the plan and on a day that is
// known, as near to the plan as $least (cosine): the nearest of each plan.
CALL () {
  UNWIND $ids AS id
  MATCH (plan:Fact {id: id})
  WHERE plan.group_id = $group
  RETURN plan
  UNION ALL
  UNWIND $ids AS id
  MATCH (plan:SupersededFact {id: id})
  WHERE plan.group_id = $group
  RETURN plan
}
WITH plan.subject_id AS subject, collect(DISTINCT plan) AS plans
CALL (subject) {
  CALL (subject) {
    MATCH (:Entity {id: subject})-[r:RELATES_TO]->()
    WHERE r.group_id = $group AND
      // insert: held
      AND ($audience IS NULL OR r.audience IN $audience)
      AND r.event_to IS NOT NULL
    RETURN r
    UNION ALL
    MATCH (:Entity {id: subject})-[r:SUPERSEDED]->()
    WHERE r.group_id = $group AND
      // insert: held
      AND ($audience IS NULL OR r.audience IN $audience)
      AND r.event_to IS NOT NULL
    RETURN r
    UNION ALL
    MATCH (:Entity {id: subject})-[:HAS_FACT]->(r)
    WHERE r.group_id = $group AND
      // insert: held
      AND ($audience IS NULL OR r.audience IN $audience)
      AND r.event_to IS NOT NULL
    RETURN r
    UNION ALL
    MATCH (:Entity {id: subject})-[:HAD_FACT]->(r)
    WHERE r.group_id = $group AND
      // insert: held
      AND ($audience IS NULL OR r.audience IN $audience)
      AND r.event_to IS NOT NULL
    RETURN r
  }
  WITH r WHERE r.embedding IS :: LIST<FLOAT NOT NULL>
  RETURN collect(r {.id, .valid_from, .embedding}) AS deeds
}
UNWIND plans AS plan
CALL (plan, deeds) {
  UNWIND deeds AS r
  WITH r WHERE plan.embedding IS :: LIST<FLOAT NOT NULL> AND
    // insert: not_before_plan
  WITH r, CASE
      WHEN size(plan.embedding) = size(r.embedding) THEN 2 * vector.similarity.cosine(plan.embedding, r.embedding) - 1
    END AS near
  WHERE near >= $least
  RETURN r.id AS id, near ORDER BY near DESC, id LIMIT $limit
}
RETURN collect(DISTINCT {plan: plan.id, deed: id}) AS rows;

// name: entities_called
// mode: read
// returns: list
// row: EntityRow
// params: group, audience, keys, facts, known_at, limit
// timeless because an entity is a name, known from its recorded_at on; only its beliefs have a valid time
// The entities with any of these normalised names, or of which one of these facts says that they are so called, that were
// known at $known_at.
CALL () {
  UNWIND $keys AS key
  MATCH (n:Entity {group_id: $group, key: key})
  RETURN n
  UNION
  UNWIND $facts AS id
  MATCH (f:Fact {id: id})
  WHERE f.group_id = $group AND f.predicate IN ['named', 'display_name', 'also_known_as'] AND toLower(toStringOrNull(f.value)) IN $keys
    AND ($audience IS NULL OR f.audience IN $audience)
  MATCH (n:Entity {id: f.subject_id})
  RETURN n
}
WITH n
WHERE n.group_id = $group AND n.recorded_at <= $known_at
  AND
  // insert: heard_of
WITH DISTINCT n ORDER BY n.id LIMIT $limit
RETURN collect({entity:
  // insert: entity
}) AS rows;

// name: entities_by_vector
// mode: read
// returns: one
// row: Hits
// params: group, audience, vector, known_at, limit
// timeless because an entity is a name, known from its recorded_at on; only its beliefs have a valid time
// The $limit entities whose names are nearest to a vector, and those among them that were known at $known_at; `raw` tells
// whether more may come.
MATCH (n:Entity)
SEARCH n IN (
  VECTOR INDEX entity_vectors FOR $vector
  WHERE n.group_id = $group
  LIMIT $limit
) SCORE AS score
WITH n, score, n.id AS id
ORDER BY score DESC, id
RETURN count(*) AS raw, collect(CASE
  WHEN n.group_id = $group AND n.recorded_at <= $known_at
    AND
    // insert: heard_of
  THEN {id: id, score: score, open: false, speaker: null, session: null, start: null, end: null}
END) AS hits;

// name: beliefs_reached
// mode: read
// returns: list
// row: ReachedRow
// params: group, audience, open, ids, vector, valid_at, known_at, awake_at, limit
// The beliefs at either end of entities, and of all that are the same, that held then, as known then: of each the $limit
// most important, of these the newest; and how many there are. Each with what it leads to, and the cosine of its vector and
// $vector, unless null.
UNWIND $ids AS start
CALL (start) {
  WITH start AS entity_id
  // insert: same_thing
  // insert: held_around
  WITH kind, r, other WHERE r.open IN $open AND r.fades_at > $awake_at
  WITH DISTINCT kind, r, r.id AS id, other
  ORDER BY r.importance DESC, r.valid_from DESC, id
  WITH collect({kind: kind, row: r, other: other}) AS around
  UNWIND around[..$limit] AS one
  WITH one, size(around) AS beliefs, one.row AS r
  OPTIONAL MATCH (n:Entity {id: one.other})
  RETURN {
    kind: one.kind, id: r.id, open: r.open, predicate: r.predicate, other: one.other, beliefs: beliefs,
    forwards: coalesce(r.subject_id <> one.other, true), other_type: coalesce(
      // insert: type_then
      , ''),
    cosine: CASE
      WHEN $vector IS NULL OR NOT r.embedding IS :: LIST<FLOAT NOT NULL> THEN 0.0
      WHEN size(r.embedding) <> size($vector) THEN 0.0
      ELSE 2 * vector.similarity.cosine(r.embedding, $vector) - 1
    END
  } AS reached
}
RETURN collect({reached: reached {.*, start: start, hops: 1}}) AS rows;
