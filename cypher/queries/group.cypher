// name: ensure_group
// mode: write
// returns: optional
// row: EnsuredRow
// params: group, embedding_model, dimensions, importing, now
// audit: groups answered
// The group, made on first use. It keeps the embedding model it was made with. None while it comes back from a file.
MERGE (g:Group {id: $group})
ON CREATE SET
  g.name = $group, g.embedding_model = $embedding_model, g.dimensions = $dimensions, g.recorded_at = $now,
  g.importing = $importing, g.imported = $importing, g.settled_until = datetime('0001-01-01T00:00:00Z')
WITH g WHERE g.restoring IS NULL
RETURN g.id AS id, g.recorded_at = $now AS new,
  // insert: group_row
  AS group;

// name: end_import
// mode: write
// returns: optional
// row: GroupRow
// params: group
// audit: imports group
// From here on the clock says when something is recorded. Waits for whoever imports just now.
MATCH (g:Group {id: $group})
WHERE g.restoring IS NULL
SET g.importing = false
RETURN
  // insert: group_row
  AS group;

// name: group
// mode: read
// returns: optional
// row: GroupRow
// params: group
// timeless because a group is a container, not a belief
MATCH (g:Group {id: $group})
WHERE g.restoring IS NULL
RETURN
  // insert: group_row
  AS group;

// name: groups
// mode: read
// returns: many
// row: GroupRow
// params: after, limit, names, beginnings
// timeless because a group is a container, not a belief
// all groups because it lists them
// The groups of these names, and those whose names begin so.
MATCH (g:Group)
WHERE g.name > $after AND (g.name IN $names OR any(beginning IN $beginnings WHERE g.name STARTS WITH beginning))
  AND g.restoring IS NULL
RETURN
  // insert: group_row
  AS group
ORDER BY g.name LIMIT $limit;

// name: group_called
// mode: read
// returns: optional
// row: NamedGroupRow
// params: name
// timeless because a group is a container, not a belief
// all groups because it asks which of them is called so
// The group of this name; else the one that was made under it, and has another name by now.
CALL () {
  MATCH (g:Group {name: $name})
  USING INDEX SEEK g:Group(name)
  RETURN g, 0 AS choice
  UNION ALL
  MATCH (g:Group {id: $name})
  USING INDEX SEEK g:Group(id)
  RETURN g, 1 AS choice
}
WITH g, choice ORDER BY choice LIMIT 1
WHERE g.restoring IS NULL
RETURN g {.id, .name, .archived_at} AS group;

// name: rename_group
// mode: write
// returns: optional
// row: GroupRow
// params: group, name
// audit: groups group
// Call a group by another name; none where another group has it, or was made under it.
MATCH (g:Group {id: $group})
USING INDEX SEEK g:Group(id)
WHERE g.restoring IS NULL
  AND NOT EXISTS { MATCH (other:Group {name: $name}) WHERE other.id <> $group }
  AND NOT EXISTS { MATCH (other:Group {id: $name}) WHERE other.id <> $group }
SET g.name = $name
RETURN
  // insert: group_row
  AS group;

// name: archive_group
// mode: write
// returns: optional
// row: GroupRow
// params: group, archived, now
// audit: groups group
// Say whether a group is archived; one that is stays so since then.
MATCH (g:Group {id: $group})
USING INDEX SEEK g:Group(id)
WHERE g.restoring IS NULL
SET g.archived_at = CASE WHEN $archived THEN coalesce(g.archived_at, $now) END
RETURN
  // insert: group_row
  AS group;

// name: archived_groups
// mode: read
// returns: many
// row: IdRow
// params: none
// timeless because a group is a container, not a belief
// all groups because the schedule leaves them alone
MATCH (g:Group)
WHERE g.id > '' AND g.archived_at IS NOT NULL
RETURN g.id AS id;

// name: work_of_group
// mode: read
// returns: many
// row: StatusCountRow
// params: group, audience, statuses
// timeless because it counts work to do, not beliefs
// How many episodes are in each of these states. Those that are digested are nearly all, and counted one by one.
UNWIND $statuses AS status
CALL (status) {
  MATCH (e:Episode)
  WHERE e.group_id = $group AND e.status = status AND ($audience IS NULL OR e.audience IN $audience)
  RETURN count(e) AS episodes
}
RETURN status, episodes;

