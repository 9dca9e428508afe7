// name: lock_episodes
// mode: write
// returns: many
// row: LeaseRow
// params: group, rows, turns
// The first statement of a digest: nobody else digests these episodes until the transaction ends. They are locked in the
// order given (by id). And what comes before each in its session, as ``context_of_episode`` has it, newest first; of no
// episode more than $turns.
UNWIND $rows AS row
MATCH (e:Episode {id: row.id})
USING INDEX SEEK e:Episode(id)
WHERE e.group_id = $group
SET e.lease_asked_at = datetime.realtime()
WITH e, row
CALL (e, row) {
  WITH e, row WHERE row.turns > 0
  MATCH (t:Episode)
  USING INDEX SEEK t:Episode(session_id, occurred_at)
  WHERE t.session_id = e.session_id AND t.occurred_at <= e.occurred_at AND t.group_id = $group
    AND t.audience IN ['', e.audience] AND t.replaced_at IS NULL
  WITH e, row, t WHERE [t.occurred_at, t.turn] < [e.occurred_at, e.turn]
  WITH row, t ORDER BY t.occurred_at DESC, t.turn DESC, t.id DESC LIMIT $turns
  RETURN collect(t.id)[0..row.turns] AS before
}
RETURN e.id AS id, e.status AS status, e.lease AS lease, coalesce(e.revision, 0) AS revision, before;

// name: lock_group
// mode: write
// returns: nothing
// params: group
// Whoever brings transaction times to a group does so alone, and whoever changes how many hold terms of its names.
MATCH (g:Group {id: $group})
USING INDEX SEEK g:Group(id)
SET g.locked = true;

// name: lock_change
// mode: write
// returns: one
// row: GroundRow
// params: group, rows, claims, predicates
// Make entities, and lock those whose slots or names are to change, in the order given (by id, so that two writers
// never wait for each other). A name first seen earlier than the one we have takes its place; earlier answers keep
// the name that they knew.
// Of each entity, which of the row's audiences have heard of it, and as what.
// Then, after the locks were waited for: the database's clock in microseconds, what the group says about transaction
// times, the policies in force of predicates (as ``clock`` has them), which of these claims are there already, and of
// which embedding model the group takes vectors: of none while old ones are taken away.
// Predicates and names are looked up by a range: in a statement that writes, Neo4j locks what an exact look-up in a unique
// index does not find, and all who write of a predicate without a policy would wait for each other.
MATCH (g:Group {id: $group})
USING INDEX SEEK g:Group(id)
CALL (g) {
  UNWIND $rows AS row
  MERGE (e:Entity {id: row.id})
  ON CREATE SET
    e.group_id = $group, e.key = row.key, e.qualifier = row.qualifier, e.name = row.name,
    e.first_seen = datetime(row.first_seen),
    e.names = [], e.names_at = [], e.types = [], e.types_by = [], e.types_said_at = [], e.types_at = [],
    e.newest_stamp = datetime('0001-01-01T00:00:00Z')
  FOREACH (_ IN CASE WHEN row.lock THEN [1] ELSE [] END | SET e.locked = true)
  RETURN collect(e {
    .id, name: coalesce(last([one IN e.names | one]), e.name), first_seen: toStringOrNull(e.first_seen), versions: size([one IN e.names | 1]),
    newest_stamp: toStringOrNull(e.newest_stamp),
    said_type: CASE WHEN size([type IN e.types | type]) > 0 THEN {
      type: last([type IN e.types | type]), typed_by: last([by IN e.types_by | by]),
      said_at: toStringOrNull(last([at IN e.types_said_at | at]))
    } END,
    known_to: COLLECT {
      UNWIND row.audiences AS who
      MATCH (k:Name)
      USING INDEX SEEK k:Name(id)
      WHERE k.id >= e.id + '/' + who AND k.id <= e.id + '/' + who
      RETURN {audience: who, said_type: CASE WHEN size([type IN k.types | type]) > 0 THEN {
        type: last([type IN k.types | type]), typed_by: last([by IN k.types_by | by]),
        said_at: toStringOrNull(last([at IN k.types_said_at | at]))
      } END}
    }
  }) AS entities
}
CALL (g) {
  UNWIND $predicates AS name
  OPTIONAL MATCH (own:Predicate)
  USING INDEX SEEK own:Predicate(group_id, name)
  WHERE own.group_id = g.id AND own.name >= name AND own.name <= name
  OPTIONAL MATCH (service:Predicate)
  USING INDEX SEEK service:Predicate(group_id, name)
  WHERE service.group_id = '' AND service.name >= name AND service.name <= name
  WITH coalesce(own, service) AS p WHERE p IS NOT NULL
  RETURN collect(p {.name, .cardinality, .rule, .bound, .irreflexive}) AS policies
}
CALL (g) {
  UNWIND $claims AS id
  MATCH (c:Claim {id: id})
  USING INDEX SEEK c:Claim(id)
  WHERE c.group_id = g.id
  RETURN collect(c.id) AS claims
}
RETURN
  entities, datetime.truncate('microsecond', datetime.realtime()) AS now, g.importing AS importing,
  g.settled_until AS settled_until, coalesce(g.promised_until, datetime('0001-01-01T00:00:00Z')) AS promised_until,
  policies, claims, CASE WHEN g.forgetting_since IS NULL THEN g.embedding_model ELSE '' END AS embedding_model,
  g.dimensions AS dimensions;

