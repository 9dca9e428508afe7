// part: key
// A key, k, with the seal by which it is known.
k.id AS id, k.seal AS seal, k.label AS label, k.rights AS rights, k.groups AS groups, k.users AS users, k.agents AS agents,
k.made_at AS made_at, k.made_by AS made_by, k.expires_at AS expires_at, k.used_at AS used_at, k.revoked_at AS revoked_at,
k.revoked_by AS revoked_by, k.replaces AS replaces;

// part: new_key
// A key as it is made.
(:ApiKey {
  id: $id, seal: $seal, label: $label, rights: $rights, groups: $groups, users: $users, agents: $agents, made_at: $now,
  made_by: $made_by, expires_at: $expires_at, replaces: $replaces
});
