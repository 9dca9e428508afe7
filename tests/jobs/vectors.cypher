// name: forget_claim_ids
// mode: write
// returns: nothing
// params: group
// Rows of beliefs as an older release wrote them: they do not say which claim they have their words from.
CALL () {
  MATCH ()-[r:RELATES_TO|SUPERSEDED]->() WHERE r.group_id = $group
  REMOVE r.claim_id
}
CALL () {
  MATCH (f:Fact|SupersededFact) WHERE f.group_id = $group
  REMOVE f.claim_id
};
