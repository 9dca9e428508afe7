// Facts are listed by category, and what is contested is listed to be settled.
CREATE INDEX relationship_category IF NOT EXISTS FOR ()-[r:RELATES_TO]-() ON (r.group_id, r.category);
CREATE INDEX superseded_category IF NOT EXISTS FOR ()-[r:SUPERSEDED]-() ON (r.group_id, r.category);
CREATE INDEX fact_category IF NOT EXISTS FOR (n:Fact) ON (n.group_id, n.category);
CREATE INDEX superseded_fact_category IF NOT EXISTS FOR (n:SupersededFact) ON (n.group_id, n.category);
CREATE INDEX relationship_contested IF NOT EXISTS FOR ()-[r:RELATES_TO]-() ON (r.group_id, r.contested);
CREATE INDEX superseded_contested IF NOT EXISTS FOR ()-[r:SUPERSEDED]-() ON (r.group_id, r.contested);
CREATE INDEX fact_contested IF NOT EXISTS FOR (n:Fact) ON (n.group_id, n.contested);
CREATE INDEX superseded_fact_contested IF NOT EXISTS FOR (n:SupersededFact) ON (n.group_id, n.contested);
