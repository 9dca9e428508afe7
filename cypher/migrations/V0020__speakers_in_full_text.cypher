// Who said it is found like what was said. A new name, because a process of the release before still searches the old
// index; that goes later.
CREATE FULLTEXT INDEX episode_said IF NOT EXISTS
FOR (n:Episode) ON EACH [n.content, n.speaker, n.group_token, n.audience_token, n.session_token]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: true}};
