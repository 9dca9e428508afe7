"""Numbers for Prometheus, in a registry of each application's own."""

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0)
_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})


class Metrics:
    """Requests by method, route and status, and how long they took."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "graphmem_http_requests",
            "Requests answered.",
            ("method", "route", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "graphmem_http_request_seconds",
            "Seconds from the first byte of a request to the last of its answer.",
            ("method", "route"),
            registry=self._registry,
            buckets=_BUCKETS,
        )

    def observe(self, method: str, route: str, status: int, seconds: float) -> None:
        """Routes are templates, and methods known ones, so that no caller makes a series of its own."""
        known = method if method in _METHODS else "other"
        self._requests.labels(known, route, str(status)).inc()
        self._seconds.labels(known, route).observe(seconds)

    def exposition(self) -> bytes:
        return generate_latest(self._registry)
