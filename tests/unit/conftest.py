"""The accurate reader without open claims, whose model is loaded once for all tests of a run."""

import pytest

from graphmem.extract.offline.extractor import OfflineExtractor
from tests.models import closed


@pytest.fixture(scope="session")
def offline() -> OfflineExtractor:
    return closed()
