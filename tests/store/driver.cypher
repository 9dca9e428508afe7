// Small queries on :DriverTest, to try transactions with.

// name: create
// mode: write
// returns: one
// row: NoteRow
// params: group, name, at
CREATE (n:DriverTest {group_id: $group, name: $name, at: $at}) RETURN n.name AS name, n.at AS at;

// name: notes
// mode: read
// returns: many
// row: NoteRow
// params: group
MATCH (n:DriverTest {group_id: $group}) RETURN n.name AS name, n.at AS at ORDER BY name;

// name: only_note
// mode: read
// returns: one
// row: NoteRow
// params: group
MATCH (n:DriverTest {group_id: $group}) RETURN n.name AS name, n.at AS at;

// name: note
// mode: read
// returns: optional
// row: NoteRow
// params: group
MATCH (n:DriverTest {group_id: $group}) RETURN n.name AS name, n.at AS at;

// name: touch
// mode: write
// returns: nothing
// params: group, name
MATCH (n:DriverTest {group_id: $group, name: $name}) SET n.touched = coalesce(n.touched, 0) + 1;

// name: touched
// mode: read
// returns: many
// row: TouchedRow
// params: group
MATCH (n:DriverTest {group_id: $group}) RETURN n.touched AS touched;

// name: falsely_read
// mode: read
// returns: nothing
// params: group
CREATE (:DriverTest {group_id: $group});

// name: two_columns
// mode: read
// returns: one
// row: NoteRow
// params: none
RETURN 'secret content' AS name, 1 AS at;

// name: times
// mode: read
// returns: one
// row: TimesRow
// params: begin, end
RETURN
  $begin AS begin, $end AS end, datetime('2026-05-03T02:00:00.123456789+02:00') AS offset,
  datetime('2026-01-01T00:00:00[Europe/Oslo]') AS zone, null AS none;

// name: naive
// mode: read
// returns: one
// row: NoteRow
// params: none
RETURN 'x' AS name, localdatetime('2026-05-03T02:00:00') AS at;

// name: slow
// mode: read
// returns: nothing
// params: none
UNWIND range(1, 1000000000) AS i WITH i WHERE i < 0 RETURN i;

// name: remove
// mode: write
// returns: nothing
// params: group
MATCH (n:DriverTest {group_id: $group}) DELETE n;
