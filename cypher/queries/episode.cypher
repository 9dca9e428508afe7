// name: remember_episodes
// mode: write
// returns: list
// row: RememberedRow
// params: group, group_token, request, status, recorded_at, labels, lane, rows
// audit: episodes answered
// Store episodes once each: the same identity again is the same episode, as it was, and says so by new = false. Those of
// structured claims come digested, with their recorded_at; the others are recorded by the clock, and are work until they
// are digested. A new one whose name has another text, for the first one was forgotten, has the fingerprint "":
// the name has other content.
UNWIND $rows AS row
MERGE (e:Episode {id: row.id})
ON CREATE SET
  e += row.properties, e.occurred_at = datetime(row.occurred_at), e.group_id = $group, e.group_token = $group_token,
  e.session_id = row.session_id, e.own_session_id = row.own_session_id,
  e.request = $request, e.call_id = row.call_id,
  e.status = $status, e.attempts = 0, e.leases = 0, e:$($labels), e.kind = 'digest', e.lane = $lane,
  e.recorded_at = coalesce($recorded_at, datetime.truncate('microsecond', datetime.realtime())),
  e.due_at = CASE $status WHEN 'pending' THEN datetime.truncate('microsecond', datetime.realtime()) END,
  e.digested_at = CASE $status WHEN 'digested' THEN $recorded_at END
WITH e, row
CALL (e, row) {
  WITH e, row WHERE row.own_session_id IS NOT NULL AND e.request = $request
  MERGE (s:Session {id: row.own_session_id})
  ON CREATE SET
    s.group_id = $group, s.name = row.properties.session, s.user = row.properties.user, s.recorded_at = e.recorded_at
  MERGE (s)-[:HAS_EPISODE]->(e)
}
CALL (e) {
  WITH e WHERE e.external_id IS NOT NULL AND e.request = $request
  MATCH (other:Episode)
  USING INDEX SEEK other:Episode(revises)
  WHERE other.revises = e.id AND other.group_id = $group
  RETURN count(other) > 0 AS taken
}
WITH collect({
  id: e.id, new: e.request = $request, fingerprint: CASE WHEN taken THEN '' ELSE e.fingerprint END, status: e.status,
  session_id: e.session_id, at: e.occurred_at, recorded_at: e.recorded_at
}) AS told
CALL (told) {
  UNWIND told AS one
  WITH one.session_id AS session_id, min(one.at) AS first
  CALL (session_id, first) {
    MATCH (later:Episode)
    WHERE later.session_id = session_id AND later.occurred_at >= first AND later.group_id = $group
      AND later.request <> $request
    RETURN later.id AS later LIMIT 1
  }
  RETURN collect(session_id) AS late
}
UNWIND told AS one
RETURN collect({
  id: one.id, new: one.new, fingerprint: one.fingerprint, status: one.status,
  late: coalesce(one.session_id IN late, false), recorded_at: toString(one.recorded_at)
}) AS rows;

// name: lock_texts
// mode: write
// returns: list
// row: StoredText
// params: group, id
// The texts that an external id has or had, given by the id of the first, in the order in which they came. They are locked
// in order of id; of one that is not there yet, whoever stores it first is waited for.
CALL () {
  MATCH (e:Episode {id: $id})
  USING INDEX SEEK e:Episode(id)
  RETURN e
  UNION
  MATCH (e:Episode)
  USING INDEX SEEK e:Episode(revises)
  WHERE e.revises = $id
  RETURN e
}
WITH e WHERE e.group_id = $group
WITH e ORDER BY e.id
SET e.lease_asked_at = datetime.realtime()
WITH e ORDER BY e.recorded_at, e.id
RETURN collect(e {
  .id, .fingerprint, .status, .replaced_by, occurred_at: toString(e.occurred_at), position: coalesce(e.position, 0),
  put_keys: coalesce(e.put_keys, [])
}) AS rows;

// name: keep_put_key
// mode: write
// returns: nothing
// params: group, id, key
// A text came again, with another idempotency key than before. Of the keys the last 100 are kept.
MATCH (e:Episode {id: $id})
USING INDEX SEEK e:Episode(id)
WHERE e.group_id = $group
SET e.put_keys = (coalesce(e.put_keys, []) + $key)[-100..];

