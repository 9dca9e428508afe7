// Work to do, under leases: one node for each thing to do, and one :WorkQueue for each group and lane. The queue's due_at
// is no later than that of any work in it: whoever gives work an earlier due_at sets the queue's in the same transaction,
// at its end. Locks are taken in the order queue, work.

// name: take_work
// mode: write
// returns: many
// row: TakenRow
// params: group, lease, seconds, lane, most, more
// Take the next work that is due in lanes up to one, of a group or (null) of any: of the lowest lane, of the group that was
// served longest ago; but a queue that waits for a minute goes first, so that no lane starves. Several digests of one
// group are taken together, at most so many, where they came in bulk or so many wait; only such as were never begun
// before. With one digest go the turns that a language model may read in the same call: those that came to be, or up to
// so many more that wait in its session; -1: none. All are of one audience, for a model may put into one turn what it
// reads in another.
// A row without id: the queue was not due after all, and there may be another. No row: nothing is due. Work is locked
// and looked at again before it is taken, for whoever ends it does not lock the queue. Work with a damaged status is due
// no more.
MATCH (q:WorkQueue)
WHERE q.due_at <= datetime.realtime() AND q.lane <= $lane AND ($group IS NULL OR q.group_id = $group)
WITH q, datetime.realtime() - duration({minutes: 1}) AS minute_ago
WITH q ORDER BY
  CASE WHEN q.due_at < minute_ago AND coalesce(q.served_at, q.due_at) < minute_ago THEN 0 ELSE 1 END,
  q.lane, coalesce(q.served_at, datetime('0001-01-01T00:00:00Z')) LIMIT 1
SET q.served_at = datetime.truncate('microsecond', datetime.realtime())
WITH q, datetime.truncate('microsecond', datetime.realtime()) AS now
CALL (q, now) {
  MATCH (w:Work)
  WHERE w.group_id = q.group_id AND w.lane = q.lane AND w.due_at <= now
  WITH w ORDER BY w.group_id, w.lane, w.due_at LIMIT $most
  RETURN collect(w) AS found
}
WITH q, now, [w IN found WHERE NOT coalesce(w.status IN ['pending', 'refining'], false)] AS left,
  [w IN found WHERE w.status IN ['pending', 'refining']] AS due
WITH q, now, left, due, [
  w IN due
  WHERE w.kind = 'digest' AND w.status = 'pending' AND toIntegerOrNull(w.leases) + toIntegerOrNull(w.attempts) = 0
    AND w.reprocessing IS NULL
] AS fresh
WITH q, now, left,
  CASE WHEN due[0] IN fresh AND (q.lane > 0 OR size(fresh) >= $most) THEN fresh ELSE due[..1] END AS chosen
FOREACH (w IN left | SET w.due_at = null)
FOREACH (w IN chosen | SET w.lease_asked_at = datetime.realtime())
WITH q, now, [w IN chosen WHERE w.status IN ['pending', 'refining'] AND w.due_at <= now] AS taken
FOREACH (
  w IN taken |
  SET
    w.lease = $lease, w.due_at = now + duration({seconds: $seconds}),
    w.leases = coalesce(toIntegerOrNull(w.leases), 0) + 1, w.began_at = coalesce(w.began_at, now)
)
WITH q, taken
CALL (taken) {
  WITH taken[0] AS lead
  WHERE $more >= 0 AND size(taken) = 1 AND lead.kind = 'digest' AND lead.status = 'pending'
    AND toIntegerOrNull(lead.leases) + toIntegerOrNull(lead.attempts) = 1 AND lead.reprocessing IS NULL
  CALL (lead) {
    MATCH (t:Episode)
    WHERE t.call_id = lead.call_id AND t.group_id = lead.group_id AND t.id <> lead.id
      AND t.audience = lead.audience
    RETURN t
    UNION
    WITH lead WHERE lead.call_id IS NULL
    MATCH (t:Episode)
    WHERE t.session_id = lead.session_id AND t.occurred_at >= lead.occurred_at AND t.group_id = lead.group_id
      AND t.status = 'pending' AND t.id <> lead.id AND t.call_id IS NULL
      AND t.audience = lead.audience
    RETURN t ORDER BY t.occurred_at, t.turn, t.id LIMIT $more
  }
  WITH t ORDER BY t.id
  SET t.lease_asked_at = datetime.realtime()
  WITH t, datetime.truncate('microsecond', datetime.realtime()) AS now
  WHERE t.status = 'pending' AND t.due_at <= now AND t.reprocessing IS NULL
    AND toIntegerOrNull(t.leases) + toIntegerOrNull(t.attempts) = 0
  SET t.lease = $lease, t.due_at = now + duration({seconds: $seconds}), t.leases = 1
  RETURN collect(t) AS joined
}
CALL (q) {
  MATCH (w:Work)
  WHERE w.group_id = q.group_id AND w.lane = q.lane AND w.due_at > datetime('0001-01-01T00:00:00Z')
  WITH w.due_at AS due_at ORDER BY w.group_id, w.lane, w.due_at LIMIT 1
  RETURN min(due_at) AS next
}
SET q.due_at = coalesce(next, datetime('9999-12-31T23:59:59.999999Z'))
WITH q.group_id AS group_id, q.lane AS lane, CASE WHEN size(taken) = 0 THEN [null] ELSE taken + joined END AS taken
UNWIND taken AS w
WITH group_id, lane, w ORDER BY w.occurred_at, w.turn, w.id
RETURN group_id, lane, w.id AS id, w.kind AS kind;

