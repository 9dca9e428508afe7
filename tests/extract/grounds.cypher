// What stands in a group on words of its episodes, each with the words: quotes, values that a model gave, mentions and names.
CALL () {
  MATCH (e:Episode {group_id: $group})-[:STATES]->(c:Claim)
  RETURN 'quote' AS kind, c.quote AS text, c.quote_start AS start, c.quote_end AS end, e.content AS content
  UNION ALL MATCH (e:Episode {group_id: $group})-[:STATES]->(c:Claim) WHERE c.value IS NOT NULL AND c.extractor = 'llm'
  RETURN 'value' AS kind, c.value AS text, null AS start, null AS end, e.content AS content
  UNION ALL MATCH (e:Episode {group_id: $group})-[m:MENTIONS]->()
  RETURN 'mention' AS kind, m.text AS text, m.start AS start, m.end AS end, e.content AS content
  UNION ALL MATCH (n:Entity {group_id: $group})
  RETURN 'name' AS kind, n.name AS text, null AS start, null AS end, '' AS content
}
RETURN kind, text, start, end, content
