// What answers have in common: lines of `// insert: NAME` in queries put these in.

// part: instants_of_version
// Instants of a row, r, of a belief, as texts: "" where something else stands there.
valid_from: CASE WHEN r.valid_from IS :: ZONED DATETIME THEN toString(r.valid_from) ELSE '' END,
valid_to: CASE WHEN r.valid_to IS :: ZONED DATETIME THEN toString(r.valid_to) ELSE '' END,
recorded_at: CASE WHEN r.recorded_at IS :: ZONED DATETIME THEN toString(r.recorded_at) ELSE '' END,
fades_at: CASE WHEN r.fades_at IS :: ZONED DATETIME THEN toString(r.fades_at) ELSE '' END;

// part: acts_on_version
// Since when, and since where in what was said then, what was said of the value of a row, r, of a belief is evidence.
rejected_before: CASE WHEN r.rejected_before IS :: ZONED DATETIME THEN toString(r.rejected_before) ELSE '' END,
.rejected_turn, .rejected_start,
dropped_before: CASE WHEN r.dropped_before IS :: ZONED DATETIME THEN toString(r.dropped_before) ELSE '' END,
.dropped_turn, .dropped_start;

// part: belief
// A row of a relationship or a fact, r, as it was known at $known_at: what superseded it later was not. Of its `kind`, it
// had faded if it did by $awake_at. attribute_keys and attribute_values come empty, and as 0 where they are no lists of
// texts, so that the reader names them.
r {
  kind: kind, .id, .belief_id, .subject_id, .predicate, .object_id, .value, .target, .statement, .attributes,
  .confidence, .importance, .contested, .from_stated, .to_stated, .user, .audience, .category, .open,
  day: coalesce(r.day, ''), protected: coalesce(r.protected, false),
  .cut_by, to_inferred: r.cut_by IS NOT NULL,
  faded: r.fades_at <= $awake_at, shared: r.audience <> r.user,
  event_to: CASE WHEN r.event_to IS :: ZONED DATETIME THEN toString(r.event_to) ELSE '' END,
  // insert: instants_of_version
  , superseded_at: CASE
    WHEN r.superseded_at <= $known_at THEN toString(r.superseded_at)
    WHEN r.superseded_at IS :: ZONED DATETIME NOT NULL THEN '9999-12-31T23:59:59.999999Z'
    ELSE ''
  END,
  // insert: acts_on_version
  , attribute_keys: CASE WHEN r.attribute_keys IS :: LIST<STRING NOT NULL> THEN [] ELSE 0 END,
  attribute_values: CASE WHEN r.attribute_values IS :: LIST<STRING NOT NULL> THEN [] ELSE 0 END
};

// part: belief_of_claims
// As much of a row, r, of a belief as says which claims are its evidence.
r {
  .id, .subject_id, .predicate, .object_id, .target, .user, .open, day: coalesce(r.day, ''),
  // insert: acts_on_version
};

// part: current_fact
// A row of a relationship or a fact, r, as far as consolidation asks: which value of which slot, and what it says.
r {
  .id, .subject_id, .predicate, .target, .statement, .contested, .open, .user,
  .category, day: coalesce(r.day, ''),
  distinguished_by: CASE WHEN r.open = true THEN
      [one IN coalesce(r.attribute_values, []) WHERE one STARTS WITH 'verb=' OR one STARTS WITH 'detail=']
    ELSE [] END
};

// part: held
// Whether a version, r, held at $valid_at, as known at $known_at. Where a property that should be an instant is not,
// it may have: its reader names it.
coalesce(
  r.valid_from <= $valid_at AND r.valid_to > $valid_at AND r.recorded_at <= $known_at AND r.superseded_at > $known_at,
  true
);

// part: held_and_seen
// Whether a version, r, held then, and readers of $audience may see it.
// insert: held
AND ($audience IS NULL OR r.audience IN $audience);

// part: not_before_plan
// Whether a version, r, begins on the day of a plan or later.
CASE WHEN r.valid_from IS :: ZONED DATETIME NOT NULL AND plan.valid_from IS :: ZONED DATETIME NOT NULL
  THEN date(r.valid_from) >= date(plan.valid_from) ELSE false END;

// part: damaged_version
// What is counted of a version, r, with texts for what should be instants: "" where one is not.
r {
  .id, .access_count, .category, .contested, .protected,
  // insert: instants_of_version
  , superseded_at: CASE WHEN r.superseded_at IS :: ZONED DATETIME THEN toString(r.superseded_at) ELSE '' END,
  last_accessed: CASE WHEN r.last_accessed IS :: ZONED DATETIME THEN toString(r.last_accessed) ELSE '' END
};

