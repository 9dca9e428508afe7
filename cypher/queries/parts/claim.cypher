// part: instants_of_claim
// Instants of a claim, c, as texts: "" where something else stands there.
valid_from: CASE WHEN c.valid_from IS :: ZONED DATETIME THEN toString(c.valid_from) ELSE '' END,
valid_to: CASE WHEN c.valid_to IS :: ZONED DATETIME THEN toString(c.valid_to) ELSE '' END,
said_at: CASE WHEN c.said_at IS :: ZONED DATETIME THEN toString(c.said_at) ELSE '' END,
recorded_at: CASE WHEN c.recorded_at IS :: ZONED DATETIME THEN toString(c.recorded_at) ELSE '' END;

// part: claim
// A claim, c, as a projection takes it.
c {
  .id, .group_id, .episode_id, .kind, .subject_id, .predicate, .object_id, .value, .statement, .quote, .quote_start,
  .quote_end, .from_stated, .to_stated, .confidence, .importance, .attributes, .category, .extractor,
  .extractor_version, .user, session: coalesce(c.session, ''), .turn, from_precision: coalesce(c.from_precision, 0),
  revision: coalesce(c.revision, 0), open: coalesce(c.open, false), day: coalesce(c.day, ''),
  event_to: CASE WHEN c.event_to IS :: ZONED DATETIME THEN toString(c.event_to) ELSE '' END,
  asserted_by: coalesce(c.asserted_by, 'passing'), beside: coalesce(c.beside, false),
  protecting: coalesce(c.protecting, false), .cap, gave_way_to: coalesce(c.gave_way_to, ''), time_unread: coalesce(c.time_unread, ''),
  // insert: instants_of_claim
  , retracted_at: CASE WHEN c.retracted_at IS :: ZONED DATETIME THEN toString(c.retracted_at) ELSE '' END
};

// part: known_claim
// A claim, c, as an answer has it, known at $known_at: what retracted it later was not.
c {
  .id, .kind, .episode_id, .statement, .quote, .quote_start, .quote_end, .from_stated, .to_stated, .confidence,
  .extractor, .extractor_version, asserted_by: coalesce(c.asserted_by, 'passing'),
  protecting: coalesce(c.protecting, false), .cap, gave_way_to: coalesce(c.gave_way_to, ''), time_unread: coalesce(c.time_unread, ''),
  redacted: coalesce(c.redacted, false),
  // insert: instants_of_claim
  , retracted_at: CASE
    WHEN c.retracted_at <= $known_at THEN toString(c.retracted_at)
    WHEN c.retracted_at IS :: ZONED DATETIME NOT NULL THEN '9999-12-31T23:59:59.999999Z'
    ELSE ''
  END
};

// part: act_on_value
// An act, x, that counts as known at `known` on the value of a claim, c, that asserts, named as there, and was said after it.
MATCH (x:Claim)
USING INDEX SEEK x:Claim(subject_id, kind, target)
WHERE x.subject_id = c.subject_id AND x.predicate = c.predicate AND x.target = c.target AND x.group_id = $group
  AND c.kind IN ['starts', 'holds'] AND [x.said_at, x.turn, x.quote_start] > [c.said_at, c.turn, c.quote_start]
  AND x.recorded_at <= known AND x.retracted_at > known AND x.user = c.user
  AND coalesce(x.open, false) = coalesce(c.open, false) AND coalesce(x.day, '') = coalesce(c.day, '')
  AND coalesce(x.attribute_values, []) =
    [one IN coalesce(c.attribute_values, []) WHERE c.open = true AND (one STARTS WITH 'verb=' OR one STARTS WITH 'detail=')];

// part: rejected
// Whether, as known at `known`, the value of a claim, c, was rejected after it was said.
EXISTS {
  // insert: act_on_value
  AND x.kind = 'rejects'
};

// part: lowered
// Whether, as known at `known`, the value of a claim, c, was lowered after it was said, and nobody confirmed it by this claim.
(NOT coalesce(c.protecting, false) AND EXISTS {
  // insert: act_on_value
  AND x.kind = 'lowers'
});

// part: is_withdrawn
// Whether a claim, c, was withdrawn by `known`: retracted by request, not by a later digest, or its value was rejected after
// it was said.
((c.retracted_at <= known AND NOT coalesce(c.replaced, false))
  OR
  // insert: rejected
);

// part: same_words
// A claim, named, and the claims, c, of its episode whose quotes overlap its quote.
MATCH (named)<-[:STATES]-(episode:Episode)
MATCH (episode)-[:STATES]->(c:Claim)
WHERE (c = named OR (c.quote_start < named.quote_end AND c.quote_end > named.quote_start));

// part: withdrawn
// Claims, c, of the episode `id` that were retracted by request by $known_at, not by a later digest, or whose value was
// rejected after they were said.
MATCH (:Episode {id: id})-[:STATES]->(c:Claim)
WHERE c.group_id = $group AND c.recorded_at <= $known_at
  AND ($audience IS NULL OR c.user IN $audience)
WITH id, c, $known_at AS known
WHERE
// insert: is_withdrawn
;

// part: concerned
// Claims, c: those of $ids; those on whose value, in the memory of their user, there are $acts, or were acts among $ids;
// and where one of these is withdrawn by $now, or its value is rejected or was, those whose quotes overlap its quote.
CALL () {
  CALL () {
    UNWIND $ids AS id
    MATCH (c:Claim {id: id})
    USING INDEX SEEK c:Claim(id)
    RETURN c, false AS was_rejected
    UNION
    UNWIND $acts AS act
    MATCH (c:Claim)
    USING INDEX SEEK c:Claim(subject_id, predicate, target)
    WHERE c.subject_id = act.subject_id AND c.predicate = act.predicate AND c.target = act.target
      AND NOT c.kind IN ['rejects', 'lowers'] AND c.user = act.user
    RETURN c, false AS was_rejected
    UNION
    UNWIND $ids AS id
    MATCH (act:Claim {id: id})
    USING INDEX SEEK act:Claim(id)
    WHERE act.kind IN ['rejects', 'lowers']
    MATCH (c:Claim)
    USING INDEX SEEK c:Claim(subject_id, predicate, target)
    WHERE c.subject_id = act.subject_id AND c.predicate = act.predicate AND c.target = act.target
      AND NOT c.kind IN ['rejects', 'lowers'] AND c.user = act.user
    RETURN c, act.kind = 'rejects' AS was_rejected
  }
  WITH c, was_rejected, $now AS known
  WITH c AS named, was_rejected OR
    // insert: is_withdrawn
    AS with_words
  CALL (named, with_words) {
    RETURN named AS c
    UNION
    WITH named WHERE with_words
    // insert: same_words
    RETURN c
  }
  RETURN DISTINCT c
};
