// name: server_version
// mode: read
// returns: one
// row: ServerVersionRow
// params: none
// timeless because it asks the server, not the graph
// all groups because it asks the server, not the graph
// The version of Neo4j's kernel.
CALL dbms.components() YIELD name, versions
WITH name, versions
WHERE name = 'Neo4j Kernel'
RETURN versions[0] AS version;
