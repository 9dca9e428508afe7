// Vectors that are still to come. An episode with `embed_due` lacks that of its content, or of some of its claims; a
// version of a belief with `embed_due` lacks that of its claim. Searches find them by full text meanwhile.

// name: vectors_of_group
// mode: read
// returns: optional
// row: GroupVectors
// params: group, audience
// timeless because it is about work to do, not about beliefs
// Of which model the vectors of a group are, whether those of another are being taken away, and whether some are still to
// come of what readers of $audience may see.
MATCH (g:Group {id: $group})
OPTIONAL CALL (g) {
  MATCH (e:Episode)
  WHERE e.group_id = g.id AND e.embed_due > datetime('0001-01-01T00:00:00Z')
    AND ($audience IS NULL OR e.audience IN $audience)
  RETURN 1 AS due LIMIT 1
  UNION ALL
  MATCH (f:Fact)
  WHERE f.group_id = g.id AND f.embed_due > datetime('0001-01-01T00:00:00Z')
    AND ($audience IS NULL OR f.audience IN $audience)
  RETURN 1 AS due LIMIT 1
  UNION ALL
  MATCH (f:SupersededFact)
  WHERE f.group_id = g.id AND f.embed_due > datetime('0001-01-01T00:00:00Z')
    AND ($audience IS NULL OR f.audience IN $audience)
  RETURN 1 AS due LIMIT 1
  UNION ALL
  MATCH ()-[r:RELATES_TO]->()
  WHERE r.group_id = g.id AND r.embed_due > datetime('0001-01-01T00:00:00Z')
    AND ($audience IS NULL OR r.audience IN $audience)
  RETURN 1 AS due LIMIT 1
  UNION ALL
  MATCH ()-[r:SUPERSEDED]->()
  WHERE r.group_id = g.id AND r.embed_due > datetime('0001-01-01T00:00:00Z')
    AND ($audience IS NULL OR r.audience IN $audience)
  RETURN 1 AS due LIMIT 1
}
RETURN g.embedding_model AS model, g.dimensions AS dimensions, g.forgetting_since IS NOT NULL AS forgetting,
  count(due) > 0 AS pending;

// name: count_vectors_pending
// mode: read
// returns: one
// row: CountRow
// params: group, audience
// timeless because it counts work to do, not beliefs
// How many episodes wait for vectors, as a user may see them.
MATCH (e:Episode)
WHERE e.group_id = $group AND e.embed_due > datetime('0001-01-01T00:00:00Z')
  AND ($audience IS NULL OR e.audience IN $audience)
RETURN count(e) AS count;

// name: next_group_to_embed
// mode: read
// returns: optional
// row: IdRow
// params: after
// timeless because it is about work to do, not about beliefs
// all groups because the schedule asks for work in each
// The next group in which something waits for its vector.
CALL () {
  MATCH (e:Episode)
  WHERE e.group_id > $after AND e.embed_due > datetime('0001-01-01T00:00:00Z')
  RETURN e.group_id AS group_id ORDER BY e.group_id, e.embed_due LIMIT 1
  UNION ALL
  MATCH (f:Fact)
  WHERE f.group_id > $after AND f.embed_due > datetime('0001-01-01T00:00:00Z')
  RETURN f.group_id AS group_id ORDER BY f.group_id, f.embed_due LIMIT 1
  UNION ALL
  MATCH (f:SupersededFact)
  WHERE f.group_id > $after AND f.embed_due > datetime('0001-01-01T00:00:00Z')
  RETURN f.group_id AS group_id ORDER BY f.group_id, f.embed_due LIMIT 1
  UNION ALL
  MATCH ()-[r:RELATES_TO]->()
  WHERE r.group_id > $after AND r.embed_due > datetime('0001-01-01T00:00:00Z')
  RETURN r.group_id AS group_id ORDER BY r.group_id, r.embed_due LIMIT 1
  UNION ALL
  MATCH ()-[r:SUPERSEDED]->()
  WHERE r.group_id > $after AND r.embed_due > datetime('0001-01-01T00:00:00Z')
  RETURN r.group_id AS group_id ORDER BY r.group_id, r.embed_due LIMIT 1
}
RETURN group_id AS id ORDER BY group_id LIMIT 1;