// name: lock_subjects
// mode: write
// returns: many
// row: StampRow
// params: group, ids
// Lock entities that are there, in the order given (by id), to project their slots again.
UNWIND $ids AS id
MATCH (e:Entity {id: id})
USING INDEX SEEK e:Entity(id)
WHERE e.group_id = $group
SET e.locked = true
RETURN e.id AS id, e.newest_stamp AS newest_stamp;

// name: clock
// mode: read
// returns: one
// row: ClockRow
// params: group, predicates
// timeless because it reads the clock, and a projection follows the policies in force now
// The database's clock in microseconds, read when this statement runs: after the locks were waited for. What the group
// says about transaction times. And the policies in force of predicates: the group's own, else the service's; one that
// has neither holds many.
MATCH (g:Group {id: $group})
USING INDEX SEEK g:Group(id)
CALL (g) {
  UNWIND $predicates AS name
  OPTIONAL MATCH (own:Predicate {group_id: g.id, name: name})
  USING INDEX SEEK own:Predicate(group_id, name)
  OPTIONAL MATCH (service:Predicate {group_id: '', name: name})
  USING INDEX SEEK service:Predicate(group_id, name)
  WITH coalesce(own, service) AS p WHERE p IS NOT NULL
  RETURN collect(p {.name, .cardinality, .rule, .bound, .irreflexive}) AS policies
}
RETURN
  datetime.truncate('microsecond', datetime.realtime()) AS now, g.importing AS importing,
  g.settled_until AS settled_until, coalesce(g.promised_until, datetime('0001-01-01T00:00:00Z')) AS promised_until,
  policies;

// name: identities
// mode: read
// returns: list
// row: SameAs
// params: group, named
// timeless because a projection follows the decisions in force now
// The decisions in force on what is named in a session, by or for a user: from short names and members up to what stands
// for them, and from there down to all that it stands for.
UNWIND $named AS row
MATCH (e:Entity {id: row.id})-[up:SAME_AS*0..3]->(r:Entity)
USING INDEX SEEK e:Entity(id)
WHERE e.group_id = $group AND all(s IN up WHERE s.user IN ['', row.user] AND coalesce(s.session = row.session, true))
OPTIONAL MATCH (r)<-[down:SAME_AS*1..3]-(:Entity)
WHERE all(s IN down WHERE s.user IN ['', row.user])
UNWIND up + coalesce(down, []) AS s
WITH DISTINCT s
RETURN collect(
  // insert: same_as
) AS rows;

// name: first_said
// mode: read
// returns: list
// row: FirstSaidRow
// params: group, rows, named
// timeless because a projection follows the decisions in force now
// The rows whose short name has no meaning yet in a session, and is no end of a claim there: giving it one moves no claim.
// Whom it is to mean is there, or is one of those that the change names.
UNWIND $rows AS row
WITH row WHERE (row.other IN $named OR EXISTS {
    MATCH (o:Entity {id: row.other})
    USING INDEX SEEK o:Entity(id)
    WHERE o.group_id = $group AND o.recorded_at IS NOT NULL
  })
  AND NOT EXISTS {
    MATCH (e:Entity {id: row.member})-[s:SAME_AS]->(:Entity)
    USING INDEX SEEK e:Entity(id)
    WHERE s.session = row.session
  }
CALL (row) {
  MATCH (ep:Episode)
  USING INDEX SEEK ep:Episode(session_id, occurred_at)
  WHERE ep.session_id = row.session_id AND ep.occurred_at >= datetime('0001-01-01T00:00:00Z') AND ep.group_id = $group
  MATCH (ep)-[:STATES]->(c:Claim)
  WHERE row.member IN [c.subject_id, c.object_id] AND c.retracted_at = datetime('9999-12-31T23:59:59.999999Z')
  RETURN count(c) AS claims
}
WITH row WHERE claims = 0
RETURN collect({member: row.member, session: row.session, user: row.user}) AS rows;

