// Candidates for who is who: entities are indexed by what they may have in common, and compared with those they share it with.

// name: next_group_to_match
// mode: read
// returns: optional
// row: IdRow
// params: after
// timeless because it is about work to do, not about beliefs
// all groups because each group's entities are compared with each other
// The next group in which entities are to be indexed or compared, also in users' eyes, their names to be embedded, or
// claims to be placed again.
CALL () {
  MATCH (e:Entity)
  WHERE e.group_id > $after AND e.index_due > datetime('0001-01-01T00:00:00Z')
  RETURN e.group_id AS group_id ORDER BY e.group_id, e.index_due LIMIT 1
  UNION ALL
  MATCH (e:Entity)
  WHERE e.group_id > $after AND e.embed_due > datetime('0001-01-01T00:00:00Z')
  RETURN e.group_id AS group_id ORDER BY e.group_id, e.embed_due LIMIT 1
  UNION ALL
  MATCH (e:Entity)
  WHERE e.group_id > $after AND e.match_due <= datetime.realtime()
  RETURN e.group_id AS group_id ORDER BY e.group_id, e.match_due LIMIT 1
  UNION ALL
  MATCH (k:Name)
  WHERE k.group_id > $after AND k.match_due <= datetime.realtime()
  RETURN k.group_id AS group_id ORDER BY k.group_id, k.match_due LIMIT 1
  UNION ALL
  MATCH (e:Entity)
  WHERE e.group_id > $after AND e.overtaken_due <= datetime.realtime()
  RETURN e.group_id AS group_id ORDER BY e.group_id, e.overtaken_due LIMIT 1
}
RETURN group_id AS id ORDER BY group_id LIMIT 1;

// name: due_to_index
// mode: read
// returns: list
// row: DueRow
// params: group, limit
// timeless because it is about work to do, not about beliefs
// Entities of which something was said since they were last indexed, those that wait longest first.
MATCH (e:Entity)
WHERE e.group_id = $group AND e.index_due > datetime('0001-01-01T00:00:00Z')
WITH e ORDER BY e.group_id, e.index_due LIMIT $limit
RETURN collect({id: e.id, due: toString(e.index_due)}) AS rows;

// name: due_to_embed
// mode: read
// returns: list
// row: UnembeddedRow
// params: group, limit
// timeless because it is about work to do, not about beliefs
// Entities whose name has no vector yet, those that wait longest first.
MATCH (e:Entity)
WHERE e.group_id = $group AND e.embed_due > datetime('0001-01-01T00:00:00Z')
WITH e ORDER BY e.group_id, e.embed_due LIMIT $limit
RETURN collect({id: e.id, type: e.type, name: e.name, due: toString(e.embed_due)}) AS rows;

// name: due_to_match
// mode: read
// returns: list
// row: DueRow
// params: group, limit
// timeless because it is about work to do, not about beliefs
// Entities to be compared with others, those that wait longest first.
MATCH (e:Entity)
WHERE e.group_id = $group AND e.match_due <= datetime.realtime()
WITH e ORDER BY e.group_id, e.match_due LIMIT $limit
RETURN collect({id: e.id, due: toString(e.match_due)}) AS rows;

// name: due_in_order
// mode: read
// returns: list
// row: DueRow
// params: group, after, limit
// timeless because it is about work to do, not about beliefs
// Entities to be compared with others, in order of id, after one.
MATCH (e:Entity)
USING INDEX e:Entity(group_id, id)
WHERE e.group_id = $group AND e.id > $after AND e.match_due IS NOT NULL
WITH e ORDER BY e.group_id, e.id LIMIT $limit
RETURN collect({id: e.id, due: toString(e.match_due)}) AS rows;

// name: due_among
// mode: read
// returns: list
// row: DueRow
// params: group, ids
// timeless because it is about work to do, not about beliefs
// Those of some entities that are to be compared with others.
UNWIND $ids AS id
MATCH (e:Entity {id: id})
WHERE e.group_id = $group AND e.match_due IS NOT NULL
RETURN collect({id: e.id, due: toString(e.match_due)}) AS rows;

