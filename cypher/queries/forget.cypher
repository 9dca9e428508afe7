// Forgetting: evidence goes, and with it all that rests on it, at every time at which it was known. Nowhere else does what
// was recorded change. A :Receipt says what went, without a word of it.

// name: episodes_to_forget
// mode: read
// returns: many
// row: IdRow
// params: group, ids, named, audience
// timeless because what is forgotten is forgotten whenever it was said
// Those of the episodes that are there, and all texts of names, given by the ids of the first; with $audience, only theirs.
CALL () {
  UNWIND $ids + $named AS id
  MATCH (e:Episode {id: id})
  USING INDEX SEEK e:Episode(id)
  RETURN e
  UNION
  UNWIND $named AS id
  MATCH (e:Episode)
  USING INDEX SEEK e:Episode(revises)
  WHERE e.revises = id
  RETURN e
}
WITH e WHERE e.group_id = $group AND ($audience IS NULL OR e.user IN $audience)
RETURN e.id AS id ORDER BY id;

// name: episodes_selected
// mode: read
// returns: list
// row: EpisodeTimeRow
// params: group, audience, session, source, entities, since, until, recorded_by, after_time, after_id, limit
// timeless because what is forgotten is forgotten whenever it was said
// Episodes of a group that were stored by an instant, in order of (occurred_at, id), after a position: said in
// [$since, $until), in a session, by a source, or about one of some entities; null asks nothing. With $audience, only
// theirs.
MATCH (e:Episode)
WHERE e.group_id = $group AND e.occurred_at >= $since AND e.occurred_at < $until AND e.occurred_at >= $after_time
  AND (e.occurred_at > $after_time OR e.id > $after_id)
  AND e.recorded_at <= $recorded_by AND ($audience IS NULL OR e.user IN $audience)
  AND ($session IS NULL OR e.session = $session) AND ($source IS NULL OR e.source = $source)
  AND ($entities IS NULL OR EXISTS {
    MATCH (e)-[:MENTIONS|MENTIONED]->(n:Entity)
    WHERE n.id IN $entities
  } OR EXISTS {
    MATCH (e)-[:STATES]->(c:Claim)
    WHERE c.subject_id IN $entities OR c.object_id IN $entities
  })
WITH e ORDER BY e.occurred_at, e.id LIMIT $limit
RETURN collect({id: e.id, occurred_at: toString(e.occurred_at)}) AS rows;

// name: holdings_of_episodes
// mode: read
// returns: list
// row: HoldingRow
// params: group, ids
// timeless because what is forgotten is forgotten whenever it was said
// What is there of episodes, by kind, as ids: it is what somebody agrees to forget.
UNWIND $ids AS id
MATCH (e:Episode {id: id})
USING INDEX SEEK e:Episode(id)
WHERE e.group_id = $group
RETURN collect({
  id: e.id, claims: COLLECT { MATCH (e)-[:STATES]->(c:Claim) RETURN c.id ORDER BY c.id },
  passages: COLLECT { MATCH (e)-[:HAS_PASSAGE]->(p:Passage) RETURN p.id ORDER BY p.id },
  mentions: COUNT { (e)-[:MENTIONS|MENTIONED]->(:Entity) },
  texts: COLLECT {
    MATCH (e)<-[:SUMMARIZES*1..6]-(s)
    RETURN DISTINCT s.id AS text_id ORDER BY text_id
  } + COLLECT {
    MATCH (e)-[:STATES]->(:Claim)<-[:CITES|RESTS_ON]-(s)
    RETURN DISTINCT s.id AS text_id ORDER BY text_id
  }
}) AS rows;

// name: lock_forgotten
// mode: write
// returns: many
// row: ForgottenEpisodeRow
// params: group, ids
// The first statement of an erasure: nobody digests these episodes any more, which are locked in the order given (by id).
UNWIND $ids AS id
MATCH (e:Episode {id: id})
USING INDEX SEEK e:Episode(id)
WHERE e.group_id = $group
SET e.lease_asked_at = datetime.realtime()
RETURN e.id AS id, e.user AS user, e.own_session_id AS session_id, e.occurred_at AS occurred_at;

// name: replaced_texts
// mode: read
// returns: list
// row: ReplacedText
// params: group, ids
// timeless because what is forgotten is forgotten whenever it was said
// Texts of external ids in whose places some episodes came, and what came in the places of these, in order of id.
UNWIND $ids AS id
MATCH (e:Episode {id: id})
USING INDEX SEEK e:Episode(id)
WHERE e.group_id = $group AND e.revises IS NOT NULL
CALL (e) {
  MATCH (old:Episode {id: e.revises})
  USING INDEX SEEK old:Episode(id)
  RETURN old
  UNION
  MATCH (old:Episode)
  USING INDEX SEEK old:Episode(revises)
  WHERE old.revises = e.revises
  RETURN old
}
WITH e, old WHERE old.replaced_by = e.id AND old.group_id = $group
WITH e, old ORDER BY old.id
RETURN collect({
  id: old.id, replaced_at: toString(old.replaced_at), by: e.id, followed_at: toString(e.replaced_at),
  followed_by: e.replaced_by
}) AS rows;

