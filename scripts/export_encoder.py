"""``python scripts/export_encoder.py MODEL FILE``: write the graph of a packaged embedding model, without its weights.

It takes what ``scripts/install all`` brings. PyTorch exports the model to ONNX. The weights stand in the package of the
model, under the same names; doc strings and metadata, which tell of the machine, are left out too. The graph takes
``input_ids`` and ``attention_mask``, int64 (texts, tokens), and gives ``vectors``, float32 (texts, dimensions): means
over the tokens, of length one.
"""

import sys
import tempfile
import zipfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from safetensors.numpy import load_file
from transformers import AutoModel

from graphmem.embed.onnx import as_used
from graphmem.embed.packaged import DEFAULT, minilm_package, mpnet_archive


class Encoder(torch.nn.Module):
    """Tokens to a unit vector, as the model's own configuration says: mean pooling, then normalization."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.model: torch.nn.Module = AutoModel.from_pretrained(  # pyright: ignore[reportUnknownMemberType]
            folder, attn_implementation="eager", add_pooling_layer=False
        )
        self.types = self.model.config.model_type == "bert"

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        more = {"token_type_ids": torch.zeros_like(input_ids)} if self.types else {}
        tokens: torch.Tensor = self.model(input_ids=input_ids, attention_mask=attention_mask, **more).last_hidden_state
        mask = attention_mask.unsqueeze(-1).to(tokens.dtype)
        return torch.nn.functional.normalize((tokens * mask).sum(1) / mask.sum(1), dim=1)


def exported(folder: Path) -> onnx.ModelProto:
    """The graph with its weights."""
    ids = torch.randint(1000, 2000, (3, 7))
    shape = {0: torch.export.Dim("texts", min=1, max=4096), 1: torch.export.Dim("tokens", min=2, max=512)}
    program = torch.onnx.export(  # pyright: ignore[reportUnknownMemberType] -- its defaults
        Encoder(folder).eval(),
        (ids, torch.ones_like(ids)),
        input_names=["input_ids", "attention_mask"],
        output_names=["vectors"],
        dynamic_shapes=(shape, shape),
        opset_version=18,
        verbose=False,
        dynamo=True,
    )
    if program is None:
        raise SystemExit("PyTorch exported nothing.")
    return program.model_proto


def without_weights(model: onnx.ModelProto, folder: Path) -> onnx.ModelProto:
    """The graph, with weights named as they are stored, and left out."""
    weights = as_used(load_file(folder / "model.safetensors"))
    stored: dict[str, str] = {}
    for tensor in model.graph.initializer:
        values = numpy_helper.to_array(tensor)
        if values.dtype != np.float32 or values.size == 1:  # a constant of the graph itself
            continue
        name = next(name for name, weight in weights.items() if np.array_equal(weight, values))
        stored[tensor.name] = name
        del weights[name]
        tensor.name = name
        tensor.ClearField("raw_data")
        tensor.data_location = onnx.TensorProto.EXTERNAL
        tensor.external_data.add(key="location", value="model.safetensors")
    for node in model.graph.node:
        node.input[:] = [stored.get(name, name) for name in node.input]
    forget_machine(model)
    return model


def forget_machine(model: onnx.ModelProto) -> None:
    """Leave out doc strings and metadata, which tell of the machine."""
    graph = model.graph
    del graph.value_info[:], model.metadata_props[:]
    for part in (graph, *graph.node, *graph.input, *graph.output, *graph.initializer):
        part.doc_string = ""
        del part.metadata_props[:]


@contextmanager
def model_folder(model: str) -> Generator[Path]:
    """The whole model, as its package has it."""
    package = minilm_package()
    if model == DEFAULT and package is not None:
        yield package
        return
    with tempfile.TemporaryDirectory() as folder, mpnet_archive() as archive, zipfile.ZipFile(archive) as opened:
        opened.extractall(folder)
        yield Path(folder) / model


if __name__ == "__main__":
    with model_folder(sys.argv[1]) as found:
        Path(sys.argv[2]).write_bytes(without_weights(exported(found), found).SerializeToString())
