// What a process of the release before leaves behind: rows that have `owner` and no `user`.

// name: forget_users
// mode: write
// returns: nothing
// params: group
MATCH (n:Claim|Fact|SupersededFact|Episode) WHERE n.group_id = $group
REMOVE n.user
WITH count(*) AS nodes
MATCH ()-[r:RELATES_TO|SUPERSEDED]->() WHERE r.group_id = $group
REMOVE r.user;
