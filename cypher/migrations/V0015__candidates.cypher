// Entities by what they have in common with others, as words of hexadecimal digits; the most common ones are not asked for.
CREATE FULLTEXT INDEX entity_keys IF NOT EXISTS FOR (n:Entity) ON EACH [n.match_keys]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace', `fulltext.eventually_consistent`: false}};
CREATE INDEX entity_index_due IF NOT EXISTS FOR (n:Entity) ON (n.group_id, n.index_due);
CREATE INDEX entity_match_due IF NOT EXISTS FOR (n:Entity) ON (n.group_id, n.match_due);
// How many distinct names of a group hold a word or a value.
CREATE CONSTRAINT frequency_id IF NOT EXISTS FOR (n:Frequency) REQUIRE n.id IS UNIQUE;
