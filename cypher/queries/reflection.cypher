// Reflections on weeks. What is no longer current is a SupersededReflection; one with no content has lost all that it said.

// name: next_group_to_renew
// mode: read
// returns: optional
// row: IdRow
// params: after
// timeless because it is about work to do, not about beliefs
// all groups because the schedule asks for work in each
// The next group of which a reflection is to be made again.
MATCH (s:Reflection)
WHERE s.group_id > $after AND s.stale_at > datetime('0001-01-01T00:00:00Z')
RETURN s.group_id AS id ORDER BY s.group_id, s.stale_at LIMIT 1;

// name: next_stale_reflection
// mode: read
// returns: many
// row: ReflectionRow
// params: group, after, limit
// timeless because it is about work to do, not about beliefs
// The next $limit reflections, in order of identity, that are to be made again.
MATCH (s:Reflection)
WHERE s.group_id = $group AND s.stale_at > datetime('0001-01-01T00:00:00Z') AND s.reflection_id > $after
WITH s ORDER BY s.reflection_id LIMIT $limit
RETURN
// insert: reflection
AS reflection
ORDER BY s.reflection_id;

// name: next_user_to_reflect
// mode: read
// returns: optional
// row: IdRow
// params: group, after
// timeless because it is about who has said something, whenever that was
// The next user for whom something is remembered, in order.
MATCH (k:Name)
WHERE k.group_id = $group AND k.user > $after AND k.entity_id > ''
RETURN k.user AS id ORDER BY k.group_id, k.user LIMIT 1;

// name: reflection_near
// mode: read
// returns: optional
// row: ReflectionRow
// params: group, user, from, to
// timeless because it is about what stands now
// The first reflection of a user whose week ended after $from and before $to.
MATCH (s:Reflection)
WHERE s.group_id = $group AND s.user = $user AND s.until_at > $from AND s.until_at < $to
WITH s ORDER BY s.until_at, s.id LIMIT 1
RETURN
// insert: reflection
AS reflection;

// name: claims_of_week
// mode: read
// returns: list
// row: WeeklyClaim
// params: group, users, since, until, limit
// timeless because claims and rows are as known at $until, and claims of one week are asked for
// The newest $limit claims of each user that were recorded after $since, as known at $until; and the versions of
// beliefs of the same subject and predicate that were believed then, if they are of the same object or value, or were
// recorded in the week too.
UNWIND $users AS who
CALL (who) {
  MATCH (c:Claim)
  WHERE c.group_id = $group AND c.user = who AND c.recorded_at > $since AND c.recorded_at <= $until
    AND c.retracted_at > $until AND (c.kind IN ['starts', 'holds'] OR c.kind = 'ends')
  RETURN c ORDER BY c.recorded_at DESC, c.id LIMIT $limit
}
MATCH (c)-[:SUBJECT]->(named:Entity)
MATCH (named)-[:SAME_AS|WAS_SAME_AS*0..3]->(subject:Entity)
OPTIONAL MATCH (c)-[:OBJECT]->(:Entity)-[:SAME_AS|WAS_SAME_AS*0..3]->(thing:Entity)
WITH subject.id AS subject, c.predicate AS predicate, c, named, coalesce(thing.id, c.target, '') AS target
WITH subject, predicate, collect(DISTINCT {claim: c, named: named, target: target}) AS said
WITH subject, predicate, said, [one IN said | one.target] AS targets
CALL (subject, predicate, targets) {
  CALL (subject, predicate, targets) {
    MATCH ()-[r:RELATES_TO]->()
    WHERE r.subject_id = subject AND r.predicate = predicate AND r.target > '' AND r.group_id = $group
      AND r.user IN $users AND r.recorded_at <= $until AND r.superseded_at > $until
      AND (r.recorded_at > $since OR r.target IN targets)
    RETURN r.id AS id
    UNION
    MATCH ()-[r:SUPERSEDED]->()
    WHERE r.subject_id = subject AND r.predicate = predicate AND r.target > '' AND r.group_id = $group
      AND r.user IN $users AND r.recorded_at <= $until AND r.superseded_at > $until
      AND (r.recorded_at > $since OR r.target IN targets)
    RETURN r.id AS id
    UNION
    MATCH (r:Fact)
    WHERE r.subject_id = subject AND r.predicate = predicate AND r.target > '' AND r.group_id = $group
      AND r.user IN $users AND r.recorded_at <= $until AND r.superseded_at > $until
      AND (r.recorded_at > $since OR r.target IN targets)
    RETURN r.id AS id
    UNION
    MATCH (r:SupersededFact)
    WHERE r.subject_id = subject AND r.predicate = predicate AND r.target > '' AND r.group_id = $group
      AND r.user IN $users AND r.recorded_at <= $until AND r.superseded_at > $until
      AND (r.recorded_at > $since OR r.target IN targets)
    RETURN r.id AS id
  }
  RETURN collect(DISTINCT id) AS ids
}
UNWIND said AS one
UNWIND CASE WHEN size(ids) = 0 THEN [null] ELSE ids END AS id
WITH one.claim AS c, one.named AS named, collect(DISTINCT one.target) AS targets, collect(DISTINCT id) AS ids
RETURN collect({
  id: c.id, kind: c.kind, statement: c.statement, subject_id: named.id,
  stamp: coalesce(toString(named.newest_stamp), ''), targets: targets, rows: ids
}) AS rows;