// name: texts_to_embed
// mode: read
// returns: list
// row: UnembeddedEpisodeRow
// params: group, limit
// timeless because it is about work to do, not about beliefs
// Episodes that wait for vectors, those that wait longest first: the content where that is one of what lacks a vector,
// and up to $limit claims of each. What a structured claim came as has no content to embed, nor has a text of which no
// digest has come to its end.
MATCH (e:Episode)
WHERE e.group_id = $group AND e.embed_due > datetime('0001-01-01T00:00:00Z')
WITH e ORDER BY e.group_id, e.embed_due LIMIT $limit
CALL (e) {
  MATCH (e)-[:STATES]->(c:Claim)
  WHERE c.embedding IS NULL AND c.not_embeddable IS NULL
  WITH c LIMIT $limit
  RETURN collect({id: c.id, text: c.statement}) AS claims
}
RETURN collect({
  id: e.id, due: toString(e.embed_due), claims: claims,
  content: CASE
    WHEN e.embedding IS NULL AND e.passages IS NULL AND e.not_embeddable IS NULL AND e.payload IS NULL
      AND e.redacted_at IS NULL AND e.digested_at IS NOT NULL
    THEN e.content
  END
}) AS rows;

// name: write_vectors
// mode: write
// returns: nothing
// params: group, embedding_model, episodes, claims, complete
// The vectors of contents and claims that lacked one, unless the group's are of another model by now; a text at which the
// model fails (null) is not tried again. Episodes that are complete wait no more, unless more came meanwhile.
MATCH (g:Group {id: $group})
WHERE g.embedding_model = $embedding_model AND g.forgetting_since IS NULL
CALL (g) {
  UNWIND $episodes AS row
  MATCH (e:Episode {id: row.id})
  WHERE e.group_id = g.id AND e.embedding IS NULL
  SET
    e.embedding_model = $embedding_model,
    e.not_embeddable = CASE WHEN row.embedding IS NULL AND row.passages = [] THEN true END
  WITH e, row WHERE row.embedding IS NOT NULL
  CALL db.create.setNodeVectorProperty(e, 'embedding', row.embedding)
}
CALL (g) {
  UNWIND $episodes AS row
  UNWIND row.passages AS part
  MATCH (e:Episode {id: row.id})
  WHERE e.group_id = g.id
  // insert: passage_of_episode
}
CALL (g) {
  UNWIND $claims AS row
  MATCH (c:Claim {id: row.id})
  WHERE c.group_id = g.id AND c.embedding IS NULL
  SET c.not_embeddable = CASE WHEN row.embedding IS NULL THEN true END
  WITH c, row WHERE row.embedding IS NOT NULL
  CALL db.create.setNodeVectorProperty(c, 'embedding', row.embedding)
}
CALL (g) {
  UNWIND $complete AS row
  MATCH (e:Episode {id: row.id})
  WHERE e.group_id = g.id AND e.embed_due = datetime(row.due)
  REMOVE e.embed_due
};

