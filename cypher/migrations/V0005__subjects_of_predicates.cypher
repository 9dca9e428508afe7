// A re-projection goes through the subjects of one predicate in one group after the other, whoever else is here.
DROP INDEX claim_predicate IF EXISTS;
CREATE INDEX claim_subjects IF NOT EXISTS FOR (n:Claim) ON (n.predicate, n.group_id, n.subject_id);
