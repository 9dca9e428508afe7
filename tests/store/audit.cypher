// What somebody may do to the audit who writes into Neo4j.

// name: says_otherwise
// mode: write
// returns: nothing
// params: group, place
MATCH (r:AuditRow {group_id: $group, place: $place})
SET r.operation = 'nothing';

// name: taken_away
// mode: write
// returns: nothing
// params: group, place
MATCH (r:AuditRow {group_id: $group, place: $place})
DELETE r;

// name: put_twice
// mode: write
// returns: nothing
// params: group, place
MATCH (r:AuditRow {group_id: $group, place: $place})
CREATE (other:AuditRow)
SET other = properties(r), other.id = r.id + '-2';

// name: moved
// mode: write
// returns: nothing
// params: group, place
MATCH (r:AuditRow {group_id: $group, place: $place}), (other:AuditRow {group_id: $group, place: $place + 1})
SET r.place = $place + 1, other.place = $place;

// name: cut_off
// mode: write
// returns: nothing
// params: group, place
// The rows after a place go, and the chain says that it ends there.
MATCH (last:AuditRow {group_id: $group, place: $place}), (c:AuditChain {id: $group})
SET c.place = $place, c.hash = last.hash
WITH c
MATCH (r:AuditRow {group_id: $group})
WHERE r.place > $place
DELETE r;