// name: embed_beliefs
// mode: write
// returns: one
// row: CountRow
// params: group, limit
// Versions of beliefs that wait take the vectors of their claims, of each kind those that wait longest; says how many.
CALL () {
  MATCH ()-[r:RELATES_TO]->()
  WHERE r.group_id = $group AND r.embed_due > datetime('0001-01-01T00:00:00Z')
  WITH r ORDER BY r.group_id, r.embed_due LIMIT $limit
  MATCH (c:Claim {id: r.claim_id})
  WHERE c.embedding IS NOT NULL OR c.not_embeddable = true
  SET r.embedding = c.embedding, r.embed_due = null
  RETURN count(*) AS relationships
}
CALL () {
  MATCH ()-[r:SUPERSEDED]->()
  WHERE r.group_id = $group AND r.embed_due > datetime('0001-01-01T00:00:00Z')
  WITH r ORDER BY r.group_id, r.embed_due LIMIT $limit
  MATCH (c:Claim {id: r.claim_id})
  WHERE c.embedding IS NOT NULL OR c.not_embeddable = true
  SET r.embedding = c.embedding, r.embed_due = null
  RETURN count(*) AS superseded
}
CALL () {
  MATCH (f:Fact)
  WHERE f.group_id = $group AND f.embed_due > datetime('0001-01-01T00:00:00Z')
  WITH f ORDER BY f.group_id, f.embed_due LIMIT $limit
  MATCH (c:Claim {id: f.claim_id})
  WHERE c.embedding IS NOT NULL OR c.not_embeddable = true
  SET f.embedding = c.embedding, f.embed_due = null
  RETURN count(*) AS facts
}
CALL () {
  MATCH (f:SupersededFact)
  WHERE f.group_id = $group AND f.embed_due > datetime('0001-01-01T00:00:00Z')
  WITH f ORDER BY f.group_id, f.embed_due LIMIT $limit
  MATCH (c:Claim {id: f.claim_id})
  WHERE c.embedding IS NOT NULL OR c.not_embeddable = true
  SET f.embedding = c.embedding, f.embed_due = null
  RETURN count(*) AS superseded_facts
}
RETURN relationships + superseded + facts + superseded_facts AS count;

// name: begin_reembedding
// mode: write
// returns: optional
// row: ReembeddingRow
// params: group, embedding_model, dimensions
// audit: embeddings group
// From now on the group is of this model, and takes no vectors until its old ones are taken away.
MATCH (g:Group {id: $group})
SET
  g.embedding_model = $embedding_model, g.dimensions = $dimensions,
  g.forgetting_since = datetime.truncate('microsecond', datetime.realtime())
RETURN g.forgetting_since AS since;

// name: time_of_database
// mode: read
// returns: one
// row: TimeOfDatabaseRow
// params: none
// timeless because it reads the clock
// all groups because a clock belongs to none
RETURN datetime.truncate('microsecond', datetime.realtime()) AS now;

// name: end_forgetting
// mode: write
// returns: nothing
// params: group
// The old vectors are gone: the group takes new ones.
MATCH (g:Group {id: $group})
REMOVE g.forgetting_since;

// name: forget_vectors_of_episodes
// mode: write
// returns: one
// row: ForgottenEpisodesRow
// params: group, after_time, after_id, limit
// Episodes in order of time, after a cursor, and their claims lose their vectors, and wait for others. One that was not
// digested waits for nothing.
MATCH (e:Episode)
WHERE e.group_id = $group AND e.occurred_at >= $after_time AND (e.occurred_at > $after_time OR e.id > $after_id)
WITH e ORDER BY e.occurred_at, e.id LIMIT $limit
SET
  e.embedding = null, e.not_embeddable = null, e.passages = null,
  e.embed_due = CASE
    WHEN e.digested_at IS NOT NULL OR e.cursor IS NOT NULL THEN datetime.truncate('microsecond', datetime.realtime())
  END
WITH collect(e) AS found
CALL (found) {
  UNWIND found AS e
  MATCH (e)-[:STATES]->(c:Claim)
  SET c.embedding = null, c.not_embeddable = null
}
CALL (found) {
  UNWIND found AS e
  MATCH (e)-[:HAS_PASSAGE]->(p:Passage)
  DETACH DELETE p
}
RETURN found[-1].occurred_at AS last_time, found[-1].id AS last_id, size(found) AS count;

// name: forget_vectors_of_relationships
// mode: write
// returns: one
// row: ForgottenRow
// params: group, after, limit
// Relationships, in order of id after a cursor, lose their vectors, and wait for those of their claims.
MATCH ()-[r:RELATES_TO]->()
WHERE r.group_id = $group AND r.id > $after
WITH r ORDER BY r.group_id, r.id LIMIT $limit
SET r.embedding = null, r.embed_due = datetime.truncate('microsecond', datetime.realtime())
RETURN max(r.id) AS last, count(*) AS count;

// name: forget_vectors_of_superseded
// mode: write
// returns: one
// row: ForgottenRow
// params: group, after, limit
// Likewise former versions of relationships.
MATCH ()-[r:SUPERSEDED]->()
WHERE r.group_id = $group AND r.id > $after
WITH r ORDER BY r.group_id, r.id LIMIT $limit
SET r.embedding = null, r.embed_due = datetime.truncate('microsecond', datetime.realtime())
RETURN max(r.id) AS last, count(*) AS count;

