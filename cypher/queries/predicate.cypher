// name: predicate
// mode: read
// returns: optional
// row: PredicateRow
// params: group, predicate
// timeless because a policy is a setting, not a belief
// The policy in force of one predicate, and whose it is.
OPTIONAL MATCH (own:Predicate {group_id: $group, name: $predicate})
OPTIONAL MATCH (service:Predicate {group_id: '', name: $predicate})
WITH coalesce(own, service) AS p WHERE p IS NOT NULL
RETURN p {.group_id, .name, .cardinality, .rule, .changed_at} AS predicate;

// name: predicates
// mode: read
// returns: many
// row: PredicateRow
// params: group, after, limit
// timeless because a policy is a setting, not a belief
// The policies in force, in order of name: those of the group, and those of the service that it has none of its own for.
MATCH (p:Predicate)
WHERE p.group_id IN [$group, ''] AND p.name > $after
  AND (p.group_id = $group OR NOT EXISTS { (:Predicate {group_id: $group, name: p.name}) })
RETURN p {.group_id, .name, .cardinality, .rule, .changed_at} AS predicate
ORDER BY p.name LIMIT $limit;

// name: policies_of
// mode: read
// returns: many
// row: PolicyRow
// params: group
// timeless because a policy is a setting, not a belief
// The policies of one group alone, or of the service ("").
MATCH (p:Predicate)
WHERE p.group_id = $group AND p.name > ''
RETURN p.name AS name, p.cardinality AS cardinality, p.rule AS rule;

// name: set_policies
// mode: write
// returns: many
// row: ChangedRow
// params: group, rows
// Set policies, and say of which nodes that made others. The first SET takes the lock.
UNWIND $rows AS row
MERGE (p:Predicate {group_id: $group, name: row.name})
SET p.changed_at = coalesce(p.changed_at, datetime.truncate('microsecond', datetime.realtime()))
WITH p, row, coalesce(p.cardinality <> row.cardinality OR p.rule <> row.rule, true) AS changed
SET
  p.cardinality = row.cardinality, p.rule = row.rule,
  p.changed_at = CASE WHEN changed THEN datetime.truncate('microsecond', datetime.realtime()) ELSE p.changed_at END
RETURN p.name AS name, changed;

// name: unset_policies
// mode: write
// returns: many
// row: ChangedRow
// params: group, names
// Take policies back; names that had none are not returned.
UNWIND $names AS name
MATCH (p:Predicate {group_id: $group, name: name})
DELETE p
RETURN name, true AS changed;

// name: request_reprojections
// mode: write
// returns: many
// row: ReprojectionRow
// params: group, rows
// Ask for predicates to be projected again, from the beginning, whatever was under way. The first SET takes the lock.
UNWIND $rows AS row
MERGE (r:Reprojection {id: row.id})
ON CREATE SET r.group_id = $group, r.predicate = row.predicate, r.generation = 0, r.leases = 0
SET r.status = 'pending'
WITH r, datetime.truncate('microsecond', datetime.realtime()) AS now
SET
  r.generation = r.generation + 1, r.cursor_group = '', r.cursor = '', r.subjects_total = null, r.subjects_done = 0,
  r.rows_changed = 0, r.error = null, r.attempts = 0, r.idle = 0, r.lease = null, r.due_at = now,
  r.requested_at = now, r.began_at = null, r.finished_at = null
RETURN r {
  .id, .group_id, .predicate, .status, .generation, .cursor_group, .cursor, .subjects_total, .subjects_done,
  .rows_changed, .error, .attempts, .leases, .idle, .requested_at, .began_at, .finished_at
} AS reprojection;

