// part: bounding_belief
// What a row of a belief, b, says of the beginning or the end of its subject.
b {
  .id, .bound, .subject_id, .predicate, .value, .from_stated, .user,
  valid_from: CASE WHEN b.valid_from IS :: ZONED DATETIME THEN toString(b.valid_from) ELSE '' END,
  valid_to: CASE WHEN b.valid_to IS :: ZONED DATETIME THEN toString(b.valid_to) ELSE '' END
};

// part: same_thing
// All entities, e, that are the same as one, to readers of $audience, as known at $known_at; itself too. To who reads as
// nobody in particular, what any user merged is: `audience` says whose beliefs about e go by these merges. All do by what
// was decided for everybody, and those of a user by what that user merged as well.
MATCH (:Entity {id: entity_id})-[up:SAME_AS|WAS_SAME_AS*0..2]->(:Entity)<-[down:SAME_AS|WAS_SAME_AS*0..2]-(e:Entity)
WHERE all(
  s IN up + down WHERE s.session IS NULL AND coalesce(s.recorded_at <= $known_at AND s.superseded_at > $known_at, true)
    AND ($audience IS NULL OR s.user IN $audience)
)
WITH e, collect([s IN up + down WHERE s.user <> '' | s.user]) AS ways
WITH e, CASE
    WHEN $audience IS NOT NULL OR any(users IN ways WHERE users = []) THEN $audience
    ELSE [users IN ways WHERE all(user IN users WHERE user = users[0]) | users[0]]
  END AS audience;

// part: heard_of
// Whether readers of $audience had heard of an entity, n, by $known_at. Where something else than instants stands in their
// name for it, they have: who reads the name, names it.
($audience IS NULL OR EXISTS {
  UNWIND $audience AS who
  MATCH (k:Name {id: n.id + '/' + who})
  WHERE coalesce(any(at IN k.names_at WHERE at <= $known_at), true)
});

// part: ever_believed
// Whether anything was ever believed by $known_at of an entity, n, or of what it is the same as.
EXISTS {
  WITH n.id AS entity_id
  // insert: same_thing
  WITH e WHERE EXISTS {
      MATCH (e)-[r:RELATES_TO|SUPERSEDED]-(:Entity)
      WHERE r.group_id = $group AND r.recorded_at <= $known_at AND ($audience IS NULL OR r.audience IN $audience)
    } OR EXISTS {
      MATCH (e)-[:HAS_FACT|HAD_FACT]->(r)
      WHERE r.group_id = $group AND r.recorded_at <= $known_at AND ($audience IS NULL OR r.audience IN $audience)
    }
  RETURN e
};

// part: sound_name
// Whether the lists of a name, k, are lists of what they should be. An expression that fails on other types stands in a
// CASE behind it: Neo4j may evaluate conjuncts in any order.
k.names IS :: LIST<STRING NOT NULL> NOT NULL AND k.names_at IS :: LIST<ZONED DATETIME NOT NULL> NOT NULL
AND k.said_at IS :: LIST<ZONED DATETIME NOT NULL> NOT NULL;

// part: known_name
// The names under which an audience knows an entity, k, and of which type it was told that the entity is.
k {
  .id, .names, names_at: [at IN k.names_at | toString(at)], said_at: [at IN k.said_at | toString(at)], said_types: k {
    .types, .types_by, types_said_at: [at IN k.types_said_at | toString(at)], types_at: [at IN k.types_at | toString(at)]
  }
};

// part: sound_types
// Whether the lists of types, at a name or an entity, heard, are lists of what they should be. An expression that fails on
// other types stands in a CASE behind it: Neo4j may evaluate conjuncts in any order.
heard.types IS :: LIST<STRING NOT NULL> NOT NULL AND heard.types_by IS :: LIST<INTEGER NOT NULL> NOT NULL
AND heard.types_said_at IS :: LIST<ZONED DATETIME NOT NULL> NOT NULL
AND heard.types_at IS :: LIST<ZONED DATETIME NOT NULL> NOT NULL;

