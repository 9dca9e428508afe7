from collections.abc import Generator
from pathlib import Path

import pytest

from graphmem.local.control import down
from tests.acceptance.fresh import built_wheel
from tests.acceptance.service import Service, shared_service
from tests.acceptance.shells import Shell


@pytest.fixture(scope="session")
def service(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Service:
    return shared_service(pytestconfig, tmp_path_factory.mktemp("service"))


@pytest.fixture
def shell(tmp_path: Path) -> Generator[Shell]:
    yield Shell(tmp_path / "data")
    down(tmp_path / "data")


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_wheel(tmp_path_factory.mktemp("wheels"))