// name: slots
// mode: read
// returns: list
// row: SlotRow
// params: group, slots
// timeless because a projection takes all claims standing now, and is compared with what is believed now
// The standing claims of slots, and what is believed there. Each of the ids that a subject or a target stands for is
// looked up; a target is a prefix: "" takes all targets of a single-valued slot. And the decisions on the ends of these
// claims, for a short name may mean another one in each session. Where what a slot is compared with is damaged, the claim or
// row may belong to it: it is told, so that nothing is settled without it.
UNWIND $slots AS slot
CALL (slot) {
  UNWIND slot.subject_ids AS subject_id
  UNWIND slot.targets AS target
  MATCH (c:Claim)
  USING INDEX SEEK c:Claim(subject_id, predicate, target)
  WHERE c.subject_id = subject_id AND c.predicate = slot.predicate AND c.target STARTS WITH target
    AND c.group_id = $group
    AND (c.user = slot.user OR NOT c.user IS :: STRING NOT NULL)
    AND (coalesce(c.open, false) = slot.open OR NOT c.open IS :: BOOLEAN)
    AND (coalesce(c.day, '') = slot.day OR NOT c.day IS :: STRING)
    AND (NOT slot.open OR slot.distinguished_by =
      [one IN coalesce(c.attribute_values, []) WHERE one STARTS WITH 'verb=' OR one STARTS WITH 'detail='])
    AND (c.retracted_at = datetime('9999-12-31T23:59:59.999999Z') OR NOT c.retracted_at IS :: ZONED DATETIME NOT NULL)
  WITH
    // insert: claim
    AS claim
  RETURN collect({claim: claim, recorded_at: claim.recorded_at}) AS claims
}
CALL (slot, claims) {
  UNWIND [one IN claims | one.claim] AS c
  UNWIND [c.subject_id, c.object_id] AS id
  WITH id, collect(DISTINCT c.session) AS sessions
  MATCH (end:Entity {id: id})-[up:SAME_AS*1..3]->(:Entity)
  USING INDEX SEEK end:Entity(id)
  WHERE all(s IN up WHERE s.user IN ['', slot.user] AND (s.session IS NULL OR s.session IN sessions))
  UNWIND up AS s
  WITH DISTINCT s
  RETURN collect(
    // insert: same_as
  ) AS same_as
}
CALL (slot) {
  MATCH ()-[r:RELATES_TO]->()
  USING INDEX SEEK r:RELATES_TO(subject_id, predicate, target)
  WHERE r.subject_id = slot.subject_id AND r.predicate = slot.predicate AND r.target STARTS WITH slot.target
    AND r.group_id = $group
    AND (r.user = slot.user OR NOT r.user IS :: STRING NOT NULL)
    AND (r.open = slot.open OR NOT r.open IS :: BOOLEAN NOT NULL)
    AND (coalesce(r.day, '') = slot.day OR NOT r.day IS :: STRING)
    AND (NOT slot.open OR slot.distinguished_by =
      [one IN coalesce(r.attribute_values, []) WHERE one STARTS WITH 'verb=' OR one STARTS WITH 'detail='])
  RETURN collect(r {
    kind: 'relationship', .id, .fingerprint, .bound, .target, .audience,
    .user, .open, day: coalesce(r.day, ''), access_count: coalesce(r.access_count, 0),
    anchored_at: toStringOrNull(r.anchored_at), last_accessed: toStringOrNull(r.last_accessed),
    fades_at: CASE WHEN r.fades_at IS :: ZONED DATETIME
      THEN toString(r.fades_at) ELSE '' END
  }) AS relationships
}
CALL (slot) {
  MATCH (f:Fact)
  USING INDEX SEEK f:Fact(subject_id, predicate, target)
  WHERE f.subject_id = slot.subject_id AND f.predicate = slot.predicate AND f.target STARTS WITH slot.target
    AND f.group_id = $group
    AND (f.user = slot.user OR NOT f.user IS :: STRING NOT NULL)
    AND (f.open = slot.open OR NOT f.open IS :: BOOLEAN NOT NULL)
    AND (coalesce(f.day, '') = slot.day OR NOT f.day IS :: STRING)
    AND (NOT slot.open OR slot.distinguished_by =
      [one IN coalesce(f.attribute_values, []) WHERE one STARTS WITH 'verb=' OR one STARTS WITH 'detail='])
  RETURN collect(f {
    kind: 'fact', .id, .fingerprint, .bound, .target, .audience,
    .user, .open, day: coalesce(f.day, ''), access_count: coalesce(f.access_count, 0),
    anchored_at: toStringOrNull(f.anchored_at), last_accessed: toStringOrNull(f.last_accessed),
    fades_at: CASE WHEN f.fades_at IS :: ZONED DATETIME
      THEN toString(f.fades_at) ELSE '' END
  }) AS facts
}
CALL (slot) {
  WITH slot WHERE slot.user > ''
  UNWIND slot.subject_ids AS subject_id
  MATCH (s:SharedValue)
  USING INDEX SEEK s:SharedValue(group_id, user, subject_id)
  WHERE s.group_id = $group AND s.user = slot.user AND s.subject_id = subject_id AND s.predicate = slot.predicate
    AND s.in_force = true
  RETURN collect({id: s.id}) AS shared
}
RETURN collect({claims: claims, same_as: same_as, held: relationships + facts, shared: shared}) AS rows;

// name: claims_of_predicate
// mode: read
// returns: list
// row: ClaimRow
// params: group, ids, predicate
// timeless because a projection takes all claims standing now
// The standing claims of subjects with one predicate.
UNWIND $ids AS id
MATCH (c:Claim)
USING INDEX SEEK c:Claim(predicate, group_id, subject_id)
WHERE c.subject_id = id AND c.predicate = $predicate AND c.group_id = $group
  AND c.retracted_at = datetime('9999-12-31T23:59:59.999999Z')
RETURN collect({claim:
  // insert: claim
}) AS rows;

