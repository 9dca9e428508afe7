// What tests do to a database of their own.

// name: constraint_names
// mode: read
// returns: many
// row: NameRow
// params: none
SHOW CONSTRAINTS YIELD name RETURN name;

// name: index_names
// mode: read
// returns: many
// row: NameRow
// params: none
SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' RETURN name;

// name: drop_constraint
// mode: write
// returns: nothing
// params: name
DROP CONSTRAINT $name IF EXISTS;

// name: drop_index
// mode: write
// returns: nothing
// params: name
DROP INDEX $name IF EXISTS;

// name: delete_everything
// mode: write
// returns: nothing
// params: none
MATCH (n) DETACH DELETE n;

// name: change_checksum
// mode: write
// returns: nothing
// params: version
MATCH (m:__GraphmemMigration {version: $version}) SET m.checksum = 'another';

// name: chain
// mode: read
// returns: optional
// row: ChainRow
// params: none
// The versions in the order of MIGRATED_TO.
MATCH path = (first)-[:MIGRATED_TO*]->(last)
WHERE NOT EXISTS { ()-[:MIGRATED_TO]->(first) } AND NOT EXISTS { (last)-[:MIGRATED_TO]->() }
RETURN [m IN nodes(path) | m.version] AS versions;

// name: constraints
// mode: read
// returns: many
// row: ConstraintRow
// params: none
SHOW CONSTRAINTS YIELD name, type, entityType, labelsOrTypes, properties
RETURN name, type, entityType AS of, labelsOrTypes AS labels, properties
ORDER BY name;

// name: indexes
// mode: read
// returns: many
// row: IndexRow
// params: none
SHOW INDEXES YIELD name, type, state, entityType, labelsOrTypes, properties, options
WHERE type <> 'LOOKUP'
RETURN name, type, state, entityType AS of, labelsOrTypes AS labels, properties, options.indexConfig AS config
ORDER BY name;

// name: notes
// mode: read
// returns: many
// row: NameRow
// params: none
MATCH (n:Note) RETURN n.name AS name;

// name: rows_of_older_process
// mode: write
// returns: nothing
// params: count
// Rows as a process of the release before writes them: one of each kind.
UNWIND range(1, $count) AS i
WITH i, datetime('2026-01-01T00:00:00Z') + duration({days: i}) AS at
CREATE (e:Entity {id: 'entity-' + i, group_id: 'g', type: 'person', key: 'maya' + i, names: ['MAYA', 'Maya'],
  names_at: [at, at + duration({days: 1})], recorded_at: at})
CREATE (ep:Episode {id: 'episode-' + i, group_id: 'g', owner: 'ann', group_token: 'a0', occurred_at: at, recorded_at: at})
CREATE (ep)-[:MENTIONS {recorded_at: at}]->(e)
CREATE (c:Claim {id: 'claim-' + i, group_id: 'g', owner: 'bo', recorded_at: at + duration({days: 2}), said_at: at})
CREATE (c)-[:SUBJECT]->(e)
CREATE (e)-[:HAS_FACT]->(:Fact {id: 'fact-' + i, group_id: 'g', owner: 'ann'})
CREATE (e)-[:HAD_FACT]->(:SupersededFact {id: 'superseded-fact-' + i, group_id: 'g', owner: 'ann'})
CREATE (e)-[:RELATES_TO {id: 'relationship-' + i, group_id: 'g', owner: 'ann'}]->(e)
CREATE (e)-[:SUPERSEDED {id: 'superseded-' + i, group_id: 'g', owner: 'ann'}]->(e);

// name: audiences_of_rows
// mode: read
// returns: many
// row: AudiencesRow
// params: none
// What rows say about who may see them, by kind.
MATCH (n:Episode|Claim|Fact|SupersededFact)
RETURN labels(n)[0] AS kind, n.user AS user, n.audience AS audience, n.audience_token AS token, n.session_token AS session,
  n.open AS open, n.fades_at IS NOT NULL AS fades, count(*) AS rows
UNION ALL
MATCH ()-[r:RELATES_TO|SUPERSEDED]->()
RETURN type(r) AS kind, r.user AS user, r.audience AS audience, r.audience_token AS token, r.session_token AS session,
  r.open AS open, r.fades_at IS NOT NULL AS fades, count(*) AS rows;

// name: sessions_of_older_process
// mode: write
// returns: nothing
// params: id
// One session for all users, as the release before had it: two episodes of each of two users, and one of nobody.
CREATE (s:Session {id: $id, group_id: 'g', name: 's', recorded_at: datetime('2026-01-01T00:00:00Z')})
WITH s
UNWIND range(0, 4) AS i
CREATE (s)-[:HAS_EPISODE]->(:Episode {
  id: 'episode-' + i, group_id: 'g', session: 's', session_id: $id, user: ['ann', 'bo', 'ann', 'bo', ''][i],
  owner: ['ann', 'bo', 'ann', 'bo', ''][i], audience: ['ann', 'bo', 'ann', 'bo', ''][i],
  recorded_at: datetime('2026-01-01T00:00:00Z') + duration({minutes: i})
});

// name: split_sessions_of_users
// mode: read
// returns: many
// row: SplitSessionRow
// params: none
MATCH (s:Session)
RETURN s.id AS id, s.user AS user, COLLECT { MATCH (s)-[:HAS_EPISODE]->(e) RETURN e.id ORDER BY e.id } AS episodes,
  size(s.openings) AS openings, toString(s.closes_at) AS closes_at
ORDER BY user;

// name: names_by_user
// mode: read
// returns: many
// row: NamesRow
// params: none
MATCH (n:Name) RETURN n.user AS user, n.names AS names, count(*) AS rows;