// name: evidence_of_episodes
// mode: read
// returns: one
// row: EvidenceRow
// params: group, ids
// allow: CartesianProduct because each side is one row
// timeless because what is forgotten is forgotten whenever it was said
// All that episodes ever claimed, and the entities that they ever named.
CALL () {
  UNWIND $ids AS id
  MATCH (e:Episode {id: id})-[:STATES]->(c:Claim)
  USING INDEX SEEK e:Episode(id)
  WHERE c.group_id = $group
  RETURN collect({recorded_at: c.recorded_at, retracted_at: c.retracted_at, payload: e.payload, claim:
    // insert: claim
  }) AS claims
}
CALL () {
  UNWIND $ids AS id
  MATCH (e:Episode {id: id})-[:MENTIONS|MENTIONED]->(n:Entity)
  USING INDEX SEEK e:Episode(id)
  WHERE e.group_id = $group
  RETURN collect(DISTINCT n.id) AS named
}
RETURN claims, named;

// name: claims_about
// mode: read
// returns: list
// row: EverClaimedRow
// params: group, rows
// timeless because what is forgotten is forgotten whenever it was said
// All that was ever claimed of subjects with a predicate for a user; and the payload of each episode, which of an act says
// what it was about.
UNWIND $rows AS row
MATCH (c:Claim)
USING INDEX SEEK c:Claim(subject_id, predicate, target)
WHERE c.subject_id = row.subject_id AND c.predicate = row.predicate AND c.target STARTS WITH '' AND c.group_id = $group
  AND c.user = row.user
MATCH (c)<-[:STATES]-(e:Episode)
RETURN collect({recorded_at: c.recorded_at, retracted_at: c.retracted_at, payload: e.payload, claim:
  // insert: claim
}) AS rows;

// name: claims_with_ends
// mode: read
// returns: list
// row: EverClaimedRow
// params: group, ids
// timeless because what is forgotten is forgotten whenever it was said
// All that was ever claimed of entities, whether as subjects or as objects.
UNWIND $ids AS id
MATCH (n:Entity {id: id})<-[:SUBJECT|OBJECT]-(c:Claim)
USING INDEX SEEK n:Entity(id)
WHERE c.group_id = $group
WITH DISTINCT c
RETURN collect({recorded_at: c.recorded_at, retracted_at: c.retracted_at, payload: null, claim:
  // insert: claim
}) AS rows;

// name: decided_ever
// mode: read
// returns: list
// row: DecidedRow
// params: group, ids
// timeless because it asks who was ever who
// All decisions on who is who, in force or not any more, in which some entities have a part.
UNWIND $ids AS id
MATCH (e:Entity {id: id})-[s:SAME_AS|WAS_SAME_AS]-(:Entity)
USING INDEX SEEK e:Entity(id)
WHERE s.group_id = $group
WITH DISTINCT s
RETURN collect({
  id: s.id, recorded_at: s.recorded_at, superseded_at: s.superseded_at, same_as:
  // insert: same_as
}) AS rows;

// name: policies_ever
// mode: read
// returns: list
// row: DatedPolicyRow
// params: group, names
// timeless because it asks which policies were ever in force
// All policies of predicates that were ever in force, of the group and of the service.
CALL () {
  UNWIND $names AS name
  MATCH (p:Predicate)
  WHERE p.group_id IN [$group, ''] AND p.name = name
  RETURN p
  UNION ALL
  UNWIND $names AS name
  MATCH (p:SupersededPredicate)
  WHERE p.group_id IN [$group, ''] AND p.name = name
  RETURN p
}
RETURN collect(p {
  .group_id, .name, .recorded_at, .superseded_at, policy: p {.name, .cardinality, .rule, .bound, .irreflexive}
}) AS rows;

// name: began_at
// mode: read
// returns: one
// row: RecordedRow
// params: group
// timeless because a group is a container, not a belief
// When a group was made.
MATCH (g:Group {id: $group})
USING INDEX SEEK g:Group(id)
RETURN g.recorded_at AS recorded_at;

// name: slots_ever
// mode: read
// returns: list
// row: SlotEverRow
// params: group, slots
// timeless because what is forgotten is forgotten whenever it was said
// All claims that may ever have stood in slots, and all rows that were ever believed there. A target is a prefix: "" takes
// all targets.
UNWIND $slots AS slot
CALL (slot) {
  UNWIND slot.subject_ids AS subject_id
  UNWIND slot.targets AS target
  MATCH (c:Claim)
  USING INDEX SEEK c:Claim(subject_id, predicate, target)
  WHERE c.subject_id = subject_id AND c.predicate = slot.predicate AND c.target STARTS WITH target
    AND c.group_id = $group AND c.user = slot.user AND coalesce(c.open, false) = slot.open
    AND coalesce(c.day, '') = slot.day
    AND (NOT slot.open OR slot.distinguished_by =
      [one IN coalesce(c.attribute_values, []) WHERE one STARTS WITH 'verb=' OR one STARTS WITH 'detail='])
  WITH DISTINCT c
  RETURN collect({recorded_at: c.recorded_at, retracted_at: c.retracted_at, payload: null, claim:
    // insert: claim
  }) AS claims
}
CALL (slot) {
  CALL (slot) {
    MATCH ()-[r:RELATES_TO]->()
    USING INDEX SEEK r:RELATES_TO(subject_id, predicate, target)
    WHERE r.subject_id = slot.subject_id AND r.predicate = slot.predicate AND r.target STARTS WITH slot.target
    RETURN r
    UNION ALL
    MATCH ()-[r:SUPERSEDED]->()
    USING INDEX SEEK r:SUPERSEDED(subject_id, predicate, target)
    WHERE r.subject_id = slot.subject_id AND r.predicate = slot.predicate AND r.target STARTS WITH slot.target
    RETURN r
    UNION ALL
    MATCH (r:Fact)
    USING INDEX SEEK r:Fact(subject_id, predicate, target)
    WHERE r.subject_id = slot.subject_id AND r.predicate = slot.predicate AND r.target STARTS WITH slot.target
    RETURN r
    UNION ALL
    MATCH (r:SupersededFact)
    USING INDEX SEEK r:SupersededFact(subject_id, predicate, target)
    WHERE r.subject_id = slot.subject_id AND r.predicate = slot.predicate AND r.target STARTS WITH slot.target
    RETURN r
  }
  WITH slot, r
  WHERE r.group_id = $group AND r.user = slot.user AND r.open = slot.open AND coalesce(r.day, '') = slot.day
    AND (NOT slot.open OR slot.distinguished_by =
      [one IN coalesce(r.attribute_values, []) WHERE one STARTS WITH 'verb=' OR one STARTS WITH 'detail='])
  RETURN collect(r {
    .id, .belief_id, .fingerprint, .bound, .recorded_at, .superseded_at, .anchored_at, .fades_at, .last_accessed,
    access_count: coalesce(r.access_count, 0)
  }) AS held
}
CALL (slot) {
  UNWIND slot.subject_ids AS subject_id
  MATCH (s:SharedValue)
  USING INDEX SEEK s:SharedValue(group_id, user, subject_id)
  WHERE s.group_id = $group AND s.user = slot.user AND s.subject_id = subject_id AND s.predicate = slot.predicate
    AND s.in_force = true
  RETURN collect({id: s.id}) AS shared
}
RETURN collect({claims: claims, held: held, shared: shared}) AS rows;