// name: claims_to_retract
// mode: read
// returns: many
// row: RetractableRow
// params: group, audience, ids
// timeless because a claim is addressed by its id
// Claims to retract: those that readers of $audience may see, because they are theirs or their user shares their value;
// acts on a value are not shared with it.
UNWIND $ids AS id
MATCH (c:Claim {id: id})
USING INDEX SEEK c:Claim(id)
WHERE c.group_id = $group AND ($audience IS NULL OR c.user IN $audience OR (
  NOT c.kind IN ['rejects', 'lowers'] AND EXISTS {
    MATCH (s:SharedValue)
    USING INDEX SEEK s:SharedValue(group_id, user, subject_id)
    WHERE s.group_id = $group AND s.user = c.user AND s.subject_id = c.subject_id
      AND s.predicate = c.predicate AND s.target = c.target AND s.open = coalesce(c.open, false)
      AND s.day = coalesce(c.day, '') AND s.in_force = true
  }
))
RETURN c.id AS id, c.retracted_at AS retracted_at,
  // insert: claim
  AS claim;

// name: claims_of_episode
// mode: read
// returns: many
// row: FormerRow
// params: group, id, start, end
// timeless because a digest takes the place of all that came before it
// What earlier digests of an episode claimed by quotes that begin in [start, end).
MATCH (ep:Episode {id: $id})-[:STATES]->(c:Claim)
USING INDEX SEEK ep:Episode(id)
WHERE c.group_id = $group AND c.quote_start >= $start AND c.quote_start < $end
RETURN c.id AS id, c.retracted_at AS retracted_at, c.replaced AS replaced,
  // insert: claim
  AS claim;

// name: retract_claims
// mode: write
// returns: many
// row: RetractedRow
// params: group, ids, replaced, now
// audit: retractions ids
// From now on these claims do not stand; for whoever asks about before, they do. The first retraction counts: by request
// or, replaced, by a later digest.
UNWIND $ids AS id
MATCH (c:Claim {id: id})
USING INDEX SEEK c:Claim(id)
WHERE c.group_id = $group
CALL (c) {
  WITH c WHERE c.retracted_at = datetime('9999-12-31T23:59:59.999999Z')
  SET c.retracted_at = $now, c.replaced = $replaced
}
RETURN c.id AS id, c.retracted_at AS retracted_at;

// name: mentions_of_episode
// mode: read
// returns: list
// row: Mention
// params: group, id, start, end
// timeless because a digest takes the place of all that came before it
// The mentions of an episode that begin in [start, end).
MATCH (ep:Episode {id: $id})-[m:MENTIONS]->(e:Entity)
USING INDEX SEEK ep:Episode(id)
WHERE m.group_id = $group AND m.start >= $start AND m.start < $end
RETURN collect({episode_id: $id, entity_id: e.id, start: m.start, end: m.end, text: m.text}) AS rows;

// name: supersede_mentions
// mode: write
// returns: nothing
// params: group, id, rows, now
// allow: CartesianProduct because each side is one node, found by its unique id
// A later digest does not see these mentions; as MENTIONED they tell that an earlier one did.
UNWIND $rows AS row
MATCH (ep:Episode {id: $id})-[m:MENTIONS {start: row.start, end: row.end}]->(e:Entity {id: row.entity_id})
USING INDEX SEEK ep:Episode(id)
WHERE m.group_id = $group
CREATE (ep)-[old:MENTIONED]->(e)
SET old = properties(m), old.superseded_at = $now
DELETE m;

// name: supersede_relationships
// mode: write
// returns: nothing
// params: group, ids, now
// audit: superseded ids
// Close the transaction time of relationships; as SUPERSEDED they answer for the past. What was recorded at this very
// instant was never believed.
UNWIND $ids AS id
MATCH (s)-[r:RELATES_TO {id: id}]->(o)
USING INDEX SEEK r:RELATES_TO(id)
WHERE r.group_id = $group
CALL (s, r, o) {
  WITH s, r, o WHERE r.recorded_at < $now
  CREATE (s)-[x:SUPERSEDED]->(o)
  SET x = properties(r), x.superseded_at = $now
}
DELETE r;

// name: supersede_facts
// mode: write
// returns: nothing
// params: group, ids, now
// audit: superseded ids
// Close the transaction time of facts; as SupersededFact they answer for the past.
UNWIND $ids AS id
MATCH (e:Entity)-[h:HAS_FACT]->(f:Fact {id: id})
USING INDEX SEEK f:Fact(id)
WHERE f.group_id = $group AND f.recorded_at < $now
CREATE (e)-[:HAD_FACT]->(f)
SET f:SupersededFact, f.superseded_at = $now
REMOVE f:Fact
DELETE h;

// name: drop_facts
// mode: write
// returns: nothing
// params: group, ids, now
// Facts recorded at the very instant at which they are superseded were never believed.
UNWIND $ids AS id
MATCH (f:Fact {id: id})
USING INDEX SEEK f:Fact(id)
WHERE f.group_id = $group AND f.recorded_at = $now
DETACH DELETE f;

// name: extend_beliefs
// mode: write
// returns: nothing
// params: group, rows
// Beliefs that were supported anew fade later.
UNWIND $rows AS row
CALL (row) {
  MATCH ()-[r:RELATES_TO {id: row.id}]->()
  USING INDEX SEEK r:RELATES_TO(id)
  WHERE r.group_id = $group
  SET r.fades_at = datetime(row.fades_at), r.anchored_at = datetime(row.anchored_at)
}
CALL (row) {
  MATCH (f:Fact {id: row.id})
  USING INDEX SEEK f:Fact(id)
  WHERE f.group_id = $group
  SET f.fades_at = datetime(row.fades_at), f.anchored_at = datetime(row.anchored_at)
};

