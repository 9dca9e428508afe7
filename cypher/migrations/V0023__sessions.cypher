// backfill first
// Sessions of each user, in the order in which they were opened; those that are open; and the turns of each.
CREATE INDEX session_time IF NOT EXISTS FOR (n:Session) ON (n.group_id, n.opened_at);
CREATE INDEX session_open IF NOT EXISTS FOR (n:Session) ON (n.group_id, n.user, n.closes_at);
CREATE INDEX session_silence IF NOT EXISTS FOR (n:Session) ON (n.closes_at);
CREATE INDEX episode_own_session IF NOT EXISTS FOR (n:Episode) ON (n.own_session_id, n.occurred_at);
