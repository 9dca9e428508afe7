// Full-text indexes follow the commits instead of being part of them: that was a third of what each commit took. Who
// searches waits for them first, and calls the procedures: SEARCH takes no index of this kind.
DROP INDEX relationship_text IF EXISTS;
DROP INDEX fact_text IF EXISTS;
DROP INDEX episode_text IF EXISTS;

CREATE FULLTEXT INDEX relationship_text IF NOT EXISTS
FOR ()-[r:RELATES_TO|SUPERSEDED]-() ON EACH [r.statement, r.group_token]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: true}};

CREATE FULLTEXT INDEX fact_text IF NOT EXISTS
FOR (n:Fact|SupersededFact) ON EACH [n.statement, n.group_token]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: true}};

CREATE FULLTEXT INDEX episode_text IF NOT EXISTS
FOR (n:Episode) ON EACH [n.content, n.group_token]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: true}};
