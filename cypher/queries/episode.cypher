// name: remember_episodes
// mode: write
// returns: list
// row: RememberedRow
// params: group, group_token, request, status, recorded_at, rows
// Store episodes once each: the same identity again is the same episode, and says so by new = false. Those of structured
// claims come digested, with their recorded_at; the others are recorded by the clock.
UNWIND $rows AS row
MERGE (e:Episode {id: row.id})
ON CREATE SET
  e += row.properties, e.occurred_at = datetime(row.occurred_at), e.group_id = $group, e.group_token = $group_token,
  e.session_id = row.session_id,
  e.request = $request, e.position = row.position, e.call_id = row.call_id,
  e.status = $status, e.attempts = 0, e.leases = 0,
  e.recorded_at = coalesce($recorded_at, datetime.truncate('microsecond', datetime.realtime())),
  e.due_at = CASE $status WHEN 'pending' THEN datetime.truncate('microsecond', datetime.realtime()) END,
  e.digested_at = CASE $status WHEN 'digested' THEN $recorded_at END
WITH e, row
CALL (e, row) {
  WITH e, row WHERE row.session_id IS NOT NULL
  MERGE (s:Session {id: row.session_id})
  ON CREATE SET s.group_id = $group, s.name = row.properties.session, s.recorded_at = e.recorded_at
  MERGE (s)-[:HAS_EPISODE]->(e)
}
WITH collect({
  id: e.id, new: e.request = $request, fingerprint: e.fingerprint, status: e.status, session_id: e.session_id,
  at: e.occurred_at
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
  late: coalesce(one.session_id IN late, false)
}) AS rows;

// name: outdate_readings
// mode: write
// returns: nothing
// params: group, ids, request, turns
// What was said before a turn tells whom it is said to: turns that were read in their context, and come after one that
// comes in only now, are to be read again. The locks are taken by id; a digest that holds one is waited for, and one
// that is not so far sees for itself.
UNWIND $ids AS id
MATCH (e:Episode {id: id})
CALL (e) {
  MATCH (l:Episode)
  WHERE l.session_id = e.session_id AND l.occurred_at >= e.occurred_at AND l.group_id = $group AND l.request <> $request
  WITH e, l WHERE [l.occurred_at, coalesce(l.sequence, -1)] > [e.occurred_at, coalesce(e.sequence, -1)]
  RETURN l ORDER BY l.occurred_at, coalesce(l.sequence, -1), l.id LIMIT $turns
}
WITH DISTINCT l ORDER BY l.id
SET l.lease_asked_at = datetime.realtime()
WITH l WHERE l.status = 'digested' AND l.context_turns > 0
SET
  l.status = 'refining', l.redigest = null, l.revision = coalesce(l.revision, 0) + 1, l.attempts = 0, l.leases = 0,
  l.error = null, l.due_at = datetime.truncate('microsecond', datetime.realtime());

// name: lease_episode
// mode: write
// returns: optional
// row: EpisodeRow
// params: group, id, lease, seconds
// Take an episode for digestion, if it is due and nobody else's. The first SET takes the lock. A lease that
// never ends in an outcome (its worker died) is not an attempt, but is counted.
MATCH (e:Episode {id: $id})
WHERE e.group_id = $group
SET e.lease_asked_at = datetime.realtime()
WITH e, datetime.truncate('microsecond', datetime.realtime()) AS now
WHERE e.status IN ['pending', 'refining'] AND e.due_at <= now
SET e.lease = $lease, e.due_at = now + duration({seconds: $seconds}), e.leases = e.leases + 1
RETURN e {
  .id, .group_id, .content, .content_type, .role, .speaker, .source, .tags, .metadata, .sequence, .external_id,
  user: coalesce(e.user, e.owner), time_zone: coalesce(e.time_zone, 'UTC'),
  .status, .attempts, .leases, .error, .outcome, .session, .redigest, revision: coalesce(e.revision, 0),
  occurred_at: toString(e.occurred_at), recorded_at: toString(e.recorded_at), digested_at: toString(e.digested_at)
} AS episode;

