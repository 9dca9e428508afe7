"""``python -m training.export OUT [--to FOLDER]``: a reader that was trained, as the package has it.

Writes the graphs, their weights of eight bits, to ``graphmem/extract/reader/weights``, with the tokenizer, and the
SHA-256 of each file.
"""

import argparse
import sys
import tempfile
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn
from torch.export import Dim

from scripts.export_encoder import forget_machine
from training.model import Reader
from training.reader import encoder_files, trained

WEIGHTS = Path(__file__).parents[1] / "graphmem" / "extract" / "reader" / "weights"


class _Graph(nn.Module):
    """A part of a reader."""

    def __init__(self, reader: Reader) -> None:
        super().__init__()
        self.reader = reader


class Turns(_Graph):
    """Tokens to states, and what is scored of them."""

    def forward(self, ids: Tensor, types: Tensor, mask: Tensor, of_text: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        hidden = self.reader.hidden(ids, types, mask)
        return hidden, self.reader.spans(hidden, of_text), self.reader.foreign(hidden)


class Values(_Graph):
    """States to what values are values of."""

    def forward(self, hidden: Tensor, rows: Tensor, first: Tensor, last: Tensor) -> Tensor:
        return self.reader.kinds(hidden, rows, first, last)


class Claims(_Graph):
    """States to the labels and pointers of claims."""

    def forward(
        self, hidden: Tensor, rows: Tensor, predicates: Tensor, first: Tensor, last: Tensor
    ) -> tuple[Tensor, Tensor]:
        return self.reader.details(hidden, rows, predicates, first, last)


def export(reader: Reader, to: Path) -> None:
    """The three graphs."""
    turns, tokens, wide = Dim("turns", min=1, max=4096), Dim("tokens", min=4, max=512), reader.ends.in_features
    values = Dim("values", min=1, max=100_000)
    ids, of_text = torch.randint(1000, 2000, (3, 9)), torch.ones((3, 9), dtype=torch.bool)
    hidden, index = torch.randn(3, 9, wide), torch.tensor([0, 1, 2, 2, 1, 0, 1])
    batch, spans = {0: turns, 1: tokens}, {0: values}
    _write(
        Turns(reader),
        {"ids": ids, "types": torch.zeros_like(ids), "mask": torch.ones_like(ids), "of_text": of_text},
        ["hidden", "spans", "foreign"],
        dict.fromkeys(("ids", "types", "mask", "of_text"), batch),
        to / "turns.onnx",
    )
    _write(
        Values(reader),
        {"hidden": hidden, "rows": index, "first": index + 3, "last": index + 5},
        ["kinds"],
        {"hidden": batch, "rows": spans, "first": spans, "last": spans},
        to / "values.onnx",
    )
    _write(
        Claims(reader),
        {"hidden": hidden, "rows": index, "predicates": index + 1, "first": index + 3, "last": index + 5},
        ["labels", "pointed"],
        {"hidden": batch, "rows": spans, "predicates": spans, "first": spans, "last": spans},
        to / "claims.onnx",
    )


def _write(
    module: nn.Module, inputs: Mapping[str, Tensor], outputs: Sequence[str], shapes: Mapping[str, Any], file: Path
) -> None:
    program = torch.onnx.export(
        module.eval(),
        tuple(inputs.values()),
        input_names=list(inputs),
        output_names=list(outputs),
        dynamic_shapes=tuple(shapes[name] for name in inputs),
        opset_version=18,
        verbose=False,
        dynamo=True,
    )
    if program is None:
        raise SystemExit("PyTorch exported nothing.")
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / file.name
        onnx.save(program.model_proto, whole)
        quantize_dynamic(
            whole,
            file,
            op_types_to_quantize=["MatMul", "Gemm", "Gather"],
            per_channel=True,
            weight_type=QuantType.QInt8,
        )
    model = onnx.load(file)
    forget_machine(model)
    onnx.save(model, file)


def main(arguments: Sequence[str]) -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--to", type=Path, default=WEIGHTS)
    given = parser.parse_args(arguments)
    given.to.mkdir(parents=True, exist_ok=True)
    with torch.no_grad():
        export(trained(given.out), given.to)
    (given.to / "thresholds.json").write_text("{}\n", "utf-8")
    (given.to / "tokenizer.json").write_bytes((encoder_files() / "tokenizer.json").read_bytes())
    files = sorted(given.to.glob("*.*"))
    sums = "".join(f"{sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files)
    (given.to / "SHA256SUMS").write_text(sums, "utf-8")
    print(sums, f"{sum(file.stat().st_size for file in files) / 1e6:.1f} MB", sep="")


if __name__ == "__main__":
    main(sys.argv[1:])
