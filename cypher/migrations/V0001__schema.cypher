// One node or relationship per identity. Concurrent MERGE on these never makes two.
CREATE CONSTRAINT group_id IF NOT EXISTS FOR (n:Group) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT group_name IF NOT EXISTS FOR (n:Group) REQUIRE n.name IS UNIQUE;
CREATE CONSTRAINT key_id IF NOT EXISTS FOR (n:ApiKey) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT tombstone_id IF NOT EXISTS FOR (n:Tombstone) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT session_id IF NOT EXISTS FOR (n:Session) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT episode_id IF NOT EXISTS FOR (n:Episode) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT passage_id IF NOT EXISTS FOR (n:Passage) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT claim_id IF NOT EXISTS FOR (n:Claim) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT entity_id IF NOT EXISTS FOR (n:Entity) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT name_id IF NOT EXISTS FOR (n:Name) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT fact_id IF NOT EXISTS FOR (n:Fact) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT superseded_fact_id IF NOT EXISTS FOR (n:SupersededFact) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT relationship_id IF NOT EXISTS FOR ()-[r:RELATES_TO]-() REQUIRE r.id IS UNIQUE;
CREATE CONSTRAINT superseded_id IF NOT EXISTS FOR ()-[r:SUPERSEDED]-() REQUIRE r.id IS UNIQUE;
CREATE CONSTRAINT same_as_id IF NOT EXISTS FOR ()-[s:SAME_AS]-() REQUIRE s.id IS UNIQUE;
CREATE CONSTRAINT was_same_as_id IF NOT EXISTS FOR ()-[s:WAS_SAME_AS]-() REQUIRE s.id IS UNIQUE;
CREATE CONSTRAINT judgement_id IF NOT EXISTS FOR (n:Judgement) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT receipt_id IF NOT EXISTS FOR (n:Receipt) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT frequency_id IF NOT EXISTS FOR (n:Frequency) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT shared_id IF NOT EXISTS FOR (n:SharedValue) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT summary_id IF NOT EXISTS FOR (n:Summary) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT superseded_summary_id IF NOT EXISTS FOR (n:SupersededSummary) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT entity_summary_identity IF NOT EXISTS FOR (n:EntitySummary) REQUIRE n.summary_id IS UNIQUE;
CREATE CONSTRAINT reflection_id IF NOT EXISTS FOR (n:Reflection) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT superseded_reflection_id IF NOT EXISTS FOR (n:SupersededReflection) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT reflection_identity IF NOT EXISTS FOR (n:Reflection) REQUIRE n.reflection_id IS UNIQUE;
CREATE CONSTRAINT predicate_name IF NOT EXISTS FOR (n:Predicate) REQUIRE (n.group_id, n.name) IS UNIQUE;
CREATE CONSTRAINT work_id IF NOT EXISTS FOR (n:Work) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT work_queue IF NOT EXISTS FOR (n:WorkQueue) REQUIRE (n.group_id, n.lane) IS UNIQUE;
CREATE CONSTRAINT audit_chain_id IF NOT EXISTS FOR (n:AuditChain) REQUIRE n.id IS UNIQUE;

// Rows of the audit in order of time and of place; and those that have no place yet.
CREATE INDEX audit_time IF NOT EXISTS FOR (n:AuditRow) ON (n.group_id, n.recorded_at, n.id);
CREATE INDEX audit_place IF NOT EXISTS FOR (n:AuditRow) ON (n.group_id, n.place);
CREATE INDEX audit_unchained IF NOT EXISTS FOR (n:Unchained) ON (n.group_id, n.recorded_at, n.id);

// Sessions of each user, in the order in which they were opened; those that are open; and those to be looked at.
CREATE INDEX session_time IF NOT EXISTS FOR (n:Session) ON (n.group_id, n.opened_at);
CREATE INDEX session_open IF NOT EXISTS FOR (n:Session) ON (n.group_id, n.user, n.closes_at);
CREATE INDEX session_silence IF NOT EXISTS FOR (n:Session) ON (n.closes_at);
CREATE INDEX session_summarise_due IF NOT EXISTS FOR (n:Session) ON (n.group_id, n.summarise_due);
CREATE INDEX session_consolidate_due IF NOT EXISTS FOR (n:Session) ON (n.consolidate_due);

