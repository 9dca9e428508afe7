// The nightly pass looks for episodes of which an older reader, or a quicker one, read little; a digest for the turns
// that a language model is to read in one call.
CREATE INDEX episode_sparse IF NOT EXISTS FOR (n:Episode) ON (n.sparse);
CREATE INDEX episode_call IF NOT EXISTS FOR (n:Episode) ON (n.call_id);