// name: support_left
// mode: read
// returns: list
// row: SupportLeftRow
// params: group, ids, episodes, claims
// timeless because what is forgotten is forgotten whenever it was said
// Entities, and whether anything still names them but some episodes and claims.
UNWIND $ids AS id
MATCH (e:Entity {id: id})
USING INDEX SEEK e:Entity(id)
WHERE e.group_id = $group
RETURN collect({
  id: e.id, first_seen: toString(e.first_seen), supported: EXISTS {
    MATCH (e)<-[:MENTIONS|MENTIONED]-(said:Episode)
    WHERE NOT said.id IN $episodes
  } OR EXISTS {
    MATCH (e)<-[:SUBJECT|OBJECT]-(c:Claim)
    WHERE NOT c.id IN $claims
  }
}) AS rows;

// name: drop_rows
// mode: write
// returns: nothing
// params: group, ids
// audit: beliefs_erased #ids
// Rows of beliefs go, believed or not any more.
UNWIND $ids AS id
CALL (id) {
  OPTIONAL MATCH ()-[r:RELATES_TO {id: id}]->()
  USING INDEX SEEK r:RELATES_TO(id)
  WHERE r.group_id = $group
  DELETE r
}
CALL (id) {
  OPTIONAL MATCH ()-[r:SUPERSEDED {id: id}]->()
  USING INDEX SEEK r:SUPERSEDED(id)
  WHERE r.group_id = $group
  DELETE r
}
CALL (id) {
  OPTIONAL MATCH (f:Fact {id: id})
  USING INDEX SEEK f:Fact(id)
  WHERE f.group_id = $group
  DETACH DELETE f
}
CALL (id) {
  OPTIONAL MATCH (f:SupersededFact {id: id})
  USING INDEX SEEK f:SupersededFact(id)
  WHERE f.group_id = $group
  DETACH DELETE f
};

// name: end_rows
// mode: write
// returns: nothing
// params: group, rows
// Rows of beliefs end at another time than they did: those that never did are believed again, others no more.
UNWIND $rows AS row
WITH row, datetime(row.superseded_at) AS until, datetime('9999-12-31T23:59:59.999999Z') AS never
CALL (row, until, never) {
  MATCH (s)-[r:RELATES_TO {id: row.id}]->(o)
  USING INDEX SEEK r:RELATES_TO(id)
  WHERE r.group_id = $group AND until < never
  CREATE (s)-[x:SUPERSEDED]->(o)
  SET x = properties(r), x.superseded_at = until
  DELETE r
}
CALL (row, until, never) {
  MATCH (s)-[r:SUPERSEDED {id: row.id}]->(o)
  USING INDEX SEEK r:SUPERSEDED(id)
  WHERE r.group_id = $group
  SET r.superseded_at = until
  WITH s, r, o, until, never WHERE until = never
  CREATE (s)-[x:RELATES_TO]->(o)
  SET x = properties(r)
  DELETE r
}
CALL (row, until, never) {
  MATCH (e:Entity)-[h:HAS_FACT]->(f:Fact {id: row.id})
  USING INDEX SEEK f:Fact(id)
  WHERE f.group_id = $group AND until < never
  CREATE (e)-[:HAD_FACT]->(f)
  SET f:SupersededFact, f.superseded_at = until
  REMOVE f:Fact
  DELETE h
}
CALL (row, until, never) {
  MATCH (e:Entity)-[h:HAD_FACT]->(f:SupersededFact {id: row.id})
  USING INDEX SEEK f:SupersededFact(id)
  WHERE f.group_id = $group
  SET f.superseded_at = until
  WITH e, h, f, until, never WHERE until = never
  CREATE (e)-[:HAS_FACT]->(f)
  SET f:Fact
  REMOVE f:SupersededFact
  DELETE h
};