// name: profiles
// mode: read
// returns: list
// row: ProfileRow
// params: group, ids, audience, identifying, family, first, most
// timeless because who is who is decided from the evidence that stands now
// Entities, with what they are said to be to others, and what is said of them, to $audience: up to $most different objects
// each, and values or names of objects. Where there are more, the $first of each predicate go before further ones. What
// may identify goes before what does not: values of predicates that are one of $identifying, or have it as a word, and
// those that look like an e-mail or phone number.
MATCH (g:Group {id: $group})
UNWIND $ids AS id
MATCH (e:Entity {id: id})
WHERE e.group_id = $group AND e.recorded_at IS NOT NULL
RETURN collect(e {
  .id, .name, .key, .qualifier, type:
  // insert: type_told
  ,
  first_seen: toString(e.first_seen), source:
  // insert: unique_source
  ,
  protected: coalesce(e.protected, false),
  in_sessions: EXISTS { MATCH (e)<-[:MENTIONS]-(ep:Episode) WHERE ep.session IS NOT NULL AND ep.audience IN $audience },
  known: EXISTS { UNWIND $audience AS who MATCH (:Name {id: e.id + '/' + who}) },
  terms: coalesce(e.terms, []),
  family: [tie IN
    // insert: family_ties
    WHERE tie.user IN $audience],
  related: COLLECT {
    MATCH (e)<-[:SUBJECT]-(c:Claim)-[:OBJECT]->(o:Entity)
    WHERE c.group_id = $group
      AND (c.retracted_at = datetime('9999-12-31T23:59:59.999999Z') OR NOT c.retracted_at IS :: ZONED DATETIME NOT NULL)
      AND c.kind IN ['starts', 'holds'] AND c.user IN $audience
    WITH DISTINCT c.predicate AS predicate, o.id AS object
    ORDER BY predicate, object LIMIT $most
    RETURN {predicate: predicate, id: object}
  },
  said: COLLECT {
    MATCH (e)<-[:SUBJECT]-(c:Claim)
    WHERE c.group_id = $group
      AND (c.retracted_at = datetime('9999-12-31T23:59:59.999999Z') OR NOT c.retracted_at IS :: ZONED DATETIME NOT NULL)
      AND c.kind IN ['starts', 'holds'] AND c.user IN $audience
    OPTIONAL MATCH (c)-[:OBJECT]->(o:Entity)
    WITH DISTINCT c.predicate AS predicate, coalesce(o.name, left(toStringOrNull(c.value), 1000)) AS value
    WHERE value IS NOT NULL
    WITH predicate, value, toLower(predicate) AS name, trim(value) AS text
    WITH predicate, value, any(word IN [name] + split(name, '_') WHERE word IN $identifying)
      OR text STARTS WITH '+' OR text =~ '[^@\\s]{1,80}@[^@\\s]{1,400}' AS tells
    ORDER BY predicate, NOT tells, value
    WITH predicate, collect({value: value, tells: tells}) AS values
    UNWIND range(0, size(values) - 1) AS at
    WITH predicate, values[at].value AS value, values[at].tells AS tells, at >= $first AS further
    ORDER BY further, NOT tells, predicate, value LIMIT $most
    RETURN {predicate: predicate, value: value}
  }
}) AS rows;

// name: undecided_names
// mode: read
// returns: optional
// row: UndecidedNamesRow
// params: group, user, audience, person, bare, predicates
// timeless because who is who is decided from the evidence that stands now
// The person of a user, with the names that are believed of it for that user; and of bare names those that are not merged
// in the user's memory, and of which nobody said whether they are the user.
MATCH (p:Entity {id: $person})
WHERE p.group_id = $group AND p.recorded_at IS NOT NULL
RETURN p {
    .id, .type, .name, .qualifier, first_seen: toString(p.first_seen), protected: coalesce(p.protected, false)
  } AS person,
  COLLECT {
    MATCH (p)-[:HAS_FACT]->(f:Fact)
    WHERE f.predicate IN $predicates AND f.user = $user AND toStringOrNull(f.value) IS NOT NULL
    RETURN DISTINCT {predicate: f.predicate, value: left(toStringOrNull(f.value), 1000)}
  } AS called,
  COLLECT {
    UNWIND $bare AS id
    MATCH (e:Entity {id: id})
    WHERE e.group_id = $group AND e.recorded_at IS NOT NULL
      AND EXISTS { UNWIND $audience AS who MATCH (:Name {id: e.id + '/' + who}) }
      AND NOT EXISTS {
        MATCH (e)-[s:SAME_AS]->(:Entity)
        WHERE s.session IS NULL AND s.user = $user
      }
      AND NOT EXISTS {
        MATCH (e)<-[:OF]-(j:Judgement)-[:OF]->(p)
        WHERE j.user IN $audience AND j.method = 'human'
      }
    RETURN e {
      .id, .name, .qualifier, first_seen: toString(e.first_seen), protected: coalesce(e.protected, false), type:
      // insert: type_told
    }
  } AS bare;

