// Summaries of sessions. What is no longer current is a SupersededSummary; one with no content stands for a run of turns of
// which there is nothing to say. A session with `summarise_due` is to be looked at.

// name: next_group_to_summarise
// mode: read
// returns: optional
// row: IdRow
// params: after
// timeless because it is about work to do, not about beliefs
// all groups because the schedule asks for work in each
// The next group in which a session is to be looked at.
MATCH (s:Session)
WHERE s.group_id > $after AND s.summarise_due <= datetime.realtime()
RETURN s.group_id AS id ORDER BY s.group_id, s.summarise_due LIMIT 1;

// name: next_session_to_summarise
// mode: read
// returns: many
// row: DueSessionRow
// params: group, limit
// timeless because it is about work to do, not about beliefs
// The $limit sessions of a group that wait longest to be looked at; and the clock.
MATCH (s:Session)
WHERE s.group_id = $group AND s.summarise_due <= datetime.realtime()
WITH s ORDER BY s.group_id, s.summarise_due LIMIT $limit
RETURN
// insert: session
AS session, toString(s.summarise_due) AS due, toStringOrNull(s.withdrawn_at) AS withdrawn_at,
coalesce(toIntegerOrNull(s.attempts), 0) AS attempts, datetime.truncate('microsecond', datetime.realtime()) AS now
ORDER BY s.summarise_due;

// name: countable_turns
// mode: read
// returns: list
// row: CountableTurnRow
// params: group, session
// timeless because what was said is summarised, whenever that was
// The turns of a session that summaries cover, and whether each has been read.
MATCH (e:Episode)
WHERE e.own_session_id = $session AND e.occurred_at > datetime('0001-01-01T00:00:00Z') AND e.group_id = $group
  AND e.content_type IN ['message', 'event'] AND e.payload IS NULL AND e.replaced_at IS NULL
RETURN collect({
  id: e.id, occurred_at: toString(e.occurred_at), turn: e.turn, read: NOT e.status = 'pending'
}) AS rows;

// name: summaries_of_session
// mode: read
// returns: list
// row: SummaryRow
// params: group, session
// timeless because it is about what stands now
// The summaries of a session that stand, also those that say nothing.
MATCH (:Session {id: $session})-[:HAS_SUMMARY]->(s:Summary)
WHERE s.group_id = $group
RETURN collect({summary:
// insert: summary
}) AS rows;

// name: contents_of_summaries
// mode: read
// returns: list
// row: SummaryContent
// params: group, session
// timeless because it is about what stands now
// What the summaries of a session say, with their vectors.
MATCH (:Session {id: $session})-[:HAS_SUMMARY]->(s:Summary)
WHERE s.group_id = $group AND s.content <> ''
RETURN collect({id: s.id, summary_id: s.summary_id, tier: s.tier, content: s.content, vector: s.embedding}) AS rows;

// name: rows_of_turns
// mode: read
// returns: many
// row: IdRow
// params: group, users, ids
// timeless because it is about what is believed now
// The versions of beliefs that stand and may rest on claims of these turns: by the slots of the claims.
UNWIND $ids AS id
MATCH (:Episode {id: id})-[:STATES]->(c:Claim)-[:SUBJECT]->(named:Entity)
WHERE c.group_id = $group AND c.retracted_at > datetime.realtime()
MATCH (named)-[:SAME_AS*0..3]->(subject:Entity)
OPTIONAL MATCH (c)-[:OBJECT]->(:Entity)-[:SAME_AS*0..3]->(thing:Entity)
WITH DISTINCT subject.id AS subject, c.predicate AS predicate, coalesce(thing.id, c.target) AS target
CALL (subject, predicate, target) {
  MATCH ()-[r:RELATES_TO]->()
  WHERE r.subject_id = subject AND r.predicate = predicate AND r.target = target
    AND r.group_id = $group AND r.user IN $users
  RETURN r.id AS id
  UNION
  MATCH (r:Fact)
  WHERE r.subject_id = subject AND r.predicate = predicate AND r.target = target
    AND r.group_id = $group AND r.user IN $users
  RETURN r.id AS id
}
RETURN DISTINCT id;

