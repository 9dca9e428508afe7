"""Checks of a process with a time limit: each in a thread of its own, because a process that is frozen holds it up."""

import threading
import time

from graphmem.local.process import Probe


class Check:
    """One question to one process, asked in the background."""

    def __init__(self, probe: Probe, pid: int) -> None:
        self._began = time.monotonic()
        self._missing: str | None = None
        self._over = threading.Event()
        threading.Thread(target=self._ask, args=(probe, pid), daemon=True).start()

    def _ask(self, probe: Probe, pid: int) -> None:
        try:
            self._missing = probe(pid)
        except Exception as error:  # noqa: BLE001 - the edge: whatever it is, the process does not answer
            self._missing = f"it cannot be asked ({error!r})"
        self._over.set()

    def is_over(self, limit: float) -> bool:
        """Whether there is an answer, or none came within so many seconds."""
        return self._over.is_set() or time.monotonic() - self._began > limit

    @property
    def missing(self) -> str | None:
        """What is missing for the process to answer; None where it does."""
        if self._over.is_set():
            return self._missing
        return f"it has not answered for {time.monotonic() - self._began:.0f} seconds"