// name: lease_turns
// mode: write
// returns: many
// row: EpisodeRow
// params: group, id, lease, seconds, more
// The same, and with it the turns that may be read in the same call: those that came to be, or with one that came alone
// up to so many more that wait in its session. Only what was never begun before is read together. The locks are taken
// by id.
MATCH (lead:Episode {id: $id})
WHERE lead.group_id = $group
CALL (lead) {
  MATCH (t:Episode)
  WHERE t.call_id = lead.call_id AND t.group_id = $group
  RETURN t
  UNION
  WITH lead WHERE $more > 0 AND lead.call_id IS NULL
  MATCH (t:Episode)
  WHERE t.session_id = lead.session_id AND t.occurred_at >= lead.occurred_at AND t.group_id = $group
    AND t.status = 'pending' AND t.id <> lead.id AND t.call_id IS NULL
  RETURN t ORDER BY t.occurred_at, t.sequence, t.position LIMIT $more
  UNION
  RETURN lead AS t
}
WITH lead, t ORDER BY t.id
SET t.lease_asked_at = datetime.realtime()
WITH lead, collect(t) AS turns, datetime.truncate('microsecond', datetime.realtime()) AS now
WHERE lead.status IN ['pending', 'refining'] AND lead.due_at <= now
UNWIND turns AS e
WITH lead, e, now
WHERE e = lead OR all(
  t IN [lead, e] WHERE t.status = 'pending' AND t.due_at <= now AND t.leases + t.attempts = 0 AND t.redigest IS NULL
)
WITH e, now ORDER BY e.occurred_at, e.sequence, e.position
SET e.lease = $lease, e.due_at = now + duration({seconds: $seconds}), e.leases = e.leases + 1
RETURN e {
  .id, .group_id, .content, .content_type, .role, .speaker, .source, .tags, .metadata, .sequence, .external_id,
  user: coalesce(e.user, e.owner), time_zone: coalesce(e.time_zone, 'UTC'),
  .status, .attempts, .leases, .error, .outcome, .session, .redigest, revision: coalesce(e.revision, 0),
  occurred_at: toString(e.occurred_at), recorded_at: toString(e.recorded_at), digested_at: toString(e.digested_at)
} AS episode;

// name: renew_lease
// mode: write
// returns: nothing
// params: group, id, lease, seconds
// Say that a digest is still alive.
MATCH (e:Episode {id: $id})
WHERE e.group_id = $group AND e.lease = $lease AND e.status IN ['pending', 'refining']
SET e.due_at = datetime.truncate('microsecond', datetime.realtime()) + duration({seconds: $seconds});

// name: return_lease
// mode: write
// returns: nothing
// params: group, id, lease, spent, error, seconds
// Give an episode back undone. Because a server was away: neither an attempt nor a lease is counted. Because Neo4j ended
// the transaction: the lease is spent, also where the transaction was the one that took it.
MATCH (e:Episode {id: $id})
WHERE e.group_id = $group
SET e.lease_asked_at = datetime.realtime()
WITH e, datetime.truncate('microsecond', datetime.realtime()) AS now
WHERE e.status IN ['pending', 'refining'] AND (e.lease = $lease OR $spent AND e.due_at <= now)
SET
  e.leases = e.leases + CASE WHEN NOT $spent THEN -1 WHEN e.lease = $lease THEN 0 ELSE 1 END, e.lease = null,
  e.error = coalesce($error, e.error), e.due_at = now + duration({seconds: $seconds});

// name: fail_attempt
// mode: write
// returns: optional
// row: StatusRow
// params: group, id, lease, error, max_attempts, seconds
// Count a failed attempt, also one that failed to take the lease; the last one leaves the episode failed, with its
// reason, or as an earlier digest left it.
MATCH (e:Episode {id: $id})
WHERE e.group_id = $group
SET e.lease_asked_at = datetime.realtime()
WITH e, datetime.truncate('microsecond', datetime.realtime()) AS now
WHERE e.status IN ['pending', 'refining'] AND (e.lease = $lease OR e.due_at <= now)
SET
  e.lease = null, e.error = $error, e.attempts = coalesce(e.attempts, 0) + 1,
  e.due_at = now + duration({seconds: $seconds})
