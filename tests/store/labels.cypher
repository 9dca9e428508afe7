// name: labels_of_entities
// mode: read
// returns: many
// row: LabelsRow
// params: group
MATCH (e:Entity {group_id: $group}) RETURN e.type AS type, labels(e) AS labels;