// name: withdrawn_spans
// mode: read
// returns: list
// row: QuotedSpan
// params: group, ids, audience, known_at
// timeless because what was said is addressed by the id of its episode; $known_at bounds both times of a claim
// Where in episodes the quotes stand of claims that were retracted by request by $known_at, or whose value was rejected
// after they were said.
UNWIND $ids AS id
// insert: withdrawn
WITH DISTINCT id, c.quote_start AS start, c.quote_end AS end
RETURN collect({episode_id: id, start: start, end: end}) AS rows;

// name: write_summary
// mode: write
// returns: optional
// row: RecordedRow
// params: group, session, withdrawn_at, before, now, summary, vector, covers, claims
// audit: summaries summary.id
// allow: CartesianProduct because each side is one node, found by its unique id
// A version of a summary, unless something of its session was withdrawn since it was read ($withdrawn_at), or another
// version than $before stands by now. That one is superseded; summaries that cover it are stale. So is the new one where a
// claim was withdrawn meanwhile that it cites, or whose quote overlaps the quote of one that it cites.
MATCH (session:Session {id: $session})
WHERE session.group_id = $group
SET session.lock_asked_at = datetime.realtime()
WITH session
WHERE coalesce(toStringOrNull(session.withdrawn_at), '') = coalesce($withdrawn_at, '')
  AND coalesce(head(COLLECT {
    MATCH (session)-[:HAS_SUMMARY]->(standing:Summary)
    WHERE standing.summary_id = $summary.summary_id
    RETURN standing.id
  }), '') = $before
WITH session, CASE
    WHEN session.summarised_at >= datetime($now) THEN session.summarised_at + duration({microseconds: 1})
    ELSE datetime($now)
  END AS now
SET
  session.summarised_at = now, session.attempts = null,
  session.summarise_due = CASE WHEN session.summarise_due > now THEN now ELSE session.summarise_due END,
  session.summarised_until = CASE
    WHEN session.summarised_until >= datetime($summary.last_at) THEN session.summarised_until
    ELSE datetime($summary.last_at)
  END
CREATE (s:Summary {id: $summary.id})
SET
  s += $summary, s.group_id = $group, s.session_id = $session, s.first_at = datetime($summary.first_at),
  s.last_at = datetime($summary.last_at), s.recorded_at = now,
  s.superseded_at = datetime('9999-12-31T23:59:59.999999Z')
WITH session, s, now
CALL (session, s, now) {
  MATCH (session)-[r:HAS_SUMMARY]->(old:Summary)
  WHERE old.summary_id = s.summary_id
  DELETE r
  REMOVE old:Summary
  SET old:SupersededSummary, old.superseded_at = now
  CREATE (session)-[:HAD_SUMMARY]->(old)
  WITH old, now
  MATCH (above:Summary)-[:SUMMARIZES]->(old)
  SET above.stale_at = coalesce(above.stale_at, now)
}
CREATE (session)-[:HAS_SUMMARY]->(s)
WITH s
CALL (s) {
  UNWIND $covers AS id
  CALL (id) {
    MATCH (covered:Episode {id: id})
    RETURN covered
    UNION
    MATCH (covered:Summary)
    WHERE covered.group_id = $group AND covered.summary_id = id
    RETURN covered
  }
  WITH s, covered WHERE covered.group_id = $group
  CREATE (s)-[:SUMMARIZES]->(covered)
}
CALL (s) {
  UNWIND $claims AS id
  MATCH (named:Claim {id: id})
  WHERE named.group_id = $group
  CREATE (s)-[:CITES]->(named)
  WITH s, named, datetime.realtime() AS known
  WHERE named.retracted_at <= known OR EXISTS {
    // insert: same_words
    AND c.user IN ['', $summary.user]
    AND
    // insert: is_withdrawn
  }
  SET s.stale_at = coalesce(s.stale_at, s.recorded_at)
}
CALL (s) {
  WITH s WHERE $vector IS NOT NULL
  CALL db.create.setNodeVectorProperty(s, 'embedding', $vector)
}
RETURN toString(s.recorded_at) AS recorded_at;