// name: terms_of_namesakes
// mode: read
// returns: list
// row: TermsRow
// params: group, ids
// timeless because it counts what entities hold now
// What other entities of the same name hold: they count together, once.
UNWIND $ids AS id
MATCH (e:Entity {id: id})
MATCH (o:Entity {group_id: $group, key: e.key})
WHERE e.group_id = $group AND o.id <> e.id AND NOT o.id IN $ids
RETURN collect({key: e.key, terms: coalesce(o.terms, [])}) AS rows;

// name: index_entities
// mode: write
// returns: nothing
// params: group, rows, now
// Entities are found by their keys from now on, and are to be compared. Of a new name there is to be a vector, unless only
// some users know of it, which is what has no terms.
UNWIND $rows AS row
MATCH (e:Entity {id: row.id})
WHERE e.group_id = $group
SET e.match_keys = row.keys, e.terms = row.terms, e.match_due = $now,
  e.embed_due = CASE WHEN e.embedded_name = e.name OR row.terms = [] THEN null ELSE coalesce(e.embed_due, $now) END,
  e.index_due = CASE WHEN e.index_due = datetime(row.due) THEN null ELSE e.index_due END;

// name: count_terms
// mode: write
// returns: list
// row: FrequencyRow
// params: group, rows
// Count holders of terms that came and went, and say how many there are now. A term that nobody holds is not kept.
UNWIND $rows AS row
MERGE (f:Frequency {id: row.id})
ON CREATE SET f.group_id = $group, f.holders = 0
SET f.holders = f.holders + row.change
WITH f, f.id AS id, f.holders AS holders
CALL (f, holders) {
  WITH f, holders WHERE holders < 1
  DELETE f
}
RETURN collect({id: id, holders: holders}) AS rows;

// name: frequencies
// mode: read
// returns: list
// row: FrequencyRow
// params: group, ids
// timeless because it counts what entities hold now
// How many names hold terms.
UNWIND $ids AS id
MATCH (f:Frequency {id: id})
WHERE f.group_id = $group
RETURN collect(f {.id, .holders}) AS rows;

// name: mark_holders
// mode: write
// returns: nothing
// params: group, tokens, most, now
// Entities that hold terms, of which there are many more or fewer now, are to be compared again.
UNWIND $tokens AS token
CALL db.index.fulltext.queryNodes('entity_keys', token, {limit: $most}) YIELD node AS e
WITH e WHERE e.group_id = $group AND e.match_due IS NULL
WITH DISTINCT e
SET e.match_due = $now;

// name: mark_sharing
// mode: write
// returns: nothing
// params: group, rows, most, now
// Entities that share a key which becomes too common by these rows, or is so no more, are to be compared again: what one
// finds of the others must not depend on who was compared first.
UNWIND $rows AS row
MATCH (e:Entity {id: row.id})
WHERE e.group_id = $group
WITH row, [
    key IN split(coalesce(toStringOrNull(e.match_keys), ''), ' ') WHERE key <> '' AND NOT key IN coalesce(e.terms, [])
  ] AS held
UNWIND [key IN row.shared WHERE NOT key IN held | {key: key, by: 1}]
  + [key IN held WHERE NOT key IN row.shared | {key: key, by: -1}] AS change
WITH change.key AS key, sum(change.by) AS by
WHERE by <> 0
CALL (key, by) {
  CALL db.index.fulltext.queryNodes('entity_keys', key, {limit: $most + 1 + abs(by)}) YIELD node AS e
  WHERE e.group_id = $group
  RETURN collect(e) AS holders
}
WITH holders, by
WHERE (size(holders) <= $most) <> (size(holders) + by <= $most)
UNWIND holders AS e
WITH DISTINCT e
SET e.match_due = $now;