// part: held_or_begun
// Whether a version, r, is asked for, and held at $valid_at, as known at $known_at; with $history, whether it had begun. Where
// a property that should be an instant is not, it may have: its reader names it.
r.group_id = $group AND coalesce(
  r.valid_from <= $valid_at AND r.recorded_at <= $known_at
    AND ($history OR (r.valid_to > $valid_at AND r.superseded_at > $known_at)),
  true
) AND ($audience IS NULL OR r.audience IN $audience) AND r.open IN $open;

// part: not_held_otherwise
// Whether a version, r, did not hold at $unless_valid_at, as known at $unless_known_at; without these, any.
($unless_valid_at IS NULL OR NOT coalesce(
  r.valid_from <= $unless_valid_at AND r.valid_to > $unless_valid_at
    AND r.recorded_at <= $unless_known_at AND r.superseded_at > $unless_known_at,
  false
));

// part: held_in_group
// Whether a version, r, with an id after $after, is asked for, held then, and did not hold otherwise.
r.group_id = $group AND r.id > $after AND
// insert: held_and_seen
AND r.open IN $open AND ($predicates IS NULL OR r.predicate IN $predicates) AND
// insert: not_held_otherwise
;

// part: later_in_history
// Whether a version, r, is asked for, was recorded by $known_at, says something of $valid_at unless that is null, and comes
// after $after. Where a property that should be an instant is not, it may: its reader names it.
r.group_id = $group AND ($audience IS NULL OR r.audience IN $audience) AND r.open IN $open
AND ($predicates IS NULL OR r.predicate IN $predicates) AND coalesce(r.recorded_at <= $known_at, true)
AND ($valid_at IS NULL OR coalesce(r.valid_from <= $valid_at AND r.valid_to > $valid_at, true))
AND coalesce([r.predicate, r.target, r.valid_from, r.recorded_at, r.id] > $after, true);

// part: last_known
// The last instant up to $known_at at which a version, r, was believed.
CASE WHEN r.superseded_at <= $known_at THEN r.superseded_at - duration({microseconds: 1}) ELSE $known_at END;

// part: speaks_then
// Whether a claim, c, speaks of the time of a belief, as known at `known`. Where a property that should be an
// instant is not, it may: its reader names it.
coalesce(
  c.recorded_at <= known AND c.retracted_at > known AND c.valid_from < valid_to AND c.valid_to > valid_from, true
);

// part: stands_for
// All that the ends of a belief stood for, as known at `known`: `full` members, and short names in some sessions. `meanings`:
// in which sessions it ever meant which other one, and whether that stood for the user of the belief, whose own come first.
// A value stands for itself.
CALL (belief, known) {
  UNWIND [belief.subject_id, belief.object_id] AS end
  MATCH (m:Entity)-[up:SAME_AS|WAS_SAME_AS*0..3]->(:Entity {id: end})
  WHERE all(
    s IN up WHERE coalesce(s.recorded_at <= known AND s.superseded_at > known, true) AND s.user IN ['', belief.user]
  )
  WITH end, m, max(CASE WHEN all(s IN up WHERE s.session IS NULL) THEN 1 ELSE 0 END) = 1 AS full
  RETURN collect({
    end: end, id: m.id, full: full,
    meanings: COLLECT {
      MATCH (m)-[s:SAME_AS|WAS_SAME_AS]->(o:Entity)
      WHERE s.session IS NOT NULL
      RETURN [
        s.session, o.id,
        s.user IN ['', belief.user] AND coalesce(s.recorded_at <= known AND s.superseded_at > known, true)
      ] ORDER BY s.user DESC
    }
  }) AS members
}
WITH *, [one IN members WHERE one.end = belief.subject_id] AS subjects, CASE
    WHEN belief.object_id IS NULL THEN [{id: belief.target, full: true, meanings: []}]
    ELSE [one IN members WHERE one.end = belief.object_id]
  END AS targets;

// part: means_both
// Whether a claim, c, that names a subject and a target meant these in its session.
(subject.meanings = [] OR coalesce(head(
  [one IN subject.meanings WHERE one[0] = coalesce(c.session, '') AND one[2] | one[1] IN [each IN subjects | each.id]]
), subject.full))
AND (target.meanings = [] OR coalesce(head(
  [one IN target.meanings WHERE one[0] = coalesce(c.session, '') AND one[2] | one[1] IN [each IN targets | each.id]]
), target.full));

// part: held_around
// Versions, r, at either end of an entity, e, that held at $valid_at, as known at $known_at: the kind of each, and the id of
// the entity at its other end, null of a fact.
CALL (e) {
  MATCH (e)-[r:RELATES_TO]-(o)
  WHERE r.group_id = $group AND
    // insert: held_and_seen
  RETURN 'relationship' AS kind, r, o.id AS other
  UNION ALL
  MATCH (e)-[r:SUPERSEDED]-(o)
  WHERE r.group_id = $group AND
    // insert: held_and_seen
  RETURN 'relationship' AS kind, r, o.id AS other
  UNION ALL
  MATCH (e)-[:HAS_FACT]->(r)
  WHERE r.group_id = $group AND
    // insert: held_and_seen
  RETURN 'fact' AS kind, r, null AS other
  UNION ALL
  MATCH (e)-[:HAD_FACT]->(r)
  WHERE r.group_id = $group AND
    // insert: held_and_seen
  RETURN 'fact' AS kind, r, null AS other
};

