"""What other memories kept, as the bodies of our calls: pure mappings, and what cannot be carried is counted."""