// name: candidates
// mode: read
// returns: list
// row: CandidatesRow
// params: group, rows, most
// timeless because who is who is decided from the evidence that stands now
// For each entity those that share one of its keys with it, and those it was compared with before. A key that more than
// $most have is too common to tell anything.
UNWIND $rows AS row
CALL (row) {
  UNWIND row.keys AS key
  CALL (key) {
    CALL db.index.fulltext.queryNodes('entity_keys', key, {limit: $most + 1}) YIELD node AS e
    WHERE e.group_id = $group
    RETURN collect(e.id) AS ids
  }
  WITH ids WHERE size(ids) <= $most
  UNWIND ids AS id
  RETURN collect(DISTINCT id) AS sharing
}
RETURN collect({id: row.id, ids: [id IN sharing WHERE id <> row.id]}) AS rows;

// name: due_views
// mode: read
// returns: list
// row: View
// params: group, limit
// timeless because it is about work to do, not about beliefs
// Entities to be compared in the eyes of users, those that wait longest first; and whether anything is said of one for
// that user now.
MATCH (k:Name)
WHERE k.group_id = $group AND k.match_due <= datetime.realtime()
WITH k ORDER BY k.group_id, k.match_due LIMIT $limit
RETURN collect({
  entity_id: k.entity_id, user: k.user, due: toString(k.match_due), private: EXISTS {
    MATCH (:Entity {id: k.entity_id})<-[:SUBJECT]-(c:Claim)
    WHERE c.group_id = $group AND c.user = k.user
      AND c.retracted_at = datetime('9999-12-31T23:59:59.999999Z') AND c.kind IN ['starts', 'holds']
  }
}) AS rows;

// name: index_views
// mode: write
// returns: nothing
// params: group, rows
// Entities are found in a user's eyes by their keys from now on.
UNWIND $rows AS row
MATCH (k:Name {id: row.id})
WHERE k.group_id = $group
SET k.match_keys = row.keys;

// name: candidates_for_user
// mode: read
// returns: list
// row: CandidatesRow
// params: group, user, rows, most
// timeless because who is who is decided from the evidence that stands now
// For each entity those that share one of its keys with it in a user's eyes; a key that more than $most have there is too
// common to tell anything.
UNWIND $rows AS row
CALL (row) {
  UNWIND row.keys AS key
  CALL (key) {
    CALL db.index.fulltext.queryNodes('name_keys', key) YIELD node AS k
    WHERE k.group_id = $group AND k.user = $user
    RETURN k.entity_id AS id LIMIT $most + 1
  }
  WITH key, collect(id) AS ids
  WITH ids WHERE size(ids) <= $most
  UNWIND ids AS id
  RETURN collect(DISTINCT id) AS sharing
}
RETURN collect({id: row.id, ids: [id IN sharing WHERE id <> row.id]}) AS rows;

// name: mark_views
// mode: write
// returns: nothing
// params: group, ids, most
// Users who were told of these entities, or of some that share a key with them, are to have those compared again.
CALL () {
  UNWIND $ids AS id
  MATCH (k:Name)
  WHERE k.id STARTS WITH id + '/' AND k.group_id = $group AND k.user > '' AND k.match_keys <> ''
  RETURN k
  UNION
  WITH $ids AS ids
  WHERE EXISTS { MATCH (any:Name) WHERE any.group_id = $group AND any.user > '' AND any.entity_id > '' }
  UNWIND ids AS id
  MATCH (e:Entity {id: id})
  WHERE e.group_id = $group AND e.match_keys > ''
  CALL db.index.fulltext.queryNodes('name_keys', e.match_keys, {limit: $most}) YIELD node AS k
  WHERE k.group_id = $group
  RETURN k
}
WITH k ORDER BY k.id
SET k.match_due = datetime.truncate('microsecond', datetime.realtime());

// name: views_matched
// mode: write
// returns: nothing
// params: group, rows
// Entities were compared in users' eyes, unless they are to be compared again.
UNWIND $rows AS row
MATCH (k:Name {id: row.id})
WHERE k.group_id = $group AND k.match_due = datetime(row.due)
REMOVE k.match_due;

