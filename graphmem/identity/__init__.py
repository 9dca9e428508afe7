"""Who is who: entities are matched, judged and merged, and merges are taken back."""
