"""The accurate reader, whose model is loaded once for all tests of a run."""

import pytest

from graphmem.extract.offline import OfflineExtractor
from tests.models import extractor


@pytest.fixture(scope="session")
def offline() -> OfflineExtractor:
    return extractor()