// name: put_off_views
// mode: write
// returns: nothing
// params: group, rows, seconds
// Entities could not be compared in users' eyes, because something of them is damaged: they are to be after a while.
UNWIND $rows AS row
MATCH (k:Name {id: row.id})
WHERE k.group_id = $group AND k.match_due = datetime(row.due)
SET k.match_due = datetime.truncate('microsecond', datetime.realtime()) + duration({seconds: $seconds});

// name: embed_names
// mode: write
// returns: nothing
// params: group, embedding_model, rows
// Entities are found by the vectors of their names from now on, and are to be compared. A name without a vector has none.
// Nothing is written where the group's vectors are of another model by now.
MATCH (g:Group {id: $group})
WHERE g.embedding_model = $embedding_model AND g.forgetting_since IS NULL
UNWIND $rows AS row
MATCH (e:Entity {id: row.id})
WHERE e.group_id = $group AND e.name = row.name
SET e.embedded_name = row.name, e.name_embedding = null,
  e.match_due = datetime.truncate('microsecond', datetime.realtime()),
  e.embed_due = CASE WHEN e.embed_due = datetime(row.due) THEN null ELSE e.embed_due END
WITH e, row WHERE row.embedding IS NOT NULL
CALL db.create.setNodeVectorProperty(e, 'name_embedding', row.embedding);

// name: leave_names
// mode: write
// returns: nothing
// params: group, rows
// These names wait for no vector any more, unless they are to have one again.
UNWIND $rows AS row
MATCH (e:Entity {id: row.id})
WHERE e.group_id = $group AND e.embed_due = datetime(row.due)
REMOVE e.embed_due;

// name: forget_due_to_embed
// mode: write
// returns: nothing
// params: group
// No name of a group waits for a vector any more.
MATCH (e:Entity)
WHERE e.group_id = $group AND e.embed_due > datetime('0001-01-01T00:00:00Z')
CALL (e) {
  SET e.embed_due = null
} IN TRANSACTIONS OF 5000 ROWS;

// name: neighbours
// mode: read
// returns: list
// row: NeighbourRow
// params: group, rows, limit
// timeless because who is who is decided from the evidence that stands now
// For each entity the $limit whose names are nearest to its own by their vectors, and those that were found so before:
// one may be among the nearest of another, and not the other way round. Scores are (1 + cosine) / 2, at least row.least.
UNWIND $rows AS row
MATCH (e:Entity {id: row.id})
WHERE e.group_id = $group AND e.embedded_name = e.name AND e.name_embedding IS NOT NULL
CALL (e) {
  MATCH (o:Entity)
  SEARCH o IN (VECTOR INDEX entity_vectors FOR e.name_embedding WHERE o.group_id = $group LIMIT $limit) SCORE AS score
  RETURN o, score, false AS before
  UNION ALL
  MATCH (e)<-[:OF]-(j:Judgement)-[:OF]->(o:Entity)
  WHERE j.stage = 'embedding'
  RETURN o, CASE
      WHEN NOT e.name_embedding IS :: LIST<FLOAT NOT NULL> OR NOT o.name_embedding IS :: LIST<FLOAT NOT NULL> THEN null
      WHEN size(e.name_embedding) = size(o.name_embedding)
      THEN vector.similarity.cosine(e.name_embedding, o.name_embedding)
    END AS score, true AS before
}
WITH row, e, o, score, before WHERE score >= row.least AND o.id <> e.id AND o.embedded_name = o.name
RETURN collect({
  id: e.id, neighbour: {id: o.id, type: o.type, name: o.name, nearness: 2 * score - 1, before: before}
}) AS rows;

// name: matched
// mode: write
// returns: nothing
// params: group, rows
// Entities were compared, unless they are to be compared again.
UNWIND $rows AS row
MATCH (e:Entity {id: row.id})
WHERE e.group_id = $group AND e.match_due = datetime(row.due)
REMOVE e.match_due;

// name: put_off_matching
// mode: write
// returns: nothing
// params: group, rows, seconds
// Entities could not be compared, because something of them is damaged: they are to be after a while.
UNWIND $rows AS row
MATCH (e:Entity {id: row.id})
WHERE e.group_id = $group AND e.match_due = datetime(row.due)
SET e.match_due = datetime.truncate('microsecond', datetime.realtime()) + duration({seconds: $seconds});