// name: reprojections
// mode: read
// returns: many
// row: ReprojectionRow
// params: group, ids
// timeless because it shows work, not beliefs
// Re-projections of a group and of the service, the last asked for first.
MATCH (r:Reprojection)
WHERE r.id IN $ids AND r.group_id IN [$group, '']
RETURN r {
  .id, .group_id, .predicate, .status, .generation, .cursor_group, .cursor, .subjects_total, .subjects_done,
  .rows_changed, .error, .attempts, .leases, .idle, .requested_at, .began_at, .finished_at
} AS reprojection
ORDER BY r.requested_at DESC;

// name: due_reprojections
// mode: read
// returns: many
// row: DueReprojectionRow
// params: limit
// timeless because it lists work to do, not beliefs
// all groups because the sweeper serves every tenant
MATCH (r:Reprojection)
WHERE r.status = 'pending' AND r.due_at <= datetime.realtime()
RETURN r.group_id AS group_id, r.id AS id, r.generation AS generation, r.leases AS leases
ORDER BY r.due_at LIMIT $limit;

// name: lease_reprojection
// mode: write
// returns: optional
// row: ReprojectionRow
// params: group, id, lease, seconds
// Take a re-projection, if it is pending, due, and nobody else's. The first SET takes the lock. When it was first
// taken, its policy was in force.
MATCH (r:Reprojection {id: $id})
WHERE r.group_id = $group
SET r.lease_asked_at = datetime.realtime()
WITH r, datetime.truncate('microsecond', datetime.realtime()) AS now
WHERE r.status = 'pending' AND r.due_at <= now
SET
  r.lease = $lease, r.due_at = now + duration({seconds: $seconds}), r.leases = r.leases + 1, r.idle = r.idle + 1,
  r.began_at = coalesce(r.began_at, now)
RETURN r {
  .id, .group_id, .predicate, .status, .generation, .cursor_group, .cursor, .subjects_total, .subjects_done,
  .rows_changed, .error, .attempts, .leases, .idle, .requested_at, .began_at, .finished_at
} AS reprojection;

// name: renew_reprojection
// mode: write
// returns: nothing
// params: group, id, lease, seconds
// Say that a re-projection is still alive.
MATCH (r:Reprojection {id: $id})
WHERE r.group_id = $group AND r.lease = $lease AND r.status = 'pending'
SET r.due_at = datetime.truncate('microsecond', datetime.realtime()) + duration({seconds: $seconds});

// name: return_reprojection
// mode: write
// returns: nothing
// params: group, id, lease, spent, error, seconds
// Give a re-projection back unfinished: that is no attempt. It was no idle beginning either, unless that is spent.
MATCH (r:Reprojection {id: $id})
WHERE r.group_id = $group AND r.lease = $lease AND r.status = 'pending'
SET
  r.lease = null, r.idle = CASE WHEN $spent THEN r.idle ELSE 0 END, r.error = coalesce($error, r.error),
  r.due_at = datetime.truncate('microsecond', datetime.realtime()) + duration({seconds: $seconds});

// name: writers_gone
// mode: read
// returns: one
// row: WritersGoneRow
// params: since, seconds
// timeless because it asks the server, not the graph
// all groups because a transaction belongs to none
// Whether nobody writes any more who may have read an older policy: every transaction open at that time has ended, or
// has outlived its time-out. Policies are read under locks; who holds none has read none.
SHOW TRANSACTIONS YIELD startTime, activeLockCount WHERE datetime(startTime) <= $since AND activeLockCount > 0
RETURN count(*) = 0 OR datetime.realtime() >= $since + duration({seconds: $seconds}) AS gone;

// name: count_subjects
// mode: write
// returns: optional
// row: ReprojectionRow
// params: group, id, lease, first, last
// Count what is to do: subjects with claims of the predicate in the groups from first to last.
MATCH (r:Reprojection {id: $id})
WHERE r.group_id = $group AND r.lease = $lease AND r.status = 'pending'
SET r.lease_asked_at = datetime.realtime()
WITH r
CALL (r) {
  MATCH (c:Claim)
  WHERE c.predicate = r.predicate AND c.group_id >= $first AND c.group_id <= $last AND c.subject_id > ''
  RETURN count(DISTINCT c.subject_id) AS subjects
}
SET r.subjects_total = subjects
RETURN r {
  .id, .group_id, .predicate, .status, .generation, .cursor_group, .cursor, .subjects_total, .subjects_done,
  .rows_changed, .error, .attempts, .leases, .idle, .requested_at, .began_at, .finished_at
} AS reprojection;