// name: withdrawn_claims
// mode: read
// returns: list
// row: IdRow
// params: group, ids, known_at
// timeless because claims are addressed by id; $known_at bounds both times of a claim
// Which of these claims were withdrawn by $known_at: retracted by request, or by a later digest that does not read the
// same of the episode; or their value was rejected after they were said.
UNWIND $ids AS id
MATCH (c:Claim {id: id})
WHERE c.group_id = $group
WITH c, $known_at AS known
WHERE (c.retracted_at <= known AND NOT (coalesce(c.replaced, false) AND EXISTS {
    MATCH (d:Claim)
    WHERE d.subject_id = c.subject_id AND d.predicate = c.predicate AND d.target = c.target AND d.group_id = $group
      AND d.episode_id = c.episode_id AND d.kind = c.kind AND d.recorded_at <= known AND d.retracted_at > known
  }))
  OR
  // insert: rejected
RETURN collect({id: c.id}) AS rows;

// name: ends_of_claims
// mode: read
// returns: list
// row: NamedEndsRow
// params: group, ids
// timeless because claims are addressed by id, and keep what they name
// The entities that claims name, in which session, by or for whom.
UNWIND $ids AS id
MATCH (c:Claim {id: id})
WHERE c.group_id = $group
RETURN collect({
  id: c.id, subject_id: c.subject_id, object_id: c.object_id, session: coalesce(c.session, ''),
  user: c.user
}) AS rows;

// name: write_reflection
// mode: write
// returns: optional
// row: RecordedRow
// params: group, before, from, to, reflection, vector, claims, subjects
// audit: reflections reflection.id
// allow: CartesianProduct because each side is one node, found by its unique id
// A version of a reflection, unless something was written meanwhile about what its claims name, another version than
// $before stands by now, or there is another one of the user whose week ends after $from and before $to. $before is
// superseded.
MATCH (g:Group {id: $group})
// insert: unchanged_since
WITH g
WHERE coalesce(head(COLLECT {
    MATCH (standing:Reflection {reflection_id: $reflection.reflection_id})
    RETURN standing.id
  }), '') = $before
  AND NOT EXISTS {
    MATCH (other:Reflection)
    WHERE other.group_id = g.id AND other.user = $reflection.user AND other.until_at > datetime($from)
      AND other.until_at < datetime($to) AND other.reflection_id <> $reflection.reflection_id
  }
WITH g, datetime.truncate('microsecond', datetime.realtime()) AS clock
WITH g, CASE
    WHEN g.reflected_at >= clock THEN g.reflected_at + duration({microseconds: 1})
    ELSE clock
  END AS now
SET g.reflected_at = now
WITH g, now
CALL (now) {
  MATCH (old:Reflection {reflection_id: $reflection.reflection_id})
  WHERE old.group_id = $group
  REMOVE old:Reflection
  SET old:SupersededReflection, old.superseded_at = now
}
CREATE (s:Reflection {id: $reflection.id})
SET
  s += $reflection, s.group_id = g.id, s.since_at = datetime($reflection.since_at),
  s.until_at = datetime($reflection.until_at), s.recorded_at = now,
  s.superseded_at = datetime('9999-12-31T23:59:59.999999Z')
WITH s
CALL (s) {
  UNWIND $claims AS id
  MATCH (c:Claim {id: id})
  WHERE c.group_id = $group
  CREATE (s)-[:RESTS_ON]->(c)
}
CALL (s) {
  WITH s WHERE $vector IS NOT NULL
  CALL db.create.setNodeVectorProperty(s, 'embedding', $vector)
}
RETURN toString(s.recorded_at) AS recorded_at;