// name: overtaken
// mode: read
// returns: list
// row: OvertakenRow
// params: group, limit
// timeless because it is about work to do, not about beliefs
// Entities whose merges changed so long ago that nobody writes any more who knew only of those before; and since when
// claims that name them may have been written so.
MATCH (e:Entity)
WHERE e.group_id = $group AND e.overtaken_due <= datetime.realtime()
WITH e ORDER BY e.group_id, e.overtaken_due LIMIT $limit
RETURN collect({id: e.id, due: toString(e.overtaken_due), since: toString(e.overtaken_since)}) AS rows;

// name: overtaken_claims
// mode: read
// returns: list
// row: ClaimRow
// params: group, rows, after, limit
// timeless because what was believed by a claim stands, whether or not the claim does
// Claims that were recorded since a time and have one of some entities as their object, or what stood for it since then;
// in order of id, after one.
UNWIND $rows AS row
MATCH (m:Entity {id: row.id})<-[named:SAME_AS|WAS_SAME_AS*0..3]-(:Entity)<-[:OBJECT]-(c:Claim)
WHERE m.group_id = $group AND all(s IN named WHERE s.superseded_at > datetime(row.since))
  AND c.group_id = $group AND c.recorded_at >= datetime(row.since) AND c.id > $after
WITH DISTINCT c ORDER BY c.id LIMIT $limit
RETURN collect({claim:
  // insert: claim
}) AS rows;

// name: forget_overtaken
// mode: write
// returns: nothing
// params: group, rows
// Claims that name these entities were placed again, unless their merges changed since.
UNWIND $rows AS row
MATCH (e:Entity {id: row.id})
WHERE e.group_id = $group AND e.overtaken_due = datetime(row.due)
REMOVE e.overtaken_due, e.overtaken_since;

// name: reviews_for_model
// mode: read
// returns: list
// row: ReviewRow
// params: group, limit
// timeless because it is what is open now
// Pairs that computation leaves open and that no language model was shown as they are known now, those that look most
// alike first; without those that only people merge.
MATCH (j:Judgement)
WHERE j.group_id = $group AND j.pending = true AND j.score <= 1e308 AND j.id > ''
  AND j.verdict = 'review' AND j.user = '' AND j.evidence <> ''
  AND NOT EXISTS { MATCH (j)-[:OF]->(e:Entity) WHERE e.protected }
  AND NOT EXISTS {
    MATCH (j)-[:OF]->(:Entity)<-[:OF]-(m:Judgement)
    WHERE m.method = 'model' AND m.first_id = j.first_id AND m.second_id = j.second_id AND m.evidence = j.evidence
  }
WITH j ORDER BY j.group_id DESC, j.pending DESC, j.score DESC, j.id DESC LIMIT $limit
RETURN collect({judgement:
  // insert: judgement
}) AS rows;

// name: unique_sources
// mode: read
// returns: optional
// row: SourcesRow
// params: group
// timeless because it is a setting, not a belief
// The sources of a group of which no two entities are one.
MATCH (g:Group {id: $group})
RETURN coalesce(g.unique_sources, []) AS unique;

// name: set_unique_source
// mode: write
// returns: optional
// row: ChangedSourceRow
// params: group, source, unique
// audit: sources #source
// Say whether two entities of a source may be one, and whether that was said otherwise before.
MATCH (g:Group {id: $group})
SET g.locked = true
WITH g, coalesce(g.unique_sources, []) AS before
SET g.unique_sources = [one IN before WHERE one <> $source] + CASE WHEN $unique THEN [$source] ELSE [] END
RETURN ($source IN before) <> $unique AS changed;

// name: matching_settings
// mode: read
// returns: optional
// row: MatchingSettingsRow
// params: group
// timeless because it is a setting, not a belief
// The fingerprint of the settings by which a group's entities were last compared; null for the default ones.
MATCH (g:Group {id: $group})
RETURN g.matching AS fingerprint;

// name: set_matching_settings
// mode: write
// returns: nothing
// params: group, fingerprint
// A group's entities are compared by other settings from now on.
MATCH (g:Group {id: $group})
SET g.matching = $fingerprint;

// name: sample
// mode: read
// returns: many
// row: IdRow
// params: group, limit
// timeless because who is who is decided from the evidence that stands now
// The entities that everybody knows of with the smallest ids, which are hashes: always the same ones of the same evidence.
MATCH (e:Entity)
WHERE e.group_id = $group AND e.id > '' AND EXISTS { MATCH (:Name {id: e.id + '/'}) }
RETURN e.id AS id
ORDER BY e.group_id, e.id LIMIT $limit;

