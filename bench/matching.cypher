// People of a large group as graphmem leaves them once they are indexed: with a name, what is said of them, and their keys.

// name: write_people
// mode: write
// returns: nothing
// params: group, rows, now
// Entities with one claim each, found by their keys.
UNWIND $rows AS row
CREATE (e:Entity {id: row.id})
SET e.group_id = $group, e.type = 'person', e.key = row.key, e.qualifier = row.qualifier, e.name = row.name,
  e.names = [row.name], e.names_at = [$now], e.first_seen = $now, e.recorded_at = $now, e.newest_stamp = $now,
  e.names_by_user = true, e.match_keys = row.keys, e.terms = row.terms
CREATE (k:Name {id: row.id + '/'})
SET k.group_id = $group, k.entity_id = row.id, k.type = 'person', k.user = '', k.names = [row.name], k.names_at = [$now],
  k.said_at = [$now]
CREATE (e)<-[:SUBJECT]-(c:Claim)
SET c = row.claim, c.group_id = $group, c.said_at = $now, c.recorded_at = $now, c.valid_from = $now,
  c.valid_to = datetime('9999-12-31T23:59:59.999999Z'), c.retracted_at = datetime('9999-12-31T23:59:59.999999Z');

// name: count_holders
// mode: write
// returns: nothing
// params: group, rows
// How many hold each term.
UNWIND $rows AS row
MERGE (f:Frequency {id: row.id})
ON CREATE SET f.group_id = $group, f.holders = 0
SET f.holders = f.holders + row.change;
