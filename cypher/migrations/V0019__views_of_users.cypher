// Entities in the eyes of users who were told of them what others were not, by what they have in common with others.
CREATE FULLTEXT INDEX name_keys IF NOT EXISTS FOR (n:Name) ON EACH [n.match_keys]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace', `fulltext.eventually_consistent`: false}};
CREATE INDEX name_match_due IF NOT EXISTS FOR (n:Name) ON (n.group_id, n.match_due);