// name: size_of_group
// mode: read
// returns: one
// row: GroupSizeRow
// params: group
// allow: CartesianProduct because each side is one count
// timeless because it counts what is believed now, over all valid time
// How many entities and beliefs a group holds; they are counted one by one.
CALL () {
  MATCH (e:Entity) WHERE e.group_id = $group AND e.id > ''
  RETURN count(e) AS entities
}
CALL () {
  MATCH ()-[r:RELATES_TO]->() WHERE r.group_id = $group AND r.id > ''
  RETURN count(r) AS relationships
}
CALL () {
  MATCH (f:Fact) WHERE f.group_id = $group AND f.id > ''
  RETURN count(f) AS facts
}
RETURN entities, relationships, facts;

// name: size_of_group_for_user
// mode: read
// returns: one
// row: GroupSizeRow
// params: group, audience
// allow: CartesianProduct because each side is one count
// timeless because it counts what is believed now, over all valid time
// The same, of what a user may see.
CALL () {
  UNWIND $audience AS who
  MATCH (k:Name) WHERE k.group_id = $group AND k.user = who AND k.entity_id > ''
  RETURN count(DISTINCT k.entity_id) AS entities
}
CALL () {
  MATCH ()-[r:RELATES_TO]->() WHERE r.group_id = $group AND r.id > '' AND r.audience IN $audience
  RETURN count(r) AS relationships
}
CALL () {
  MATCH (f:Fact) WHERE f.group_id = $group AND f.id > '' AND f.audience IN $audience
  RETURN count(f) AS facts
}
RETURN entities, relationships, facts;

// name: ontology_of_group
// mode: read
// returns: optional
// row: OntologyRow
// params: group
// timeless because it tells what to look for, which is no belief
// The group's own ontology; null where the service's is in force.
MATCH (g:Group {id: $group})
RETURN g.ontology AS ontology, g.ontology_changed_at AS changed_at;

// name: set_ontology
// mode: write
// returns: optional
// row: OntologyRow
// params: group, ontology, types, now
// audit: ontologies group
// Give a group its own ontology, or (null) let it follow the service's. The same again changes nothing. Its types
// stand apart, for entities of these have a second label.
MATCH (g:Group {id: $group})
SET g += CASE
  WHEN $ontology IS NULL THEN {ontology: null, entity_types: null, ontology_changed_at: null}
  WHEN g.ontology = $ontology THEN {}
  ELSE {ontology: $ontology, entity_types: $types, ontology_changed_at: $now}
END
RETURN g.ontology AS ontology, g.ontology_changed_at AS changed_at;

// name: conventions_of_group
// mode: read
// returns: optional
// row: ConventionsRow
// params: group, known_at
// timeless because how days are written is a setting: it was in force, and true of nothing
// How the group wrote days at $known_at; null where it had not said so. The lists have one place for each change.
MATCH (g:Group {id: $group})
WITH g, size([at IN coalesce(g.dates_changed_at, []) WHERE at <= $known_at]) AS changes
WITH g, CASE WHEN changes > 0 THEN changes - 1 END AS place
RETURN
  g.month_first[place] AS month_first, g.fiscal_year_start[place] AS fiscal_year_start,
  g.dates_changed_at[place] AS changed_at;

// name: set_conventions
// mode: write
// returns: one
// row: ConventionsRow
// params: group, month_first, fiscal_year_start, now
// audit: dates group
// Say how a group writes days, for what is read from now on. The same again changes nothing.
MATCH (g:Group {id: $group})
SET g += CASE
  WHEN last(g.month_first) = $month_first AND last(g.fiscal_year_start) = $fiscal_year_start THEN {}
  ELSE {
    month_first: coalesce(g.month_first, []) + $month_first,
    fiscal_year_start: coalesce(g.fiscal_year_start, []) + $fiscal_year_start,
    dates_changed_at: coalesce(g.dates_changed_at, []) + $now
  }
END
RETURN
  last(g.month_first) AS month_first, last(g.fiscal_year_start) AS fiscal_year_start,
  last(g.dates_changed_at) AS changed_at;

// name: retention_of_group
// mode: read
// returns: optional
// row: RetentionPolicy
// params: group
// timeless because how long what was said is kept is a setting: it is in force, and true of nothing
// After how many days episodes of a group are to be redacted, and rows of its audit go, null where they are kept; and whether
// shared facts stay of users who are forgotten.
MATCH (g:Group {id: $group})
RETURN g.retention_days AS episode_days, g.audit_days AS audit_days, coalesce(g.keep_shared, false) AS keep_shared;

// name: set_retention
// mode: write
// returns: nothing
// params: group, episode_days, audit_days, keep_shared
// audit: retentions group
// Say after how many days episodes are to be redacted, and rows of the audit go, null keeps them; and whether shared facts
// stay.
MATCH (g:Group {id: $group})
SET g.retention_days = $episode_days, g.audit_days = $audit_days, g.keep_shared = CASE WHEN $keep_shared THEN true END;

