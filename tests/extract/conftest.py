"""Whoever asked the wire server in a test is closed after it."""

from collections.abc import AsyncGenerator

import pytest

from tests.fake_anthropic import OPEN


@pytest.fixture(autouse=True)
async def closed() -> AsyncGenerator[None]:
    yield
    while OPEN:
        await OPEN.pop().aclose()
