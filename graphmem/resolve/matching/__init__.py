"""Which names mean the same: keys to find candidates by, stages that propose, and rules and a score that decide."""