// name: lease_work
// mode: write
// returns: many
// row: TakenRow
// params: group, id, lease, seconds, more
// Take certain work, if it is undone and due; with a digest go the turns of the same call, likewise.
MATCH (w:Work {id: $id})
WHERE w.group_id = $group
SET w.lease_asked_at = datetime.realtime()
WITH w, datetime.truncate('microsecond', datetime.realtime()) AS now
WHERE w.status IN ['pending', 'refining'] AND w.due_at <= now
SET
  w.lease = $lease, w.due_at = now + duration({seconds: $seconds}),
  w.leases = coalesce(toIntegerOrNull(w.leases), 0) + 1, w.began_at = coalesce(w.began_at, now)
WITH [w] AS taken
CALL (taken) {
  WITH taken[0] AS lead
  WHERE $more >= 0 AND size(taken) = 1 AND lead.kind = 'digest' AND lead.status = 'pending'
    AND toIntegerOrNull(lead.leases) + toIntegerOrNull(lead.attempts) = 1 AND lead.reprocessing IS NULL
  CALL (lead) {
    MATCH (t:Episode)
    WHERE t.call_id = lead.call_id AND t.group_id = lead.group_id AND t.id <> lead.id
      AND t.audience = lead.audience
    RETURN t
    UNION
    WITH lead WHERE lead.call_id IS NULL
    MATCH (t:Episode)
    WHERE t.session_id = lead.session_id AND t.occurred_at >= lead.occurred_at AND t.group_id = lead.group_id
      AND t.status = 'pending' AND t.id <> lead.id AND t.call_id IS NULL
      AND t.audience = lead.audience
    RETURN t ORDER BY t.occurred_at, t.turn, t.id LIMIT $more
  }
  WITH t ORDER BY t.id
  SET t.lease_asked_at = datetime.realtime()
  WITH t, datetime.truncate('microsecond', datetime.realtime()) AS now
  WHERE t.status = 'pending' AND t.due_at <= now AND t.reprocessing IS NULL
    AND toIntegerOrNull(t.leases) + toIntegerOrNull(t.attempts) = 0
  SET t.lease = $lease, t.due_at = now + duration({seconds: $seconds}), t.leases = 1
  RETURN collect(t) AS joined
}
UNWIND taken + joined AS w
WITH w ORDER BY w.occurred_at, w.turn, w.id
RETURN w.group_id AS group_id, w.lane AS lane, w.id AS id, w.kind AS kind;

// name: announce_work
// mode: write
// returns: nothing
// params: group, lane
// There is work of a group that is due now. The last statement of a transaction, for it locks the queue.
MERGE (q:WorkQueue {group_id: $group, lane: $lane})
SET q.due_at = datetime.truncate('microsecond', datetime.realtime());

// name: request_work
// mode: write
// returns: many
// row: WorkRow
// params: group, kind, lane, rows
// audit: jobs rows.id
// Ask for work. Asked for anew it begins from the beginning, whatever was under way; again, if nothing is; else what was
// asked for once stays as it is. The locks are those of the queue, and then of the work in the order of the rows.
MERGE (q:WorkQueue {group_id: $group, lane: $lane})
SET q.due_at = datetime.truncate('microsecond', datetime.realtime())
WITH q.due_at AS now
UNWIND $rows AS row
MERGE (w:Work {id: row.id})
ON CREATE SET
  w.group_id = $group, w.kind = $kind, w.target = row.target, w.period = row.period, w.lane = $lane, w.generation = 0
SET w.lease_asked_at = now
WITH w, row, now
CALL (w, row, now) {
  WITH w, row, now WHERE row.anew OR w.generation = 0 OR (row.again AND w.status IN ['done', 'failed'])
  SET
    w.generation = coalesce(toIntegerOrNull(w.generation), 0) + 1, w.status = 'pending', w.dry_run = row.dry_run,
    w.arguments = row.arguments, w.audience = row.audience, w.cursor = null,
    w.progress = null, w.result = null, w.error = null, w.attempts = 0, w.leases = 0, w.lease = null, w.due_at = now,
    w.requested_at = now, w.began_at = null, w.finished_at = null
}
RETURN
  // insert: work
  AS work;