// name: set_audiences
// mode: write
// returns: nothing
// params: group, rows
// timeless because access is judged now: who may see a version, whenever that was believed
// Who may see beliefs, by the ids of their rows, of any time.
UNWIND $rows AS row
CALL (row) {
  MATCH ()-[r:RELATES_TO {id: row.id}]->()
  USING INDEX SEEK r:RELATES_TO(id)
  WHERE r.group_id = $group
  SET r.audience = row.audience, r.audience_token = row.audience_token
}
CALL (row) {
  MATCH ()-[r:SUPERSEDED {id: row.id}]->()
  USING INDEX SEEK r:SUPERSEDED(id)
  WHERE r.group_id = $group
  SET r.audience = row.audience, r.audience_token = row.audience_token
}
CALL (row) {
  MATCH (f:Fact {id: row.id})
  USING INDEX SEEK f:Fact(id)
  WHERE f.group_id = $group
  SET f.audience = row.audience, f.audience_token = row.audience_token
}
CALL (row) {
  MATCH (f:SupersededFact {id: row.id})
  USING INDEX SEEK f:SupersededFact(id)
  WHERE f.group_id = $group
  SET f.audience = row.audience, f.audience_token = row.audience_token
};

// name: share_values
// mode: write
// returns: many
// row: IdRow
// params: group, rows, in_force, now
// audit: shares answered
// allow: CartesianProduct because each side is one node, found by its unique id
// Share values of a user, or take them back: those that were not so before. Each act has its instant.
UNWIND $rows AS row
MATCH (e:Entity {id: row.properties.subject_id})
USING INDEX SEEK e:Entity(id)
WHERE e.group_id = $group
MERGE (s:SharedValue {id: row.id})
ON CREATE SET s += row.properties, s.group_id = $group, s.in_force = false, s.acts_at = []
WITH s, e, row WHERE s.in_force <> $in_force
SET s.in_force = $in_force, s.acts_at = s.acts_at + $now
MERGE (s)-[:ABOUT]->(e)
WITH s, row
CALL (s, row) {
  MATCH (o:Entity {id: row.properties.object_id})
  USING INDEX SEEK o:Entity(id)
  WHERE o.group_id = $group
  MERGE (s)-[:ABOUT]->(o)
}
RETURN s.id AS id;

// name: show_types
// mode: write
// returns: nothing
// params: group, ids, audience, types, own_labels
// What stands as the type of entities is what $audience, who are everybody, were told; of what nobody told them, what
// anybody was. It is a label too, if the group's ontology or the service's lists it.
MATCH (g:Group {id: $group})
USING INDEX SEEK g:Group(id)
UNWIND $ids AS id
MATCH (e:Entity {id: id})
USING INDEX SEEK e:Entity(id)
WHERE e.group_id = $group
WITH g, e,
// insert: type_told
AS told
WITH g, e, CASE WHEN told = '' THEN coalesce(last([type IN e.types | type]), '') ELSE told END AS type
WHERE e.type IS NULL OR e.type <> type
WITH e, type, type IN $types + coalesce(g.entity_types, []) AS listed, [label IN labels(e) WHERE NOT label IN $own_labels] AS before
REMOVE e:$(before)
SET e.type = type
WITH e, type WHERE listed
WITH e, reduce(
  label = '', part IN split(replace(type, '-', '_'), '_') | label + toUpper(left(part, 1)) + substring(part, 1)
) AS label
WHERE label <> '' AND NOT label IN $own_labels
SET e:$(label);

// name: name_shared
// mode: write
// returns: nothing
// params: group, ids, shared_with_all
// Everybody hears of what is shared under the names that those know it by who share it; of what is shared no more, nobody
// but its user.
UNWIND $ids AS id
MATCH (e:Entity {id: id})
USING INDEX SEEK e:Entity(id)
WHERE e.group_id = $group
CALL (e) {
  OPTIONAL MATCH (e)<-[:ABOUT]-(s:SharedValue)
  WHERE s.in_force = true
  RETURN collect(DISTINCT s.user) AS users
}
CALL (e, users) {
  UNWIND users AS user
  MATCH (k:Name {id: e.id + '/' + user})
  USING INDEX SEEK k:Name(id)
  WHERE
  // insert: sound_name
  UNWIND range(0, size(k.names) - 1) AS at
  WITH k, at ORDER BY k.user, at
  RETURN collect(k.names[at]) AS names, collect(k.names_at[at]) AS names_at, collect(k.said_at[at]) AS said_at
}
CALL (e, users) {
  UNWIND users AS user
  MATCH (heard:Name {id: e.id + '/' + user})
  USING INDEX SEEK heard:Name(id)
  WHERE
  // insert: sound_types
  UNWIND range(0, size(heard.types) - 1) AS at
  WITH heard, at ORDER BY heard.user, at
  RETURN collect(heard.types[at]) AS types, collect(heard.types_by[at]) AS types_by,
    collect(heard.types_said_at[at]) AS types_said_at, collect(heard.types_at[at]) AS types_at
}
CALL (e, names, names_at, said_at, types, types_by, types_said_at, types_at) {
  WITH e, names, names_at, said_at, types, types_by, types_said_at, types_at WHERE size(names) > 0
  MERGE (k:Name {id: e.id + '/' + $shared_with_all})
  ON CREATE SET k.group_id = $group, k.entity_id = e.id, k.user = $shared_with_all, k.match_keys = ''
  SET
    k.names = names, k.names_at = names_at, k.said_at = said_at, k.types = types, k.types_by = types_by,
    k.types_said_at = types_said_at, k.types_at = types_at
}
CALL (e, names) {
  WITH e, names WHERE size(names) = 0
  MATCH (k:Name {id: e.id + '/' + $shared_with_all})
  USING INDEX SEEK k:Name(id)
  WHERE k.group_id = $group
  DELETE k
};

