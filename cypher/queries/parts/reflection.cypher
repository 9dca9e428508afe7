// part: reflection
// A recorded version of a reflection, s, whole.
s {
  .id, .reflection_id, .group_id, .user, .memories, .new, .tags, .material,
  text: s {.content, .sentences, .tokens, .model, .prompt},
  since_at: toString(s.since_at), until_at: toString(s.until_at),
  week: {since: toString(s.since_at), until: toString(s.until_at)}, stale_at: toString(s.stale_at),
  was_stale: [at IN coalesce(s.was_stale, []) | toString(at)],
  recorded_at: toString(s.recorded_at), superseded_at: toString(s.superseded_at)
};

// part: unchanged_since
// Locks a group, g, then the $subjects that the claims of a text name, in the order given (by id), and goes on only
// if nothing was written about these since they were read: whoever withdraws a claim locks and stamps its subject.
SET g.reflect_asked_at = datetime.realtime()
WITH g
CALL (g) {
  UNWIND $subjects AS subject
  MATCH (e:Entity {id: subject.id})
  WHERE e.group_id = g.id
  SET e.locked = true
  WITH e, subject WHERE coalesce(toString(e.newest_stamp), '') <> subject.stamp
  RETURN count(e) AS written
}
WITH g, written WHERE written = 0;
