// Episodes of which little was read say so by low_yield, and how they are to be digested anew by reprocessing; a process
// of the release before writes sparse and redigest.
MATCH (n:Episode)
WHERE n.sparse > ''
CALL (n) {
  SET n.low_yield = coalesce(n.low_yield, n.sparse), n.sparse = null
} IN TRANSACTIONS OF 5000 ROWS;

MATCH (n:Episode)
WHERE n.status = 'pending' AND n.redigest IS NOT NULL
CALL (n) {
  SET n.reprocessing = coalesce(n.reprocessing, n.redigest), n.redigest = null
} IN TRANSACTIONS OF 5000 ROWS;

MATCH (n:Episode)
WHERE n.status = 'refining' AND n.redigest IS NOT NULL
CALL (n) {
  SET n.reprocessing = coalesce(n.reprocessing, n.redigest), n.redigest = null
} IN TRANSACTIONS OF 5000 ROWS;