WITH e, e.attempts >= $max_attempts AS last
SET
  e.status = CASE WHEN NOT last THEN e.status WHEN e.status = 'refining' THEN 'digested' ELSE 'failed' END,
  e.sparse = CASE WHEN last THEN null ELSE e.sparse END
RETURN e.status AS status, e.attempts AS attempts, coalesce(e.leases, 0) AS leases;

// name: retry_episode
// mode: write
// returns: optional
// row: StatusRow
// params: group, id
// A failed episode is pending again, with all its attempts.
MATCH (e:Episode {id: $id})
WHERE e.group_id = $group
SET e.lease_asked_at = datetime.realtime()
WITH e WHERE e.status = 'failed'
SET
  e.status = 'pending', e.attempts = 0, e.leases = 0,
  e.due_at = datetime.truncate('microsecond', datetime.realtime())
RETURN e.status AS status, e.attempts AS attempts, e.leases AS leases;

// name: redigest_episode
// mode: write
// returns: optional
// row: StatusRow
// params: group, id, redigest
// Ask for another digest of an episode that was digested or failed; what stands, stands until then. One that came as a
// structured claim has no words to read.
MATCH (e:Episode {id: $id})
WHERE e.group_id = $group
SET e.lease_asked_at = datetime.realtime()
WITH e WHERE e.status IN ['digested', 'failed'] AND e.payload IS NULL
SET
  e.status = CASE WHEN e.digested_at IS NULL THEN 'pending' ELSE 'refining' END, e.redigest = $redigest,
  e.revision = coalesce(e.revision, 0) + 1, e.attempts = 0, e.leases = 0, e.error = null,
  e.due_at = datetime.truncate('microsecond', datetime.realtime())
RETURN e.status AS status, e.attempts AS attempts, e.leases AS leases;

// name: redigest_sparse
// mode: write
// returns: many
// row: DueRow
// params: version, redigest, limit
// all groups because the nightly pass serves every tenant
// Ask for another digest of episodes of which little was read, by another version of the reader than this one.
MATCH (e:Episode)
WHERE e.sparse < $version OR e.sparse > $version
WITH e LIMIT $limit
SET e.lease_asked_at = datetime.realtime()
WITH e WHERE e.status = 'digested'
SET
  e.status = 'refining', e.redigest = $redigest, e.revision = coalesce(e.revision, 0) + 1, e.attempts = 0,
  e.leases = 0, e.error = null, e.due_at = datetime.truncate('microsecond', datetime.realtime())
RETURN e.group_id AS group_id, e.id AS id, e.leases AS leases, e.revision AS revision;

// name: due_episodes
// mode: read
// returns: many
// row: DueRow
// params: limit
// timeless because it lists work to do, not beliefs
// all groups because the sweeper serves every tenant
MATCH (e:Episode)
WHERE e.status IN ['pending', 'refining'] AND e.due_at <= datetime.realtime()
RETURN e.group_id AS group_id, e.id AS id, e.leases AS leases, coalesce(e.revision, 0) AS revision
ORDER BY e.due_at LIMIT $limit;

// name: episode
// mode: read
// returns: optional
// row: EpisodeRow
// params: group, id
// timeless because what was said is addressed by its id
MATCH (e:Episode {id: $id})
WHERE e.group_id = $group
RETURN e {
  .id, .group_id, .content, .content_type, .role, .speaker, .source, .tags, .metadata, .sequence, .external_id,
  user: coalesce(e.user, e.owner), time_zone: coalesce(e.time_zone, 'UTC'),
  .status, .attempts, .leases, .error, .outcome, .session, .redigest, revision: coalesce(e.revision, 0),
  occurred_at: toString(e.occurred_at), recorded_at: toString(e.recorded_at), digested_at: toString(e.digested_at)
} AS episode;

