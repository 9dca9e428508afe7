// Slots are read by (subject, predicate, target); lists by group and their cursor; work to do by status.
CREATE INDEX episode_time IF NOT EXISTS FOR (n:Episode) ON (n.group_id, n.occurred_at);
CREATE INDEX episode_session IF NOT EXISTS FOR (n:Episode) ON (n.session_id, n.occurred_at);
CREATE INDEX episode_due IF NOT EXISTS FOR (n:Episode) ON (n.status, n.due_at);
CREATE INDEX episode_status IF NOT EXISTS FOR (n:Episode) ON (n.group_id, n.status);
CREATE INDEX claim_slot IF NOT EXISTS FOR (n:Claim) ON (n.subject_id, n.predicate, n.target);
CREATE INDEX entity_group IF NOT EXISTS FOR (n:Entity) ON (n.group_id, n.id);
CREATE INDEX fact_slot IF NOT EXISTS FOR (n:Fact) ON (n.subject_id, n.predicate, n.target);
CREATE INDEX superseded_fact_slot IF NOT EXISTS FOR (n:SupersededFact) ON (n.subject_id, n.predicate, n.target);
CREATE INDEX fact_group IF NOT EXISTS FOR (n:Fact) ON (n.group_id, n.id);
CREATE INDEX superseded_fact_group IF NOT EXISTS FOR (n:SupersededFact) ON (n.group_id, n.id);
CREATE INDEX relationship_slot IF NOT EXISTS FOR ()-[r:RELATES_TO]-() ON (r.subject_id, r.predicate, r.target);
CREATE INDEX superseded_slot IF NOT EXISTS FOR ()-[r:SUPERSEDED]-() ON (r.subject_id, r.predicate, r.target);
CREATE INDEX relationship_group IF NOT EXISTS FOR ()-[r:RELATES_TO]-() ON (r.group_id, r.id);
CREATE INDEX superseded_group IF NOT EXISTS FOR ()-[r:SUPERSEDED]-() ON (r.group_id, r.id);
CREATE INDEX relationship_belief IF NOT EXISTS FOR ()-[r:RELATES_TO]-() ON (r.group_id, r.belief_id);
CREATE INDEX superseded_belief IF NOT EXISTS FOR ()-[r:SUPERSEDED]-() ON (r.group_id, r.belief_id);
CREATE INDEX fact_belief IF NOT EXISTS FOR (n:Fact) ON (n.group_id, n.belief_id);
CREATE INDEX superseded_fact_belief IF NOT EXISTS FOR (n:SupersededFact) ON (n.group_id, n.belief_id);
