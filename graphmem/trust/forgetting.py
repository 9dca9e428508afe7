"""Forgetting: somebody sees what would go, agrees to exactly that, and a job erases it; a receipt says so for ever."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hmac import compare_digest
from typing import Protocol

from pydantic import TypeAdapter

from graphmem import __version__
from graphmem.clock import Clock
from graphmem.errors import Conflict, InvalidInput, NotFound, absent
from graphmem.model.forgetting import Erased, ErasureReceipt, ForgetPreview, Holdings, Selector, holdings
from graphmem.model.ids import digest, external_episode_id
from graphmem.model.scope import EVERYBODY
from graphmem.model.work import Work, WorkRequest
from graphmem.store.change.evidence import EvidenceStore
from graphmem.store.forget import FIRST_EPISODE, PAGE, ForgetStore, pages_selected
from graphmem.trust.keys import Installation

MOST_TRIED = 50
"""Episodes that a preview tries to erase, to tell what would become of beliefs; and that a job erases at once."""
PREVIEW_VALID = timedelta(minutes=15)
"""For so long a preview can be confirmed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetAgreement:
    """What somebody agreed to forget: what was selected, whose (None: anybody's), as far as it was stored by then."""

    selector: Selector
    user: str | None
    recorded_by: datetime

    @property
    def audience(self) -> list[str] | None:
        return None if self.user is None else [self.user]

    @property
    def users(self) -> list[str]:
        """The users who are forgotten whole."""
        return [self.user] if self.user and self.selector.everything else []


_FORGET_AGREEMENT: TypeAdapter[ForgetAgreement] = TypeAdapter(ForgetAgreement)


class Door(Protocol):
    """Keeps out what was forgotten."""

    async def bar(self, group: str, episodes: Collection[str], users: Collection[str], receipt: str) -> None:
        """Refuse these episodes, which are still there, and all that is said for these users from now on."""
        ...


def episode_hash(installation: Installation, group: str, episode_id: str) -> str:
    """What a receipt has of an episode."""
    return installation.hash("erased", group, episode_id)[:32]


class Keeper(Protocol):
    """Keeps what a group keeps of users who are forgotten."""

    async def count(self, group: str, user: str) -> int:
        """How many beliefs would stay of a user."""
        ...

    async def keep(self, group: str, user: str) -> None:
        """Claim for the group what stays of a user, who is there yet."""
        ...