// part: agrees
// Whether a claim has the attributes of its belief, as far as it has them, and of open ones the same verb and detail. Where
// something else than texts stands in their place, it may: who reads the claim names it.
CASE
  WHEN c.attribute_keys IS :: LIST<STRING NOT NULL> AND c.attribute_values IS :: LIST<STRING NOT NULL> THEN all(
    i IN range(0, size(coalesce(c.attribute_keys, [])) - 1)
    WHERE NOT c.attribute_keys[i] IN keys OR c.attribute_values[i] IN said
  )
  ELSE true
END
AND (
  NOT belief.open OR NOT c.attribute_values IS :: LIST<STRING NOT NULL>
  OR [one IN coalesce(c.attribute_values, []) WHERE one STARTS WITH 'verb=' OR one STARTS WITH 'detail=']
    = [one IN said WHERE one STARTS WITH 'verb=' OR one STARTS WITH 'detail=']
);

// part: counts
// Whether a claim, c, of the value of a belief was said since that was last rejected, and since it was last dropped unless
// the claim protects it: what was said before is no evidence of it.
coalesce(
  [c.said_at, c.turn, c.quote_start]
    >= [datetime(nullIf(belief.rejected_before, '')), belief.rejected_turn, belief.rejected_start],
  true
)
AND coalesce(
  c.protecting OR [c.said_at, c.turn, c.quote_start]
    >= [datetime(nullIf(belief.dropped_before, '')), belief.dropped_turn, belief.dropped_start],
  true
);

// part: names_as_many
// Whether a claim, c, names one thing where a belief is about a thing and itself: not two that turned out to be the same.
(belief.subject_id <> belief.target OR c.target IN ['', c.subject_id]);

// part: supports
// Whether a claim, c, that names a subject and a target supports a belief, as known at `known`.
c.subject_id = subject.id AND c.predicate = belief.predicate AND c.target = target.id
AND
// insert: names_as_many
AND c.group_id = $group AND c.user = belief.user
AND NOT coalesce(c.kind, '') IN ['ends', 'rejects', 'lowers']
AND coalesce(c.open, false) = belief.open AND coalesce(c.day, '') = belief.day
AND
// insert: speaks_then
AND
// insert: counts
AND
// insert: agrees
AND
// insert: means_both
;

// part: told
// Whether readers of $audience may see a claim, c, of a belief that they see: it is theirs, or its user shares its value.
// An act on the value is not shared with it: its words are those of another one, or a reason.
($audience IS NULL OR belief.user IN $audience OR (NOT coalesce(c.kind, '') IN ['rejects', 'lowers'] AND EXISTS {
  MATCH (s:SharedValue)
  WHERE s.group_id = $group AND s.user = belief.user AND s.subject_id = c.subject_id AND s.predicate = c.predicate
    AND s.target = c.target AND s.open = coalesce(c.open, false) AND s.day = coalesce(c.day, '') AND s.in_force = true
}));

// part: evidence
// The first $evidence claims that a belief rests on, as known at `known`; and, where it is cut, the claim that ended it, if
// readers may see that: `ended_by`.
// insert: stands_for
CALL (belief, valid_from, valid_to, keys, said, known, subjects, targets) {
  UNWIND subjects AS subject
  UNWIND targets AS target
  MATCH (c:Claim)
  WHERE
  // insert: supports
  AND
  // insert: told
  WITH c ORDER BY c.said_at, c.turn, c.quote_start, c.id LIMIT $evidence
  RETURN collect(c {
    claim_id: c.id, .kind, .episode_id, .quote, .quote_start, .quote_end, .confidence,
    redacted: coalesce(c.redacted, false),
    attribute_keys: CASE WHEN c.attribute_keys IS :: LIST<STRING NOT NULL> THEN [] ELSE 0 END,
    attribute_values: CASE WHEN c.attribute_values IS :: LIST<STRING NOT NULL> THEN [] ELSE 0 END,
    said_at: CASE WHEN c.said_at IS :: ZONED DATETIME THEN toString(c.said_at) ELSE '' END,
    recorded_at: CASE WHEN c.recorded_at IS :: ZONED DATETIME THEN toString(c.recorded_at) ELSE '' END
  }) AS evidence
}
CALL (belief) {
  OPTIONAL MATCH (c:Claim {id: belief.cut_by})
  WHERE c.group_id = $group AND belief.valid_to > '' AND
  // insert: told
  RETURN CASE WHEN c IS NOT NULL THEN {claim_id: c.id, statement: c.statement, at: belief.valid_to} END AS ended_by
};

