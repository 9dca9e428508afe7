// Facts by category and subject, to be compared; claims by what they gave way to; and what waits to be looked at.
CREATE INDEX relationship_subject IF NOT EXISTS FOR ()-[r:RELATES_TO]-() ON (r.group_id, r.category, r.subject_id);
CREATE INDEX fact_subject IF NOT EXISTS FOR (n:Fact) ON (n.group_id, n.category, n.subject_id);
CREATE INDEX claim_gave_way IF NOT EXISTS FOR (n:Claim) ON (n.group_id, n.gave_way_to);
CREATE INDEX session_consolidate_due IF NOT EXISTS FOR (n:Session) ON (n.consolidate_due);
CREATE INDEX episode_low_yield_of_group IF NOT EXISTS FOR (n:Episode) ON (n.group_id, n.low_yield);