// name: keep_reflection
// mode: write
// returns: optional
// row: RecordedRow
// params: group, id, vector, subjects
// allow: CartesianProduct because each side is one node, found by its unique id
// A reflection that says the same when it is made again is not stale, unless something was written meanwhile about what
// its claims name.
MATCH (g:Group {id: $group})
// insert: unchanged_since
MATCH (s:Reflection {id: $id})
WHERE s.group_id = g.id
// insert: no_longer_stale
WITH s
CALL (s) {
  WITH s WHERE $vector IS NOT NULL
  CALL db.create.setNodeVectorProperty(s, 'embedding', $vector)
}
RETURN toString(s.recorded_at) AS recorded_at;

// name: mark_reflections_stale
// mode: write
// returns: nothing
// params: group, ids, acts, now
// Reflections that rest on these claims, on claims on whose value there are these acts or were acts among the claims, or on
// words withdrawn with them, are to be made again.
// insert: concerned
WITH DISTINCT c WHERE c.group_id = $group
MATCH (c)<-[:RESTS_ON]-(old:Reflection|SupersededReflection)
WITH DISTINCT old.reflection_id AS id ORDER BY id
MATCH (s:Reflection {reflection_id: id})
WHERE s.group_id = $group
SET s.stale_at = coalesce(s.stale_at, $now);

// name: reflections
// mode: read
// returns: list
// row: ReflectionRow
// params: group, audience, after_time, after_id, valid_at, known_at, limit
// timeless because a week has an end, to which $valid_at is compared, and none in the sense of beliefs
// The reflections on weeks that had ended by $valid_at, as known at $known_at, in order of the ends of their weeks.
CALL () {
  MATCH (s:Reflection)
  WHERE s.group_id = $group AND s.until_at >= $after_time AND s.until_at <= $valid_at
    AND s.recorded_at <= $known_at AND s.superseded_at > $known_at
    AND (s.until_at > $after_time OR s.id > $after_id) AND s.content <> ''
    AND ($audience IS NULL OR s.audience IN $audience)
  RETURN s
  UNION ALL
  MATCH (s:SupersededReflection)
  WHERE s.group_id = $group AND s.until_at >= $after_time AND s.until_at <= $valid_at
    AND s.recorded_at <= $known_at AND s.superseded_at > $known_at
    AND (s.until_at > $after_time OR s.id > $after_id) AND s.content <> ''
    AND ($audience IS NULL OR s.audience IN $audience)
  RETURN s
}
WITH s ORDER BY s.until_at, s.id LIMIT $limit
RETURN collect({reflection:
// insert: reflection
}) AS rows;

// name: newest_reflections
// mode: read
// returns: list
// row: ReflectionRow
// params: group, audience, user, valid_at, known_at, limit
// timeless because a week has an end, to which $valid_at is compared, and none in the sense of beliefs
// The newest reflections on weeks that had ended by $valid_at, as known at $known_at; of those on one week, that of $user
// comes first, then that of everybody.
CALL () {
  MATCH (s:Reflection)
  WHERE s.group_id = $group AND s.until_at <= $valid_at AND s.recorded_at <= $known_at AND s.superseded_at > $known_at
    AND s.content <> '' AND ($audience IS NULL OR s.audience IN $audience)
  RETURN s
  UNION ALL
  MATCH (s:SupersededReflection)
  WHERE s.group_id = $group AND s.until_at <= $valid_at AND s.recorded_at <= $known_at AND s.superseded_at > $known_at
    AND s.content <> '' AND ($audience IS NULL OR s.audience IN $audience)
  RETURN s
}
WITH s
ORDER BY s.until_at DESC, CASE s.user WHEN $user THEN 0 WHEN '' THEN 1 ELSE 2 END, s.user, s.id LIMIT $limit
RETURN collect({reflection:
// insert: reflection
}) AS rows;

// name: reflections_by_id
// mode: read
// returns: list
// row: ReflectionRow
// params: group, audience, ids, valid_at, known_at
// timeless because a week has an end, to which $valid_at is compared, and none in the sense of beliefs
// Those of versions, by id, whose weeks had ended by $valid_at, as known at $known_at.
UNWIND $ids AS id
CALL (id) {
  MATCH (s:Reflection {id: id})
  RETURN s
  UNION ALL
  MATCH (s:SupersededReflection {id: id})
  RETURN s
}
WITH s
WHERE s.group_id = $group AND s.content <> '' AND s.until_at <= $valid_at AND s.recorded_at <= $known_at
  AND s.superseded_at > $known_at AND ($audience IS NULL OR s.audience IN $audience)
RETURN collect({reflection:
// insert: reflection
}) AS rows;