// name: replace_episode
// mode: write
// returns: nothing
// params: group, id, by, now
// audit: episodes id
// From now on another text has the name of an episode, which is digested no more: its mentions are what was seen, turns
// and searches of later leave it out, and what was summarised of it is made again.
MATCH (e:Episode {id: $id})
USING INDEX SEEK e:Episode(id)
WHERE e.group_id = $group
REMOVE e:Work
SET
  e.replaced_at = $now, e.replaced_by = $by, e.status = CASE e.status WHEN 'redacted' THEN e.status ELSE 'replaced' END,
  e.lease = null, e.due_at = null, e.cursor = null, e.low_yield = null, e.reprocessing = null
WITH e
CALL (e) {
  MATCH (e)-[:HAS_PASSAGE]->(p:Passage)
  SET p.replaced_at = $now
}
CALL (e) {
  MATCH (e)-[m:MENTIONS]->(n:Entity)
  CREATE (e)-[old:MENTIONED]->(n)
  SET old = properties(m), old.superseded_at = $now
  DELETE m
}
CALL (e) {
  MATCH (session:Session)-[:HAS_EPISODE]->(e)
  SET session.withdrawn_at = $now
}
CALL (e) {
  MATCH (e)<-[:SUMMARIZES*1..6]-(s:Summary)<-[:HAS_SUMMARY]-(session:Session)
  WHERE s.group_id = $group
  SET
    s.stale_at = coalesce(s.stale_at, $now),
    session.summarise_due = CASE WHEN session.summarise_due < $now THEN session.summarise_due ELSE $now END
};

// name: outdate_readings
// mode: write
// returns: nothing
// params: group, ids, request, turns
// What was said before a turn tells whom it is said to: turns that were read in their context, and come after one that
// comes in only now, or is replaced now, are to be read again. The locks are taken by id; a digest that holds one is waited
// for, and one that is not so far sees for itself.
UNWIND $ids AS id
MATCH (e:Episode {id: id})
CALL (e) {
  MATCH (l:Episode)
  WHERE l.session_id = e.session_id AND l.occurred_at >= e.occurred_at AND l.group_id = $group AND l.request <> $request
    AND e.audience IN ['', l.audience] AND l.replaced_at IS NULL
  WITH e, l WHERE [l.occurred_at, l.turn] > [e.occurred_at, e.turn]
  RETURN l ORDER BY l.occurred_at, l.turn, l.id LIMIT $turns
}
WITH DISTINCT l ORDER BY l.id
SET l.lease_asked_at = datetime.realtime()
WITH l WHERE l.status = 'digested' AND l.context_turns > 0
SET
  l:Work, l.kind = 'digest', l.lane = 1,
  l.status = 'refining', l.reprocessing = null, l.revision = coalesce(l.revision, 0) + 1, l.attempts = 0, l.leases = 0,
  l.cursor = null,
  l.error = null, l.due_at = datetime.truncate('microsecond', datetime.realtime());

// name: leased_episodes
// mode: read
// returns: many
// row: EpisodeRow
// params: group, ids, lease
// timeless because what was said is addressed by its id
// The episodes that are under a lease, in order of time.
UNWIND $ids AS id
MATCH (e:Episode {id: id})
WHERE e.group_id = $group AND e.lease = $lease AND e.status IN ['pending', 'refining']
WITH e ORDER BY e.occurred_at, e.turn, e.id
RETURN
  // insert: episode
  AS episode;

// name: retry_episode
// mode: write
// returns: optional
// row: StatusRow
// params: group, id
// audit: episodes id
// A failed episode is pending again, with all its attempts.
MATCH (e:Episode {id: $id})
WHERE e.group_id = $group
SET e.lease_asked_at = datetime.realtime()
WITH e WHERE e.status = 'failed'
SET
  e:Work, e.kind = 'digest', e.lane = 0, e.status = 'pending', e.attempts = 0, e.leases = 0,
  e.due_at = datetime.truncate('microsecond', datetime.realtime())
MERGE (q:WorkQueue {group_id: $group, lane: 0})
SET q.due_at = e.due_at
RETURN e.status AS status, e.attempts AS attempts, e.leases AS leases;