// name: write_versions
// mode: write
// returns: nothing
// params: group, group_token, rows
// allow: CartesianProduct because each side is one node, found by its unique id
// Versions of beliefs that are recorded at the time at which they would have been, until then. The vector is that of the
// first claim, or waits with it.
UNWIND $rows AS row
MATCH (c:Claim {id: row.claim_id})
USING INDEX SEEK c:Claim(id)
MATCH (s:Entity {id: row.subject_id})
USING INDEX SEEK s:Entity(id)
CALL (row, c, s) {
  WITH row, c, s WHERE row.relates AND row.believed
  MATCH (o:Entity {id: row.object_id})
  USING INDEX SEEK o:Entity(id)
  CREATE (s)-[r:RELATES_TO]->(o)
  // insert: as_recorded
}
CALL (row, c, s) {
  WITH row, c, s WHERE row.relates AND NOT row.believed
  MATCH (o:Entity {id: row.object_id})
  USING INDEX SEEK o:Entity(id)
  CREATE (s)-[r:SUPERSEDED]->(o)
  // insert: as_recorded
}
CALL (row, c, s) {
  WITH row, c, s WHERE NOT row.relates AND row.believed
  CREATE (s)-[:HAS_FACT]->(r:Fact)
  // insert: as_recorded
}
CALL (row, c, s) {
  WITH row, c, s WHERE NOT row.relates AND NOT row.believed
  CREATE (s)-[:HAD_FACT]->(r:SupersededFact)
  // insert: as_recorded
};

// name: erase_texts
// mode: write
// returns: one
// row: CountRow
// params: group, episodes, claims, now
// Texts that were made of these episodes or claims go, with those above and all their earlier versions: they are made anew
// of what is left, and whoever is about to write one begins anew. A reflection that stands is made again in its place.
CALL () {
  UNWIND $episodes AS id
  MATCH (seen:Episode {id: id})<-[:SUMMARIZES*1..6]-(s)
  USING INDEX SEEK seen:Episode(id)
  RETURN s
  UNION
  UNWIND $claims AS id
  MATCH (seen:Claim {id: id})<-[:CITES]-(:Summary|SupersededSummary)<-[:SUMMARIZES*0..6]-(s)
  USING INDEX SEEK seen:Claim(id)
  RETURN s
  UNION
  UNWIND $claims AS id
  MATCH (seen:Claim {id: id})<-[:RESTS_ON]-(s:Reflection|SupersededReflection)
  USING INDEX SEEK seen:Claim(id)
  RETURN s
}
WITH s WHERE s.group_id = $group
CALL (s) {
  MATCH (s)<-[:HAS_SUMMARY|HAD_SUMMARY]-(session:Session)
  SET session.summarise_due = $now, session.withdrawn_at = $now
}
CALL (s) {
  MATCH (s)<-[:HAS_SUMMARY|HAD_SUMMARY]-(about:Entity)
  SET about.summary_due = $now, about.summary_since = coalesce(about.summary_since, $now)
}
CALL (s) {
  WITH s WHERE s:Reflection
  SET s.content = '', s.sentences = '[]', s.material = '', s.stale_at = coalesce(s.stale_at, $now)
  REMOVE s.embedding
  WITH s
  MATCH (s)-[cites:RESTS_ON]->()
  DELETE cites
}
CALL (s) {
  WITH s WHERE NOT s:Reflection
  DETACH DELETE s
}
RETURN count(*) AS count;

// name: erase_evidence
// mode: write
// returns: one
// row: ErasedRow
// params: group, episodes, claims
// audit: episodes_erased #episodes, claims_erased #claims
// Claims go, and episodes with their passages, mentions and other claims; and episodes of which nothing is left but that
// they were acts.
CALL () {
  UNWIND $claims AS id
  MATCH (c:Claim {id: id})<-[:STATES]-(e:Episode)
  USING INDEX SEEK c:Claim(id)
  WHERE c.group_id = $group
  WITH collect(c) AS gone, collect(DISTINCT e) AS acts
  FOREACH (c IN gone | DETACH DELETE c)
  RETURN size(gone) AS claims, acts
}
CALL (acts) {
  UNWIND acts AS act
  WITH act WHERE NOT EXISTS { (act)-[:STATES]->(:Claim) } AND act.payload IS NOT NULL AND NOT act.id IN $episodes
  RETURN collect(act) AS empty
}
CALL (empty) {
  UNWIND empty AS act
  DETACH DELETE act
}
CALL () {
  UNWIND $episodes AS id
  MATCH (e:Episode {id: id})
  USING INDEX SEEK e:Episode(id)
  WHERE e.group_id = $group
  WITH e, COUNT { (e)-[:MENTIONS|MENTIONED]->(:Entity) } AS named, COLLECT { MATCH (e)-[:HAS_PASSAGE]->(p) RETURN p } AS parts
  FOREACH (p IN parts | DETACH DELETE p)
  WITH e, named, size(parts) AS parts
  DETACH DELETE e
  RETURN count(*) AS episodes, sum(named) AS mentions, sum(parts) AS passages
}
RETURN episodes + size(empty) AS episodes, claims, mentions, passages;

// name: put_texts_back
// mode: write
// returns: nothing
// params: group, rows, now
// audit: episodes rows.id
// What took the place of texts is erased: another one does at another instant, or (null) they have their external ids
// again, with the claims and mentions that they had until then; one that was not digested waits for that.
UNWIND $rows AS row
MATCH (e:Episode {id: row.id})
USING INDEX SEEK e:Episode(id)
WHERE e.group_id = $group
CALL (e, row) {
  MATCH (e)-[:HAS_PASSAGE]->(p:Passage)
  SET p.replaced_at = datetime(row.replaced_at)
}
CALL (e, row) {
  MATCH (e)-[:STATES]->(c:Claim)
  WHERE c.group_id = $group AND c.retracted_at = e.replaced_at
  SET
    c.retracted_at = coalesce(datetime(row.replaced_at), datetime('9999-12-31T23:59:59.999999Z')),
    c.replaced = CASE WHEN row.replaced_at IS NOT NULL THEN c.replaced END
}
CALL (e, row) {
  MATCH (e)-[old:MENTIONED]->(n:Entity)
  WHERE old.superseded_at = e.replaced_at
  SET old.superseded_at = datetime(row.replaced_at)
  WITH e, old, n WHERE old.superseded_at IS NULL
  CREATE (e)-[m:MENTIONS]->(n)
  SET m = properties(old)
  DELETE old
}
CALL (e) {
  MATCH (session:Session)-[:HAS_EPISODE]->(e)
  SET session.withdrawn_at = $now, session.summarise_due = $now
}
SET e.replaced_at = datetime(row.replaced_at), e.replaced_by = row.replaced_by
WITH e WHERE e.replaced_at IS NULL AND e.status = 'replaced'
SET e.status = CASE WHEN e.digested_at IS NULL THEN 'pending' ELSE 'digested' END
WITH e WHERE e.status = 'pending'
SET
  e:Work, e.kind = 'digest', e.lane = 0, e.attempts = 0, e.leases = 0,
  e.due_at = datetime.truncate('microsecond', datetime.realtime());

