"""Who may what: keys, and what their holders may."""
