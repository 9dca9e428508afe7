// What a context is made of, beside what a search finds. Ids of rows: they are read afterwards, so that one which cannot be
// read spoils no other.

// name: turns_of_session
// mode: read
// returns: one
// row: TurnsOfSessionRow
// params: group, session, audience, valid_at, known_at, limit
// allow: CartesianProduct because each side is one row
// The last turns of a session, given by its id, that had happened and were known then, and are not redacted: the newest first, each with the
// length of its content; how many there are in all; and whom the sessions are about of which these turns are (one name may
// be of several users'), likewise the newest first.
// Where a group has few sessions, the planner takes its index of the group's episodes for as good, and reads them all.
CALL () {
  MATCH (e:Episode)
  USING INDEX e:Episode(session_id, occurred_at)
  WHERE e.session_id = $session AND e.group_id = $group AND e.occurred_at <= $valid_at AND e.recorded_at <= $known_at
    AND ($audience IS NULL OR e.audience IN $audience) AND e.redacted_at IS NULL
    AND coalesce(e.replaced_at > $known_at, true)
  RETURN count(*) AS total
}
CALL () {
  MATCH (e:Episode)
  USING INDEX e:Episode(session_id, occurred_at)
  WHERE e.session_id = $session AND e.group_id = $group AND e.occurred_at <= $valid_at AND e.recorded_at <= $known_at
    AND ($audience IS NULL OR e.audience IN $audience) AND e.redacted_at IS NULL
    AND coalesce(e.replaced_at > $known_at, true)
  WITH e ORDER BY e.session_id DESC, e.occurred_at DESC, e.turn DESC, e.id DESC LIMIT $limit + 1
  RETURN collect(e) AS said
}
RETURN
  total, [e IN said[..$limit] | e {.id, chars: coalesce(size(toStringOrNull(e.content)), 0)}] AS turns,
  COLLECT {
    UNWIND range(0, CASE WHEN $limit > 0 THEN $limit - 1 ELSE 0 END) AS place
    WITH said[place].own_session_id AS id, min(place) AS place
    MATCH (s:Session {id: id})
    WHERE s.group_id = $group AND s.subject > ''
    RETURN s.subject ORDER BY place
  } AS subjects;

// name: agent_of_conversation
// mode: read
// returns: optional
// row: AgentRow
// params: group, session, audience, valid_at, known_at
// The agent with which the session was whose turn is the newest among those said under a session name, given by the id of
// that, that had happened and were known then.
MATCH (e:Episode)
USING INDEX e:Episode(session_id, occurred_at)
WHERE e.session_id = $session AND e.group_id = $group AND e.occurred_at <= $valid_at AND e.recorded_at <= $known_at
  AND ($audience IS NULL OR e.audience IN $audience) AND coalesce(e.replaced_at > $known_at, true)
WITH e ORDER BY e.session_id DESC, e.occurred_at DESC, e.turn DESC, e.id DESC LIMIT 1
MATCH (s:Session {id: e.own_session_id})
WHERE s.group_id = $group
RETURN s.agent AS agent;

// name: people
// mode: read
// returns: list
// row: PersonRow
// params: group, audience, users, keys, session, categories, known_at, limit
// timeless because which of what was told holds is asked of its beliefs; who is meant counts at every valid time
// Who each of the users is or may be, in the order of `place`: the entities with the ids given for the user; then, by name
// alone, those of whom calls told that user alone something of these categories by $known_at: up to $limit, first those of
// whom was told last. And the persons with any of these normalised names, up to $limit, with no `user`. Of each whom its
// name means in a session, if that is somebody else: to a user first whom that one says, then whom everybody does.
CALL () {
  UNWIND $users AS one
  CALL (one) {
    MATCH (c:Claim)
    USING INDEX SEEK c:Claim(group_id, user, category)
    WHERE c.group_id = $group AND c.user = one.user AND c.category IN $categories AND c.extractor = 'structured'
      AND c.recorded_at <= $known_at AND c.retracted_at > $known_at
    WITH c.subject_id AS id, max(c.recorded_at) AS told_at ORDER BY told_at DESC, id LIMIT $limit
    RETURN one.ids + collect(id) AS ids
  }
  UNWIND range(0, size(ids) - 1) AS place
  MATCH (n:Entity {id: ids[place]})
  WHERE n.group_id = $group AND coalesce(n.recorded_at <= $known_at, n.recorded_at IS NOT NULL)
    AND (place < size(one.ids) OR n.qualifier = '')
  RETURN one.user AS user, place, n
  UNION ALL
  UNWIND $keys AS key
  MATCH (n:Entity {group_id: $group, key: key})
  WHERE n.recorded_at <= $known_at AND 'person' =
    // insert: type_then
    AND
    // insert: heard_of
  RETURN null AS user, 0 AS place, n ORDER BY n.id LIMIT $limit
}
RETURN collect({
  user: user, place: place,
  meant: head(COLLECT {
    MATCH (n)-[s:SAME_AS|WAS_SAME_AS]->(o:Entity)
    WHERE s.session = $session AND coalesce(s.recorded_at <= $known_at AND s.superseded_at > $known_at, true)
      AND s.user IN coalesce($audience, [''])
    RETURN o.id ORDER BY s.user DESC
  }),
  entity:
  // insert: entity
}) AS rows;