// name: erase_shared
// mode: write
// returns: one
// row: CountRow
// params: group, ids
// Values that somebody shared, of which nothing is claimed any more.
UNWIND $ids AS id
MATCH (s:SharedValue {id: id})
USING INDEX SEEK s:SharedValue(id)
WHERE s.group_id = $group AND NOT EXISTS {
  MATCH (c:Claim)
  USING INDEX SEEK c:Claim(subject_id, predicate, target)
  WHERE c.subject_id = s.subject_id AND c.predicate = s.predicate AND c.target = s.target
    AND c.group_id = $group AND c.user = s.user
}
DETACH DELETE s
RETURN count(*) AS count;

// name: erase_entities
// mode: write
// returns: one
// row: ErasedEntitiesRow
// params: group, ids, of_whole_names, buckets
// audit: entities_erased #ids
// Entities that nothing names any more, with their names, with what was thought of them and others, with the decisions on
// who they were, and with what was written about them. Terms of their names have a holder less, or go with the last one:
// those of whole names are counted for each entity, the others for each name, whose last one takes them. Of which terms
// there are fewer than a number of $buckets now, is told.
UNWIND $ids AS id
MATCH (e:Entity {id: id})
USING INDEX SEEK e:Entity(id)
WHERE e.group_id = $group
SET e.locked = true
WITH e WHERE NOT EXISTS { (e)<-[:MENTIONS|MENTIONED|SUBJECT|OBJECT]-() }
CALL (e) {
  UNWIND coalesce(e.terms, []) AS token
  MATCH (f:Frequency {id: token})
  USING INDEX SEEK f:Frequency(id)
  WHERE f.group_id = $group AND (token ENDS WITH $of_whole_names OR NOT EXISTS {
    MATCH (o:Entity {group_id: $group, key: e.key})
    USING INDEX SEEK o:Entity(group_id, key)
    WHERE token IN coalesce(o.terms, []) AND (o.id > e.id OR NOT o.id IN $ids)
  })
  SET f.holders = f.holders - 1
  WITH f, token, f.holders AS holders
  CALL (f, holders) {
    WITH f, holders WHERE holders < 1
    DELETE f
  }
  RETURN collect(CASE WHEN holders + 1 IN $buckets THEN token END) AS rarer
}
CALL (e) {
  MATCH (e)<-[:OF]-(j:Judgement)
  DETACH DELETE j
}
CALL (e) {
  MATCH (e)-[:HAS_SUMMARY|HAD_SUMMARY]->(s)
  DETACH DELETE s
}
CALL (e) {
  MATCH (e)<-[:ABOUT]-(s:SharedValue)
  DETACH DELETE s
}
CALL (e) {
  MATCH (k:Name)
  USING INDEX SEEK k:Name(id)
  WHERE k.id STARTS WITH e.id + '/' AND k.group_id = $group
  DELETE k
}
DETACH DELETE e
WITH count(*) AS count, collect(rarer) AS each
RETURN count, reduce(tokens = [], some IN each | tokens + some) AS rarer;

// name: unnamed_entities
// mode: read
// returns: many
// row: IdRow
// params: group, after, limit
// timeless because what nothing names is nobody's, whenever that was
// Entities of a group that nothing names any more, in order of id, after one.
MATCH (e:Entity)
WHERE e.group_id = $group AND e.id > $after AND NOT EXISTS { (e)<-[:MENTIONS|MENTIONED|SUBJECT|OBJECT]-() }
RETURN e.id AS id ORDER BY e.group_id, e.id LIMIT $limit;

// name: move_decisions
// mode: write
// returns: nothing
// params: group, rows
// allow: CartesianProduct because each side is one node, found by its unique id
// Decisions that named an entity which goes: in its place another one stood for the others, from then to then.
UNWIND $rows AS row
MATCH (a:Entity {id: row.member})
USING INDEX SEEK a:Entity(id)
MATCH (b:Entity {id: row.other})
USING INDEX SEEK b:Entity(id)
WHERE a.group_id = $group AND b.group_id = $group
CALL (row) {
  MATCH ()-[s:SAME_AS {id: row.former}]->()
  USING INDEX SEEK s:SAME_AS(id)
  RETURN s AS former
  UNION ALL
  MATCH ()-[s:WAS_SAME_AS {id: row.former}]->()
  USING INDEX SEEK s:WAS_SAME_AS(id)
  RETURN s AS former
}
WITH a, b, row, former
CALL (a, b, row, former) {
  WITH a, b, row, former WHERE row.in_force
  CREATE (a)-[s:SAME_AS]->(b)
  SET s = former {.*, id: row.id}
  RETURN s
  UNION
  WITH a, b, row, former WHERE NOT row.in_force
  CREATE (a)-[s:WAS_SAME_AS]->(b)
  SET s = former {.*, id: row.id}
  RETURN s
}
SET s.first_id = row.first_id, s.second_id = row.second_id, s.reason = '',
  s.recorded_at = datetime(row.recorded_at), s.superseded_at = datetime(row.superseded_at);

