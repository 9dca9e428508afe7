// Work to do, one node each, taken by group and lane; and when each of those has work that is due.
CREATE CONSTRAINT work_id IF NOT EXISTS FOR (n:Work) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT work_queue IF NOT EXISTS FOR (n:WorkQueue) REQUIRE (n.group_id, n.lane) IS UNIQUE;
CREATE INDEX work_due IF NOT EXISTS FOR (n:Work) ON (n.group_id, n.lane, n.due_at);
CREATE INDEX work_kind IF NOT EXISTS FOR (n:Work) ON (n.group_id, n.kind, n.id);
CREATE INDEX work_queue_due IF NOT EXISTS FOR (n:WorkQueue) ON (n.due_at);