// name: groups_with_retention
// mode: read
// returns: many
// row: IdRow
// params: after, limit
// timeless because how long what was said is kept is a setting: it is in force, and true of nothing
// all groups because the schedule asks for work in each
// Groups that keep what was said, or their audit, for so many days only.
MATCH (g:Group)
WHERE g.id > $after AND g.restoring IS NULL AND (g.retention_days IS NOT NULL OR g.audit_days IS NOT NULL)
RETURN g.id AS id ORDER BY g.id LIMIT $limit;

// name: redactable_episodes
// mode: read
// returns: one
// row: RedactableRow
// params: group, before, samples
// allow: CartesianProduct because each side is one row
// timeless because how old what was said is does not depend on what is believed
// Episodes of before an instant that are read, and of which a summary stands: how many, and the first of them.
CALL () {
  // insert: redactable
  RETURN count(e) AS episodes
}
CALL () {
  // insert: redactable
  WITH e ORDER BY e.occurred_at, e.id LIMIT $samples
  RETURN collect(e.id) AS ids
}
RETURN episodes, ids;

// name: episodes_to_redact
// mode: read
// returns: list
// row: EpisodeToRedact
// params: group, before, limit
// timeless because how old what was said is does not depend on what is believed
// The first of them, with what must be equal for another one to be the same.
// insert: redactable
WITH e ORDER BY e.occurred_at, e.id LIMIT $limit
RETURN collect({fingerprint: e.fingerprint, stored:
  // insert: episode
}) AS rows;

// name: redact_episodes
// mode: write
// returns: many
// row: IdRow
// params: group, rows, now
// audit: episodes_redacted answered
// The words of episodes go, in the order given (by id): their content with its passages and vectors, what callers said of
// them, words for times, quotes of claims and texts of mentions; no search finds them. What was read of them stays; an episode
// that is read again meanwhile stays whole. Answers of the group about the past change, by the clock.
UNWIND $rows AS row
MATCH (e:Episode {id: row.id})
USING INDEX SEEK e:Episode(id)
WHERE e.group_id = $group
SET e.lease_asked_at = datetime.realtime()
WITH e, row WHERE e.status IN ['digested', 'replaced'] AND e.embed_due IS NULL
SET
  e.status = 'redacted', e.redacted_at = $now, e.redacted_as = row.things, e.fingerprint = row.fingerprint,
  e.outcome = row.outcome, e.content = '', e.metadata = '{}', e.group_token = null,
  e.embedding = null, e.embedding_model = null, e.not_embeddable = null, e.passages = null
WITH e
CALL (e) {
  MATCH (e)-[:HAS_PASSAGE]->(p:Passage)
  DETACH DELETE p
}
CALL (e) {
  MATCH (e)-[:STATES]->(c:Claim)
  SET c.redacted = true, c.quote = '', c.time_unread = CASE WHEN c.time_unread > '' THEN 'redacted' END
}
CALL (e) {
  MATCH (e)-[m:MENTIONS|MENTIONED]->(:Entity)
  SET m.text = ''
}
WITH collect(e.id) AS ids
MATCH (g:Group {id: $group})
USING INDEX SEEK g:Group(id)
WITH g, ids, datetime.truncate('microsecond', datetime.realtime()) AS clock
UNWIND ids AS id
SET g.erased_at = CASE WHEN g.erased_at > clock THEN g.erased_at ELSE clock END
RETURN id;

// name: horizon
// mode: read
// returns: optional
// row: HorizonRow
// params: group
// timeless because it tells up to when answers about the past have settled
// What decides it: the database's clock, how far an import has come, and what was said to be settled before.
MATCH (g:Group {id: $group})
RETURN
  g.id AS id, g.importing AS importing, g.settled_until AS settled_until,
  coalesce(g.promised_until, datetime('0001-01-01T00:00:00Z')) AS promised_until,
  datetime.truncate('microsecond', datetime.realtime()) AS clock;

// name: past_changed
// mode: read
// returns: optional
// row: PastChanged
// params: group
// timeless because it tells when answers about the past last changed
// When somebody last shared something, or took that back; and when something was last forgotten.
MATCH (g:Group {id: $group})
RETURN g.access_changed_at AS access_changed_at, g.erased_at AS erased_at;

// name: promise_settled
// mode: write
// returns: nothing
// params: group, until
// From now on nothing is recorded at or before an instant, though the clock should step back.
MATCH (g:Group {id: $group})
SET g.promised_until = CASE WHEN g.promised_until >= $until THEN g.promised_until ELSE $until END;