// name: reprocess_episode
// mode: write
// returns: optional
// row: StatusRow
// params: group, id, reprocessing
// audit: episodes id
// Ask for another digest of an episode that was digested or failed; what stands, stands until then. One that came as a
// structured claim has no words to read.
MATCH (e:Episode {id: $id})
WHERE e.group_id = $group
SET e.lease_asked_at = datetime.realtime()
WITH e WHERE e.status IN ['digested', 'failed'] AND e.payload IS NULL
SET
  e:Work, e.kind = 'digest', e.lane = 0,
  e.status = CASE WHEN e.digested_at IS NULL THEN 'pending' ELSE 'refining' END, e.reprocessing = $reprocessing,
  e.revision = coalesce(e.revision, 0) + 1, e.attempts = 0, e.leases = 0, e.error = null, e.cursor = null,
  e.due_at = datetime.truncate('microsecond', datetime.realtime())
MERGE (q:WorkQueue {group_id: $group, lane: 0})
SET q.due_at = e.due_at
RETURN e.status AS status, e.attempts AS attempts, e.leases AS leases;

// name: reprocess_low_yield
// mode: write
// returns: many
// row: AskedRow
// params: group, version, reprocessing, limit
// Ask for another digest of episodes that another version of the reader than this one read, or of which a quick one read
// little; of a group, or ("") of all that are not archived.
MATCH (e:Episode)
WHERE (e.low_yield < $version OR e.low_yield > $version) AND ($group = '' OR e.group_id = $group)
  AND e.status = 'digested'
  AND NOT EXISTS { MATCH (g:Group {id: e.group_id}) WHERE g.archived_at IS NOT NULL }
WITH e LIMIT $limit
SET e.lease_asked_at = datetime.realtime()
WITH e WHERE e.status = 'digested'
SET
  e:Work, e.kind = 'digest', e.lane = 2,
  e.status = 'refining', e.reprocessing = $reprocessing, e.revision = coalesce(e.revision, 0) + 1, e.attempts = 0,
  e.leases = 0, e.error = null, e.cursor = null, e.due_at = datetime.truncate('microsecond', datetime.realtime())
WITH e.group_id AS group_id, collect(e.id) AS ids ORDER BY group_id
MERGE (q:WorkQueue {group_id: group_id, lane: 2})
SET q.due_at = datetime.truncate('microsecond', datetime.realtime())
RETURN group_id, ids;

// name: count_low_yield
// mode: read
// returns: one
// row: CountRow
// params: group, version, limit
// timeless because it counts work, not beliefs
// How many episodes that would be.
MATCH (e:Episode)
WHERE (e.low_yield < $version OR e.low_yield > $version) AND ($group = '' OR e.group_id = $group)
  AND e.status = 'digested'
  AND NOT EXISTS { MATCH (g:Group {id: e.group_id}) WHERE g.archived_at IS NOT NULL }
WITH e LIMIT $limit
RETURN count(*) AS count;

// name: episode
// mode: read
// returns: optional
// row: EpisodeRow
// params: group, audience, id
// timeless because what was said is addressed by its id
MATCH (e:Episode {id: $id})
WHERE e.group_id = $group AND ($audience IS NULL OR e.audience IN $audience)
RETURN
  // insert: episode
  AS episode;

// name: times_of_episodes
// mode: read
// returns: many
// row: EpisodeTimeRow
// params: group, ids
// timeless because what was said is addressed by its id
// When those of the episodes occurred that are there.
UNWIND $ids AS id
MATCH (e:Episode {id: id})
WHERE e.group_id = $group
RETURN e.id AS id, e.occurred_at AS occurred_at;

// name: outcomes_of_episodes
// mode: read
// returns: list
// row: OutcomeRow
// params: group, ids
// timeless because it shows work, not beliefs
// What has become of those of the episodes that are there.
UNWIND $ids AS id
MATCH (e:Episode {id: id})
WHERE e.group_id = $group
RETURN collect({episode: e {.id, .status, .error, .outcome, vectors_pending: e.embed_due IS NOT NULL}}) AS rows;

