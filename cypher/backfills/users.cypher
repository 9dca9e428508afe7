// The user of claims, beliefs and episodes is `user`; a process of the release before writes `owner` only.
MATCH (n:Claim|Fact|SupersededFact|Episode)
WHERE n.user IS NULL AND n.owner IS NOT NULL
CALL (n) {
  SET n.user = n.owner
} IN TRANSACTIONS OF 5000 ROWS;

MATCH ()-[r:RELATES_TO|SUPERSEDED]->()
WHERE r.user IS NULL AND r.owner IS NOT NULL
CALL (r) {
  SET r.user = r.owner
} IN TRANSACTIONS OF 5000 ROWS;
