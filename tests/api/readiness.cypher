// name: count_probes
// mode: read
// returns: one
// row: Count
// params: none
MATCH (p:__GraphmemProbe)
RETURN count(p) AS count;
