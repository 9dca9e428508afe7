// part: summary
// A recorded version of a summary, s, whole.
s {
  .id, .summary_id, .group_id, .session_id, .session, .user, .agent, .subject, .tier, .said, .first_turn, .turns, .covers,
  .material, .drift, asked: s.asked_at IS NOT NULL,
  text: s {.content, .lines, .sentences, .tokens, .model, .prompt},
  first_at: toString(s.first_at), .first_order, .first_id,
  first: {occurred_at: toString(s.first_at), turn: s.first_order, episode_id: s.first_id},
  last_at: toString(s.last_at), .last_order, .last_id,
  last: {occurred_at: toString(s.last_at), turn: s.last_order, episode_id: s.last_id},
  stale_at: toString(s.stale_at), was_stale: [at IN coalesce(s.was_stale, []) | toString(at)],
  recorded_at: toString(s.recorded_at), superseded_at: toString(s.superseded_at)
};

// part: no_longer_stale
// A recorded version of a derived text, s, is not stale any more; it says when it was.
SET
  s.was_stale = coalesce(s.was_stale, []) + CASE
    WHEN s.stale_at IS NULL THEN [] ELSE [s.stale_at, datetime.truncate('microsecond', datetime.realtime())]
  END,
  s.stale_at = null;