// Episodes in order of time, of a group or a session; by status; those that a language model is to read in one call; and
// those of which an older reader, or a quicker one, read little.
CREATE INDEX episode_time IF NOT EXISTS FOR (n:Episode) ON (n.group_id, n.occurred_at);
CREATE INDEX episode_session IF NOT EXISTS FOR (n:Episode) ON (n.session_id, n.occurred_at);
CREATE INDEX episode_own_session IF NOT EXISTS FOR (n:Episode) ON (n.own_session_id, n.occurred_at);
CREATE INDEX episode_status IF NOT EXISTS FOR (n:Episode) ON (n.group_id, n.status);
CREATE INDEX episode_call IF NOT EXISTS FOR (n:Episode) ON (n.call_id);
CREATE INDEX episode_revises IF NOT EXISTS FOR (n:Episode) ON (n.revises);
CREATE INDEX episode_low_yield IF NOT EXISTS FOR (n:Episode) ON (n.low_yield);
CREATE INDEX episode_low_yield_of_group IF NOT EXISTS FOR (n:Episode) ON (n.group_id, n.low_yield);

// Evidence of a group in the order in which it was recorded, which is how it is exported.
CREATE INDEX episode_recorded IF NOT EXISTS FOR (n:Episode) ON (n.group_id, n.recorded_at, n.id);
CREATE INDEX claim_recorded IF NOT EXISTS FOR (n:Claim) ON (n.group_id, n.recorded_at, n.id);

// Claims by slot; by what they do to a value, for few of many reject it; by predicate, for a re-projection, which goes
// through its subjects in one group after the other; by when they were recorded; by what kind of a fact they tell a user; and
// by what they gave way to.
CREATE INDEX claim_slot IF NOT EXISTS FOR (n:Claim) ON (n.subject_id, n.predicate, n.target);
CREATE INDEX claim_effect IF NOT EXISTS FOR (n:Claim) ON (n.subject_id, n.kind, n.target);
CREATE INDEX claim_subjects IF NOT EXISTS FOR (n:Claim) ON (n.predicate, n.group_id, n.subject_id);
CREATE INDEX claim_time IF NOT EXISTS FOR (n:Claim) ON (n.group_id, n.user, n.recorded_at);
CREATE INDEX claim_category IF NOT EXISTS FOR (n:Claim) ON (n.group_id, n.user, n.category);
CREATE INDEX claim_gave_way IF NOT EXISTS FOR (n:Claim) ON (n.group_id, n.gave_way_to);

// Entities in lists, by name, and by whom they are known to; those to be compared with others; and those whose merges
// changed a short time ago: claims that name them may have been written by a transaction that did not know of it.
CREATE INDEX entity_group IF NOT EXISTS FOR (n:Entity) ON (n.group_id, n.id);
CREATE INDEX entity_key IF NOT EXISTS FOR (n:Entity) ON (n.group_id, n.key);
CREATE INDEX name_user IF NOT EXISTS FOR (n:Name) ON (n.group_id, n.user, n.entity_id);
CREATE INDEX entity_index_due IF NOT EXISTS FOR (n:Entity) ON (n.group_id, n.index_due);
CREATE INDEX entity_match_due IF NOT EXISTS FOR (n:Entity) ON (n.group_id, n.match_due);
CREATE INDEX name_match_due IF NOT EXISTS FOR (n:Name) ON (n.group_id, n.match_due);
CREATE INDEX entity_overtaken_due IF NOT EXISTS FOR (n:Entity) ON (n.group_id, n.overtaken_due);

// Decisions that two entities are the same, in order of time; judgements that wait for somebody, in order of score.
CREATE INDEX same_as_time IF NOT EXISTS FOR ()-[s:SAME_AS]-() ON (s.group_id, s.recorded_at, s.id);
CREATE INDEX was_same_as_time IF NOT EXISTS FOR ()-[s:WAS_SAME_AS]-() ON (s.group_id, s.recorded_at, s.id);
CREATE INDEX judgement_pending IF NOT EXISTS FOR (n:Judgement) ON (n.group_id, n.pending, n.score, n.id);