// name: keep_summary
// mode: write
// returns: nothing
// params: group, session, withdrawn_at, id, vector
// A summary that says of what it covers what it would say if it were made again: it is not stale, unless something of its
// session was withdrawn since that was read ($withdrawn_at). It summarises the versions that stand of what it covers.
MATCH (session:Session {id: $session})
WHERE session.group_id = $group
SET session.lock_asked_at = datetime.realtime()
WITH session WHERE coalesce(toStringOrNull(session.withdrawn_at), '') = coalesce($withdrawn_at, '')
MATCH (session)-[:HAS_SUMMARY]->(s:Summary {id: $id})
WHERE s.group_id = $group
// insert: no_longer_stale
SET
  s.asked_at = null, session.attempts = null,
  session.summarise_due = CASE
    WHEN session.summarise_due > datetime.realtime() THEN datetime.truncate('microsecond', datetime.realtime())
    ELSE session.summarise_due
  END
WITH session, s
CALL (session, s) {
  MATCH (s)-[:SUMMARIZES]->(covered:SupersededSummary)
  MATCH (session)-[:HAS_SUMMARY]->(standing:Summary)
  WHERE standing.summary_id = covered.summary_id
  WITH DISTINCT s, standing
  MERGE (s)-[:SUMMARIZES]->(standing)
}
WITH s WHERE $vector IS NOT NULL
CALL db.create.setNodeVectorProperty(s, 'embedding', $vector);

// name: begin_writing
// mode: write
// returns: nothing
// params: group, session, due, again_after
// A language model is about to be asked for a summary of a session. If nothing comes of it, also because its worker is
// killed, the session is looked at again after so many seconds.
MATCH (s:Session {id: $session})
WHERE s.group_id = $group
SET s.lock_asked_at = datetime.realtime()
WITH s WHERE s.summarise_due = datetime($due)
SET
  s.attempts = coalesce(toIntegerOrNull(s.attempts), 0) + 1,
  s.summarise_due = datetime.truncate('microsecond', datetime.realtime()) + duration({seconds: $again_after});

// name: take_back_writing
// mode: write
// returns: nothing
// params: group, session, due, attempts
// No language model could be asked: the session waits as it did before that was begun, after so many attempts.
MATCH (s:Session {id: $session})
WHERE s.group_id = $group
SET
  s.lock_asked_at = datetime.realtime(), s.attempts = $attempts,
  s.summarise_due = CASE WHEN s.summarise_due < datetime($due) THEN s.summarise_due ELSE datetime($due) END;

// name: end_summarising
// mode: write
// returns: nothing
// params: group, session, due, again_after, uncovered
// A session was looked at, and so many of its turns are in no summary (null: as many as before): it waits no more, unless
// something came meanwhile; or it is looked at again after so many seconds, for not all of it could be read yet.
MATCH (s:Session {id: $session})
WHERE s.group_id = $group
SET s.lock_asked_at = datetime.realtime()
WITH s WHERE s.summarise_due = datetime($due)
SET
  s.unsummarised = coalesce($uncovered, s.unsummarised),
  s.summarise_due = CASE
    WHEN $again_after IS NOT NULL
    THEN datetime.truncate('microsecond', datetime.realtime()) + duration({seconds: $again_after})
  END;

