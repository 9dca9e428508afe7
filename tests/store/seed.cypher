// A few hundred of each kind, so that the planner has reason to use indexes.

// name: seed
// mode: write
// returns: nothing
// params: group, count, begin, end
UNWIND range(1, $count) AS i
WITH i, $group + '-' + i AS id, datetime('2026-01-01T00:00:00Z') + duration({hours: i}) AS at
CREATE (:Group {id: id, name: id, archived_at: at, embedding_model: 'm', dimensions: 3, recorded_at: at, importing: false, imported: false,
  settled_until: at, promised_until: at, ontology: '{}', entity_types: ['t'], unique_sources: ['s'], matching: 'm', refined_weights: '{}', ontology_changed_at: at, month_first: [true], fiscal_year_start: [4], dates_changed_at: [at], forgetting_since: at, reflect_asked_at: at, access_changed_at: at, reflected_at: at, erased_at: at, retention_days: 30, audit_days: 30, keep_shared: true})
CREATE (s:Session {id: id, group_id: $group, name: id, user: '', agent: 'a', subject: 's', recorded_at: at, opened_at: at, closed_at: at, closed_by: 'call', openings: [at], closings: [at], closers: ['call'], closes_at: at, lock_asked_at: at, unsummarised: 1, summarised_until: at, summarised_at: at, summarise_due: at, consolidate_due: at, withdrawn_at: at, attempts: 1})
CREATE (e:Episode {
  id: id, group_id: $group, group_token: 'a0', session: id, session_id: id, own_session_id: id, content: 'Text ' + i, content_type: 'text',
  role: 'user', speaker: 'Ann', user: '', audience: '', audience_token: 'b0', session_token: 'c0',
  time_zone: 'UTC', source: 'seed', tags: [], metadata: '{}', sequence: i, position: 0, occurrence: 1, turn: [i, 0], external_id: id,
  revises: CASE i % 9 WHEN 2 THEN id END, replaced_at: CASE i % 9 WHEN 3 THEN at END, replaced_by: CASE i % 9 WHEN 3 THEN id END,
  occurred_at: at, recorded_at: at, status: ['pending', 'digested', 'failed'][i % 3], attempts: 1, error: 'none',
  lease: 'l', leases: 0, lease_asked_at: at, due_at: at, digested_at: at, outcome: '{}', fingerprint: id, put_keys: ['k'], redacted_at: CASE i % 9 WHEN 1 THEN at END, redacted_as: ['t'], request: id, context_turns: 4, call_id: id,
  revision: 0, reprocessing: '{}', low_yield: 'v' + i, read_again_by: 'r', payload: '{}',
  embedding_model: 'm', passages: 1, embed_due: at, not_embeddable: CASE i % 9 WHEN 0 THEN true END
})
CREATE (a:Entity {
  id: id, group_id: $group, type: 'Person', key: id, qualifier: '', name: id, names: [id], names_at: [at], first_seen: at,
  recorded_at: at, newest_stamp: at, locked: true, locked_at: at, bounded: true, valid_from: $begin, valid_to: $end,
  protected: false, protected_at: [at], match_keys: 'k', terms: ['t'], index_due: at, match_due: at, embed_due: at, overtaken_due: at, overtaken_since: at, embedded_name: id, summary_due: at, summary_since: at
})
CREATE (:Frequency {id: id, group_id: $group, holders: 1})
CREATE (:Receipt {
  id: id, group_id: $group, manifest: 'm', selectors: ['session'], asked_by: '', version: '1', asked_at: at, began_at: at,
  ended_at: at, hashes: ['h'], episodes: 1, claims: 1, mentions: 1, passages: 1, rows: 1, rewritten: 1, reopened: 1,
  texts: 1, shared: 1, entities: 1, sessions: 1
})
CREATE (:ApiKey {
  id: id, group_id: $group, seal: 's', label: 'l', rights: ['read'], groups: [$group], users: ['u'], agents: ['a'],
  made_at: at, made_by: '', expires_at: at, used_at: at, revoked_at: at, revoked_by: '', replaces: id, replaced_by: id
})
CREATE (:Tombstone {id: id, group_id: $group, owner: id, receipt: id, recorded_at: at})
CREATE (row:AuditRow {
  id: id, group_id: $group, recorded_at: at, operation: 'POST /v1/groups/{group}/episodes', key: '', user: 'u', agent: 'a', address: '127.0.0.1',
  kinds: ['episodes'], counts: [1], shown: [1], ids: [id], place: i, previous: 'h', hash: 'h'
})
FOREACH (_ IN CASE i % 20 WHEN 0 THEN [1] ELSE [] END | SET row:Unchained REMOVE row.place)
CREATE (:AuditChain {id: id, group_id: $group, place: i, hash: 'h', first_place: 0, first_hash: '', seal: 's', locked: true})
CREATE (:Name {
  id: id + '/', group_id: $group, entity_id: id, type: 'Person', user: '', names: [id], names_at: [at], said_at: [at],
  match_keys: 'k', match_due: at
})
CREATE (b:Entity {
  id: id + '-b', group_id: $group, type: 'Place', key: id, qualifier: '', name: id, names: [id], names_at: [at], first_seen: at,
  recorded_at: at, newest_stamp: at, locked_at: at
})
CREATE (c:Claim {
  id: id, group_id: $group, episode_id: id, kind: 'starts', subject_id: id, predicate: 'p' + i % 20,
  object_id: id + '-b', value: 1, target: id, statement: 'S', quote: 'Q', quote_start: 0, quote_end: 1,
  valid_from: at, valid_to: $end, from_stated: true, to_stated: false, said_at: at, confidence: 0.9, importance: 0.5,
  user: '', attributes: '{"k": 1}', attribute_keys: ['k'], attribute_values: ['k=1'], category: 'c', session: 's', extractor: 'x', extractor_version: '1', asserted_by: 'person', protecting: true, cap: 0.3, gave_way_to: 'c1', time_unread: 't', beside: true, revision: 0, turn: [i, 0], from_precision: 31, replaced: false, open: true, day: '2025-01-01', event_to: at, recorded_at: at, retracted_at: $end, not_embeddable: CASE i % 9 WHEN 0 THEN true END
})
CREATE (kept:SharedValue {
  id: id, group_id: $group, user: 'u', subject_id: id, predicate: 'p' + i % 20, target: id, object_id: id + '-b', day: '',
  open: false, in_force: i % 2 = 0, acts_at: [at]
})
CREATE (kept)-[:ABOUT]->(a)
CREATE (:Predicate {
  group_id: $group, name: id, cardinality: 'one', rule: 'latest', bound: 'begins', irreflexive: true, recorded_at: at, superseded_at: $end
})
CREATE (:SupersededPredicate {
  group_id: $group, name: id, cardinality: 'one', rule: 'latest', bound: 'begins', irreflexive: true, recorded_at: at, superseded_at: at
})
CREATE (:WorkQueue {group_id: id, lane: i % 3, due_at: at, served_at: at, asked_at: at})
CREATE (:Work {
  id: id + '-work', group_id: $group, kind: ['reproject', 'digest', 'reprocess'][i % 3], target: id, period: '',
  lane: i % 3, status: ['pending', 'done', 'failed'][i % 3], generation: 1, dry_run: false, arguments: '{}', audience: '', cursor: '{}', progress: '{}',
  result: '{}', error: 'none', attempts: 0, leases: 0, lease: 'l', lease_asked_at: at, due_at: at, requested_at: at,
  recorded_at: at, began_at: at, finished_at: at, reprocessing: '{}', low_yield: 'v'
})
CREATE (j:Judgement {id: id, group_id: $group, first_id: id, second_id: id + '-b', user: '', verdict: 'review', method: 'score',
  stage: 'fuzzy', score: 1.0, probability: 0.5, contributions: '[]', vetoes: [], reason: '', pending: true, refused: '', evidence: 'e', recorded_at: at})
