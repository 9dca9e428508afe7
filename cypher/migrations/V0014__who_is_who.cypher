// Decisions that two entities are the same: those in force, and those that were.
CREATE CONSTRAINT same_as_id IF NOT EXISTS FOR ()-[s:SAME_AS]-() REQUIRE s.id IS UNIQUE;
CREATE CONSTRAINT was_same_as_id IF NOT EXISTS FOR ()-[s:WAS_SAME_AS]-() REQUIRE s.id IS UNIQUE;
CREATE INDEX same_as_time IF NOT EXISTS FOR ()-[s:SAME_AS]-() ON (s.group_id, s.recorded_at, s.id);
CREATE INDEX was_same_as_time IF NOT EXISTS FOR ()-[s:WAS_SAME_AS]-() ON (s.group_id, s.recorded_at, s.id);
// Judgements of pairs; what stands is looked up through its entities, what waits for somebody in order of score.
CREATE CONSTRAINT judgement_id IF NOT EXISTS FOR (n:Judgement) REQUIRE n.id IS UNIQUE;
CREATE INDEX judgement_pending IF NOT EXISTS FOR (n:Judgement) ON (n.group_id, n.pending, n.score, n.id);
