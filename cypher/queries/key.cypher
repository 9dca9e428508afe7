// Keys of the service. A key that is revoked or replaced stays, for whoever asks who did what.

// name: make_key
// mode: write
// returns: nothing
// params: id, seal, label, rights, groups, users, agents, made_by, expires_at, replaces, now
// audit: keys id
// all groups because a key may open several
CREATE
// insert: new_key
;

// name: replace_key
// mode: write
// returns: optional
// row: IdRow
// params: id, seal, label, rights, groups, users, agents, made_by, expires_at, replaces, until, now
// audit: keys id, keys_ended replaces
// all groups because a key may open several
// A key in the place of another one, which ends at $until unless it ends before; none where that one opens nothing any more,
// or another key has its place.
MATCH (old:ApiKey {id: $replaces})
USING INDEX SEEK old:ApiKey(id)
SET old.label = old.label // its lock: what is looked at after it stays so
WITH old
WHERE old.replaced_by IS NULL AND old.revoked_at IS NULL AND coalesce(old.expires_at > $now, true)
SET old.expires_at = CASE WHEN old.expires_at < $until THEN old.expires_at ELSE $until END, old.replaced_by = $id
CREATE
// insert: new_key
RETURN old.id AS id;

// name: revoke_key
// mode: write
// returns: optional
// row: KeyRow
// params: id, by, now
// audit: keys_ended id
// all groups because a key may open several
MATCH (k:ApiKey {id: $id})
USING INDEX SEEK k:ApiKey(id)
SET k.revoked_by = coalesce(k.revoked_by, $by), k.revoked_at = coalesce(k.revoked_at, $now)
RETURN
  // insert: key
  ;

// name: key
// mode: read
// returns: optional
// row: KeyRow
// params: id
// timeless because a key opens now, or does not
// all groups because a key may open several
MATCH (k:ApiKey {id: $id})
USING INDEX SEEK k:ApiKey(id)
RETURN
  // insert: key
  ;

// name: keys
// mode: read
// returns: many
// row: KeyRow
// params: after, limit
// timeless because a key opens now, or does not
// all groups because a key may open several
MATCH (k:ApiKey)
USING INDEX SEEK k:ApiKey(id)
WHERE k.id > $after
WITH k ORDER BY k.id LIMIT $limit
RETURN
  // insert: key
ORDER BY id;

// name: use_keys
// mode: write
// returns: nothing
// params: rows
// all groups because a key may open several
// When keys were used last. One that a process used meanwhile stays as it is.
UNWIND $rows AS row
MATCH (k:ApiKey {id: row.id})
USING INDEX SEEK k:ApiKey(id)
SET k.used_at = CASE WHEN k.used_at >= row.at THEN k.used_at ELSE row.at END;