// Beliefs by slot, in lists, and by the id that their versions share.
CREATE INDEX relationship_slot IF NOT EXISTS FOR ()-[r:RELATES_TO]-() ON (r.subject_id, r.predicate, r.target);
CREATE INDEX superseded_slot IF NOT EXISTS FOR ()-[r:SUPERSEDED]-() ON (r.subject_id, r.predicate, r.target);
CREATE INDEX fact_slot IF NOT EXISTS FOR (n:Fact) ON (n.subject_id, n.predicate, n.target);
CREATE INDEX superseded_fact_slot IF NOT EXISTS FOR (n:SupersededFact) ON (n.subject_id, n.predicate, n.target);
CREATE INDEX relationship_group IF NOT EXISTS FOR ()-[r:RELATES_TO]-() ON (r.group_id, r.id);
CREATE INDEX superseded_group IF NOT EXISTS FOR ()-[r:SUPERSEDED]-() ON (r.group_id, r.id);
CREATE INDEX fact_group IF NOT EXISTS FOR (n:Fact) ON (n.group_id, n.id);
CREATE INDEX superseded_fact_group IF NOT EXISTS FOR (n:SupersededFact) ON (n.group_id, n.id);
CREATE INDEX relationship_belief IF NOT EXISTS FOR ()-[r:RELATES_TO]-() ON (r.group_id, r.belief_id);
CREATE INDEX superseded_belief IF NOT EXISTS FOR ()-[r:SUPERSEDED]-() ON (r.group_id, r.belief_id);
CREATE INDEX fact_belief IF NOT EXISTS FOR (n:Fact) ON (n.group_id, n.belief_id);
CREATE INDEX superseded_fact_belief IF NOT EXISTS FOR (n:SupersededFact) ON (n.group_id, n.belief_id);

// Beliefs that tell of the beginning or the end of their subject; the few rows that have a bound are in these indexes.
CREATE INDEX relationship_bound IF NOT EXISTS FOR ()-[r:RELATES_TO]-() ON (r.subject_id, r.bound);
CREATE INDEX superseded_bound IF NOT EXISTS FOR ()-[r:SUPERSEDED]-() ON (r.subject_id, r.bound);
CREATE INDEX fact_bound IF NOT EXISTS FOR (n:Fact) ON (n.subject_id, n.bound);
CREATE INDEX superseded_fact_bound IF NOT EXISTS FOR (n:SupersededFact) ON (n.subject_id, n.bound);

// Facts are listed by category, and what is contested is listed to be settled; those of one subject are compared.
CREATE INDEX relationship_category IF NOT EXISTS FOR ()-[r:RELATES_TO]-() ON (r.group_id, r.category);
CREATE INDEX superseded_category IF NOT EXISTS FOR ()-[r:SUPERSEDED]-() ON (r.group_id, r.category);
CREATE INDEX fact_category IF NOT EXISTS FOR (n:Fact) ON (n.group_id, n.category);
CREATE INDEX superseded_fact_category IF NOT EXISTS FOR (n:SupersededFact) ON (n.group_id, n.category);
CREATE INDEX relationship_contested IF NOT EXISTS FOR ()-[r:RELATES_TO]-() ON (r.group_id, r.contested);
CREATE INDEX superseded_contested IF NOT EXISTS FOR ()-[r:SUPERSEDED]-() ON (r.group_id, r.contested);
CREATE INDEX fact_contested IF NOT EXISTS FOR (n:Fact) ON (n.group_id, n.contested);
CREATE INDEX superseded_fact_contested IF NOT EXISTS FOR (n:SupersededFact) ON (n.group_id, n.contested);
CREATE INDEX relationship_subject IF NOT EXISTS FOR ()-[r:RELATES_TO]-() ON (r.group_id, r.category, r.subject_id);
CREATE INDEX fact_subject IF NOT EXISTS FOR (n:Fact) ON (n.group_id, n.category, n.subject_id);

// What users share with everybody, by whose it is and what it is about.
CREATE INDEX shared_subject IF NOT EXISTS FOR (n:SharedValue) ON (n.group_id, n.user, n.subject_id);

