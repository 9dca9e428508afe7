// The audit: a row for each transaction that changed something, and for reads that are audited; and the chains of these.
// Rows are only added. `ids` has those of all kinds one after the other, of each as many as `shown` says.

// name: record_audit
// mode: write
// returns: nothing
// params: group, id, operation, key, user, agent, address, kinds, counts, shown, ids
// The last statement of a transaction that changed something of the group, or of none ("").
CREATE
// insert: new_audit_row
;

// name: record_read
// mode: write
// returns: nothing
// params: group, id, operation, key, user, agent, address, kinds, counts, shown, ids
// That somebody reads what is somebody else's. Of a group that is not there nothing is read.
MATCH (g:Group {id: $group})
USING INDEX SEEK g:Group(id)
CREATE
// insert: new_audit_row
;

// name: groups_to_chain
// mode: read
// returns: many
// row: IdRow
// params: limit
// timeless because a row waits for its place, or does not
// all groups because it asks which
MATCH (r:Unchained)
WHERE r.group_id >= '' AND r.recorded_at > datetime('0001-01-01T00:00:00Z') AND r.id > ''
RETURN DISTINCT r.group_id AS id LIMIT $limit;

// name: lock_chain
// mode: write
// returns: one
// row: ChainRow
// params: group
// Nobody else adds to the chain of a group meanwhile; it is made on first use. Its lock is no writer's: they wait for none.
MERGE (c:AuditChain {id: $group})
ON CREATE SET c.group_id = $group, c.place = 0, c.hash = '', c.first_place = 0, c.first_hash = '', c.seal = ''
SET c.locked = true
WITH c
RETURN
  c.place AS place, c.hash AS hash, c.first_place AS first_place, c.first_hash AS first_hash, c.seal AS seal;

// name: unchained_rows
// mode: read
// returns: many
// row: StoredAuditRow
// params: group, limit
// timeless because a row waits for its place, or does not
MATCH (r:Unchained)
WHERE r.group_id = $group AND r.recorded_at > datetime('0001-01-01T00:00:00Z') AND r.id > ''
WITH r ORDER BY r.recorded_at, r.id LIMIT $limit
RETURN
  // insert: audit_row
ORDER BY recorded_at, id;

// name: chain_rows
// mode: write
// returns: nothing
// params: group, rows, place, hash, seal
// Rows get their places, and the chain its new end, in the transaction that locks it.
CALL () {
  UNWIND $rows AS row
  MATCH (r:Unchained {group_id: $group, recorded_at: datetime(row.recorded_at), id: row.id})
  REMOVE r:Unchained
  SET r.place = row.place, r.previous = row.previous, r.hash = row.hash
}
MATCH (c:AuditChain {id: $group})
SET c.place = $place, c.hash = $hash, c.seal = $seal;

// name: chain
// mode: read
// returns: optional
// row: ChainRow
// params: group
// timeless because a chain has one end
MATCH (c:AuditChain {id: $group})
RETURN
  c.place AS place, c.hash AS hash, c.first_place AS first_place, c.first_hash AS first_hash, c.seal AS seal;

// name: chained_rows
// mode: read
// returns: many
// row: StoredAuditRow
// params: group, after, until, limit
// timeless because a row says what was done, once
// The next rows of a chain, in order of place, up to one.
MATCH (r:AuditRow)
WHERE r.group_id = $group AND $after < r.place <= $until
WITH r ORDER BY r.place, r.id LIMIT $limit
RETURN
  // insert: audit_row
ORDER BY place, id;

// name: count_unchained
// mode: read
// returns: one
// row: CountRow
// params: group
// timeless because a row waits for its place, or does not
MATCH (r:Unchained)
WHERE r.group_id = $group AND r.recorded_at > datetime('0001-01-01T00:00:00Z') AND r.id > ''
RETURN count(r) AS count;

// name: audit_rows
// mode: read
// returns: many
// row: StoredAuditRow
// params: group, since, until, key, user, operation, thing, after_time, after_id, limit
// timeless because a row says what was done, once
// Rows in order of (recorded_at, id), after a position: by a key, for a user, of operations that begin so, of a thing.
MATCH (r:AuditRow)
WHERE r.group_id = $group AND r.recorded_at >= $since AND r.recorded_at < $until AND r.id > ''
  AND (r.recorded_at > $after_time OR (r.recorded_at = $after_time AND r.id > $after_id))
  AND ($key IS NULL OR r.key = $key) AND ($user IS NULL OR r.user = $user)
  AND ($operation = '' OR r.operation STARTS WITH $operation) AND ($thing IS NULL OR $thing IN r.ids)
WITH r ORDER BY r.recorded_at, r.id LIMIT $limit
RETURN
  // insert: audit_row
ORDER BY recorded_at, id;

// name: first_chained_since
// mode: read
// returns: optional
// row: PlaceRow
// params: group, since
// timeless because a row has its place for good
// The first place of a chain with a row of an instant or later.
MATCH (r:AuditRow)
USING INDEX r:AuditRow(group_id, place)
WHERE r.group_id = $group AND r.place > 0 AND r.recorded_at >= $since
RETURN r.place AS place ORDER BY r.group_id, r.place LIMIT 1;

// name: drop_chained
// mode: write
// returns: nothing
// params: group, until, hash, seal
// Take away the beginning of a chain, which is locked, up to the row of place $until, whose hash it begins with from then on.
MATCH (c:AuditChain {id: $group})
SET c.first_place = $until, c.first_hash = $hash, c.seal = $seal
WITH c
MATCH (r:AuditRow)
WHERE r.group_id = $group AND r.place <= $until
DELETE r;