// part: rows_by_id
// Rows, r, of beliefs by their ids, that readers of $audience may see. A row that is superseded meanwhile comes twice.
CALL () {
  UNWIND $ids AS id
  MATCH ()-[r:RELATES_TO {id: id}]->()
  USING INDEX SEEK r:RELATES_TO(id)
  RETURN 'relationship' AS kind, r
  UNION ALL
  UNWIND $ids AS id
  MATCH ()-[r:SUPERSEDED {id: id}]->()
  USING INDEX SEEK r:SUPERSEDED(id)
  RETURN 'relationship' AS kind, r
  UNION ALL
  UNWIND $ids AS id
  MATCH (r:Fact {id: id})
  RETURN 'fact' AS kind, r
  UNION ALL
  UNWIND $ids AS id
  MATCH (r:SupersededFact {id: id})
  RETURN 'fact' AS kind, r
}
WITH kind, r WHERE r.group_id = $group AND ($audience IS NULL OR r.audience IN $audience);

// part: said_so
// Whether an episode, e, has what is asked of episodes.
($session IS NULL OR e.session = $session)
AND ($exclude_session IS NULL OR coalesce(e.session, '') <> $exclude_session)
AND ($roles IS NULL OR e.role IN $roles)
AND ($speakers IS NULL OR e.speaker IN $speakers)
AND ($sources IS NULL OR e.source IN $sources)
AND ($tags IS NULL OR any(tag IN e.tags WHERE tag IN $tags));

// part: holds_one
// Of rows, r, of beliefs whether each competes with all of its subject and predicate (`together`), and holds alone there
// (`one`); and whether the latest start is believed (`by_time`). Without a policy, free keys of some categories hold one
// value, the most confident (``default_policy``), all others many.
OPTIONAL MATCH (own:Predicate {group_id: $group, name: r.predicate})
OPTIONAL MATCH (service:Predicate {group_id: '', name: r.predicate})
WITH r, own, service, r.predicate =~ '(identity|preference|occupation)[.].+' AS of_profile
WITH r,
  CASE
    WHEN r.open = true THEN 'many'
    ELSE coalesce(own.cardinality, service.cardinality, CASE WHEN of_profile THEN 'one' ELSE 'many' END)
  END AS cardinality,
  coalesce(own.rule, service.rule, CASE WHEN of_profile THEN 'confident' ELSE 'latest' END) = 'latest' AS by_time
WITH r, cardinality = 'one' AS one, cardinality IN ['one', 'successive'] AS together, by_time;

// part: count_use
// Counts a use of a version, r, at an instant, `at`, once a day, and lets it fade no earlier than `fades_at`.
SET
  r.access_count = CASE WHEN r.access_count IS :: INTEGER NOT NULL THEN r.access_count ELSE 0 END + CASE
    WHEN NOT r.last_accessed IS :: ZONED DATETIME NOT NULL THEN 1
    WHEN date(r.last_accessed) < date(at) THEN 1
    ELSE 0
  END,
  r.last_accessed = CASE WHEN r.last_accessed >= at THEN r.last_accessed ELSE at END,
  r.anchored_at = CASE WHEN r.anchored_at >= at THEN r.anchored_at ELSE at END
WITH r, fades_at WHERE r.fades_at < fades_at
SET r.fades_at = fades_at;

// part: of_row
// The properties of a belief of a subject, s, which `row` gives, into a row, r: all but when it is recorded and superseded, and when
// it is to have a vector. That is the vector of its first claim, c.
SET
  r = row.properties, r.group_id = $group, r.group_token = $group_token, r.embedding = c.embedding,
  r.claim_id = row.claim_id, r.valid_from = datetime(row.valid_from), r.valid_to = datetime(row.valid_to),
  r.fades_at = datetime(row.fades_at), r.anchored_at = datetime(row.anchored_at),
  r.last_accessed = datetime(row.last_accessed), r.event_to = datetime(row.event_to),
  r.rejected_before = datetime(row.rejected_before), r.dropped_before = datetime(row.dropped_before)
FOREACH (_ IN CASE WHEN r.bound IS NULL THEN [] ELSE [1] END | SET s.bounded = true);

// part: as_recorded
// The same of a row that is recorded and superseded when `row` says; it is to have a vector from now on.
// insert: of_row
SET
  r.recorded_at = datetime(row.recorded_at), r.superseded_at = datetime(row.superseded_at),
  r.embed_due = CASE
    WHEN c.embedding IS NULL AND c.not_embeddable IS NULL THEN datetime.truncate('microsecond', datetime.realtime())
  END;