// name: forget_vectors_of_facts
// mode: write
// returns: one
// row: ForgottenRow
// params: group, after, limit
// Facts, in order of id after a cursor, lose their vectors, and wait for those of their claims.
MATCH (f:Fact)
WHERE f.group_id = $group AND f.id > $after
WITH f ORDER BY f.group_id, f.id LIMIT $limit
SET f.embedding = null, f.embed_due = datetime.truncate('microsecond', datetime.realtime())
RETURN max(f.id) AS last, count(*) AS count;

// name: forget_vectors_of_superseded_facts
// mode: write
// returns: one
// row: ForgottenRow
// params: group, after, limit
// Likewise former versions of facts.
MATCH (f:SupersededFact)
WHERE f.group_id = $group AND f.id > $after
WITH f ORDER BY f.group_id, f.id LIMIT $limit
SET f.embedding = null, f.embed_due = datetime.truncate('microsecond', datetime.realtime())
RETURN max(f.id) AS last, count(*) AS count;

// name: forget_vectors_of_names
// mode: write
// returns: one
// row: ForgottenRow
// params: group, after, limit
// Entities, in order of id after a cursor, lose the vectors of their names. Those that had one, wait, or came while another
// model was configured and were given up, get one from the next comparison.
MATCH (e:Entity)
WHERE e.group_id = $group AND e.id > $after
WITH e ORDER BY e.group_id, e.id LIMIT $limit
SET
  e.embed_due = CASE
    WHEN e.name_embedding IS NOT NULL OR (e.embedded_name IS NULL AND EXISTS {
      MATCH (k:Name) WHERE k.id >= e.id + '/' AND k.id <= e.id + '/'
    }) THEN datetime.truncate('microsecond', datetime.realtime())
    ELSE e.embed_due
  END, e.embedded_name = CASE WHEN e.name_embedding IS NULL THEN e.embedded_name END, e.name_embedding = null
RETURN max(e.id) AS last, count(*) AS count;

// name: forget_vectors_of_summaries
// mode: write
// returns: one
// row: ForgottenRow
// params: group, after, limit
// Summaries, in order of id after a cursor, lose their vectors; those that stand are made again.
CALL () {
  MATCH (s:Summary)
  WHERE s.group_id = $group AND s.id > $after
  RETURN s
  UNION ALL
  MATCH (s:SupersededSummary)
  WHERE s.group_id = $group AND s.id > $after
  RETURN s
}
WITH s ORDER BY s.id LIMIT $limit
SET s.embedding = null
WITH s
CALL (s) {
  MATCH (session:Session)-[:HAS_SUMMARY]->(s)
  SET
    s.stale_at = coalesce(s.stale_at, datetime.truncate('microsecond', datetime.realtime())),
    session.summarise_due = coalesce(session.summarise_due, datetime.truncate('microsecond', datetime.realtime()))
}
FOREACH (of_entity IN CASE WHEN s:EntitySummary THEN [s] ELSE [] END |
  SET of_entity.stale_at = coalesce(of_entity.stale_at, datetime.truncate('microsecond', datetime.realtime()))
)
RETURN max(s.id) AS last, count(*) AS count;

// name: forget_vectors_of_reflections
// mode: write
// returns: one
// row: ForgottenRow
// params: group, after, limit
// Likewise reflections; those that stand are made again.
CALL () {
  MATCH (s:Reflection)
  WHERE s.group_id = $group AND s.id > $after
  RETURN s
  UNION ALL
  MATCH (s:SupersededReflection)
  WHERE s.group_id = $group AND s.id > $after
  RETURN s
}
WITH s ORDER BY s.id LIMIT $limit
SET s.embedding = null
FOREACH (standing IN CASE WHEN s:Reflection THEN [s] ELSE [] END |
  SET standing.stale_at = coalesce(standing.stale_at, datetime.truncate('microsecond', datetime.realtime()))
)
RETURN max(s.id) AS last, count(*) AS count;