// name: kept_claims
// mode: read
// returns: list
// row: KeptClaims
// params: group, audience, ids, known_at, most
// timeless because it shows what stands now of what was said; $known_at bounds who is who
// Of episodes the first $most claims that stand, in the order of the text, each with the first belief that rests on it; and
// how many claims stand. A claim of which no words stand there, such as the name that a turn carries, comes last.
UNWIND $ids AS id
MATCH (e:Episode {id: id})
WHERE e.group_id = $group AND ($audience IS NULL OR e.audience IN $audience)
CALL (e) {
  MATCH (e)-[:STATES]->(c:Claim)
  WHERE c.group_id = $group AND c.retracted_at > datetime.realtime()
  WITH c ORDER BY c.quote_end = 0, c.quote_start, c.quote_end, c.id
  RETURN collect(c) AS standing
}
CALL (standing) {
  UNWIND standing[..$most] AS c
  CALL (c) {
    MATCH (:Entity {id: c.subject_id})-[:SAME_AS*0..3]->(about:Entity)
    OPTIONAL MATCH (:Entity {id: c.object_id})-[:SAME_AS*0..3]->(thing:Entity)
    WITH DISTINCT c, about.id AS about, coalesce(thing.id, c.target) AS value
    CALL (c, about, value) {
      MATCH ()-[r:RELATES_TO]->()
      WHERE r.subject_id = about AND r.predicate = c.predicate AND r.target = value
        AND r.group_id = $group AND r.user = c.user
      RETURN r
      UNION ALL
      MATCH (r:Fact)
      WHERE r.subject_id = about AND r.predicate = c.predicate AND r.target = value
        AND r.group_id = $group AND r.user = c.user
      RETURN r
    }
    WITH c, r.belief_id AS belief_id, r.valid_from AS valid_from, r.valid_to AS valid_to, $known_at AS known,
      coalesce(r.attribute_keys, []) AS keys, coalesce(r.attribute_values, []) AS said,
    // insert: belief_of_claims
    AS belief
    // insert: stands_for
    UNWIND subjects AS subject
    UNWIND targets AS target
    WITH * WHERE
    // insert: supports
    WITH belief_id, valid_from ORDER BY valid_from, belief_id
    RETURN coalesce(head(collect(belief_id)), '') AS belief_id
  }
  WITH c, belief_id ORDER BY c.quote_end = 0, c.quote_start, c.quote_end, c.id
  RETURN collect(c {claim_id: c.id, .kind, .statement, .predicate, .user, belief_id: belief_id}) AS claims
}
RETURN collect({episode_id: e.id, claims: claims, total: size(standing)}) AS rows;

// name: episodes_by_id
// mode: read
// returns: one
// row: EpisodePageRow
// params: group, audience, ids, chars
// timeless because what was said is addressed by its id; here several, in order of time
// None, and `more`, where their contents have more than $chars characters.
UNWIND $ids AS id
OPTIONAL MATCH (e:Episode {id: id})
WHERE e.group_id = $group AND ($audience IS NULL OR e.audience IN $audience)
WITH e ORDER BY e.occurred_at, e.turn, e.id
WITH collect(e) AS found, coalesce(sum(size(toStringOrNull(e.content))), 0) > $chars AS more
UNWIND CASE WHEN more OR size(found) = 0 THEN [null] ELSE found END AS e
RETURN more, [episode IN collect(
  // insert: episode
) WHERE episode IS NOT NULL] AS episodes;

// name: episodes
// mode: read
// returns: one
// row: EpisodePageRow
// params: group, audience, status, after_time, after_id, valid_at, known_at, limit, chars
// A page of the episodes of a group in the order in which they were said, optionally of one status; the cursor is
// (occurred_at, id). It ends after the episode with which its contents have $chars characters.
MATCH (e:Episode)
WHERE e.group_id = $group AND e.occurred_at >= $after_time AND e.occurred_at <= $valid_at
  AND coalesce(e.recorded_at <= $known_at, true)
  AND (coalesce(e.replaced_at > $known_at, true) OR $status = 'replaced')
  AND (e.occurred_at > $after_time OR
    // insert: later_at_once
  )
  AND ($audience IS NULL OR e.audience IN $audience) AND ($status IS NULL OR e.status = $status)
WITH e ORDER BY e.occurred_at, e.turn, e.id LIMIT $limit + 1
WITH collect({e: e, chars: coalesce(size(toStringOrNull(e.content)), 0)}) AS found
WITH found, reduce(
  page = {rows: 0, chars: 0}, one IN found |
  CASE
    WHEN page.rows < $limit AND page.chars < $chars THEN {rows: page.rows + 1, chars: page.chars + one.chars}
    ELSE page
  END
) AS page
UNWIND CASE WHEN size(found) = 0 THEN [null] ELSE found[..page.rows] END AS one
WITH size(found) > page.rows AS more, one.e AS e
RETURN more, [episode IN collect(
  // insert: episode
) WHERE episode IS NOT NULL] AS episodes;

