// Tombstones: hashes of what is taken in no more, and of users who opted out. They hold no word of it.

// name: lock_tombstones
// mode: write
// returns: list
// row: Tombstone
// params: group, ids
// Those that there are. The others are made and taken away again: that locks their ids until this transaction ends, so
// that whoever bars one waits for it, and it for whoever bars one. The ids are given in order, before any other lock.
UNWIND $ids AS id
MERGE (t:Tombstone {id: id})
ON CREATE SET t.group_id = $group
WITH collect(t) AS locked, collect(CASE
  WHEN t.recorded_at IS NOT NULL THEN t {.id, .owner, .receipt, .recorded_at}
END) AS rows
FOREACH (t IN locked | FOREACH (made IN CASE WHEN t.recorded_at IS NULL THEN [t] ELSE [] END | DELETE made))
RETURN rows;

// name: episodes_to_bar
// mode: read
// returns: many
// row: EpisodeRow
// params: group, ids
// timeless because what was said is addressed by its id
UNWIND $ids AS id
MATCH (e:Episode {id: id})
USING INDEX SEEK e:Episode(id)
WHERE e.group_id = $group
RETURN
  // insert: episode
  AS episode;

// name: bar
// mode: write
// returns: nothing
// params: group, receipt, now, rows
// audit: tombstones rows.id
// Rows are in order of id. What is barred already stays as it is.
UNWIND $rows AS row
MERGE (t:Tombstone {id: row.id})
ON CREATE SET t.group_id = $group, t.owner = row.owner, t.receipt = $receipt, t.recorded_at = $now;

// name: lift
// mode: write
// returns: many
// row: IdRow
// params: group, owner, ids
// audit: tombstones_lifted answered
// Take tombstones away, of one owner or (null) of any; the ids of those that there were.
UNWIND $ids AS id
MATCH (t:Tombstone {id: id})
USING INDEX SEEK t:Tombstone(id)
WHERE t.group_id = $group AND ($owner IS NULL OR t.owner = $owner)
DELETE t
RETURN id;

// name: tombstones
// mode: read
// returns: many
// row: Tombstone
// params: group, ids
// timeless because one bars now, or does not
UNWIND $ids AS id
MATCH (t:Tombstone {id: id})
USING INDEX SEEK t:Tombstone(id)
WHERE t.group_id = $group
RETURN t.id AS id, t.owner AS owner, t.receipt AS receipt, t.recorded_at AS recorded_at;