// name: versions_of_values
// mode: read
// returns: list
// row: VersionRow
// params: group, user, ids, predicate
// timeless because access is judged now: to versions of all times
// Versions that are believed no more of a user's beliefs with a predicate about entities, or about what these were ever
// the same as; and of each, the claims that it may have rested on, whoever was who at the time, and what is shared.
UNWIND $ids AS id
MATCH (about:Entity {id: id})-[:SAME_AS|WAS_SAME_AS*0..3]-(e:Entity)
USING INDEX SEEK about:Entity(id)
WHERE e.group_id = $group
WITH DISTINCT e
CALL (e) {
  MATCH (e)-[r:SUPERSEDED]->()
  WHERE r.group_id = $group AND r.predicate = $predicate AND r.user = $user
  RETURN r
  UNION ALL
  MATCH (e)-[:HAD_FACT]->(r)
  WHERE r.group_id = $group AND r.predicate = $predicate AND r.user = $user
  RETURN r
}
WITH collect(r) AS versions
UNWIND versions AS r
CALL (r) {
  MATCH (subject:Entity {id: r.subject_id})-[:SAME_AS|WAS_SAME_AS*0..3]-(s:Entity)
  USING INDEX SEEK subject:Entity(id)
  RETURN collect(DISTINCT s.id) AS subjects
}
CALL (r) {
  OPTIONAL MATCH (object:Entity {id: r.object_id})-[:SAME_AS|WAS_SAME_AS*0..3]-(o:Entity)
  USING INDEX SEEK object:Entity(id)
  RETURN collect(DISTINCT o.id) AS objects
}
CALL (r, subjects, objects) {
  UNWIND subjects AS subject
  UNWIND CASE WHEN r.object_id IS NULL THEN [r.target] ELSE objects END AS target
  MATCH (c:Claim)
  USING INDEX SEEK c:Claim(subject_id, predicate, target)
  WHERE c.subject_id = subject AND c.predicate = $predicate AND c.target = target
    AND c.group_id = $group AND c.user = $user AND c.kind IN ['starts', 'holds']
    AND coalesce(c.open, false) = r.open AND coalesce(c.day, '') = coalesce(r.day, '')
    AND c.recorded_at < r.superseded_at AND c.retracted_at > r.recorded_at
  RETURN collect(
    // insert: claim
  ) AS claims
}
CALL (subjects) {
  UNWIND subjects AS subject
  MATCH (s:SharedValue)
  USING INDEX SEEK s:SharedValue(group_id, user, subject_id)
  WHERE s.group_id = $group AND s.user = $user AND s.subject_id = subject AND s.predicate = $predicate AND s.in_force = true
  RETURN collect({id: s.id}) AS shared
}
RETURN collect({
  id: r.id, subject_id: r.subject_id, target: r.target, audience: r.audience, claims: claims,
  shared: shared
}) AS rows;

// name: note_access
// mode: write
// returns: nothing
// params: group, now
// Who may see what changed.
MATCH (g:Group {id: $group})
USING INDEX SEEK g:Group(id)
SET g.access_changed_at = $now;

// name: bounding_beliefs
// mode: read
// returns: list
// row: BoundingBelief
// params: group, ids
// timeless because a projection compares with what is believed now
// What everybody believes now of the beginning and the end of entities. Of a relationship, the value is null.
UNWIND $ids AS id
CALL (id) {
  MATCH ()-[b:RELATES_TO]->()
  USING INDEX SEEK b:RELATES_TO(subject_id, bound)
  WHERE b.subject_id = id AND b.bound > '' AND b.group_id = $group AND b.user = ''
  RETURN b
  UNION ALL
  MATCH (b:Fact)
  USING INDEX SEEK b:Fact(subject_id, bound)
  WHERE b.subject_id = id AND b.bound > '' AND b.group_id = $group AND b.user = ''
  RETURN b
}
RETURN collect(
  // insert: bounding_belief
) AS rows;

// name: keep_existence
// mode: write
// returns: nothing
// params: group, rows
// From when to when entities existed; null where nothing that is believed tells of it.
UNWIND $rows AS row
MATCH (e:Entity {id: row.id})
USING INDEX SEEK e:Entity(id)
WHERE e.group_id = $group
SET e.valid_from = datetime(row.valid_from), e.valid_to = datetime(row.valid_to);

