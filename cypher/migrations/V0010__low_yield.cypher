// Episodes of which little was read. The index on sparse goes when no older process reads it.
CREATE INDEX episode_low_yield IF NOT EXISTS FOR (n:Episode) ON (n.low_yield);