// part: type_told
// The type of an entity, e, by all that $audience was told; "" where nobody of them was told of it.
coalesce(head(COLLECT {
  UNWIND $audience AS who
  MATCH (heard:Name {id: e.id + '/' + who})
  WHERE
  // insert: sound_types
  UNWIND range(0, size(heard.types) - 1) AS nth
  RETURN heard.types[nth] ORDER BY -heard.types_by[nth], heard.types_said_at[nth], heard.types[nth] LIMIT 1
}), '');

// part: type_then
// The type of an entity, n, by what readers of $audience, or anybody where that is null, had been told by $known_at.
head(COLLECT {
  CALL (n) {
    WITH n WHERE $audience IS NULL
    RETURN n AS heard
    UNION ALL
    UNWIND coalesce($audience, []) AS hearer
    MATCH (heard:Name {id: n.id + '/' + hearer})
    RETURN heard
  }
  WITH heard WHERE
  // insert: sound_types
  UNWIND range(0, size(heard.types) - 1) AS nth
  WITH heard, nth WHERE heard.types_at[nth] <= $known_at
  RETURN heard.types[nth] ORDER BY -heard.types_by[nth], heard.types_said_at[nth], heard.types[nth] LIMIT 1
});

// part: first_said
// When an entity was first told of under a name, k; "" where something else than instants stands there.
CASE WHEN k.said_at IS :: LIST<ZONED DATETIME NOT NULL> THEN last(k.said_at) ELSE '' END;

// part: in_force
// Whether readers of $audience go by a decision, s, as known at $known_at. Who reads as nobody in particular goes by what
// was decided for everybody. Where an instant of it is something else, it may be in force: who reads the decision names it.
s.session IS NULL AND coalesce(s.recorded_at <= $known_at AND s.superseded_at > $known_at, true)
AND s.user IN coalesce($audience, ['']);

// part: entity
// An entity, n, with the names under which readers of $audience know it, and what they believed of its beginning and end.
// The person of a user is shown by the names that the user goes by.
// Few entities are bounded; of those that are, superseded rows tell nothing of the present. A row that moves from one
// index to another meanwhile may be in none: what is to stay the same is looked up twice. CALL (n) keeps the variables of
// the query around from being taken for those of this part.
n {
  .id, .key, .qualifier, .names, names_at: [at IN n.names_at | toString(at)], said_types: n {
    .types, .types_by, types_said_at: [at IN n.types_said_at | toString(at)], types_at: [at IN n.types_at | toString(at)]
  },
  recorded_at: CASE WHEN n.recorded_at IS :: ZONED DATETIME THEN toString(n.recorded_at) ELSE '' END,
  protected_at: [at IN coalesce(n.protected_at, []) | toString(at)],
  known: COLLECT {
    UNWIND coalesce($audience, []) AS who
    MATCH (k:Name {id: n.id + '/' + who})
    RETURN
      // insert: known_name
  },
  shown: COLLECT {
    MATCH (n)-[:HAS_FACT|HAD_FACT]->(shown)
    WHERE n.qualifier STARTS WITH 'user:' AND shown.predicate IN ['named', 'display_name'] AND shown.group_id = $group
      AND shown.recorded_at <= $known_at AND shown.superseded_at > $known_at
      AND ($audience IS NULL OR shown.audience IN $audience)
    RETURN {
      name: toStringOrNull(shown.value),
      valid_from: CASE WHEN shown.valid_from IS :: ZONED DATETIME THEN toString(shown.valid_from) ELSE '' END,
      valid_to: CASE WHEN shown.valid_to IS :: ZONED DATETIME THEN toString(shown.valid_to) ELSE '' END
    }
  },
  part_of: head(COLLECT {
    MATCH (n)-[up:SAME_AS|WAS_SAME_AS*1..2]->(r:Entity)
    WHERE all(s IN up WHERE
      // insert: in_force
    )
    RETURN r.id ORDER BY size(up) DESC
  }),
  bounds: COLLECT {
    CALL (n) {
      WITH n.id AS entity_id
      // insert: same_thing
      WITH e, audience, $known_at < datetime('9999-12-30T00:00:00Z') AS before WHERE e.bounded = true
      UNWIND range(1, CASE WHEN before THEN 2 ELSE 1 END) AS pass
      CALL (e, audience, before) {
        MATCH ()-[b:RELATES_TO]->()
        USING INDEX SEEK b:RELATES_TO(subject_id, bound)
        WHERE b.subject_id = e.id AND b.bound > '' AND b.group_id = $group
          AND b.recorded_at <= $known_at AND b.superseded_at > $known_at
          AND (audience IS NULL OR b.audience IN audience)
        RETURN b
        UNION ALL
        WITH e, audience, before WHERE before
        MATCH ()-[b:SUPERSEDED]->()
        USING INDEX SEEK b:SUPERSEDED(subject_id, bound)
        WHERE b.subject_id = e.id AND b.bound > '' AND b.group_id = $group
          AND b.recorded_at <= $known_at AND b.superseded_at > $known_at
          AND (audience IS NULL OR b.audience IN audience)
        RETURN b
        UNION ALL
        MATCH (b:Fact)
        USING INDEX SEEK b:Fact(subject_id, bound)
        WHERE b.subject_id = e.id AND b.bound > '' AND b.group_id = $group
          AND b.recorded_at <= $known_at AND b.superseded_at > $known_at
          AND (audience IS NULL OR b.audience IN audience)
        RETURN b
        UNION ALL
        WITH e, audience, before WHERE before
        MATCH (b:SupersededFact)
        USING INDEX SEEK b:SupersededFact(subject_id, bound)
        WHERE b.subject_id = e.id AND b.bound > '' AND b.group_id = $group
          AND b.recorded_at <= $known_at AND b.superseded_at > $known_at
          AND (audience IS NULL OR b.audience IN audience)
        RETURN b
      }
      RETURN b
    }
    RETURN
      // insert: bounding_belief
  }
};

