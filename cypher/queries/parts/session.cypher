// part: session
// A session, s, with the times in which it was open.
s {
  .id, .group_id, .name, .user, .agent, .subject,
  openings: [at IN coalesce(s.openings, []) | toString(at)], closings: [at IN coalesce(s.closings, []) | toString(at)],
  closers: coalesce(s.closers, []),
  closes_at: CASE WHEN s.closes_at IS :: ZONED DATETIME THEN toString(s.closes_at) ELSE '' END
};