// name: episodes_by_id
// mode: read
// returns: list
// row: EpisodeRow
// params: group, ids
// timeless because what was said is addressed by its id; here several, in order of time
UNWIND $ids AS id
MATCH (e:Episode {id: id})
WHERE e.group_id = $group
WITH e {
  .id, .group_id, .content, .content_type, .role, .speaker, .source, .tags, .metadata, .sequence, .external_id,
  user: coalesce(e.user, e.owner), time_zone: coalesce(e.time_zone, 'UTC'),
  .status, .attempts, .leases, .error, .outcome, .session, .redigest, revision: coalesce(e.revision, 0),
  occurred_at: toString(e.occurred_at), recorded_at: toString(e.recorded_at), digested_at: toString(e.digested_at)
} AS episode
ORDER BY e.occurred_at, e.id
RETURN collect({episode: episode}) AS rows;

// name: episodes
// mode: read
// returns: list
// row: EpisodeRow
// params: group, session, status, after_time, after_id, valid_at, known_at, limit
// Episodes of a group in order of time, optionally of one session or one status; the cursor is (occurred_at, id).
MATCH (e:Episode)
WHERE e.group_id = $group AND e.occurred_at >= $after_time AND e.occurred_at <= $valid_at AND e.recorded_at <= $known_at
  AND (e.occurred_at > $after_time OR e.id > $after_id)
  AND ($session IS NULL OR e.session = $session) AND ($status IS NULL OR e.status = $status)
WITH e {
  .id, .group_id, .content, .content_type, .role, .speaker, .source, .tags, .metadata, .sequence, .external_id,
  user: coalesce(e.user, e.owner), time_zone: coalesce(e.time_zone, 'UTC'),
  .status, .attempts, .leases, .error, .outcome, .session, .redigest, revision: coalesce(e.revision, 0),
  occurred_at: toString(e.occurred_at), recorded_at: toString(e.recorded_at), digested_at: toString(e.digested_at)
} AS episode
ORDER BY e.occurred_at, e.id LIMIT $limit
RETURN collect({episode: episode}) AS rows;

// name: context_of_episode
// mode: read
// returns: optional
// row: ContextRow
// params: group, id, limit
// allow: CartesianProduct because each side is one node, found by its unique id
// timeless because what was said before a turn is said, whatever is believed of it now
// The group's own ontology; and the last turns of its session before a turn, newest first, with the entities that they
// name and the other names of those. Of one instant, turns are in the order of their sequence, else none is before another.
MATCH (g:Group {id: $group})
MATCH (turn:Episode {id: $id})
WHERE turn.group_id = g.id
CALL (g, turn) {
  MATCH (e:Episode)
  WHERE e.session_id = turn.session_id AND e.occurred_at <= turn.occurred_at AND e.group_id = g.id
  WITH turn, e WHERE [e.occurred_at, coalesce(e.sequence, -1)] < [turn.occurred_at, coalesce(turn.sequence, -1)]
  WITH e ORDER BY e.occurred_at DESC, coalesce(e.sequence, -1) DESC, e.id DESC LIMIT $limit
  RETURN collect({
    id: e.id, role: e.role, speaker: e.speaker, content: e.content, occurred_at: toString(e.occurred_at),
    known: COLLECT {
      MATCH (e)-[:MENTIONS]->(n:Entity)
      WITH DISTINCT n
      RETURN n {
        .name, .type,
        aliases: COLLECT {
          MATCH (f:Fact)
          WHERE f.subject_id = n.id AND f.predicate IN ['named', 'also_known_as'] AND f.target STARTS WITH ''
            AND f.group_id = $group
          RETURN DISTINCT toString(f.value)
        }
      }
    }
  }) AS turns
}
RETURN g.ontology AS ontology, turns;
