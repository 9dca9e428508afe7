// Which hits of a search have what it asks for: ids in, ids out. What is not asked for is null. The look-ups that hits come
// from compare the times; what is asked here does not change with them, but for evidence and mentions, as known then.

// name: beliefs_passing
// mode: read
// returns: list
// row: IdRow
// params: group, audience, ids, known_at, entities, types, predicates, categories, since, until, least_confidence
// timeless because a version, addressed by the id of its row, keeps what is asked for; types are those of $known_at
// Those of beliefs, by the ids of their rows, that have what is asked of beliefs themselves.
// insert: rows_by_id
WITH r
WHERE r.confidence >= $least_confidence
  AND r.valid_from < $until AND coalesce(r.event_to, r.valid_to) > $since
  AND ($predicates IS NULL OR r.predicate IN $predicates)
  AND ($categories IS NULL OR r.category IN $categories)
  AND ($entities IS NULL OR r.subject_id IN $entities OR coalesce(r.object_id, '') IN $entities)
  AND ($types IS NULL OR EXISTS {
    UNWIND [r.subject_id, r.object_id] AS end
    MATCH (n:Entity {id: end})
    WHERE n.group_id = $group
    WITH n WHERE
    // insert: type_then
    IN $types
  })
RETURN collect(DISTINCT {id: r.id}) AS rows;

// name: beliefs_resting_on
// mode: read
// returns: list
// row: IdRow
// params: group, audience, ids, known_at, session, exclude_session, roles, speakers, sources, tags
// timeless because a version is addressed by the id of its row; $known_at bounds its claims, or the end of its time does
// Those of beliefs, by the ids of their rows, that rest on an episode that has what is asked of episodes, and that readers
// of $audience may see. Most do by the claim that they have their words from; of the others all claims are looked at.
// insert: rows_by_id
WITH r,
  // insert: last_known
  AS known
WITH r, known, EXISTS {
  MATCH (c:Claim {id: r.claim_id})
  WHERE c.group_id = $group AND c.recorded_at <= known AND c.retracted_at > known
  MATCH (e:Episode {id: c.episode_id})
  USING INDEX SEEK e:Episode(id)
  WHERE e.group_id = $group AND ($audience IS NULL OR e.audience IN $audience) AND
  // insert: said_so
} AS by_own_claim
CALL (r, known, by_own_claim) {
  WITH r, by_own_claim WHERE by_own_claim
  RETURN r.id AS id
  UNION ALL
  WITH r, known, by_own_claim WHERE NOT by_own_claim
  WITH known, r.valid_from AS valid_from, r.valid_to AS valid_to,
    coalesce(r.attribute_keys, []) AS keys, coalesce(r.attribute_values, []) AS said,
    // insert: belief_of_claims
    AS belief
  // insert: stands_for
  WITH * WHERE EXISTS {
    UNWIND subjects AS subject
    UNWIND targets AS target
    MATCH (c:Claim)
    WHERE
    // insert: supports
    MATCH (e:Episode {id: c.episode_id})
    USING INDEX SEEK e:Episode(id)
    WHERE e.group_id = $group AND ($audience IS NULL OR e.audience IN $audience) AND
    // insert: said_so
  }
  RETURN belief.id AS id
}
RETURN collect(DISTINCT {id: id}) AS rows;

// name: episodes_passing
// mode: read
// returns: list
// row: IdRow
// params: group, audience, ids, entities, types, known_at, since, until, session, exclude_session, roles, speakers, sources, tags
// timeless because an episode is addressed by its id; $known_at bounds what it mentions
// Those of episodes that have what is asked of them.
UNWIND $ids AS id
MATCH (e:Episode {id: id})
WHERE e.group_id = $group AND ($audience IS NULL OR e.audience IN $audience)
  AND e.occurred_at >= $since AND e.occurred_at < $until
  AND
  // insert: said_so
  AND ($entities IS NULL OR EXISTS {
    MATCH (e)-[m:MENTIONS|MENTIONED]->(n:Entity)
    WHERE n.id IN $entities AND m.recorded_at <= $known_at AND coalesce(m.superseded_at > $known_at, true)
  })
  AND ($types IS NULL OR EXISTS {
    MATCH (e)-[m:MENTIONS|MENTIONED]->(n:Entity)
    WHERE
    // insert: type_then
    IN $types AND m.recorded_at <= $known_at AND coalesce(m.superseded_at > $known_at, true)
  })
