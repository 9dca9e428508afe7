// part: work
// Work, w, and how far it is; a digest has no target, no period and no arguments.
w {
  .id, .group_id, .kind, .status, .error, .attempts, .leases, .due_at, .began_at, .finished_at,
  requested_at: coalesce(w.requested_at, w.recorded_at), target: coalesce(w.target, ''), period: coalesce(w.period, ''),
  generation: coalesce(w.generation, 0), dry_run: coalesce(w.dry_run, false), arguments: coalesce(w.arguments, '{}'),
  cursor: coalesce(w.cursor, '{}'), progress: coalesce(w.progress, '{}'), result: coalesce(w.result, '{}')
};
