// Policies of predicates, of a group or (group_id '') of the service; and slots to project again after one changed.
CREATE CONSTRAINT predicate_name IF NOT EXISTS FOR (n:Predicate) REQUIRE (n.group_id, n.name) IS UNIQUE;
CREATE CONSTRAINT reprojection_id IF NOT EXISTS FOR (n:Reprojection) REQUIRE n.id IS UNIQUE;
CREATE INDEX reprojection_due IF NOT EXISTS FOR (n:Reprojection) ON (n.status, n.due_at);
CREATE INDEX reprojection_group IF NOT EXISTS FOR (n:Reprojection) ON (n.group_id, n.id);
CREATE INDEX claim_predicate IF NOT EXISTS FOR (n:Claim) ON (n.predicate, n.subject_id);