// name: follow_names
// mode: write
// returns: nothing
// params: group, ids
// timeless because a node shows what is believed by the end of this transaction
// The persons of users are called as the users are: by the newest name that still holds, else by their ids.
UNWIND $ids AS id
MATCH (e:Entity {id: id})
USING INDEX SEEK e:Entity(id)
WHERE e.group_id = $group AND e.qualifier STARTS WITH 'user:'
SET e.name = coalesce(head(COLLECT {
    MATCH (e)-[:HAS_FACT]->(f:Fact)
    WHERE f.predicate IN ['named', 'display_name'] AND toStringOrNull(f.value) IS NOT NULL
    RETURN toStringOrNull(f.value) AS name ORDER BY f.valid_to DESC, f.valid_from DESC, name DESC LIMIT 1
  }), last([one IN e.names | one]), e.name);

// name: settle_import
// mode: write
// returns: nothing
// params: group, now
// An import went up to here: what is recorded before this instant is settled.
MATCH (g:Group {id: $group})
USING INDEX SEEK g:Group(id)
SET g.settled_until = $now;

// name: write_change
// mode: write
// returns: nothing
// params: group, group_token, now, names, claims, mentions, relationships, facts, stamped, changed, digested, progress,
//   embedding_model, unembedded, known_as, types, views
// audit: entities names.id, claims claims.properties.id, mentions #mentions, beliefs relationships.properties.id,
//   beliefs facts.properties.id, digests digested.id
// allow: CartesianProduct because each side is one node, found by its unique id
// All that a change adds, in one round trip.
// Names: the first, or one that was seen earlier than the name we had. New ones are found by some words at once.
CALL () {
  UNWIND $names AS row
  MATCH (e:Entity {id: row.id})
  USING INDEX SEEK e:Entity(id)
  WHERE e.group_id = $group
  SET
    e.name = CASE WHEN e.qualifier STARTS WITH 'user:' THEN e.name ELSE row.name END,
    e.first_seen = datetime(row.first_seen), e.names = e.names + row.name,
    e.names_at = e.names_at + $now, e.recorded_at = coalesce(e.recorded_at, $now),
    e.match_keys = coalesce(e.match_keys, row.keys)
}
// New claims. Nobody else writes the same one meanwhile, for its subject is locked; to MERGE relationships would lock
// the object as well, which others may be naming.
CALL () {
  UNWIND $claims AS row
  MATCH (e:Episode {id: row.properties.episode_id})
  USING INDEX SEEK e:Episode(id)
  MATCH (s:Entity {id: row.properties.subject_id})
  USING INDEX SEEK s:Entity(id)
  CREATE (e)-[:STATES]->(c:Claim)-[:SUBJECT]->(s)
  SET
    c = row.properties, c.group_id = $group, c.valid_from = datetime(row.valid_from),
    c.valid_to = datetime(row.valid_to), c.said_at = datetime(row.said_at), c.event_to = datetime(row.event_to),
    c.recorded_at = $now,
    c.retracted_at = datetime('9999-12-31T23:59:59.999999Z')
  WITH c, row
  CALL (c, row) {
    MATCH (o:Entity {id: row.properties.object_id})
    USING INDEX SEEK o:Entity(id)
    CREATE (c)-[:OBJECT]->(o)
  }
  WITH c, row WHERE row.embedding IS NOT NULL
  CALL db.create.setNodeVectorProperty(c, 'embedding', row.embedding)
}
// An episode is tied to the entities it names, at character spans; to MERGE would lock the entities.
CALL () {
  UNWIND $mentions AS row
  MATCH (ep:Episode {id: row.episode_id})
  USING INDEX SEEK ep:Episode(id)
  MATCH (e:Entity {id: row.entity_id})
  USING INDEX SEEK e:Entity(id)
  CREATE (ep)-[:MENTIONS {start: row.start, end: row.end, text: row.text, group_id: $group, recorded_at: $now}]->(e)
}
// Beliefs between entities, and of literal values. The vector is that of the first claim, or waits with it. Entities remember that there
// was ever one of their beginning or end.
CALL () {
  UNWIND $relationships AS row
  MATCH (c:Claim {id: row.claim_id})
  USING INDEX SEEK c:Claim(id)
  MATCH (s:Entity {id: row.subject_id})
  USING INDEX SEEK s:Entity(id)
  MATCH (o:Entity {id: row.object_id})
  USING INDEX SEEK o:Entity(id)
  CREATE (s)-[r:RELATES_TO]->(o)
  // insert: of_row
  SET
    r.recorded_at = $now, r.superseded_at = datetime('9999-12-31T23:59:59.999999Z'),
    r.embed_due = CASE WHEN c.embedding IS NULL AND c.not_embeddable IS NULL THEN $now END
}
CALL () {
  UNWIND $facts AS row
  MATCH (c:Claim {id: row.claim_id})
  USING INDEX SEEK c:Claim(id)
  MATCH (s:Entity {id: row.subject_id})
  USING INDEX SEEK s:Entity(id)
  CREATE (s)-[:HAS_FACT]->(r:Fact)
  // insert: of_row
  SET
    r.recorded_at = $now, r.superseded_at = datetime('9999-12-31T23:59:59.999999Z'),
    r.embed_due = CASE WHEN c.embedding IS NULL AND c.not_embeddable IS NULL THEN $now END
}
// Entities remember the newest stamp of their slots and names, which the next writer must exceed. Whoever summarises them
// is to look at them: at what changed since the first change that was not looked at.
CALL () {
  UNWIND $stamped AS id
  MATCH (e:Entity {id: id})
  USING INDEX SEEK e:Entity(id)
  WHERE e.group_id = $group
  SET e.newest_stamp = $now, e.summary_due = $now, e.summary_since = coalesce(e.summary_since, $now)
}
// Of these something was said, or is said no more: who they are is to be looked at again.
CALL () {
  UNWIND $changed AS id
  MATCH (e:Entity {id: id})
  USING INDEX SEEK e:Entity(id)
  WHERE e.group_id = $group
  SET e.index_due = $now
}
// Episodes are digested, or (refining) digested for the time being: outcome and vector stand in the same transaction as
// their claims. One of which little was read remembers who read it.
CALL () {
  UNWIND $digested AS row
  MATCH (e:Episode {id: row.id})
  USING INDEX SEEK e:Episode(id)
  WHERE e.group_id = $group
  SET
    e.status = row.status, e.digested_at = $now, e.outcome = row.outcome, e.error = null, e.low_yield = row.low_yield,
    e.context_turns = row.context_turns, e.cursor = null,
    e.embedding_model = CASE
      WHEN row.embedding IS NULL AND row.passages = [] THEN e.embedding_model
      ELSE $embedding_model
    END,
    e.reprocessing = null,
    e.lease = CASE row.status WHEN 'refining' THEN e.lease END,
    e.revision = coalesce(e.revision, 0) + CASE row.status WHEN 'refining' THEN 1 ELSE 0 END
  WITH e, row
  FOREACH (done IN CASE row.status WHEN 'refining' THEN [] ELSE [e] END | REMOVE done:Work)
  WITH e, row WHERE row.embedding IS NOT NULL
  CALL db.create.setNodeVectorProperty(e, 'embedding', row.embedding)
}
CALL () {
  UNWIND $digested AS row
  UNWIND row.passages AS part
  MATCH (e:Episode {id: row.id})
  USING INDEX SEEK e:Episode(id)
  WHERE e.group_id = $group
  // insert: passage_of_episode
}
// Or a piece of one is: the digest goes on there under its lease, or whoever takes it over does.
CALL () {
  UNWIND $progress AS row
  MATCH (e:Episode {id: row.id})
  USING INDEX SEEK e:Episode(id)
  WHERE e.group_id = $group
  SET e.cursor = row.cursor, e.outcome = row.outcome, e.error = null, e.attempts = 0, e.leases = 1
}
// Of these, the content or some of the claims wait for a vector.
CALL () {
  UNWIND $unembedded AS id
  MATCH (e:Episode {id: id})
  USING INDEX SEEK e:Episode(id)
  WHERE e.group_id = $group
  SET e.embed_due = $now
}
// Under which names an entity is known to whom. For most that is written once; the first of a name locks the row.
CALL () {
  UNWIND $known_as AS row
  OPTIONAL MATCH (k:Name {id: row.id})
  USING INDEX SEEK k:Name(id)
  WITH row, k, datetime(row.said_at) AS said_at
  WHERE k IS NULL OR CASE
    WHEN
      // insert: sound_name
    THEN NOT any(
      at IN range(0, size(k.names) - 1)
      WHERE k.said_at[at] < said_at OR (k.said_at[at] = said_at AND k.names[at] <= row.name)
    )
    ELSE false
  END
  WITH row, said_at
  MERGE (k:Name {id: row.id})
  ON CREATE SET
    k.group_id = $group, k.entity_id = row.entity_id, k.user = row.user, k.names = [], k.names_at = [], k.said_at = [],
    k.types = [], k.types_by = [], k.types_said_at = [], k.types_at = [], k.match_keys = ''
  SET k.names = k.names + row.name, k.names_at = k.names_at + $now, k.said_at = k.said_at + said_at
}
// Of which type whom was told that it is: what is believed rather than what that audience was told before.
CALL () {
  UNWIND $known_as AS row
  MATCH (heard:Name {id: row.id})
  USING INDEX SEEK heard:Name(id)
  WITH row.said_type AS said, heard, datetime(row.said_type.said_at) AS said_at
  WHERE CASE
    WHEN
      // insert: sound_types
    THEN all(
      at IN range(0, size(heard.types) - 1)
      WHERE [-said.typed_by, said_at, said.type] < [-heard.types_by[at], heard.types_said_at[at], heard.types[at]]
    )
    ELSE false
  END
  SET
    heard.types = heard.types + said.type, heard.types_by = heard.types_by + said.typed_by,
    heard.types_said_at = heard.types_said_at + said_at, heard.types_at = heard.types_at + $now
}
// The same of whoever was told.
CALL () {
  UNWIND $types AS row
  MATCH (e:Entity {id: row.id})
  USING INDEX SEEK e:Entity(id)
  WHERE e.group_id = $group
  SET
    e.types = e.types + row.said_type.type, e.types_by = e.types_by + row.said_type.typed_by,
    e.types_said_at = e.types_said_at + datetime(row.said_type.said_at), e.types_at = e.types_at + $now
}
// Of these something was said for a user: who they are in that user's eyes is to be looked at again.
CALL () {
  UNWIND $views AS id
  MATCH (k:Name {id: id})
  USING INDEX SEEK k:Name(id)
  WHERE k.group_id = $group
  SET k.match_due = $now
};
