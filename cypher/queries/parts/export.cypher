// part: exported
// All properties of a thing, n, but those of $left_out: each with its name, and with whether it is an instant or a list of
// them, which come as texts.
[name IN keys(n) WHERE NOT name IN $left_out | [
  name,
  CASE
    WHEN n[name] IS :: ZONED DATETIME NOT NULL THEN toString(n[name])
    WHEN n[name] IS :: LIST<ZONED DATETIME NOT NULL> NOT NULL THEN [at IN n[name] | toString(at)]
    ELSE n[name]
  END,
  n[name] IS :: ZONED DATETIME NOT NULL OR (n[name] IS :: LIST<ZONED DATETIME NOT NULL> NOT NULL AND n[name] <> [])
]];

// part: restored_instants
// Instants of a thing, n, that come as texts.
FOREACH (at IN row.instants | SET n[at[0]] = datetime(at[1]))
FOREACH (list IN row.instant_lists | SET n[list[0]] = [at IN list[1] | datetime(at)]);
