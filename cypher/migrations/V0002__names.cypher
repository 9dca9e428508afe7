// Names of properties and of relationships that queries use and no index has. Neo4j plans a query anew, for up to seconds,
// when a name that it did not know comes up; so none comes up late.
UNWIND [
  'access_changed_at', 'access_count', 'address', 'agent', 'agents', 'anchored_at', 'archived_at', 'arguments',
  'asked_at', 'asked_by', 'asserted_by', 'attempts', 'attribute_keys', 'attribute_values', 'attributes', 'audit_days',
  'began_at', 'beliefs', 'beside', 'bounded', 'cap', 'cardinality', 'claims', 'closers', 'closings', 'confidence',
  'content_type', 'contributions', 'counts', 'covers', 'cursor', 'cut_by', 'dates_changed_at', 'day', 'digested_at',
  'dimensions', 'drift', 'dry_run', 'embedded_name', 'embedding_model', 'end', 'ended_at', 'entities', 'episode_id',
  'episodes', 'erased_at', 'error', 'event_to', 'evidence', 'expires_at', 'external_id', 'extractor', 'extractor_version',
  'fingerprint', 'finished_at', 'first_at', 'first_hash', 'first_id', 'first_order', 'first_place', 'first_seen',
  'first_turn', 'fiscal_year_start', 'forgetting_since', 'from_precision', 'from_stated', 'generation', 'groups', 'hash',
  'hashes', 'held', 'holders', 'ids', 'importance', 'imported', 'importing', 'in_force', 'irreflexive', 'keep_shared',
  'kinds', 'label', 'last_accessed', 'last_id', 'last_order', 'lease', 'leases', 'lines', 'made_at', 'made_by',
  'manifest', 'matching', 'material', 'memories', 'mentions', 'metadata', 'method', 'model', 'month_first', 'names',
  'names_at', 'new', 'newest_stamp', 'not_embeddable', 'object_id', 'occurrence', 'ontology', 'ontology_changed_at',
  'openings', 'operation', 'outcome', 'overtaken_since', 'owner', 'passages', 'payload', 'period', 'position', 'previous',
  'probability', 'progress', 'promised_until', 'prompt', 'protected', 'protected_at', 'protecting', 'put_keys', 'qualifier',
  'quote', 'quote_end', 'quote_start', 'read_again_by', 'reason', 'receipt', 'redacted', 'redacted_as', 'redacted_at',
  'refined_weights', 'refused', 'remember', 'reopened', 'replaced', 'replaced_at', 'replaced_by', 'replaces', 'reprocessing',
  'requested_at', 'restore_lease', 'restored_file', 'restored_hash', 'restored_lines', 'restored_texts', 'restoring',
  'result', 'retention_days', 'retracted_at', 'revision', 'revoked_at', 'revoked_by', 'rewritten', 'rights', 'role',
  'rows', 'rule', 'said', 'said_at', 'seal', 'second_id', 'selectors', 'sentences', 'sequence', 'sessions',
  'settled_until', 'shared', 'shown', 'since_at', 'source', 'stage', 'start', 'subject', 'summary_since', 'tags', 'terms',
  'text', 'texts', 'tier', 'time_unread', 'time_zone', 'to_stated', 'tokens', 'turn', 'turns', 'type', 'types',
  'types_at', 'types_by', 'types_said_at', 'unique_sources', 'used_at', 'users', 'value', 'verdict', 'version', 'vetoes',
  'waking', 'was_stale', 'withdrawn_at'
] AS name
CALL db.createProperty(name);

UNWIND [
  'ABOUT', 'CITES', 'HAD_FACT', 'HAD_SUMMARY', 'HAS_FACT', 'HAS_PASSAGE', 'HAS_SUMMARY', 'MENTIONED', 'MENTIONS',
  'OBJECT', 'OF', 'RESTS_ON', 'STATES', 'SUBJECT', 'SUMMARIZES'
] AS name
CALL db.createRelationshipType(name);