CREATE (j)-[:OF]->(a)
CREATE (j)-[:OF]->(b)
CREATE (s)-[:HAS_EPISODE]->(e)
CREATE (e)-[:HAS_PASSAGE]->(:Passage {
  id: id, group_id: $group, group_token: 'a0', episode_id: e.id, start: 0, end: 1, content: 'S', speaker: 's', audience: '',
  audience_token: 'b0', session_token: 'c0', occurred_at: at, recorded_at: at
})
CREATE (s)-[:HAS_SUMMARY]->(u:Summary)
CREATE (s)-[:HAD_SUMMARY]->(v:SupersededSummary)
CREATE (u)-[:SUMMARIZES]->(e)
CREATE (u)-[:CITES]->(c)
CREATE (v)-[:SUMMARIZES]->(e)
CREATE (v)-[:CITES]->(c)
FOREACH (n IN [u, v] | SET n = {
  id: id, summary_id: id, group_id: $group, group_token: 'a0', session_id: id, session: 's', user: '', audience: '', audience_token: 'b0',
  agent: 'a', subject: 's', tier: 1, content: 'S', lines: [], sentences: '[]', tokens: 1, said: 1, first_turn: 1, turns: 1, covers: [], cites: [],
  model: '', prompt: '', material: 'm', asked_at: at, drift: 0.0, first_at: at, first_order: [0, 0], first_id: id, last_at: at, last_order: [0, 0], last_id: id, stale_at: at, was_stale: [at, at],
  recorded_at: at, superseded_at: $end
})
CREATE (w:Reflection)-[:RESTS_ON]->(c)
CREATE (z:SupersededReflection)-[:RESTS_ON]->(c)
FOREACH (n IN [w, z] | SET n = {
  id: id, reflection_id: id, group_id: $group, group_token: 'a0', user: '', audience: '', audience_token: 'b0', content: 'S', sentences: '[]',
  tokens: 1, model: '', prompt: '', material: 'm', memories: 1, new: 1, tags: ['weekly'], since_at: at, until_at: at, stale_at: at, was_stale: [at, at], recorded_at: at, superseded_at: $end
})
CREATE (a)-[:HAS_SUMMARY]->(k:Summary:EntitySummary)-[:CITES]->(c)
CREATE (a)-[:HAD_SUMMARY]->(l:SupersededSummary)-[:CITES]->(c)
FOREACH (n IN [k, l] | SET n = {
  id: id + '-a', summary_id: id + '-a', group_id: $group, group_token: 'a0', entity_id: id, user: '', audience: '', audience_token: 'b0',
  content: 'S', sentences: '[]', tokens: 1, beliefs: [id], model: '', last_at: at, stale_at: at, was_stale: [at, at], recorded_at: at, superseded_at: $end
})
CREATE (e)-[:MENTIONS {start: 0, end: 3, text: 'Ann', group_id: $group, recorded_at: at}]->(a)
CREATE (e)-[:MENTIONED {start: 0, end: 3, text: 'Ann', group_id: $group, recorded_at: at, superseded_at: at}]->(a)
CREATE (e)-[:STATES]->(c)-[:SUBJECT]->(a)
CREATE (c)-[:OBJECT]->(b)
WITH *, {
  id: id, belief_id: id, group_id: $group, group_token: 'a0', fingerprint: id, subject_id: id, predicate: 'p' + i % 20,
  object_id: id + '-b', value: 1, target: id, user: '', audience: '', audience_token: 'b0', open: false, day: '2025-01-01', event_to: $end, fades_at: $end, anchored_at: at, access_count: 1, last_accessed: at, statement: 'S ' + i, attributes: '{"k": 1}', attribute_keys: ['k'], attribute_values: ['k=1'], category: 'c', protected: true, rejected_before: at, rejected_turn: [i, 0], rejected_start: 0, dropped_before: at, dropped_turn: [i, 0], dropped_start: 0, confidence: 0.9,
  importance: 0.5, contested: false, from_stated: true, to_stated: false, cut_by: id, bound: CASE i % 20 WHEN 0 THEN 'begins' END, valid_from: $begin, valid_to: $end,
  recorded_at: at, superseded_at: $end, claim_id: id, embed_due: at
} AS belief
CREATE (a)-[:SAME_AS {id: id, group_id: $group, user: '', session: 's', method: 'human', stage: 'exact', score: 1.0, reason: 'r', first_id: id, second_id: id, recorded_at: at, superseded_at: $end}]->(b)
CREATE (a)-[:WAS_SAME_AS {id: id, group_id: $group, user: '', session: 's', method: 'human', stage: 'exact', score: 1.0, reason: 'r', first_id: id, second_id: id, recorded_at: at, superseded_at: $end}]->(b)
CREATE (a)-[r:RELATES_TO]->(b)
CREATE (a)-[x:SUPERSEDED]->(b)
CREATE (a)-[:HAS_FACT]->(f:Fact)
CREATE (a)-[:HAD_FACT]->(g:SupersededFact)
SET r = belief, x = belief, f = belief, g = belief
WITH a, e, c, r, x, f, g, u, v, w, z
CALL (a) { CALL db.create.setNodeVectorProperty(a, 'name_embedding', [1.0, 0.0, 0.0]) }
WITH e, c, r, x, f, g, u, v, w, z
UNWIND [e, c, f, g, u, v, w, z] AS n
CALL (n) { CALL db.create.setNodeVectorProperty(n, 'embedding', [1.0, 0.0, 0.0]) }
WITH DISTINCT r, x
UNWIND [r, x] AS each
CALL (each) { CALL db.create.setRelationshipVectorProperty(each, 'embedding', [1.0, 0.0, 0.0]) };

// name: replan
// mode: write
// returns: nothing
// params: none
// Counts and samples are taken anew, and plans made before are forgotten.
CALL db.prepareForReplanning(60);

// name: forget_plans
// mode: write
// returns: nothing
// params: none
CALL db.clearQueryCaches();

// name: unseed
// mode: write
// returns: nothing
// params: group
MATCH (n)
WHERE n.group_id = $group OR (n:Group AND n.id STARTS WITH $group) OR (n:WorkQueue AND n.group_id STARTS WITH $group)
DETACH DELETE n;
