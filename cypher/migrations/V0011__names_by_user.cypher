// Under which names an entity is known to whom; lists of a user's entities go by group, user and entity.
CREATE CONSTRAINT name_id IF NOT EXISTS FOR (n:Name) REQUIRE n.id IS UNIQUE;
CREATE INDEX name_user IF NOT EXISTS FOR (n:Name) ON (n.group_id, n.user, n.entity_id);
