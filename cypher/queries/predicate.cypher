// name: policies
// mode: read
// returns: many
// row: PolicyRow
// params: group, names
// timeless because a projection follows the policies in force now
// The policies in force: the group's own, else the service's. A predicate that has neither holds many.
UNWIND $names AS name
OPTIONAL MATCH (own:Predicate {group_id: $group, name: name})
OPTIONAL MATCH (service:Predicate {group_id: '', name: name})
WITH name, coalesce(own, service) AS p WHERE p IS NOT NULL
RETURN name, p.cardinality AS cardinality, p.rule AS rule;
