// part: audit_row
// A row of the audit, r.
r.id AS id, r.group_id AS group_id, r.recorded_at AS recorded_at, r.operation AS operation, r.key AS key, r.user AS user,
r.agent AS agent, r.address AS address, r.kinds AS kinds, r.counts AS counts, r.shown AS shown, r.ids AS ids,
r.place AS place, r.previous AS previous, r.hash AS hash;

// part: new_audit_row
// A row as it is written; it waits for its place in the chain.
(:AuditRow:Unchained {
  id: $id, group_id: $group, recorded_at: datetime.truncate('microsecond', datetime.realtime()), operation: $operation,
  key: $key, user: $user, agent: $agent, address: $address, kinds: $kinds, counts: $counts, shown: $shown, ids: $ids
});

// part: one_after_the_other
// What returns nothing in place of FIRST, then what stands in place of LAST.
CALL () { FIRST } LAST;