// name: namings
// mode: read
// returns: list
// row: NamingRow
// params: group, ids, users, episodes
// allow: CartesianProduct because each side is one node, found by its unique id
// timeless because what is forgotten is forgotten whenever it was said
// Of entities that stay, under which names everybody and each user know them, and whether anything but some episodes still
// names them to those. What $users had heard of may be more than they have now.
UNWIND $ids AS id
UNWIND $users AS user
MATCH (e:Entity {id: id})
USING INDEX SEEK e:Entity(id)
MATCH (k:Name {id: id + '/' + user})
USING INDEX SEEK k:Name(id)
WHERE e.group_id = $group AND k.group_id = $group
RETURN collect({
  id: k.id, entity_id: e.id, user: k.user, key: e.key, names: k.names, names_at: [at IN k.names_at | toString(at)],
  said_at: [at IN k.said_at | toString(at)], types: k.types, types_by: k.types_by,
  types_said_at: [at IN k.types_said_at | toString(at)], types_at: [at IN k.types_at | toString(at)],
  known: EXISTS {
    MATCH (e)<-[:MENTIONS|MENTIONED]-(said:Episode)
    WHERE said.user = user AND NOT said.id IN $episodes
  } OR EXISTS {
    MATCH (e)<-[:SUBJECT|OBJECT]-(:Claim)<-[:STATES]-(said:Episode)
    WHERE said.user = user AND NOT said.id IN $episodes
  }
}) AS rows;

// name: namings_left
// mode: read
// returns: list
// row: NamingLeftRow
// params: group, rows, limit
// allow: CartesianProduct because each side is one node, found by its unique id
// timeless because what is forgotten is forgotten whenever it was said
// How entities are named in what is left of what was said to everybody or a user, first the first, up to $limit each.
UNWIND $rows AS row
MATCH (e:Entity {id: row.entity_id})
USING INDEX SEEK e:Entity(id)
WHERE e.group_id = $group
CALL (e, row) {
  CALL (e, row) {
    MATCH (e)<-[m:MENTIONS|MENTIONED]-(said:Episode)
    WHERE said.user = row.user
    RETURN said.occurred_at AS said_at, m.recorded_at AS at, nullIf(m.text, '') AS text
    UNION ALL
    MATCH (e)<-[:SUBJECT|OBJECT]-(c:Claim)<-[:STATES]-(said:Episode)
    WHERE said.user = row.user
    RETURN said.occurred_at AS said_at, c.recorded_at AS at, null AS text
  }
  WITH said_at, at, text ORDER BY said_at, at, text LIMIT $limit
  RETURN collect({said_at: toString(said_at), at: toString(at), text: text}) AS namings
}
RETURN collect({id: row.id, namings: namings}) AS rows;

// name: rewrite_names
// mode: write
// returns: nothing
// params: group, rows, now
// allow: CartesianProduct because each side is one node, found by its unique id
// Names under which everybody or a user know entities are those of what is left; without any, they know nothing of them.
UNWIND $rows AS row
MATCH (k:Name {id: row.id})
USING INDEX SEEK k:Name(id)
WHERE k.group_id = $group
SET
  k.names = row.names, k.names_at = [at IN row.names_at | datetime(at)], k.said_at = [at IN row.said_at | datetime(at)],
  k.types = row.types, k.types_by = row.types_by, k.types_said_at = [at IN row.types_said_at | datetime(at)],
  k.types_at = [at IN row.types_at | datetime(at)], k.match_keys = '', k.match_due = $now
WITH k WHERE size(k.names) = 0
DELETE k;

// name: rename_entities
// mode: write
// returns: nothing
// params: group, ids, shared_with_all, now
// Entities are called as anybody still calls them, since anybody did; what follows from their name is made again.
UNWIND $ids AS id
MATCH (e:Entity {id: id})
USING INDEX SEEK e:Entity(id)
WHERE e.group_id = $group
CALL (e) {
  MATCH (k:Name)
  USING INDEX SEEK k:Name(id)
  WHERE k.id STARTS WITH e.id + '/' AND k.user <> $shared_with_all AND k.group_id = $group
  UNWIND range(0, size(k.names) - 1) AS nth
  WITH k.names[nth] AS name, k.names_at[nth] AS at, k.said_at[nth] AS said_at ORDER BY at, said_at, name
  RETURN collect({name: name, at: at, said_at: said_at}) AS said
}
CALL (e) {
  MATCH (k:Name)
  USING INDEX SEEK k:Name(id)
  WHERE k.id STARTS WITH e.id + '/' AND k.user <> $shared_with_all AND k.group_id = $group
  UNWIND range(0, size(k.types) - 1) AS nth
  WITH k.types[nth] AS type, k.types_by[nth] AS by, k.types_said_at[nth] AS said_at, k.types_at[nth] AS at
  ORDER BY at, -by, said_at, type
  RETURN collect({type: type, by: by, said_at: said_at, at: at}) AS told
}
WITH e, [nth IN range(0, size(said) - 1) WHERE NOT any(
    before IN said[..nth] WHERE before.said_at < said[nth].said_at
      OR (before.said_at = said[nth].said_at AND before.name <= said[nth].name)
  ) | said[nth]] AS said, [nth IN range(0, size(told) - 1) WHERE NOT any(
    before IN told[..nth] WHERE before.by > told[nth].by OR (before.by = told[nth].by AND (
      before.said_at < told[nth].said_at OR (before.said_at = told[nth].said_at AND before.type <= told[nth].type)))
  ) | told[nth]] AS told