// name: episodes_of_session
// mode: read
// returns: one
// row: EpisodePageRow
// params: group, session, audience, status, after_time, after_id, valid_at, known_at, limit, chars
// The same of one session, given by its id.
MATCH (e:Episode)
WHERE e.session_id = $session AND e.occurred_at >= $after_time AND e.occurred_at <= $valid_at
  AND e.group_id = $group AND coalesce(e.recorded_at <= $known_at, true)
  AND (coalesce(e.replaced_at > $known_at, true) OR $status = 'replaced')
  AND (e.occurred_at > $after_time OR
    // insert: later_at_once
  )
  AND ($audience IS NULL OR e.audience IN $audience) AND ($status IS NULL OR e.status = $status)
WITH e ORDER BY e.occurred_at, e.turn, e.id LIMIT $limit + 1
WITH collect({e: e, chars: coalesce(size(toStringOrNull(e.content)), 0)}) AS found
WITH found, reduce(
  page = {rows: 0, chars: 0}, one IN found |
  CASE
    WHEN page.rows < $limit AND page.chars < $chars THEN {rows: page.rows + 1, chars: page.chars + one.chars}
    ELSE page
  END
) AS page
UNWIND CASE WHEN size(found) = 0 THEN [null] ELSE found[..page.rows] END AS one
WITH size(found) > page.rows AS more, one.e AS e
RETURN more, [episode IN collect(
  // insert: episode
) WHERE episode IS NOT NULL] AS episodes;

// name: context_of_episode
// mode: read
// returns: optional
// row: ContextRow
// params: group, id, limit, chars
// allow: CartesianProduct because each side is one node, found by its unique id
// timeless because what was said before a turn is said, whatever is believed of it now
// The group's own ontology, and how it writes days; and the last turns of its session before a turn, newest first, with the entities that they
// name and the other names of those: of what was said to everybody, and to the user whose turn it is. Of one instant,
// turns are in the order in which they were said, as far as that is known (`turn`): else none is before another.
// Of each turn the last $chars characters and the 50 entities named last, of each entity 20 names: a turn may be a book.
MATCH (g:Group {id: $group})
MATCH (turn:Episode {id: $id})
WHERE turn.group_id = g.id
WITH g, turn, ['', turn.user] AS audience
CALL (g, turn, audience) {
  MATCH (e:Episode)
  WHERE e.session_id = turn.session_id AND e.occurred_at <= turn.occurred_at AND e.group_id = g.id
    AND e.audience IN audience AND e.replaced_at IS NULL
  WITH turn, audience, e
  WHERE [e.occurred_at, e.turn] < [turn.occurred_at, turn.turn]
  WITH audience, e ORDER BY e.occurred_at DESC, e.turn DESC, e.id DESC LIMIT $limit
  RETURN collect({
    id: e.id, role: e.role, speaker: e.speaker,
    content: CASE WHEN e.content IS :: STRING NOT NULL THEN right(e.content, $chars) END,
    occurred_at: toString(e.occurred_at),
    known: COLLECT {
      MATCH (e)-[m:MENTIONS]->(n:Entity)
      WITH n, max(m.start) AS last ORDER BY last DESC, n.id LIMIT 50
      RETURN n {
        .key,
        names: COLLECT {
          UNWIND audience AS who
          MATCH (k:Name {id: n.id + '/' + who})
          RETURN
            // insert: known_name
        },
        aliases: COLLECT {
          MATCH (f:Fact)
          WHERE f.subject_id = n.id AND f.predicate IN ['named', 'display_name', 'also_known_as'] AND f.target STARTS WITH ''
            AND f.group_id = $group AND f.audience IN audience
          WITH DISTINCT toStringOrNull(f.value) AS alias WHERE size(alias) <= 512
          WITH alias ORDER BY alias LIMIT 20
          RETURN alias
        }
      }
    }
  }) AS turns
}
RETURN
  g.ontology AS ontology, last(g.month_first) AS month_first, last(g.fiscal_year_start) AS fiscal_year_start, turns;