// Versions of summaries by identity and in order of their last turn; summaries of entities that are to be made again,
// and entities that are to be looked at.
CREATE INDEX summary_identity IF NOT EXISTS FOR (n:Summary) ON (n.group_id, n.summary_id);
CREATE INDEX summary_time IF NOT EXISTS FOR (n:Summary) ON (n.group_id, n.last_at);
CREATE INDEX superseded_summary_time IF NOT EXISTS FOR (n:SupersededSummary) ON (n.group_id, n.last_at);
CREATE INDEX summary_order IF NOT EXISTS FOR (n:Summary) ON (n.group_id, n.id);
CREATE INDEX superseded_summary_order IF NOT EXISTS FOR (n:SupersededSummary) ON (n.group_id, n.id);
CREATE INDEX summary_session IF NOT EXISTS FOR (n:Summary) ON (n.group_id, n.session, n.last_at);
CREATE INDEX superseded_summary_session IF NOT EXISTS FOR (n:SupersededSummary) ON (n.group_id, n.session, n.last_at);
CREATE INDEX entity_summary_stale IF NOT EXISTS FOR (n:EntitySummary) ON (n.group_id, n.stale_at);
CREATE INDEX entity_summary_due IF NOT EXISTS FOR (n:Entity) ON (n.group_id, n.summary_due);

// Versions of reflections in order of the ends of their weeks, and those that are to be made again.
CREATE INDEX reflection_time IF NOT EXISTS FOR (n:Reflection) ON (n.group_id, n.until_at);
CREATE INDEX superseded_reflection_time IF NOT EXISTS FOR (n:SupersededReflection) ON (n.group_id, n.until_at);
CREATE INDEX reflection_order IF NOT EXISTS FOR (n:Reflection) ON (n.group_id, n.id);
CREATE INDEX superseded_reflection_order IF NOT EXISTS FOR (n:SupersededReflection) ON (n.group_id, n.id);
CREATE INDEX reflection_user IF NOT EXISTS FOR (n:Reflection) ON (n.group_id, n.user, n.until_at);
CREATE INDEX reflection_stale IF NOT EXISTS FOR (n:Reflection) ON (n.group_id, n.stale_at);

// Policies that were in force.
CREATE INDEX superseded_predicate_name IF NOT EXISTS FOR (n:SupersededPredicate) ON (n.group_id, n.name);

// Work to do, one node each, taken by group and lane; and when each of those has work that is due.
CREATE INDEX work_due IF NOT EXISTS FOR (n:Work) ON (n.group_id, n.lane, n.due_at);
CREATE INDEX work_kind IF NOT EXISTS FOR (n:Work) ON (n.group_id, n.kind, n.id);
CREATE INDEX work_queue_due IF NOT EXISTS FOR (n:WorkQueue) ON (n.due_at);

// What waits for its vectors: episodes, with their claims; versions of beliefs, which take those of their claims; names.
CREATE INDEX episode_embed_due IF NOT EXISTS FOR (n:Episode) ON (n.group_id, n.embed_due);
CREATE INDEX fact_embed_due IF NOT EXISTS FOR (n:Fact) ON (n.group_id, n.embed_due);
CREATE INDEX superseded_fact_embed_due IF NOT EXISTS FOR (n:SupersededFact) ON (n.group_id, n.embed_due);
CREATE INDEX relationship_embed_due IF NOT EXISTS FOR ()-[r:RELATES_TO]-() ON (r.group_id, r.embed_due);
CREATE INDEX superseded_embed_due IF NOT EXISTS FOR ()-[r:SUPERSEDED]-() ON (r.group_id, r.embed_due);
CREATE INDEX entity_embed_due IF NOT EXISTS FOR (n:Entity) ON (n.group_id, n.embed_due);

// Full text: group, audience and session are one opaque word each in the index. It follows the commits instead of being
// part of them, which was a third of what each commit took: a search waits for it first, and calls the procedures,
// because SEARCH takes no index of this kind.
CREATE FULLTEXT INDEX relationship_words IF NOT EXISTS
FOR ()-[r:RELATES_TO|SUPERSEDED]-() ON EACH [r.statement, r.group_token, r.audience_token]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: true}};

