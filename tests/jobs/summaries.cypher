// name: spoil_summary
// mode: write
// returns: nothing
// params: group, id
// What somebody with a key to Neo4j may do.
MATCH (s:Summary {id: $id}) WHERE s.group_id = $group
SET s.sentences = '{';