// name: works
// mode: read
// returns: many
// row: WorkRow
// params: group, audience, kinds, after, limit
// timeless because it shows work, not beliefs
// Work of a group, of these kinds, in order of id. A digest stands here while it is undone. Work that is neither a digest
// nor a person's decision is about the whole group, counts what all users said, and is of no audience.
MATCH (w:Work)
WHERE w.group_id = $group AND w.kind IN $kinds AND w.id > $after
  AND ($audience IS NULL OR w.audience IN $audience)
WITH w ORDER BY w.id LIMIT $limit
RETURN
  // insert: work
  AS work
ORDER BY w.id;

// name: works_by_id
// mode: read
// returns: many
// row: WorkRow
// params: group, audience, ids
// timeless because it shows work, not beliefs
// Work of a group and of the service, the last asked for first.
MATCH (w:Work)
WHERE w.id IN $ids AND w.group_id IN [$group, ''] AND ($audience IS NULL OR w.audience IN $audience)
RETURN
  // insert: work
  AS work
ORDER BY w.requested_at DESC;

// name: renew_work
// mode: write
// returns: nothing
// params: group, ids, lease, seconds
// Say that leased work is still being done.
UNWIND $ids AS id
MATCH (w:Work {id: id})
WHERE w.group_id = $group AND w.lease = $lease AND w.status IN ['pending', 'refining']
SET w.due_at = datetime.truncate('microsecond', datetime.realtime()) + duration({seconds: $seconds});

// name: return_work
// mode: write
// returns: nothing
// params: group, id, lease, spent, error, seconds
// Give work back undone. By intention, or because a server was away: neither an attempt nor a lease is counted. Because
// Neo4j ended the transaction: the lease is spent.
MATCH (w:Work {id: $id})
WHERE w.group_id = $group
MERGE (q:WorkQueue {group_id: $group, lane: w.lane})
SET q.asked_at = datetime.realtime()
SET w.lease_asked_at = datetime.realtime()
WITH w, q, datetime.truncate('microsecond', datetime.realtime()) AS now
WHERE w.lease = $lease AND w.status IN ['pending', 'refining']
SET
  w.leases = coalesce(toIntegerOrNull(w.leases), 1) - CASE WHEN $spent THEN 0 ELSE 1 END, w.lease = null,
  w.error = coalesce($error, w.error), w.due_at = now + duration({seconds: $seconds})
WITH w, q WHERE q.due_at > w.due_at
SET q.due_at = w.due_at;

// name: advance_work
// mode: write
// returns: optional
// row: WorkRow
// params: group, id, lease, generation, cursor, progress, result, finished, seconds
// A step is done. Nothing is returned to whoever lost the lease, or works on a request that was made anew since.
MATCH (w:Work {id: $id})
WHERE w.group_id = $group
SET w.lease_asked_at = datetime.realtime()
WITH w, datetime.truncate('microsecond', datetime.realtime()) AS now
WHERE w.lease = $lease AND w.generation = $generation AND w.status = 'pending'
SET
  w.cursor = $cursor, w.progress = $progress, w.result = $result, w.leases = 1,
  w.status = CASE WHEN $finished THEN 'done' ELSE 'pending' END,
  w.due_at = CASE WHEN $finished THEN null ELSE now + duration({seconds: $seconds}) END,
  w.finished_at = CASE WHEN $finished THEN now END,
  w.error = CASE WHEN $finished THEN null ELSE w.error END,
  w.lease = CASE WHEN $finished THEN null ELSE w.lease END
RETURN
  // insert: work
  AS work;

// name: fail_work
// mode: write
// returns: optional
// row: FailedRow
// params: group, id, lease, error, max_attempts, seconds
// Count a failed attempt; the last one leaves the work failed, with its reason, or an episode as an earlier digest left
// it.
MATCH (w:Work {id: $id})
WHERE w.group_id = $group
MERGE (q:WorkQueue {group_id: $group, lane: w.lane})
SET q.asked_at = datetime.realtime()
SET w.lease_asked_at = datetime.realtime()
WITH w, q, datetime.truncate('microsecond', datetime.realtime()) AS now
WHERE w.lease = $lease AND w.status IN ['pending', 'refining']
WITH w, q, now, coalesce(toIntegerOrNull(w.attempts), 0) + 1 AS attempts
WITH w, q, now, attempts, attempts >= $max_attempts AS last
SET
  w.lease = null, w.error = $error, w.attempts = attempts,
  w.due_at = CASE WHEN NOT last THEN now + duration({seconds: $seconds}) END,
  w.finished_at = CASE WHEN last AND NOT w:Episode THEN now END,
  w.status = CASE WHEN NOT last THEN w.status WHEN w.status = 'refining' THEN 'digested' ELSE 'failed' END,
  w.low_yield = CASE WHEN NOT last THEN w.low_yield END
FOREACH (e IN CASE WHEN last AND w:Episode THEN [w] ELSE [] END | REMOVE e:Work)
FOREACH (due IN CASE WHEN NOT last AND q.due_at > w.due_at THEN [w.due_at] ELSE [] END | SET q.due_at = due)
RETURN w.status AS status, w.attempts AS attempts;
