// The category of what was extracted is a property; a process of the release before writes it among the attributes.
MATCH (n:Claim)
WHERE n.category IS NULL AND n.extractor <> 'structured' AND n.attributes STARTS WITH '{"category": "'
CALL (n) {
  SET n.category = split(n.attributes, '"')[3]
} IN TRANSACTIONS OF 5000 ROWS;

MATCH (n:Fact|SupersededFact)
WHERE n.category IS NULL AND n.attributes STARTS WITH '{"category": "'
CALL (n) {
  SET n.category = split(n.attributes, '"')[3]
} IN TRANSACTIONS OF 5000 ROWS;

MATCH ()-[r:RELATES_TO|SUPERSEDED]->()
WHERE r.category IS NULL AND r.attributes STARTS WITH '{"category": "'
CALL (r) {
  SET r.category = split(r.attributes, '"')[3]
} IN TRANSACTIONS OF 5000 ROWS;