// name: mark_stale
// mode: write
// returns: nothing
// params: group, ids, acts, now
// What was summarised of these claims, of claims on whose value there are these acts or were acts among the claims, or of
// words withdrawn with them, is to be made again: summaries that cover their episodes or cite them, and those above. And
// who is about to write such a summary is to begin anew.
// insert: concerned
WITH collect(c) AS claims
CALL (claims) {
  UNWIND claims AS c
  MATCH (c)<-[:STATES]-(:Episode)<-[:SUMMARIZES*1..6]-(s:Summary)
  RETURN collect(DISTINCT s) AS covering
}
CALL (claims) {
  UNWIND claims AS c
  MATCH (c)<-[:CITES]-(:Summary|SupersededSummary)<-[:SUMMARIZES*0..6]-(s:Summary)
  RETURN collect(DISTINCT s) AS citing
}
WITH [c IN claims WHERE c.group_id = $group] AS claims, [s IN covering + citing WHERE s.group_id = $group] AS summaries
CALL (claims, summaries) {
  UNWIND claims AS c
  MATCH (c)<-[:STATES]-(:Episode)<-[:HAS_EPISODE]-(session:Session)
  RETURN session
  UNION
  UNWIND summaries AS s
  MATCH (s)<-[:HAS_SUMMARY]-(session:Session)
  RETURN session
}
WITH summaries, session WHERE session.group_id = $group
WITH summaries, session ORDER BY session.id
SET session.withdrawn_at = $now
WITH summaries, session
CALL (summaries, session) {
  UNWIND summaries AS s
  WITH session, s WHERE s.session_id = session.id
  SET
    s.stale_at = coalesce(s.stale_at, $now),
    session.summarise_due = CASE WHEN session.summarise_due < $now THEN session.summarise_due ELSE $now END
};

// name: ask_for_summary
// mode: write
// returns: optional
// row: SummaryRow
// params: group, audience, id
// audit: summaries id
// A summary, given by its id or that of its version that stands, is to be made again, for a person asks for it.
CALL () {
  MATCH (s:Summary {id: $id})
  RETURN s
  UNION
  MATCH (s:Summary)
  WHERE s.group_id = $group AND s.summary_id = $id
  RETURN s
}
WITH s WHERE s.group_id = $group AND s.content <> '' AND ($audience IS NULL OR s.audience IN $audience)
MATCH (session:Session {id: s.session_id})
SET session.lock_asked_at = datetime.realtime()
WITH s, session, datetime.truncate('microsecond', datetime.realtime()) AS now
SET
  s.stale_at = coalesce(s.stale_at, now), s.asked_at = now,
  session.summarise_due = CASE WHEN session.summarise_due < now THEN session.summarise_due ELSE now END
RETURN
// insert: summary
AS summary;

// name: summaries
// mode: read
// returns: list
// row: SummaryRow
// params: group, audience, session, after_time, after_id, valid_at, known_at, limit
// timeless because what a summary covers has an end, to which $valid_at is compared, and none in the sense of beliefs
// The summaries of turns that had all been said by $valid_at, as known at $known_at, in order of their last turn; of one
// session, or of all.
CALL () {
  MATCH (s:Summary)
  WHERE s.group_id = $group AND s.last_at >= $after_time AND s.last_at <= $valid_at
    AND s.recorded_at <= $known_at AND s.superseded_at > $known_at
    AND (s.last_at > $after_time OR s.id > $after_id) AND s.content <> '' AND s.session_id IS NOT NULL
    AND ($audience IS NULL OR s.audience IN $audience) AND ($session IS NULL OR s.session_id = $session)
  RETURN s
  UNION ALL
  MATCH (s:SupersededSummary)
  WHERE s.group_id = $group AND s.last_at >= $after_time AND s.last_at <= $valid_at
    AND s.recorded_at <= $known_at AND s.superseded_at > $known_at
    AND (s.last_at > $after_time OR s.id > $after_id) AND s.content <> '' AND s.session_id IS NOT NULL
    AND ($audience IS NULL OR s.audience IN $audience) AND ($session IS NULL OR s.session_id = $session)
  RETURN s
}
WITH s ORDER BY s.last_at, s.id LIMIT $limit
RETURN collect({summary:
// insert: summary
}) AS rows;