// name: profile_beliefs
// mode: read
// returns: list
// row: ProfileBeliefsRow
// params: group, ids, audience, valid_at, known_at, awake_at, categories, least, limit
// The beliefs at either end of entities that held then, as known then, and rest on no open claims. Of each entity the ids of
// those that are about it and of these $categories, whatever their importance; of the others that are as important as
// $least the first $limit, and how many there are. The most important and of these the newest come first.
UNWIND $ids AS start
CALL (start) {
  WITH start AS entity_id
  // insert: same_thing
  // insert: held_around
  WITH r, r.category IN $categories AND r.subject_id = e.id AS sure
  WHERE r.open = false AND r.fades_at > $awake_at AND (sure OR r.importance >= $least)
  WITH r.id AS id, r.belief_id AS belief_id, r.importance AS importance, r.valid_from AS valid_from,
    r.access_count AS days_used, max(CASE WHEN sure THEN 1 ELSE 0 END) = 1 AS is_guaranteed
  ORDER BY importance DESC, valid_from DESC, belief_id, id
  RETURN
    collect(CASE WHEN is_guaranteed THEN id END) AS guaranteed,
    collect(CASE WHEN NOT is_guaranteed THEN {
      id: id, importance: importance, days_used: coalesce(days_used, 0)
    } END) AS others
}
RETURN collect({entity: start, guaranteed: guaranteed, candidates: others[..$limit], total: size(others)}) AS rows;

// name: withdrawn_quotes
// mode: read
// returns: list
// row: WithdrawnQuoteRow
// params: group, ids, audience, known_at
// timeless because what was said is addressed by the id of its episode; $known_at bounds both times of a claim
// What of episodes was withdrawn by $known_at: quotes of claims that were retracted by request, not by a later digest, and
// of those whose value was rejected after they were said; each with its value, or the key of its object, and with those of
// all that was claimed of the same words.
UNWIND $ids AS id
// insert: withdrawn
OPTIONAL MATCH (o:Entity {id: c.object_id})
WITH DISTINCT id, c.quote_start AS start, c.quote_end AS end, c.quote AS quote,
  coalesce(toStringOrNull(o.key), toStringOrNull(c.value), '') AS value
CALL (id, start, end) {
  MATCH (:Episode {id: id})-[:STATES]->(k:Claim)
  WHERE k.group_id = $group AND k.recorded_at <= $known_at AND ($audience IS NULL OR k.user IN $audience)
    AND k.quote_start < end AND k.quote_end > start
  OPTIONAL MATCH (t:Entity {id: k.object_id})
  WITH DISTINCT coalesce(toStringOrNull(t.key), toStringOrNull(k.value)) AS other
  ORDER BY other
  RETURN collect(other) AS others
}
WITH id, start, quote, value, others ORDER BY id, start, quote, value
RETURN collect({episode: id, quote: quote, value: value, others: others}) AS rows;

// name: summaries_of_conversation
// mode: read
// returns: list
// row: OutlineRow
// params: group, audience, session, valid_at, known_at, limit
// timeless because what a summary covers has an end, to which $valid_at is compared, and none in the sense of beliefs
// The summaries of what was said under a session name, whose turns had all been said by $valid_at, as known at $known_at:
// what each covers, those of the highest tier first, the newest of a tier first.
CALL () {
  MATCH (s:Summary)
  WHERE s.group_id = $group AND s.session = $session AND s.last_at <= $valid_at
    AND s.recorded_at <= $known_at AND s.superseded_at > $known_at
    AND s.content <> '' AND ($audience IS NULL OR s.audience IN $audience)
  RETURN s
  UNION ALL
  MATCH (s:SupersededSummary)
  WHERE s.group_id = $group AND s.session = $session AND s.last_at <= $valid_at
    AND s.recorded_at <= $known_at AND s.superseded_at > $known_at
    AND s.content <> '' AND ($audience IS NULL OR s.audience IN $audience)
  RETURN s
}
WITH s ORDER BY s.tier DESC, s.last_at DESC, s.last_order DESC, s.id DESC LIMIT $limit
RETURN collect(s {
  .id, .summary_id, .tier, .covers, last_at: toStringOrNull(s.last_at), .last_order, .last_id
}) AS rows;