WHERE size(said) > 0
SET
  e.names = [one IN said | one.name], e.names_at = [one IN said | one.at],
  e.first_seen = last(said).said_at, e.recorded_at = said[0].at,
  e.name = CASE WHEN e.qualifier STARTS WITH 'user:' THEN e.name ELSE last(said).name END,
  e.types = [one IN told | one.type], e.types_by = [one IN told | one.by],
  e.types_said_at = [one IN told | one.said_at], e.types_at = [one IN told | one.at],
  e.embedded_name = null, e.match_keys = null, e.index_due = $now
REMOVE e.name_embedding;

// name: erase_sessions
// mode: write
// returns: one
// row: CountRow
// params: group, ids
// audit: sessions_erased #ids
// Sessions in which nothing is left that was said, with their summaries.
UNWIND $ids AS id
MATCH (s:Session {id: id})
USING INDEX SEEK s:Session(id)
WHERE s.group_id = $group
SET s.lock_asked_at = datetime.realtime()
WITH s WHERE NOT EXISTS { (s)-[:HAS_EPISODE]->(:Episode) }
CALL (s) {
  MATCH (s)-[:HAS_SUMMARY|HAD_SUMMARY]->(text)
  DETACH DELETE text
}
DETACH DELETE s
RETURN count(*) AS count;

// name: restamp
// mode: write
// returns: nothing
// params: group, ids, now
// What is known of entities changed: the next writer exceeds this instant, and who they are is to be looked at again.
UNWIND $ids AS id
MATCH (e:Entity {id: id})
USING INDEX SEEK e:Entity(id)
WHERE e.group_id = $group
SET
  e.newest_stamp = $now, e.summary_due = $now, e.summary_since = coalesce(e.summary_since, $now), e.index_due = $now;

// name: begin_forgetting
// mode: write
// returns: nothing
// params: group, id, manifest, selectors, by, version, now
// audit: receipts id
// Somebody agreed to what is to be forgotten: a receipt, which counts what goes.
MERGE (r:Receipt {id: $id})
ON CREATE SET
  r.group_id = $group, r.manifest = $manifest, r.selectors = $selectors, r.asked_by = $by, r.version = $version,
  r.asked_at = $now, r.episodes = 0, r.claims = 0, r.mentions = 0, r.passages = 0, r.rows = 0, r.texts = 0,
  r.entities = 0, r.sessions = 0, r.shared = 0, r.rewritten = 0, r.reopened = 0, r.hashes = [];

// name: count_erased
// mode: write
// returns: nothing
// params: group, id, counts, hashes, now
// audit: receipts id
// What a transaction erases, in that transaction, on a receipt where there is one; and when answers of the group last
// changed about the past: by the clock, also where a group imports and $now is that of its last evidence.
MATCH (g:Group {id: $group})
USING INDEX SEEK g:Group(id)
WITH g, datetime.truncate('microsecond', datetime.realtime()) AS clock
SET g.erased_at = CASE WHEN g.erased_at > clock THEN g.erased_at ELSE clock END
WITH g
MATCH (r:Receipt {id: $id})
USING INDEX SEEK r:Receipt(id)
WHERE r.group_id = $group
SET
  r.began_at = coalesce(r.began_at, $now), r.hashes = r.hashes + $hashes, r.episodes = r.episodes + $counts.episodes,
  r.claims = r.claims + $counts.claims, r.mentions = r.mentions + $counts.mentions,
  r.passages = r.passages + $counts.passages, r.rows = r.rows + $counts.rows, r.texts = r.texts + $counts.texts,
  r.entities = r.entities + $counts.entities, r.sessions = r.sessions + $counts.sessions,
  r.shared = r.shared + $counts.shared, r.rewritten = r.rewritten + $counts.rewritten,
  r.reopened = r.reopened + $counts.reopened;

// name: end_forgetting_of
// mode: write
// returns: nothing
// params: group, id, now
// audit: receipts id
// All went that was to: the receipt says when, and the work no longer says what.
MATCH (r:Receipt {id: $id})
USING INDEX SEEK r:Receipt(id)
WHERE r.group_id = $group
SET r.ended_at = coalesce(r.ended_at, $now)
WITH r
MATCH (w:Work {id: $id})
USING INDEX SEEK w:Work(id)
WHERE w.group_id = $group
SET w.arguments = '{}';

// name: receipt
// mode: read
// returns: optional
// row: ReceiptRow
// params: group, id
// timeless because it tells what was done, and nothing of what was believed
// What was forgotten, without a word of it.
MATCH (r:Receipt {id: $id})
USING INDEX SEEK r:Receipt(id)
WHERE r.group_id = $group
RETURN r {
  .id, .manifest, .selectors, .asked_by, .version, .asked_at, .began_at, .ended_at, .hashes, erased: r {
    .episodes, .claims, .mentions, .passages, .rows, .rewritten, .reopened, .texts, .shared, .entities, .sessions
  }
} AS receipt;