// name: refined_weights
// mode: read
// returns: optional
// row: RefinedWeightsRow
// params: group
// timeless because it is what was last learnt, by which who is who is decided now
// By how many bits levels of attributes say more in a group than the packaged weights have it, by type, as JSON.
MATCH (g:Group {id: $group})
RETURN g.refined_weights AS weights;

// name: set_refined_weights
// mode: write
// returns: nothing
// params: group, weights
// Keep what was learnt of a group's pairs.
MATCH (g:Group {id: $group})
SET g.refined_weights = $weights;

// name: mark_types
// mode: write
// returns: nothing
// params: group, types
// All entities of some types are to be compared again.
MATCH (e:Entity)
WHERE e.group_id = $group AND e.id > '' AND e.type IN $types
CALL (e) {
  SET e.match_due = datetime.truncate('microsecond', datetime.realtime())
} IN TRANSACTIONS OF 5000 ROWS;

// name: mark_group_to_index
// mode: write
// returns: nothing
// params: group
// All entities of a group are to be indexed and compared again.
MATCH (e:Entity)
WHERE e.group_id = $group AND e.id > ''
CALL (e) {
  SET e.index_due = datetime.truncate('microsecond', datetime.realtime())
} IN TRANSACTIONS OF 5000 ROWS;

// name: mark_group
// mode: write
// returns: nothing
// params: group
// All entities of a group are to be compared again.
MATCH (e:Entity)
WHERE e.group_id = $group AND e.id > ''
CALL (e) {
  SET e.match_due = datetime.truncate('microsecond', datetime.realtime())
} IN TRANSACTIONS OF 5000 ROWS;

// name: names
// mode: read
// returns: list
// row: FamilyNameRow
// params: group, ids, family
// timeless because who is who is decided from the evidence that stands now
// What entities are called, and what they are to others by the predicates of $family.
UNWIND $ids AS id
MATCH (e:Entity {id: id})
WHERE e.group_id = $group AND e.recorded_at IS NOT NULL
RETURN collect(e {
  .id, .type, .name, .qualifier, first_seen: toString(e.first_seen),
  protected: coalesce(e.protected, false), family:
  // insert: family_ties
}) AS rows;

// name: named
// mode: read
// returns: list
// row: Named
// params: group, ids
// timeless because who is who is decided from the evidence that stands now
// Where entities are named, for the first time in each session by or for each user: in a text, or by a claim that stands.
UNWIND $ids AS id
MATCH (e:Entity {id: id})
WHERE e.group_id = $group
CALL (e) {
  MATCH (e)<-[:MENTIONS]-(ep:Episode)
  RETURN coalesce(ep.session, '') AS session, ep.audience AS user, min(ep.occurred_at) AS first
  UNION ALL
  MATCH (e)<-[:SUBJECT|OBJECT]-(c:Claim)
  WHERE c.retracted_at = datetime('9999-12-31T23:59:59.999999Z')
  RETURN coalesce(c.session, '') AS session, c.user AS user, min(c.said_at) AS first
}
WITH id, session, user, min(first) AS first
RETURN collect({entity_id: id, session: session, user: user, first: toString(first)}) AS rows;

// name: claims_between
// mode: read
// returns: list
// row: BetweenRow
// params: group, rows
// timeless because who is who is decided from the evidence that stands now
// In which session which predicate ties an entity to one of some others, whichever is the subject.
UNWIND $rows AS row
MATCH (e:Entity {id: row.id})<-[:SUBJECT|OBJECT]-(c:Claim)-[:SUBJECT|OBJECT]->(o:Entity)
WHERE e.group_id = $group AND o.id IN row.others AND o.id <> e.id
  AND c.retracted_at = datetime('9999-12-31T23:59:59.999999Z')
WITH DISTINCT e.id AS id, o.id AS other, coalesce(c.session, '') AS session, c.predicate AS predicate
RETURN collect({id: id, other: other, session: session, predicate: predicate}) AS rows;

