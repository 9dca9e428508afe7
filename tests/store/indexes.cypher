// What search indexes filter by, and rows that lack it.

// name: filters
// mode: read
// returns: many
// row: FiltersRow
// params: none
// The properties of each search index, the one that is searched among them.
SHOW INDEXES YIELD name, type, labelsOrTypes, properties
WHERE type IN ['VECTOR', 'FULLTEXT']
RETURN name, labelsOrTypes AS labels, properties;

// name: lacking
// mode: read
// returns: many
// row: LackingRow
// params: group, label, properties
// How many nodes or relationships of a kind lack one of the properties.
CALL () {
  MATCH (n) WHERE n.group_id = $group AND $label IN labels(n) RETURN n AS row
  UNION ALL
  MATCH ()-[r]->() WHERE r.group_id = $group AND type(r) = $label RETURN r AS row
}
UNWIND $properties AS property
WITH property, count(*) AS rows, sum(CASE WHEN row[property] IS NULL THEN 1 ELSE 0 END) AS lacking
RETURN property, rows, lacking;

// name: hits_of_field
// mode: read
// returns: one
// row: CountRow
// params: lucene
CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()
CALL db.index.fulltext.queryNodes('episode_said', $lucene) YIELD node
RETURN count(node) AS count;
