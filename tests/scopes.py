"""Which tests pytest-xdist runs in one process, one after the other."""

QUERIES = "store/test_queries.py"
SERVICE = "service"
"""Tests of the one service that ``graphmem up --sample`` started."""
OWN = "own"
"""Tests that kill, wipe or sweep a whole database, or wait until nobody writes to it: the fixture ``own_servers``."""
_WITHOUT_SERVICE = {
    "acceptance/test_full_disk.py",
    "acceptance/test_plain_pip.py",
    "acceptance/test_up.py",
    "acceptance/test_up_refused.py",
    "acceptance/test_walks.py",
}
_WITH_OWN = {
    "api/test_frozen_servers.py",
    "jobs/test_all_groups.py",
    "jobs/test_consolidation_recovery.py",
    "jobs/test_dedup.py",
    "jobs/test_full_queue.py",
    "jobs/test_late_vectors_of_workers.py",
    "jobs/test_recovery.py",
    "jobs/test_reembed.py",
    "jobs/test_reprojector.py",
    "jobs/test_taking.py",
    "jobs/test_time_travel.py",
    "jobs/test_worker.py",
    "store/test_migrations.py",
    "store/test_search_filters.py",
    "store/test_stats.py",
    "store/test_young_database.py",
}


def scope_of(nodeid: str) -> str:
    """The file of a test, or what several files share."""
    file = nodeid.partition("::")[0].removeprefix("tests/")
    if file.startswith(("acceptance/", "notebooks/")) and file not in _WITHOUT_SERVICE:
        return SERVICE
    return OWN if file in _WITH_OWN else file
