// Work as it stands, and work that is torn.

// name: tear
// mode: write
// returns: nothing
// params: group, id
// A row that no model reads: it has a role that there is not.
MATCH (e:Episode {id: $id}) WHERE e.group_id = $group SET e.role = 'torn';

// name: standing
// mode: read
// returns: optional
// row: StandingRow
// params: group, id
MATCH (e:Episode {id: $id}) WHERE e.group_id = $group
RETURN e.status AS status, e.error AS error, e.attempts AS attempts;

// name: nothing_waits
// mode: write
// returns: nothing
// params: none
// What other tests left is no work any more.
MATCH (w:Work) WHERE w.group_id >= '' AND w.due_at > datetime('0001-01-01T00:00:00Z')
CALL (w) { REMOVE w:Work };

// name: waits
// mode: write
// returns: nothing
// params: group, lane, seconds
// A queue as it stands after it was due for so many seconds, and served by nobody.
MATCH (q:WorkQueue {group_id: $group, lane: $lane})
SET q.due_at = datetime.realtime() - duration({seconds: $seconds}), q.served_at = null;

// name: spans
// mode: read
// returns: many
// row: SpanRow
// params: group, id
MATCH (e:Episode {id: $id})-[m:MENTIONS]->() WHERE e.group_id = $group
RETURN m.start AS start, m.end AS end, m.text AS text;
