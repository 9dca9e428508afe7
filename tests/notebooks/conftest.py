import pytest

from tests.acceptance.service import Service, shared_service


@pytest.fixture(scope="session")
def service(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Service:
    return shared_service(pytestconfig, tmp_path_factory.mktemp("service"))