// name: next_subjects
// mode: read
// returns: many
// row: SubjectRow
// params: group, predicate, after, limit
// timeless because a projection takes all claims standing now
// The next subjects of a group that have claims of a predicate, in order of id. All columns of the index are named, so
// that it is read in its order and only as far as the limit.
MATCH (c:Claim)
WHERE c.predicate = $predicate AND c.group_id = $group AND c.subject_id > $after
WITH DISTINCT c.predicate AS predicate, c.group_id AS group_id, c.subject_id AS subject_id
ORDER BY predicate, group_id, subject_id LIMIT $limit
RETURN subject_id;

// name: next_group
// mode: read
// returns: optional
// row: GroupIdRow
// params: predicate, after
// timeless because a projection takes all claims standing now
// all groups because a policy of the service is every tenant's
// The next group that has claims of a predicate; the index is read in its order, no further than to the first.
MATCH (c:Claim)
WHERE c.predicate = $predicate AND c.group_id > $after AND c.subject_id > ''
RETURN c.group_id AS group_id
ORDER BY c.predicate, c.group_id, c.subject_id LIMIT 1;

// name: advance_reprojection
// mode: write
// returns: optional
// row: ReprojectionRow
// params: group, id, lease, generation, cursor_group, cursor, subjects, rows, finished, seconds
// A step is done. Nothing is returned to whoever lost the lease, or works on a request that was made anew since.
MATCH (r:Reprojection {id: $id})
WHERE r.group_id = $group
SET r.lease_asked_at = datetime.realtime()
WITH r, datetime.truncate('microsecond', datetime.realtime()) AS now
WHERE r.lease = $lease AND r.generation = $generation AND r.status = 'pending'
SET
  r.cursor_group = $cursor_group, r.cursor = $cursor, r.subjects_done = r.subjects_done + $subjects,
  r.rows_changed = r.rows_changed + $rows, r.idle = 0, r.due_at = now + duration({seconds: $seconds}),
  r.status = CASE WHEN $finished THEN 'done' ELSE 'pending' END,
  r.finished_at = CASE WHEN $finished THEN now END,
  r.error = CASE WHEN $finished THEN null ELSE r.error END,
  r.lease = CASE WHEN $finished THEN null ELSE r.lease END
RETURN r {
  .id, .group_id, .predicate, .status, .generation, .cursor_group, .cursor, .subjects_total, .subjects_done,
  .rows_changed, .error, .attempts, .leases, .idle, .requested_at, .began_at, .finished_at
} AS reprojection;

// name: fail_reprojection
// mode: write
// returns: optional
// row: ReprojectionRow
// params: group, id, lease, error, max_attempts, seconds
// Count a failed attempt; the last one leaves the re-projection failed, with its reason.
MATCH (r:Reprojection {id: $id})
WHERE r.group_id = $group AND r.lease = $lease AND r.status = 'pending'
WITH r, datetime.truncate('microsecond', datetime.realtime()) AS now, r.attempts + 1 >= $max_attempts AS last
SET
  r.lease = null, r.error = $error, r.attempts = r.attempts + 1, r.due_at = now + duration({seconds: $seconds}),
  r.status = CASE WHEN last THEN 'failed' ELSE 'pending' END, r.finished_at = CASE WHEN last THEN now END
RETURN r {
  .id, .group_id, .predicate, .status, .generation, .cursor_group, .cursor, .subjects_total, .subjects_done,
  .rows_changed, .error, .attempts, .leases, .idle, .requested_at, .began_at, .finished_at
} AS reprojection;
