// backfill first
// Beliefs that tell of the beginning or the end of their subject; the few rows that have a bound are in these indexes.
CREATE INDEX relationship_bound IF NOT EXISTS FOR ()-[r:RELATES_TO]-() ON (r.subject_id, r.bound);
CREATE INDEX superseded_bound IF NOT EXISTS FOR ()-[r:SUPERSEDED]-() ON (r.subject_id, r.bound);
CREATE INDEX fact_bound IF NOT EXISTS FOR (n:Fact) ON (n.subject_id, n.bound);
CREATE INDEX superseded_fact_bound IF NOT EXISTS FOR (n:SupersededFact) ON (n.subject_id, n.bound);