// name: named_together
// mode: read
// returns: list
// row: TogetherRow
// params: group, rows, audience, near, most
// timeless because who is who is decided from the evidence that stands now
// allow: CartesianProduct because each side is one node, found by its unique id
// Texts in which an entity stands near one of some others, at most $near characters apart; up to $most of each two, and
// of each user whose they are: what one user said uses up nobody else's.
UNWIND $rows AS row
UNWIND row.others AS other
MATCH (e:Entity {id: row.id})
MATCH (o:Entity {id: other})
WHERE e.group_id = $group AND o.group_id = $group
CALL (e, o) {
  MATCH (e)<-[a:MENTIONS]-(ep:Episode)-[b:MENTIONS]->(o)
  WHERE ep.redacted_at IS NULL AND ($audience IS NULL OR ep.audience IN $audience) AND CASE
    WHEN a.start IS :: INTEGER NOT NULL AND b.start IS :: INTEGER NOT NULL THEN abs(b.start - a.start) <= $near
    ELSE false
  END
  WITH ep, collect(DISTINCT [a.start, a.end]) AS ones, collect(DISTINCT [b.start, b.end]) AS others
  ORDER BY ep.occurred_at, ep.turn, ep.id
  WITH ep.audience AS user, collect({ep: ep, ones: ones, others: others})[..$most] AS texts
  UNWIND texts AS text
  WITH text, text.ep AS ep
  RETURN ep {.content, session: coalesce(ep.session, ''), user: ep.audience, ones: text.ones, others: text.others} AS text
}
RETURN collect(text {.*, id: e.id, other: o.id}) AS rows;

// name: possible_meanings
// mode: read
// returns: list
// row: PossibleMeaningsRow
// params: group, rows, family, turns, most
// timeless because who is who is decided from the evidence that stands now
// Of short names that the last $turns turns of their session do not have: the entities of these turns, and those that
// share a key with it, unless more than $most do, each with since when it is named, by or for whom.
UNWIND $rows AS row
CALL (row) {
  MATCH (ep:Episode)
  WHERE ep.session_id = row.session_id AND ep.occurred_at >= datetime('0001-01-01T00:00:00Z') AND ep.group_id = $group
  WITH ep ORDER BY ep.session_id DESC, ep.occurred_at DESC, ep.turn DESC LIMIT $turns
  MATCH (ep)-[:MENTIONS]->(e:Entity)
  WITH e, ep.audience AS user, min(ep.occurred_at) AS first
  RETURN collect({e: e, user: user, first: first, session: row.session}) AS here
}
WITH row, here WHERE none(one IN here WHERE one.e.id = row.id)
CALL (row) {
  UNWIND row.keys AS key
  CALL (key) {
    CALL db.index.fulltext.queryNodes('entity_keys', key, {limit: $most + 1}) YIELD node AS e
    WHERE e.group_id = $group
    RETURN collect(e) AS holders
  }
  WITH collect(holders) AS all_holders
  WITH all_holders WHERE all(holders IN all_holders WHERE size(holders) <= $most)
  UNWIND all_holders AS holders
  UNWIND holders AS e
  WITH DISTINCT row, e
  UNWIND CASE WHEN row.user = '' THEN [''] ELSE ['', row.user] END AS user
  MATCH (k:Name {id: e.id + '/' + user})
  WITH e, user,
  // insert: first_said
  AS first
  RETURN collect({e: e, user: user, first: first, session: ''}) AS elsewhere
}
CALL (row) {
  OPTIONAL MATCH (e:Entity {id: row.id})
  RETURN coalesce(e.protected, false) AS protected,
  // insert: family_ties
  AS family, COLLECT {
    MATCH (e)<-[:OF]-(j:Judgement)
    WHERE j.verdict = 'different' AND j.method IN ['human', 'identifier']
    RETURN
      // insert: judgement
  } AS judgements
}
RETURN collect({
  id: row.id, session: row.session, user: row.user, protected: protected, family: family, judgements: judgements,
  found: COLLECT {
    UNWIND here + elsewhere AS one
    WITH one, one.e AS e WHERE e.recorded_at IS NOT NULL
    RETURN {
      session: one.session, user: one.user, first: toString(one.first), entity: e {
        .id, .type, .name, .qualifier, first_seen: toString(e.first_seen),
        protected: coalesce(e.protected, false), family:
        // insert: family_ties
      }
    }
  }
}) AS rows;
