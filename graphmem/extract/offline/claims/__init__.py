"""From what the trained reader reads in a turn to claims."""
