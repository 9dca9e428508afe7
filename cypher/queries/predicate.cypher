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
RETURN p {.group_id, .name, .cardinality, .rule, .bound, .irreflexive, .changed_at} AS predicate;

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
RETURN p {.group_id, .name, .cardinality, .rule, .bound, .irreflexive, .changed_at} AS predicate
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
RETURN p.name AS name, p.cardinality AS cardinality, p.rule AS rule, p.bound AS bound, p.irreflexive AS irreflexive;

// name: set_policies
// mode: write
// returns: many
// row: ChangedRow
// params: group, rows
// Set policies, and say of which nodes that made others. The first SET takes the lock.
UNWIND $rows AS row
MERGE (p:Predicate {group_id: $group, name: row.name})
SET p.changed_at = coalesce(p.changed_at, datetime.truncate('microsecond', datetime.realtime()))
WITH p, row,
  coalesce(p.cardinality <> row.cardinality OR p.rule <> row.rule, true)
    OR coalesce(p.bound, '') <> coalesce(row.bound, '')
    OR coalesce(toString(p.irreflexive), '') <> coalesce(toString(row.irreflexive), '') AS changed
SET
  p.cardinality = row.cardinality, p.rule = row.rule, p.bound = row.bound, p.irreflexive = row.irreflexive,
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
// row: SubjectCountRow
// params: predicate, first, last
// timeless because a projection takes all claims standing now
// all groups because a policy of the service is every tenant's
// How many subjects have claims of a predicate, in the groups from first to last.
MATCH (c:Claim)
WHERE c.predicate = $predicate AND c.group_id >= $first AND c.group_id <= $last AND c.subject_id > ''
RETURN count(DISTINCT c.subject_id) AS subjects;

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

