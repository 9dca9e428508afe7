"""Of what was forgotten no word is left in the database, whatever had been made of it, or acted on it, before."""

from collections.abc import Generator
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from graphmem.model.forgetting import CanaryPlace, Selector
from graphmem.model.interval import LATEST
from graphmem.model.scope import Scope
from graphmem.store.forget import ForgetStore
from tests.properties.machines import run
from tests.properties.test_canaries import STEPS, opened
from tests.properties.test_canaries import Machine as Canaries
from tests.servers import Servers
from tests.store.test_forgetting import where_told


class Machine(Canaries):
    """Plants canaries, has them acted on, summarised and reflected on, and forgets the episodes that told them."""

    def _word(self) -> str:
        """In the whole database it stands nowhere else; without digits."""
        return "zor" + "".join(chr(ord("a") + int(digit, 16)) for digit in uuid4().hex[:12])

    @precondition(lambda self: bool(self.canaries))
    @rule(data=st.data())
    def forget(self, data: st.DataObject) -> None:
        canary = data.draw(st.sampled_from(self.canaries))
        self.do(self._forget(canary.claims[0]))
        self.canaries.remove(canary)
        assert self.do(self._places(canary.word)) == []

    async def _forget(self, claim_id: str) -> None:
        forgetting = self.services.forgetting
        claim = await self.services.evidence.claim(Scope(self.group, LATEST), claim_id)
        selector = Selector(episodes=(claim.episode_id,))
        preview = await forgetting.preview(self.group, selector, None)
        work, _ = await forgetting.confirm(self.group, selector, None, preview.confirm, "")
        while await forgetting.step(work, 10) is not None:
            pass

    async def _places(self, word: str) -> list[CanaryPlace]:
        return await where_told(ForgetStore.beside(self.services.memory.store), self.group, word)

    def _keep(self) -> None:
        """What was told before may change here."""

    def teardown(self) -> None:
        """Nothing was kept."""


@pytest.fixture
def machine(servers: Servers, tmp_path: Path) -> Generator[type[Canaries]]:
    with opened(Machine, servers, tmp_path) as machine:
        yield machine


@pytest.mark.timeout(3_600)
def test_of_what_was_forgotten_no_word_is_left_anywhere(machine: type[Canaries]) -> None:
    run(machine, STEPS)