class Forgetting:
    """What is asked for is asked as a user, whose episodes alone it reaches, or (None) as whoever may do all."""

    def __init__(
        self,
        store: ForgetStore,
        evidence: EvidenceStore,
        installation: Installation,
        clock: Clock,
        door: Door,
        keeper: Keeper,
    ) -> None:
        self._store = store
        self._evidence = evidence
        self._installation = installation
        self._clock = clock
        self._door = door
        self._keeper = keeper

    async def preview(self, group: str, selector: Selector, user: str | None) -> ForgetPreview:
        """What would be forgotten; nothing is.

        Raises:
            InvalidInput: the selector selects nothing, or episodes and other things at once.
        """
        agreement = self._agreement(selector, user)
        ids = await self._selected(group, agreement)
        found = holdings(await self._holdings(group, ids))
        would = None
        if len(ids) <= MOST_TRIED:
            would = await self._evidence.would_erase(group, ids) if ids else Erased()
        kept = [await self._keeper.count(group, user) for user in agreement.users]
        at = int(agreement.recorded_by.timestamp())
        return ForgetPreview(
            manifest=found.manifest,
            counts=found.counts | ({"kept": sum(kept)} if kept else {}),
            samples=found.samples,
            would=would,
            confirm=self._signed(group, agreement, found.manifest, at),
            valid_until=datetime.fromtimestamp(at, UTC) + PREVIEW_VALID,
        )

    async def confirm(
        self, group: str, selector: Selector, user: str | None, confirm: str, by: str
    ) -> tuple[Work, Holdings]:
        """Have what was previewed forgotten: ``confirm`` is what the preview said. ``by`` is the id of a key.

        Returns the work, whose id is that of the receipt, and what is to be forgotten.

        Raises:
            InvalidInput: the selector selects nothing, or episodes and other things at once.
            Conflict: the preview is older than ``PREVIEW_VALID``, or it is not what was previewed any more.
        """
        agreement = self._agreement(selector, user)
        at = int(confirm.partition(".")[0])
        if agreement.recorded_by.timestamp() > at + PREVIEW_VALID.total_seconds():
            raise Conflict("The preview is older than 15 minutes: preview it again, and confirm that.")
        found = holdings(await self._holdings(group, await self._selected(group, agreement)))
        signed = self._signed(group, agreement, found.manifest, at)
        if not compare_digest(signed, confirm) or not found.episodes:
            raise Conflict("What was previewed is not what is there now: preview it again, and confirm that.")
        id_ = digest("forget", group, found.manifest)
        receipt = ErasureReceipt(
            id=id_,
            manifest=found.manifest,
            selectors=(*selector.kinds, *(["user"] if user else [])),
            asked_by=by,
            version=__version__,
            asked_at=agreement.recorded_by,
            began_at=None,
            ended_at=None,
            erased=Erased(),
            hashes=(),
        )
        await self._door.bar(group, (), agreement.users, id_)
        arguments = _FORGET_AGREEMENT.dump_python(agreement, mode="json")
        request = WorkRequest(id=id_, arguments=arguments, anew=False, again=True)
        works = await self._store.begin_forgetting(group, request, receipt)
        if not works:
            raise NotFound(f"The record of work {id_} cannot be read.")
        return works[0], found

    async def step(self, work: Work, most: int) -> Erased | None:
        """Forget so many more episodes of what was agreed to; None once all is forgotten, which the receipt says."""
        if not work.arguments:
            return None
        agreement = _FORGET_AGREEMENT.validate_python({**work.arguments})
        ids = await self._selected(work.group_id, agreement, most)
        if not ids:
            await self.erase_unnamed(work.group_id, work.id)
            await self._store.end_forgetting_of(work.group_id, work.id, self._clock())
            return None
        await self._keep(work, agreement.users)
        await self._door.bar(work.group_id, ids, (), work.id)
        hashes = [episode_hash(self._installation, work.group_id, id_) for id_ in ids]
        return await self._evidence.erase(work.group_id, ids, work.id, hashes)

    async def _keep(self, work: Work, users: Iterable[str]) -> None:
        """Keep what stays of users, until the first of theirs is erased: what is left then says less than there was."""
        receipt = await self._store.receipt(work.group_id, work.id)
        if receipt is None or receipt.began_at is None:
            for user in users:
                await self._keeper.keep(work.group_id, user)

    async def again(self, group: str, ids: Sequence[str]) -> None:
        """Erase episodes that were forgotten and came back with a file; of many episodes give some at a time."""
        await self._evidence.erase(group, ids, "", ())

    async def receipt(self, group: str, id_: str, asked_by: str | None = None) -> ErasureReceipt:
        """What was forgotten, without a word of it; None sees it whoever asked for it.

        Raises:
            NotFound: there is none of this id that the key asked for.
        """
        receipt = await self._store.receipt(group, id_)
        if receipt is None or asked_by not in (None, receipt.asked_by):
            raise absent(group, "receipt", id_)
        return receipt

    async def erase_unnamed(self, group: str, receipt: str = "") -> None:
        """Erase entities that were named without a place in a text, and are by nothing any more.

        ``receipt`` is the id of the one that counts them, if one does.
        """
        after = ""
        while ids := await self._store.unnamed_entities(group, after, PAGE):
            await self._evidence.erase_unnamed(group, ids, receipt)
            after = ids[-1]

    def _signed(self, group: str, agreement: ForgetAgreement, manifest: str, at: int) -> str:
        """What a preview says of itself: when it was made, in seconds, and that it is ours, of this selector."""
        asked = _FORGET_AGREEMENT.dump_python(agreement, mode="json", exclude={"recorded_by"})
        return f"{at}.{self._installation.hash('forget', group, asked, manifest, at)}"

    def _agreement(self, selector: Selector, user: str | None) -> ForgetAgreement:
        others = [kind for kind in selector.kinds if kind not in ("episodes", "external_ids")]
        if not selector.kinds or (selector.is_list and others):
            raise InvalidInput("Say what to forget: episodes, or what they have in common, or everything.")
        return ForgetAgreement(selector=selector, user=user, recorded_by=self._clock())

    async def _selected(self, group: str, agreement: ForgetAgreement, most: int | None = None) -> list[str]:
        """The ids of what is there of what was agreed to; the first ``most`` of them."""
        selector = agreement.selector
        if selector.is_list:
            named = [
                external_episode_id(group, agreement.user or EVERYBODY, name, claimed=claimed)
                for name in selector.external_ids
                for claimed in (False, True)
            ]
            ids = await self._store.episodes_to_forget(group, selector.episodes, named, agreement.audience)
            return ids[:most]
        entities = None
        if selector.entity is not None:
            who = await self._store.identities(group, [(selector.entity, "", agreement.user or EVERYBODY)])
            identity = who.of(selector.entity, session="", user=agreement.user or EVERYBODY)
            entities = [*who.members(identity, user=agreement.user or EVERYBODY)]
        asked = (group, selector, agreement.audience, entities, agreement.recorded_by)
        if most is not None:
            return [row.id for row in await self._store.episodes_selected(*asked, FIRST_EPISODE, most)]
        return [id_ async for page in pages_selected(self._store, *asked) for id_ in page]

    async def _holdings(self, group: str, ids: Sequence[str]) -> list[Holdings]:
        parts = list[Holdings]()
        for start in range(0, len(ids), PAGE):
            parts += await self._store.holdings_of_episodes(group, ids[start : start + PAGE])
        return parts
