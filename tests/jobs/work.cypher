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