RETURN collect(DISTINCT {id: id}) AS rows;

// name: summaries_passing
// mode: read
// returns: list
// row: IdRow
// params: group, audience, ids, session, exclude_session
// timeless because a version is addressed by its id
// Those of versions of summaries that cover turns of the sessions asked for; those of entities cover none.
UNWIND $ids AS id
CALL (id) {
  MATCH (s:Summary {id: id})
  RETURN s
  UNION ALL
  MATCH (s:SupersededSummary {id: id})
  RETURN s
}
WITH s
WHERE s.group_id = $group AND ($audience IS NULL OR s.audience IN $audience) AND s.session IS NOT NULL
  AND ($session IS NULL OR s.session = $session) AND ($exclude_session IS NULL OR s.session <> $exclude_session)
RETURN collect({id: s.id}) AS rows;

// name: claims_of_session
// mode: read
// returns: list
// row: IdRow
// params: group, audience, ids, session
// timeless because a claim is addressed by its id, and stays where it was said
// Those of claims that were said in a session.
UNWIND $ids AS id
MATCH (c:Claim {id: id})
MATCH (e:Episode {id: c.episode_id})
USING INDEX SEEK e:Episode(id)
WHERE e.group_id = $group AND ($audience IS NULL OR e.audience IN $audience) AND e.session = $session
RETURN collect({id: id}) AS rows;

// name: same_things
// mode: read
// returns: list
// row: IdRow
// params: group, id, audience, known_at
// timeless because an entity is a name, known from its recorded_at on; only its beliefs have a valid time
// The ids of all that are the same as an entity; its own too.
WITH $id AS entity_id
// insert: same_thing
WITH e WHERE e.group_id = $group
RETURN collect(DISTINCT {id: e.id}) AS rows;

// name: versions
// mode: read
// returns: list
// row: CompetingVersionRow
// params: group, audience, ids, known_at
// timeless because a version is addressed by the id of its row; who its ends are is asked as known at $known_at
// Of which slot rows are: a row of one slot may have replaced another. Of a predicate that holds many, and of open beliefs,
// the target belongs to it.
// insert: rows_by_id
WITH DISTINCT r
// insert: holds_one
RETURN collect({
  id: r.id, belief_id: r.belief_id, user: r.user, predicate: r.predicate, open: r.open,
  day: coalesce(r.day, ''),
  distinguished_by: [said IN coalesce(r.attribute_values, []) WHERE r.open = true AND (said STARTS WITH 'verb=' OR said STARTS WITH 'detail=')],
  subject: coalesce(head(COLLECT {
    MATCH (:Entity {id: r.subject_id})-[up:SAME_AS|WAS_SAME_AS*1..2]->(n:Entity)
    WHERE all(s IN up WHERE
      // insert: in_force
    )
    RETURN n.id ORDER BY size(up) DESC
  }), r.subject_id),
  target: CASE WHEN together THEN '' ELSE coalesce(head(COLLECT {
    MATCH (:Entity {id: r.object_id})-[up:SAME_AS|WAS_SAME_AS*1..2]->(n:Entity)
    WHERE all(s IN up WHERE
      // insert: in_force
    )
    RETURN n.id ORDER BY size(up) DESC
  }), r.target) END,
  valid_from: toString(r.valid_from), recorded_at: toString(r.recorded_at), superseded_at: toString(r.superseded_at)
}) AS rows;