CREATE FULLTEXT INDEX fact_words IF NOT EXISTS
FOR (n:Fact|SupersededFact) ON EACH [n.statement, n.group_token, n.audience_token]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: true}};

CREATE FULLTEXT INDEX episode_said IF NOT EXISTS
FOR (n:Episode|Passage) ON EACH [n.content, n.speaker, n.group_token, n.audience_token, n.session_token]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: true}};

CREATE FULLTEXT INDEX summary_words IF NOT EXISTS
FOR (n:Summary|SupersededSummary) ON EACH [n.content, n.group_token, n.audience_token]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: true}};

CREATE FULLTEXT INDEX reflection_words IF NOT EXISTS
FOR (n:Reflection|SupersededReflection) ON EACH [n.content, n.group_token, n.audience_token]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: true}};

// Entities, for everybody and in the eyes of one user, by what they have in common with others, as words of hexadecimal
// digits; the most common ones are not asked for.
CREATE FULLTEXT INDEX entity_keys IF NOT EXISTS FOR (n:Entity) ON EACH [n.match_keys]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace', `fulltext.eventually_consistent`: false}};

CREATE FULLTEXT INDEX name_keys IF NOT EXISTS FOR (n:Name) ON EACH [n.match_keys]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace', `fulltext.eventually_consistent`: false}};

// Vectors: group, audience and both time axes are filters inside the index, and a row that lacks one is never found.
// No vector.dimensions: each group keeps to the one model that it records, and groups of several models share an index.
// No quantization: exact, and faster with filters than BINARY. Vectors are put in with half the usual effort
// (ef_construction 50): building these graphs was two thirds of what a bulk load cost the server, and recall@20 under
// filters stayed as it was (docs/benchmarks.md).
CREATE VECTOR INDEX relationship_vectors IF NOT EXISTS
FOR ()-[r:RELATES_TO|SUPERSEDED]-() ON r.embedding
WITH [r.group_id, r.audience, r.valid_from, r.valid_to, r.recorded_at, r.superseded_at, r.fades_at, r.open]
OPTIONS {indexConfig: {
  `vector.similarity_function`: 'cosine', `vector.quantization.type`: 'NONE', `vector.hnsw.ef_construction`: 50
}};

CREATE VECTOR INDEX fact_vectors IF NOT EXISTS
FOR (n:Fact|SupersededFact) ON n.embedding
WITH [n.group_id, n.audience, n.valid_from, n.valid_to, n.recorded_at, n.superseded_at, n.fades_at, n.open]
OPTIONS {indexConfig: {
  `vector.similarity_function`: 'cosine', `vector.quantization.type`: 'NONE', `vector.hnsw.ef_construction`: 50
}};

CREATE VECTOR INDEX episode_vectors IF NOT EXISTS
FOR (n:Episode|Passage) ON n.embedding
WITH [n.group_id, n.audience, n.session_token, n.occurred_at, n.recorded_at]
OPTIONS {indexConfig: {
  `vector.similarity_function`: 'cosine', `vector.quantization.type`: 'NONE', `vector.hnsw.ef_construction`: 50
}};

CREATE VECTOR INDEX entity_vectors IF NOT EXISTS
FOR (n:Entity) ON n.name_embedding
WITH [n.group_id]
OPTIONS {indexConfig: {
  `vector.similarity_function`: 'cosine', `vector.quantization.type`: 'NONE', `vector.hnsw.ef_construction`: 50
}};

CREATE VECTOR INDEX summary_vectors IF NOT EXISTS
FOR (n:Summary|SupersededSummary) ON n.embedding
WITH [n.group_id, n.audience, n.last_at, n.recorded_at, n.superseded_at]
OPTIONS {indexConfig: {
  `vector.similarity_function`: 'cosine', `vector.quantization.type`: 'NONE', `vector.hnsw.ef_construction`: 50
}};

CREATE VECTOR INDEX reflection_vectors IF NOT EXISTS
FOR (n:Reflection|SupersededReflection) ON n.embedding
WITH [n.group_id, n.audience, n.until_at, n.recorded_at, n.superseded_at]
OPTIONS {indexConfig: {
  `vector.similarity_function`: 'cosine', `vector.quantization.type`: 'NONE', `vector.hnsw.ef_construction`: 50
}};
