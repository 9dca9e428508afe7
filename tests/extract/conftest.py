"""Clients of the fake provider are closed after each test."""

from collections.abc import AsyncGenerator

import pytest

from tests.fake_anthropic import OPEN


@pytest.fixture(autouse=True)
async def closed() -> AsyncGenerator[None]:
    yield
    while OPEN:
        await OPEN.pop().aclose()