// part: entities_by_then
// Entities, each by its `id`, that were recorded by $known_at.
WITH DISTINCT id
MATCH (n:Entity {id: id})
WHERE n.group_id = $group AND coalesce(n.recorded_at <= $known_at, n.recorded_at IS NOT NULL)
RETURN collect(
  // insert: entity
) AS entities;

// part: same_as
// A decision, s, as a projection takes it.
s {member: startNode(s).id, other: endNode(s).id, .user, .session};

// part: merge
// A decision, s, as an answer has it.
s {
  member: startNode(s).id, other: endNode(s).id, .id, .user, .session, .method, .stage, .score, .reason,
  .first_id, .second_id, pair: [s.first_id, s.second_id],
  recorded_at: CASE WHEN s.recorded_at IS :: ZONED DATETIME THEN toString(s.recorded_at) ELSE '' END,
  superseded_at: CASE WHEN s.superseded_at IS :: ZONED DATETIME THEN toString(s.superseded_at) ELSE '' END
};

// part: judgement
// What is thought of a pair, j.
j {
  .id, .first_id, .second_id, .user, .session, .reason, .pending, .refused, .evidence,
  recorded_at: CASE WHEN j.recorded_at IS :: ZONED DATETIME THEN toString(j.recorded_at) ELSE '' END,
  judgement: j {
    a: j.first_id, b: j.second_id, .verdict, .method, .stage, .score, .probability, .contributions, .vetoes
  }
};

// part: unique_source
// The source that gave an entity, e, its id, where its group, g, says that no two entities of that source are one. No two
// users are.
head([one IN ['user'] + coalesce(g.unique_sources, []) WHERE e.qualifier STARTS WITH one + ':']);

// part: family_ties
// What an entity, e, is to others by the predicates of $family, and to whom that is said.
COLLECT {
  MATCH (e)<-[:OBJECT]-(c:Claim)-[:SUBJECT]->(of:Entity)
  WHERE c.group_id = $group AND c.predicate IN $family AND c.kind <> 'lowers'
    AND c.retracted_at = datetime('9999-12-31T23:59:59.999999Z')
  RETURN DISTINCT {predicate: c.predicate, of: of.id, user: c.user, ended: c.kind = 'ends' OR c.kind = 'rejects'}
};
