// name: make_due
// mode: write
// returns: nothing
// params: group
// All who may have read who is who before merges changed are gone.
MATCH (e:Entity)
WHERE e.group_id = $group AND e.overtaken_due IS NOT NULL
SET e.overtaken_due = datetime.truncate('microsecond', datetime.realtime());