// name: where_told
// mode: read
// returns: many
// row: CanaryPlace
// params: group, words
// timeless because what is forgotten is forgotten whenever it was said
// allow: AllNodesScan because a word may be left in any node
// allow: DirectedAllRelationshipsScan because a word may be left in any relationship
// Where words (of a canary by its number, in the ways in which it is written, in lower case) stand: in which property of which kind of node or
// relationship of a group, or of none; other groups and keys are nobody's business here.
CALL () {
  MATCH (n)
  WHERE coalesce(n.group_id, CASE WHEN n:Group THEN n.id WHEN n:ApiKey THEN '' ELSE $group END) = $group
  UNWIND [key IN keys(n) WHERE NOT key ENDS WITH 'embedding'] AS key
  RETURN labels(n) AS kinds, key, n[key] AS value
  UNION ALL
  MATCH ()-[r]->()
  WHERE coalesce(r.group_id, $group) = $group
  UNWIND [key IN keys(r) WHERE NOT key ENDS WITH 'embedding'] AS key
  RETURN [type(r)] AS kinds, key, r[key] AS value
}
WITH kinds, key,
  [one IN CASE WHEN value IS :: LIST<ANY> THEN value ELSE [value] END | toLower(toStringOrNull(one))] AS texts
UNWIND $words AS word
WITH kinds, key, word WHERE any(text IN texts WHERE any(way IN word.ways WHERE text CONTAINS way))
RETURN word.canary AS canary, kinds, key, count(*) AS count;

// name: found_by_words
// mode: read
// returns: many
// row: CanaryPlace
// params: group, words
// timeless because what is forgotten is forgotten whenever it was said
// Which full-text indexes find words (each of a canary by its number) in a group, once they have followed. They find
// inflections, too.
CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()
UNWIND $words AS word
CALL (word) {
  UNWIND ['fact_words', 'episode_said', 'summary_words', 'reflection_words', 'entity_keys', 'name_keys'] AS index
  CALL db.index.fulltext.queryNodes(index, word.text) YIELD node
  WITH index, node WHERE node.group_id = $group
  RETURN index
  UNION ALL
  CALL db.index.fulltext.queryRelationships('relationship_words', word.text) YIELD relationship
  WITH relationship WHERE relationship.group_id = $group
  RETURN 'relationship_words' AS index
}
RETURN word.canary AS canary, [index] AS kinds, '' AS key, count(*) AS count;

// name: same_vectors
// mode: read
// returns: many
// row: CanaryPlace
// params: group, canary, vector, least
// timeless because what is forgotten is forgotten whenever it was said
// Which vector indexes have vectors of a group, among the ten nearest, that are as good as that of a canary: of texts that
// say the same.
CALL () {
  MATCH ()-[r:RELATES_TO|SUPERSEDED]->()
  SEARCH r IN (VECTOR INDEX relationship_vectors FOR $vector WHERE r.group_id = $group LIMIT 10) SCORE AS score
  RETURN 'relationship_vectors' AS index, score
  UNION ALL
  MATCH (r:Fact|SupersededFact)
  SEARCH r IN (VECTOR INDEX fact_vectors FOR $vector WHERE r.group_id = $group LIMIT 10) SCORE AS score
  RETURN 'fact_vectors' AS index, score
  UNION ALL
  MATCH (r:Episode|Passage)
  SEARCH r IN (VECTOR INDEX episode_vectors FOR $vector WHERE r.group_id = $group LIMIT 10) SCORE AS score
  RETURN 'episode_vectors' AS index, score
  UNION ALL
  MATCH (r:Entity)
  SEARCH r IN (VECTOR INDEX entity_vectors FOR $vector WHERE r.group_id = $group LIMIT 10) SCORE AS score
  RETURN 'entity_vectors' AS index, score
  UNION ALL
  MATCH (r:Summary|SupersededSummary)
  SEARCH r IN (VECTOR INDEX summary_vectors FOR $vector WHERE r.group_id = $group LIMIT 10) SCORE AS score
  RETURN 'summary_vectors' AS index, score
  UNION ALL
  MATCH (r:Reflection|SupersededReflection)
  SEARCH r IN (VECTOR INDEX reflection_vectors FOR $vector WHERE r.group_id = $group LIMIT 10) SCORE AS score
  RETURN 'reflection_vectors' AS index, score
}
WITH index, score WHERE score >= $least
RETURN $canary AS canary, [index] AS kinds, 'embedding' AS key, count(*) AS count;

// name: shared_beliefs
// mode: read
// returns: list
// row: SharedBelief
// params: group, user
// allow: CartesianProduct because each side is one node, found by its unique id
// timeless because what is kept is what is believed now, of all times
// What is believed of what a user shares: the claim that lends its words, its times and figures, and how the user calls
// what is named there.
CALL () {
  MATCH ()-[r:RELATES_TO]->()
  WHERE r.group_id = $group AND r.id > '' AND r.user = $user AND r.audience = ''
  RETURN r
  UNION ALL
  MATCH (r:Fact)
  WHERE r.group_id = $group AND r.id > '' AND r.user = $user AND r.audience = ''
  RETURN r
}
MATCH (c:Claim {id: r.claim_id})
USING INDEX SEEK c:Claim(id)
RETURN collect({
  belief_id: r.belief_id, valid_from: toString(r.valid_from), valid_to: toString(r.valid_to),
  from_stated: r.from_stated, to_stated: r.to_stated, confidence: r.confidence, importance: r.importance,
  category: coalesce(r.category, ''), named: COLLECT {
    UNWIND [c.subject_id, c.object_id] AS id
    MATCH (e:Entity {id: id})
    USING INDEX SEEK e:Entity(id)
    MATCH (k:Name {id: id + '/' + $user})
    USING INDEX SEEK k:Name(id)
    WHERE e.group_id = $group AND k.group_id = $group
    RETURN {
      name: last(k.names), qualifier: e.qualifier, type: coalesce(last(k.types), ''),
      typed_by: coalesce(last(k.types_by), 0)
    }
  }, claim:
  // insert: claim
}) AS rows;
