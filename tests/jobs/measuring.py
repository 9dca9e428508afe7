"""What a worker shows of its work."""

from graphmem.process.metrics import DigestMetrics


def number(metrics: DigestMetrics, name: str, *labels: str) -> float:
    """A number, by its name and the values of its labels; 0.0 where it is not shown."""
    for line in metrics.exposition().decode().splitlines():
        if line.startswith(f"{name}{{") and all(f'"{label}"' in line for label in labels):
            return float(line.rpartition(" ")[2])
    return 0.0
