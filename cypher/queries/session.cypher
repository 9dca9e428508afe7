// Sessions: each is the episodes of one session name and one user. Those of one name have one `session_id`, whoever they
// are of; those of one session have its id as `own_session_id`.

// name: lock_sessions
// mode: write
// returns: many
// row: LockedSessionRow
// params: group, ids, users
// These sessions, and those of these users that are open, locked in order of id; and the clock after the locks.
CALL () {
  UNWIND $ids AS id
  MATCH (s:Session {id: id})
  RETURN s
  UNION
  UNWIND $users AS user
  MATCH (s:Session)
  WHERE s.group_id = $group AND s.user = user AND s.closes_at > datetime('0001-01-01T00:00:00Z')
  RETURN s
}
WITH s WHERE s.group_id = $group
WITH s ORDER BY s.id
SET s.lock_asked_at = datetime.realtime()
WITH s
RETURN
// insert: session
AS session, datetime.truncate('microsecond', datetime.realtime()) AS now;

// name: write_sessions
// mode: write
// returns: nothing
// params: group, rows
// audit: sessions rows.id
// When sessions were open; and for who looks at the graph, whether they are now. One that is closed is to be consolidated,
// and to be summarised; so is one with enough turns in no summary, or with a new turn before the end of what is.
UNWIND $rows AS row
MATCH (s:Session {id: row.id})
WHERE s.group_id = $group
SET
  s.user = row.user, s.agent = row.agent, s.subject = row.subject, s.openings = [at IN row.openings | datetime(at)],
  s.closings = [at IN row.closings | datetime(at)], s.closers = row.closers, s.closes_at = datetime(row.closes_at),
  s.opened_at = datetime(row.opened_at), s.closed_at = datetime(row.closed_at), s.closed_by = row.closed_by,
  s.unsummarised = coalesce(toIntegerOrNull(s.unsummarised), 0) + row.turns,
  s.consolidate_due = CASE
    WHEN row.closes_at IS NULL THEN datetime.truncate('microsecond', datetime.realtime()) ELSE s.consolidate_due
  END
WITH s, row
WHERE row.closes_at IS NULL OR s.unsummarised >= row.enough OR datetime(row.first_said) <= s.summarised_until
SET s.summarise_due = coalesce(s.summarise_due, datetime.truncate('microsecond', datetime.realtime()));

// name: note_subjects
// mode: write
// returns: nothing
// params: group, rows
// Whom episodes are about that do not say it themselves.
UNWIND $rows AS row
MATCH (e:Episode {id: row.id})
WHERE e.group_id = $group AND e.subject IS NULL
SET e.subject = row.subject;

// name: silent_sessions
// mode: read
// returns: many
// row: SilentSessionRow
// params: after_time, after_id, limit
// timeless because it is about work to do
// all groups because silence closes sessions everywhere
// Open sessions that silence has closed by now, those that it closed first, after a position.
MATCH (s:Session)
WHERE s.closes_at >= datetime($after_time) AND s.closes_at <= datetime.realtime()
  AND (s.closes_at > datetime($after_time) OR s.id > $after_id)
RETURN s.group_id AS group_id, s.id AS id, toString(s.closes_at) AS closes_at ORDER BY s.closes_at, s.id LIMIT $limit;

// name: sessions
// mode: read
// returns: many
// row: SessionRow
// params: group, audience, session, after_time, after_id, valid_at, known_at, limit
// A page of the sessions, or of those of a name, of which something had been said then, in the order in which they were
// opened.
MATCH (s:Session)
WHERE s.group_id = $group AND s.opened_at >= $after_time AND s.opened_at <= $known_at
  AND (s.opened_at > $after_time OR s.id > $after_id) AND ($audience IS NULL OR s.user IN $audience)
  AND ($session IS NULL OR s.name = $session)
  AND EXISTS {
    MATCH (e:Episode)
    WHERE e.own_session_id = s.id AND e.occurred_at <= $valid_at AND e.recorded_at <= $known_at
      AND coalesce(e.replaced_at > $known_at, true)
  }
WITH s ORDER BY s.opened_at, s.id LIMIT $limit
RETURN
// insert: session
AS session;

// name: session
// mode: read
// returns: optional
// row: SessionWindowRow
// params: group, audience, id, valid_at, known_at, limit
// A session, and its last turns that had been said then, the newest first, of so many.
MATCH (s:Session {id: $id})
WHERE s.group_id = $group AND s.opened_at <= $known_at AND ($audience IS NULL OR s.user IN $audience)
CALL (s) {
  MATCH (e:Episode)
  WHERE e.own_session_id = s.id AND e.occurred_at <= $valid_at AND e.recorded_at <= $known_at AND e.group_id = $group
    AND coalesce(e.replaced_at > $known_at, true)
  WITH e ORDER BY e.occurred_at DESC, e.turn DESC, e.id DESC
  WITH collect(e.id) AS ids
  RETURN size(ids) AS total, ids[..$limit] AS ids
}
WITH s, total, ids WHERE total > 0
RETURN
// insert: session
AS session, total, ids;
