// Policies of predicates. :Predicate are those in force, :SupersededPredicate those that were, each from recorded_at to
// superseded_at; of one group and name no two at a time.

// name: predicate
// mode: read
// returns: optional
// row: PredicateRow
// params: group, predicate, known_at
// timeless because a policy is a setting: it was in force, and true of nothing
// The policy of one predicate that was in force at $known_at, and whose it is: the group's own, else the service's.
// Where recorded_at should be an instant and is not, it may have been: its reader names it.
CALL () {
  MATCH (p:Predicate)
  WHERE p.group_id IN [$group, ''] AND p.name = $predicate AND coalesce(p.recorded_at <= $known_at, true)
  RETURN p
  UNION ALL
  MATCH (p:SupersededPredicate)
  WHERE p.group_id IN [$group, ''] AND p.name = $predicate AND p.recorded_at <= $known_at AND p.superseded_at > $known_at
  RETURN p
}
WITH p ORDER BY p.group_id DESC LIMIT 1
RETURN p {.group_id, .name, .cardinality, .rule, .bound, .irreflexive, .recorded_at} AS predicate;

// name: predicates
// mode: read
// returns: many
// row: PredicateRow
// params: group, after, limit, known_at
// timeless because a policy is a setting: it was in force, and true of nothing
// The policies that were in force at $known_at, in order of name: those of the group, and those of the service that it had
// none of its own for.
CALL () {
  MATCH (p:Predicate)
  WHERE p.group_id IN [$group, ''] AND p.name > $after AND coalesce(p.recorded_at <= $known_at, true)
  RETURN p
  UNION ALL
  MATCH (p:SupersededPredicate)
  WHERE p.group_id IN [$group, ''] AND p.name > $after AND p.recorded_at <= $known_at AND p.superseded_at > $known_at
  RETURN p
}
WITH p ORDER BY p.name, p.group_id DESC
WITH p.name AS name, head(collect(p)) AS p
ORDER BY name LIMIT $limit
RETURN p {.group_id, .name, .cardinality, .rule, .bound, .irreflexive, .recorded_at} AS predicate
ORDER BY name;

// name: policies_of
// mode: read
// returns: many
// row: PolicyRow
// params: group
// timeless because a writer goes by the policies in force now
// The policies in force of one group alone, or of the service ("").
MATCH (p:Predicate)
WHERE p.group_id = $group AND p.name > ''
RETURN p.name AS name, p.cardinality AS cardinality, p.rule AS rule, p.bound AS bound, p.irreflexive AS irreflexive;

// name: policy_clock
// mode: read
// returns: one
// row: PolicyClockRow
// params: group
// timeless because it reads the clock
// The database's clock in microseconds, and the newest instant that the next stamp of a policy has to exceed: a policy of
// the group changed then, or what was recorded until then is settled.
CALL () {
  MATCH (p:Predicate)
  WHERE p.group_id = $group AND p.name > ''
  RETURN p.recorded_at AS at
  UNION ALL
  MATCH (p:SupersededPredicate)
  WHERE p.group_id = $group AND p.name > ''
  RETURN p.superseded_at AS at
  UNION ALL
  MATCH (g:Group {id: $group})
  UNWIND [g.settled_until, g.promised_until] AS at
  RETURN at
}
WITH max(CASE WHEN at IS :: ZONED DATETIME THEN at END) AS newest
RETURN
  datetime.truncate('microsecond', datetime.realtime()) AS now,
  coalesce(newest, datetime('0001-01-01T00:00:00Z')) AS newest;

// name: write_policies
// mode: write
// returns: nothing
// params: group, now, names, rows
// audit: predicates #names
// The policies in force of these names end; those of the rows begin.
CALL () {
  UNWIND $names AS name
  MATCH (p:Predicate {group_id: $group, name: name})
  CREATE (was:SupersededPredicate)
  SET was = properties(p), was.superseded_at = $now
  DELETE p
}
CALL () {
  UNWIND $rows AS row
  CREATE (p:Predicate {group_id: $group, name: row.name})
  SET
    p.cardinality = row.cardinality, p.rule = row.rule, p.bound = row.bound, p.irreflexive = row.irreflexive,
    p.recorded_at = $now, p.superseded_at = datetime('9999-12-31T23:59:59.999999Z')
};

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
// mode: read
// returns: one
// row: CountRow
// params: predicate, first, last
// timeless because a projection takes all claims standing now
// all groups because a policy of the service is every tenant's
// How many subjects have claims of a predicate, in the groups from first to last.
MATCH (c:Claim)
WHERE c.predicate = $predicate AND c.group_id >= $first AND c.group_id <= $last AND c.subject_id > ''
RETURN count(DISTINCT c.subject_id) AS count;

// name: next_subjects
// mode: read
// returns: many
// row: IdRow
// params: group, predicate, after, limit
// timeless because a projection takes all claims standing now
// The next subjects of a group that have claims of a predicate, in order of id. All columns of the index are named, so
// that it is read in its order and only as far as the limit.
MATCH (c:Claim)
WHERE c.predicate = $predicate AND c.group_id = $group AND c.subject_id > $after
WITH DISTINCT c.predicate AS predicate, c.group_id AS group_id, c.subject_id AS subject_id
ORDER BY predicate, group_id, subject_id LIMIT $limit
RETURN subject_id AS id;

// name: next_group
// mode: read
// returns: optional
// row: IdRow
// params: predicate, after
// timeless because a projection takes all claims standing now
// all groups because a policy of the service is every tenant's
// The next group that has claims of a predicate; the index is read in its order, no further than to the first.
MATCH (c:Claim)
WHERE c.predicate = $predicate AND c.group_id > $after AND c.subject_id > ''
RETURN c.group_id AS id
ORDER BY c.predicate, c.group_id, c.subject_id LIMIT 1;

