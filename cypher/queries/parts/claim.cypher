// part: claim
// A claim, c, as a projection takes it.
c {
  .group_id, .episode_id, .kind, .subject_id, .predicate, .object_id, .value, .statement, .quote, .quote_start,
  .quote_end, .from_stated, .to_stated, .confidence, .importance, .attributes, .category, .extractor,
  .extractor_version, user: coalesce(c.user, c.owner), session: coalesce(c.session, ''),
  revision: coalesce(c.revision, 0), open: coalesce(c.open, false), day: coalesce(c.day, ''),
  event_to: toString(c.event_to), asserted_by: coalesce(c.asserted_by, 'passing'),
  protecting: coalesce(c.protecting, false), .cap, gave_way_to: coalesce(c.gave_way_to, ''),
  valid_from: toString(c.valid_from), valid_to: toString(c.valid_to), said_at: toString(c.said_at)
};
