# What we use of ONNX Runtime, whose own types stop at its C++.

from collections.abc import Mapping, Sequence
from typing import Any

from numpy import float32
from numpy.typing import NDArray

class SessionOptions:
    intra_op_num_threads: int
    inter_op_num_threads: int
    enable_mem_pattern: bool
    enable_cpu_mem_arena: bool
    def add_session_config_entry(self, key: str, value: str) -> None: ...
    def add_external_initializers(self, names: Sequence[str], values: Sequence[OrtValue]) -> None: ...

class OrtValue:
    @staticmethod
    def ortvalue_from_numpy(values: NDArray[Any]) -> OrtValue: ...

class InferenceSession:
    def __init__(self, model: str, options: SessionOptions, providers: Sequence[str]) -> None: ...
    def get_inputs(self) -> Sequence[NodeArg]: ...
    def get_outputs(self) -> Sequence[NodeArg]: ...
    def run(self, names: Sequence[str] | None, inputs: Mapping[str, NDArray[Any]]) -> list[NDArray[float32]]: ...

class NodeArg:
    name: str
