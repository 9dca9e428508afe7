"""What every process stands on, whatever it does: tasks, logs, metrics, files, connections."""
