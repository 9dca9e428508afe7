// What users share with everybody, a node for each value under its names; found by those whose it is and what it is about.
CREATE CONSTRAINT shared_id IF NOT EXISTS FOR (n:SharedValue) REQUIRE n.id IS UNIQUE;
CREATE INDEX shared_subject IF NOT EXISTS FOR (n:SharedValue) ON (n.group_id, n.user, n.subject_id);