// name: summaries_by_id
// mode: read
// returns: list
// row: SummaryRow
// params: group, audience, ids, valid_at, known_at
// timeless because what a summary covers has an end, to which $valid_at is compared, and none in the sense of beliefs
// Those of versions, by id, whose turns had all been said by $valid_at, as known at $known_at.
UNWIND $ids AS id
CALL (id) {
  MATCH (s:Summary {id: id})
  RETURN s
  UNION ALL
  MATCH (s:SupersededSummary {id: id})
  RETURN s
}
WITH s
WHERE s.group_id = $group AND s.session_id IS NOT NULL AND s.content <> '' AND s.last_at <= $valid_at
  AND s.recorded_at <= $known_at AND s.superseded_at > $known_at AND ($audience IS NULL OR s.audience IN $audience)
RETURN collect({summary:
// insert: summary
}) AS rows;

// name: standing_of_cited
// mode: read
// returns: list
// row: CitedBeliefRow
// params: group, ids, audience, known_at
// timeless because what a summary says may be about any time; $known_at bounds what is believed
// Whether beliefs are believed as known at $known_at, by the ids of rows of them; and of those that are not, and whose slot
// holds one value, which other values are believed for a time for which they were.
// insert: rows_by_id
WITH DISTINCT r
// insert: holds_one
WITH DISTINCT r, one
CALL (r) {
  CALL (r) {
    MATCH ()-[same:RELATES_TO]->()
    WHERE same.group_id = $group AND same.belief_id = r.belief_id
      AND same.recorded_at <= $known_at AND same.superseded_at > $known_at
    RETURN same.id AS row
    UNION ALL
    MATCH ()-[same:SUPERSEDED]->()
    WHERE same.group_id = $group AND same.belief_id = r.belief_id
      AND same.recorded_at <= $known_at AND same.superseded_at > $known_at
    RETURN same.id AS row
    UNION ALL
    MATCH (same:Fact)
    WHERE same.group_id = $group AND same.belief_id = r.belief_id
      AND same.recorded_at <= $known_at AND same.superseded_at > $known_at
    RETURN same.id AS row
    UNION ALL
    MATCH (same:SupersededFact)
    WHERE same.group_id = $group AND same.belief_id = r.belief_id
      AND same.recorded_at <= $known_at AND same.superseded_at > $known_at
    RETURN same.id AS row
  }
  RETURN count(row) > 0 AS believed
}
CALL (r, one, believed) {
  WITH r WHERE one AND NOT believed
  WITH r, r.subject_id AS entity_id
  CALL (entity_id) {
    // insert: same_thing
    RETURN collect(e) AS subjects
  }
  UNWIND subjects AS subject
  CALL (subject) {
    MATCH (subject)-[other:RELATES_TO]->()
    RETURN other
    UNION ALL
    MATCH (subject)-[other:SUPERSEDED]->()
    RETURN other
    UNION ALL
    MATCH (subject)-[:HAS_FACT]->(other)
    RETURN other
    UNION ALL
    MATCH (subject)-[:HAD_FACT]->(other)
    RETURN other
  }
  WITH r, other
  WHERE other.group_id = $group AND other.predicate = r.predicate AND other.target <> r.target
    AND other.user = r.user
    AND other.valid_from < r.valid_to AND other.valid_to > r.valid_from
    AND other.recorded_at <= $known_at AND other.superseded_at > $known_at
    AND ($audience IS NULL OR other.audience IN $audience)
  WITH DISTINCT other.belief_id AS belief_id ORDER BY belief_id
  RETURN collect(belief_id) AS contradicted_by
}
RETURN collect(DISTINCT {
  id: r.id, cited: {belief_id: r.belief_id, believed: believed, contradicted_by: contradicted_by}
}) AS rows;
