// part: near_beliefs
// What a vector index looks among: versions, r, that held then, as known then. Of a history both ends are the beginning of
// time, so that what had begun is enough.
WHERE r.group_id = $group AND r.valid_from <= $valid_at AND r.valid_to > $ended_after
  AND r.recorded_at <= $known_at AND r.superseded_at > $superseded_after AND r.open IN $open AND r.fades_at > $awake_at;

// part: near_episodes
// What a vector index looks among: episodes, r, of these sessions that had happened then and were known then.
WHERE r.group_id = $group AND r.session_token >= $first_session AND r.session_token <= $last_session
  AND r.occurred_at <= $valid_at AND r.recorded_at <= $known_at;

// part: near_summaries
// What a vector index looks among: summaries, r, whose turns had all been said then, as known then.
WHERE r.group_id = $group AND r.last_at <= $valid_at AND r.recorded_at <= $known_at AND r.superseded_at > $known_at;

// part: near_reflections
// What a vector index looks among: reflections, r, whose weeks had ended then, as known then.
WHERE r.group_id = $group AND r.until_at <= $valid_at AND r.recorded_at <= $known_at AND r.superseded_at > $known_at;

// part: worded_belief
// Whether a version, r, that full text found, held then, as known then, or with $history had begun, and readers of $audience
// may see it.
r.group_id = $group AND r.valid_from <= $valid_at AND r.recorded_at <= $known_at
AND ($history OR (r.valid_to > $valid_at AND r.superseded_at > $known_at)) AND r.open IN $open AND r.fades_at > $awake_at
AND ($audience IS NULL OR r.audience IN $audience);

// part: best_first
// What a vector index found, r, in the order of scores; equal ones in that of ids. Only beliefs can be open, and of summaries
// those of sessions have a session.
WITH {
  id: r.id, score: score, open: coalesce(r.open, false), speaker: null, session: r.session, start: null, end: null
} AS hit
ORDER BY hit.score DESC, hit.id;

// part: best_turns_first
// Episodes, and passages of long ones, r, that a vector index found, in the order of scores; equal ones in that of ids.
// `replaced`: another text had the name of the episode by then.
WITH {
  id: coalesce(r.episode_id, r.id), score: score, open: false, speaker: null, session: null, start: r.start, end: r.end,
  replaced: CASE WHEN r.replaced_at <= $known_at THEN true END
} AS hit
ORDER BY hit.score DESC, hit.id, hit.start;