// name: successors
// mode: read
// returns: list
// row: SuccessorRow
// params: group, audience, open, ids, valid_at, known_at, awake_at, limit
// timeless because what replaced something may have ended as well; both times bound the beginnings
// The newest versions of what competes with rows, by the ids of these: the $limit of each that may have replaced it.
// insert: rows_by_id
WITH DISTINCT r
// insert: holds_one
WITH DISTINCT r.subject_id AS entity_id, r.predicate AS predicate, r.user AS whose,
  CASE WHEN together THEN null ELSE r.target END AS target
CALL (entity_id) {
  // insert: same_thing
  RETURN collect(e) AS subjects
}
CALL (subjects, predicate, whose, target) {
  UNWIND subjects AS e
  CALL (e) {
    MATCH (e)-[r:RELATES_TO]->()
    RETURN 'relationship' AS kind, r
    UNION ALL
    MATCH (e)-[r:SUPERSEDED]->()
    RETURN 'relationship' AS kind, r
    UNION ALL
    MATCH (e)-[:HAS_FACT]->(r)
    RETURN 'fact' AS kind, r
    UNION ALL
    MATCH (e)-[:HAD_FACT]->(r)
    RETURN 'fact' AS kind, r
  }
  WITH kind, r, CASE WHEN r.superseded_at > $known_at THEN $known_at ELSE r.superseded_at END AS until
  WHERE r.group_id = $group AND r.predicate = predicate AND r.user = whose
    AND r.valid_from <= $valid_at AND r.recorded_at <= $known_at
    AND r.open IN $open AND ($audience IS NULL OR r.audience IN $audience) AND (target IS NULL OR r.target = target)
    AND r.fades_at > $awake_at
  RETURN kind, r.id AS id, r.open AS open
  ORDER BY until DESC, r.valid_from DESC, r.recorded_at DESC, id DESC LIMIT $limit
}
RETURN collect(DISTINCT {kind: kind, id: id, open: open}) AS rows;

// name: addressed
// mode: read
// returns: list
// row: Addressed
// params: group, audience, ids
// timeless because it is asked of which time things are
// What ids mean to readers of $audience: rows of beliefs, by their own ids or those of the beliefs, and episodes.
CALL () {
  UNWIND $ids AS asked
  MATCH ()-[r:RELATES_TO]->()
  WHERE r.group_id = $group AND (r.id = asked OR r.belief_id = asked)
  RETURN asked, 'relationship' AS kind, r
  UNION ALL
  UNWIND $ids AS asked
  MATCH ()-[r:SUPERSEDED]->()
  WHERE r.group_id = $group AND (r.id = asked OR r.belief_id = asked)
  RETURN asked, 'relationship' AS kind, r
  UNION ALL
  UNWIND $ids AS asked
  MATCH (r:Fact)
  WHERE r.group_id = $group AND (r.id = asked OR r.belief_id = asked)
  RETURN asked, 'fact' AS kind, r
  UNION ALL
  UNWIND $ids AS asked
  MATCH (r:SupersededFact)
  WHERE r.group_id = $group AND (r.id = asked OR r.belief_id = asked)
  RETURN asked, 'fact' AS kind, r
  UNION ALL
  UNWIND $ids AS asked
  MATCH (r:Episode {id: asked})
  WHERE r.group_id = $group
  RETURN asked, 'episode' AS kind, r
}
WITH asked, kind, r WHERE $audience IS NULL OR r.audience IN $audience
RETURN collect(DISTINCT {
  asked: asked, id: r.id, belief_id: coalesce(r.belief_id, ''), kind: kind, open: coalesce(r.open, false),
  valid_from: toString(coalesce(r.valid_from, r.occurred_at)), recorded_at: toString(r.recorded_at),
  valid_to: coalesce(toString(r.valid_to), '9999-12-31T23:59:59.999999Z'),
  superseded_at: coalesce(toString(r.superseded_at), toString(r.replaced_at), '9999-12-31T23:59:59.999999Z'),
  fades_at: coalesce(toString(r.fades_at), '9999-12-31T23:59:59.999999Z')
}) AS rows;
